"""Games side by side (P-30 to P-35, P-37) and the same games elsewhere (P-61)."""
import random

import numpy
import pytest

import parlor

FIELDS = ("obs", "mask", "player", "reward", "terminated", "truncated", "episode")


def actions_of(env, rng):
    """A legal action for each row, from the masks alone."""
    noise = rng.random(env.mask.shape, numpy.float32)
    return numpy.where(env.mask != 0, noise + 1, 0).argmax(1).astype(numpy.int32)


def history(env, steps, seed=0):
    rng = numpy.random.default_rng(seed)
    out = []
    for _ in range(steps):
        env.step(actions_of(env, rng))
        out.append([getattr(env, f).tobytes() for f in FIELDS])
    return out


@pytest.mark.parametrize("autoreset", parlor.VecEnv.AUTORESET)
def test_results_do_not_depend_on_threads_p32(autoreset):
    runs = [history(parlor.VecEnv("connect-four", 200, seed=3, autoreset=autoreset, threads=threads), 40)
            for threads in (1, 1, 2, 8)]
    assert all(run == runs[0] for run in runs)


def test_rollouts_do_not_depend_on_threads_or_on_how_many_rows_there_are_p32():
    def arrays(rows, threads):
        env = parlor.VecEnv("pig", rows, seed=3, threads=threads)
        assert env.rollout(40, seed=7) == 40 * rows
        return [getattr(env, f)[:50].tobytes() for f in FIELDS]
    assert arrays(50, 1) == arrays(50, 2) == arrays(200, 1) == arrays(200, 2) == arrays(200, 8)


def test_rows_do_not_depend_on_how_many_there_are_p32():
    few, many = parlor.VecEnv("pig", 4, seed=1), parlor.VecEnv("pig", 64, seed=1)
    for _ in range(50):
        few.step(few.mask.argmax(1).astype(numpy.int32))
        many.step(many.mask.argmax(1).astype(numpy.int32))
        assert numpy.array_equal(few.obs, many.obs[:4])


def same_game(env, row, state, players):
    """What the env says about a row is what the state says."""
    player = state.current_player()
    assert env.player[row] == player
    assert numpy.array_equal(env.mask[row], state.legal_actions_mask() if player >= 0
                             else numpy.zeros(env.mask.shape[1]))
    if player >= 0:
        assert numpy.array_equal(env.obs[row], state.observation_tensor(player).reshape(-1))


@pytest.mark.parametrize("autoreset", parlor.VecEnv.AUTORESET)
def test_rows_are_the_same_games_as_states_p31_p61(name, autoreset):
    game = parlor.open(name)
    rows = 3
    env = parlor.VecEnv(game, rows, seed=5, autoreset=autoreset)
    states = [game.new_initial_state(seed=env.game_seed(r, 0)) for r in range(rows)]
    games, over = [0] * rows, [False] * rows
    rng = numpy.random.default_rng(5)
    for _ in range(40):
        for r in range(rows):
            same_game(env, r, states[r], game.num_players())
            assert env._table.get_state(r).hash() == states[r].hash()
        actions = actions_of(env, rng)
        env.step(actions)
        for r in range(rows):
            expected = [0.0] * game.num_players()
            ended = False
            if over[r]:
                if autoreset == "next_step":
                    games[r] += 1
                    states[r] = game.new_initial_state(seed=env.game_seed(r, games[r]))
                    over[r] = False
            else:
                states[r].apply_action(int(actions[r]))
                ended = states[r].is_terminal()
                expected = states[r].returns()
            assert env.reward[r] == pytest.approx([x * env.reward_scale for x in expected])
            assert env.terminated[r] == ended
            assert not env.truncated[r]
            if ended and autoreset == "same_step":
                assert list(env.final_return[r]) == expected
                for p in range(game.num_players()):
                    assert numpy.array_equal(env.final_obs[r, p],
                                             states[r].observation_tensor(p).reshape(-1))
                games[r] += 1
                states[r] = game.new_initial_state(seed=env.game_seed(r, games[r]))
            elif ended:
                over[r] = True
            assert env.episode[r] == games[r]


def test_one_illegal_action_stops_the_whole_step_p24_p33():
    env = parlor.VecEnv("tic-tac-toe", 4)
    env.step([0, 1, 2, 3])
    before = env.obs.copy()
    with pytest.raises(parlor.Rejected) as refused:
        env.step([1, 0, 2, 0])
    assert refused.value.details == {"row": 2, "action": 2}
    with pytest.raises(IndexError):
        env.step([1, 0, 0, 900])
    with pytest.raises(ValueError):
        env.step([1, 0, 0])
    assert numpy.array_equal(env.obs, before)


