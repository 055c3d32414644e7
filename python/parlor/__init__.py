"""Every Parlor game for people who train and study agents.

    import parlor
    game = parlor.load_game("breakthrough")
    state = game.new_initial_state(seed=0)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns())

docs/python.md is the tutorial.
"""
from .errors import Error, GameError, Interrupted, Rejected
from ._core import Game, Random, State, version as __version__
from .game import check, game_names, load_game, open
from .play import Agent, agent_kinds, evaluate, simulate, solve
from . import spaces
from .gym import GymEnv
from .aec import AECEnv
from .vector import VecEnv
from .registry import register as _register

_register()

__all__ = [
    "AECEnv", "Agent", "Error", "Game", "GameError", "GymEnv", "Interrupted", "Random", "Rejected",
    "State", "VecEnv", "agent_kinds", "check", "evaluate", "game_names", "load_game", "open",
    "simulate", "solve", "spaces",
]
