#!/usr/bin/env python3
"""How long the default bot of `parlor play` takes for its first answers, in every shipped game.

usage: bench/answers.py [--answers N] [GAME...]

All seats are bots; what is measured is the time from the start of the program to its first decision, and
from each decision to the next one. The goal is two seconds, and some tenths for reading the rules; exit 1
if an answer takes longer. Times are the clock's, so the machine should have nothing else to do.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
GAMES = sorted([path.stem for path in (ROOT / "games").iterdir()] + ["chess"])
LONGEST = 2.5


def answers(game, count):
    """Seconds of each answer, as many as there are within the count."""
    began = time.monotonic()
    run = subprocess.Popen(
        [ROOT / "build/parlor", "play", game, "--as", "none", "--json", "--seed", "1"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, text=True)
    out = []
    for line in run.stdout:
        now = time.monotonic()
        if not line.startswith("{"):
            continue
        said = json.loads(line)
        if "chosen" not in said:
            continue
        out.append(now - began)
        began = now
        if len(out) >= count:
            break
    run.kill()
    run.wait()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--answers", type=int, default=3)
    options = parser.parse_args()
    slow = []
    for game in options.games:
        times = answers(game, options.answers)
        longest = max(times, default=None)
        print(f"{game:18} " + ("no answer" if longest is None else
                               " ".join(f"{t:5.2f}" for t in times)), flush=True)
        if longest is None or longest > LONGEST:
            slow.append(game)
    if slow:
        print("longer than two seconds:", ", ".join(slow))
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
