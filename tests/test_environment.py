"""The private environment builds itself once, whole or not at all, and says once if it cannot (SPEC §17)."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from agentops_dream import building, environment
from agentops_dream.environment import Unavailable, ensure

NOW = 1_700_000_000.0

UV = """#!/bin/sh
printf '%s\\n' "$*" >>"$CALLS"
env | grep '^PIP_' >>"$CALLS.env"
[ -z "$FAIL" ] || { echo "error: Failed to fetch from https://ada:secret@mirror.example/simple"; exit 2; }
[ "$1" = venv ] || exit 0
for last; do :; done
mkdir -p "$last/bin"
printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$REAL" >"$last/bin/python"
chmod +x "$last/bin/python"
"""


NAMES = building.IMPORTS


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A user with uv on the PATH. It is a stand-in: its environments run the interpreter of the tests."""
    monkeypatch.setattr(building, "IMPORTS", ("json",))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(UV)
    (tmp_path / "bin" / "uv").chmod(0o755)
    return {
        "HOME": str(tmp_path / "home"),
        "PATH": f"{tmp_path}/bin:/usr/bin:/bin",
        "CLAUDE_CONFIG_DIR": str(tmp_path / "config"),
        "CLAUDE_PLUGIN_DATA": str(tmp_path / "data folder"),
        "CALLS": str(tmp_path / "calls"),
        "REAL": sys.executable,
    }


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / "plugin" / "requirements").mkdir(parents=True)
    (tmp_path / "config").mkdir()
    lock(tmp_path / "plugin", "thing==1 --hash=sha256:00\n")
    return str(tmp_path / "plugin")


def lock(plugin: Path | str, text: str, name: str = "core.txt") -> None:
    (Path(plugin) / "requirements" / name).write_text(text)


def calls(env: dict[str, str]) -> list[str]:
    path = Path(env["CALLS"])
    return path.read_text().splitlines() if path.exists() else []


def folders(env: dict[str, str]) -> list[str]:
    return sorted(path.name for path in environment.folder(env).iterdir() if path.is_dir())


def no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave uv as the only way, so that a failure of it is a failure."""
    monkeypatch.setattr(building, "_interpreters", lambda env, path: iter(()))


# ---------------------------------------------------------------- building


def test_it_is_built_once_with_uv_and_only_from_hashes(env: dict[str, str], root: str) -> None:
    said: list[str] = []
    python = ensure(env, root, say=said.append)
    assert subprocess.run([python, "-c", "pass"]).returncode == 0
    assert Path(python).parent.parent.parent == environment.folder(env)
    venv, install = calls(env)
    assert "--no-project" in venv
    assert "--require-hashes --no-deps" in install
    assert install.endswith(f"-r {root}/requirements/core.txt")
    assert len(said) == 1
    assert ensure(env, root, say=said.append) == python
    assert len(calls(env)) == 2
    assert len(said) == 1
    (name,) = folders(env)
    assert f"-py3.{sys.version_info.minor}-" in name
    assert environment.last_try(env)["ok"] is True


def test_the_user_s_own_configuration_is_kept_but_nothing_that_leads_elsewhere(
    env: dict[str, str], root: str
) -> None:
    ensure({**env, "PIP_INDEX_URL": "https://mirror.example/simple", "PIP_USER": "1", "PIP_TARGET": "/x"}, root)
    seen = Path(env["CALLS"] + ".env").read_text()
    assert "PIP_INDEX_URL=https://mirror.example/simple" in seen
    assert "PIP_USER" not in seen
    assert "PIP_TARGET" not in seen


def test_pip_builds_it_where_uv_is_missing_or_fails(
    env: dict[str, str], root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real venv and a real pip, over packages made here and found by the user's own pip settings."""
    monkeypatch.setattr(building, "IMPORTS", NAMES)
    lock(root, "".join(wheel(tmp_path / "wheels", name) for name in NAMES))
    python = ensure({**env, **local_pip(tmp_path), "FAIL": "1"}, root)
    shown = subprocess.run(
        [python, "-I", "-c", "import rapidfuzz, sys; print(rapidfuzz.made_here, sys.prefix != sys.base_prefix)"],
        capture_output=True,
    )
    assert shown.stdout.split() == [b"yes", b"True"]
    assert len(folders(env)) == 1


@pytest.mark.slow
def test_a_package_of_another_hash_is_refused(env: dict[str, str], root: str, tmp_path: Path) -> None:
    line = wheel(tmp_path / "wheels", "thing")
    lock(root, line[:-10] + "0" * 9 + "\n")
    with pytest.raises(Unavailable, match=r"uv: .*pip: .*(?i:hash)"):
        ensure({**env, **local_pip(tmp_path), "FAIL": "1"}, root)
    assert folders(env) == [], "what could not be built leaves nothing behind"


