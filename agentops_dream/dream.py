"""The story of one dream, readable from top to bottom (SPEC §1, §5-§9).

Light chooses, REM asks, deep judges, the transaction commits, the journal remembers. Each knows its own
business; this module only says when.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from agentops_dream import applying, declining, rendering, staging
from agentops_dream.deep import judge as deep
from agentops_dream.journal import ledger, rate, runs, spend
from agentops_dream.light import choose as light
from agentops_dream.light import signals
from agentops_dream.models import Delta, Judgement, Receipt, Reply, WorkingSet
from agentops_dream.order import Nothing, Order, Stopped, lock
from agentops_dream.rem import ask as rem
from agentops_dream.rem import prompt
from agentops_dream.rem.errors import RemError
from agentops_dream.secrets import Vault
from agentops_dream.secrets.entries import redactor, telling
from agentops_dream.store import fingerprint
from agentops_dream.store.memory import Store, read_store, told
from agentops_dream.transaction.probe import probe
from agentops_dream.wording import counted


def dream(order: Order) -> Receipt:
    """Dream once over ``order``'s memory directory and return the receipt, which is also on disk.

    Raises ``Nothing`` (nothing to do: nothing was written), ``Busy``, ``Stopped`` (nothing was
    changed; a receipt says so if a model was asked).
    """
    with lock(order.state):
        recovered = applying.recover_runs(order)
        store = read(order)
        delta = changed(order, store)
        working_set = choose(order, store, delta)
        rem.prepare(order.settings, order.env)
        ready(order, working_set)
        vault = Vault(order.draw())
        alone = tuple(f"left alone: {told(item)}" for item in store.unreadable)
        receipt = begin(order, working_set, (*recovered, *alone))
        reply = ask(order, store, working_set, vault, receipt)
        receipt = replace(receipt, usage=reply.usage)
        declined = declining.refused(order.state, reply.ops, working_set.shown)
        try:
            store = read(order)  # minutes may have passed: files that came meanwhile are part of the store
        except Stopped as error:
            raise applying.stopped(order, receipt, str(error)) from error

        def judge(now: Store) -> Judgement:
            redact = redactor(now.entries, now.index, vault.kept)
            judgement = deep.judge(
                declining.apart(reply.ops, declined),
                working_set,
                now,
                settings=order.settings,
                today=order.clock().astimezone().date(),
                placeholders=vault.placeholders_in,
                find_secrets=redact.values,
                redact=redact,
            )
            return declining.together(judgement, declined)

        if order.settings.promote == "audit":
            return stage(order, store, delta, working_set, vault, reply, judge(store), receipt)
        return applying.apply(order, store, delta, working_set, vault, judge, receipt)


def read(order: Order) -> Store:
    """Return the store.

    Raises ``Nothing`` if there is no memory directory, or memory is off; ``Stopped`` if it, or its index,
    is not what can be worked with.
    """
    if order.places.off:
        raise Nothing("auto memory is switched off for this project, so there is nothing to dream over")
    try:
        store = read_store(order.memory)
    except FileNotFoundError:
        raise Nothing(f"there is no memory directory at {order.memory}, so nothing to dream over") from None
    except OSError as error:
        raise Stopped(f"{order.memory} cannot be read ({error.strerror}); give your user access") from error
    if store.index_problem:
        raise Stopped(f"{order.memory}: {store.index_problem}")
    index, agents = order.memory / "MEMORY.md", order.project / "AGENTS.md"
    if order.settings.mirror_agents and index.exists() and agents.exists() and index.samefile(agents):
        raise Stopped(
            f"{index} and {agents} are the same file, which cannot be index and mirror at once; "
            "remove the link or set AGENTOPS_DREAM_MIRROR_AGENTS=0"
        )
    return store


def changed(order: Order, store: Store) -> Delta:
    """Return what is new or changed, worked out again under the lock. Raises ``Nothing``."""
    known = fingerprint.load(str(order.state / "fingerprint.json"))
    delta = Delta(fingerprint.scan(str(order.memory), known))
    delta = _less_unreadable(order, store, delta)
    if not store.entries:
        alone = "".join(f"; left alone: {told(item)}" for item in store.unreadable)
        raise Nothing(f"there are no entries in {order.memory}{alone}")
    if not delta.paths and not order.again:
        what = counted(len(store.entries), "entry was", "entries were")
        raise Nothing(f"nothing has changed since {what} dreamt over")
    wanted, now = order.settings, order.clock().timestamp()
    if not order.manual and not rate.load(order.state).allows(now, wanted.min_interval, wanted.max_per_day):
        raise Nothing("it is too early for the next dream")
    return delta


def _less_unreadable(order: Order, store: Store, delta: Delta) -> Delta:
    """Return the delta without files that cannot be read, which are reported once and then known.

    Otherwise a store with one broken file would start a worker at every stop.
    """
    broken = {item.path: told(item) for item in store.unreadable if item.path in delta.paths}
    if not broken:
        return delta
    for what in broken.values():
        order.note(f"left alone: {what}")
    if order.settings.promote == "audit":
        hold(order, delta)
    else:
        digests = {path: fingerprint.digest_of(f"{order.memory}/{path}") for path in broken}
        applying.cover(order, {path: ("", digest) for path, digest in digests.items() if digest})
    return Delta(tuple(path for path in delta.paths if path not in broken))


def choose(order: Order, store: Store, delta: Delta) -> WorkingSet:
    """Return the working set. Raises ``Nothing`` if it would be empty, or waits for review already."""
    shrink = rate.load(order.state).shrink
    every = [entry.path for entry in store.entries]
    also = (every if order.focus is None else order.focus) if order.manual else ()
    if order.focus is not None:
        delta = Delta(tuple(path for path in delta.paths if path in order.focus))
    working_set = light.choose(
        store,
        delta,
        also=also,
        size=prompt.payload_size,
        max_bytes=order.settings.max_bytes >> shrink,
        settled=ledger.settled(order.state, {entry.path: entry.sha256 for entry in store.entries}),
        read_signals=signals.reader(store, project=order.project, today=order.clock().astimezone().date()),
    )
    for path in working_set.too_large:
        order.note(f"{path} is larger than AGENTOPS_DREAM_MAX_BYTES and is not dreamt over")
    if not working_set.focus:
        hold(order, delta)
        raise Nothing(
            "no entry that changed can be shown: " + ", ".join(working_set.too_large or delta.paths)
        )
    if order.settings.promote == "audit" and staging.proposed(order.staging, working_set):
        hold(order, delta)
        raise Nothing("a proposal for these entries waits for review (`agentops-dream review`)")
    return working_set


def ready(order: Order, working_set: WorkingSet) -> None:
    """Make sure that the result can be saved before money is spent. Raises ``Stopped``."""
    folders = {order.memory / Path(entry.path).parent for entry in working_set.focus}
    files = [order.memory / "MEMORY.md"]
    if order.settings.mirror_agents and order.project.is_dir():
        files.append(order.project / "AGENTS.md")
    auditing = order.settings.promote == "audit"
    problems = probe(
        state=order.state,
        folders=() if auditing else sorted(folders),
        files=() if auditing else files,
        need=4 * working_set.size,
    )
    if problems:
        raise Stopped(rendering.sparing(problems[0], order.project))


def begin(order: Order, working_set: WorkingSet, notes: tuple[str, ...]) -> Receipt:
    """Count the dream and open its receipt. Raises ``Stopped`` if the day's money is spent."""
    now = order.clock()
    if order.settings.backend != "offline":
        left = spend.left(Path(order.places.state_root), order.settings.max_usd_per_day, now.timestamp())
        if left is not None and left <= 0:
            raise Stopped("today's money is spent (AGENTOPS_DREAM_MAX_USD_PER_DAY); nothing was sent")
    rate.save(order.state, rate.load(order.state).started(now.timestamp()))
    return applying.opened(
        order,
        "dream",
        focus=tuple(entry.path for entry in working_set.focus),
        shown=tuple(entry.path for entry in working_set.shown),
        deferred=working_set.deferred,
        too_large=working_set.too_large,
        backend=order.settings.backend,
        notes=notes,
    )


