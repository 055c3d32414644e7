#!/usr/bin/python3
"""How fast the Python package plays (P-36), in processor time of one thread.

usage: PYTHONPATH=build/python bench/python.py [--json] [--rows N] [--seconds S] [--native] [GAME…]

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
TURNS = 8


def rate(work, seconds):
    """Times a second, by processor time."""
    done, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        done += work()
    return done / (time.process_time() - began)


def best_rates(works, seconds):
    """Of each the best of several turns, in which one comes after the other: what else a machine does takes caches and
    clock from some of them, and never gives any."""
    best = dict.fromkeys(works, 0.0)
    for work in works.values():
        work()
    for _ in range(TURNS):
        for name, work in works.items():
            best[name] = max(best[name], rate(work, seconds / TURNS))
    return best


def state_loop(game):
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
    return work


def measure(name, rows, seconds, native):
    game = parlor.open(name, native=native)
    masks, steps, both = (parlor.VecEnv(game, rows, **how) for how in ({"observe": None}, {}, {"threads": 2}))
    games = max(1, 20_000 // parlor.simulate(game, "random", games=20, threads=1)["decisions"]) * 20
    best = best_rates({
        "raw": lambda: parlor.simulate(game, "random", games=games, threads=1)["decisions"],
        "masks": lambda: masks.rollout(20),
        "steps": lambda: steps.rollout(20),
        "both": lambda: both.rollout(20),
        "state": state_loop(game),
    }, seconds)
    return {
        "game": name,
        "raw_per_second": best["raw"],
        "masks_per_second": best["masks"],
        "steps_per_second": best["steps"],
        "two_threads": 2 * best["both"] / best["steps"],
        "state_per_second": best["state"],
        "wanted": WANTED.get(name),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(WANTED))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rows", type=int, default=256)
    parser.add_argument("--seconds", type=float, default=2, help="for each number")
    parser.add_argument("--native", action="store_true", help="rules as compiled code")
    options = parser.parse_args()
    rows = [measure(name, options.rows, options.seconds, options.native) for name in options.games]
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
