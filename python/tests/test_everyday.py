"""What people do with the package on an ordinary day: send games to other processes, copy environments, pass numbers as numpy
gives them, close things, draw a table."""
import copy
import gc
import multiprocessing
import operator
import pathlib
import pickle
import random
import xml.etree.ElementTree

import numpy
import pytest

import parlor


def played(state, decisions, seed=1):
    rng = random.Random(seed)
    for _ in range(decisions):
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


# ---- Copies and other processes

def test_what_comes_back_belongs_to_the_game_that_is_here(name):
    game = parlor.open(name)
    state = played(game.new_initial_state(seed=2), 5)
    again = pickle.loads(pickle.dumps(state))
    assert again == state and again.game is game and hash(again) == hash(state)
    assert pickle.loads(pickle.dumps(game)) is game
    assert copy.copy(game) is game and copy.deepcopy({"game": game})["game"] is game


def test_of_games_opened_alike_what_comes_back_belongs_to_the_latest_that_is_left():
    first, second = parlor.open("pig"), parlor.open("pig")
    assert first is not second and first == second and hash(first) == hash(second)
    assert first != parlor.open("pig", explicit_chance=True) and first != parlor.open("kuhn-poker") and first != "pig"
    state = played(first.new_initial_state(seed=2), 5)
    sent = pickle.dumps(state)
    assert pickle.loads(sent) == state and pickle.loads(sent).game is second
    third = parlor.open("pig")  # also one that came after something came back
    assert pickle.loads(sent).game is third
    parlor.game._lately.clear()
    del second, third
    gc.collect()
    assert pickle.loads(sent).game is first


def test_a_state_finds_its_rules_again_after_their_file_changed(tmp_path):
    path = tmp_path / "mine.md"
    text = pathlib.Path(parlor._core.games_folder(), "connect-four.md").read_text()
    path.write_text(text)
    before = parlor.open(path)
    path.write_text(text.replace("columns: {default: 7", "columns: {default: 6"))
    after = parlor.open(path)
    assert before != after
    for game in (before, after):
        assert pickle.loads(pickle.dumps(game.new_initial_state())).game is game


def test_a_file_is_found_from_another_folder(tmp_path, monkeypatch):
    text = pathlib.Path(parlor._core.games_folder(), "tic-tac-toe.md").read_text()
    (tmp_path / "mine.md").write_text(text)
    monkeypatch.chdir(tmp_path)
    sent = pickle.dumps(parlor.open("mine.md").new_initial_state())
    monkeypatch.chdir("/")
    assert pickle.loads(sent).game.info["id"] == "tic-tac-toe"


def test_a_game_whose_rules_changed_meanwhile_is_refused(tmp_path):
    path = tmp_path / "mine.md"
    text = pathlib.Path(parlor._core.games_folder(), "connect-four.md").read_text()
    path.write_text(text)
    sent = pickle.dumps(parlor.open(path))
    parlor.game._lately.clear()
    gc.collect()
    changed = text.replace("columns: 7", "columns: 6").replace("width: 7", "width: 6")
    path.write_text(changed if changed != text else text.replace("4", "3"))
    with pytest.raises(parlor.Error):
        pickle.loads(sent)


def best_of(state):
    return state.game.info["id"], state.legal_actions()[0]


