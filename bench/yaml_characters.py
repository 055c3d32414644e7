#!/usr/bin/env python3
"""How much YAML the shipped games are: characters and lines inside their yaml blocks, prose aside.

    bench/yaml_characters.py            the games as they are
    bench/yaml_characters.py REVISION   beside what they were in a git revision
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(?:yaml|yml)\n(.*?)^```", re.M | re.S)


def measure(text):
    blocks = BLOCK.findall(text)
    return sum(map(len, blocks)), sum(b.count("\n") for b in blocks)


def before(revision, path):
    result = subprocess.run(["git", "show", f"{revision}:{path}"], cwd=ROOT, capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else ""


def main():
    revision = sys.argv[1] if len(sys.argv) > 1 else None
    total, old_total = 0, 0
    for file in sorted((ROOT / "games").rglob("*.md")):
        path = file.relative_to(ROOT)
        characters, lines = measure(file.read_text())
        total += characters
        line = f"{str(path):44} {characters:7} characters {lines:5} lines"
        if revision:
            old, old_lines = measure(before(revision, path))
            old_total += old
            line += f"   before {old:7} {old_lines:5}   {characters / old:5.0%}" if old else ""
        print(line)
    print(f"{'all games':44} {total:7} characters" + (f"   before {old_total}   {total / old_total:.1%}" if old_total else ""))


if __name__ == "__main__":
    main()
