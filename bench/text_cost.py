#!/usr/bin/env python3
"""What it costs to compile each shipped game as it is written and in the tree notation: instructions of `parlor compile`,
counted by callgrind. Fails when a game in text costs more than the same in trees (E-29).

usage: bench/text_cost.py [--keep FOLDER] [GAME...]

The trees are what `parlor fmt --tree` writes. Other than times, the counts do not depend on what else the machine does.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARLOR = ROOT / "build/parlor"
GAMES = sorted(path.stem for path in (ROOT / "games").iterdir())


def source(name):
    """The file that is the game, and all files it is made of."""
    folder = ROOT / "games" / name
    if not folder.is_dir():
        return folder.with_suffix(".md"), [folder.with_suffix(".md")]
    return folder / f"{name}.md", sorted(p for p in folder.glob("*.md") if not p.name.endswith(".rules.md"))


def as_trees(name, to):
    entry, files = source(name)
    for file in files:
        tree = subprocess.run([PARLOR, "fmt", "--tree", "--print", file], capture_output=True, text=True, check=True)
        (to / file.name).write_text(tree.stdout)
    return to / entry.name


def instructions(game, out):
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", PARLOR, "compile", game],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--keep", type=pathlib.Path, help="leave the trees and callgrind's files here")
    options = parser.parse_args()
    folder = options.keep or pathlib.Path(tempfile.mkdtemp())
    dearer = []
    print(f"{'millions of instructions':24} {'text':>8} {'tree':>8} {'text/tree':>9}")
    for name in options.games:
        trees = folder / name
        trees.mkdir(parents=True, exist_ok=True)
        tree = instructions(as_trees(name, trees), folder / f"callgrind.{name}.tree")
        text = instructions(source(name)[0], folder / f"callgrind.{name}.text")
        if text >= tree:
            dearer.append(name)
        print(f"{name:24} {text / 1e6:8.1f} {tree / 1e6:8.1f} {text / tree:9.3f}", flush=True)
    if not options.keep:
        shutil.rmtree(folder)
    if dearer:
        sys.exit(f"dearer in text: {', '.join(dearer)}")


if __name__ == "__main__":
    main()