def test_states_go_to_processes_that_begin_anew():
    game = parlor.open("breakthrough")
    states = [played(game.new_initial_state(seed=s), s) for s in range(4)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(best_of, states) == [best_of(s) for s in states]
        back = pool.map(operator.methodcaller("clone"), states)
    assert back == states and all(s.game is game for s in back)


def rest_of_episode(env, obs):
    out = [obs.copy()]
    done = False
    while not done:
        action = int(env.state.legal_actions()[-1])
        obs, reward, terminated, truncated, _ = env.step(action)
        out += [obs.copy(), reward]
        done = terminated or truncated
    return out


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_of_environments_go_on_alike_p20(copied):
    env = parlor.GymEnv("backgammon", opponents="random", max_decisions=30)
    obs, info = env.reset(seed=5)
    obs, *_ = env.step(env.state.legal_actions()[0])
    other = copied(env)
    for one, two in zip(rest_of_episode(env, obs), rest_of_episode(other, obs), strict=True):
        assert numpy.array_equal(one, two)
    aec = parlor.AECEnv("kuhn-poker")
    aec.reset(seed=3)
    twin = copied(aec)
    for env in (aec, twin):
        for agent in env.agent_iter():
            obs, _, over, cut, _ = env.last()
            env.step(None if over or cut else int(numpy.flatnonzero(obs["action_mask"])[0]))
    assert aec._state == twin._state


def test_agents_go_on_where_they_were():
    agent, state = parlor.Agent("mcts:iters=20", seed=3), parlor.open("connect-four").new_initial_state()
    agent.choose(state)
    other = pickle.loads(pickle.dumps(agent))
    assert [agent.choose(state) for _ in range(5)] == [other.choose(state) for _ in range(5)]


def test_a_table_is_copied_but_not_pickled_p34():
    env = parlor.VecEnv("tic-tac-toe", 3)
    env.step([0, 1, 2])
    other = copy.deepcopy(env)
    env.step([3, 3, 3])
    assert other.mask[0, 3] == 1 and env.mask[0, 3] == 0
    with pytest.raises(TypeError, match="config"):
        pickle.dumps(env)
    assert parlor.VecEnv(**env.config).num_envs == 3


# ---- Numbers

@pytest.mark.parametrize("kind", [numpy.int8, numpy.int32, numpy.int64, numpy.uint8, numpy.uint64])
def test_whole_numbers_of_any_kind_are_actions(kind):
    state = parlor.open("tic-tac-toe").new_initial_state()
    state.apply_action(kind(4))
    assert state.history() == [4] and state.why_not(kind(5)) is None and state.why_not(kind(4))
    env = parlor.VecEnv("tic-tac-toe", 2)
    env.step(numpy.array([4, 5], kind))
    assert env.mask[0, 4] == 0 and env.mask[1, 5] == 0
    gym, aec = parlor.GymEnv("tic-tac-toe", "random"), parlor.AECEnv("tic-tac-toe")
    gym.reset(seed=1)
    gym.step(kind(4))
    aec.reset(seed=1)
    aec.step(kind(4))
    assert gym.state.history()[0] == aec.state().history()[0] == 4
    assert parlor.spaces.Discrete(9).contains(kind(4))


@pytest.mark.parametrize("wrong", [0.0, 1.7, numpy.float32(1), "1", None, [1], numpy.array([0, 1])])
def test_nothing_is_rounded_to_an_action_p24(wrong):
    state = parlor.open("tic-tac-toe").new_initial_state()
    gym, aec = parlor.GymEnv("tic-tac-toe", "random"), parlor.AECEnv("tic-tac-toe")
    gym.reset(seed=1)
    aec.reset(seed=1)
    for step in (state.apply_action, gym.step, aec.step, state.game.action_name):
        with pytest.raises(TypeError):
            step(wrong)
    assert gym.state.move_number() == aec.state().move_number() == state.move_number() == 0
    assert not parlor.spaces.Discrete(9).contains(wrong)


def test_nothing_is_rounded_or_cut_to_actions_p24_p33():
    env = parlor.VecEnv("tic-tac-toe", 2)
    before = env.obs.copy()
    for wrong in (numpy.array([1.0, 2.0]), [1.5, 2], numpy.array([True, False]), ["1", "2"], [None, 1], None, 3):
        with pytest.raises((TypeError, ValueError)):
            env.step(wrong)
    for wrong in ([0, 2**32], [0, -1], [2**31, 0], numpy.array([0, 2**63], numpy.uint64)):
        with pytest.raises(IndexError, match="row"):
            env.step(wrong)
    with pytest.raises(TypeError):
        env.reset(mask=numpy.array([0.5, 0.0]))
    with pytest.raises(ValueError):
        env.reset(mask=[[True, False]])
    assert numpy.array_equal(env.obs, before)
    env.step([[0, 1], [2, 3]][0])
    assert env.mask.sum() == 16


def test_places_are_never_counted_from_the_end():
    env = parlor.VecEnv("tic-tac-toe", 2)
    state = env.game.new_initial_state()
    for call in (lambda: env.get_state([-1]), lambda: env.set_state([-1], [state]), lambda: env.get_state([2]),
                 lambda: state.observation_tensor(-1), lambda: state.player_return(-1), lambda: state.apply_action(-1),
                 lambda: env.game.action_name(-1), lambda: parlor.GymEnv("tic-tac-toe", seat=-1)):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(TypeError):
        env.get_state([0.5])
    for wrong in (0, -3, 2.5, "4"):
        with pytest.raises((ValueError, TypeError)):
            parlor.VecEnv("tic-tac-toe", wrong)


# ---- Games

def test_a_mistake_in_a_file_is_told_as_the_program_tells_it_p14(tmp_path, program):
    import subprocess
    path = tmp_path / "broken.md"
    text = pathlib.Path(parlor._core.games_folder(), "tic-tac-toe.md").read_text()
    path.write_text(text.replace("empty", "emty"))
    with pytest.raises(parlor.GameError) as wrong:
        parlor.open(path)
    told = subprocess.run([program, "check", str(path)], capture_output=True, text=True)
    assert told.returncode != 0
    for line in str(wrong.value).strip().splitlines():
        assert line in told.stdout + told.stderr
    first = wrong.value.diagnostics[0]
    assert first["file"] == path.name and first["line"] > 0 and first["code"] in str(wrong.value)
    for make in (parlor.GymEnv, parlor.AECEnv, lambda game: parlor.VecEnv(game, 2), parlor.simulate, parlor.evaluate):
        with pytest.raises(parlor.GameError):
            make(path)


def test_games_are_taken_by_name_by_path_and_opened():
    path = pathlib.Path(parlor._core.games_folder(), "tic-tac-toe.md")
    for given in ("tic-tac-toe", path, str(path), parlor.open("tic-tac-toe")):
        assert parlor.GymEnv(given, "random").game.info["id"] == "tic-tac-toe"
        assert parlor.VecEnv(given, 1).game.info["id"] == parlor.AECEnv(given).game.info["id"] == "tic-tac-toe"
        assert parlor.simulate(given, games=2)["games"] == 2
    assert parlor.load_game(path).info["id"] == "tic-tac-toe"
    for wrong in (None, 7, b"chess", ["chess"]):
        with pytest.raises(TypeError):
            parlor.VecEnv(wrong, 1)


def test_examples_written_for_open_spiel_carry_over_p11():
    game = parlor.load_game("kuhn_poker")
    rng, state = numpy.random.RandomState(1), game.new_initial_state()
    while not state.is_terminal():
        assert not state.is_simultaneous_node()
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes())
            state.apply_action(rng.choice(actions, p=chances))
            continue
        assert state.is_player_node() and state.num_players() == state.get_game().num_players() == 2
        assert numpy.array_equal(state.observation_tensor(), state.observation_tensor(state.current_player()))
        assert state.information_state_string() == state.information_state_string(state.current_player())
        assert numpy.array_equal(state.information_state_tensor(), state.information_state_tensor(state.current_player()))
        action = rng.choice(state.legal_actions(state.current_player()))
        assert state.action_to_string(state.current_player(), action)
        child = state.child(action)
        state.apply_action(action)
        assert child == state
    assert [state.player_return(p) for p in range(2)] == state.returns() == state.rewards()
    with pytest.raises(ValueError):
        state.observation_tensor()


