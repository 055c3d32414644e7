"""Agents, and letting them play."""
from . import _core
from ._core import Random
from .game import MOST_DECISIONS, opened
from .errors import Interrupted


def agent_kinds():
    """The agents there are, with a line about each."""
    return _core.agent_kinds()


class Agent:
    """An agent by its text, e.g. `Agent("mcts:iters=500")`. Callable: `agent(state) -> action`."""

    def __init__(self, text, seed=0):
        self.text = text
        self.seed = seed
        self._seated = {}

    def choose(self, state):
        """The number of the action this agent takes for whoever decides in this state."""
        key = (state.game, state.current_player())
        if key not in self._seated:
            self._seated[key] = _core.SeatedAgent(state.game, self.text, self.seed)
        return self._seated[key].choose(state)

    __call__ = choose

    def __repr__(self):
        return f"parlor.Agent({self.text!r}, seed={self.seed})"


def _not_negative(**numbers):
    for name, number in numbers.items():
        if number < 0:
            raise ValueError(f"{name} is not negative, as {number} is")


def _seats(agents, players):
    agents = [agents] if isinstance(agents, (str, Agent)) or callable(agents) else list(agents)
    if len(agents) not in (1, players):
        raise ValueError(f"{len(agents)} agents for {players} seats")
    return agents


def simulate(game, agents="random", games=100, *, seed=1, threads=0, max_decisions=MOST_DECISIONS,
             rotate=False):
    """Lets agents play and counts: a dict as `parlor sim --json` prints it. Agents are texts, or
    callables `(state) -> action`; with one of these everything runs in Python, on one thread."""
    _not_negative(games=games, threads=threads, max_decisions=max_decisions)
    game = opened(game)
    agents = _seats(agents, game.num_players())
    if all(isinstance(a, str) for a in agents):
        return _core.simulate(game, agents, games, seed, threads, max_decisions, rotate)
    return _simulate_slowly(game, agents, games, seed, max_decisions, rotate)


def _simulate_slowly(game, agents, games, seed, max_decisions, rotate):
    players = game.num_players()
    agents = [Agent(a, seed) if isinstance(a, str) else a for a in agents]
    agents = agents * players if len(agents) == 1 else agents
    result = {"games": 0, "decisions": 0, "unfinished": 0, "complete": True, "seed": seed,
              "outcomes": {},
              "seats": [dict(wins=0, shared=0, losses=0, returns=0) for _ in range(players)],
              "agents": [dict(wins=0, shared=0, losses=0, returns=0) for _ in range(players)]}
    try:
        for number in range(games):
            _play_one(game, agents, number, seed, max_decisions, rotate, result)
    except KeyboardInterrupt:
        result["complete"] = False
        raise Interrupted(result) from None
    return result


def _play_one(game, agents, number, seed, max_decisions, rotate, result):
    players = game.num_players()
    state = game.new_initial_state(seed=(seed << 32) + number)
    chance = Random((seed << 32) + number, 1)
    decisions = 0
    while not state.is_terminal() and decisions < max_decisions:
        seat = state.current_player()
        if seat < 0:
            state.apply_action(chance.draw(state))
            continue
        agent = agents[(seat + number) % players if rotate else seat]
        state.apply_action(agent(state))
        decisions += 1
    result["games"] += 1
    result["decisions"] += decisions
    if not state.is_terminal():
        result["unfinished"] += 1
        return
    outcome = state.outcome()
    reason = outcome["reason"]
    result["outcomes"][reason] = result["outcomes"].get(reason, 0) + 1
    winners = outcome["winners"]
    for seat in range(players):
        won = seat in winners
        kind = "wins" if won and len(winners) == 1 else "shared" if won or not winners else "losses"
        for row in (result["seats"][seat],
                    result["agents"][(seat + number) % players if rotate else seat]):
            row[kind] += 1
            row["returns"] += outcome["returns"][seat]


def evaluate(game, games=100, *, agents=(), iterations=100, seed=1, threads=0, max_decisions=2000):
    """Does the game work, is it fair, is it fun? A dict as `parlor eval --json` prints it."""
    _not_negative(games=games, iterations=iterations, threads=threads, max_decisions=max_decisions)
    agents = [agents] if isinstance(agents, str) else list(agents)
    return _core.evaluate(opened(game), games, agents, iterations, seed, threads, max_decisions)


def solve(game, iterations=1000, *, plus=True, most_nodes=2_000_000):
    """A near-equilibrium of a small two-player game whose chance is explicit: values, information
    sets, exploitability."""
    _not_negative(iterations=iterations, most_nodes=most_nodes)
    return _core.solve(opened(game, explicit_chance=True), iterations, plus, most_nodes)