def local_pip(folder: Path) -> dict[str, str]:
    """A user's own settings for pip, by which packages come from a folder."""
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder / "wheels"), "PIP_CONFIG_FILE": os.devnull}


def wheel(folder: Path, name: str) -> str:
    """Make a package that holds nothing but a sign of itself; return its line for a lock file."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-1-py3-none-any.whl"
    files = {
        f"{name}.py": "made_here = 'yes'\n",
        f"{name}-1.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n",
        f"{name}-1.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for file, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{file},sha256={digest},{len(text)}\n"
    files[f"{name}-1.dist-info/RECORD"] = record + f"{name}-1.dist-info/RECORD,,\n"
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return f"{name}==1 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def test_an_environment_that_does_not_import_is_no_environment(
    env: dict[str, str], root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel for another C library installs well and then does not load."""
    no_pip(monkeypatch)
    monkeypatch.setattr(building, "IMPORTS", ("no_such_module",))
    with pytest.raises(Unavailable, match="no_such_module"):
        ensure(env, root)
    assert folders(env) == []


# ---------------------------------------------------------------- updates


def test_an_update_builds_beside_and_leaves_the_one_in_use_alone(env: dict[str, str], root: str) -> None:
    old = ensure(env, root)
    lock(root, "thing==2 --hash=sha256:00\n")
    new = ensure(env, root)
    assert new != old
    assert os.access(old, os.X_OK)
    lock(root, "thing==1 --hash=sha256:00\n")
    assert ensure(env, root) == old


def test_one_unused_for_a_month_is_removed(env: dict[str, str], root: str) -> None:
    old = Path(ensure(env, root)).parent.parent
    os.utime(old / "ready", (NOW, NOW))
    lock(root, "thing==2 --hash=sha256:00\n")
    ensure(env, root, now=lambda: NOW + environment.KEPT - 1)
    assert old.exists()
    lock(root, "thing==3 --hash=sha256:00\n")
    ensure(env, root, now=lambda: NOW + environment.KEPT + 1)
    assert not old.exists()


def test_using_one_keeps_it(env: dict[str, str], root: str) -> None:
    ready = Path(ensure(env, root)).parent.parent / "ready"
    os.utime(ready, (NOW, NOW))
    ensure(env, root)
    assert ready.stat().st_mtime > NOW


@pytest.mark.parametrize("how", ["interpreter gone", "forgotten", "half removed"])
def test_a_broken_one_is_built_anew(env: dict[str, str], root: str, how: str) -> None:
    python = ensure(env, root)
    if how == "interpreter gone":
        Path(python).unlink()
    elif how == "forgotten":
        environment.forget(python)
    else:
        shutil.rmtree(Path(python).parent)
    assert ensure(env, root) == python
    assert len(calls(env)) == 4
    assert len(folders(env)) == 1


def test_what_a_killed_builder_left_is_cleared_away(env: dict[str, str], root: str) -> None:
    left = environment.folder(env) / "building-99999999"
    left.mkdir(parents=True)
    (left / "half").write_text("")
    ensure(env, root)
    assert len(folders(env)) == 1


