#!/usr/bin/env python3
"""Matches of `parlor uci` against another UCI engine, with a third program as referee.

    bench/match.py                                   10 games against Stockfish at skill 6, 100 ms a move
    bench/match.py --games 20 --skill 8 --movetime 50
    bench/match.py --clock 2000+20                   with clocks; losing on time counts
    bench/match.py --variant atomic --opponent fairy-stockfish

The referee (Stockfish, or Fairy-Stockfish for variants) is asked for the legal moves of every position, so an
illegal move loses, whoever makes it. Repetition and fifty moves are counted here. Games come in pairs: both
engines play each opening with either colour. The last line is a table row; the exit code is 1 when Parlor made
an illegal move, lost on time or did not answer.
"""
import argparse
import re
import subprocess
import sys
import time

OPENINGS = [
    "", "e2e4 e7e5 g1f3 b8c6", "d2d4 d7d5 c2c4 e7e6", "e2e4 c7c5 g1f3 d7d6", "d2d4 g8f6 c2c4 g7g6",
    "e2e4 e7e6 d2d4 d7d5", "c2c4 e7e5 b1c3 g8f6", "g1f3 d7d5 g2g3 g8f6", "e2e4 c7c6 d2d4 d7d5", "f2f4 d7d5 g1f3 g7g6",
]


class Engine:
    def __init__(self, command, options):
        self.process = subprocess.Popen(command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.ask("uci", "uciok")
        for name, value in options.items():
            self.tell(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, until):
        self.tell(line)
        answer = []
        while True:
            text = self.process.stdout.readline()
            if not text:
                raise EOFError(f"no answer to {line}")
            answer.append(text.rstrip("\n"))
            if text.startswith(until):
                return answer

    def close(self):
        try:
            self.tell("quit")
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()


class Referee:
    def __init__(self, command, variant):
        options = {"UCI_Variant": variant} if variant != "chess" else {}
        self.engine = Engine(command, options)

    def look(self, moves):
        """The legal moves, whether the side to move is in check, and the FEN."""
        self.engine.tell("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        shown = self.engine.ask("d", "Checkers")
        fen = next(line[5:] for line in shown if line.startswith("Fen: "))
        listed = self.engine.ask("go perft 1", "Nodes searched")
        legal = [line.split(":")[0] for line in listed if re.match(r"^[a-zA-Z0-9@+]+: 1$", line)]
        return legal, len(shown[-1].strip()) > len("Checkers:"), fen


def bare(fen):
    """Nobody can mate: kings alone, or with one minor piece."""
    pieces = [c for c in fen.split()[0] if c.isalpha() and c not in "kK"]
    return not pieces or (len(pieces) == 1 and pieces[0].lower() in "bn")


def play(engines, referee, opening, think, clock, variant, nodes, parlor):
    """Plays one game; returns (winner 0/1 or None, why). engines[0] is White."""
    moves = opening.split()
    seen = {}
    left = [clock[0], clock[0]] if clock else None
    for engine in engines:
        engine.tell("ucinewgame")
        engine.ask("isready", "readyok")
    while True:
        legal, check, fen = referee.look(moves)
        turn = len(moves) % 2
        fields = fen.split()
        if not legal:
            if variant in ("antichess", "giveaway", "suicide"):
                return turn, "no moves"
            return (1 - turn, "mate") if check or variant != "chess" else (None, "stalemate")
        key = " ".join(fields[:4])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] >= 3:
            return None, "repetition"
        if int(fields[-2]) >= 100:
            return None, "fifty moves"
        if variant == "chess" and bare(fen):
            return None, "material"
        if len(moves) > 500:
            return None, "too long"
        engine = engines[turn]
        engine.tell("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        order = f"go movetime {think}"
        if clock:
            order = f"go wtime {left[0]} btime {left[1]} winc {clock[1]} binc {clock[1]}"
        if nodes and engine is parlor:
            order = f"go nodes {nodes}"
        began = time.monotonic()
        move = engine.ask(order, "bestmove")[-1].split()[1]
        spent = int((time.monotonic() - began) * 1000)
        if clock:
            left[turn] += clock[1] - spent
            if left[turn] - clock[1] < 0:
                return 1 - turn, f"time ({-left[turn]} ms late)"
        if move not in legal:
            return 1 - turn, f"illegal {move} in {fen}"
        moves.append(move)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parlor", default="build/parlor uci")
    parser.add_argument("--opponent", default="/usr/games/stockfish")
    parser.add_argument("--referee", default=None)
    parser.add_argument("--variant", default="chess")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--skill", type=int, default=6)
    parser.add_argument("--movetime", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=0, help="positions for Parlor instead of time, where others use the machine")
    parser.add_argument("--clock", default="", help="milliseconds+increment")
    args = parser.parse_args()
    fairy = "/usr/games/fairy-stockfish"
    opponent = fairy if args.opponent == "fairy-stockfish" else args.opponent
    variant = {"UCI_Variant": args.variant} if args.variant != "chess" else {}
    parlor = Engine(args.parlor, variant)
    other = Engine(opponent, {"Skill Level": args.skill, "Threads": 1, "Hash": 16, **variant})
    referee = Referee(args.referee or ("/usr/games/stockfish" if args.variant == "chess" else fairy), args.variant)
    clock = [int(part) for part in args.clock.split("+")] if args.clock else None
    score, faults = 0.0, 0
    openings = OPENINGS if args.variant == "chess" else [""]
    for game in range(args.games):
        white = game % 2 == 0
        engines = [parlor, other] if white else [other, parlor]
        try:
            winner, why = play(engines, referee, openings[game // 2 % len(openings)], args.movetime, clock, args.variant,
                               args.nodes, parlor)
        except EOFError as error:
            winner, why = (1 if white else 0), str(error)
        won = winner is not None and (winner == 0) == white
        points = 0.5 if winner is None else float(won)
        score += points
        if not won and winner is not None and why.split()[0] in ("illegal", "time", "no"):
            faults += 1
        print(f"game {game + 1}: Parlor is {'white' if white else 'black'}, {points:g} ({why}); {score:g} of {game + 1}", flush=True)
    terms = args.clock or f"{args.movetime} ms a move" + (f", Parlor {args.nodes} positions" if args.nodes else "")
    print(f"| {args.variant} | {opponent.split('/')[-1]} skill {args.skill} | {terms} | {score:g} of {args.games} |")
    for engine in (parlor, other, referee.engine):
        engine.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
