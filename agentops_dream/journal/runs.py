"""Receipts: what each run did, why, and what it cost (SPEC §13).

One folder per run, ``state/<key>/runs/<run>/``, with the transaction's bytes and ``receipt.json``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, fields, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from agentops_dream import secrets
from agentops_dream.journal import files
from agentops_dream.models import Fault, Receipt, Usage, Verdict
from agentops_dream.secrets import Redactor

KEPT_DAYS = 90
_NUMBERED = re.compile(r"(\d{8}T\d{6}Z)-([0-9a-f]{2})[0-9a-f]{4,}")


class NoRun(Exception):
    """No run of that name, or more than one; the message says what to do."""


class NothingStands(NoRun):
    """No run was named, and there is none to take back."""


def fits(run: str, name: str) -> bool:
    """Return whether a person may mean ``run`` by ``name``: its beginning or its end."""
    return run.endswith(name) or run.startswith(name)


def new_id(state: Path, now: datetime, draw: Callable[[], str]) -> str:
    """Return a name for a run that starts at ``now`` (UTC) and sorts after all that began before it.

    Runs of one second are numbered by two hex digits; ``draw`` gives those that make its end easy to type.
    The caller holds the lock of the memory directory.
    """
    moment = now.strftime("%Y%m%dT%H%M%SZ")
    numbers = [int(match[2], 16) for name in _names(state) if (match := _NUMBERED.match(name)) and match[1] == moment]
    return f"{moment}-{min(max(numbers, default=-1) + 1, 255):02x}{draw()}"


def folder(state: Path, run: str) -> Path:
    return state / "runs" / run


def to_json(receipt: Receipt) -> dict[str, Any]:
    """Return ``receipt`` as JSON values, secrets redacted in every text of it."""
    data: dict[str, Any] = without_secrets(asdict(receipt))
    return data


def redacted(receipt: Receipt, redact: Redactor, names: Collection[str]) -> Receipt:
    """Return ``receipt`` with the secrets that only the store gives away out of its texts.

    What a program reads in it stays as it is, whatever is a password somewhere: times, words of ours, and
    ``names``, under which entries are known.
    """

    def told(name: str) -> str:
        return name if name in names else redact(name)

    verdicts = (
        replace(verdict, targets=tuple(map(told, verdict.targets)), raw=_told(verdict.raw, redact, told))
        for verdict in receipt.verdicts
    )
    return replace(
        receipt, message=redact(receipt.message), notes=tuple(map(redact, receipt.notes)), verdicts=tuple(verdicts)
    )


_NAMING = frozenset({"target_ids", "links", "by"})
"""Fields of an op that name entries."""


def _told(raw: Any, redact: Callable[[str], str], told: Callable[[str], str]) -> Any:
    if isinstance(raw, Mapping):
        return {redact(str(key)): _told(item, told if key in _NAMING else redact, told) for key, item in raw.items()}
    if isinstance(raw, (list, tuple)):
        return [_told(item, redact, told) for item in raw]
    return redact(raw) if isinstance(raw, str) else raw


def without_secrets(value: Any) -> Any:
    """Return JSON ``value`` with every secret in its strings replaced."""
    if isinstance(value, str):
        return secrets.redact(value)
    if isinstance(value, Mapping):
        return {secrets.redact(str(key)): without_secrets(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_secrets(item) for item in value]
    return value


def write(state: Path, receipt: Receipt) -> Path:
    """Write the receipt into its run's folder and return its path. Raises ``OSError``."""
    path = folder(state, receipt.run) / "receipt.json"
    files.write_json(path, to_json(receipt))
    return path


def read(path: Path) -> Receipt:
    """Return the receipt in ``path``. Raises ``NoRun``."""
    try:
        return from_json(json.loads(path.read_bytes()))
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise NoRun(f"{path} is no receipt ({error})") from error


def from_json(data: Mapping[str, Any]) -> Receipt:
    """Return the receipt that ``to_json`` made, by this version or another.

    Fields that this version does not know are passed over. Raises ``TypeError``, ``KeyError``,
    ``ValueError``.
    """
    plain = _known(Receipt, data)
    plain["usage"] = Usage(**_known(Usage, plain["usage"]))
    plain["verdicts"] = tuple(_verdict(item) for item in plain["verdicts"])
    for name in ("focus", "shown", "deferred", "too_large", "files", "notes"):
        plain[name] = tuple(plain[name])
    return Receipt(**plain)


def _known(kind: type[Any], data: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    return {key: value for key, value in dict(data).items() if key in names}


def _verdict(data: Mapping[str, Any]) -> Verdict:
    plain = _known(Verdict, data)
    plain["targets"] = tuple(plain["targets"])
    plain["faults"] = tuple(
        Fault(item["code"], item["message"], tuple(item["literals"])) for item in plain["faults"]
    )
    return Verdict(**plain)


def every(state: Path) -> Iterator[Receipt]:
    """Yield the receipts of a memory directory, newest first; folders without one are passed over."""
    for name in sorted(_names(state), reverse=True):
        try:
            yield read(folder(state, name) / "receipt.json")
        except NoRun:
            continue


def _names(state: Path) -> list[str]:
    try:
        return [path.name for path in (state / "runs").iterdir()]
    except OSError:
        return []


def find(state: Path, name: str) -> Receipt:
    """Return the run called ``name``, whole, its end or its beginning, or ``last``. Raises ``NoRun``."""
    if name in ("", "last"):
        found = list(islice(every(state), 1))
        if not found:
            raise NoRun("no run here yet; `agentops-dream run` dreams now")
    else:
        found = [one for one in every(state) if fits(one.run, name)]
    if not found:
        raise NoRun(f"no run {name!r} here; `agentops-dream log` lists them")
    if len(found) > 1:
        raise NoRun(f"{name!r} could be any of {len(found)} runs; give more of its name")
    return found[0]


def latest_standing(state: Path) -> Receipt:
    """Return the newest run that changed files and still stands: no undo, and not taken back. Raises
    ``NothingStands``.
    """
    taken_back: set[str] = set()
    for receipt in every(state):
        if receipt.run in taken_back or not receipt.files:
            continue
        if receipt.kind != "undo":
            return receipt
        if receipt.whole:
            taken_back.add(receipt.undoes)
    raise NothingStands("there is no run to take back; `agentops-dream log` lists what ran")


def forget(run_dir: Path, labels: frozenset[str] | None) -> None:
    """Strip the receipt in ``run_dir`` of old text: of the files ``labels``, or of everything (``None``).

    Names, hashes and figures stay. What the model wrote goes in either case: it quotes its sources.
    """
    path = run_dir / "receipt.json"
    try:
        receipt = read(path)
    except NoRun:
        return
    rows = tuple(
        {**row, "diff": ""} if labels is None or row["label"] in labels else row for row in receipt.files
    )
    verdicts = tuple(
        replace(
            verdict,
            raw=None,
            rationale="",
            faults=tuple(Fault(fault.code, "(purged)") for fault in verdict.faults),
        )
        for verdict in receipt.verdicts
    )
    files.write_json(path, to_json(replace(receipt, files=rows, verdicts=verdicts)))
