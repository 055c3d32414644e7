#!/usr/bin/env python3
"""Shows what changed between two outputs of `parlor bench --json` or `bench/python.py --json`.

usage: bench/compare.py OLD.json NEW.json [--threshold 5]
"""
import argparse
import json
import sys

MEASURES = [  # key, heading, whether more is better
    ("playoutsPerSecond", "playouts/s", True),
    ("decisionsPerSecond", "decisions/s", True),
    ("mctsIterationsPerSecond", "mcts it/s", True),
    ("bytesPerState", "bytes", False),
    ("nsPerCopy", "ns/copy", False),
    ("nsPerList", "ns/list", False),
    ("ratio", "ratio", True),
    ("raw_per_second", "raw/s", True),
    ("masks_per_second", "masks/s", True),
    ("masks_of_raw", "of raw", True),
    ("steps_per_second", "steps/s", True),
    ("two_threads", "two threads", True),
    ("state_per_second", "state/s", True),
]


def load(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    return {row["game"]: row for row in report["games"]}


def cell(old, new, key, more_is_better, threshold):
    """The change in percent, marked when it is worse than the threshold."""
    if key not in old or key not in new:
        return "", False
    if old[key] == 0:
        return "0", False
    change = 100 * (new[key] / old[key] - 1)
    worse = change < -threshold if more_is_better else change > threshold
    return f"{change:+.1f}%{' !' if worse else '  '}", worse


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--threshold", type=float, default=5, help="percent that count as worse (default 5)")
    arguments = parser.parse_args()
    old, new = load(arguments.old), load(arguments.new)
    measures = [measure for measure in MEASURES if any(measure[0] in row for row in [*old.values(), *new.values()])]
    print(f"{'game':<24}" + "".join(f"{heading:>14}" for _, heading, _ in measures))
    any_worse = False
    for game in sorted(old.keys() | new.keys()):
        if game not in old or game not in new:
            print(f"{game:<24}{'only in ' + ('new' if game in new else 'old'):>14}")
            continue
        line = f"{game:<24}"
        for key, _, more_is_better in measures:
            text, worse = cell(old[game], new[game], key, more_is_better, arguments.threshold)
            line += f"{text:>14}"
            any_worse = any_worse or worse
        print(line)
    if any_worse:
        print(f"\n! worse by more than {arguments.threshold:g}%")
    return 1 if any_worse else 0


if __name__ == "__main__":
    sys.exit(main())
