"""The launcher finds a Python wherever one hides, and says nothing whatever it finds (SPEC §5, §17)."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hook_wall import PYTHON, ROOT, Wall

STUB = 'echo "Python was not found; run without arguments to install from the Store"; echo more >&2; exit 49'


@pytest.fixture
def wall(tmp_path: Path) -> Wall:
    """A wall at which a dream is due, no interpreter is remembered, and PATH holds what a test puts there."""
    wall = Wall(tmp_path)
    (wall.home / ".claude" / "agentops" / "python").unlink()
    wall.entry()
    (tmp_path / "bin").mkdir()
    wall.env["PATH"] = str(tmp_path / "bin")
    return wall


def program(wall: Wall, name: str, script: str, folder: str = "bin") -> Path:
    path = wall.folder / folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def only_here(wall: Wall) -> Wall:
    """Let the launcher look nowhere but in PATH: this machine's own interpreters are elsewhere."""
    finder = wall.plugin / "hooks" / "find-python.sh"
    text = finder.read_text()
    start, end = text.index(' "${HOME-}/.local/bin"'), text.index("; do\n", text.index(' "${HOME-}/.local/bin"'))
    finder.write_text(text[:start] + text[end:])
    return wall


def shell_tools(wall: Wall) -> None:
    for tool in ("mkdir", "date"):
        (wall.folder / "bin" / tool).symlink_to(shutil.which(tool) or "")


# ---------------------------------------------------------------- finding one


@pytest.mark.parametrize("event", ["Stop", "SubagentStop", "SessionEnd"])
def test_the_exact_command_works_in_a_folder_with_quotes_spaces_and_signs(wall: Wall, event: str) -> None:
    program(wall, "python3", f'exec "{PYTHON}" "$@"')
    wall.quiet(event)
    assert wall.started()["root"] == str(wall.plugin)


@pytest.mark.parametrize("shell", ["dash", "bash"])
def test_any_shell_will_do(wall: Wall, shell: str) -> None:
    program(wall, "python3", f'exec "{PYTHON}" "$@"')
    path = shutil.which(shell)
    assert path
    wall.quiet(shell=path)
    wall.started()


def test_a_store_stub_is_passed_over(wall: Wall) -> None:
    """Windows has a python3 that prints an advertisement and exits with 49."""
    only_here(wall)
    program(wall, "python3", STUB)
    program(wall, "python", f'exec "{PYTHON}" "$@"')
    wall.quiet()
    wall.started()


def test_a_second_folder_of_the_path_counts_too(wall: Wall) -> None:
    only_here(wall)
    program(wall, "python3", STUB)
    program(wall, "python3", f'exec "{PYTHON}" "$@"', "more bin")
    wall.env["PATH"] += f":{wall.folder}/more bin"
    wall.quiet()
    wall.started()


def test_an_interpreter_that_cannot_open_the_plugin_s_files_is_passed_over(wall: Wall) -> None:
    """A Python from the Windows store runs, but does not see the files of other programs."""
    only_here(wall)
    blind = f'for word; do case $word in "{wall.plugin}"*) echo "[Errno 2]" >&2; exit 2;; esac; done'
    program(wall, "python3", f'{blind}; exec "{PYTHON}" "$@"')
    program(wall, "python", f'exec "{PYTHON}" "$@"')
    wall.quiet()
    wall.started()


def test_an_old_python_is_passed_over(wall: Wall) -> None:
    only_here(wall)
    program(wall, "python3", f"""exec "{PYTHON}" -c 'import sys; sys.version_info = (3, 8, 0); exec(sys.argv[1])' x""")
    program(wall, "python2", "exit 2")
    program(wall, "python", f'exec "{PYTHON}" "$@"')
    wall.quiet()
    wall.started()


def test_the_windows_launcher_is_the_last_resort(wall: Wall) -> None:
    only_here(wall)
    program(wall, "py", f'[ "$1" = -3 ] || exit 3; shift; exec "{PYTHON}" "$@"')
    wall.quiet()
    wall.started()


def test_a_bare_path_is_enough(wall: Wall) -> None:
    wall.env["PATH"] = "/usr/bin:/bin"
    wall.quiet()
    wall.started()


# ---------------------------------------------------------------- none


def test_no_python_at_all_is_said_once_in_the_log(wall: Wall) -> None:
    only_here(wall)
    shell_tools(wall)
    program(wall, "python3", STUB)
    for event in ("Stop", "Stop", "SessionStart"):
        wall.quiet(event)
    (line,) = wall.log().splitlines()
    assert "no Python 3.9" in line
    program(wall, "python", f'exec "{PYTHON}" "$@"')
    wall.quiet("SessionStart")
    assert not (wall.home / ".claude" / "agentops" / "no-python").exists(), "so that it is said again"


def test_no_python_and_no_place_to_say_so(wall: Wall) -> None:
    only_here(wall)
    shell_tools(wall)
    wall.quiet(env={"HOME": "/dev/null"})


