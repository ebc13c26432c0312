"""What a client reads of the plugin: a fault here and nothing of it is ever loaded."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import frontmatter
import pytest

from agentops_dream import __version__, building

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("core", "api", "test")


def load(name: str) -> dict:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def pyproject() -> dict:
    try:
        import tomllib
    except ImportError:  # Python 3.10; pytest brings this there
        import tomli as tomllib

    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


# ---------------------------------------------------------------- manifests


def test_the_two_manifests_are_equal_and_complete() -> None:
    """Claude Code reads one, other agents the other; its strict validation wants these fields."""
    manifest = load(".claude-plugin/plugin.json")
    assert (ROOT / "plugin.json").read_bytes() == (ROOT / ".claude-plugin/plugin.json").read_bytes()
    assert manifest["version"] == __version__
    assert manifest["name"] == "agentops-dreaming"
    assert manifest["description"] and manifest["author"]["name"]
    assert not {"hooks", "commands", "skills"} & set(manifest), "found by themselves; naming them draws a complaint"


def test_the_repository_is_its_own_marketplace() -> None:
    market = load(".claude-plugin/marketplace.json")
    (plugin,) = market["plugins"]
    manifest = load("plugin.json")
    assert plugin["source"] == "./"
    assert (plugin["name"], plugin["description"]) == (manifest["name"], manifest["description"])
    assert market["owner"]["name"]


def test_hooks_are_those_of_the_spec_and_never_asynchronous() -> None:
    """Asynchronous hooks are killed when a session without a terminal ends."""
    hooks = load("hooks/hooks.json")["hooks"]
    assert set(hooks) == {"Stop", "SubagentStop", "SessionEnd", "SessionStart"}
    for event, (group,) in hooks.items():
        (hook,) = group["hooks"]
        assert set(hook) == {"type", "command", "timeout"}
        assert hook["command"].startswith("hook=start;" if event == "SessionStart" else "hook=stop;")
        assert "${" not in hook["command"], "replaced as text, it would break at a quote in the folder's name"
        assert hook["command"].endswith("exit 0")


def test_programs_are_executable() -> None:
    tracked = subprocess.run(
        ["git", "ls-files", "-s", "bin", "hooks"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    modes = {line.split("\t")[1]: line.split(" ")[0] for line in tracked.splitlines()}
    assert modes["bin/agentops-dream"] == "100755"


# ---------------------------------------------------------------- command and skill


def test_the_command_hands_everything_typed_over_as_data() -> None:
    """``$ARGUMENTS`` is replaced as text: anywhere else in the shell's part it would be run."""
    post = frontmatter.load(str(ROOT / "commands/dream.md"))
    assert post["name"] == "dream"
    assert post["disable-model-invocation"] is True
    assert post["allowed-tools"] == 'Bash("${CLAUDE_PLUGIN_ROOT}/bin/agentops-dream":*)'
    (shell,) = re.findall(r"^```!\n(.*?)^```$", post.content, re.M | re.S)
    first, *data, last = shell.splitlines()
    assert first == f"\"${{CLAUDE_PLUGIN_ROOT}}/bin/agentops-dream\" --from-chat <<'{last}'"
    assert data == ["${CLAUDE_PROJECT_DIR}", "${CLAUDE_PLUGIN_DATA}", "$ARGUMENTS"]
    assert re.fullmatch(r"AGENTOPS_DREAM_END_[0-9a-f]{16}", last)
    assert post.content.count("$ARGUMENTS") == 1


def test_the_command_offers_verbs_that_exist() -> None:
    from agentops_dream.cli.main import cli

    post = frontmatter.load(str(ROOT / "commands/dream.md"))
    offered = {word for word in re.findall(r"[a-z]+", post["argument-hint"])}
    assert offered - {"audit"} <= set(cli.commands)
    skill = (ROOT / "skills/dreaming/SKILL.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(?:/dream|agentops-dream) ([a-z]+)", skill))
    assert named - {"audit"} <= set(cli.commands)


