"""Finding ``claude``. Wrong here: no dream although it is installed, or a stranger's program is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentops_dream.rem.binary import Binary, find, search_path
from agentops_dream.rem.errors import RemError


def program(path: Path, text: str = "#!/bin/sh\n") -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path / "home"), "PATH": f"{tmp_path / 'one'}:{tmp_path / 'two'}"}


def missing(env: dict[str, str], setting: str = "", windows: bool = False) -> str:
    with pytest.raises(RemError) as caught:
        find(env, setting, windows=windows)
    assert caught.value.kind == "not-found"
    return caught.value.message


def test_claudex_comes_first_then_claude_each_over_the_whole_path(
    tmp_path: Path, env: dict[str, str]
) -> None:
    claude = program(tmp_path / "one" / "claude")
    assert find(env).argv == (claude,)
    claudex = program(tmp_path / "two" / "claudex")
    assert find(env).path == claudex


@pytest.mark.parametrize(
    "place",
    [
        ".claude/local/claude",
        ".local/bin/claude",
        ".claude/bin/claude",
        ".npm-global/bin/claude",
        ".bun/bin/claude",
        ".volta/bin/claude",
        ".yarn/bin/claude",
        ".local/share/pnpm/claude",
        "Library/pnpm/claude",
        ".asdf/shims/claude",
        ".local/share/mise/shims/claude",
        ".nvm/versions/node/v22.1.0/bin/claude",
        ".local/share/fnm/node-versions/v22.1.0/installation/bin/claude",
    ],
)
def test_a_bare_path_still_finds_what_an_installer_put_at_home(
    tmp_path: Path, env: dict[str, str], place: str
) -> None:
    path = program(tmp_path / "home" / place)
    assert find({**env, "PATH": "/nowhere"}).path == path


def test_the_official_place_comes_before_the_others(tmp_path: Path, env: dict[str, str]) -> None:
    program(tmp_path / "home/.bun/bin/claude")
    path = program(tmp_path / "home/.claude/local/claude")
    assert find(env).path == path
    moved = program(tmp_path / "config/local/claude")
    assert find({**env, "CLAUDE_CONFIG_DIR": str(tmp_path / "config")}).path == moved


def test_the_newest_node_wins(tmp_path: Path, env: dict[str, str]) -> None:
    for version in ("v9.11.2", "v22.1.0", "v18.20.0"):
        program(tmp_path / "home/.nvm/versions/node" / version / "bin/claude")
    assert "v22.1.0" in find(env).path


@pytest.mark.parametrize(
    ("line", "place"), [("prefix=~/tools", "home/tools"), ("prefix = ${HOME}/t", "home/t")]
)
def test_the_prefix_of_npm_is_read(tmp_path: Path, env: dict[str, str], line: str, place: str) -> None:
    path = program(tmp_path / place / "bin/claude")
    (tmp_path / "home/.npmrc").write_text(f"registry=x\n{line}\n")
    assert find(env).path == path


@pytest.mark.parametrize(
    ("variable", "tail"),
    [
        ("NPM_CONFIG_PREFIX", "bin"),
        ("BUN_INSTALL", "bin"),
        ("VOLTA_HOME", "bin"),
        ("PNPM_HOME", "."),
        ("ASDF_DATA_DIR", "shims"),
    ],
)
def test_places_named_by_variables_are_looked_at(
    tmp_path: Path, env: dict[str, str], variable: str, tail: str
) -> None:
    path = program(tmp_path / "own" / tail / "claude")
    found = find({**env, variable: str(tmp_path / "own")})
    assert Path(found.path) == Path(path)


def test_none_is_said_with_a_remedy(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentops_dream.rem.binary._places", lambda *_: iter(()))
    assert "AGENTOPS_DREAM_CLAUDE_BIN" in missing(env)


class TestSetting:
    """What the user set is used or nothing is."""

    def test_a_path_a_home_path_or_a_name(self, tmp_path: Path, env: dict[str, str]) -> None:
        path = program(tmp_path / "home/my claude/run")
        named = program(tmp_path / "two/my-claude")
        assert find(env, path).path == path
        assert find(env, "~/my claude/run").path == path
        assert find(env, "my-claude").path == named

    @pytest.mark.parametrize(
        "setting", ["nope", "/no/such/file", "~/nope", "/tmp", "./one/claude", "one/claude", "a\0b", "/a\0b"]
    )
    def test_unresolvable_means_none_though_another_is_there(
        self, tmp_path: Path, env: dict[str, str], setting: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        program(tmp_path / "one/claude")
        monkeypatch.chdir(tmp_path)
        assert "AGENTOPS_DREAM_CLAUDE_BIN" in missing(env, setting)

    def test_a_file_that_may_not_be_run_is_none(self, tmp_path: Path, env: dict[str, str]) -> None:
        path = program(tmp_path / "plain")
        Path(path).chmod(0o644)
        missing(env, path)


def test_the_working_directory_is_never_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be a repository of strangers that brings its own ``claude``."""
    program(tmp_path / "claude")
    program(tmp_path / "bin/claude")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("agentops_dream.rem.binary._places", lambda *_: iter(()))
    missing({"HOME": str(tmp_path / "home"), "PATH": ":.:bin"})


