"""Opening games, and what states can do besides what C++ gives them."""
import functools
import hashlib
import json
import operator
import os

import numpy

from . import _core, render
from ._core import Game, State
from .arguments import whole

# OpenSpiel's names for those who decide when no player does.
CHANCE_PLAYER = -1
TERMINAL_PLAYER = -4
SHORT = 64  # decisions of games whose whole past fits into an array
MOST_STATES = 400_000  # that are looked at to find out
MOST_KEPT = 64  # games that are kept open for states that come back
MOST_DECISIONS = 100_000  # at which games are cut off unless somebody says otherwise


def _value(text):
    for word, value in (("true", True), ("false", False)):
        if text.lower() == word:
            return value
    try:
        return int(text)
    except ValueError:
        return text


def _split(text):
    """Splits at commas outside of brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return [p.strip() for p in parts + [part] if p.strip()]


def _rule_list(rules):
    """A list, or a text such as "economy", "a,b", "[a+b]"; None is none."""
    if rules is None:
        return []
    if not hasattr(rules, "__iter__"):
        raise TypeError(f"rules are a text or a list of names, not {rules!r}")
    if isinstance(rules, str):
        return [r.strip() for r in rules.strip("[]").replace("+", ",").split(",") if r.strip()]
    return list(rules)


def open(name="", *, text=None, players=0, rules=(), set=None, explicit_chance=False, position="",
         layout="", modifiers=None, native=False):
    """Opens a game: the name of a shipped one, a path, or its text. Chance is inside the state and
    drawn from its seed, as on the command line, unless `explicit_chance`. `native` runs its rules as
    compiled code, made with the C++ compiler at hand; where that cannot be, a RuntimeWarning says
    why, and the game plays as ever."""
    if text is not None and (rules or position or layout or modifiers):
        raise ValueError("a text is opened without rules, position, layout and modifiers")
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"a game's name is a text or a path, not {name!r}")
    if text is not None and not isinstance(text, str):
        raise TypeError(f"a game's text is a str, not {text!r}")
    if text is None and not os.fspath(name):
        raise TypeError("which game? give a name (parlor.game_names()), a path, or its text as text=")
    if set is not None and not isinstance(set, dict):
        raise TypeError(f"set is a dict of constants and their values, not {set!r}")
    how = {"players": whole("players", players, 0), "rules": _rule_list(rules),
           "set": {k: v if isinstance(v, str) else str(v) for k, v in (set or {}).items()},
           "position": position, "layout": layout, "explicitChance": bool(explicit_chance)}
    if modifiers is not None:
        how["modifiers"] = modifiers
    return _core.open_game(os.fspath(name), how, text, bool(native))


def opened(game, **how):
    """A game that is open already, or one by its name or path."""
    if isinstance(game, Game):
        return game
    if isinstance(game, (str, os.PathLike)):
        return open(game, **how)
    raise TypeError(f"a game is a parlor.Game, a name or a path, not {game!r}")


def load_game(name="", parameters=None, *, text=None, **how):
    """Like OpenSpiel's: `load_game("coalition(players=3,rules=economy)")`. Chance decides at nodes of
    its own. Parameters that `open` does not know are constants of the game. Names may be written with
    underscores, as OpenSpiel writes them: `load_game("kuhn_poker")`."""
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"a game's name is a text or a path, not {name!r}")
    name, given = os.fspath(name), {}
    if name.endswith(")") and "(" in name:
        name, inside = name[:-1].split("(", 1)
        for pair in _split(inside):
            key, sign, value = pair.partition("=")
            if not sign:
                raise ValueError(f"`{pair}` is not name=value")
            given[key.strip()] = value.strip()
    given.update(parameters or {})
    options = {"explicit_chance": True, "set": dict(how.pop("set", None) or {})}
    for key, value in given.items():
        if key == "rules":
            options["rules"] = value
        elif key in ("players", "explicit_chance"):
            options[key] = _value(value) if isinstance(value, str) else value
        elif key in ("position", "layout"):
            options[key] = value
        else:
            options["set"][key] = value if isinstance(value, str) else str(value)
    options.update(how)
    dashed = name.replace("_", "-")
    known = _core.game_names()
    return open(dashed if name not in known and dashed in known else name, text=text, **options)


def check(text):
    """What is wrong with a game's text: a list of diagnostics, empty when nothing is."""
    if not isinstance(text, str):
        raise TypeError(f"a game's text is a str, not {text!r}")
    return _core.check_text(text)


