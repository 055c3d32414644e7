"""States: OpenSpiel's names and what they promise (P-11, P-12, P-60)."""
import copy
import pickle
import random

import numpy
import pytest

import parlor
from conftest import ROOT


def play(state, rng, most=60, look=lambda state: None):
    for _ in range(most):
        look(state)
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    return state


def test_every_shipped_game_is_here_p13():
    names = parlor.game_names()
    assert len(names) >= 19 and "chess" in names and "tic-tac-toe" in names


def test_numbers_of_a_game_are_those_of_its_states_p11(game):
    assert game.num_players() == game.info["players"] == len(game.info["seats"])
    assert 0 < game.num_distinct_actions() <= 65536
    assert game.action_kind() == "fixed"
    assert game.observation_tensor_size() == numpy.prod(game.observation_tensor_shape())
    state = game.new_initial_state(seed=3)
    assert state.observation_tensor(0).shape == game.observation_tensor_shape()
    assert state.observation_tensor(0).dtype == numpy.float32


def test_masks_and_legal_actions_agree_p60(game):
    def look(state):
        legal = state.legal_actions()
        mask = state.legal_actions_mask()
        assert len(mask) == game.num_distinct_actions()
        assert list(numpy.flatnonzero(mask)) == legal == sorted(set(legal))
        assert (len(legal) == 0) == state.is_terminal()
        assert (state.current_player() == -4) == state.is_terminal()
        for action in legal[:5]:
            name = state.action_to_string(action)
            assert state.string_to_action(name) == action
        other = (state.current_player() + 1) % game.num_players()
        if other != state.current_player():
            assert state.legal_actions(other) == []
    play(game.new_initial_state(seed=1), random.Random(1), most=80, look=look)


def test_observations_lie_in_their_space_and_come_in_parts_p12_p60(game):
    space = parlor.spaces.observation_space(game)

    def look(state):
        for player in range(game.num_players()):
            seen = state.observation_tensor(player)
            assert space.contains(seen)
            parts = state.observation_dict(player)
            assert [p["name"] for p in game.tensor_parts] == list(parts)
            joined = numpy.concatenate([p.reshape(-1) for p in parts.values()])
            assert numpy.array_equal(joined, seen.reshape(-1))
    play(game.new_initial_state(seed=2), random.Random(2), most=25, look=look)


def test_out_is_filled_without_a_copy_p12():
    game = parlor.open("breakthrough")
    state = game.new_initial_state()
    out = numpy.full(game.observation_tensor_shape(), 7, numpy.float32)
    assert state.observation_tensor(0, out=out) is out
    assert numpy.array_equal(out, state.observation_tensor(0))
    with pytest.raises(ValueError):
        state.observation_tensor(0, out=numpy.zeros(3, numpy.float32))
    with pytest.raises(TypeError):
        state.observation_tensor(0, out=numpy.zeros(game.observation_tensor_shape(), numpy.float64))


def test_seeds_repeat_and_copies_are_independent_p60(game):
    one = play(game.new_initial_state(seed=5), random.Random(5), most=30)
    two = play(game.new_initial_state(seed=5), random.Random(5), most=30)
    assert one.hash() == two.hash() and one == two and one.history() == two.history()
    first = game.new_initial_state(seed=5)
    for twin in (first.clone(), copy.copy(first), copy.deepcopy(first)):
        before = first.hash()
        twin.apply_action(twin.legal_actions()[0])
        assert first.hash() == before and first.move_number() == 0


def test_serialized_states_come_back_with_their_history_p11(game):
    state = play(game.new_initial_state(seed=7), random.Random(7), most=20)
    again = game.deserialize_state(state.serialize())
    assert again == state and again.history() == state.history() and again.seed == state.seed
    assert game.load(state.save()) == state


def test_returns_come_at_the_end_p07_p60(game):
    state = game.new_initial_state(seed=11)
    rng = random.Random(11)
    for _ in range(3000):
        if state.is_terminal():
            break
        assert state.returns() == [0.0] * game.num_players()
        state.apply_action(rng.choice(state.legal_actions()))
    if state.is_terminal():
        assert state.returns() == state.rewards() == [float(r) for r in state.outcome()["returns"]]
        with pytest.raises(parlor.Rejected):
            state.apply_action(0)


def test_chance_decides_at_its_own_nodes_when_asked_p11():
    game = parlor.load_game("kuhn-poker")
    state = game.new_initial_state()
    assert state.is_chance_node() and state.current_player() == -1
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 3 and sum(p for _, p in outcomes) == pytest.approx(1)
    state.apply_action(outcomes[1][0])
    state.apply_action(state.chance_outcomes()[0][0])
    assert state.current_player() == 0 and state.chance_outcomes() == []
    assert not parlor.open("kuhn-poker").new_initial_state().is_chance_node()


def test_games_are_opened_in_many_ways_p11_p13(tmp_path):
    assert parlor.load_game("coalition(players=3,rules=economy)").num_players() == 3
    assert parlor.load_game("hex(size=5)").num_distinct_actions() < \
        parlor.load_game("hex").num_distinct_actions()
    text = open_text("tic-tac-toe")
    assert parlor.load_game(text=text).info["id"] == "tic-tac-toe"
    path = tmp_path / "mine.md"
    path.write_text(text)
    assert parlor.open(str(path)).info["id"] == "tic-tac-toe"
    assert parlor.check(text) == []
    broken = parlor.check(text.replace("phase", "fase"))
    assert broken and {"code", "message", "severity"} <= set(broken[0])
    assert "economy" in [r["id"] for r in parlor.open("coalition").rules()]


