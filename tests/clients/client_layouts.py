"""Where a session may be started: layouts of repositories, settings and odd paths.

Each lays out a desk and returns the directory in which the session starts.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from client_desk import Desk

LAYOUTS: dict[str, Callable[[Desk], Path]] = {}


def layout(build: Callable[[Desk], Path]) -> Callable[[Desk], Path]:
    """Enter ``build`` under its name."""
    LAYOUTS[build.__name__] = build
    return build


def repository(desk: Desk, folder: Path | None = None) -> Path:
    folder = folder or desk.project
    folder.mkdir(parents=True, exist_ok=True)
    desk.git("init", "-q", cwd=folder)
    desk.git("commit", "-q", "--allow-empty", "-m", "begin", cwd=folder)
    return folder


@layout
def a_plain_folder(desk: Desk) -> Path:
    return desk.project


@layout
def a_subfolder_of_a_repository(desk: Desk) -> Path:
    folder = repository(desk) / "packages" / "core"
    folder.mkdir(parents=True)
    return folder


@layout
def a_linked_worktree(desk: Desk) -> Path:
    repository(desk)
    desk.git("worktree", "add", "-q", "../side")
    return desk.project.parent / "side"


@layout
def a_worktree_of_a_bare_repository(desk: Desk) -> Path:
    repository(desk)
    desk.git("clone", "-q", "--bare", ".", "../bare.git")
    desk.git("worktree", "add", "-q", "../side", cwd=desk.project.parent / "bare.git")
    return desk.project.parent / "side"


@layout
def a_nested_repository(desk: Desk) -> Path:
    return repository(desk, repository(desk) / "vendor" / "lib")


@layout
def a_submodule(desk: Desk) -> Path:
    other = repository(desk, desk.folder / "other")
    repository(desk)
    desk.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "lib")
    return desk.project / "lib"


@layout
def spaces_dots_underscores_and_japanese(desk: Desk) -> Path:
    return repository(desk, desk.folder / "My Work_v1.2" / "日本語 プロジェクト" / "a_b.c")


@layout
def a_very_long_path(desk: Desk) -> Path:
    return repository(desk, desk.folder / ("long_name" * 12) / ("folder" * 20))


@layout
def a_link_to_a_folder(desk: Desk) -> Path:
    link = desk.folder / "link"
    link.symlink_to(repository(desk), target_is_directory=True)
    return link


@layout
def another_config_directory(desk: Desk) -> Path:
    desk.extra["CLAUDE_CONFIG_DIR"] = str(desk.folder / "my config")
    desk.seed()
    return desk.project


@layout
def a_memory_directory_from_the_users_settings(desk: Desk) -> Path:
    desk.settings(autoMemoryDirectory="~/my memories")
    return desk.project


@layout
def a_memory_directory_from_the_local_settings(desk: Desk) -> Path:
    repository(desk)
    desk.settings(autoMemoryDirectory="~/my memories")
    (desk.project / ".claude").mkdir()
    text = '{"autoMemoryDirectory": "%s"}' % (desk.folder / "elsewhere")
    (desk.project / ".claude" / "settings.local.json").write_text(text)
    return desk.project


@layout
def a_remote_memory_directory(desk: Desk) -> Path:
    desk.extra["CLAUDE_CODE_REMOTE_MEMORY_DIR"] = str(desk.folder / "remote")
    return desk.project


@layout
def an_override(desk: Desk) -> Path:
    desk.extra["CLAUDE_COWORK_MEMORY_PATH_OVERRIDE"] = str(desk.folder / "override")
    return desk.project
