#!/usr/bin/python3
"""Counterfactual regret minimisation (CFR+) in forty lines, for any small game of two players.

usage: cfr_kuhn.py [GAME [ITERATIONS]]
"""
import sys

import parlor


def share(weights):
    total = sum(weights)
    return [w / total if total > 0 else 1 / len(weights) for w in weights]


class Spot:
    """What a player knows who has to decide: states that look alike share regrets and strategy."""

    def __init__(self, options):
        self.regrets, self.sums, self.policy = [0.0] * options, [0.0] * options, [1 / options] * options


class Node:
    def __init__(self, state, spots):
        self.returns, self.player = state.returns(), state.current_player()
        self.chances, self.children = [p for _, p in state.chance_outcomes()], []
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            self.children.append(Node(child, spots))
        if self.player >= 0:
            self.spot = spots.setdefault((self.player, state.information_state_key(self.player)), Spot(len(self.children)))

    def walk(self, mine, others, learner, weight):
        """What the learner gets; `mine`, `others`: how likely the one and the rest came to this."""
        if not self.children:
            return self.returns[learner]
        policy = self.chances or self.spot.policy
        if self.player != learner:
            return sum(p * c.walk(mine, others * p, learner, weight) for p, c in zip(policy, self.children) if p)
        values = [c.walk(mine * p, others, learner, weight) for p, c in zip(policy, self.children)]
        mean = sum(p * v for p, v in zip(policy, values))
        for i, value in enumerate(values):
            self.spot.regrets[i] += others * (value - mean)
            self.spot.sums[i] += weight * mine * policy[i]
        return mean

    def value(self, player):
        """What a player gets when both follow the average strategy."""
        policy = self.chances or self.children and share(self.spot.sums)
        return sum(p * c.value(player) for p, c in zip(policy, self.children)) if policy else self.returns[player]


def train(name="kuhn-poker", iterations=300):
    spots = {}
    root = Node(parlor.load_game(name).new_initial_state(), spots)
    for i in range(2 * iterations):
        root.walk(1.0, 1.0, i % 2, i)  # later rounds weigh more in the average
        for spot in spots.values():
            spot.regrets = [max(0.0, r) for r in spot.regrets]
            spot.policy = share(spot.regrets)
    return root.value(0), len(spots)


if __name__ == "__main__":
    value, sets = train(*sys.argv[1:2], *map(int, sys.argv[2:3]))
    print(f"{sets} information sets, worth {value:+.5f} to the first player")
