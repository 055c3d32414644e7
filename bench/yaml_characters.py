#!/usr/bin/env python3
"""How much YAML the shipped games are: characters and lines inside their yaml blocks, prose aside: what people read on
cards (`text`, `title`, `description`) is prose as well.

    bench/yaml_characters.py            the games as they are
    bench/yaml_characters.py REVISION   beside what they were in a git revision
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(?:yaml|yml)\n(.*?)^```", re.M | re.S)
# The value of such a key: on its line, in quotes or not, or folded over lines that stand further in.
SENTENCE = re.compile(r"""^(\ *(?:-\ )?)((?:text|title|description):)
                          (?:\ [>|][-+]?\n(?:\1\ +.*\n|\n)+ | \ .*\n)""", re.M | re.X)


def measure(text):
    blocks = [SENTENCE.sub(r"\1\2\n", block) for block in BLOCK.findall(text)]
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
        line = f"{str(path):44} {characters:7} characters {lines:5} lines"
        if revision:
            old, old_lines = measure(before(revision, path))
            total, old_total = total + (characters if old else 0), old_total + old
            line += f"   before {old:7} {old_lines:5}   {characters / old:5.0%}" if old else ""
        else:
            total += characters
        print(line)
    if revision:
        print(f"{'games there were before':44} {total:7} characters   before {old_total}   {total / old_total:.1%}")
    else:
        print(f"{'all games':44} {total:7} characters")


if __name__ == "__main__":
    main()
