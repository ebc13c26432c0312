"""Which AGENTS.md is written: never one outside the project, in .git, or of a second project."""

import os

import pytest

from agentops_dream.store.mirror_place import git_common_dir, locate, owner_conflict, owner_of


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "pro jéct"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def memory(tmp_path):
    folder = tmp_path / "memory"
    folder.mkdir()
    return folder


def find(project, memory, owner_record=None):
    return locate(project, memory_dir=memory, owner_record=owner_record)


def worktree(project, folder):
    """A linked worktree, as git lays it out."""
    private = project / ".git" / "worktrees" / folder.name
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n")
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {private}\n")
    return folder


def test_a_plain_project_would_not_be_mirrored(project, memory):
    target = find(project, memory)
    assert (target.path, target.raw, target.refused, target.other_bytes) == (project / "AGENTS.md", None, "", 0)
    (project / "AGENTS.md").write_bytes(b"\xef\xbb\xbf# A\r\n")
    assert find(project, memory).raw == b"\xef\xbb\xbf# A\r\n"


def test_a_link_would_write_outside_the_project(project, memory, tmp_path):
    (tmp_path / "dotfiles.md").write_text("mine")
    (project / "AGENTS.md").symlink_to(tmp_path / "dotfiles.md")
    target = find(project, memory)
    assert target.raw is None
    assert "leaves the project" in target.refused
    assert str(tmp_path / "dotfiles.md") in target.refused


def test_a_link_within_the_project_would_be_refused(project, memory, tmp_path):
    (project / "CLAUDE.md").write_text("both")
    (project / "AGENTS.md").symlink_to("CLAUDE.md")
    target = find(project, memory)
    assert (target.raw, target.refused, target.real) == (b"both", "", project.resolve() / "CLAUDE.md")
    (tmp_path / "alias").symlink_to(project)
    assert find(tmp_path / "alias", memory).raw == b"both"


@pytest.mark.parametrize("goal", [".git/AGENTS.md", ".git/hooks/post-commit"])
def test_a_link_into_git_would_be_written(project, memory, goal):
    (project / ".git" / "hooks").mkdir()
    (project / goal).write_text("x")
    (project / "AGENTS.md").symlink_to(goal)
    assert "git directory" in find(project, memory).refused


def test_a_git_directory_would_take_the_file(project, memory, tmp_path):
    assert "git directory" in find(project / ".git", memory).refused
    bare = tmp_path / "bare"
    for name in ("objects", "refs"):
        (bare / name).mkdir(parents=True)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    assert "git directory" in find(bare, memory).refused


def test_the_memory_directory_would_get_a_foreign_file(project):
    memory = project / "notes"
    memory.mkdir()
    (memory / "x.md").write_text("entry")
    (project / "AGENTS.md").symlink_to("notes/x.md")
    assert "memory directory" in find(project, memory).refused


def test_what_is_no_file_would_stop_the_dream(project, memory):
    path = project / "AGENTS.md"
    path.symlink_to("nowhere.md")
    assert "does not exist" in find(project, memory).refused
    path.unlink()
    path.symlink_to("AGENTS.md")
    assert "cannot be read" in find(project, memory).refused
    path.unlink()
    os.mkfifo(path)
    assert "not a regular file" in find(project, memory).refused
    path.unlink()
    path.mkdir()
    assert "not a regular file" in find(project, memory).refused
    path.rmdir()
    with open(path, "wb") as file:
        file.truncate(5 * 1024 * 1024)
    assert "left alone" in find(project, memory).refused
    assert "not a directory" in find(project / "gone", memory).refused


def test_codex_would_be_sent_more_than_it_reads(project, memory):
    deep = project / "a" / "b"
    deep.mkdir(parents=True)
    (project / "AGENTS.md").write_bytes(b"x" * 100)
    (project / "a" / "AGENTS.md").write_bytes(b"x" * 20)
    (project / "a" / "AGENTS.override.md").write_bytes(b"x" * 3)
    (deep / "AGENTS.md").write_bytes(b"x" * 7)
    assert find(deep, memory).other_bytes == 103
    assert find(project, memory).other_bytes == 0


def test_nobody_would_learn_that_codex_reads_another_file(project, memory):
    (project / "AGENTS.override.md").write_text("x")
    (note,) = find(project, memory).notes
    assert "AGENTS.override.md" in note


def test_one_projects_entries_would_be_copied_to_another(project, memory, tmp_path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    record = owner_of(project)
    target = find(other, memory, record)
    assert target.raw is None
    assert str(project) in target.refused
    assert find(project, memory, record).refused == ""
    assert owner_conflict(None, other) == ""


def test_worktrees_and_moved_projects_would_be_taken_for_strangers(project, memory, tmp_path):
    linked = worktree(project, tmp_path / "linked")
    assert git_common_dir(linked) == git_common_dir(project) == str((project / ".git").resolve())
    assert owner_conflict(owner_of(project), linked) == ""
    assert owner_conflict(owner_of(linked), project) == ""
    assert find(linked, memory, owner_of(project)).refused == ""
    record = owner_of(project)
    moved = project.rename(tmp_path / "moved")
    assert owner_conflict(record, moved) == ""


def test_two_folders_without_git_would_pass_for_one_repository(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    assert owner_conflict(owner_of(tmp_path / "one"), tmp_path / "two")


def test_a_submodule_would_pass_for_its_superproject(project, tmp_path):
    module = project / ".git" / "modules" / "lib"
    module.mkdir(parents=True)
    (project / "lib").mkdir()
    (project / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert owner_conflict(owner_of(project), project / "lib")


@pytest.mark.parametrize("record", [{}, {"project": 3}, {"project": ""}, {"version": 9}])
def test_a_broken_record_would_stop_the_mirror(project, record):
    assert owner_conflict(record, project) == ""
