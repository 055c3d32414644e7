#!/usr/bin/python3
"""How fast the Python package plays (P-36), in processor time of one thread.

usage: PYTHONPATH=build/python bench/python.py [--json] [--rows N] [--seconds S] [GAME…]

raw     decisions a second of `parlor bench`'s loop: copy nothing, list, pick, apply
masks   VecEnv.step with masks only                 (wanted: 70 % of raw)
steps   VecEnv.step with masks and observations     (wanted: the numbers below)
two     how much faster two threads are than one    (wanted: 1.8), were there nobody else: by what the second one costs
state   a Python loop over State                    (wanted: 400 k applies a second)
"""
import argparse
import json
import random
import time

import numpy

import parlor

WANTED = {"tic-tac-toe": 2.5e6, "connect-four": 2e6, "breakthrough": 0.7e6, "reversi": 0.4e6, "chess": 0.5e6}


def rate(work, seconds):
    """Times a second, by processor time."""
    work()
    done, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        done += work()
    return done / (time.process_time() - began)


def state_loop(game, seconds):
    rng = random.Random(1)

    def work(steps=2000):
        state = game.new_initial_state(seed=1)
        for _ in range(steps):
            legal = state.legal_actions()
            if not legal:
                state = game.new_initial_state(seed=1)
                continue
            state.apply_action(legal[int(rng.random() * len(legal))])
        return steps
    return rate(work, seconds)


def measure(name, rows, seconds):
    game = parlor.open(name)
    raw = parlor.simulate(game, "random", games=1, threads=1)
    games, spent = 50, 0.0
    while spent < seconds / 2:
        games *= 2
        began = time.process_time()
        raw = parlor.simulate(game, "random", games=games, threads=1)
        spent = time.process_time() - began
    masks = parlor.VecEnv(game, rows, observe=None)
    steps = parlor.VecEnv(game, rows)
    both = parlor.VecEnv(game, rows, threads=2)
    alone = rate(lambda: steps.rollout(20), seconds)
    return {
        "game": name,
        "raw_per_second": raw["decisions"] / spent,
        "masks_per_second": rate(lambda: masks.rollout(20), seconds),
        "steps_per_second": alone,
        "two_threads": 2 * rate(lambda: both.rollout(20), seconds) / alone,
        "state_per_second": state_loop(game, seconds),
        "wanted": WANTED.get(name),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(WANTED))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=2)
    options = parser.parse_args()
    rows = [measure(name, options.rows, options.seconds) for name in options.games]
    if options.json:
        print(json.dumps({"games": rows}))
        return
    print(f"{'game':<14}{'raw/s':>12}{'masks/s':>12}{'of raw':>8}{'steps/s':>12}{'wanted':>12}{'two':>6}{'state/s':>12}")
    for r in rows:
        wanted = f"{r['wanted']:,.0f}" if r["wanted"] else ""
        print(f"{r['game']:<14}{r['raw_per_second']:>12,.0f}{r['masks_per_second']:>12,.0f}"
              f"{r['masks_per_second'] / r['raw_per_second']:>8.0%}{r['steps_per_second']:>12,.0f}"
              f"{wanted:>12}{r['two_threads']:>6.2f}{r['state_per_second']:>12,.0f}")


if __name__ == "__main__":
    main()
