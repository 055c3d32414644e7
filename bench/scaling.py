#!/usr/bin/env python3
"""How the cost of a move grows with the board: microseconds a decision, and the exponent by cells.

usage: bench/scaling.py [--games N] [SERIES...]

Every size plays random games in one thread; processor time, less what a single game takes, divided
by decisions. The exponent is the slope of log(cost) over log(cells): 0 is a cost that does not grow,
1 one in proportion to the board. What a move has to do sets the least it can be: listing takes time
in proportion to the options, so boards that fill up cannot stay below 1 for ever.
"""
import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Name: the sizes, how the game of a size is asked for, and its cells.
SERIES = {
    "hex": ([5, 7, 9, 11, 13, 15, 19], lambda n: ["hex", "--set", f"size={n}"], lambda n: n * n),
    "go": ([5, 7, 9, 11, 13], lambda n: ["go", "--set", f"size={n}"], lambda n: n * n),
    "gomoku": ([7, 9, 11, 13, 15, 19], lambda n: ["gomoku", "--set", f"size={n}"],
               lambda n: n * n),
    "connect-four": ([6, 8, 10, 12, 14],
                     lambda n: ["connect-four", "--set", f"rows={n}", "--set", f"columns={n}"],
                     lambda n: n * n),
    "breakthrough": ([6, 8, 10, 12, 14, 16],
                     lambda n: [changed("breakthrough", "args: [8, 8]", f"args: [8, {n}]")],
                     lambda n: 8 * n),
}
FOLDER = tempfile.TemporaryDirectory()


def changed(game, old, new):
    text = (ROOT / "games" / f"{game}.md").read_text()
    if old not in text:
        raise RuntimeError(f"{game} has no `{old}`")
    path = pathlib.Path(FOLDER.name) / f"{game}-{abs(hash(new))}.md"
    path.write_text(text.replace(old, new))
    return str(path)


def play(game, games):
    """Seconds of processor time, and decisions."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    run = subprocess.run([ROOT / "build/parlor", "sim", *game, "--games", str(games), "--threads", "1",
                          "--json"], capture_output=True, text=True, check=True)
    return (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before,
            json.loads(run.stdout)["decisions"])


def cost(game, games):
    once, first = play(game, 1)
    # More games until they take much longer than starting up.
    while True:
        used, decisions = play(game, games)
        if used - once > 0.3 or games > 1_000_000:
            return (used - once) / (decisions - first)
        games *= 4


def exponent(points):
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("series", nargs="*", default=list(SERIES))
    parser.add_argument("--games", type=int, default=20, help="to begin with")
    options = parser.parse_args()
    for name in options.series:
        if name not in SERIES:
            sys.exit(f"there is no series `{name}`; there are {', '.join(SERIES)}")
        sizes, game, cells = SERIES[name]
        points = []
        for size in sizes:
            points.append((cells(size), cost(game(size), options.games)))
            print(f"{name:14} {size:4}  {cells(size):5} cells  {points[-1][1] * 1e6:10.2f} us/decision",
                  flush=True)
        print(f"{name:14} exponent {exponent(points):.2f}\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
