#!/usr/bin/env python3
"""Random games per second of every shipped game, next to plain tic-tac-toe, the best peer and the goal.

usage: bench/goals.py [--seconds S] [--rounds N] [--no-native] [GAME...]

Each game is measured in turns with plain tic-tac-toe (bench/baselines.h), in the same process, and
divided by it, so that the machine cancels out; of several rounds the median counts. It is measured
interpreted and as compiled code, which is compiled first where that has not been done yet. What peers
reach was measured the same way: OpenSpiel's games are written by hand in C++, RBG compiles rules to
C++. Below the table stands what bounds the games that miss their goals (bench/bounds.json).
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
# Where no peer plays the game: so many a second. Onitama: ten times the same rules in plain CPython.
ABSOLUTE = {
    "texas-holdem": ("decisionsPerSecond", 300_000),
    "coalition": ("playoutsPerSecond", 20 * 184),
    "nine-mens-morris": ("playoutsPerSecond", 20 * 124),
    "market": ("playoutsPerSecond", 20 * 697),
    "insurgency": ("playoutsPerSecond", 20 * 1105),
    "onitama": ("playoutsPerSecond", 10 * 2158),
    "salt-charter": ("decisionsPerSecond", 50_000),
}
PLAIN_LENGTH = 7.6  # moves of a random game of tic-tac-toe
MOST_BYTES = 4096  # of a state
LEAST_SEARCH = 0.6  # iterations of the tree search for each playout of the same time
MEASURED = ("playoutsPerSecond", "decisionsPerSecond", "mctsIterationsPerSecond", "plain", "bytesPerState")


def measure(game, seconds, native):
    command = [ROOT / "build/parlor", "bench", game, "--seconds", str(seconds), "--json"]
    run = subprocess.run(command + (["--native"] if native else []), capture_output=True, text=True,
                         check=True)
    result = json.loads(run.stdout)
    row = result["games"][0]
    if "error" in row:
        raise RuntimeError(f"{game}: {row['error']}")
    row["plain"] = row["playoutsPerSecond"] * PLAIN_LENGTH / result["baselines"]["tic-tac-toe"]
    return row


def middle(rows):
    return {key: statistics.median(row[key] for row in rows) for key in MEASURED}


def short(number):
    return f"{number:.3g}" if number < 10 else f"{number:,.0f}"


def share_of_goal(game, row):
    """How much of the goal was reached; nothing where there is none."""
    if game in PEERS:
        _, theirs, wanted = PEERS[game]
        return row["plain"] / theirs / wanted
    if game in ABSOLUTE:
        key, wanted = ABSOLUTE[game]
        return row[key] / wanted
    return None


def goal_in_words(game):
    if game in PEERS:
        name, theirs, wanted = PEERS[game]
        return f"{wanted:g} × {theirs:.2g} {name}"
    if game in ABSOLUTE:
        key, wanted = ABSOLUTE[game]
        return f"{wanted:,} {key.removesuffix('PerSecond')}/s"
    return ""


def search(row):
    """Iterations of the tree search for each playout; marked where they are too few."""
    if row is None:
        return f"{'':7}"
    share = row["mctsIterationsPerSecond"] / row["playoutsPerSecond"]
    return f"{share:>6.2f}{' ' if share >= LEAST_SEARCH else '<'}"


def print_row(game, interpreted, native):
    """The row of a game; the share of its goal, by the faster of the two."""
    shares = [share_of_goal(game, row) for row in (interpreted, native) if row is not None]
    share = None if shares[0] is None else max(shares)
    size = interpreted["bytesPerState"]
    print(f"{game:17} {short(interpreted['playoutsPerSecond']):>9} "
          f"{short(native['playoutsPerSecond']) if native else '':>9} "
          f"{short(interpreted['decisionsPerSecond']):>11} "
          f"{short(native['decisionsPerSecond']) if native else '':>11} "
          f"{interpreted['plain']:>9.2g} {format(native['plain'], '.2g') if native else '':>9} "
          f"{goal_in_words(game):>22} {'' if share is None else f'{share:.2f}':>7} "
          f"{'met' if share is not None and share >= 1 else '':3} "
          f"{search(interpreted)} {search(native)} "
          f"{size:>6.0f}{' ' if size < MOST_BYTES else '>'}", flush=True)
    return share


def print_bounds(missed):
    bounds = json.loads((ROOT / "bench/bounds.json").read_text())
    print("\nWhat bounds those that miss their goals (instructions are a decision's, by bench/instructions.py):")
    for game, share in sorted(missed.items(), key=lambda entry: entry[1]):
        print(f"- {game} ({share:.2f} of its goal): {bounds.get(game, 'not looked into yet')}")


def shipped():
    listed = subprocess.run([ROOT / "build/parlor", "list", "--json"], capture_output=True, text=True,
                            check=True)
    return [game["name"] for game in json.loads(listed.stdout)["games"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--no-native", action="store_true", help="only interpreted")
    options = parser.parse_args()
    print(f"{'':17} {'games/s':>19} {'decisions/s':>23} {'÷ plain ttt':>19} {'':22} {'of':>7} {'':3} "
          f"{'search ≥ 0.6':>15} {'bytes':>7}")
    print(f"{'game':17} {'interp.':>9} {'native':>9} {'interp.':>11} {'native':>11} {'interp.':>9} "
          f"{'native':>9} {'goal':>22} {'goal':>7} {'':3} {'interp.':>7} {'native':>7} {'< 4096':>7}")
    missed = {}
    for game in options.games or shipped():
        rounds = {native: [] for native in ((False,) if options.no_native or game == "chess" else (False, True))}
        for _ in range(options.rounds):
            for native, rows in rounds.items():
                rows.append(measure(game, options.seconds, native))
        share = print_row(game, middle(rounds[False]), middle(rounds[True]) if True in rounds else None)
        if share is not None and share < 1:
            missed[game] = share
    if missed:
        print_bounds(missed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
