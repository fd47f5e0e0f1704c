"""What the tests share: where the repository, its command line and its Rust answers are."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import configuration, settings

# The same cases everywhere, and nothing written beside the sources.
configuration.set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "hockeystick-hypothesis")
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def command_line() -> str:
    """The command line that was built from the same sources; `./test` says where."""
    path = os.environ.get("HOCKEYSTICK_CLI")
    if path is None:
        pytest.skip("HOCKEYSTICK_CLI does not say where the command line is")
    return path


@pytest.fixture(scope="session")
def rust_answers() -> list[list[str]]:
    """What Rust answers to the questions of testdata/shared; `./test` writes them."""
    path = os.environ.get("HOCKEYSTICK_ANSWERS")
    if path is None:
        pytest.skip("HOCKEYSTICK_ANSWERS does not say where the answers of Rust are")
    return [line.split(" | ") for line in Path(path).read_text().splitlines()]
