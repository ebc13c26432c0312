"""Our own small files are old or new, never half, whatever the disk does."""

from __future__ import annotations

import os
import stat

import pytest

from agentops_dream.journal import files


def test_written_whole_private_and_read_back(tmp_path):
    path = tmp_path / "a" / "b" / "x.json"
    files.write_json(path, {"name": "日本\udcff", "n": [1, None]})
    assert files.read_object(path) == {"name": "日本\udcff", "n": [1, None]}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["x.json"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[1]", b"\xff", b"\0" * 100, b"[" * 100_000])
def test_a_broken_file_reads_as_nothing(tmp_path, raw):
    (tmp_path / "x.json").write_bytes(raw)
    assert files.read_object(tmp_path / "x.json") == {}
    assert files.read_object(tmp_path / "missing.json") == {} and files.read_object(tmp_path) == {}


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_failing_disk_leaves_the_old_file_and_no_other(tmp_path, monkeypatch, call):
    path = tmp_path / "x.json"
    files.write_json(path, {"old": 1})

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(OSError, match="No space"):
        files.write_json(path, {"new": 1})
    monkeypatch.undo()
    assert files.read_object(path) == {"old": 1} and os.listdir(tmp_path) == ["x.json"]


def refusing(times):
    plain = os.replace
    left = [times]

    def replace(old, new):
        if left[0]:
            left[0] -= 1
            error = PermissionError(13, "Access is denied")
            error.winerror = 5
            raise error
        plain(old, new)

    return replace


def test_three_refusals_of_windows_are_waited_out(tmp_path, monkeypatch):
    monkeypatch.setattr(files.time, "sleep", lambda _: None)
    monkeypatch.setattr(os, "replace", refusing(3))
    files.write_json(tmp_path / "x.json", {"a": 1})
    assert files.read_object(tmp_path / "x.json") == {"a": 1}


def test_a_lasting_refusal_surfaces(tmp_path, monkeypatch):
    files.write_json(tmp_path / "x.json", {"old": 1})
    monkeypatch.setattr(files.time, "sleep", lambda _: None)
    monkeypatch.setattr(os, "replace", refusing(999))
    with pytest.raises(PermissionError):
        files.write_json(tmp_path / "x.json", {"new": 1})
    assert files.read_object(tmp_path / "x.json") == {"old": 1} and os.listdir(tmp_path) == ["x.json"]
