"""Where gymnasium is installed, every shipped game is registered as parlor/NAME-v0."""
from . import _core
from .gym import GymEnv


def register():
    try:
        import gymnasium
    except ImportError:
        return
    for name in _core.game_names():
        key = f"parlor/{name}-v0"
        if key not in gymnasium.registry:
            gymnasium.register(id=key, entry_point=GymEnv, kwargs={"game": name},
                               disable_env_checker=True)
