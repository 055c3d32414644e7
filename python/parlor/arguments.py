"""What is given to calls, and in words what is wrong with it."""
import operator

from ._core import State


def whole(name, value, least=None, most=None):
    """A whole number of any kind; nothing is rounded to one."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {value!r}") from None
    if least is not None and number < least:
        raise ValueError(f"{name} is at least {least}, not {number}")
    if most is not None and number > most:
        raise ValueError(f"{name} is at most {most}, not {number}")
    return number


def seed_of(value):
    """Any whole number, cut to 64 bits."""
    return whole("seed", value) % 2**64


def one_of(name, value, known):
    if value not in known:
        raise ValueError(f"{name} is one of {', '.join(map(str, known))}, not {value!r}")
    return value


def limit(max_decisions):
    """None: games are as long as they are."""
    return None if max_decisions is None else whole("max_decisions", max_decisions, least=1)


def agents_list(agents, players):
    """One agent for all seats, or one for each: texts or callables."""
    agents = [agents] if isinstance(agents, str) or callable(agents) else agents
    if not hasattr(agents, "__iter__"):
        raise TypeError(f"agents are texts or callables, one or a list, not {agents!r}")
    agents = list(agents)
    for agent in agents:
        if not isinstance(agent, str) and not callable(agent):
            raise TypeError(f"an agent is a text or a callable, not {agent!r}")
    if players is not None and len(agents) not in (1, players):
        raise ValueError(f"{len(agents)} agents for {players} seats")
    return agents


def beginning(game, options, seed):
    """The state an episode begins with: a new one, or that in `options`."""
    if options is not None and not isinstance(options, dict):
        raise TypeError(f"options are a dict, not {options!r}")
    given = (options or {}).get("state")
    if given is None:
        return game.new_initial_state(seed=seed)
    if not isinstance(given, State):
        raise TypeError(f"options[\"state\"] is a parlor.State, not {given!r}")
    return game.adopt(given).clone()