def game_names():
    """The games that come with parlor."""
    return _core.game_names()


def _rules(self):
    """The house rules and modules this game can be opened with."""
    return self.offered_rules()


@functools.lru_cache(maxsize=32)
def _longest_game(game):
    """The decisions of the longest game, if that is fewer than SHORT and all states can be looked at;
    otherwise None."""
    return game._longest_game(SHORT, MOST_STATES)


def _max_game_length(self):
    """The decisions of the longest game where all of them can be looked at in a moment; elsewhere games
    have no bound of their own, and this is where they are cut off unless asked otherwise."""
    length = _longest_game(self)
    return MOST_DECISIONS if length is None else length


def _min_utility(self):
    """The least a player can get, as far as the rules' declared bounds say; otherwise None."""
    bounds = self.utility_bounds()
    return None if bounds is None else float(bounds[0])


def _max_utility(self):
    """The most a player can get, as far as the rules' declared bounds say; otherwise None."""
    bounds = self.utility_bounds()
    return None if bounds is None else float(bounds[1])


def reward_scale(game):
    """What environments multiply rewards by, so that they lie between -1 and 1 where bounds are known."""
    bounds = game.utility_bounds()
    return 1.0 if bounds is None else 1.0 / max(1, -bounds[0], bounds[1])


def _information_state_tensor_shape(self):
    """Steps of the longest game × (what the player sees, what the player did, whether anything is
    there). Only for games of fewer than 64 decisions."""
    length = _longest_game(self)
    if length is None:
        raise ValueError(f"{self.info['id']} is not known to end within {SHORT} decisions: use "
                         "information_state_key")
    return (length + 1, self.observation_tensor_size() + self.num_distinct_actions() + 1)


def _whose(state, player):
    """None: whoever decides, as OpenSpiel has it."""
    if player is None:
        player = state.current_player()
        if player < 0:
            raise ValueError("no player decides here: say who looks")
    return player


def _information_state_tensor(self, player=None, out=None):
    """All that the player saw and did, one row for each moment at which something changed for them:
    what they saw, which action they chose then, and a 1."""
    game, player = self.game, _whose(self, player)
    shape = game.information_state_tensor_shape()
    if out is None:
        out = numpy.zeros(shape, numpy.float32)
    elif out.shape != shape or out.dtype != numpy.float32:
        raise ValueError(f"out is float32 of the shape {shape}")
    out[:] = 0
    size = game.observation_tensor_size()
    state, row, seen = self.first_state(), -1, None
    for action in [*self.history(), None]:
        now = state.observation_tensor(player).reshape(-1)
        if seen is None or not numpy.array_equal(now, seen):
            row, seen = row + 1, now
            out[row, :size], out[row, -1] = now, 1
        if action is None:
            return out
        if state.current_player() == player:
            out[row, size + action] = 1
            seen = None  # what follows an own action is another moment, even if it looks the same
        state.apply_action(action)


def _rewards(self):
    """Of the last decision: the returns if it ended the game, otherwise nothing."""
    return self.returns()


def _action_to_string(self, player_or_action, action=None):
    action = player_or_action if action is None else action
    if self.is_chance_node():
        return self._option_text(action)
    return self.game.action_name(action)


def _string_to_action(self, text):
    """The number of an option by its name or text."""
    try:
        return self.game.action_named(text)
    except KeyError:
        return self.action_of(text)


def _observation_dict(self, player=None, out=None):
    """The parts of the observation by name, each with its shape: views of one array."""
    flat = self.observation_tensor(player, out=out).reshape(-1)
    parts, at = {}, 0
    for part in self.game.tensor_parts:
        size = int(numpy.prod(part["shape"]))
        parts[part["name"]] = flat[at:at + size].reshape(part["shape"])
        at += size
    return parts


def _observation_string(self, player=None):
    return self.describe(_whose(self, player))


