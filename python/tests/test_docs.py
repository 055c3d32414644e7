"""The tutorial and the examples do what they say (P-43)."""
import importlib.util
import inspect
import re
import sys

import pytest

import parlor
from conftest import ROOT


def test_the_tutorial_runs_p43():
    text = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.S | re.M)
    assert len(blocks) >= 8
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


def test_formats_have_the_numbers_that_the_docs_list_p54():
    text = (ROOT / "docs" / "library.md").read_text()
    listed = dict(re.findall(r"^\| ([^|(]+?) ?(?:\([^|]*)?\| ([0-9]+) \|", text, re.M))
    state = parlor.open("tic-tac-toe").new_initial_state()
    assert state.save()["format"] == "parlor-state" and state.save()["version"] == int(listed["saved state"])
    assert state.game.scene()["format"] == f"parlor.scene.{listed['scene of a game']}"
    assert f"`/api/v{listed['wire of the server']}`" in text and "GameDef" in listed


def example(name):
    folder = str(ROOT / "python" / "examples")
    if folder not in sys.path:  # one example may use another
        sys.path.append(folder)
    spec = importlib.util.spec_from_file_location(name, ROOT / "python" / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tree_search_beats_random_p43():
    result = example("random_against_mcts").main("connect-four", "10")
    assert result["agents"][0]["wins"] >= 9


def test_forty_lines_solve_kuhn_poker_p43_p64():
    module = example("cfr_kuhn")
    value, sets = module.train()
    assert sets == 12 and value == pytest.approx(-1 / 18, abs=1e-3)
    source = inspect.getsource(module)
    lines = re.sub(r'""".*?"""', "", source[source.index("def share"):source.index("if __name__")], flags=re.S).splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 40


def test_a_survey_of_everything_p43_p60():
    module = example("survey")
    rows = module.survey(games=1)
    assert [row["game"] for row in rows] == parlor.game_names() and len(rows) >= 19
    for row in rows:
        assert row["numbers"] > 0 and row["options"] >= 1 and row["decisions"] > 1
    assert sum(row["ended"] for row in rows) >= len(rows) - 3  # some random games are very long
    assert module.search_against_chance(games=6) >= 5


@pytest.mark.slow
def test_a_small_network_learns_connect_four_p43():
    module = example("policy_gradient")
    assert module.score(module.train(seconds=110)) >= 0.9
