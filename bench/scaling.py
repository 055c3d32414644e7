#!/usr/bin/env python3
"""How the cost of a move grows with the game: microseconds a decision, and the exponent.

usage: bench/scaling.py [--games N] [SERIES...]

Boards grow (hex, go, gomoku, connect four, breakthrough), and so do tokens that lie about, zones that
no rule asks for, rows of a table, players, and house rules in force. Every size plays random games in
one thread, interpreted (where many games are played `sim` would compile them, and sizes would be compared that
are not alike); processor time, less what a single game takes, divided by decisions. The exponent is the
slope of log(cost) over log(size): 0 is a cost that does not grow, 1 one in proportion. What a move has
to do sets the least it can be: listing takes time in proportion to the options, so boards that fill up
cannot stay below 1 for ever, and a house rule that is asked after every move costs what it asks.
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


def written(name, text):
    """A game or a module that stands in no file yet."""
    path = pathlib.Path(FOLDER.name) / f"{name}.md"
    path.write_text(text)
    return str(path)


# Marks on a board of eight by eight; whoever puts the last one wins. What grows stands besides.
def marks(name, players=2, zones="", setup="", where="empty", effects="", more=""):
    return written(name, f"""# {name}

```yaml
metadata: {{id: {name}, name: {name}, players: {players}}}
zones:
  cell: grid(8, 8)
{zones}
tokenTypes: {{mark: {{owner: player}}, stone: {{weight: int}}}}
{setup}
{more}
turnStructure: {{phases: [main]}}
actions:
  place:
    params: {{$cell: cells where {where}}}
    effects:
      - create mark in $cell with owner = active{effects}
      - end phase
terminal:
  full: {{when: no cells where empty, win: active}}
```
""")


def with_tokens(count):
    return [marks(f"tokens-{count}", zones="  box: public",
                  setup=f"setup: [create {count} stone in box with weight = 1]")]


def with_zones(count):
    return [marks(f"zones-{count}", zones="".join(f"  shelf{i}: public\n" for i in range(count)))]


def with_rows(count):
    rows = "".join(f"            - [row{i}, {i % 7 + 1}, {i}]\n" for i in range(count))
    return [marks(f"rows-{count}", where="empty and chosen > 0", more=f"""globalVars: {{chosen: 0..9 = 1}}
dataAssets:
  lists:
    scenario:
      settings:
        prices:
          columns: [name, cost, key]
          rows:
{rows}""", effects="""
      - for: $row in rows of settings.prices where key == turn % 10
        do: chosen = $row.cost""")]


def with_modules(count):
    names = []
    for i in range(count):
        names.append(written(f"module-{count}-{i}.rules", f"""# A rule that counts

```yaml
module: {{id: counts{i}, name: Counts {i}, description: Counts moves.}}
globalVars: {{counts{i}.moves: 0..100000}}
hooks:
  counts{i}.count: {{at: apply, actions: [place], effects: counts{i}.moves += 1}}
```
"""))
    return [marks(f"modules-{count}"), "--rules", ",".join(names)]


# Name: the sizes, how the game of a size is asked for, and what the cost is compared with.
SERIES = {
    "hex": ([5, 7, 9, 11, 13, 15, 19], lambda n: ["hex", "--set", f"size={n}"], lambda n: n * n),
    "go": ([5, 7, 9, 11, 13, 19], lambda n: ["go", "--set", f"size={n}"], lambda n: n * n),
    "gomoku": ([7, 9, 11, 13, 15, 19], lambda n: ["gomoku", "--set", f"size={n}"],
               lambda n: n * n),
    "connect-four": ([6, 8, 10, 12, 14],
                     lambda n: ["connect-four", "--set", f"rows={n}", "--set", f"columns={n}"],
                     lambda n: n * n),
    "breakthrough": ([6, 8, 10, 12, 14, 16],
                     lambda n: [changed("breakthrough", "grid(8, 8)", f"grid(8, {n})")],
                     lambda n: 8 * n),
    "tokens": ([10, 100, 1000], with_tokens, lambda n: n),
    "zones": ([10, 100, 400], with_zones, lambda n: n),
    "rows": ([10, 100, 1000], with_rows, lambda n: n),
    "players": ([2, 4, 8, 16], lambda n: [marks(f"players-{n}", players=n)], lambda n: n),
    "modules": ([1, 10, 100], with_modules, lambda n: n),
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
                          "--native=no", "--json"], capture_output=True, text=True, check=True)
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
        unit = name if cells(7) == 7 else "cells"
        for size in sizes:
            points.append((cells(size), cost(game(size), options.games)))
            print(f"{name:14} {size:4}  {cells(size):5} {unit}  {points[-1][1] * 1e6:10.2f} us/decision",
                  flush=True)
        print(f"{name:14} exponent {exponent(points):.2f}\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
