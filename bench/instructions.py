#!/usr/bin/env python3
"""Instructions per move of kernel games under random play, counted by callgrind.

usage: bench/instructions.py [--moves N] [--native] [--keep FOLDER] [GAME...]
       bench/instructions.py --search [--moves N] [--native] [--keep FOLDER] [GAME...]

Counts only the loop (copy the first state, list, pick, apply), not reading and linking the rules.
With --search: iterations of the tree search instead of moves, random games next to them, and how many
iterations one could have for the instructions of each game.
Other than times, the counts do not depend on what else the machine does.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IN_ONE_TREE = 50  # iterations, as in bench/kernel.cpp
GAMES = sorted(path.stem for path in (ROOT / "games").iterdir())


def run(mode, game, times, functions, folder, native):
    """Instructions inside these functions for so many moves or iterations; nothing when the game does not run."""
    out = folder / f"callgrind.{game}.{functions}"
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--toggle-collect=*{functions}*",
         f"--callgrind-out-file={out}", ROOT / "build/bench/bench_kernel", mode, game,
         str(times), ROOT / "games"] + (["native"] if native else []),
        capture_output=True, text=True,
        env={**os.environ, "PARLOR_CXX": str(ROOT / "bench/cxx_for_valgrind")})
    if run.returncode != 0:
        sys.stderr.write(run.stdout + run.stderr)
        return None
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1)) / times


def count_moves(game, options, folder):
    moves = run("--moves", game, options.moves, "play_moves", folder, options.native)
    if moves is not None:
        print(f"{game:18} {moves:8.0f} instructions/move", flush=True)
    return moves is not None


def count_searches(game, options, folder):
    whole_trees = -(-options.moves // IN_ONE_TREE) * IN_ONE_TREE
    iteration, playout = (run("--searches", game, whole_trees, functions, folder, options.native)
                          for functions in ("search_trees", "play_to_the_end"))
    if iteration is None or playout is None:
        return False
    print(f"{game:18} {iteration:10.0f} instructions/iteration {playout:10.0f} instructions/game "
          f"{playout / iteration:6.2f}", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--native", action="store_true", help="by compiled code")
    parser.add_argument("--search", action="store_true", help="iterations of the tree search, and whole games")
    parser.add_argument("--keep", type=pathlib.Path, help="leave callgrind's files here")
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    count = count_searches if options.search else count_moves
    done = [count(game, options, folder) for game in options.games]
    if not options.keep:
        shutil.rmtree(folder)
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
