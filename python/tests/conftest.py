import os
import pathlib

import pytest

import parlor

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = parlor.game_names()


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes minutes")


def pytest_generate_tests(metafunc):
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", NAMES)


_opened = {}


@pytest.fixture
def game(name):
    """Each shipped game, opened once."""
    if name not in _opened:
        _opened[name] = parlor.open(name)
    return _opened[name]


@pytest.fixture
def program():
    """The command line."""
    path = os.environ.get("PARLOR", str(ROOT / "build" / "parlor"))
    assert os.path.exists(path), "scripts/build release parlor"
    return path