class TestWindows:
    """``.cmd`` shims are looked through: cmd.exe would cut the arguments at the first line break."""

    NPM = (
        "@ECHO off\r\nGOTO start\r\n:find_dp0\r\nSET dp0=%~dp0\r\nEXIT /b\r\n:start\r\n"
        'IF EXIST "%dp0%\\node.exe" (\r\n  SET "_prog=%dp0%\\node.exe"\r\n)\r\n'
        'endLocal & "%_prog%"  "%dp0%\\node_modules\\@anthropic-ai\\claude-code\\cli.js" %*\r\n'
    )
    EXE = '@ECHO off\r\n"%dp0%\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe"   %*\r\n'

    @pytest.fixture
    def env(self, tmp_path: Path) -> dict[str, str]:
        (tmp_path / "roaming/npm").mkdir(parents=True)
        return {
            "USERPROFILE": str(tmp_path),
            "APPDATA": str(tmp_path / "roaming"),
            "PATH": str(tmp_path / "bin"),
        }

    def test_an_exe_is_found_by_its_ending(self, tmp_path: Path, env: dict[str, str]) -> None:
        exe = program(tmp_path / ".local/bin/claude.exe")
        assert find(env, windows=True) == Binary(exe, (exe,))

    def test_a_shim_of_a_program_starts_the_program(self, tmp_path: Path, env: dict[str, str]) -> None:
        shim = program(tmp_path / "roaming/npm/claude.cmd", self.EXE)
        exe = program(tmp_path / "roaming/npm/node_modules/@anthropic-ai/claude-code/bin/claude.exe")
        assert find(env, windows=True) == Binary(shim, (exe,))

    def test_a_shim_of_a_script_starts_node_with_it(self, tmp_path: Path, env: dict[str, str]) -> None:
        shim = program(tmp_path / "roaming/npm/claude.cmd", self.NPM)
        script = program(tmp_path / "roaming/npm/node_modules/@anthropic-ai/claude-code/cli.js")
        assert "node" in missing(env, windows=True)
        node = program(tmp_path / "bin/node.exe")
        assert find(env, windows=True) == Binary(shim, (node, script))

    def test_a_shim_that_cannot_be_read_through_is_refused(self, tmp_path: Path, env: dict[str, str]) -> None:
        program(tmp_path / "roaming/npm/claude.cmd", "@echo off\r\ncall something %*\r\n")
        assert "claude.exe" in missing(env, windows=True)


def test_a_script_finds_its_node_on_a_bare_path(tmp_path: Path, env: dict[str, str]) -> None:
    """Else every npm install fails with "env: node: No such file or directory"."""
    bare = {**env, "PATH": str(tmp_path / "bare")}
    beside = program(tmp_path / "home/.nvm/versions/node/v22.1.0/bin/claude")
    program(tmp_path / "home/.nvm/versions/node/v22.1.0/bin/node")
    assert search_path(bare, find(bare)).split(":") == [str(tmp_path / "bare"), str(Path(beside).parent)]
    elsewhere = Binary("/opt/x/claude", ("/opt/x/claude",))
    assert search_path(bare, elsewhere).split(":")[-1] == str(Path(beside).parent)
    program(tmp_path / "bare/node")
    assert search_path(bare, elsewhere).split(":") == [str(tmp_path / "bare"), "/opt/x"]