def open_text(name):
    return open(f"{parlor._core.games_folder()}/{name}.md").read()


def test_a_player_cannot_tell_resampled_worlds_apart_p05():
    game = parlor.open("texas-holdem")
    state = game.new_initial_state(seed=4)
    worlds = [state.resample_from_infostate(0, seed) for seed in range(8)]
    assert len({w.hash() for w in worlds}) > 1
    for world in worlds:
        assert world.view(0) == state.view(0)
        assert numpy.array_equal(world.observation_tensor(0), state.observation_tensor(0))
    assert any(w.view(1) != state.view(1) for w in worlds)
    state.resample_from_infostate(0, random.Random(1))
    state.resample_from_infostate(0, numpy.random.default_rng(1))


def test_states_say_why_not_p11():
    state = parlor.open("tic-tac-toe").new_initial_state()
    state.apply("place cell_1_1")
    refused = state.why_not("place", **{"$cell": "cell_1_1"})
    assert refused["code"] and refused["message"]
    assert state.why_not("place", **{"$cell": "cell_0_0"}) is None
    assert state.why_not(state.legal_actions()[0]) is None


def information_sets(name):
    """The number of different things both players may know where they decide."""
    game = parlor.load_game(name)
    known, todo = set(), [game.new_initial_state()]
    while todo:
        state = todo.pop()
        if state.is_terminal():
            continue
        player = state.current_player()
        if player >= 0:
            known.add((player, state.information_state_key(player)))
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            todo.append(child)
    return len(known)


def test_information_states_are_as_many_as_published_p06():
    assert information_sets("kuhn-poker") == 12
    assert parlor.solve("kuhn-poker", 1)["informationSets"] == 12
    assert parlor.solve("leduc-poker", 1)["informationSets"] == 936


def test_the_whole_past_is_an_array_where_games_are_short_p06():
    for name, length in (("tic-tac-toe", 9), ("kuhn-poker", 5)):
        game = parlor.load_game(name)
        assert game.max_game_length() == length
        shape = game.information_state_tensor_shape()
        assert shape == (length + 1, game.observation_tensor_size() + game.num_distinct_actions() + 1)
        state = play(game.new_initial_state(), random.Random(1), most=4)
        array = state.information_state_tensor(0)
        assert array.shape == shape and array.dtype == numpy.float32 and array[:, -1].sum() >= 1
    with pytest.raises(ValueError):
        parlor.load_game("go").new_initial_state().information_state_tensor(0)
    assert parlor.load_game("go").max_game_length() == 100_000


def test_equal_pasts_are_equal_information_p05_p06():
    known, todo = set(), [parlor.load_game("kuhn-poker").new_initial_state()]
    while todo:
        state = todo.pop()
        player = state.current_player()
        if player >= 0:
            known.add((player, state.information_state_tensor(player).tobytes()))
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            todo.append(child)
    assert len(known) == 12


def test_games_and_states_can_be_sent_to_other_processes(game):
    state = play(game.new_initial_state(seed=3), random.Random(3), most=12)
    again = pickle.loads(pickle.dumps(state))
    assert again.hash() == state.hash() and again.history() == state.history()
    assert again.game.info == game.info
    assert pickle.loads(pickle.dumps(game)).info == game.info


def test_games_from_texts_can_be_sent_too():
    game = parlor.open(text=open_text("tic-tac-toe"))
    assert pickle.loads(pickle.dumps(game.new_initial_state())).game.info == game.info


def test_views_games_and_states_are_collected_p63():
    import gc
    import weakref
    env = parlor.VecEnv("tic-tac-toe", 2)
    env.itself = env  # a cycle
    obs, table = env.obs, weakref.ref(env)
    del env
    gc.collect()
    assert table() is None and obs.sum() >= 0
    state = parlor.open("tic-tac-toe").new_initial_state()  # keeps its game
    gc.collect()
    assert state.game.info["id"] == "tic-tac-toe"


def test_large_actions_are_chosen_step_by_step_p03():
    game = parlor.open(text=(ROOT / "tests" / "games" / "large" / "arrows.md").read_text())
    assert game.action_kind() == "factored" and game.num_distinct_actions() == 149
    assert game.action_name(0) == "move" and game.action_named("move $to cell_0_0") == 50
    state = game.new_initial_state()
    before = state.clone()
    state.apply_action(0)
    state.apply("move $from cell_6_3")
    assert state.current_player() == 0 and state.observation_dict(0)["steps"].sum() == 2
    assert state.observation_dict(1)["steps"].sum() == 0 and state != before
    assert pickle.loads(pickle.dumps(state)).hash() == state.hash()
    assert game.deserialize_state(state.serialize()).hash() == state.hash()
    with pytest.raises(parlor.Rejected):
        state.apply_action(0)
    end = play(state, random.Random(4), most=400)
    assert end.is_terminal() and sorted(end.returns()) == [-1, 1]
    env = parlor.AECEnv(game)
    env.reset(seed=1)
    for agent in env.agent_iter():
        obs, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(mask=obs["action_mask"]))
    many = parlor.VecEnv(game, 4)
    assert many.rollout(400) == 1600 and many.episode.sum() > 0
    assert parlor.simulate(game, ["greedy", "random"], games=4)["games"] == 4
