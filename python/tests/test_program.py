"""The command line plays the same games (P-61), long calls end when asked to (P-15), mistakes are
exceptions of one tree and never more (P-13, P-14)."""
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import parlor


def test_traces_of_the_command_line_play_here_p61(name, program):
    run = subprocess.run([program, "trace", name, "--seed", "6", "--max-decisions", "80"],
                         capture_output=True, text=True, check=True)
    *lines, last = [json.loads(line) for line in run.stdout.splitlines()]
    state = parlor.open(name).new_initial_state(seed=6)
    for line in lines:
        assert line["hash"] == f"{state.hash():016x}"
        state.apply(line["picked"])
    assert last["hash"] == f"{state.hash():016x}"


def test_what_is_played_here_replays_there_p61(name, program, tmp_path):
    """The picks of a game played through AECEnv, replayed by the command line, lead to the same state."""
    game = parlor.open(name)
    env = parlor.AECEnv(game)
    env.reset(seed=8)
    picks = []
    rng = numpy.random.default_rng(8)
    for _ in range(25):
        state = env.state()
        if state.is_terminal():
            break
        action = int(rng.choice(state.legal_actions()))
        picks.append([o["number"] for o in state.options()].index(action))
        env.step(action)
    moves = tmp_path / "moves.json"
    moves.write_text(json.dumps(picks))
    run = subprocess.run([program, "state", name, "--seed", str(env.state().seed), "--moves", str(moves), "--json"],
                         capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["hash"] == f"{env.state().hash():016x}"


def test_simulation_is_that_of_the_command_line_p61(program):
    run = subprocess.run([program, "sim", "tic-tac-toe", "--games", "50", "--seed", "3", "--json"],
                         capture_output=True, text=True, check=True)
    theirs = json.loads(run.stdout)
    ours = parlor.simulate("tic-tac-toe", games=50, seed=3)
    for key in ("games", "decisions", "outcomes", "seats"):
        assert ours[key] == theirs[key], key


def test_callables_and_agents_play_in_simulations_p13():
    result = parlor.simulate("tic-tac-toe", [parlor.Agent("mcts:iters=200"), "random"], games=6)
    assert result["seats"][0]["wins"] + result["seats"][0]["shared"] == 6
    first = parlor.simulate("tic-tac-toe", [lambda state: state.legal_actions()[0]], games=2)
    assert first["games"] == 2 and first["seats"][0]["wins"] == 2
    assert "mcts" in parlor.agent_kinds()
    with pytest.raises(ValueError):
        parlor.simulate("tic-tac-toe", ["random"] * 3)
    with pytest.raises(parlor.GameError):
        parlor.simulate("tic-tac-toe", "nobody-knows")


def test_evaluation_and_solution_come_as_dicts_p13():
    seen = parlor.evaluate("tic-tac-toe", games=20, agents="random")
    assert seen["complete"] and isinstance(json.dumps(seen), str)
    solved = parlor.solve("kuhn-poker", 500)
    assert solved["values"][0] == pytest.approx(-1 / 18, abs=2e-3)
    with pytest.raises(parlor.Rejected):
        parlor.solve("chess", 10, most_nodes=1000)


LONG = {
    "simulate": 'parlor.simulate("go", games=10**7, threads=1)',
    "evaluate": 'parlor.evaluate("go", games=10**6, threads=1, agents="random")',
    "solve": 'parlor.solve("leduc-poker", 10**7)',
}


def processor_time(pid):
    """Seconds that a running process has used."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("call", LONG)
def test_ctrl_c_ends_long_calls_with_what_was_reached_p15(call):
    code = f"""
import parlor, signal, time, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what runs in the background
print("ready", flush=True)
try:
    {LONG[call]}
except parlor.Interrupted as stop:
    print("stopped", isinstance(stop.partial, dict), flush=True)
    time.sleep(1)  # until somebody has looked
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1.5)
    assert child.poll() is None
    asked, spent = time.monotonic(), processor_time(child.pid)
    child.send_signal(signal.SIGINT)
    assert child.stdout.readline() == "stopped True\n"
    took, spent = time.monotonic() - asked, processor_time(child.pid) - spent
    child.wait(10)
    # 200 ms of a core: by the clock too, unless others use it meanwhile.
    assert spent <= 0.2 and took < 3, (spent, took)


def test_other_threads_run_meanwhile_p15():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.002)
    thread = threading.Thread(target=tick)
    thread.start()
    parlor.simulate("connect-four", "mcts:iters=200", games=4, threads=1)
    stop.set()
    thread.join()
    assert len(ticks) > 5


