"""Find the ``claude`` binary (SPEC §3, "Binary search order").

Hooks often run with a bare PATH, so the places where installers put it are looked at too. Nothing
else is ever tried: a setting that cannot be resolved means no dream, not another binary.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from agentops_dream.rem.errors import RemError

SETTING = "AGENTOPS_DREAM_CLAUDE_BIN"


@dataclass(frozen=True)
class Binary:
    """A binary that is there and may be run."""

    path: str
    """As found, links not resolved: for people, and because its folder may hold its ``node``."""
    argv: tuple[str, ...]
    """How to start it. Differs from ``path`` for a Windows ``.cmd`` shim."""


def find(env: Mapping[str, str], setting: str = "", *, windows: bool = os.name == "nt") -> Binary:
    """Return the binary to call.

    ``setting`` is the value of ``AGENTOPS_DREAM_CLAUDE_BIN`` (absolute, ``~/…`` or a bare name on
    PATH); ``""`` searches ``claudex``, ``claude`` on PATH, then the installers' places. Raises
    ``RemError`` of kind ``not-found`` that says what to do.
    """
    home = _home(env, windows)
    if setting:
        found = _named(env, setting, home, windows)
        if found is None:
            raise RemError("not-found", f"{SETTING} names no program that can be run; correct it or unset it")
        return _startable(env, found, windows)
    for name in ("claudex", "claude"):
        found = _on_path(env, name, windows)
        if found is not None:
            return _startable(env, found, windows)
    places = list(_places(env, home, windows))
    for place in places:
        found = _in_folder(place, "claude", env, windows)
        if found is not None:
            return _startable(env, found, windows)
    raise RemError(
        "not-found",
        f"no claude binary on PATH or in {len(places)} other places; install Claude Code or set {SETTING}",
    )


def search_path(env: Mapping[str, str], binary: Binary, *, windows: bool = os.name == "nt") -> str:
    """Return a PATH with which ``binary`` runs: the given one, then its own folder, then a ``node``.

    Many installs are a script that starts with ``/usr/bin/env node``, which a bare PATH does not have.
    """
    separator = ";" if windows else ":"
    folders = [folder for folder in env.get("PATH", "").split(separator) if folder]
    folders.append(os.path.dirname(binary.path))
    if _on_path({**env, "PATH": separator.join(folders)}, "node", windows) is None:
        places = _places(env, _home(env, windows), windows)
        folders += [place for place in places if _in_folder(place, "node", env, windows)][:1]
    return separator.join(dict.fromkeys(folders))


def _home(env: Mapping[str, str], windows: bool) -> str:
    return env.get("USERPROFILE" if windows else "HOME") or env.get("HOME") or os.path.expanduser("~")


def _named(env: Mapping[str, str], setting: str, home: str, windows: bool) -> str | None:
    if setting == "~" or setting.startswith(("~/", "~\\")):
        setting = os.path.join(home, setting[2:])
    if os.path.isabs(setting):
        return _in_folder(os.path.dirname(setting), os.path.basename(setting), env, windows)
    if "/" in setting or (windows and "\\" in setting):
        # Relative to what? A hook starts in whatever folder the session is in.
        return None
    return _on_path(env, setting, windows)


def _on_path(env: Mapping[str, str], name: str, windows: bool) -> str | None:
    for folder in env.get("PATH", "").split(";" if windows else ":"):
        # "" and "." mean the working directory, which may be a stranger's repository.
        if os.path.isabs(folder):
            found = _in_folder(folder, name, env, windows)
            if found is not None:
                return found
    return None


def _in_folder(folder: str, name: str, env: Mapping[str, str], windows: bool) -> str | None:
    for ending in _endings(name, env) if windows else ("",):
        path = os.path.join(folder, name + ending)
        try:
            if os.path.isfile(path) and (windows or os.access(path, os.X_OK)):
                return path
        except ValueError:  # a NUL in the name
            return None
    return None


def _endings(name: str, env: Mapping[str, str]) -> tuple[str, ...]:
    known = tuple(e.lower() for e in env.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";") if e)
    return ("",) if name.lower().endswith(known) else known


def _places(env: Mapping[str, str], home: str, windows: bool) -> Iterator[str]:
    """Folders in which installers and version managers put ``claude``, most official first."""
    own = [os.path.join(env["CLAUDE_CONFIG_DIR"], "local")] if env.get("CLAUDE_CONFIG_DIR") else []
    yield from own
    for parts in ((".claude", "local"), (".local", "bin"), (".claude", "bin")):
        yield os.path.join(home, *parts)
    yield from (_windows_places if windows else _posix_places)(env, home)
    for variable, tail in _TOLD:
        if env.get(variable):
            yield os.path.join(env[variable], tail)
    for parts in ((".bun", "bin"), (".volta", "bin")):
        yield os.path.join(home, *parts)


_TOLD = (("BUN_INSTALL", "bin"), ("VOLTA_HOME", "bin"), ("PNPM_HOME", ""), ("ASDF_DATA_DIR", "shims"))


def _posix_places(env: Mapping[str, str], home: str) -> Iterator[str]:
    yield from ("/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin")
    for prefix in _npm_prefixes(env, home):
        yield os.path.join(prefix, "bin")
    for parts in (
        (".npm-global", "bin"),
        (".npm-packages", "bin"),
        (".npm", "bin"),
        (".yarn", "bin"),
        (".config", "yarn", "global", "node_modules", ".bin"),
        (".local", "share", "pnpm"),
        ("Library", "pnpm"),
        (".asdf", "shims"),
        (".local", "share", "mise", "shims"),
        (".nix-profile", "bin"),
        ("n", "bin"),
        ("bin",),
    ):
        yield os.path.join(home, *parts)
    nvm = env.get("NVM_DIR") or os.path.join(home, ".nvm")
    yield from _newest(os.path.join(nvm, "versions", "node"), "bin")
    fnm = [env["FNM_DIR"]] if env.get("FNM_DIR") else []
    fnm.append(os.path.join(home, ".local", "share", "fnm"))
    fnm.append(os.path.join(home, "Library", "Application Support", "fnm"))
    for root in fnm:
        yield from _newest(os.path.join(root, "node-versions"), os.path.join("installation", "bin"))
    yield from ("/run/current-system/sw/bin", "/snap/bin", "/usr/bin", "/bin")


def _windows_places(env: Mapping[str, str], home: str) -> Iterator[str]:
    yield from _npm_prefixes(env, home)
    for variable, parts in (
        ("APPDATA", ("npm",)),
        ("LOCALAPPDATA", ("Microsoft", "WinGet", "Links")),
        ("LOCALAPPDATA", ("Programs", "claude")),
        ("LOCALAPPDATA", ("Volta", "bin")),
        ("LOCALAPPDATA", ("pnpm",)),
        ("LOCALAPPDATA", ("Yarn", "bin")),
        ("ProgramFiles", ("nodejs",)),
        ("NVM_SYMLINK", ()),
    ):
        if env.get(variable):
            yield os.path.join(env[variable], *parts)
    yield os.path.join(home, "scoop", "shims")


def _npm_prefixes(env: Mapping[str, str], home: str) -> Iterator[str]:
    for variable in ("NPM_CONFIG_PREFIX", "npm_config_prefix"):
        if env.get(variable):
            yield env[variable]
    try:
        text = Path(home, ".npmrc").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    found = re.search(r"(?m)^\s*prefix\s*=\s*[\"']?(.+?)[\"']?\s*$", text)
    if found:
        prefix = found.group(1).replace("${HOME}", home)
        yield os.path.join(home, prefix[2:]) if prefix.startswith("~/") else prefix


def _newest(root: str, tail: str) -> Iterator[str]:
    """Version folders below ``root``, newest version first."""
    try:
        names = os.listdir(root)
    except OSError:
        return
    for name in sorted(names, key=lambda n: [int(d) for d in re.findall(r"\d+", n)], reverse=True):
        yield os.path.join(root, name, tail)


_SHIM = re.compile(r'"%(?:~dp0|dp0%)\\?([^"%]+\.(?:exe|js|cjs|mjs))"\s*%\*', re.IGNORECASE)


def _startable(env: Mapping[str, str], path: str, windows: bool) -> Binary:
    if not windows or not path.lower().endswith((".cmd", ".bat")):
        return Binary(path, (path,))
    # cmd.exe would cut the arguments at the first line break and read % & | in them as its own.
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise RemError("not-found", f"cannot read {path}: {error.strerror}") from None
    found = _SHIM.search(text)
    target = os.path.join(os.path.dirname(path), *found.group(1).split("\\")) if found else ""
    if not target or not os.path.isfile(target):
        raise RemError("not-found", f"cannot tell what {path} starts; set {SETTING} to claude.exe itself")
    if target.lower().endswith(".exe"):
        return Binary(path, (target,))
    node = _in_folder(os.path.dirname(path), "node", env, windows) or _on_path(env, "node", windows)
    if node is None:
        raise RemError("not-found", f"{path} needs node, which is not on PATH")
    return Binary(path, (node, target))