# ---------------------------------------------------------------- remembering


def shim(wall: Wall) -> Path:
    """A version manager's python3: slow, and it counts."""
    return program(wall, "python3", f'echo x >>"{wall.folder}/count"; exec "{PYTHON}" "$@"')


def count(wall: Wall) -> int:
    path = wall.folder / "count"
    return len(path.read_text().splitlines()) if path.exists() else 0


def test_the_interpreter_behind_a_shim_is_remembered_at_session_start(wall: Wall) -> None:
    shim(wall)
    wall.quiet("SessionStart")
    remembered = (wall.home / ".claude" / "agentops" / "python").read_text()
    assert os.path.realpath(remembered.strip()) == os.path.realpath(PYTHON)
    assert count(wall) == 1
    wall.quiet()
    wall.started()
    assert count(wall) == 1


@pytest.mark.parametrize("how", ["gone", "not executable", "a folder", "broken", "a stub", "empty", "slashless"])
def test_a_remembered_interpreter_that_no_longer_works_is_replaced(wall: Wall, how: str) -> None:
    shim(wall)
    old = program(wall, "old", "exit 0" if how == "not executable" else STUB if how == "a stub" else "exit 127")
    if how == "gone":
        old.unlink()
    elif how == "not executable":
        old.chmod(0o644)
    elif how == "a folder":
        old = wall.folder / "bin"
    wall.remember({"empty": "", "slashless": "python3"}.get(how, str(old)))
    wall.quiet()
    wall.started()
    assert count(wall) == 1
    wall.quiet("SessionStart")
    wall.quiet()
    wall.started()
    assert count(wall) == 2, "remembered again"


# ---------------------------------------------------------------- byte code


def test_byte_code_is_kept_beside_the_plugin(wall: Wall) -> None:
    program(wall, "python3", f'exec "{PYTHON}" "$@"')
    wall.quiet()
    wall.started()
    assert list((wall.plugin / "agentops_dream" / "__pycache__").glob("dispatch.*.pyc"))


def test_a_plugin_that_cannot_be_written_keeps_byte_code_in_the_data_folder(wall: Wall) -> None:
    """Else every hook would compile everything anew."""
    shutil.rmtree(wall.plugin / "agentops_dream" / "__pycache__", ignore_errors=True)
    # root may write everywhere, so the launcher's own question is answered here
    launcher = wall.plugin / "hooks" / "launch.sh"
    text = launcher.read_text()
    assert '[ -w "$root/agentops_dream" ]' in text
    launcher.write_text(text.replace('[ -w "$root/agentops_dream" ]', "false"))
    program(wall, "python3", f'exec "{PYTHON}" "$@"')
    wall.quiet()
    wall.started()
    assert list((wall.folder / "data" / "pycache").rglob("dispatch.*.pyc"))
    assert not (wall.plugin / "agentops_dream" / "__pycache__").exists()


# ---------------------------------------------------------------- the command line's launcher


def command_line(wall: Wall, *words: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    shutil.copytree(ROOT / "bin", wall.plugin / "bin", dirs_exist_ok=True)
    (wall.plugin / "agentops_dream" / "worker.py").write_text(
        "import json, sys\ndef shell(root):\n    print(json.dumps([root, sys.argv[2:], sys.stdin.read()]))\n    sys.exit(2)\n"
    )
    return subprocess.run(
        [str(wall.plugin / "bin" / "agentops-dream"), *words], env=wall.env, input=stdin, capture_output=True
    )


def test_the_command_line_keeps_words_input_and_exit_code(wall: Wall) -> None:
    wall.env["PATH"] += ":/usr/bin:/bin"
    program(wall, "python3", STUB)
    words = ["show", "a b", "", "it's", '"q"', "$(x)", "-h"]
    done = command_line(wall, *words, stdin=b"typed")
    assert json.loads(done.stdout) == [str(wall.plugin), words, "typed"]
    assert done.returncode == 2


def test_the_command_line_may_be_linked_to(wall: Wall) -> None:
    wall.env["PATH"] += ":/usr/bin:/bin"
    command_line(wall)
    (wall.folder / "bin" / "one").symlink_to(wall.plugin / "bin" / "agentops-dream")
    (wall.folder / "bin" / "dream").symlink_to("one")
    done = subprocess.run(["/bin/sh", "-c", "dream x"], env=wall.env, input=b"", capture_output=True)
    assert json.loads(done.stdout) == [str(wall.plugin), ["x"], ""]


def test_the_command_line_says_what_is_missing(wall: Wall) -> None:
    only_here(wall)
    done = command_line(wall, "status")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"no Python 3.9" in done.stderr
    chat = command_line(wall, "--from-chat")
    assert (chat.returncode, chat.stderr) == (0, b""), "a chat shows nothing of a command that failed"
    assert b"no Python 3.9" in chat.stdout
