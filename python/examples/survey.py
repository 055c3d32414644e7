#!/usr/bin/python3
"""A first look at everything: random games of every shipped game, what a player sees as numbers, a search against
chance, and what Kuhn poker is worth.

usage: survey.py [GAMES]    (so many random games of each; 3)
"""
import random
import sys

import parlor
from cfr_kuhn import train


def playout(game, rng, most=2000):
    """A random game; how many decisions it took, how many actions there were to choose from, and what everybody got
    (None: it was broken off)."""
    state, decisions, width = game.new_initial_state(seed=rng.getrandbits(64)), 0, 0
    while not state.is_terminal() and decisions < most:
        if state.current_player() == -1:  # chance, by its weights
            actions, weights = zip(*state.chance_outcomes())
            state.apply_action(rng.choices(actions, weights)[0])
            continue
        actions = state.legal_actions()
        width += len(actions)
        state.apply_action(rng.choice(actions))
        decisions += 1
    return decisions, width / max(1, decisions), state.returns() if state.is_terminal() else None


def survey(games=3, seed=1):
    """One row for each shipped game."""
    rng = random.Random(seed)
    rows = []
    for name in parlor.game_names():
        game = parlor.open(name)
        played = [playout(game, rng) for _ in range(games)]
        seen = game.new_initial_state(seed=1).observation_tensor(0)
        rows.append({"game": name, "players": game.num_players(), "actions": game.num_distinct_actions(),
                     "numbers": seen.size, "decisions": sum(p[0] for p in played) / games,
                     "options": sum(p[1] for p in played) / games,
                     "ended": sum(p[2] is not None for p in played)})
    return rows


def search_against_chance(name="connect-four", games=10, iterations=200):
    """How many of the games a search wins, beginning every other one."""
    game = parlor.open(name)
    search, dice = parlor.Agent(f"mcts:iters={iterations}", seed=1), random.Random(2)
    won = 0
    for n in range(games):
        state = game.new_initial_state(seed=n)
        while not state.is_terminal():
            mine = state.current_player() == n % 2
            state.apply_action(search.choose(state) if mine else dice.choice(state.legal_actions()))
        won += state.returns()[n % 2] > 0
    return won


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print(f"{'game':<18}{'players':>8}{'actions':>9}{'numbers':>9}{'decisions':>11}{'options':>9}")
    for row in survey(games):
        print("{game:<18}{players:>8}{actions:>9}{numbers:>9}{decisions:>11.1f}{options:>9.1f}".format(**row))
    print(f"a search of 200 iterations won {search_against_chance()} of 10 games of connect four")
    value, sets = train("kuhn-poker", 2000)
    print(f"Kuhn poker: {sets} information sets, worth {value:+.5f} to the first player (-1/18 = {-1 / 18:+.5f})")


if __name__ == "__main__":
    main()
