#!/usr/bin/env python3
"""How a server bears many people, beside what is wanted of it (S-80 ... S-82). Run it on a quiet machine:

    scripts/build release parlor bench_server_load && bench/server_goals.py

--scale 0.1 does the same with a tenth of the tables, sockets and acts; --only S-81 one of them.
Ends with 1 if a goal is missed."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What is run, and of its figures: what, where it stands, and what it must stay below.
GOALS = [
    ("S-80 memory", {"tables": 5000, "acts": 1000, "seconds": 30, "store": "memory"}, [
        ("act to answer, half of them (ms)", "actMs.p50", 5),
        ("act to answer, 99 of 100 (ms)", "actMs.p99", 20),
        ("resident a socket with its table (KB)", "kbPerSocket", 40),
    ]),
    ("S-80 SQLite", {"tables": 5000, "acts": 1000, "seconds": 30, "store": "sqlite:{folder}/load.db"}, [
        ("act to answer, half of them (ms)", "actMs.p50", 5),
        ("act to answer, 99 of 100 (ms)", "actMs.p99", 40),
    ]),
    ("S-81", {"game": "reversi", "tables": 1, "spectators": 5000, "acts": 2, "seconds": 20, "store": "memory"}, [
        ("act until the last who watches has it (ms)", "watchMs.worst", 250),
        ("act to answer, 99 of 100 (ms)", "actMs.p99", 20),
    ]),
    ("S-82", {"tables": 5000, "acts": 100, "seconds": 5, "store": "sqlite:{folder}/restart.db", "restart": "yes"}, [
        ("ready after a restart (s)", "readySeconds", 10),
        ("a flag falls too late by (ms)", "flagLateMs", 100),
    ]),
]
SCALED = ("tables", "spectators", "acts")


def figures_of(settings, scale, folder):
    command = [str(ROOT / "build/bench/bench_server_load"), "--parlor", str(ROOT / "build/parlor"), "--json", "yes"]
    for key, value in settings.items():
        if key in SCALED and value > 2:
            value = max(1, int(value * scale))
        command += [f"--{key}", str(value).format(folder=folder)]
    print("$", " ".join(command).replace(str(ROOT) + "/", ""), flush=True)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="", flush=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines and done.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--only", default="")
    wanted = parser.parse_args()
    for program in ("build/parlor", "build/bench/bench_server_load"):
        if not (ROOT / program).exists():
            sys.exit(f"{program} is missing: scripts/build release parlor bench_server_load")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, settings, goals in GOALS:
            if not name.startswith(wanted.only):
                continue
            figures = figures_of(settings, wanted.scale, folder)
            for what, path, below in goals:
                value = figures
                for part in path.split("."):
                    value = None if value is None else value.get(part)
                rows.append((name, what, value, below))
            if figures:
                pace = settings["acts"] if settings["acts"] <= 2 else settings["acts"] * wanted.scale
                rows.append((name, f"acts a second, of {pace:g}: missing (%)",
                             100 * (1 - figures["actsPerSecond"] / pace), 5))
    print(f"\n{'goal':<12} {'figure':<46} {'is':>10} {'below':>8}")
    missed = False
    for name, what, value, below in rows:
        met = value is not None and value < below
        missed |= not met
        shown = "failed" if value is None else f"{value:.2f}"
        print(f"{name:<12} {what:<46} {shown:>10} {below:>8}{'' if met else '   MISSED'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