def test_arrays_are_views_that_nobody_can_write_p30_p37():
    env = parlor.VecEnv("tic-tac-toe", 8)
    obs = env.obs
    before = obs.copy()
    env.step(numpy.zeros(8, numpy.int32))
    assert obs is env.obs and not numpy.array_equal(obs, before)
    for field in FIELDS:
        array = getattr(env, field)
        assert array.flags.c_contiguous and not array.flags.writeable
        with pytest.raises(ValueError):
            array[0] = 1
    assert env.terminated.dtype == bool and env.mask.dtype == numpy.uint8
    assert env.player.dtype == numpy.int8 and env.episode.dtype == numpy.int64
    parts = env.parts()
    assert parts["board"].shape[0] == 8 and numpy.shares_memory(parts["board"], env.obs)
    del env
    assert obs.sum() >= 0  # the memory lives as long as somebody looks at it


def test_everybody_or_nobody_may_be_observed_p30():
    game = parlor.open("leduc-poker")
    everybody = parlor.VecEnv(game, 5, observe="all")
    assert everybody.obs.shape == (5, 2, game.observation_tensor_size())
    for p in range(2):
        assert numpy.array_equal(everybody.obs[0, p],
                                 everybody.get_state([0])[0].observation_tensor(p).reshape(-1))
    assert parlor.VecEnv(game, 5, observe=None).obs is None
    assert "autoreset=same_step" in repr(everybody)
    assert parlor.VecEnv(**everybody.config).config == everybody.config


