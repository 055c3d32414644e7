"""GymEnv and AECEnv: the rules of Gymnasium's and PettingZoo's own tests, written anew
(P-20 to P-24, P-60)."""
import os
import random
import subprocess
import sys

import numpy
import pytest

import parlor
from conftest import ROOT


def episode(env, seed, most=200):
    rng = random.Random(seed)
    obs, info = env.reset(seed=seed)
    seen = [obs.tobytes()]
    total, done = 0.0, False
    for _ in range(most):
        assert env.observation_space.contains(obs)
        mask = info["action_mask"]
        assert mask.shape == (env.action_space.n,)
        if done:
            break
        action = rng.choice(list(numpy.flatnonzero(mask)))
        assert env.action_space.contains(action) and env.action_space.sample(mask=mask) in env.action_space
        obs, reward, terminated, truncated, info = env.step(action)
        assert isinstance(reward, float) and isinstance(terminated, bool) and isinstance(truncated, bool)
        assert not (terminated and truncated)
        seen.append(obs.tobytes())
        total += reward
        done = terminated or truncated
    return seen, total, done


def test_gym_episodes_repeat_with_their_seed_p20_p60(game):
    env = parlor.GymEnv(game, opponents="random", max_decisions=40)
    once, again = episode(env, 3), episode(env, 3)
    assert once == again and once[2]
    assert episode(env, 4)[0] != once[0] or game.num_distinct_actions() < 4
    assert isinstance(env.render(), str) and repr(env)
    env.close()


def test_gym_needs_a_reset_and_ends_once_p20():
    env = parlor.GymEnv("tic-tac-toe")
    with pytest.raises(RuntimeError):
        env.step(0)
    env.reset(seed=1)
    rng, over = random.Random(2), False
    while not over:
        legal = numpy.flatnonzero(env._info()["action_mask"])
        _, reward, over, truncated, info = env.step(rng.choice(list(legal)))
        assert not truncated
    assert reward == env.state.returns()[0] * env.reward_scale and not info["action_mask"].any()
    with pytest.raises(RuntimeError):
        env.step(0)


def test_illegal_actions_are_never_silently_something_else_p24():
    def taken(on_illegal):
        env = parlor.GymEnv("tic-tac-toe", on_illegal=on_illegal, seat=0)
        env.reset(seed=1)
        env.step(4)
        return env, lambda: env.step(4)
    env, again = taken("raise")
    before = env.state.hash()
    with pytest.raises(parlor.Rejected):
        again()
    with pytest.raises(IndexError):
        env.step(99)
    assert env.state.hash() == before
    env, again = taken("lose")
    _, reward, terminated, truncated, info = again()
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    env, again = taken("random")
    before = env.state.hash()
    assert again()[1] >= -1 and env.state.hash() != before


def test_games_are_cut_off_but_a_finished_game_never_is_p23():
    env = parlor.GymEnv("go", max_decisions=5)
    env.reset(seed=1)
    for n in range(5):
        legal = numpy.flatnonzero(env._info()["action_mask"])
        _, _, terminated, truncated, _ = env.step(legal[0])
        assert (terminated, truncated) == (False, n == 4)


def test_gym_rewards_may_be_changes_of_standing_p07():
    env = parlor.GymEnv("breakthrough", reward="standing")
    _, info = env.reset(seed=5)
    total, over = 0.0, False
    before = env.state.standing()[0]
    rng = random.Random(5)
    while not over:
        _, reward, over, _, info = env.step(rng.choice(list(numpy.flatnonzero(info["action_mask"]))))
        total += reward
    assert total == env.state.standing()[0] - before and env.reward_scale == 1


def test_agents_and_callables_play_the_others_p20():
    calls = []

    def first(state):
        calls.append(state.current_player())
        return state.legal_actions()[0]
    env = parlor.GymEnv("tic-tac-toe", opponents={0: first}, seat=1)
    env.reset(seed=1)
    assert calls == [0] and env.state.current_player() == 1
    env = parlor.GymEnv("connect-four", opponents="mcts:iters=20", seat=1)
    assert episode(env, 1)[0] == episode(env, 1)[0]
    with pytest.raises(IndexError):
        parlor.GymEnv("tic-tac-toe", seat=2)
    with pytest.raises(ValueError):
        parlor.GymEnv("tic-tac-toe", on_illegal="whatever")


def test_aec_plays_as_pettingzoo_asks_p21_p60(game):
    env = parlor.AECEnv(game, max_decisions=60)
    spaces = {a: (env.observation_space(a), env.action_space(a)) for a in env.possible_agents}
    histories = []
    for _ in range(2):
        env.reset(seed=9)
        assert env.agents == env.possible_agents and env.num_agents == game.num_players()
        rng, finished, total = random.Random(9), [], {a: 0.0 for a in env.possible_agents}
        since = dict(total)  # what `rewards` gave each of them since it was last asked
        for agent in env.agent_iter(10_000):
            obs, reward, terminated, truncated, info = env.last()
            assert env.observation_space(agent).contains(obs)
            assert numpy.array_equal(obs["action_mask"], info["action_mask"])
            assert reward == pytest.approx(since[agent], abs=1e-12)
            assert info is env.infos[agent] and isinstance(env.rewards[agent], float)
            total[agent] += reward
            since[agent] = 0.0
            if terminated or truncated:
                finished.append(agent)
                assert env.step(None) is None
                assert not any(env.rewards.values()), "whoever leaves gives nobody anything"
                for table in (env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos):
                    assert list(table) == env.agents
                continue
            legal = numpy.flatnonzero(info["action_mask"])
            assert len(legal)
            for other in env.agents:
                if other != agent:
                    assert not env.observe(other)["action_mask"].any()
            assert env.step(int(rng.choice(list(legal)))) is None
            for other, given in env.rewards.items():
                since[other] += given
        assert sorted(finished) == sorted(env.possible_agents) and not env.agents
        if env.state().is_terminal():
            assert [total[a] for a in env.possible_agents] == \
                [r * env.reward_scale for r in env.state().returns()]
        histories.append(env.state().hash())
    assert histories[0] == histories[1]
    assert spaces == {a: (env.observation_space(a), env.action_space(a)) for a in env.possible_agents}


