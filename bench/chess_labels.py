#!/usr/bin/env python3
"""What a strong engine says about positions, for fitting the evaluation of chess (docs/performance.md).

    build/bench/bench_chess_positions 200000 | bench/chess_labels.py > positions.txt

Each line of the answer is a FEN and, for every move after which nothing is left to be captured, what the engine says
about the position behind it, in hundredths of a pawn for whoever made the move: "FEN;e2e4 31;d2d4 28".
"""
import re
import subprocess
import sys
import threading

ENGINE = sys.argv[1] if len(sys.argv) > 1 else "/usr/games/stockfish"
# Lines of one move: the engine stopped right behind it.
SAID = re.compile(r"^info depth 1 .* multipv \d+ score cp (-?\d+) .* pv (\S+)$")


def ask(engine):
    engine.stdin.write("setoption name MultiPV value 256\nsetoption name Hash value 4\n")
    for fen in sys.stdin:
        fens.append(fen.strip())
        engine.stdin.write(f"position fen {fen.strip()}\ngo depth 1\n")
    engine.stdin.write("isready\nquit\n")
    engine.stdin.close()


fens = []
engine = subprocess.Popen([ENGINE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16)
threading.Thread(target=ask, args=(engine,), daemon=True).start()
said, answered = [], 0
for line in engine.stdout:
    if line.startswith("bestmove"):
        if said:
            print(fens[answered] + "".join(f";{move} {score}" for move, score in said))
        said, answered = [], answered + 1
    elif found := SAID.match(line.rstrip()):
        said.append((found[2], found[1]))
