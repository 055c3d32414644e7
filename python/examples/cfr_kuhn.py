#!/usr/bin/python3
"""Counterfactual regret minimisation in forty lines, for any small game of two players."""
import sys

import parlor


def share(weights):
    total = sum(weights)
    return [w / total if total > 0 else 1 / len(weights) for w in weights]


class Node:
    def __init__(self, state, tables):
        self.returns, self.player, self.children = state.returns(), state.current_player(), []
        self.chances = [p for _, p in state.chance_outcomes()]
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            self.children.append(Node(child, tables))
        if self.player >= 0:  # states that look alike to the player share regrets and strategy
            key = self.player, state.information_state_key(self.player)
            self.regrets, self.sums = tables.setdefault(key, ([0.0] * len(self.children), [0.0] * len(self.children)))

    def walk(self, mine, others, learner):
        """What the learner gets; `mine`, `others`: how likely the one and the rest came to this."""
        if not self.children:
            return self.returns[learner]
        policy = self.chances or share([max(0.0, r) for r in self.regrets])
        if self.player != learner:
            return sum(p * c.walk(mine, others * p, learner) for p, c in zip(policy, self.children))
        values = [c.walk(mine * p, others, learner) for p, c in zip(policy, self.children)]
        mean = sum(p * v for p, v in zip(policy, values))
        for i, value in enumerate(values):
            self.regrets[i] += others * (value - mean)
            self.sums[i] += mine * policy[i]
        return mean

    def value(self, player):
        """What a player gets when both follow the average strategy."""
        policy = self.chances or self.children and share(self.sums)
        return sum(p * c.value(player) for p, c in zip(policy, self.children)) if policy else self.returns[player]


def train(name="kuhn-poker", iterations=2000):
    tables = {}
    root = Node(parlor.load_game(name).new_initial_state(), tables)
    for i in range(2 * iterations):
        root.walk(1.0, 1.0, i % 2)
    return root.value(0), len(tables)


if __name__ == "__main__":
    value, sets = train(*sys.argv[1:2], *map(int, sys.argv[2:3]))
    print(f"{sets} information sets, worth {value:+.5f} to the first player")
