"""Rules as compiled code play the same (V-12, V-13)."""
import warnings

import pytest

import parlor


def playthrough(game, seed):
    state = game.new_initial_state(seed=seed)
    told = []
    while not state.is_terminal() and len(told) < 200:
        actions = state.legal_actions()
        told.append((tuple(actions), str(state)))
        state.apply_action(actions[(seed + len(told)) % len(actions)])
    return told, state.returns()


def test_native_games_play_the_same(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    plain = parlor.open("tic-tac-toe")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        native = parlor.open("tic-tac-toe", native=True)
    for seed in range(5):
        assert playthrough(plain, seed) == playthrough(native, seed)


def test_a_missing_compiler_is_a_warning(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PARLOR_CXX", "/no/such/compiler")
    with pytest.warns(RuntimeWarning, match="the interpreter plays"):
        game = parlor.open("tic-tac-toe", native=True)
    assert playthrough(game, 1)
