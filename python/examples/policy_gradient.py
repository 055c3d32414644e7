#!/usr/bin/python3
"""A small network learns connect four by policy gradient, in numpy alone: it plays the first seat
against `random`, many games side by side, and does more often what won.

usage: policy_gradient.py [SECONDS]
"""
import sys
import time

import numpy

import parlor

ROWS, HIDDEN, RATE, DISCOUNT = 256, 96, 2e-3, 0.97


class Policy:
    def __init__(self, inputs, actions, seed=0):
        rng = numpy.random.default_rng(seed)
        self.rng = rng
        self.weights = [rng.normal(0, inputs ** -0.5, (inputs, HIDDEN)).astype(numpy.float32),
                        numpy.zeros(HIDDEN, numpy.float32),
                        rng.normal(0, 0.01, (HIDDEN, actions)).astype(numpy.float32),
                        numpy.zeros(actions, numpy.float32)]
        self.means = [numpy.zeros_like(w) for w in self.weights]
        self.squares = [numpy.zeros_like(w) for w in self.weights]
        self.steps = 0

    def probabilities(self, obs, mask):
        a, b, c, d = self.weights
        self.hidden = numpy.maximum(obs @ a + b, 0)
        scores = numpy.where(mask != 0, self.hidden @ c + d, -1e9)
        scores = numpy.exp(scores - scores.max(1, keepdims=True))
        return scores / scores.sum(1, keepdims=True)

    def choose(self, obs, mask):
        p = self.probabilities(obs, mask)
        return (p.cumsum(1) > self.rng.random((len(p), 1))).argmax(1).astype(numpy.int32)

    def learn(self, obs, mask, actions, gains):
        """One step of Adam that makes actions with a gain more likely."""
        p = self.probabilities(obs, mask)
        p[numpy.arange(len(p)), actions] -= 1
        p *= (gains / len(p))[:, None]
        back = (p @ self.weights[2].T) * (self.hidden > 0)
        gradients = [obs.T @ back, back.sum(0), self.hidden.T @ p, p.sum(0)]
        self.steps += 1
        for w, g, m, s in zip(self.weights, gradients, self.means, self.squares):
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            w -= RATE * m / (1 - 0.9 ** self.steps) / (numpy.sqrt(s / (1 - 0.999 ** self.steps)) + 1e-8)


def train(seconds=100, seed=1):
    env = parlor.VecEnv("connect-four", ROWS, seed=seed, opponents={1: "random"})
    policy = Policy(env.obs.shape[1], env.mask.shape[1], seed)
    moves = [[] for _ in range(ROWS)]  # of the game under way in each row
    batch, began, baseline = [], time.process_time(), 0.0
    while time.process_time() - began < seconds:
        obs, mask = env.obs.copy(), env.mask.copy()
        actions = policy.choose(obs, mask)
        env.step(actions)
        for row in range(ROWS):
            moves[row].append((obs[row], mask[row], actions[row]))
        for row in numpy.flatnonzero(env.terminated):
            gain = float(env.reward[row, 0])
            for age, move in enumerate(reversed(moves[row])):
                batch.append((*move, (gain - baseline) * DISCOUNT ** age))
            baseline += 0.002 * (gain - baseline)
            moves[row] = []
        if len(batch) >= 4096:
            policy.learn(*(numpy.array(column) for column in zip(*batch)))
            batch = []
    return policy


def score(policy, games=500, seed=99):
    """The share of games won as the first player against random."""
    env = parlor.VecEnv("connect-four", games, seed=seed, autoreset="disabled", opponents={1: "random"})
    won = numpy.zeros(games, bool)
    while (env.player >= 0).any():
        live = env.player >= 0
        env.step(policy.probabilities(env.obs, env.mask).argmax(1).astype(numpy.int32))
        won |= live & env.terminated & (env.reward[:, 0] > 0)
    return won.mean()


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 100
    print(f"before: {score(Policy(*parlor.VecEnv('connect-four', 1).obs.shape[1:], parlor.open('connect-four').num_distinct_actions())):.1%}")
    policy = train(seconds)
    print(f"after {policy.steps} updates in {seconds:g} s: {score(policy):.1%} of games against random are won")