def test_bytes_and_bits_say_the_same_in_less_room_p30(name):
    game = parlor.open(name)
    wide = parlor.VecEnv(game, 3, seed=4)
    small = parlor.VecEnv(game, 3, seed=4, dtype="u1", packed_mask=True)
    assert small.obs.dtype == numpy.uint8 and small.mask.dtype == numpy.uint64
    assert small.mask.shape == (3, (game.num_distinct_actions() + 63) // 64)
    space = parlor.spaces.observation_space(game)
    step = ((space.high - space.low) / 255).reshape(-1)
    rng = numpy.random.default_rng(1)
    for _ in range(15):
        assert numpy.array_equal(small.unpacked_mask(), wide.mask)
        assert (abs(small.floats() - wide.obs) <= step / 2 + 1e-5).all()
        actions = actions_of(wide, rng)
        wide.step(actions)
        small.step(actions)
    assert small.clone().config == small.config and "dtype=u1" in repr(small)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("played", ["chess", "texas-holdem", "amazons", "pig"])
def test_masks_are_those_of_the_states_whatever_happens_to_rows_p30_p34(played, packed):
    """Masks are written for several rows at once, from what they had and what they get: more rows than that."""
    game = parlor.open(played)
    env = parlor.VecEnv(game, 37, seed=2, packed_mask=packed, observe=None, max_decisions=25, autoreset="disabled")
    rng = numpy.random.default_rng(3)
    for n in range(60):
        mask = env.unpacked_mask() if packed else env.mask
        for row, state in enumerate(env.get_state(range(37))):
            wanted = state.legal_actions_mask() if env.player[row] >= 0 else numpy.zeros(mask.shape[1])
            assert numpy.array_equal(mask[row], wanted)
        if n % 7 == 3:
            env.reset(mask=rng.random(37) < 0.3)
        elif n % 7 == 5:
            begun = game.new_initial_state(seed=n)
            env.set_state([n % 37, 36], [begun, begun])
        else:
            env.step(numpy.where(mask != 0, rng.random(mask.shape) + 1, 0).argmax(1))


def test_copies_stay_as_they_were_p30():
    env = parlor.VecEnv("tic-tac-toe", 2, copy=True)
    obs, info = env.reset()
    before, mask = obs.copy(), info["action_mask"].copy()
    env.step([0, 1])
    assert numpy.array_equal(obs, before) and numpy.array_equal(info["action_mask"], mask)
    with pytest.raises(ValueError):
        parlor.VecEnv("tic-tac-toe", 2, chance="explicit")
    with pytest.raises(ValueError):
        parlor.VecEnv("tic-tac-toe", 2, dtype="f8")
    with pytest.raises(ValueError):
        env.rollout(1, policy="clever")


def test_nothing_happens_while_a_step_is_under_way_p34():
    env = parlor.VecEnv("tic-tac-toe", 2)
    env.step_async([0, 0])
    for call in (lambda: env.step([1, 1]), env.reset, env.clone, lambda: env.rollout(1)):
        with pytest.raises(RuntimeError):
            call()
    env.step_wait()


def test_others_take_the_arrays_without_a_copy_p37():
    env = parlor.VecEnv("tic-tac-toe", 4)
    for field in FIELDS:
        own = getattr(env, field)
        lent = numpy.from_dlpack(env.shared(field))
        assert numpy.shares_memory(lent, own) and lent.shape == own.shape
    seen = numpy.from_dlpack(env.shared("obs"))
    before = seen.copy()
    env.step([0, 1, 2, 3])
    assert numpy.array_equal(seen, env.obs) and not numpy.array_equal(seen, before)
    del env
    assert seen.sum() > 0  # the memory lives as long as somebody has it
    with pytest.raises(ValueError):
        parlor.VecEnv("tic-tac-toe", 1, observe=None).shared("obs")


def test_torch_takes_the_arrays_p37():
    torch = pytest.importorskip("torch")
    env = parlor.VecEnv("tic-tac-toe", 4)
    tensor = torch.from_dlpack(env.shared("obs"))
    assert tensor.data_ptr() == env.obs.ctypes.data and tuple(tensor.shape) == env.obs.shape


def test_explicit_chance_is_resolved_p30():
    env = parlor.VecEnv(parlor.load_game("kuhn-poker"), 50, seed=2)
    assert (env.player >= 0).all()
    cards = {env.get_state([r])[0].view_json(0) for r in range(50)}
    assert len(cards) == 3
    twin = parlor.VecEnv(parlor.load_game("kuhn-poker"), 50, seed=2)
    assert history(env, 20) == history(twin, 20)


def test_opponents_play_inside_p35():
    env = parlor.VecEnv("connect-four", 20, seed=1, opponents={1: "random"})
    for _ in range(30):
        assert (env.player == 0).all()
        env.step(actions_of(env, numpy.random.default_rng(1)))
    threads = [history(parlor.VecEnv("connect-four", 80, opponents={0: "greedy"}, threads=t), 20)
               for t in (1, 3)]
    assert threads[0] == threads[1]
    with pytest.raises(parlor.GameError):
        parlor.VecEnv("connect-four", 2, opponents={0: "random", 1: "random"})
    with pytest.raises(parlor.GameError):
        parlor.VecEnv("connect-four", 2, opponents={0: "nobody-knows"})


def test_rows_are_reset_set_copied_and_cut_off_p23_p34():
    env = parlor.VecEnv("connect-four", 6, seed=1, autoreset="disabled", max_decisions=3)
    for n in range(3):
        env.step(actions_of(env, numpy.random.default_rng(n)))
    assert env.truncated.all() and not env.terminated.any() and (env.player == -4).all()
    env.reset(mask=[1, 0, 0, 0, 0, 1])
    assert list(env.player) == [0, -4, -4, -4, -4, 0] and list(env.episode) == [1, 0, 0, 0, 0, 1]
    state = env.game.new_initial_state()
    state.apply_action(state.legal_actions()[3])
    env.set_state([2], [state])
    assert env.player[2] == 1 and env.get_state([2])[0] == state
    twin = env.clone()
    twin.step(actions_of(twin, numpy.random.default_rng(7)))
    assert not numpy.array_equal(twin.obs, env.obs)
    env.step_async(actions_of(env, numpy.random.default_rng(7)))
    with pytest.raises(RuntimeError):
        env.step_async(actions_of(env, numpy.random.default_rng(7)))
    env.step_wait()
    assert numpy.array_equal(twin.obs, env.obs)
    with pytest.raises(RuntimeError):
        env.step_wait()


def test_rewards_may_be_changes_of_standing_p07():
    env = parlor.VecEnv("breakthrough", 4, seed=1, reward="standing", autoreset="disabled")
    total = numpy.zeros((4, 2))
    first = [s.standing() for s in env.get_state(range(4))]
    for n in range(100):
        env.step(actions_of(env, numpy.random.default_rng(n)))
        total += env.reward
    last = [s.standing() for s in env.get_state(range(4))]
    assert numpy.array_equal(total, numpy.array(last) - numpy.array(first))


def test_gym_aec_and_states_play_the_same_game_p61(name):
    """The same seed and actions lead to the same states."""
    game = parlor.open(name)
    aec = parlor.AECEnv(game)
    aec.reset(seed=4)
    state = game.new_initial_state(seed=aec.state().seed)
    rng = random.Random(4)
    for _ in range(30):
        assert aec.state().hash() == state.hash()
        if state.is_terminal():
            break
        action = rng.choice(state.legal_actions())
        state.apply_action(action)
        aec.step(action)
