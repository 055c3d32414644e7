#!/usr/bin/env python3
"""Rows for the tables in this folder: positions after random moves, counted with fairy-stockfish.

    tests/chess/data/count_with_fairy.py capablanca --rules capablanca --positions 200 >> large_boards.tsv

Rule, FEN, and how many sequences of 1, 2 and 3 moves there are. The same seed gives the same positions.
"""
import argparse
import random
import re
import subprocess


class Fairy:
    def __init__(self, command, variant, chess960):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("uci", "uciok")
        self.tell(f"setoption name UCI_Variant value {variant}")
        if chess960:
            self.tell("setoption name UCI_Chess960 value true")
        self.ask("isready", "readyok")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, until):
        self.tell(line)
        answer = []
        while True:
            answer.append(self.process.stdout.readline().rstrip("\n"))
            if answer[-1].startswith(until):
                return answer

    def counted(self, depth):
        """The moves with how often they begin a sequence, and the number of all sequences."""
        lines = self.ask(f"go perft {depth}", "Nodes searched")
        moves = [line.split(": ")[0] for line in lines if re.match(r"^[a-zA-Z0-9@+]+: \d+$", line)]
        return moves, int(lines[-1].split()[-1])

    def fen(self):
        return next(line[5:] for line in self.ask("d", "Checkers") if line.startswith("Fen: "))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant")
    parser.add_argument("--rules", required=True, help="what the first column says")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", default="", help="a FEN; otherwise where the variant begins")
    parser.add_argument("--chess960", action="store_true")
    parser.add_argument("--command", default="/usr/games/fairy-stockfish")
    args = parser.parse_args()
    fairy = Fairy(args.command, args.variant, args.chess960)
    start = f"fen {args.start}" if args.start else "startpos"
    chance = random.Random(args.seed)
    seen = set()
    while len(seen) < args.positions:
        moves = []
        for _ in range(chance.randrange(0 if not seen else 2, 90)):
            fairy.tell(f"position {start} moves {' '.join(moves)}")
            legal, _ = fairy.counted(1)
            if not legal:
                break
            moves.append(chance.choice(legal))
        fairy.tell(f"position {start} moves {' '.join(moves)}")
        fen = fairy.fen()
        if fen in seen:
            continue
        seen.add(fen)
        print(args.rules, fen, " ".join(str(fairy.counted(depth)[1]) for depth in (1, 2, 3)), sep="\t", flush=True)
    fairy.tell("quit")


if __name__ == "__main__":
    main()