def test_the_skill_is_found_in_english_and_japanese() -> None:
    post = frontmatter.load(str(ROOT / "skills/dreaming/SKILL.md"))
    assert post["name"] == "dreaming"
    for words in ("consolidate", "audit", "夢を見る", "記憶を整理", "メモリを整理"):
        assert words in post["description"]
    assert len(post["description"]) <= 1024


# ---------------------------------------------------------------- lock files


def requirements(name: str) -> dict[str, list[str]]:
    """Requirement lines by package name, each with its hashes."""
    found: dict[str, list[str]] = {}
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        found.setdefault(re.split(r"[=\s]", line)[0].lower(), []).append(line)
    return found


@pytest.mark.parametrize("name", LOCKS)
def test_every_package_is_pinned_to_one_version_and_its_hashes(name: str) -> None:
    for lines in requirements(name).values():
        for line in lines:
            assert re.match(r"[a-z0-9.-]+==[\w.!+]+ (; [^-]+ )?( *--hash=sha256:[0-9a-f]{64})+ *$", line), line[:200]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_say_nothing_about_where_packages_come_from(name: str) -> None:
    """That is the business of whoever installs; an address in here would overrule their mirror."""
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|@|--index|--extra|--find-links|--trusted|(^|\s)/", text)


@pytest.mark.parametrize(("name", "extras"), [("core", ()), ("api", ("api",)), ("test", ("test",))])
def test_lock_files_hold_what_the_project_declares(name: str, extras: tuple[str, ...]) -> None:
    project = pyproject()["project"]
    wanted = [*project["dependencies"], *(w for extra in extras for w in project["optional-dependencies"][extra])]
    locked = requirements(name)
    for requirement in wanted:
        package = re.split(r"[<>=!~\[; ]", requirement)[0].lower()
        assert package in locked, f"run requirements/lock.sh: {package}"
    for package, lines in requirements("core").items():
        assert [line.split()[0] for line in locked[package]] == [line.split()[0] for line in lines]


def test_only_the_api_backend_needs_the_sdk() -> None:
    assert "anthropic" not in requirements("core")
    assert "anthropic" in requirements("api")


def test_an_environment_counts_as_built_only_if_all_of_it_loads() -> None:
    modules = {"PyYAML": "yaml", "markdown-it-py": "markdown_it"}
    declared = {re.split(r"[<>=!~\[; ]", line)[0] for line in pyproject()["project"]["dependencies"]}
    assert {modules.get(name, name) for name in declared} == set(building.IMPORTS)


# ---------------------------------------------------------------- what runs on Python 3.9

BEFORE_THE_ENVIRONMENT = (
    "building", "chat", "dispatch", "environment", "interpreter", "lean", "notice", "places", "session",
    "settings", "store/fingerprint", "worker",
)  # fmt: skip


def test_what_runs_before_the_environment_needs_nothing_but_python_3_9() -> None:
    """macOS ships 3.9. Syntax is checked by the parser; modules by a start without site-packages."""
    import ast

    for name in BEFORE_THE_ENVIRONMENT:
        source = (ROOT / "agentops_dream" / f"{name}.py").read_text(encoding="utf-8")
        tree = ast.parse(source, feature_version=(3, 9))
        lazy = "from __future__ import annotations" in source
        for node in ast.walk(tree):
            assert not isinstance(node, ast.Match), name
            if not lazy and isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
                unions = [n for n in ast.walk(node.annotation) if isinstance(n, ast.BinOp)]
                assert not unions, f"{name}:{node.lineno}: `X | Y` is evaluated here"
    names = ", ".join("agentops_dream." + name.replace("/", ".") for name in BEFORE_THE_ENVIRONMENT)
    code = f"import sys; sys.path.insert(0, sys.argv[1]); import {names}"
    subprocess.run([sys.executable, "-I", "-S", "-c", code, str(ROOT)], check=True)
