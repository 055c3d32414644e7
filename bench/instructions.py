#!/usr/bin/env python3
"""Instructions per move of kernel games under random play, counted by callgrind.

usage: bench/instructions.py [--moves N] [--native] [--keep FOLDER] [GAME...]

Counts only the loop (copy the first state, list, pick, apply), not reading and linking the rules.
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
GAMES = sorted(path.stem for path in (ROOT / "games").iterdir())


def count(game, moves, folder, native):
    """Instructions inside play_moves for this many moves; nothing when the game does not run."""
    out = folder / f"callgrind.{game}"
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--toggle-collect=*play_moves*",
         f"--callgrind-out-file={out}", ROOT / "build/bench/bench_kernel", "--moves", game,
         str(moves), ROOT / "games"] + (["native"] if native else []),
        capture_output=True, text=True,
        env={**os.environ, "PARLOR_CXX": str(ROOT / "bench/cxx_for_valgrind")})
    if run.returncode != 0:
        sys.stderr.write(run.stdout + run.stderr)
        return None
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--native", action="store_true", help="by compiled code")
    parser.add_argument("--keep", type=pathlib.Path, help="leave callgrind's files here")
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for game in options.games:
        instructions = count(game, options.moves, folder, options.native)
        failed |= instructions is None
        if instructions is not None:
            print(f"{game:18} {instructions / options.moves:8.0f} instructions/move")
    if not options.keep:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
