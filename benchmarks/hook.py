"""The hook as the client starts it: whole processes, launcher included."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sites import PAYLOAD, Site, change, hook_command, make_site
from benchmarks.timing import Spread, ratio, rounds, spread

SIZES = (0, 21, 130, 1000, 10000)
STAT = """
import sys
from posix import scandir
for entry in scandir(sys.argv[1]):
    entry.stat()
"""
READ_AND_HASH = """
import sys
try:
    from _sha2 import sha256
except ImportError:
    from _sha256 import sha256
from posix import listdir
for name in listdir(sys.argv[1]):
    with open(sys.argv[1] + "/" + name, "rb") as stream:
        sha256(stream.read()).digest()
"""


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    case: str
    seconds: Spread
    ratio: Spread
    floor: str
    target: float | None = None


def interpreter() -> str:
    """Return the real interpreter, as the launcher remembers it behind a version manager's shim."""
    return str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


def _run(*command: str, env: dict[str, str] | None = None) -> None:
    subprocess.run(command, env=env, input=PAYLOAD, stdout=subprocess.DEVNULL, cwd="/", check=True)


def _hook(site: Site) -> Callable[[], None]:
    command = hook_command()
    return lambda: _run("/bin/sh", "-c", command, env=site.env)


def _shell(site: Site) -> Callable[[], None]:
    """The plain-shell way: hash everything, compare with the hashes of the last time."""
    script = 'cd "$1" && find . -name "*.md" -exec sha256sum {} + | sort | cmp -s - "$2"; :'
    sums = site.home / "sums"
    first = 'cd "$1" && find . -name "*.md" -exec sha256sum {} + | sort >"$2"'
    _run("/bin/sh", "-c", first, "sh", str(site.memory), str(sums))
    return lambda: _run("/bin/sh", "-c", script, "sh", str(site.memory), str(sums))


@contextmanager
def _folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="agentops-dream-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def measure(times: int) -> list[Row]:
    """Return the rows of the hook's table."""
    python = interpreter()
    with _folder() as folder:
        sites = {size: make_site(folder / f"same{size}", size, python) for size in SIZES}
        absent = make_site(folder / "absent", -1, python)
        changed = make_site(folder / "changed", 130, python)
        change(changed)
        first = make_site(folder / "first", 10000, python, known=False)
        time.sleep(0.2)
        cases: dict[str, Callable[[], object]] = {
            "bare": lambda: _run(python, "-I", "-S", "-c", "pass"),
            "absent": _hook(absent),
            **{f"same{size}": _hook(site) for size, site in sites.items()},
            "changed": _hook(changed),
            "first": _hook(first),
            **{
                f"stat{size}": (
                    lambda site=sites[size]: _run(python, "-I", "-S", "-c", STAT, str(site.memory))
                )
                for size in (130, 1000, 10000)
            },
            "readhash": lambda: _run(python, "-I", "-S", "-c", READ_AND_HASH, str(first.memory)),
            **{f"shell{size}": _shell(sites[size]) for size in (130, 1000, 10000)},
        }
        taken = rounds(cases, times)

        def row(case: str, name: str, floor: str = "bare", target: float | None = None) -> Row:
            what = {"bare": "bare interpreter", "readhash": "Python reading and hashing them"}[floor]
            return Row(case, spread(taken[name]), ratio(taken[name], taken[floor]), what, target)

        return [
            row("bare interpreter", "bare"),
            row("no memory directory", "absent", target=1.3),
            row("nothing changed, 0 entries", "same0"),
            row("nothing changed, 21", "same21"),
            row("nothing changed, 130", "same130", target=1.6),
            row("nothing changed, 1,000", "same1000", target=2.2),
            row("nothing changed, 10,000", "same10000", target=5),
            row("one entry changed, worker detached, 130", "changed", target=2.5),
            row("first sight, 10,000 entries of 4 KB", "first", "readhash", target=1.5),
            row("stat of every file, 130", "stat130"),
            row("stat of every file, 1,000", "stat1000"),
            row("stat of every file, 10,000", "stat10000"),
            row("plain shell (sha256sum), 130", "shell130"),
            row("plain shell (sha256sum), 1,000", "shell1000"),
            row("plain shell (sha256sum), 10,000", "shell10000"),
        ]


def cold(times: int) -> list[Row]:
    """Return the hook without byte code, and behind a version manager's shim: what happens once."""
    python = interpreter()
    with _folder() as folder:
        site = make_site(folder / "site", 130, python)
        plugin = folder / "plugin"
        shutil.copytree(Path(site.env["CLAUDE_PLUGIN_ROOT"]), plugin, ignore=_no_litter)
        fresh = Site(site.home, {**site.env, "CLAUDE_PLUGIN_ROOT": str(plugin)}, site.memory, site.state)
        shim = folder / "bin" / "python3"
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nsleep 0.02\nexec "{python}" "$@"\n')
        shim.chmod(0o755)
        shimmed = make_site(folder / "shimmed", 130, python)
        shimmed.env["PATH"] = f"{shim.parent}:{shimmed.env['PATH']}"
        without = _hook(fresh)

        def no_byte_code() -> None:
            for cache in plugin.rglob("__pycache__"):
                shutil.rmtree(cache)
            without()

        cases: dict[str, Callable[[], object]] = {
            "bare": lambda: _run(python, "-I", "-S", "-c", "pass"),
            "cold": no_byte_code,
            "shim": _hook(shimmed),
        }
        taken = rounds(cases, times)
        return [
            Row(case, spread(taken[name]), ratio(taken[name], taken["bare"]), "bare interpreter")
            for case, name in (
                ("nothing changed, 130, no byte code yet", "cold"),
                ("nothing changed, 130, Python behind a shim of 20 ms", "shim"),
            )
        ]


def _no_litter(_folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name in (".git", ".build", "__pycache__", "tests", "node_modules")}
