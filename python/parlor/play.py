"""Agents, and letting them play."""
from . import _core
from ._core import Random, State
from .arguments import agents_list, seed_of, whole
from .game import MOST_DECISIONS, opened
from .errors import GameError, Interrupted

MOST_THREADS = 1024


def agent_kinds():
    """The agents there are, with a line about each."""
    return _core.agent_kinds()


class Agent:
    """An agent by its text, e.g. `Agent("mcts:iters=500")`. Callable: `agent(state) -> action`."""

    def __init__(self, text, seed=0):
        if not isinstance(text, str):
            raise TypeError(f"an agent is a text like \"mcts:iters=500\", not {text!r}")
        known = agent_kinds()
        if text.partition(":")[0] not in known:
            message = f"there is no agent `{text}`; the agents are {', '.join(known)}"
            raise GameError(message, [{"code": "AGENT_UNKNOWN", "severity": "error", "message": message}])
        self.text = text
        self.seed = seed_of(seed)
        self._seated = {}

    def choose(self, state):
        """The number of the action this agent takes for whoever decides in this state."""
        if not isinstance(state, State):
            raise TypeError(f"an agent chooses in a parlor.State, not in {state!r}")
        key = (state.game, state.current_player())
        if key not in self._seated:
            self._seated[key] = _core.SeatedAgent(state.game, self.text, self.seed)
        return self._seated[key].choose(state)

    __call__ = choose

    def __repr__(self):
        return f"parlor.Agent({self.text!r}, seed={self.seed})"


def _counts(**numbers):
    return [whole(name, number, least=0, most=2**63 - 1) for name, number in numbers.items()]


def simulate(game, agents="random", games=100, *, seed=1, threads=0, max_decisions=MOST_DECISIONS,
             rotate=False):
    """Lets agents play and counts: a dict as `parlor sim --json` prints it. Agents are texts, or
    callables `(state) -> action`; with one of these everything runs in Python, on one thread."""
    games, max_decisions = _counts(games=games, max_decisions=max_decisions)
    threads, seed = whole("threads", threads, 0, MOST_THREADS), seed_of(seed)
    game = opened(game)
    agents = agents_list(agents, game.num_players())
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
    games, iterations, max_decisions = _counts(games=games, iterations=iterations, max_decisions=max_decisions)
    threads, seed = whole("threads", threads, 0, MOST_THREADS), seed_of(seed)
    agents = agents_list(agents, None)
    if not all(isinstance(agent, str) for agent in agents):
        raise TypeError("agents of an evaluation are texts; callables play in simulate")
    return _core.evaluate(opened(game), games, agents, iterations, seed, threads, max_decisions)


def solve(game, iterations=1000, *, plus=True, most_nodes=2_000_000):
    """A near-equilibrium of a small two-player game whose chance is explicit: values, information
    sets, exploitability."""
    iterations, most_nodes = _counts(iterations=iterations, most_nodes=most_nodes)
    return _core.solve(opened(game, explicit_chance=True), iterations, bool(plus), most_nodes)
