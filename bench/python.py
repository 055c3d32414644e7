#!/usr/bin/python3
"""How fast the Python package plays (P-36), in processor time of one thread.

usage: PYTHONPATH=build/python bench/python.py [--json] [--rows N] [--seconds S] [--native] [GAME…]

raw     decisions a second of `parlor bench`'s loop: copy nothing, list, pick, apply
masks   VecEnv.step with masks only                 (wanted: 70 % of raw)
steps   VecEnv.step with masks and observations     (wanted: the numbers below)
two     how much faster two threads are than one    (wanted: 1.8), by the clock
spin    the same of two threads that only calculate, in the same minute: what the machine had to give
alone   how much faster two threads were if there were nobody else, by what the second one costs
state   a Python loop over State                    (wanted: 400 k applies a second)

Ends with 1 and says which numbers where one is less than wanted. `bench/compare.py` compares two outputs of --json.
"""
import argparse
import hashlib
import json
import random
import sys
import threading
import time

import parlor

WANTED = {"tic-tac-toe": 2.5e6, "connect-four": 2e6, "breakthrough": 0.7e6, "reversi": 0.4e6, "chess": 0.5e6}
OF_RAW, TWO_THREADS, OF_STATE = 0.7, 1.8, 400e3
TURNS = 8


def rate(work, seconds, clock):
    """Times a second."""
    done, began = 0, clock()
    while clock() - began < seconds:
        done += work()
    return done / (clock() - began)


def best_rates(works, seconds, clock=time.process_time):
    """Of each the best of several turns, in which one comes after the other: what else a machine does takes caches and
    clock from some of them, and never gives any."""
    best = dict.fromkeys(works, 0.0)
    for work in works.values():
        work()
    for _ in range(TURNS):
        for name, work in works.items():
            best[name] = max(best[name], rate(work, seconds / TURNS, clock))
    return best


def spinning(threads):
    """As many threads that calculate without the GIL and touch no memory."""
    def turn():
        hashlib.pbkdf2_hmac("sha256", b"parlor", b"salt", 4000)

    def work():
        others = [threading.Thread(target=turn) for _ in range(threads - 1)]
        for thread in others:
            thread.start()
        turn()
        for thread in others:
            thread.join()
        return threads
    return work


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
    seen = best_rates({
        "steps": lambda: steps.rollout(20),
        "both": lambda: both.rollout(20),
        "one spinning": spinning(1),
        "two spinning": spinning(2),
    }, seconds, time.perf_counter)
    return {
        "game": name,
        "raw_per_second": best["raw"],
        "masks_per_second": best["masks"],
        "masks_of_raw": best["masks"] / best["raw"],
        "steps_per_second": best["steps"],
        "two_threads": seen["both"] / seen["steps"],
        "two_spinning": seen["two spinning"] / seen["one spinning"],
        "two_alone": 2 * best["both"] / best["steps"],
        "state_per_second": best["state"],
        "wanted": WANTED.get(name),
    }


def missed(row):
    """What is less than P-36 wants, in words."""
    wanted = {"masks_of_raw": OF_RAW, "two_threads": TWO_THREADS, "state_per_second": OF_STATE,
              "steps_per_second": row["wanted"] or 0}
    beside = {"two_threads": f" (two threads that only calculate: {row['two_spinning']:.2f})"}
    return [f"{row['game']}: {name} {row[name]:,.2f} of {least:,}{beside.get(name, '')}"
            for name, least in wanted.items() if row[name] < least]


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
        return 0
    print(f"{'game':<14}{'raw/s':>12}{'masks/s':>12}{'of raw':>8}{'steps/s':>12}{'wanted':>12}"
          f"{'two':>6}{'spin':>6}{'alone':>7}{'state/s':>12}")
    for r in rows:
        wanted = f"{r['wanted']:,.0f}" if r["wanted"] else ""
        print(f"{r['game']:<14}{r['raw_per_second']:>12,.0f}{r['masks_per_second']:>12,.0f}"
              f"{r['masks_of_raw']:>8.0%}{r['steps_per_second']:>12,.0f}{wanted:>12}"
              f"{r['two_threads']:>6.2f}{r['two_spinning']:>6.2f}{r['two_alone']:>7.2f}{r['state_per_second']:>12,.0f}")
    less = [words for row in rows for words in missed(row)]
    print("\n".join(["", "missed:", *less]) if less else "\nall as wanted")
    return 1 if less else 0


if __name__ == "__main__":
    sys.exit(main())