def test_states_of_the_same_opening_are_taken_and_others_are_not_p34():
    mine, other = parlor.VecEnv("connect-four", 2), parlor.open("connect-four")
    assert mine.game is not other
    state = played(other.new_initial_state(), 4)
    mine.set_state([1], [state])
    assert mine.get_state([1])[0] == state
    for env in (parlor.GymEnv("connect-four", "random"), parlor.AECEnv("connect-four")):
        env.reset(seed=1, options={"state": state})
        with pytest.raises(ValueError, match="another game"):
            env.reset(seed=1, options={"state": parlor.open("chess").new_initial_state()})
    with pytest.raises(ValueError, match="another game"):
        mine.set_state([0], [parlor.load_game("tic-tac-toe").new_initial_state()])


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_a_row_that_was_given_a_finished_game_begins_another_p31(autoreset):
    env = parlor.VecEnv("tic-tac-toe", 2, autoreset=autoreset)
    env.set_state([1], [played(env.game.new_initial_state(), 9)])
    assert env.player[1] == -4 and env.mask[1].sum() == 0
    env.step([0, 0])
    assert env.player[1] == 0 and env.mask[1].sum() == 9 and env.episode[1] == 1


# ---- Environments

def test_closed_environments_say_so_p20():
    gym, aec, vec = parlor.GymEnv("tic-tac-toe", "random"), parlor.AECEnv("tic-tac-toe"), parlor.VecEnv("tic-tac-toe", 2)
    for call in (lambda: gym.step(0), gym.render, lambda: aec.step(0), aec.render):
        with pytest.raises(RuntimeError, match="reset"):
            call()
    gym.reset()
    aec.reset()
    for env in (gym, aec, vec):
        env.close()
        env.close()
    for call in (lambda: gym.step(0), lambda: aec.step(0), lambda: vec.step([0, 0]), vec.reset, vec.clone,
                 lambda: vec.get_state([0]), lambda: vec.shared("obs"), lambda: vec.rollout(1)):
        with pytest.raises(RuntimeError):
            call()
    with parlor.VecEnv("tic-tac-toe", 2) as env:
        env.step_async([0, 0])
    with parlor.GymEnv("tic-tac-toe", "random") as env:
        env.reset()
    assert env.unwrapped is env


