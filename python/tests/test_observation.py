"""What a player sees, as numbers: which parts there are and what stands in them (P-04)."""
import numpy
import pytest

import parlor


def clock_of(state, viewer):
    return state.observation_dict(viewer)["clock"]


def test_parts_have_a_name_a_shape_a_layout_and_bounds_p04(game):
    parts = game.tensor_parts
    assert len({part["name"] for part in parts}) == len(parts)
    for part in parts:
        assert len(part["layout"].split()) == len(part["shape"]), part
        assert part["low"] < part["high"], part
    size = sum(int(numpy.prod(part["shape"])) for part in parts)
    assert tuple(game.observation_tensor_shape()) == (size,)


def test_boards_are_planes_by_type_and_owner_seen_from_the_viewer_p04():
    state = parlor.open("connect-four").new_initial_state()
    state.apply("drop cell_5_3")
    state.apply("drop cell_5_0")
    for viewer, own, other in ((0, [5, 3], [5, 0]), (1, [5, 0], [5, 3])):
        board = state.observation_dict(viewer)["board"]
        assert board.shape == (3, 6, 7)
        assert numpy.argwhere(board[0]).tolist() == [own], "the viewer's own discs come first"
        assert numpy.argwhere(board[1]).tolist() == [other]
        assert board[0].max() == 1 and not board[2].any(), "one disc is all that lies in a cell; nothing is unseen"


def test_hexes_lie_by_q_and_r_p04():
    state = parlor.open("hex").new_initial_state()
    part = next(p for p in state.game.tensor_parts if p["name"] == "board")
    assert part["layout"] == "plane q r" and tuple(part["shape"][1:]) == (11, 11)
    before = state.observation_dict(0)["board"]
    state.apply_action(state.legal_actions()[5])
    changed = numpy.argwhere(before != state.observation_dict(0)["board"])
    assert len(changed) == 1, "one stone is one number"


def test_maps_are_planes_over_spaces_with_markers_one_hot_p04():
    game = parlor.open("insurgency")
    state = game.new_initial_state(seed=1)
    parts = {part["name"]: part for part in game.tensor_parts}
    assert parts["board"]["layout"] == "plane space"
    markers = state.observation_dict(0)["markers"]
    told = state.view(0)["markers"]
    assert markers.sum() == sum(len(of_zone) for of_zone in told.values()) > 0
    assert set(markers.sum(axis=1)) <= {0, 1}, "a space is in one state"


def test_areas_count_what_is_seen_and_what_is_not_p04():
    game = parlor.open("texas-holdem")
    state = game.new_initial_state(seed=3)
    areas = state.observation_dict(0)["areas"]
    assert areas.shape == (4, 53), "four areas; 52 kinds of cards, and those unseen"
    unseen = areas[:, -1]
    assert sorted(numpy.count_nonzero(row[:-1]) for row in areas) == [0, 0, 0, 2], "only the own two cards are known"
    assert numpy.count_nonzero(unseen) == 2, "the deck and the other hand are counted"
    watching = state.observation_tensor(0)
    for other in range(5):
        world = state.resample_from_infostate(0, numpy.random.default_rng(other))
        assert numpy.array_equal(world.observation_tensor(0), watching)


def test_variables_are_scaled_by_their_bounds_and_the_viewer_comes_first_p04():
    state = parlor.open("texas-holdem").new_initial_state(seed=3)
    seen = [state.observation_dict(viewer)["players"] for viewer in (0, 1)]
    assert numpy.array_equal(seen[0], seen[1][::-1]), "the same numbers, turned"
    chips = [player["chips"] for player in state.view(None)["players"]]
    assert len(set(chips)) == 2, "the blinds differ"
    scaled = seen[0][:, 0]  # chips are declared first
    assert scaled[0] / chips[0] == pytest.approx(scaled[1] / chips[1]), "both are divided by the same bound"
    assert all(abs(part).max() <= 1 for part in seen)


def test_the_clock_tells_phase_decider_and_kind_of_decision_p04():
    state = parlor.open("tic-tac-toe").new_initial_state()
    at_first = clock_of(state, 0)
    assert not numpy.array_equal(at_first, clock_of(state, 1)), "the decider is told as seen by the viewer"
    state.apply_action(state.legal_actions()[0])
    assert not numpy.array_equal(at_first, clock_of(state, 0))
    # One's own turn looks alike from either seat, but for how late it is.
    own = [i for i in range(len(at_first)) if at_first[i] != clock_of(state, 1)[i]]
    assert own and all(0 < clock_of(state, 1)[i] < 1 for i in own)


def test_a_half_made_move_is_told_to_whoever_makes_it_p04():
    state = parlor.open("hearts").new_initial_state(seed=1)
    mover = state.current_player()
    state.apply("pass")
    before = state.observation_dict(mover)["move"].copy()
    others = [state.observation_dict(p)["move"].copy() for p in range(4) if p != mover]
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == mover, "the move is not whole yet"
    assert not numpy.array_equal(before, state.observation_dict(mover)["move"])
    for player, was in zip((p for p in range(4) if p != mover), others):
        assert numpy.array_equal(was, state.observation_dict(player)["move"]), "nobody else is told"


def test_memories_are_left_out_p04():
    parts = {part["name"]: tuple(part["shape"]) for part in parlor.open("go").tensor_parts}
    assert parts["board"][1:] == (9, 9) and "memory" not in parts
    assert "areas" not in parts, "the memory of positions is in a zone of its own, and no part of what is seen"
    assert parts["board"][0] == 3, "stones: mine, theirs, nobody's; no planes for what is remembered"
    assert parts["globals"] == (1,), "who passed; the fingerprint of the last position is an arbitrary number"


COUNTERS = """
```yaml
metadata: {id: counters, name: Counters, description: Counts., players: 2}
zones: {table: public}
globalVars: {shown: 0..9, asked: 0..9, counted: 0..9}
perPlayerVars: {score: 0..9}
verbalization: {omit: [OMIT]}
turnStructure: {phases: {play: {}}}
actions:
  count:
    pre: asked < 5
    effects:
      - shown += 1
      - asked += 1
      - counted = 3
      - end phase
terminal: {end: {when: shown >= 4, draw: true}}
```
"""


def test_what_is_not_shown_is_told_only_where_rules_ask_for_it_p04():
    def told(omit):
        game = parlor.open(text=COUNTERS.replace("OMIT", omit))
        return {part["name"]: tuple(part["shape"]) for part in game.tensor_parts}["globals"]
    assert told("score") == (3,)
    assert told("score, asked, counted") == (2,), "what nobody asks for is left out"


def test_what_is_given_is_filled_p04_p12(game):
    state = game.new_initial_state()
    out = numpy.full(state.observation_tensor(0).shape, 7, numpy.float32)
    given = state.observation_tensor(0, out=out)
    assert given is out or numpy.shares_memory(given, out)
    assert numpy.array_equal(out, state.observation_tensor(0))
