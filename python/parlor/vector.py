"""Many games side by side: arrays in, arrays out."""
from concurrent.futures import ThreadPoolExecutor

import numpy

from . import spaces
from ._core import VectorTable
from .game import open as open_game


class VecEnv:
    """`num_envs` rows, in each of which one game after the other is played. The arrays belong to the
    env, are read-only and change with every step; copy what is to stay.

    obs         float32 [N, numbers]        what the decider sees (`observe="all"`: [N, players, numbers])
    mask        uint8 [N, actions]          what the decider may do
    player      int8 [N]                    who decides; -4: the game is over
    reward      float32 [N, players]
    terminated, truncated   bool [N]
    final_obs   float32 [N, players, numbers], final_return float32 [N, players]: of rows that ended
    episode     int64 [N]                   number of the game in this row
    """

    AUTORESET = ("same_step", "next_step", "disabled")

    def __init__(self, game, num_envs, seed=0, autoreset="same_step", observe="decider",
                 reward="terminal", threads=1, max_decisions=None, opponents=None, _table=None):
        self.game = open_game(game) if isinstance(game, str) else game
        self.num_envs, self.seed, self.autoreset, self.observe = num_envs, seed, autoreset, observe
        self.reward_kind, self.threads, self.max_decisions = reward, threads, max_decisions
        self.opponents = dict(opponents or {})
        self._table = _table or VectorTable(
            self.game, num_envs, seed % 2**64, autoreset, observe if observe is not None else "none",
            reward, threads, max_decisions or 0, self.opponents)
        self.single_observation_space = spaces.observation_space(self.game)
        self.single_action_space = spaces.action_space(self.game)
        arrays = self._table.arrays()
        self.obs = arrays.get("obs")
        self.mask, self.player, self.reward = arrays["mask"], arrays["player"], arrays["reward"]
        self.terminated = arrays["terminated"].view(bool)
        self.truncated = arrays["truncated"].view(bool)
        self.final_obs, self.final_return = arrays.get("final_obs"), arrays["final_return"]
        self.episode = arrays["episode"]
        self._pool = self._waiting = None

    @property
    def config(self):
        """What this env was made with: `VecEnv(**config)` makes it again."""
        return {"game": self.game.opening["game"], "num_envs": self.num_envs, "seed": self.seed,
                "autoreset": self.autoreset, "observe": self.observe, "reward": self.reward_kind,
                "threads": self.threads, "max_decisions": self.max_decisions,
                "opponents": self.opponents}

    def parts(self, obs=None):
        """The parts of observations by name, each in its shape: views of the same memory."""
        obs = self.obs if obs is None else obs
        out, at = {}, 0
        for part in self.game.tensor_parts:
            size = int(numpy.prod(part["shape"]))
            out[part["name"]] = obs[..., at:at + size].reshape(*obs.shape[:-1], *part["shape"])
            at += size
        return out

    def reset(self, mask=None):
        """Begins new games, in all rows or where `mask` is true."""
        self._table.reset(mask)
        return self.obs, {"action_mask": self.mask}

    def step(self, actions):
        """One action for each row. If one is not legal, nothing happens and Rejected says which."""
        self._table.step(actions)
        return self.obs, self.reward, self.terminated, self.truncated, {"action_mask": self.mask}

    def step_async(self, actions):
        if self._waiting is not None:
            raise RuntimeError("a step is under way: step_wait first")
        self._pool = self._pool or ThreadPoolExecutor(1)
        self._waiting = self._pool.submit(self._table.step, numpy.array(actions, numpy.int32))

    def step_wait(self):
        if self._waiting is None:
            raise RuntimeError("no step is under way")
        waiting, self._waiting = self._waiting, None
        waiting.result()
        return self.obs, self.reward, self.terminated, self.truncated, {"action_mask": self.mask}

    def rollout(self, steps, seed=0):
        """Plays at random, for measuring; gives the number of decisions."""
        self._table.rollout(steps, seed % 2**64)
        return steps * self.num_envs

    def get_state(self, rows):
        return [self._table.get_state(int(row)) for row in rows]

    def set_state(self, rows, states):
        for row, state in zip(rows, states, strict=True):
            self._table.set_state(int(row), state)

    def game_seed(self, row, game):
        """The seed of game number `game` of a row."""
        return self._table.game_seed(row, game)

    def clone(self):
        config = {**self.config, "game": self.game}
        return VecEnv(**config, _table=self._table.clone())

    def __repr__(self):
        return f"<parlor.VecEnv {self.game.info['id']} num_envs={self.num_envs} " \
               f"autoreset={self.autoreset} observe={self.observe} threads={self.threads}>"