def test_two_workers_build_one(env: dict[str, str], root: str) -> None:
    base = environment.folder(env)
    base.mkdir(parents=True)
    holder = subprocess.Popen(
        [sys.executable, "-c", "import fcntl, sys\nf = open(sys.argv[1], 'a')\nfcntl.flock(f, fcntl.LOCK_EX)\n"
         "print('held', flush=True)\nsys.stdin.read()", str(base / "building.lock")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout is not None
    holder.stdout.readline()
    with pytest.raises(Unavailable) as caught:
        ensure(env, root)
    assert not caught.value.new, "nothing to tell anybody"
    assert environment.last_try(env) == {}
    said: list[str] = []

    def hear(text: str) -> None:
        said.append(text)
        holder.communicate()  # a person waits until the other is done

    assert ensure(env, root, patient=True, say=hear)
    assert "waiting" in said[0]


# ---------------------------------------------------------------- failing


def test_a_failure_is_told_once_and_tried_again_later_and_later(
    env: dict[str, str], root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_pip(monkeypatch)
    offline = {**env, "FAIL": "1"}
    with pytest.raises(Unavailable, match=r"could not be built.*Failed to fetch.*doctor") as caught:
        ensure(offline, root, now=lambda: NOW)
    assert caught.value.new
    assert "secret" not in str(caught.value), "a mirror's password is nobody's business"
    assert environment.last_try(env)["next_try"] == NOW + 600
    with pytest.raises(Unavailable) as caught:
        ensure(env, root, now=lambda: NOW + 599)
    assert not caught.value.new
    assert len(calls(env)) == 1
    with pytest.raises(Unavailable) as caught:
        ensure(offline, root, now=lambda: NOW + 601)
    assert not caught.value.new, "the same again"
    assert environment.last_try(env)["next_try"] == int(NOW + 601 + 1200)
    assert ensure(env, root, now=lambda: NOW + 1802)
    assert environment.last_try(env)["ok"] is True


def test_waits_grow_to_a_day_and_no_further(env: dict[str, str], root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    no_pip(monkeypatch)
    now = NOW
    for _ in range(12):
        with pytest.raises(Unavailable):
            ensure({**env, "FAIL": "1"}, root, now=lambda moment=now: moment)
        wait = environment.last_try(env)["next_try"] - now
        assert wait <= 86400
        now += wait + 1
    assert wait > 86390


def test_a_person_and_an_update_need_not_wait(env: dict[str, str], root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    no_pip(monkeypatch)
    with pytest.raises(Unavailable):
        ensure({**env, "FAIL": "1"}, root)
    with pytest.raises(Unavailable):
        ensure(env, root)
    assert ensure(env, root, patient=True)
    lock(root, "thing==2 --hash=sha256:00\n")
    with pytest.raises(Unavailable):
        ensure({**env, "FAIL": "1"}, root)
    lock(root, "thing==3 --hash=sha256:00\n")
    assert ensure(env, root)


@pytest.mark.parametrize("text", ["{", "[]", '{"ok": false}', '{"ok": false, "lock": 3, "next_try": "x", "tries": []}'])
def test_a_broken_record_of_the_last_try_is_no_record(env: dict[str, str], root: str, text: str) -> None:
    (Path(env["CLAUDE_CONFIG_DIR"]) / "agentops").mkdir()
    (Path(env["CLAUDE_CONFIG_DIR"]) / "agentops" / "environment.json").write_text(text)
    assert ensure(env, root)


def test_a_data_folder_that_cannot_be_written(env: dict[str, str], root: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable, match="cannot be written"):
        ensure({**env, "CLAUDE_PLUGIN_DATA": str(tmp_path / "file")}, root)


def test_a_plugin_without_its_lock_file(env: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="install the plugin again"):
        ensure(env, str(tmp_path / "nowhere"))


def test_no_python_that_is_new_enough(env: dict[str, str], root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """macOS ships 3.9: enough for the hook, not for the dream."""
    no_pip(monkeypatch)
    os.unlink(Path(env["PATH"].split(":")[0]) / "uv")
    with pytest.raises(Unavailable, match=r"needs Python 3\.10 or newer and found none; install one"):
        ensure(env, root)


def test_an_old_python_gives_way_to_a_newer_one(env: dict[str, str], tmp_path: Path) -> None:
    old = tmp_path / "bin" / "python3"
    old.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c 'import sys; sys.exit(1)'\n")
    new = tmp_path / "bin" / "python3.12"
    new.write_text(f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n")
    for path in (old, new):
        path.chmod(0o755)
    found = [python for python in building._interpreters(env, env["PATH"]) if python.startswith(str(tmp_path))]
    assert found == [str(old), str(new)]
    assert building._version(str(old), env) == ""
    assert building._version(str(new), env) == f"3.{sys.version_info.minor}"


def test_debian_without_venv_is_told_what_to_install(env: dict[str, str], root: str, tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python3"
    python.write_text(
        f"#!/bin/sh\n[ \"$2 $3\" = '-m venv' ] || exec '{sys.executable}' \"$@\"\n"
        "echo 'The virtual environment was not created successfully because ensurepip is not available.'; exit 1\n"
    )
    python.chmod(0o755)
    tools = building.Tools(env, str(python), "3.12", "")
    with pytest.raises(building.Failed, match="apt install python3-venv; or install uv"):
        building.build(tools, Path(root, "requirements", "core.txt"), tmp_path / "aside", "none")


def test_an_interpreter_that_somebody_provides_is_taken(env: dict[str, str], root: str) -> None:
    assert ensure({**env, environment.OWN: "/opt/python"}, root) == "/opt/python"
    assert calls(env) == []


def test_the_record_is_plain_json_for_status_and_doctor(env: dict[str, str], root: str) -> None:
    ensure(env, root)
    record = json.loads((Path(env["CLAUDE_CONFIG_DIR"]) / "agentops" / "environment.json").read_text())
    assert set(record) == {"ok", "folder", "lock", "at"}