def _information_state_string(self, player=None):
    """Everything the player has seen and done, one line each: views as JSON, own choices after `>`."""
    return "\n".join(self.experience(player))


def _information_state_key(self, player=None):
    """The same as 32 bytes: a chain of SHA-256, for tables."""
    key = b""
    for line in self.experience(player):
        key = hashlib.sha256(key + line.encode("utf-8", "replace")).digest()
    return key


def _resample_from_infostate(self, player, rng=0):
    """Another world that the player cannot tell from this one. `rng`: a seed, or something that gives
    numbers between 0 and 1 when called, or has `integers` (numpy) or `getrandbits` (random)."""
    if hasattr(rng, "integers"):
        seed = int(rng.integers(0, 2**63))
    elif hasattr(rng, "getrandbits"):
        seed = rng.getrandbits(63)
    else:
        seed = int(rng() * 2**53) if callable(rng) else rng
    return self._resample(player, seed)


def _why_not(self, action, /, player=None, **params):
    """Why a request is refused now: a dict with code, message and details; None if it is legal.
    `action` is an action's name with its parameters, a number, or a value inside a move."""
    if isinstance(action, str) and (params or action in self.game.info["actions"]):
        request = {"action": action, "params": params}
    elif hasattr(action, "__index__") and not isinstance(action, bool):
        action = operator.index(action)
        if action in self.legal_actions():
            return None
        request = self.game.action_name(action)
        if request.startswith("choose ") and not self.starts_move():
            request = request.split(" ", 2)[-1]
    else:
        request = action
    return self._why_not(request, player)


def _child(self, action):
    """The state that an action leads to; this one stays as it is."""
    state = self.clone()
    state.apply_action(action)
    return state


def _player_return(self, player):
    """What one player got."""
    returns = self.returns()
    if not 0 <= player < len(returns):
        raise IndexError(f"there is no player {player}")
    return returns[player]


def _svg(self, player=None):
    """The table as this player sees it, as a picture; None sees everything, -1 only watches."""
    return render.svg(self.game.scene(), self.stage(player), player)


_lately = {}  # games that something came back to, so that the next state need not open its game again


def _reopened(opening, fingerprint):
    """Games and states that come from one game elsewhere share one here, and meet it if it is open already: the
    one that was opened last, if there are several."""
    game = _core.reopen_game(json.loads(opening), fingerprint)
    _lately.pop((opening, fingerprint), None)
    _lately[opening, fingerprint] = game
    if len(_lately) > MOST_KEPT:
        _lately.pop(next(iter(_lately)), None)
    return game


def _kept(game):
    return json.dumps(game.opening, sort_keys=True), game.info["fingerprint"]


def _game_reduce(self):
    return _reopened, _kept(self)


def _state_again(opening, fingerprint, text):
    return _reopened(opening, fingerprint).deserialize_state(text)


def _state_reduce(self):
    return _state_again, (*_kept(self.game), self.serialize())


Game.rules = _rules
Game.check = staticmethod(check)
Game.max_game_length = _max_game_length
State.rewards = _rewards
State.action_to_string = _action_to_string
State.string_to_action = _string_to_action
State.observation_dict = _observation_dict
State.observation_string = _observation_string
State.information_state_string = _information_state_string
State.information_state_key = _information_state_key
State.resample_from_infostate = _resample_from_infostate
State.why_not = _why_not
State.information_state_tensor = _information_state_tensor
State.child = _child
State.player_return = _player_return
State.player_reward = _player_return
State.is_player_node = lambda self: self.current_player() >= 0
State.is_simultaneous_node = lambda self: False  # who decides at once with others decides in turn, unseen
State.num_players = lambda self: self.game.num_players()
State.num_distinct_actions = lambda self: self.game.num_distinct_actions()
State.get_game = lambda self: self.game
State.svg = _svg
State._repr_svg_ = _svg  # notebooks show a state as a picture
State.__reduce__ = _state_reduce
Game.__reduce__ = _game_reduce
Game.min_utility = _min_utility
Game.max_utility = _max_utility
Game.information_state_tensor_shape = _information_state_tensor_shape
