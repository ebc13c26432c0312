"""Common English words that head a sentence in notes: a capital there makes no name of them (SPEC §8).

Only for telling "Jun fixed it" from "Version pinned". A word that is missing here has to be kept by a
rewrite like a name, in any form and place; so the list need not be complete.
"""

from __future__ import annotations

COMMON = frozenset(
    """
    able access account accounts action actions active actual add adds added address adds admin after again
    agent alarm alert alias align all allow allows almost alone along already also alternative always amount
    amounts analysis announce another answer any anyone anything app apps apply approach archive area argument
    ask asset assets assume attach attempt audit author auto autosave average avoid aware back backend backfill
    background backup balance bar base basic batch because before begin behaviour behavior best better big bind
    bit block blocks board body book boot both bottom box branch break bridge broad broadcast broken browser
    bucket buffer bug bugs build builds bump bundle business button buy byte bytes cable cache caches calendar
    call callback caller calls camera cap capacity card care case cases cause caution cell central certain chain
    change changes channel chart charge check checks child choice choices choose chosen circle city class clean
    clear click client clients clock clone close cluster code codes collect color colour column columns come
    command commands comment comments commit commits common company compile complete component compress computer
    config configure confirm connect consider console constant consumer contact container content context
    continue contract control convert cookie cookies copied copy core correct cost costs count counter country
    course cover create created credit critical cron current cursor custom customer customers cut daily dark
    dashboard dashboards data database date dates day days dead deadline deal debug decide decided decision deep
    default defaults define delay delete deletes deletion deliver delivery demo denied depends deploy deployed
    deploys depth describe description design desktop detail details develop device devices dialog dialogue diff
    different digest direct directory disable disabled disk display docs document documents domain domains done
    door double down download draft drafts drain drift drive driver drivers drop drops dry due dump duplicate
    during dynamic each early east easy edge edit editor effect either email emails empty enable enabled encode
    end endpoint endpoints engine enough ensure enter entries entry environment equal error errors escape event
    events ever every everyone everything exact exactly example examples except exception exit expect expected
    experience expired export exports expose extend extra face fact factor fail failed failing fails failure
    fallback false family fast fatal feature features feed fetch few field fields figure file files fill filter
    final find fine finish firewall first fix fixed fixes fixture flag flags flat flow focus folder follow font
    force form format formats forward found fraction frame frames framework free freeze fresh front frontend
    full function functions future gap gate gateway gather general generic get give given global goal good grant
    graph great green grid group groups guard guess guest guide half hand handle handler hard hardware hash head
    header headers health heap heavy help here hidden high history hit hits hold home hook hooks host hosts hot
    hour hours house how however human icon idea ideas ignore image images import imports improve include
    includes income incident increase index info inform initial inner input inputs inside install instance
    instances instead integer interface internal invalid invoice invoices issue issues item items job jobs join
    joins jump keep keeps kernel key keys kind kinds know known label labels lag lamp language large last late
    latency later latest layer layers layout lead leader league learn lease least leave leaves left legacy
    length less let letter level library licence license life light like limit limits line lines link linked
    links lint linux list listen lists little live load loader loads local lock locks log logic login logs long
    look looks loop loss lost lot low lower machine machines mail main make makes manual many map maps mark
    market master match matches max maximum maybe measure measured measurement media medium meet meeting member
    memory menu merge merged merges message messages meta meter method metric metrics middle middleware migrate
    migration migrations minimal minimum minor mirror miss missing mobile mock mode model models module modules
    money monitor month monthly most mount mounting mouse move moved moves much multi multiple must name names
    native near need needs nested net network never new next nightly no nobody node nodes none normal note notes
    nothing notify now null number numbers object objects observe off offer office offline offset often old
    older on once one online only open operation option options order orders organisation origin original other
    others otherwise our out outage outbound outbox output outputs outside over override overview own owner
    owners pack package packages page pages paging pair panel paper parallel param parameter parameters parent
    parse parser part partial partition partitions parts party pass passphrase passes password past paste patch
    path paths pattern pause pay payload payloads payment payments people per perform period permission person
    phase phone photo physics pick pin pipeline pipelines place plain plan plans platform play please plugin
    plugins plus point points policy poll pool port ports position post posts power prefer prefix prepare
    present press prevent previous price prices primary print prior private probe problem process processes prod
    product production profile profiler program project projects promote prompt proof proper protocol provide
    proxy public publish pull pure purge purging purpose push put quality quarter query question queue queues
    quick quiet quota quote random range rare rate rates rather raw reach read reader readers reading readings
    reads ready real really reason rebuild receive recent record records recover red redirect reduce ref refer
    reference refresh refuse region register registry reject related relative relay release releases reload
    remain remember remote remove removed rename render rendering repeat replace replay replica reply report
    reports repository request requests require required requires rerun reserve reset resolve resource resources
    response responses rest restart restarts restore result results resume retention retries retry return
    returns reuse reverse review reviews revoke right risk role roles roll rollback root rope rotate round route
    router routes routine row rows rule rules run runner running runs runtime safe same sample samples sandbox
    save saves scale scan schedule scheduled schema schemas scope score screen script scripts search second
    secret secrets section secure see seed select self send sends sensor separate server servers service
    services session sessions set sets setting settings setup several severity shader shaders shadow shadows
    shape shared shell ship short should show shows side sign signal signature silent similar simple since
    single site size sizes skip sleep slice slot slow small smoke snapshot socket soft software solar solver
    some someone something sometimes sort source sources space spare special speed spend split sprint stable
    stack staff stage staging stale standard start started starts state statement states static statistics
    status stay steps still stock stop storage store stored stores straight stream street strict string strings
    strong structure style subject submit such suite sum summary support sure surface swap switch symbol sync
    system systems table tables tag tags take takes target targets task tasks tax team teams temp template
    temporary term terminal test tests text texts than thanks that the their them then there these they thing
    things third this those thread threads threshold through throw ticket tickets tile time timeout timeouts
    timer times timestamp title titles today todo together token tokens tomorrow tone tool tools top topic
    topics total totals touch toward trace track traffic train transfer transient translation transport treat
    tree trigger true trust try tune turn twice two type types typical ui unit units until update updates
    upgrade upload upper url urls usage use used user users uses usual usually value values variable variables
    vendor verify version versions very via video view views virtual visible volume wait waits want warehouse
    warn warning warnings watch watcher web webhook webhooks website week weekly weight well west what when
    where whether which while white who whole why wide widget will window windows wire wiring with without word
    words work worker workers working works world worst worth write writers writes wrong wrote year yearly years
    yes yesterday you your zero zone absolutely admins alerts alignment anything api arrange arrived assembly
    associated assumed attention authentication authorization automatic backups barrier barriers billing blue
    builder caching calibration capital captured cascade caches chapter characters checksum chunk chunks cipher
    cleanup coding collation colleagues compiler compliance compute concurrent condition connection connections
    consistency consumers copies coverage crash crashes credentials currency data deadlock debugging dedicated
    defect dependencies dependency deployment deployments depths device diagnostics dialect dimension disable
    dispatch distance distribution division duration elements employees encoding encryption entity equipment
    estimate evening exceeding execution executor executors existing expiry explain explicit expression external
    facade farm fee fees fibre filename fire fleet floor forecast fork formula foundation friction fuel garage
    gas glass ground growth guideline hall harbour hardware heartbeat height hint holiday horizon household
    identity idle imports inbound incoming independent indices infrastructure inline insert inspection insurance
    integration invoice isolation iteration keyboard lab lambda lane launch leaderboard ledger lens liability
    lifecycle lighting listener literal loading lookup maintenance manager mapping margin mask material matrix
    measure mechanism mesh metadata migration missing mixed monitoring morning mutation namespace naming
    navigation neither notice notification notifications nozzle occasionally onboarding operator operators
    optional orchestration orphaned overall overhead packet pagination painting paragraph partner partners
    passing patient patients performance permissions phrase physical pickup pixel placement plant policies
    pooling prices pricing printer priority probes procedure processing procurement producer profit propagation
    property protection provider providers provisioning pump quantity quarantine rack ranking rebuild receipts
    receiver recipes recovery redis refund refunds rejected reminder repair replication repository reservation
    residual resolution retention rollout rotation rounding routing rust sales scanner scene scheduler seat
    secondary security segment sensors sequence serial serialization settlement sewer shard shards shift shifts
    shipping shop shutdown signing sink sketch skipped snapshots sorting spawn specimen speech spike sprint
    squad stations storefront storm stub subnet subscription substeps success suffix supplier suppliers switches
    synchronisation synchronization syntax tank telemetry tenant tenants terrain texture textures ticket
    tolerance topology tracing transaction transactions transform transition translations transmission trial
    tuning unexpected unless upstream valid validation valve variant vault vector vehicle velocity viewer
    fell grew ran sent held gave saw said told thought knew met paid sold spent stood taught broke brought bought
    built caught chose drew drove felt fought flew froze hung lent meant rode sang sank slept spoke stole stuck
    struck swept threw understood woke wore wound arose became began bent bled blew bred burst clung crept dealt
    dug dwelt fled forbade forgot forgave heard laid lain leapt learnt lit mistook overcame overran proved rang
    risen sought shaken shone shrank shrunk slid sprang spun swore swung thrust tore torn trodden undergone
    underwent undertook upheld wept withdrew withheld withstood written
    adjacent neighbouring neighboring consecutive neighbor neighbour simultaneous remote manual automatic
    temporary permanent previous subsequent frequent recent urgent silent legacy physical digital virtual nightly
    hourly weekly monthly yearly outgoing opposite separate identical similar obsolete stale broken fresh partial
    entire numerous several various certain distinct ordinary regular unusual occasional sudden gradual slow rapid
    brief lengthy narrow wide shallow steep loose tight rough smooth sharp blunt wet frozen hot cold cool mild
    visitor visits voltage warm waste water weather wheel workflow workspace yield
    """.split()
)