def test_what_is_wrong_with_an_opponent_is_said_at_once_p20():
    with pytest.raises(parlor.Error):
        parlor.GymEnv("tic-tac-toe", opponents="nobody")
    with pytest.raises(ValueError):
        parlor.AECEnv("tic-tac-toe", render_mode="human")


def test_the_usual_opponent_plays_every_game_p20(name):
    env = parlor.GymEnv(name)
    assert all("mcts:iters=100" in agent for agent in env.opponents.values())
    env.reset(seed=1)


def test_a_refused_step_changes_nothing_p21():
    env = parlor.AECEnv("breakthrough", reward="standing")
    env.reset(seed=1)
    for _ in range(6):
        env.step(int(numpy.flatnonzero(env.last()[0]["action_mask"])[0]))
    before = dict(env.rewards), dict(env._cumulative_rewards)
    with pytest.raises(parlor.Rejected):
        env.step(int(numpy.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert (env.rewards, env._cumulative_rewards) == before


def test_samples_repeat_with_the_seed_of_their_space_p22():
    env = parlor.AECEnv("tic-tac-toe")
    space = env.observation_space(env.possible_agents[0])

    def drawn():
        space.seed(4)
        return [space.sample()["action_mask"].tolist() for _ in range(3)]
    assert drawn() == drawn()
    with pytest.raises(ValueError):
        parlor.spaces.Discrete(4).sample(mask=numpy.ones(3, numpy.int8))


def test_rules_are_a_list_or_a_text_p13():
    for rules in ("economy", ["economy"], ("economy",), "[economy]"):
        assert parlor.open("coalition", rules=rules).opening["rules"] == ["economy"]


WORDS = {
    "parlor.open()": (TypeError, "which game"),
    "parlor.open('tic-tac-toe', rules=5)": (TypeError, "rules are a text or a list"),
    "parlor.open('tic-tac-toe', players='two')": (TypeError, "players is a whole number, not 'two'"),
    "parlor.open('hex', set=[1])": (TypeError, "set is a dict"),
    "parlor.open(text=5)": (TypeError, "text is a str"),
    "parlor.check(None)": (TypeError, "text is a str"),
    "game.new_initial_state(seed=1.5)": (TypeError, "integer"),
    "state.apply_action(2**80)": (IndexError, "there is no 12089"),
    "state.apply_action(None)": (TypeError, "NoneType"),
    "state.apply('plaec cell_0_0')": (parlor.Rejected, "ACTION_UNKNOWN: there is no action `plaec`"),
    "state.apply('place cell_9_9')": (parlor.Rejected, "not among the values"),
    "state.action_of('place')": (parlor.Rejected, "fits 9 options|needs the parameter"),
    "parlor.Agent('mtcs')": (parlor.GameError, "the agents are random"),
    "parlor.Agent(None)": (TypeError, "an agent is a text"),
    "parlor.Agent('random').choose(game)": (TypeError, "chooses in a parlor.State"),
    "parlor.simulate('tic-tac-toe', games=-1)": (ValueError, "games is at least 0, not -1"),
    "parlor.simulate('tic-tac-toe', games=2.5)": (TypeError, "games is a whole number, not 2.5"),
    "parlor.simulate('tic-tac-toe', None)": (TypeError, "agents are texts or callables"),
    "parlor.simulate('tic-tac-toe', ['random', 5])": (TypeError, "a text or a callable, not 5"),
    "parlor.simulate('tic-tac-toe', threads=10**9)": (ValueError, "threads is at most"),
    "parlor.evaluate('tic-tac-toe', agents=[len])": (TypeError, "agents of an evaluation are texts"),
    "parlor.solve('kuhn-poker', 'x')": (TypeError, "iterations is a whole number"),
    "parlor.GymEnv('tic-tac-toe', ['random', 'greedy'])": (ValueError, "2 opponents"),
    "parlor.GymEnv('tic-tac-toe', 5)": (TypeError, "opponents are agents"),
    "parlor.GymEnv('tic-tac-toe', [None])": (TypeError, "text or a callable, not None"),
    "parlor.GymEnv('tic-tac-toe', seat='X')": (TypeError, "seat is a whole number"),
    "parlor.GymEnv('tic-tac-toe', max_decisions=0)": (ValueError, "max_decisions is at least 1"),
    "parlor.AECEnv('tic-tac-toe', max_decisions='x')": (TypeError, "max_decisions is a whole number"),
    "parlor.AECEnv('tic-tac-toe').reset(options=5)": (TypeError, "options are a dict"),
    "parlor.GymEnv('tic-tac-toe', 'random').reset(options={'state': 5})": (TypeError, "is a parlor.State, not 5"),
    "parlor.VecEnv('tic-tac-toe', 2**70)": (ValueError, "num_envs is at most"),
    "parlor.VecEnv('tic-tac-toe', 2, threads=-1)": (ValueError, "threads is at least 0"),
    "parlor.VecEnv('tic-tac-toe', 2, autoreset='x')": (ValueError, "autoreset is one of same_step"),
    "parlor.VecEnv('tic-tac-toe', 2, dtype=None)": (ValueError, "dtype is one of f4, u1"),
    "parlor.VecEnv('tic-tac-toe', 2, max_decisions=-1)": (ValueError, "max_decisions is at least 1"),
    "parlor.VecEnv('tic-tac-toe', 2, opponents='random')": (TypeError, "by seat"),
    "parlor.VecEnv('tic-tac-toe', 2, opponents={7: 'random'})": (ValueError, "a seat is at most 1, not 7"),
    "parlor.VecEnv('tic-tac-toe', 2, opponents={0: len})": (TypeError, "callables play in GymEnv"),
    "env.reset([True, False], seed=1)": (ValueError, "without a mask"),
    "env.set_state([0], [None])": (TypeError, "parlor.State, not None"),
    "env.game_seed(-1, 0)": (IndexError, "there is no row -1"),
    "env.game_seed(0, -1)": (IndexError, "there is no game -1"),
    "env.rollout(1.5)": (TypeError, "steps is a whole number"),
    "parlor.spaces.Discrete(0)": (ValueError, "n is at least 1"),
}


@pytest.mark.parametrize("typed", WORDS)
def test_what_cannot_be_meant_is_said_in_words_p14(typed):
    kind, words = WORDS[typed]
    env = parlor.VecEnv("tic-tac-toe", 2)
    with pytest.raises(kind, match=words):
        eval(typed, {"parlor": parlor, "game": env.game, "state": env.game.new_initial_state(), "env": env})


def test_seeds_are_any_whole_numbers_p20():
    game = parlor.open("backgammon")
    assert game.new_initial_state(seed=-1) == game.new_initial_state(seed=2**64 - 1)
    for seed in (-5, 2**65 + 3):
        assert parlor.simulate(game, games=2, seed=seed)["games"] == parlor.simulate(game, [min_action], games=2, seed=seed)["games"]
        parlor.VecEnv(game, 1, seed=seed).reset(seed=seed)
        parlor.Agent("random", seed=seed).choose(game.new_initial_state())


def min_action(state):
    return state.legal_actions()[0]


def test_help_calls_things_by_their_names_p10():
    for owner in (parlor.Game, parlor.State, parlor._core.VectorTable, parlor.Random):
        for name, thing in vars(owner).items():
            assert "parlor::" not in (thing.__doc__ or ""), (owner, name, thing.__doc__)


def test_a_seed_begins_a_table_anew_p32_p34():
    env = parlor.VecEnv("backgammon", 3, seed=9)
    first = env.obs.copy()
    env.rollout(20)
    for _ in range(2):
        env.reset(seed=9)
        assert numpy.array_equal(env.obs, first) and not env.episode.any()
    other = parlor.VecEnv("backgammon", 3, seed=10)
    env.reset(seed=10)
    env.rollout(30, seed=3)
    other.rollout(30, seed=3)
    assert numpy.array_equal(env.obs, other.obs) and env.config == other.config
    env.reset(options={"reset_mask": numpy.array([True, False, False])})
    assert list(env.episode - other.episode) == [1, 0, 0]


# ---- Pictures

def words_of(picture):
    root = xml.etree.ElementTree.fromstring(picture)
    assert root.tag.endswith("svg") and int(root.get("width")) > 100 and int(root.get("height")) > 100
    return "\n".join(root.itertext())


def test_every_table_is_drawn_p20(game):
    state = game.new_initial_state(seed=1)
    for decisions in (0, 12):
        played(state, decisions)
        for viewer in (None, -1, *range(game.num_players())):
            assert game.info["name"] in words_of(state.svg(viewer))
    assert state._repr_svg_() == state.svg()


def test_pictures_show_what_the_viewer_may_see_p20():
    state = parlor.open("kuhn-poker").new_initial_state(seed=3)
    hands = [state.svg(p) for p in (0, 1)]
    assert hands[0] != hands[1]
    for seed in range(5):
        assert state.resample_from_infostate(0, seed).svg(0) == hands[0]


def test_environments_render_as_text_and_as_pictures_p20_p21():
    for make in (lambda **how: parlor.GymEnv("connect-four", "random", **how), lambda **how: parlor.AECEnv("connect-four", **how)):
        for mode in ("ansi", "svg"):
            env = make(render_mode=mode)
            assert mode in env.metadata["render_modes"]
            env.reset(seed=1)
            empty = env.render()
            env.step(38)
            assert env.render() != empty and env.render().startswith("<svg") == (mode == "svg")
