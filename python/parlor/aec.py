"""All seats take turns: the interface of PettingZoo's AECEnv, without needing it."""
import operator

import numpy

from . import spaces
from ._core import Random
from .arguments import beginning, limit
from .errors import Rejected
from .game import opened, reward_scale
from .gym import RENDER_MODES, check_settings, picture

try:
    from pettingzoo import AECEnv as _Base
except ImportError:
    _Base = object


class AECEnv(_Base):
    """Agents are called by the names of their seats. `last()` gives what the selected agent sees, got
    since its last step, and whether it is done; `step(action)` acts for it."""

    metadata = {"render_modes": RENDER_MODES, "name": "parlor", "is_parallelizable": False}

    def __init__(self, game, reward="terminal", max_decisions=None, on_illegal="raise",
                 render_mode=None):
        check_settings(reward, on_illegal, render_mode)
        self.game = opened(game)
        self.reward, self.max_decisions, self.on_illegal = reward, limit(max_decisions), on_illegal
        self.render_mode = render_mode
        self.reward_scale = reward_scale(self.game)
        seats = [str(s) for s in self.game.info["seats"]]
        self.possible_agents = seats if len(set(seats)) == len(seats) \
            else [f"player_{i}" for i in range(len(seats))]
        self._seat = {agent: i for i, agent in enumerate(self.possible_agents)}
        observation, actions = spaces.observation_space(self.game), spaces.action_space(self.game)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation,
                                "action_mask": spaces.MultiBinary(actions.n)})
            for agent in self.possible_agents}
        self.action_spaces = {agent: actions for agent in self.possible_agents}
        self.agents, self.agent_selection, self._state = [], None, None
        self._episodes = numpy.random.default_rng(0)

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def reset(self, seed=None, options=None):
        """A new game. The same seed gives the same game; without one the next of a series. `options`
        may hold a `state` to begin with."""
        if seed is not None:
            self._episodes = numpy.random.default_rng(seed)
        game_seed = int(self._episodes.integers(2**63))
        self._state = beginning(self.game, options, game_seed)
        self._chance, self._illegal = Random(game_seed, 1), Random(game_seed, 2)
        self._decisions, self._lost = 0, False
        self.agents = list(self.possible_agents)
        self.rewards = {a: 0.0 for a in self.agents}
        self._cumulative_rewards = {a: 0.0 for a in self.agents}
        self.terminations = {a: False for a in self.agents}
        self.truncations = {a: False for a in self.agents}
        self.infos = {a: {} for a in self.agents}
        self._standing = self._state.standing()
        self._draw_chance()
        self._settle()

    def state(self):
        """The state itself, all of it."""
        return self._state

    def observe(self, agent):
        seat = self._seat[agent]
        return {"observation": self._state.observation_tensor(seat), "action_mask": self._mask(seat)}

    def last(self, observe=True):
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent],
                self.terminations[agent], self.truncations[agent], self.infos[agent])

    def agent_iter(self, max_iter=2**63):
        while self.agents and max_iter > 0:
            yield self.agent_selection
            max_iter -= 1

    def step(self, action):
        agent = self.agent_selection
        if agent is None:
            raise RuntimeError("reset comes first" if self._state is None else "the game is over: reset")
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError("this agent is done: its action is None")
            self._leave(agent)
            return
        legal = self._take(action)  # a refused action changes nothing
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {a: 0.0 for a in self.agents}
        if not legal:
            self._lose(agent)
            return
        self._decisions += 1
        self._draw_chance()
        self._give_rewards()
        self._settle()

    def _leave(self, agent):
        self.agents.remove(agent)
        for table in (self.rewards, self._cumulative_rewards, self.terminations,
                      self.truncations, self.infos):
            del table[agent]
        self.rewards = {a: 0.0 for a in self.agents}  # of this step, which gave nothing
        self.agent_selection = self.agents[0] if self.agents else None

    def _take(self, action):
        """False: the agent loses by an illegal action."""
        if action is None:
            raise TypeError("an action is a number; None is for agents that are done")
        action = operator.index(action)  # what would have to be rounded is a TypeError
        try:
            self._state.apply_action(action)
        except (IndexError, Rejected):
            if self.on_illegal == "raise":
                raise
            if self.on_illegal == "lose":
                return False
            legal = self._state.legal_actions()
            self._state.apply_action(legal[self._illegal.below(len(legal))])
        return True

    def _lose(self, agent):
        self.rewards[agent] = -1.0
        self._cumulative_rewards[agent] = -1.0
        self._lost = True
        for a in self.agents:
            self.terminations[a] = True
            self.infos[a] = {"action_mask": self._mask(self._seat[a])}
        self.infos[agent]["illegal"] = True

    def _draw_chance(self):
        while self._state.is_chance_node():
            self._state.apply_action(self._chance.draw(self._state))

    def _give_rewards(self):
        if self.reward == "standing" and self._standing is not None:
            before, self._standing = self._standing, self._state.standing()
            given = [now - then for now, then in zip(self._standing, before)]
        else:
            given = self._state.returns()
        for agent in self.agents:
            self.rewards[agent] = float(given[self._seat[agent]]) * self.reward_scale
            self._cumulative_rewards[agent] += self.rewards[agent]

    def _settle(self):
        over = self._state.is_terminal()
        cut = not over and self.max_decisions is not None and self._decisions >= self.max_decisions
        for agent in self.agents:
            self.terminations[agent], self.truncations[agent] = over, cut
            self.infos[agent] = {"action_mask": self._mask(self._seat[agent])}
        self.agent_selection = self.possible_agents[self._state.current_player()] \
            if not over else self.agents[0]

    def _mask(self, seat):
        mask = numpy.zeros(self.action_spaces[self.possible_agents[seat]].n, numpy.int8)
        if self._state.current_player() == seat and not self._lost:
            mask[self._state.legal_actions()] = 1
        return mask

    def render(self):
        """`render_mode="svg"`: the table as a picture; otherwise as text. All of it is shown."""
        return picture(self._state, self.render_mode, None)

    def close(self):
        self.agents, self.agent_selection, self._state = [], None, None

    def __repr__(self):
        return f"<parlor.AECEnv {self.game.info['id']} reward={self.reward}>"
