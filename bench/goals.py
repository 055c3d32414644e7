#!/usr/bin/env python3
"""Random games per second of every shipped game, next to plain tic-tac-toe, the best peer and the goal.

usage: bench/goals.py [--seconds S] [--rounds N] [GAME...]

Each game is measured in turns with plain tic-tac-toe (bench/baselines.h), in the same process, and
divided by it, so that the machine cancels out; of several rounds the median counts. What peers reach
was measured the same way: OpenSpiel's games are written by hand in C++, RBG compiles rules to C++.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Games per second divided by those of plain tic-tac-toe: the best peer, and the goal as a multiple of it.
PEERS = {
    "tic-tac-toe": ("RBG", 0.61, 2),
    "connect-four": ("RBG", 0.20, 2),
    "breakthrough": ("RBG", 0.0091, 2),
    "hex": ("RBG", 0.0118, 2),
    "reversi": ("RBG", 0.0052, 2),
    "english-draughts": ("RBG", 0.0152, 1),
    "gomoku": ("RBG", 0.048, 1),
    "amazons": ("RBG", 0.00088, 1),
    "go": ("OpenSpiel", 0.0029, 1),
    "backgammon": ("OpenSpiel", 0.00023, 2),
    "kuhn-poker": ("OpenSpiel", 0.78, 1.5),
    "leduc-poker": ("OpenSpiel", 0.31, 1.5),
    "chess": ("RBG", 0.00022, 20),
}
# Where no peer plays the game: so many a second.
ABSOLUTE = {
    "texas-holdem": ("decisionsPerSecond", 300_000),
    "coalition": ("playoutsPerSecond", 20 * 184),
    "nine-mens-morris": ("playoutsPerSecond", 20 * 124),
    "market": ("playoutsPerSecond", 20 * 697),
    "insurgency": ("playoutsPerSecond", 20 * 1105),
    "salt-charter": ("decisionsPerSecond", 10_000),
}
PLAIN_LENGTH = 7.6  # moves of a random game of tic-tac-toe


def measure(game, seconds):
    run = subprocess.run([ROOT / "build/parlor", "bench", game, "--seconds", str(seconds), "--json"],
                         capture_output=True, text=True, check=True)
    result = json.loads(run.stdout)
    row = result["games"][0]
    if "error" in row:
        raise RuntimeError(f"{game}: {row['error']}")
    row["plain"] = row["playoutsPerSecond"] * PLAIN_LENGTH / result["baselines"]["tic-tac-toe"]
    return row


def short(number):
    return f"{number:.3g}" if number < 1 else f"{number:,.0f}"


def print_row(game, rows):
    middle = {key: statistics.median(row[key] for row in rows)
              for key in ("playoutsPerSecond", "decisionsPerSecond", "plain")}
    peer, share, goal = "", "", ""
    met = ""
    if game in PEERS:
        name, theirs, wanted = PEERS[game]
        reached = middle["plain"] / theirs
        peer, share, goal = f"{theirs:.2g} {name}", f"{reached:.2f}", f"{wanted:g}"
        met = "met" if reached >= wanted else ""
    elif game in ABSOLUTE:
        key, wanted = ABSOLUTE[game]
        share = f"{middle[key] / wanted:.2f}"
        goal = f"{wanted:,} {key.removesuffix('PerSecond')}/s"
        met = "met" if middle[key] >= wanted else ""
    print(f"{game:18} {short(middle['playoutsPerSecond']):>10} "
          f"{short(middle['decisionsPerSecond']):>12} {middle['plain']:>10.2g} {peer:>18} "
          f"{share:>8} {goal:>22} {met}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    games = options.games
    if not games:
        listed = subprocess.run([ROOT / "build/parlor", "list", "--json"], capture_output=True,
                                text=True, check=True)
        games = [game["name"] for game in json.loads(listed.stdout)["games"]]
    print(f"{'game':18} {'games/s':>10} {'decisions/s':>12} {'÷ plain':>10} {'best peer ÷ plain':>18} "
          f"{'÷ peer':>8} {'goal':>22}")
    for game in games:
        print_row(game, [measure(game, options.seconds) for _ in range(options.rounds)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
