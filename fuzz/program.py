#!/usr/bin/env python3
"""Runs the program itself on damaged files and damaged arguments.

Every run has a time limit and a memory limit. What counts as found: a signal (crash), a run that takes
too long, INTERNAL, or an exit code that is none of 0, 1 and 2. Files that did it are kept in
build/fuzz/found with the command that repeats it.
"""
import argparse
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARLOR = ROOT / "build" / "parlor"
FOUND = ROOT / "build" / "fuzz" / "found"
WORK = ROOT / "build" / "fuzz" / "program"

NUMBERS = ["0", "1", "-1", "2", "3", "8", "16", "17", "63", "64", "65", "127", "128", "255", "256", "257",
           "999", "10000", "10001", "32768", "65536", "2147483647", "-2147483648", "4294967296",
           "300000000", "9007199254740991", "-9007199254740991", "9223372036854775807",
           "18446744073709551616", "1e999", "0.5"]
WORDS = ["true", "false", "null", "~", '""', "[]", "{}", "$", "$zone", "actor", "active", "all", "none",
         "left", "*a", "&a ", "---", "- ", ": ", "{", "}", "[", "]", "#", "```", "/etc/passwd", "../x.md"]
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|-?\d+|[\w$.]+|[ ]+|\n|.', re.S)


def mutate(text, other, rng):
    for _ in range(rng.choice([1, 1, 2, 3, 8])):
        kind = rng.randrange(6)
        if kind == 0 and text:  # bytes
            at = rng.randrange(len(text))
            text = text[:at] + chr(rng.randrange(256)) + text[at + rng.randrange(3):]
            continue
        parts = TOKEN.findall(text) if kind < 5 else text.splitlines(keepends=True)
        others = TOKEN.findall(other) if kind < 5 else other.splitlines(keepends=True)
        if not parts:
            continue
        at = rng.randrange(len(parts))
        end = min(len(parts), at + 1 + rng.randrange(8))
        if kind == 1:
            numbers = [i for i, part in enumerate(parts) if re.fullmatch(r"-?\d+", part)]
            if numbers:
                parts[rng.choice(numbers)] = rng.choice(NUMBERS)
        elif kind == 2:
            parts[at] = rng.choice(WORDS + NUMBERS + [rng.choice(parts)])
        elif kind == 3 and others:
            parts[at:at] = others[rng.randrange(len(others)):][:rng.randrange(1, 12)]
        elif rng.randrange(2):
            del parts[at:end]
        else:
            parts[at:at] = parts[at:end] * rng.choice([1, 1, 2, 3, 200])
        text = "".join(parts)
    return text[:400_000]


def limit():
    memory = 4 << 30
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
    os.nice(10)


def run(arguments, stdin=b"", seconds=20):
    """The exit code, what was said, and whether it took too long."""
    try:
        done = subprocess.run([str(PARLOR), *arguments], input=stdin, capture_output=True, timeout=seconds,
                              preexec_fn=limit, cwd=WORK)
        return done.returncode, done.stderr.decode(errors="replace"), False
    except subprocess.TimeoutExpired:
        return None, "", True


def texts(folder, pattern):
    return [path.read_text(errors="replace") for path in sorted((ROOT / folder).glob(pattern))]


def say(*arguments):
    code, _, late = run(list(arguments))
    done = subprocess.run([str(PARLOR), *arguments], capture_output=True, cwd=WORK)
    return done.stdout.decode(errors="replace")