def test_aec_finished_agents_take_no_action_p21():
    env = parlor.AECEnv("tic-tac-toe", on_illegal="lose")
    env.reset(seed=1)
    env.step(4)
    loser = env.agent_selection
    env.step(4)
    assert env.rewards[loser] == -1.0 and all(env.terminations.values())
    assert env.infos[loser]["illegal"] and not any(env.observe(a)["action_mask"].any() for a in env.agents)
    with pytest.raises(ValueError):
        env.step(0)


def test_rewards_lie_between_minus_one_and_one_where_bounds_say_so_p07(game):
    low, high = game.min_utility(), game.max_utility()
    assert (low is None) == (high is None)
    env = parlor.AECEnv(game)
    assert env.reward_scale == (1 if low is None else 1 / max(1, -low, high))
    rng = random.Random(3)
    for seed in range(3):
        state = game.new_initial_state(seed=seed)
        for _ in range(2000):
            if state.is_terminal():
                break
            state.apply_action(rng.choice(state.legal_actions()))
        if low is not None:
            assert all(low <= r <= high for r in state.returns())


def test_scores_have_the_bounds_of_what_they_read_p07():
    assert (parlor.open("tic-tac-toe").min_utility(), parlor.open("chess").max_utility()) == (-1, 1)
    text = (ROOT / "games" / "pig.md").read_text()
    assert parlor.open("pig").utility_bounds() == parlor.open(text=text).utility_bounds()


OTHERS = {
    "gymnasium/__init__.py": """
import numpy
from . import spaces
registry = {}
def register(id, entry_point, kwargs, disable_env_checker):
    registry[id] = (entry_point, kwargs)
def make(id, **more):
    entry_point, kwargs = registry[id]
    return entry_point(**kwargs, **more)
class Env:
    spec = None
    _np_random = None
    @property
    def np_random(self):
        return self._np_random
    @np_random.setter
    def np_random(self, value):
        self._np_random = value
    @property
    def unwrapped(self):
        return self
    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self._np_random = numpy.random.default_rng(seed)
""",
    "gymnasium/spaces.py": """
class Space:
    def __init__(self, *given, **more):
        self.given, self.more = given, more
class Box(Space): pass
class Dict(Space): pass
class Discrete(Space):
    n = property(lambda self: self.given[0])
class MultiBinary(Space): pass
""",
    "pettingzoo/__init__.py": "class AECEnv: pass",
}


def test_where_gymnasium_and_pettingzoo_are_installed_environments_are_theirs_p22(tmp_path):
    """With stand-ins for both: their classes are used, games are registered, and gymnasium's own generator is seeded,
    which its checker asks for."""
    for path, text in OTHERS.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    code = """
import copy, gymnasium, parlor, pettingzoo
assert sorted(gymnasium.registry) == [f"parlor/{name}-v0" for name in sorted(parlor.game_names())]
env = gymnasium.make("parlor/tic-tac-toe-v0", opponents="random")
assert isinstance(env, gymnasium.Env) and isinstance(env, parlor.GymEnv)
assert parlor.spaces.Box is gymnasium.spaces.Box and isinstance(env.observation_space, gymnasium.spaces.Box)
assert isinstance(env.action_space, gymnasium.spaces.Discrete) and env.action_space.n == 9
def generator(seed):
    env.reset(seed=seed)
    return copy.deepcopy(env.unwrapped._np_random).bit_generator.state
assert generator(123) == generator(123) != generator(456)
aec = parlor.AECEnv("tic-tac-toe")
assert isinstance(aec, pettingzoo.AECEnv)
assert isinstance(aec.observation_space(aec.possible_agents[0]), gymnasium.spaces.Dict)
print("theirs")
"""
    path = os.pathsep.join([str(tmp_path), *sys.path])
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert run.stdout == "theirs\n", run.stderr


def the_real_test(module, name):
    return getattr(pytest.importorskip(module), name)


def test_gymnasiums_own_checker_agrees_p60():
    the_real_test("gymnasium.utils.env_checker", "check_env")(parlor.GymEnv("tic-tac-toe"))


def test_pettingzoos_own_test_agrees_p60():
    the_real_test("pettingzoo.test", "api_test")(parlor.AECEnv("tic-tac-toe"), num_cycles=50)


def test_spaces_have_what_gymnasiums_have_p22():
    discrete = parlor.spaces.Discrete(5)
    assert discrete.n == 5 and 4 in discrete and 5 not in discrete
    assert {discrete.sample(mask=numpy.array([0, 1, 0, 1, 0], numpy.int8)) for _ in range(50)} == {1, 3}
    box = parlor.spaces.Box(0, 1, (2, 3))
    assert box.contains(box.sample()) and not box.contains(numpy.zeros((3, 2), numpy.float32))
    both = parlor.spaces.Dict({"a": box, "b": parlor.spaces.MultiBinary(4)})
    assert both.contains(both.sample()) and not both.contains({"a": box.sample()})
