"""Learning works (P-64)."""
import random

import pytest

import parlor
from test_docs import example


def q_learner(games, rng):
    """Tabular Q for the first seat of tic-tac-toe against random."""
    game = parlor.open("tic-tac-toe")
    table = {}

    def values(state):
        key = state.hash()
        if key not in table:
            table[key] = {a: 0.0 for a in state.legal_actions()}
        return table[key]

    for n in range(games):
        state = game.new_initial_state()
        explore = max(0.05, 1 - 1.5 * n / games)
        last = None
        while not state.is_terminal():
            if state.current_player() == 1:
                state.apply_action(rng.choice(state.legal_actions()))
                continue
            known = values(state)
            if last is not None:
                last[0][last[1]] += 0.3 * (max(known.values()) - last[0][last[1]])
            action = rng.choice(list(known)) if rng.random() < explore else max(known, key=known.get)
            last = (known, action)
            state.apply_action(action)
        last[0][last[1]] += 0.3 * (state.returns()[0] - last[0][last[1]])
    return game, table


@pytest.mark.slow
def test_tabular_q_never_loses_to_random_at_tic_tac_toe_p64():
    rng = random.Random(1)
    game, table = q_learner(60_000, rng)
    losses = 0
    for _ in range(2000):
        state = game.new_initial_state()
        while not state.is_terminal():
            legal = state.legal_actions()
            known = table.get(state.hash(), {a: 0.0 for a in legal})
            state.apply_action(max(known, key=known.get) if state.current_player() == 0
                               else rng.choice(legal))
        losses += state.returns()[0] < 0
    assert losses == 0


@pytest.mark.slow
def test_cfr_through_python_matches_the_solver_p64():
    for name, iterations in (("kuhn-poker", 300), ("leduc-poker", 300)):
        value, sets = example("cfr_kuhn").train(name, iterations)
        solved = parlor.solve(name, 1000)
        assert sets == solved["informationSets"]
        assert value == pytest.approx(solved["values"][0], abs=1e-3)


@pytest.mark.slow
def test_a_million_games_leave_memory_as_it_was_p63():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096
    env = parlor.VecEnv("tic-tac-toe", 256)
    env.rollout(1000)
    before, games = resident(), int(env.episode.sum())
    while env.episode.sum() - games < 1_000_000:
        env.rollout(2000, seed=int(env.episode.sum()))
    game = env.game
    for seed in range(20_000):
        state = game.new_initial_state(seed=seed)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
    assert resident() - before < 4 << 20
