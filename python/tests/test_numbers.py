"""What can be chosen has a number for each meaning: how many, and which (P-01)."""
import pytest

import parlor

PICK = """
```yaml
metadata: {id: numbers, name: Numbers, description: Picks., players: 2}
zones: {table: public}
globalVars: {picked: 0..5000}
turnStructure: {phases: {play: {}}}
actions:
  pick:
    params: {$n: VALUES}
    effects: [picked += 1, end phase]
terminal: {end: {when: picked >= 5, draw: true}}
```
"""


@pytest.mark.parametrize("values, names", [
    ("0..255", [f"pick {n}" for n in range(256)]),        # bounds of at most 256 values
    ("-3..2", [f"pick {n}" for n in range(-3, 3)]),
    ("0..256", [f"pick ~{n}" for n in range(32)]),        # more: by rank among the values offered, at most 32
    ("1..picked + 3", [f"pick ~{n}" for n in range(32)]),  # bounds that change
    ("players", ["pick 0", "pick 1"]),
    ("[true, false]", ["pick true", "pick false"]),
    ("[red, green, blue]", ["pick red", "pick green", "pick blue"]),
])
def test_each_value_a_parameter_can_have_is_a_number_p01(values, names):
    game = parlor.open(text=PICK.replace("VALUES", values))
    assert game.action_kind() == "fixed"
    assert sorted(game.action_name(a) for a in range(game.num_distinct_actions())) == sorted(names)


def test_ranks_count_the_values_that_are_offered_p01():
    state = parlor.open(text=PICK.replace("VALUES", "1..picked + 3")).new_initial_state()
    for more in range(3):
        assert [state.action_to_string(a) for a in state.legal_actions()] == [f"pick ~{n}" for n in range(3 + more)]
        largest = state.legal_actions()[-1]
        assert state.options()[-1]["params"]["$n"] == 3 + more and state.options()[-1]["number"] == largest
        state.apply_action(largest)


def test_numbers_mean_the_same_in_every_state_p01_p62():
    game = parlor.open("connect-four")
    first = game.new_initial_state()
    before = {a: first.action_to_string(a) for a in first.legal_actions()}
    later = first.child(first.legal_actions()[0]).child(first.legal_actions()[1])
    shared = set(before) & set(later.legal_actions())
    assert len(shared) >= 5 and all(later.action_to_string(a) == before[a] for a in shared)
    for a in shared:
        assert later.child(a).history()[-1] == first.child(a).history()[-1] == a
