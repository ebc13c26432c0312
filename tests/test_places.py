"""A wrong place means dreaming over nothing, or over somebody else's memory.

The expected answers are those of the real client (``memory_paths.auto`` of its init event, 2.1.197 and
2.1.332); ``tests/clients`` asks it again.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from agentops_dream import places, session

OLD, NEW = "claude-code_2-1-197_harness", "claude-code_2-1-332_harness"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def env(home: Path, start: Path | str | None = None, **more: str) -> dict[str, str]:
    return {"HOME": str(home), **({"CLAUDE_PROJECT_DIR": str(start)} if start else {}), **more}


def git(where: Path, *words: str) -> None:
    who = {f"GIT_{role}_{what}": "ada@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    config = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *words],
        cwd=where, check=True, capture_output=True, env={**os.environ, **who, **config},
    )  # fmt: skip


def repository(path: Path, *words: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    git(path, "init", "-q", *words)
    git(path, "commit", "-q", "--allow-empty", "-m", "first")
    return path


def root_of(home: Path, start: Path) -> str:
    """The folder whose slug names the memory."""
    memory, source = places.memory_dir(env(home, start), places.start_dir(env(home, start)))
    assert source == "default"
    for above in (start.resolve(), *start.resolve().parents):
        for folder in (above, *(p for p in above.iterdir() if p.is_dir())):
            if f"{home}/.claude/projects/{places.slug(str(folder))}/memory" == memory:
                return str(folder)
    raise AssertionError(memory)


# ---------------------------------------------------------------- slug and key


@pytest.mark.parametrize(
    ("path", "end"),
    [
        ("/srv/" + "d" * 100 + "/" + "é" * 60 + "/🦊" + "x" * 50, "xx-o1ymdp"),
        ("/srv/" + "a" * 196, "aa-c8xgnb"),
        ("/srv/" + "z" * 80 + "/" + "記" * 80 + "/" + "q" * 60, "qq-b3ziuf"),
    ],
)
def test_long_slugs_end_in_the_hash_that_the_client_computes(path: str, end: str) -> None:
    slug = places.slug(path)
    assert slug.endswith(end)
    assert len(slug) == 207


def test_a_slug_counts_utf16_units() -> None:
    assert places.slug("/srv/🦊 a.b_c") == "-srv----a-b-c"
    assert places.slug("/srv/nfd-e\u0301") == "-srv-nfd-e-"
    assert places.slug("/srv/" + "a" * 195) == "-srv-" + "a" * 195


def test_a_key_is_readable_and_unique_per_real_directory(tmp_path: Path) -> None:
    one = tmp_path / "projects" / "-home-ada-a-b" / "memory"
    other = tmp_path / "elsewhere" / "-home-ada-a-b" / "memory"
    one.mkdir(parents=True)
    other.mkdir(parents=True)
    (tmp_path / "link").symlink_to(one)
    assert places.store_key(str(one)) == places.store_key(str(tmp_path / "link"))
    assert places.store_key(str(one)) != places.store_key(str(other))
    assert places.store_key(str(one)).startswith("home-ada-a-b-")
    for path in ("/", "/記憶", "/a/" + "b" * 300, "/\udcff"):
        key = places.store_key(path)
        assert key.isascii() and "/" not in key and len(key) < 70 and key[0] != "."


# ---------------------------------------------------------------- git


def test_subfolders_belong_to_their_repository(home: Path, tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    (top / "sub" / "x").mkdir(parents=True)
    assert root_of(home, top / "sub" / "x") == str(top)
    assert places.project_root(str(top / "sub" / "x")) == str(top)


def test_a_linked_worktree_shares_the_memory_but_not_the_project(home: Path, tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    git(top, "worktree", "add", "../wt", "-b", "w")
    (tmp_path / "wt" / "in").mkdir()
    assert root_of(home, tmp_path / "wt" / "in") == str(top)
    assert places.project_root(str(tmp_path / "wt" / "in")) == str(tmp_path / "wt")


def test_a_copied_worktree_stands_for_itself(home: Path, tmp_path: Path) -> None:
    """Its repository knows nothing of it, and the client takes it for one of its own."""
    top = repository(tmp_path / "repo")
    git(top, "worktree", "add", "../wt", "-b", "w")
    subprocess.run(["cp", "-r", str(tmp_path / "wt"), str(tmp_path / "copy")], check=True)
    assert root_of(home, tmp_path / "copy") == str(tmp_path / "copy")


def test_a_forged_worktree_stands_for_itself(home: Path, tmp_path: Path) -> None:
    """A checkout must not be able to point its dreams at the memory of another project."""
    top = repository(tmp_path / "repo")
    forged = tmp_path / "forged"
    (forged / "fake").mkdir(parents=True)
    (forged / ".git").write_text("gitdir: fake\n")
    (forged / "fake" / "commondir").write_text(str(top / ".git"))
    (forged / "fake" / "gitdir").write_text(str(forged / ".git"))
    assert root_of(home, forged) == str(forged)


def test_worktrees_of_a_bare_repository(home: Path, tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    git(tmp_path, "clone", "-q", "--bare", "repo", "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "../bwt", "-b", "w")
    assert root_of(home, tmp_path / "bwt") == str(tmp_path / "bare.git")
    assert root_of(home, tmp_path / "bare.git") == str(tmp_path / "bare.git")
    hidden = tmp_path / "proj"
    hidden.mkdir()
    git(tmp_path, "clone", "-q", "--bare", "repo", "proj/.bare")
    (hidden / ".git").write_text("gitdir: ./.bare\n")
    git(hidden, "worktree", "add", "main", "-b", "m")
    assert places.memory_dir(env(home), str(hidden / "main"))[0].endswith(
        places.slug(str(hidden / ".bare")) + "/memory"
    )
    assert root_of(home, hidden) == str(hidden)
    assert places.project_root(str(top)) == str(top)


def test_submodules_and_nested_repositories_stand_for_themselves(home: Path, tmp_path: Path) -> None:
    repository(tmp_path / "lib")
    top = repository(tmp_path / "super")
    git(top, "submodule", "add", str(tmp_path / "lib"), "lib")
    nested = repository(top / "nested")
    (nested / "in").mkdir()
    assert root_of(home, top / "lib") == str(top / "lib")
    assert root_of(home, nested / "in") == str(nested)


@pytest.mark.parametrize("what", ["empty folder", "separate", "nonsense", "link"])
def test_odd_git_folders_still_mark_the_root(home: Path, tmp_path: Path, what: str) -> None:
    top = tmp_path / "odd"
    (top / "in").mkdir(parents=True)
    if what == "empty folder":
        (top / ".git").mkdir()
    elif what == "separate":
        git(top, "init", "-q", "--separate-git-dir", str(tmp_path / "sep.git"))
    elif what == "nonsense":
        (top / ".git").write_text("nonsense\n")
    else:
        (top / ".git").symlink_to(repository(tmp_path / "repo") / ".git")
    assert root_of(home, top / "in") == str(top)


def test_git_variables_of_a_shell_change_nothing(home: Path, tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    other = repository(tmp_path / "other")
    found = places.resolve(env(home, top, GIT_DIR=str(other / ".git"), GIT_WORK_TREE=str(other)))
    assert found.project == str(top)
    assert places.slug(str(top)) in found.memory


def test_a_start_directory_reached_by_a_link_is_the_real_one(home: Path, tmp_path: Path) -> None:
    top = repository(tmp_path / "repo")
    (top / "sub").mkdir()
    (tmp_path / "link").symlink_to(top / "sub")
    found = places.resolve(env(home, tmp_path / "link"))
    assert (found.start, found.project) == (str(top / "sub"), str(top))


def test_the_session_s_start_counts_and_not_where_the_model_went(home: Path, tmp_path: Path) -> None:
    (tmp_path / "start").mkdir()
    (tmp_path / "elsewhere").mkdir()
    assert places.start_dir(env(home, tmp_path / "start"), str(tmp_path / "elsewhere")) == str(tmp_path / "start")
    assert places.start_dir(env(home), str(tmp_path / "elsewhere")) == str(tmp_path / "elsewhere")
    assert places.start_dir(env(home, str(tmp_path / "start") + "/../start/"), "") == str(tmp_path / "start")


# ---------------------------------------------------------------- overrides


def memory(home: Path, start: Path, **more: str) -> str | None:
    """What the client would answer, ``None`` if auto memory is off."""
    found = places.resolve(env(home, start, **more))
    return None if found.off else found.memory


def settings(folder: Path, name: str = "settings.json", **values: object) -> None:
    (folder / ".claude").mkdir(parents=True, exist_ok=True)
    (folder / ".claude" / name).write_text(json.dumps(values))


@pytest.fixture
def start(tmp_path: Path) -> Path:
    return repository(tmp_path / "repo")


def default(home: Path, start: Path) -> str:
    return f"{home}/.claude/projects/{places.slug(str(start))}/memory"


def test_the_config_directory_moves_everything(home: Path, start: Path, tmp_path: Path) -> None:
    found = places.resolve(env(home, start, CLAUDE_CONFIG_DIR=f"{tmp_path}/x/../cfg dir//y/"))
    assert found.config == f"{tmp_path}/cfg dir/y"
    assert found.memory == f"{tmp_path}/cfg dir/y/projects/{places.slug(str(start))}/memory"
    assert found.state_root == f"{tmp_path}/cfg dir/y/agentops"
    assert found.state == f"{found.state_root}/state/{found.key}"
    assert found.staging == f"{found.state_root}/staging/{found.key}"
    assert found.log == f"{found.state_root}/dream.log"
    assert places.config_dir(env(home, start, CLAUDE_CONFIG_DIR="rel")) == f"{start}/rel"
    assert places.config_dir(env(home, start, CLAUDE_CONFIG_DIR="~/c")) == f"{start}/~/c"
    assert places.config_dir(env(home, CLAUDE_CONFIG_DIR="/cfge\u0301")) == "/cfg\u00e9"
    assert places.config_dir(env(home)) == f"{home}/.claude"


def test_a_missing_home_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HOME", raising=False)
    assert places.home({}) == os.path.expanduser("~")
    assert places.home({"HOME": ""}) == os.path.expanduser("~")


def test_our_own_variable_comes_first(home: Path, start: Path, tmp_path: Path) -> None:
    settings(home, autoMemoryDirectory="/m/user", autoMemoryEnabled=False)
    assert memory(home, start, AGENTOPS_DREAM_MEMORY_DIR=f"{tmp_path}/mine/") == f"{tmp_path}/mine"
    assert memory(home, start, AGENTOPS_DREAM_MEMORY_DIR="~/mine") == f"{home}/mine"
    assert memory(home, start, AGENTOPS_DREAM_MEMORY_DIR="notes") == f"{start}/notes"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("/m/mem/", "/m/mem"), ("~/um/", "{home}/um"), ("~/a/../b", "{home}/b"), ("//srv/x", "/srv/x"),
        ("/m/q/../r//m", "/m/r/m"), ("/m/e\u0301", "/m/\u00e9"),
        ("~", None), ("~/", None), ("~/../x", None), ("rel/mem", None), ("/", None), ("/a", None), ("", None),
        (5, None), ("/m/\0", None),
    ],
)  # fmt: skip
def test_a_memory_directory_setting_counts_as_the_client_counts_it(
    home: Path, start: Path, given: object, expected: str | None
) -> None:
    settings(home, autoMemoryDirectory=given)
    wanted = default(home, start) if expected is None else expected.format(home=home)
    assert memory(home, start) == wanted


def test_local_settings_beat_the_project_s_and_those_the_user_s(home: Path, start: Path) -> None:
    settings(home, autoMemoryDirectory="/m/user")
    assert memory(home, start) == "/m/user"
    settings(start, autoMemoryDirectory="/m/project")
    assert memory(home, start) == "/m/project"
    settings(start, "settings.local.json", autoMemoryDirectory="/m/local")
    assert memory(home, start) == "/m/local"
    settings(start, "settings.local.json", autoMemoryDirectory="not absolute")
    assert memory(home, start) == default(home, start), "the first that is set counts, even if it is no good"


def test_broken_settings_are_passed_over(home: Path, start: Path) -> None:
    settings(home, autoMemoryDirectory="/m/user")
    (start / ".claude").mkdir()
    for text in ("{", "[]", '"autoMemoryDirectory"', "", "\0", '{"autoMemoryDirectory": ["x"]}'):
        (start / ".claude" / "settings.json").write_text(text)
        assert memory(home, start) == "/m/user"
    (start / ".claude" / "settings.json").write_bytes(b'\xef\xbb\xbf{"autoMemoryDirectory": "/m/bom"}')
    assert memory(home, start) == "/m/bom"


def test_where_local_settings_of_a_subfolder_session_lie_depends_on_the_client(home: Path, start: Path) -> None:
    sub = start / "in"
    sub.mkdir()
    settings(start, "settings.local.json", autoMemoryDirectory="/m/root")
    settings(start, autoMemoryDirectory="/m/project")
    assert memory(home, sub, AI_AGENT=OLD) == default(home, start)
    assert memory(home, sub, AI_AGENT=NEW) == "/m/root"
    settings(sub, "settings.local.json", autoMemoryDirectory="/m/in")
    assert memory(home, sub, AI_AGENT=OLD) == "/m/in"
    assert memory(home, sub, AI_AGENT=NEW) == "/m/root"
    assert memory(home, sub) == "/m/root", "no client known: taken as a new one"
    assert memory(home, sub, AI_AGENT="claude-code_x-y_z") == "/m/root"


def test_local_settings_in_a_worktree(home: Path, start: Path, tmp_path: Path) -> None:
    git(start, "worktree", "add", "../wt", "-b", "w")
    settings(tmp_path / "wt", "settings.local.json", autoMemoryDirectory="/m/wt")
    assert memory(home, tmp_path / "wt", AI_AGENT=NEW) == "/m/wt"
    settings(start, "settings.local.json", autoMemoryDirectory="/m/root")
    assert memory(home, tmp_path / "wt", AI_AGENT=NEW) == "/m/root"
    assert memory(home, tmp_path / "wt", AI_AGENT=OLD) == "/m/wt"
    git(tmp_path, "clone", "-q", "--bare", "repo", "bare.git")
    git(tmp_path / "bare.git", "worktree", "add", "../bwt", "-b", "b")
    settings(tmp_path / "bare.git", "settings.local.json", autoMemoryDirectory="/m/bare")
    assert memory(home, tmp_path / "bwt", AI_AGENT=NEW) == default(home, tmp_path / "bare.git")


def test_other_overrides(home: Path, start: Path, tmp_path: Path) -> None:
    remote = {"CLAUDE_CODE_REMOTE_MEMORY_DIR": f"{tmp_path}/rem/"}
    assert memory(home, start, **remote) == f"{tmp_path}/rem/projects/{places.slug(str(start))}/memory"
    assert memory(home, start, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE=f"{tmp_path}/cow/") == f"{tmp_path}/cow"
    assert memory(home, start, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE="cow") == default(home, start)
    assert memory(home, start, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE="~/cow") == default(home, start)
    settings(home, autoMemoryDirectory="/m/user")
    assert memory(home, start, **remote) == "/m/user"
    assert memory(home, start, CLAUDE_COWORK_MEMORY_PATH_OVERRIDE="/m/cow") == "/m/cow"


def test_a_named_project_folder_of_newer_clients(home: Path, start: Path, tmp_path: Path) -> None:
    named = {"CLAUDE_CODE_PROJECT_DIR_NAME": "my-name", "CLAUDE_CONFIG_DIR": f"{tmp_path}/cfg"}
    assert memory(home, start, AI_AGENT=NEW, **named) == f"{tmp_path}/cfg/projects/my-name/memory"
    slug = places.slug(str(start))
    assert memory(home, start, AI_AGENT=OLD, **named) == f"{tmp_path}/cfg/projects/{slug}/memory"
    named["CLAUDE_CODE_PROJECT_DIR_NAME"] = "../../x"
    assert memory(home, start, AI_AGENT=NEW, **named) == f"{tmp_path}/cfg/projects/{slug}/memory"
    assert memory(home, start, AI_AGENT=NEW, CLAUDE_CODE_PROJECT_DIR_NAME="my-name") == default(home, start)


def test_auto_memory_switched_off(home: Path, start: Path) -> None:
    off = "CLAUDE_CODE_DISABLE_AUTO_MEMORY"
    assert memory(home, start, **{off: "1"}) is None
    assert memory(home, start, **{off: "True"}) is None
    assert memory(home, start, CLAUDE_CODE_SIMPLE="1") is None
    assert memory(home, start, CLAUDE_CODE_REMOTE="1") is None
    assert memory(home, start, CLAUDE_CODE_REMOTE="1", CLAUDE_CODE_REMOTE_MEMORY_DIR="/r") is not None
    settings(home, autoMemoryEnabled=False)
    assert memory(home, start) is None
    assert memory(home, start, **{off: "no"}) == default(home, start), "said no to off"
    settings(start, "settings.local.json", autoMemoryEnabled=True)
    assert memory(home, start) == default(home, start)
    settings(start, "settings.local.json", autoMemoryEnabled="false")
    assert memory(home, start) is None, "a string is no answer"
    assert places.auto_memory_off(env(home), str(start))


# ---------------------------------------------------------------- a shell


def test_a_shell_sees_what_the_user_s_settings_tell_a_session(home: Path, start: Path) -> None:
    """Else a user who set audit mode in the settings would have memory edited from a shell."""
    settings(home, env={"AGENTOPS_DREAM_PROMOTE": "audit", "AGENTOPS_DREAM_MAX_PER_DAY": 3, "PATH": "/evil"})
    settings(start, env={"AGENTOPS_DREAM_CLAUDE_BIN": "./evil"})
    seen = session.as_in_a_session(env(home, start, PATH="/bin"))
    assert (seen["AGENTOPS_DREAM_PROMOTE"], seen["AGENTOPS_DREAM_MAX_PER_DAY"]) == ("audit", "3")
    assert seen["PATH"] == "/bin"
    assert "AGENTOPS_DREAM_CLAUDE_BIN" not in seen, "a checkout must not name programs to run"
    assert session.as_in_a_session(env(home, start, AGENTOPS_DREAM_PROMOTE="apply"))["AGENTOPS_DREAM_PROMOTE"] == "apply"
    for text in ("{", "[]", '{"env": 3}'):
        (home / ".claude" / "settings.json").write_text(text)
        assert session.as_in_a_session(env(home)) == env(home)


# ---------------------------------------------------------------- relative places


@pytest.mark.parametrize(
    ("given", "config"),
    [
        ({"HOME": "rel"}, "rel/.claude"),
        ({"HOME": "rel", "CLAUDE_PROJECT_DIR": "sub"}, "sub/rel/.claude"),
        ({"HOME": "/home/ada", "CLAUDE_CONFIG_DIR": "~/cfg"}, "~/cfg"),
        ({"HOME": "/home/ada", "CLAUDE_CONFIG_DIR": "cfg", "CLAUDE_PROJECT_DIR": "sub"}, "sub/cfg"),
        ({"HOME": "rel", "CLAUDE_CODE_REMOTE_MEMORY_DIR": "far"}, "rel/.claude"),
    ],
)
def test_every_place_is_absolute_whatever_the_environment_says(
    given: dict[str, str], config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative one is another folder for everybody who has another working directory."""
    monkeypatch.chdir(tmp_path)
    found = places.resolve(given, str(tmp_path))
    assert found.config == str(tmp_path / config)
    for name in places.Places.__slots__:
        value = getattr(found, name)
        assert name in ("key", "memory_source", "off") or value.startswith("/"), name
