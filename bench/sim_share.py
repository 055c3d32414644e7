#!/usr/bin/env python3
"""How much of the speed of `parlor bench` a whole `parlor sim` reaches, interpreted and native (V-08).

usage: bench/sim_share.py [--rounds N] [GAME...]

Both play random games in one thread; `sim` also seats agents with generators of their own, counts who won
and how, and hashes every last state. They are measured in turns, by processor time, of `sim` less what a
single game takes; the median of the rounds counts. Exit 1 where it is less than 0.9.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEAST = 0.9
SECONDS = 0.4


def parlor(*words):
    """What it says, and seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run([ROOT / "build/parlor", *words, "--json"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def share(game, native):
    """Games a second of `sim`, and of `bench`."""
    said, _ = parlor("bench", game, "--seconds", str(SECONDS), f"--native={native}")
    bench = said["games"][0]["playoutsPerSecond"]
    games = max(2, int(bench * SECONDS))
    sim = ["sim", game, "--threads", "1", f"--native={native}", "--games"]
    _, once = parlor(*sim, "1")
    _, used = parlor(*sim, str(games))
    return (games - 1) / (used - once), bench


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=["tic-tac-toe"])
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    enough = True
    for game in options.games:
        for native in ("no", "yes"):
            shares = sorted(sim / bench for sim, bench in (share(game, native) for _ in range(options.rounds)))
            middle = statistics.median(shares)
            enough = enough and middle >= LEAST
            print(f"{game:18} {'native' if native == 'yes' else 'interpreted':12} {middle:.2f}"
                  f"   ({shares[0]:.2f} to {shares[-1]:.2f})", flush=True)
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
