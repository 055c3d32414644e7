"""One seat learns, agents play the others: the interface of gymnasium, without needing it."""
import operator

import numpy

from . import spaces
from ._core import Random, SeatedAgent
from .arguments import beginning, limit, one_of, whole
from .errors import Rejected
from .game import opened, reward_scale

try:
    from gymnasium import Env as _Base
except ImportError:
    class _Base:
        """What gymnasium's own has."""

        spec = None
        np_random = None

        def reset(self, *, seed=None, options=None):
            if seed is not None:
                self.np_random = numpy.random.default_rng(seed)

        @property
        def unwrapped(self):
            return self

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()

REWARDS = ("terminal", "standing")
ILLEGAL = ("raise", "lose", "random")
RENDER_MODES = ["ansi", "svg"]


def check_settings(reward, on_illegal, render_mode):
    """What GymEnv and AECEnv take alike."""
    one_of("reward", reward, REWARDS)
    one_of("on_illegal", on_illegal, ILLEGAL)
    one_of("render_mode", render_mode, (None, *RENDER_MODES))


def picture(state, render_mode, viewer):
    """A state as the mode has it: text, or the table as SVG."""
    if state is None:
        raise RuntimeError("reset comes first")
    return state.svg(viewer) if render_mode == "svg" else state.describe(viewer)


class GymEnv(_Base):
    """`reset(seed=…) -> (obs, info)`, `step(action) -> (obs, reward, terminated, truncated, info)`.
    `info["action_mask"]` says which actions are legal."""

    metadata = {"render_modes": RENDER_MODES, "name": "parlor"}

    def __init__(self, game, opponents=None, seat=0, reward="terminal", max_decisions=None,
                 on_illegal="raise", render_mode=None):
        check_settings(reward, on_illegal, render_mode)
        self.game = opened(game)
        players, seat = self.game.num_players(), whole("seat", seat)
        if not 0 <= seat < players:
            raise IndexError(f"there is no seat {seat}")
        self.seat, self.reward, self.on_illegal = seat, reward, on_illegal
        self.reward_scale = reward_scale(self.game)
        self.max_decisions, self.render_mode = limit(max_decisions), render_mode
        if opponents is None:  # a search that sees no more than its seat does
            opponents = "ismcts:iters=100" if self.game.info["hidden_information"] else "mcts:iters=100"
        others = [s for s in range(players) if s != seat]
        if isinstance(opponents, str) or callable(opponents):
            opponents = {s: opponents for s in others}
        elif not hasattr(opponents, "__iter__"):
            raise TypeError(f"opponents are agents, one or one for each other seat, not {opponents!r}")
        elif not isinstance(opponents, dict):
            opponents = list(opponents)
            if len(opponents) != len(others):
                raise ValueError(f"{len(opponents)} opponents for the seats {others}")
            opponents = dict(zip(others, opponents))
        if set(opponents) != set(others):
            raise ValueError(f"opponents are needed for the seats {others}")
        for agent in opponents.values():
            if not isinstance(agent, str) and not callable(agent):
                raise TypeError(f"an opponent is an agent's text or a callable, not {agent!r}")
            if not callable(agent):
                SeatedAgent(self.game, agent)  # what is wrong with its text is said here, not when it plays
        self.opponents = opponents
        self.observation_space = spaces.observation_space(self.game)
        self.action_space = spaces.action_space(self.game)
        self._state = None
        self.np_random = numpy.random.default_rng(0)  # seeds of games, one after the other

    def reset(self, *, seed=None, options=None):
        """A new game. The same seed gives the same game; without one the next of a series. `options`
        may hold a `state` to begin with."""
        super().reset(seed=seed)
        game_seed = int(self.np_random.integers(2**63))
        self._state = beginning(self.game, options, game_seed)
        self._chance = Random(game_seed, 1)
        self._illegal = Random(game_seed, 2)
        self._agents = {s: agent if callable(agent) else SeatedAgent(self.game, agent, game_seed)
                        for s, agent in self.opponents.items()}
        self._decisions = 0
        self._lost = False
        self._standing = self._state.standing()
        self._advance()
        return self._observation(), self._info()

    def step(self, action):
        if self._state is None:
            raise RuntimeError("reset comes first")
        if self._state.is_terminal() or self._lost:
            raise RuntimeError("the game is over: reset")
        action = operator.index(action)  # what would have to be rounded is a TypeError
        try:
            self._state.apply_action(action)
        except (IndexError, Rejected):
            if self.on_illegal == "raise":
                raise
            if self.on_illegal == "lose":
                self._lost = True
                return self._observation(), -1.0, True, False, self._info(illegal=True)
            legal = self._state.legal_actions()
            self._state.apply_action(legal[self._illegal.below(len(legal))])
        self._decisions += 1
        self._advance()
        over = self._state.is_terminal()
        cut = not over and self.max_decisions is not None and self._decisions >= self.max_decisions
        return self._observation(), self._reward(), over, cut, self._info()

    def _advance(self):
        """Chance and the others decide until the learner does."""
        state = self._state
        while not state.is_terminal() and state.current_player() != self.seat:
            player = state.current_player()
            if player < 0:
                state.apply_action(self._chance.draw(state))
                continue
            agent = self._agents[player]
            state.apply_action(agent(state) if callable(agent) else agent.choose(state))

    def _reward(self):
        if self.reward == "standing" and self._standing is not None:
            before, self._standing = self._standing, self._state.standing()
            return float(self._standing[self.seat] - before[self.seat]) * self.reward_scale
        return float(self._state.returns()[self.seat]) * self.reward_scale

    def _observation(self):
        return self._state.observation_tensor(self.seat)

    def _info(self, **more):
        mask = numpy.zeros(self.action_space.n, numpy.int8)
        if not self._lost and not self._state.is_terminal():
            mask[self._state.legal_actions()] = 1
        return {"action_mask": mask, **more}

    @property
    def state(self):
        """The state itself, for those who want to look behind the numbers."""
        return self._state

    def render(self):
        """`render_mode="svg"`: the table as a picture; otherwise as text. Seen from the learner's seat."""
        return picture(self._state, self.render_mode, self.seat)

    def close(self):
        self._state = None

    def __repr__(self):
        return f"<parlor.GymEnv {self.game.info['id']} seat={self.seat} " \
               f"opponents={self.opponents} reward={self.reward} on_illegal={self.on_illegal} " \
               f"max_decisions={self.max_decisions}>"