def jobs():
    """Name, inputs to begin with, and the commands to run on one: {file} is the damaged file."""
    games = texts("games", "*.md") + texts("games/*", "*.md") + texts("tests/spec/broken", "*.md")
    base = texts("fuzz", "base.md")
    deep = ["--max-decisions", "20"]
    small = ["tic-tac-toe", "pig", "leduc-poker", "market", "chess"]
    return [
        ("game.md", games + base * 20,
         [["check", "{file}"], ["check", "{file}", "--json"], ["info", "{file}"], ["state", "{file}"],
          ["state", "{file}", "--json"], ["trace", "{file}", *deep], ["compile", "{file}"],
          ["sim", "{file}", "--games", "2", "--max-decisions", "50"]]),
        ("def.json", [say("compile", str(ROOT / f"games/{name}.md"))
                      for name in ("tic-tac-toe", "pig", "leduc-poker", "connect-four")] +
         [say("compile", str(ROOT / "fuzz/base.md"))],
         [["check", "{file}"], ["info", "{file}"], ["state", "{file}"], ["trace", "{file}", *deep]]),
        ("m.rules.md", texts("games/coalition", "*.rules.md"),
         [["check", "coalition", "--rules", "{file}"], ["trace", "coalition", "--rules", "{file}", *deep]]),
        ("m.yaml", texts("fuzz/modifiers", "*.yaml"),
         [["state", "chess", "--modifiers", "{file}"], ["trace", "chess", "--modifiers", "{file}", *deep]]),
        ("moves.json", ['[0,1,2]', '["e2e4","e5","Nf3"]', '[{"action":"place","params":{"cell":"cell_1_1"}}]'],
         [["state", name, "--moves", "{file}"] for name in small] +
         [["trace", name, "--picks", "{file}"] for name in small]),
        ("trace.jsonl", [say("trace", name, *deep) for name in small], [["replay", "{file}"]]),
        ("uci.txt", ["uci\nposition startpos moves e2e4\ngo depth 2\nd\nquit\n",
                     "setoption name Rules value double-move\nposition startpos\ngo nodes 50\n"],
         [["uci", "<"]]),
        ("fen.txt", ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                     "8/8/8/4k3/8/8/8/R3K3 w - - 100 80"],
         [["state", "chess", "--position", "{text}"], ["trace", "chess", "--position", "{text}", *deep]]),
        ("rules.txt", ["double-move:white@3,piece-hp", "wrap-board@40", "berolina-pawns:black"],
         [["state", "chess", "--rules", "{text}"], ["info", "coalition", "--rules", "{text}"]]),
        ("set.txt", ["size=19", "size=5"],
         [["state", "go", "--set", "{text}"], ["state", "hex", "--set", "{text}"],
          ["info", "gomoku", "--set", "{text}"]]),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=None, help="repeat a run; default: another each time")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    rng = random.Random(seed)
    WORK.mkdir(parents=True, exist_ok=True)
    FOUND.mkdir(parents=True, exist_ok=True)
    print(f"== program: {options.seconds:g} seconds, seed {seed}", flush=True)
    all_jobs = jobs()
    began = said = time.time()
    runs = found = 0
    while time.time() - began < options.seconds:
        name, inputs, commands = rng.choice(all_jobs)
        text = mutate(rng.choice(inputs), rng.choice(inputs), rng)
        file = WORK / name
        file.write_text(text, errors="replace")
        for command in rng.sample(commands, min(3, len(commands))):
            line = text.split("\n")[0].replace("\0", "")
            if "{text}" in command and (not line or line.startswith("-")):
                continue
            arguments = [part.replace("{file}", str(file)).replace("{text}", line) for part in command]
            stdin = b""
            if arguments[-1] == "<":
                arguments.pop()
                # A search takes as long as it is asked to.
                stdin = re.sub(r"(?m)^.*\bgo\b.*$", "go nodes 50", text).encode(errors="replace")
            code, err, late = run(arguments, stdin)
            runs += 1
            if not late and code in (0, 1, 2) and "[INTERNAL]" not in err:
                continue
            found += 1
            kept = FOUND / f"program-{seed}-{runs}-{name}"
            kept.write_text(text, errors="replace")
            what = "took too long" if late else f"signal {signal.Signals(-code).name}" if code < 0 else f"exit {code}"
            again = " ".join(part.replace(str(file), str(kept.relative_to(ROOT))) for part in ["build/parlor", *arguments])
            print(f"FOUND ({what}): {again}\n  {err.strip()[-300:]}", flush=True)
        if time.time() - said > 30:
            said = time.time()
            print(f"{said - began:6.0f} s  {runs} runs  {found} found", flush=True)
    print(f"program: {runs} runs in {time.time() - began:.0f} s, " + (f"{found} FOUND" if found else "nothing found"))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
