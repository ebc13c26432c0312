from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def roomy():
    """A folder for thousands of small stores: in memory where the system has such a place."""
    shared = "/dev/shm"
    folder = tempfile.mkdtemp(prefix="dreaming-", dir=shared if os.access(shared, os.W_OK) else None)
    yield Path(folder)
    shutil.rmtree(folder)
