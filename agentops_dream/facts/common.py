"""Common English words that head a sentence in notes: a capital there makes no name of them (SPEC §8).

Only for telling "Jun fixed it" from "Version pinned". A word that is missing here has to be kept by a
rewrite like a name, in any form and place; so the list need not be complete.
"""

from __future__ import annotations

COMMON = frozenset(
    """
    able absolutely access account accounts action actions active actual add added address adds adjacent admin
    admins after again agent alarm alert alerts alias align alignment all allow allows almost alone along already
    also alternative always amount amounts analysis announce another answer any anyone anything api app apply
    approach apps archive area argument arose arrange arrived ask assembly asset assets associated assume assumed
    attach attempt attention audit authentication author authorization auto automatic autosave average avoid aware
    back backend backfill background backup backups balance bar barrier barriers base basic batch became because
    before began begin behavior behaviour bent best better big billing bind bit bled blew block blocks blue blunt
    board body book boot both bottom bought box branch break bred bridge brief broad broadcast broke broken
    brought browser bucket buffer bug bugs build builder builds built bump bundle burst business button buy byte
    bytes cable cache caches caching calendar calibration call callback caller calls camera cap capacity capital
    captured card care cascade case cases caught cause caution cell central certain chain change changes channel
    chapter characters charge chart check checks checksum child choice choices choose chose chosen chunk chunks
    cipher circle city class clean cleanup clear click client clients clock clone close clung cluster code codes
    coding cold collation colleagues collect color colour column columns come command commands comment comments
    commit commits common company compile compiler complete compliance component compress compute computer
    concurrent condition config configure confirm connect connection connections consecutive consider consistency
    console constant consumer consumers contact container content context continue contract control convert cookie
    cookies cool copied copies copy core correct cost costs count counter country course cover coverage crash
    crashes create created credentials credit crept critical cron currency current cursor custom customer
    customers cut daily dark dashboard dashboards data database date dates day days dead deadline deadlock deal
    dealt debug debugging decide decided decision dedicated deep default defaults defect define delay delete
    deletes deletion deliver delivery demo denied dependencies dependency depends deploy deployed deployment
    deployments deploys depth depths describe description design desktop detail details develop device devices
    diagnostics dialect dialog dialogue diff different digest digital dimension direct directory disable disabled
    disk dispatch display distance distinct distribution division docs document documents domain domains done door
    double down download draft drafts drain drew drift drive driver drivers drop drops drove dry due dug dump
    duplicate duration during dwelt dynamic each early east easy edge edit editor effect either elements email
    emails employees empty enable enabled encode encoding encryption end endpoint endpoints engine enough ensure
    enter entire entity entries entry environment equal equipment error errors escape estimate evening event
    events ever every everyone everything exact exactly example examples exceeding except exception execution
    executor executors existing exit expect expected experience expired expiry explain explicit export exports
    expose expression extend external extra facade face fact factor fail failed failing fails failure fallback
    false family farm fast fatal feature features fee feed fees fell felt fetch few fibre field fields figure file
    filename files fill filter final find fine finish fire firewall first fix fixed fixes fixture flag flags flat
    fled fleet flew floor flow focus folder follow font forbade force forecast forgave forgot fork form format
    formats formula forward fought found foundation fraction frame frames framework free freeze frequent fresh
    friction front frontend froze frozen fuel full function functions future gap garage gas gate gateway gather
    gave general generic get give given glass global goal good gradual grant graph great green grew grid ground
    group groups growth guard guess guest guide guideline half hall hand handle handler harbour hard hardware hash
    head header headers health heap heard heartbeat heavy height held help here hidden high hint history hit hits
    hold holiday home hook hooks horizon host hosts hot hour hourly hours house household how however human hung
    icon idea ideas identical identity idle ignore image images import imports improve inbound incident include
    includes income incoming increase independent index indices info inform infrastructure initial inline inner
    input inputs insert inside inspection install instance instances instead insurance integer integration
    interface internal invalid invoice invoices isolation issue issues item items iteration job jobs join joins
    jump keep keeps kernel key keyboard keys kind kinds knew know known lab label labels lag laid lain lambda lamp
    lane language large last late latency later latest launch layer layers layout lead leader leaderboard league
    leapt learn learnt lease least leave leaves ledger left legacy length lengthy lens lent less let letter level
    liability library licence license life lifecycle light lighting like limit limits line lines link linked links
    lint linux list listen listener lists lit literal little live load loader loading loads local lock locks log
    logic login logs long look looks lookup loop loose loss lost lot low lower machine machines mail main
    maintenance make makes manager manual many map mapping maps margin mark market mask master match matches
    material matrix max maximum maybe meant measure measured measurement mechanism media medium meet meeting
    member memory menu merge merged merges mesh message messages met meta metadata meter method metric metrics
    middle middleware migrate migration migrations mild minimal minimum minor mirror miss missing mistook mixed
    mobile mock mode model models module modules money monitor monitoring month monthly morning most mount
    mounting mouse move moved moves much multi multiple must mutation name names namespace naming narrow native
    navigation near need needs neighbor neighboring neighbour neighbouring neither nested net network never new
    next nightly no nobody node nodes none normal note notes nothing notice notification notifications notify now
    nozzle null number numbers numerous object objects observe obsolete occasional occasionally off offer office
    offline offset often old older on onboarding once one online only open operation operator operators opposite
    option optional options orchestration order orders ordinary organisation origin original orphaned other others
    otherwise our out outage outbound outbox outgoing output outputs outside over overall overcame overhead
    overran override overview own owner owners pack package packages packet page pages pagination paging paid
    painting pair panel paper paragraph parallel param parameter parameters parent parse parser part partial
    partition partitions partner partners parts party pass passes passing passphrase password past paste patch
    path paths patient patients pattern pause pay payload payloads payment payments people per perform performance
    period permanent permission permissions person phase phone photo phrase physical physics pick pickup pin
    pipeline pipelines pixel place placement plain plan plans plant platform play please plugin plugins plus point
    points policies policy poll pool pooling port ports position post posts power prefer prefix prepare present
    press prevent previous price prices pricing primary print printer prior priority private probe probes problem
    procedure process processes processing procurement prod producer product production profile profiler profit
    program project projects promote prompt proof propagation proper property protection protocol proved provide
    provider providers provisioning proxy public publish pull pump pure purge purging purpose push put quality
    quantity quarantine quarter query question queue queues quick quiet quota quote rack ran random rang range
    ranking rapid rare rate rates rather raw reach read reader readers reading readings reads ready real really
    reason rebuild receipts receive receiver recent recipes record records recover recovery red redirect redis
    reduce ref refer reference refresh refund refunds refuse region register registry regular reject rejected
    related relative relay release releases reload remain remember reminder remote remove removed rename render
    rendering repair repeat replace replay replica replication reply report reports repository request requests
    require required requires rerun reservation reserve reset residual resolution resolve resource resources
    response responses rest restart restarts restore result results resume retention retries retry return returns
    reuse reverse review reviews revoke right risen risk rode role roles roll rollback rollout root rope rotate
    rotation rough round rounding route router routes routine routing row rows rule rules run runner running runs
    runtime rust safe said sales same sample samples sandbox sang sank save saves saw scale scan scanner scene
    schedule scheduled scheduler schema schemas scope score screen script scripts search seat second secondary
    secret secrets section secure security see seed segment select self send sends sensor sensors sent separate
    sequence serial serialization server servers service services session sessions set sets setting settings
    settlement setup several severity sewer shader shaders shadow shadows shaken shallow shape shard shards shared
    sharp shell shift shifts ship shipping shone shop short should show shows shrank shrunk shutdown side sign
    signal signature signing silent similar simple simultaneous since single sink site size sizes sketch skip
    skipped sleep slept slice slid slot slow small smoke smooth snapshot snapshots socket soft software solar sold
    solver some someone something sometimes sort sorting sought source sources space spare spawn special specimen
    speech speed spend spent spike split spoke sprang sprint spun squad stable stack staff stage staging stale
    standard start started starts state statement states static stations statistics status stay steep steps still
    stock stole stood stop storage store stored storefront stores storm straight stream street strict string
    strings strong struck structure stub stuck style subject submit subnet subscription subsequent substeps
    success such sudden suffix suite sum summary supplier suppliers support sure surface swap swept switch
    switches swore swung symbol sync synchronisation synchronization syntax system systems table tables tag tags
    take takes tank target targets task tasks taught tax team teams telemetry temp template temporary tenant
    tenants term terminal terrain test tests text texts texture textures than thanks that the their them then
    there these they thing things third this those thought thread threads threshold threw through throw thrust
    ticket tickets tight tile time timeout timeouts timer times timestamp title titles today todo together token
    tokens told tolerance tomorrow tone tool tools top topic topics topology tore torn total totals touch toward
    trace tracing track traffic train transaction transactions transfer transform transient transition translation
    translations transmission transport treat tree trial trigger trodden true trust try tune tuning turn twice two
    type types typical ui undergone understood undertook underwent unexpected unit units unless until unusual
    update updates upgrade upheld upload upper upstream urgent url urls usage use used user users uses usual
    usually valid validation value values valve variable variables variant various vault vector vehicle velocity
    vendor verify version versions very via video view viewer views virtual visible visitor visits voltage volume
    wait waits want warehouse warm warn warning warnings waste watch watcher water weather web webhook webhooks
    website week weekly weight well wept west wet what wheel when where whether which while white who whole why
    wide widget will window windows wire wiring with withdrew withheld without withstood woke word words wore work
    worker workers workflow working works workspace world worst worth wound write writers writes written wrong
    wrote year yearly years yes yesterday yield you your zero zone
    """.split()
)
