"""Many games side by side: arrays in, arrays out."""
from concurrent.futures import ThreadPoolExecutor

import numpy

from . import spaces
from ._core import State, VectorTable
from .arguments import limit, one_of, seed_of, whole
from .game import opened, reward_scale
from .gym import REWARDS
from .play import MOST_THREADS


class VecEnv:
    """`num_envs` rows, in each of which one game after the other is played. The arrays belong to the
    env, are read-only and change with every step; copy what is to stay, or let `copy=True` do it with
    what `reset` and `step` give.

    obs         float32 [N, numbers]        what the decider sees (`observe="all"`: [N, players, numbers]);
                                            `dtype="u1"`: bytes, see `floats`
    mask        uint8 [N, actions]          what the decider may do; `packed_mask=True`: uint64 [N, words],
                                            action a is bit a % 64 of word a // 64
    player      int8 [N]                    who decides; -4: the game is over
    reward      float32 [N, players]
    terminated, truncated   bool [N]
    final_obs   float32 [N, players, numbers], final_return float32 [N, players]: of rows that ended
    episode     int64 [N]                   number of the game in this row
    """

    AUTORESET = ("same_step", "next_step", "disabled")

    def __init__(self, game, num_envs, seed=0, autoreset="same_step", observe="decider",
                 chance="resolve", threads=1, *, reward="terminal", max_decisions=None, opponents=None,
                 dtype="f4", packed_mask=False, copy=False, _table=None):
        self.game = opened(game)
        num_envs, threads = whole("num_envs", num_envs, 1, 2**24), whole("threads", threads, 0, MOST_THREADS)
        seed, max_decisions = whole("seed", seed), limit(max_decisions)
        for name, value, known in (("autoreset", autoreset, self.AUTORESET), ("observe", observe, (None, "decider", "all")),
                                   ("reward", reward, REWARDS), ("dtype", dtype, ("f4", "u1"))):
            one_of(name, value, known)
        if opponents is not None and not isinstance(opponents, dict):
            raise TypeError(f"opponents are agents by seat, {{1: \"random\"}}, not {opponents!r}")
        for seat, agent in (opponents or {}).items():
            whole("a seat", seat, 0, self.game.num_players() - 1)
            if not isinstance(agent, str):
                raise TypeError(f"opponents of a table are texts, which play without Python, not {agent!r}: "
                                "callables play in GymEnv and simulate")
        if chance != "resolve":
            raise ValueError(f"chance is always resolved here (\"resolve\"), not {chance!r}")
        self.num_envs, self.seed, self.autoreset, self.observe = num_envs, seed, autoreset, observe
        self.reward_kind, self.threads, self.max_decisions = reward, threads, max_decisions
        self.opponents = dict(opponents or {})
        self.dtype, self.packed_mask, self.copy = dtype, bool(packed_mask), bool(copy)
        self.reward_scale = reward_scale(self.game)
        self._table = _table or VectorTable(
            self.game, num_envs, seed_of(seed), autoreset, observe if observe is not None else "none",
            reward, self.reward_scale, dtype, "bits" if packed_mask else "bytes", threads, max_decisions or 0,
            self.opponents)
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
        """What this env was made with: `VecEnv(**config)` makes it again. The game is its name; one
        that was opened in another way must be opened so again (`env.game.opening`)."""
        return {"game": self.game.opening["game"], "num_envs": self.num_envs, "seed": self.seed,
                "autoreset": self.autoreset, "observe": self.observe, "reward": self.reward_kind,
                "threads": self.threads, "max_decisions": self.max_decisions,
                "opponents": self.opponents, "dtype": self.dtype, "packed_mask": self.packed_mask,
                "copy": self.copy}

    def floats(self, obs=None):
        """Observations that are bytes as the numbers they stand for: 0 is the low end of a number's
        space, 255 the high."""
        obs = self.obs if obs is None else obs
        if obs.dtype != numpy.uint8:
            return obs
        space = self.single_observation_space
        low, high = space.low.reshape(-1), space.high.reshape(-1)
        return (low + obs * ((high - low) / 255)).astype(numpy.float32)

    def unpacked_mask(self, mask=None):
        """A mask of bits as one of bytes, [N, actions]."""
        mask = self.mask if mask is None else mask
        if not self.packed_mask:
            return mask
        little = numpy.ascontiguousarray(mask).astype("<u8", copy=False).view(numpy.uint8)
        return numpy.unpackbits(little, axis=1, bitorder="little")[:, :self.single_action_space.n]

    def shared(self, field):
        """The memory of an array for others, without a copy: `torch.from_dlpack(env.shared("obs"))`. It can be
        written to, since dlpack knows no other memory, but nobody should. Flags are bytes."""
        self._idle()
        arrays = self._table.arrays(True)
        if field not in arrays:
            raise ValueError(f"there is no array {field!r}, only {', '.join(arrays)}")
        return arrays[field]

    def _given(self, *arrays):
        return tuple(a.copy() if a is not None else None for a in arrays) if self.copy else arrays

    def parts(self, obs=None):
        """The parts of observations by name, each in its shape: views of the same memory."""
        obs = self.obs if obs is None else obs
        out, at = {}, 0
        for part in self.game.tensor_parts:
            size = int(numpy.prod(part["shape"]))
            out[part["name"]] = obs[..., at:at + size].reshape(*obs.shape[:-1], *part["shape"])
            at += size
        return out

    def reset(self, mask=None, *, seed=None, options=None):
        """Begins new games, in all rows or where `mask` is true (gymnasium says `options={"reset_mask": mask}`). With
        a seed everything begins anew, as in an env that was made with it."""
        self._idle()
        if mask is None and options:
            mask = options.get("reset_mask")
        if seed is None:
            self._table.reset(mask)
        elif mask is not None:
            raise ValueError("a seed is for all rows: without a mask")
        else:
            self.seed = whole("seed", seed)
            self._table.restart(seed_of(seed))
        obs, mask = self._given(self.obs, self.mask)
        return obs, {"action_mask": mask}

    def step(self, actions):
        """One action for each row. If one is not legal, nothing happens and Rejected says which."""
        self._idle()
        self._table.step(actions)
        return self._stepped()

    def step_async(self, actions):
        """Begins a step on a thread of its own; `step_wait` gives what it leads to."""
        self._idle()
        self._pool = self._pool or ThreadPoolExecutor(1)
        self._waiting = self._pool.submit(self._table.step, numpy.array(actions))

    def step_wait(self):
        if self._waiting is None:
            raise RuntimeError("no step is under way")
        waiting, self._waiting = self._waiting, None
        waiting.result()
        return self._stepped()

    def _stepped(self):
        obs, reward, terminated, truncated, mask = self._given(
            self.obs, self.reward, self.terminated, self.truncated, self.mask)
        return obs, reward, terminated, truncated, {"action_mask": mask}

    def _idle(self):
        if self._table is None:
            raise RuntimeError("the env is closed")
        if self._waiting is not None:
            raise RuntimeError("a step is under way: step_wait first")

    def rollout(self, steps, policy="random", seed=0):
        """Plays at random, for measuring; gives the number of decisions."""
        steps, seed = whole("steps", steps, 0, 2**63 - 1), seed_of(seed)
        if policy != "random":
            raise ValueError(f"the policy is random, not {policy!r}")
        self._idle()
        self._table.rollout(steps, seed)
        return steps * self.num_envs

    def get_state(self, rows):
        """The states of some rows, which go on by themselves."""
        self._idle()
        return [self._table.get_state(row) for row in rows]

    def set_state(self, rows, states):
        """Goes on from these states in these rows."""
        self._idle()
        for row, state in zip(rows, states, strict=True):
            if not isinstance(state, State):
                raise TypeError(f"a row goes on from a parlor.State, not {state!r}")
            self._table.set_state(row, state)

    def game_seed(self, row, game):
        """The seed of game number `game` of a row."""
        return self._table.game_seed(row, game)

    def clone(self):
        self._idle()
        config = {**self.config, "game": self.game}
        return VecEnv(**config, _table=self._table.clone())

    def __deepcopy__(self, memo):
        return self.clone()

    __copy__ = clone

    def __reduce__(self):
        raise TypeError("a VecEnv is not pickled: make one where it is needed, VecEnv(**env.config), and send states "
                        "(env.get_state(rows))")

    def close(self):
        """Ends its threads. The arrays stay as they are."""
        if self._waiting is not None:
            self._waiting.exception()
        if self._pool is not None:
            self._pool.shutdown()
        self._table = self._pool = self._waiting = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __repr__(self):
        return f"<parlor.VecEnv {self.game.info['id']} num_envs={self.num_envs} " \
               f"autoreset={self.autoreset} observe={self.observe} threads={self.threads} " \
               f"dtype={self.dtype}>"
