#!/usr/bin/python3
"""Random play against tree search at any game: who wins, and how often.

usage: random_against_mcts.py [GAME] [GAMES]
"""
import sys

import parlor


def main(name="connect-four", games="40"):
    result = parlor.simulate(name, ["mcts:iters=200", "random"], games=int(games), rotate=True)
    for agent, row in zip(("mcts", "random"), result["agents"]):
        print(f"{agent:8} {row['wins']:4} won {row['shared']:4} shared {row['losses']:4} lost")
    return result


if __name__ == "__main__":
    main(*sys.argv[1:])