def test_a_game_may_be_used_by_many_threads_p15():
    game = parlor.open("breakthrough")
    hashes = {}

    def play(seed):
        state = game.new_initial_state(seed=seed)
        for n in range(60):
            if state.is_terminal():
                break
            legal = state.legal_actions()
            state.apply_action(legal[(seed * 7 + n) % len(legal)])
            state.observation_tensor(0)
        hashes[(seed, threading.get_ident())] = state.hash()
    threads = [threading.Thread(target=lambda: [play(s) for s in range(6)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(6):
        assert len({h for (s, _), h in hashes.items() if s == seed}) == 1


def test_what_is_wrong_with_a_game_is_said_p14():
    with pytest.raises(parlor.GameError) as wrong:
        parlor.open(text="```yaml\nmetadata: {id: x\n```")
    assert wrong.value.diagnostics[0]["code"]
    with pytest.raises(parlor.GameError):
        parlor.open("no-such-game")
    with pytest.raises(parlor.GameError):
        parlor.open("tic-tac-toe", players=7)
    with pytest.raises(parlor.GameError):
        parlor.open("chess", rules=["no-such-rule"])
    assert issubclass(parlor.GameError, parlor.Error) and issubclass(parlor.Rejected, parlor.Error)
    assert issubclass(parlor.Interrupted, KeyboardInterrupt)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8)
KINDS = (parlor.Error, IndexError, ValueError, TypeError, KeyError, OverflowError)
GAMES = {}


def start(name, seed=1):
    if name not in GAMES:
        GAMES[name] = parlor.open(name)
    return GAMES[name].new_initial_state(seed=seed)


@settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(["tic-tac-toe", "texas-holdem", "chess", "insurgency", "backgammon"]),
       method=st.sampled_from(["apply_action", "apply", "action_of", "why_not", "action_to_string",
                               "string_to_action", "observation_tensor", "observation_dict", "view",
                               "describe", "options", "legal_actions", "legal_actions_mask",
                               "information_state_string", "resample_from_infostate", "let_decide",
                               "decision", "_resample", "_why_not", "_option_text"]),
       arguments=st.lists(anything, min_size=1, max_size=2))
def test_nothing_that_is_passed_to_a_state_breaks_it_p14(name, method, arguments):
    state = start(name)
    before = state.hash()
    try:
        getattr(state, method)(*arguments)
    except KINDS:
        assert state.hash() == before
    assert state.legal_actions() is not None


@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(how=st.dictionaries(st.sampled_from(["players", "rules", "set", "explicit_chance", "position",
                                            "layout", "modifiers"]), anything, max_size=3),
       name=st.sampled_from(["tic-tac-toe", "chess", "pig"]) | st.text(max_size=6))
def test_nothing_that_a_game_is_opened_with_breaks_it_p14(name, how):
    try:
        parlor.open(name, **how)
    except (*KINDS, AttributeError):
        pass


@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(text=st.text(max_size=40), saved=anything)
def test_no_saved_state_breaks_anything_p14(text, saved):
    game = start("pig").game
    for call, value in ((game.deserialize_state, text), (game.load, saved)):
        with pytest.raises(KINDS):
            call(value)


@settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(actions=st.lists(st.integers(-2**31, 2**31 - 1), min_size=1, max_size=4) | anything)
def test_no_actions_break_a_table_p14(actions):
    env = parlor.VecEnv("tic-tac-toe", 3)
    before = env.obs.copy()
    try:
        env.step(actions)
    except KINDS:
        assert numpy.array_equal(env.obs, before)


def test_the_stubs_name_what_there_is_p10():
    """_core.pyi lists the classes, functions and methods of the module, no more and no fewer."""
    path = os.path.join(os.path.dirname(parlor.__file__), "_core.pyi")
    listed, current = {"": set()}, ""
    for line in open(path):
        if match := re.match(r"class (\w+)", line):
            current = match[1]
            listed[current] = set()
            listed[""].add(current)
        elif match := re.match(r"(    )?(?:def (\w+)|(\w+): )", line):
            inside = current if match[1] else ""
            listed[inside].add(match[2] or match[3])
    core = parlor._core
    public = {n for n in dir(core) if not n.startswith("__")}
    assert public == listed[""]
    for name in public:
        if isinstance(getattr(core, name), type):
            own = {n for n in vars(getattr(core, name)) if not re.match(r"__(?!init__$)", n)}
            own = {n for n in own if not n.startswith("_pybind11")}
            assert own - {"__init__"} == listed[name] - {"__init__"}, name
    assert os.path.exists(os.path.join(os.path.dirname(path), "py.typed"))