def ask(order: Order, store: Store, working_set: WorkingSet, vault: Vault, receipt: Receipt) -> Reply:
    """Return the model's reply. Raises ``Stopped`` after booking what a failed call cost."""
    now = order.clock().timestamp()
    root = Path(order.places.state_root)
    try:
        with tempfile.TemporaryDirectory(prefix="agentops-dream-") as workdir:
            reply = rem.ask(
                working_set,
                order.settings,
                env=order.env,
                workdir=Path(workdir),
                today=order.clock().astimezone().date(),
                vault=vault,
                beside=store.entries,
                budget_usd=spend.left(root, order.settings.max_usd_per_day, now),
            )
    except RemError as error:
        spend.add(root, error.usage.usd, now)
        if not order.manual:
            rate.save(order.state, rate.load(order.state).failed(now, smaller=error.retry_smaller))
        receipt = replace(receipt, usage=error.usage)
        message = redactor(store.entries, store.index, vault.kept)(error.message)
        raise applying.stopped(order, receipt, f"{error.kind}: {message}") from error
    spend.add(root, reply.usage.usd, now)
    rate.save(order.state, rate.load(order.state).succeeded())
    return reply


def stage(
    order: Order,
    store: Store,
    delta: Delta,
    working_set: WorkingSet,
    vault: Vault,
    reply: Reply,
    judgement: Judgement,
    receipt: Receipt,
) -> Receipt:
    """Stage the gated plan; nothing else moves (SPEC §12).

    A plan of which no op can be taken would wait for nobody: its receipt says why, and its entries count as
    dreamt over, as if a person had sent it away.
    """
    vault.keep(telling(store.entries, store.index))  # of those that came meanwhile, too
    redact = redactor(store.entries, store.index, vault.kept)
    ops = dict(enumerate(reply.ops))
    receipt = runs.redacted(replace(receipt, verdicts=judgement.verdicts), redact, store.names)
    proposal = staging.propose(receipt, "audit", working_set, ops, vault, summary=redact(reply.summary))
    passed = sum(verdict.status in staging.TAKEABLE for verdict in receipt.verdicts)
    told = f"{counted(len(receipt.verdicts), 'op')} proposed, {counted(passed, 'passes', 'pass')} the gate"
    waits = bool(staging.offered(proposal))
    message = f"{told}; see `agentops-dream review`" if waits else f"{told}, so nothing waits for you"
    done = applying.closed(order, replace(receipt, message=message), "staged" if waits else "nothing")
    if waits:
        staging.save(order.staging, proposal)
        hold(order, delta)
    else:
        applying.cover(order, staging.covered(proposal))
    runs.write(order.state, done)
    order.note(f"run {done.run}: {message}")
    return done


def hold(order: Order, delta: Delta) -> None:
    """Let the hook sleep until something else changes than what waits now."""
    digest = fingerprint.delta_digest(str(order.memory), delta.paths)
    rate.save(order.state, replace(rate.load(order.state), hold=digest))
