#!/usr/bin/env python3
"""Drives `parlor uci` the way a graphical program does, and says what it does not like.

    bench/uci_session.py [build/parlor]

Clocks, fixed depth, nodes and time, mate searches, infinite, pondering, MultiPV, threads, variants, chess960, and lines
that make no sense. The limits on time are wide: other things run on this machine. The exit code is 1 when something is wrong.
"""
import queue
import subprocess
import sys
import threading
import time


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))

    def tell(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, until, seconds):
        """Everything said until a line begins so, that line (or nothing), and how long it took."""
        said, began = [], time.monotonic()
        while time.monotonic() - began < seconds:
            try:
                said.append(self.lines.get(timeout=0.05))
            except queue.Empty:
                continue
            if until and said[-1].startswith(until):
                return said, said[-1], time.monotonic() - began
        return said, None, time.monotonic() - began

    def ask(self, *lines, until="bestmove", seconds=60):
        self.tell(*lines)
        return self.hear(until, seconds)


faults = 0


def expect(what, good, saw=""):
    global faults
    faults += not good
    print(f"{'fine ' if good else 'FOUND'} {what} {saw}", flush=True)


def greet(engine):
    said, last, _ = engine.ask("uci", until="uciok")
    expect("uciok", last is not None)
    for name in ("Hash", "Threads", "MultiPV", "Clear Hash", "Ponder", "UCI_Variant", "UCI_AnalyseMode", "UCI_Chess960"):
        expect(f"option {name}", any(line.startswith(f"option name {name} type") for line in said))
    expect("readyok", engine.ask("isready", until="readyok")[1] is not None)


def clocks(engine):
    engine.tell("setoption name Hash value 8", "setoption name Clear Hash", "ucinewgame", "position startpos moves e2e4 e7e5")
    said, last, took = engine.ask("go wtime 6000 btime 6000 winc 100 binc 100")
    expect("less than a third of the clock", last is not None and took < 2.5, f"{took:.2f} s")
    info = [line for line in said if line.startswith("info depth")][-1]
    for field in (" depth ", " seldepth ", " score ", " nodes ", " nps ", " hashfull ", " pv "):
        expect(f"info tells{field}", field in info)
    for order, most in (("go wtime 300 btime 300", 0.6), ("go wtime 0 btime 0", 0.5), ("go wtime -50 btime -50", 0.5),
                        ("go wtime 900 btime 900 movestogo 1", 0.8), ("go movetime 200", 0.7), ("go depth 5", 30),
                        ("go nodes 5000", 10), ("go mate 2", 60)):
        _, last, took = engine.ask(order)
        expect(order, last is not None and took < most, f"{took:.2f} s")


def waiting(engine):
    said, _, _ = engine.ask("go infinite", until=None, seconds=1)
    expect("infinite says no move by itself", not any(line.startswith("bestmove") for line in said))
    expect("isready during a search", engine.ask("isready", until="readyok", seconds=2)[1] is not None)
    expect("stop is answered", engine.ask("stop", seconds=2)[1] is not None)
    said, _, _ = engine.ask("go ponder wtime 2000 btime 2000", until=None, seconds=0.7)
    expect("pondering says no move by itself", not any(line.startswith("bestmove") for line in said))
    expect("ponderhit is answered", engine.ask("ponderhit", seconds=5)[1] is not None)
    engine.ask("go ponder wtime 2000 btime 2000", until=None, seconds=0.3)
    expect("stop while pondering", engine.ask("stop", seconds=3)[1] is not None)


def choices(engine):
    said, last, _ = engine.ask("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go depth 4")
    expect("mate in one", last.startswith("bestmove a1a8") and any("score mate 1" in line for line in said))
    said, _, _ = engine.ask("setoption name MultiPV value 3", "position startpos", "go depth 5")
    expect("three lines", all(any(f" multipv {rank} " in line for line in said) for rank in (1, 2, 3)))
    engine.tell("setoption name MultiPV value 1")
    expect("two threads", engine.ask("setoption name Threads value 2", "go movetime 200")[1] is not None)
    _, last, _ = engine.ask("setoption name Threads value 1", "go searchmoves a2a3 h2h3 depth 4")
    expect("searchmoves", last.split()[1] in ("a2a3", "h2h3"), last)
    for variant in ("atomic", "crazyhouse", "3check", "antichess", "horde", "racingkings", "kingofthehill", "knightmate", "grand",
                    "capablanca", "chess"):
        _, last, _ = engine.ask(f"setoption name UCI_Variant value {variant}", "position startpos", "go nodes 3000")
        expect(f"variant {variant}", last is not None and "0000" not in last, last)
    said, _, _ = engine.ask("setoption name UCI_Variant value nonsense", "isready", until="readyok")
    expect("an unknown variant is named", any("info string" in line for line in said))
    _, last, _ = engine.ask("setoption name UCI_Chess960 value true",
                            "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 moves e2e4", "go depth 3")
    expect("chess960", last is not None, last)
    engine.tell("setoption name UCI_Chess960 value false")


def nonsense(engine):
    engine.tell("", "   ", "hello world", "position", "position fen", "position fen x", "position startpos moves e2e5", "go wtime",
                "go depth x", "go perft", "setoption", "setoption name", "setoption name Hash value abc", "setoption name Hash value -5",
                "debug on", "register later", "go movetime", "position startpos moves", "go nodes 99999999999999999999999", "stop",
                "ponderhit", "stop")
    expect("nonsense is survived", engine.ask("stop", "isready", until="readyok", seconds=10)[1] is not None)
    engine.hear(None, 0.3)
    expect("and play goes on", engine.ask("position startpos", "go depth 3")[1] is not None)
    _, last, _ = engine.ask("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3")
    expect("no legal move", last == "bestmove 0000", last)
    _, last, _ = engine.ask("position startpos", "go perft 3", until="Nodes searched")
    expect("go perft 3", last == "Nodes searched: 8902", last)
    engine.ask("go infinite", until=None, seconds=0.2)
    engine.tell("quit")
    engine.process.wait(5)
    expect("quit during a search", engine.process.returncode == 0)


def main():
    engine = Engine([sys.argv[1] if len(sys.argv) > 1 else "build/parlor", "uci"])
    for part in (greet, clocks, waiting, choices, nonsense):
        part(engine)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
