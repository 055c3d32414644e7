// States: what can be asked of one, what it shows, what changes it.
#include "state.h"

#include <algorithm>
#include <fmt/format.h>

#include "game/scene.h"
#include "game/streams.h"

namespace parlor::python {
namespace {

std::int64_t current_player(const State& state) {
  const Decision decision = state.decision();
  if (decision.kind == DecisionKind::finished) return -4;
  return decision.kind == DecisionKind::chance ? -1 : decision.player.value;
}

std::vector<double> returns_of(const State& state) {
  std::vector<std::int64_t> exact(state.game().info().players);
  if (state.finished()) state.game().returns(state.block(), exact);
  return {exact.begin(), exact.end()};
}

Viewer viewer_of(const Game& game, const py::object& player) {
  if (player.is_none()) return Viewer::everything();
  if (py::isinstance<py::str>(player)) return Viewer::observer(player.cast<std::string>());
  const auto number = whole_number(player);
  return number == -1 ? Viewer::observer() : Viewer::player(player_of(game, number));
}

// Of nobody in particular: of whoever decides, as OpenSpiel has it.
PlayerId looking(const OpenState& state, const py::object& player) {
  if (!player.is_none()) return player_of(state.game(), whole_number(player));
  const PlayerId decider = state.state().decision().player;
  if (decider.is_none()) throw py::value_error("no player decides here: say who looks");
  return decider;
}

py::array observation(OpenState& state, const py::object& player, const py::object& out) {
  const Game& game = state.game();
  const PlayerId viewer = looking(state, player);
  const std::size_t size = tensor_size(game);
  Floats target;
  if (out.is_none()) {
    target = Floats(state.open_game()->tensor_shape());
  } else {
    if (!py::isinstance<Floats>(out))
      throw py::type_error("out must be a C-contiguous float32 array");
    target = py::reinterpret_borrow<Floats>(out);
    if (static_cast<std::size_t>(target.size()) != size)
      throw py::value_error(fmt::format("out has {} numbers, not {}", target.size(), size));
  }
  game.observe(state.state().block(), viewer, {target.mutable_data(), size});
  return target;
}

// What a player has seen and done since the beginning, in order.
std::vector<std::string> experience(const OpenState& open, const py::object& player) {
  const PlayerId who = looking(open, player);
  const Viewer viewer = Viewer::player(who);
  std::vector<std::string> out;
  State state = open.beginning();
  const auto look = [&] {
    std::string view = canonical(state.view(viewer));
    if (out.empty() || out.back() != view) out.push_back(std::move(view));
  };
  look();
  for (const Option option : open.history()) {
    const bool own = state.decision().player == who && !state.finished();
    if (own) out.push_back("> " + state.option_text(option, viewer));
    if (!state.apply(option)) break;
    look();
  }
  return out;
}

py::list options_list(OpenState& state, const py::object& player) {
  const Viewer viewer = viewer_of(state.game(), player);
  py::list out;
  const OptionList& options = state.options();
  for (std::size_t i = 0; i < options.size(); ++i) {
    py::dict one = to_python(state.state().option_json(options[i], viewer));
    one["text"] = state.state().option_text(options[i], viewer);
    const std::uint32_t number = state.numbers()[i];
    one["number"] = number == no_action ? py::object(py::none()) : py::object(py::int_(number));
    if (!options.weights().empty()) one["weight"] = options.weights()[i];
    out.append(one);
  }
  return out;
}

// The option that a request means; a refusal says why, as `why_not` does.
Option requested(const OpenState& open, const py::object& request) {
  const Json asked = from_python(request);
  const auto option = find_option(open.state(), asked);
  if (option) return *option;
  if (option.error().code == code_name(Code::OPTION_ILLEGAL))
    if (const auto why = open.state().why_not(asked, Viewer::everything())) raise(*why);
  raise(option.error());
}

// The first state, and the options since.
std::string serialize(const OpenState& state) {
  Json history = Json::array();
  for (const Option option : state.history()) history.push_back(option.id);
  return canonical({{"first", state.beginning().save()},
                    {"seed", state.seed()},
                    {"history", std::move(history)}});
}

void bind_questions(py::class_<OpenState>& state) {
  state
      .def(
          "current_player", [](const OpenState& s) { return current_player(s.state()); },
          "Who decides: 0…, -1 chance, -4 when the game is over.")
      .def(
          "is_terminal", [](const OpenState& s) { return s.state().finished(); },
          "Whether the game is over.")
      .def(
          "is_chance_node",
          [](const OpenState& s) { return s.state().decision().kind == DecisionKind::chance; },
          "Whether chance decides.")
      .def(
          "starts_move", [](const OpenState& s) { return s.state().decision().starts_move; },
          "Whether a whole move begins here, rather than a choice inside one.")
      .def(
          "decision_kind",
          [](const OpenState& s) {
            return std::string(decision_kind_name(s.state().decision().kind));
          },
          "What is decided: actionSelection, chooseOne, chooseN, chance or finished.")
      .def(
          "pending",
          [](const OpenState& s) {
            std::vector<int> out;
            if (!s.state().finished())
              for (const PlayerId player : s.state().pending()) out.push_back(player.value);
            return out;
          },
          "The players who may decide now, where several do at once.")
      .def(
          "let_decide",
          [](OpenState& s, const py::object& player) {
            const PlayerId next = player_of(s.game(), whole_number(player));
            s.replaced();
            return s.game().let_decide(s.state().block(), next);
          },
          py::arg("player"),
          "Where several decide at once: lets this player come next. False if they may not.")
      .def(
          "legal_actions",
          [](OpenState& s, const py::object& player) {
            py::list out;
            if (!player.is_none() && whole_number(player) != current_player(s.state())) return out;
            std::vector<std::uint32_t> sorted = s.numbers();
            std::ranges::sort(sorted);
            for (const std::uint32_t number : sorted)
              if (number != no_action) out.append(number);
            return out;
          },
          py::arg("player") = py::none(),
          "The numbers of what can be chosen, ascending; none for another player than the decider.")
      .def(
          "legal_actions_mask",
          [](OpenState& s, const py::object& player) {
            const bool chance = s.state().decision().kind == DecisionKind::chance;
            const std::size_t size = chance ? s.options().size() : s.game().action_space().size;
            py::array_t<std::uint8_t> out(static_cast<py::ssize_t>(size));
            std::fill_n(out.mutable_data(), size, std::uint8_t{0});
            if (player.is_none() || whole_number(player) == current_player(s.state()))
              for (const std::uint32_t number : s.numbers())
                if (number < size) out.mutable_data()[number] = 1;
            return out;
          },
          py::arg("player") = py::none(), "The same as an array of zeros and ones.")
      .def(
          "chance_outcomes",
          [](OpenState& s) {
            py::list out;
            if (s.state().decision().kind != DecisionKind::chance) return out;
            const auto weights = s.options().weights();
            double sum = 0;
            for (const std::uint32_t weight : weights) sum += weight;
            for (std::size_t i = 0; i < weights.size(); ++i)
              out.append(py::make_tuple(s.numbers()[i], weights[i] / sum));
            return out;
          },
          "[(action, probability)] where chance decides, otherwise nothing.")
      .def(
          "returns", [](const OpenState& s) { return returns_of(s.state()); },
          "What each player got; zeros until the game is over.")
      .def(
          "outcome",
          [](const OpenState& s) -> py::object {
            return s.state().finished() ? to_python(to_json(s.state().outcome())) : py::none();
          },
          "Winners, returns and reason as a dict; None until the game is over.")
      .def(
          "standing",
          [](const OpenState& s) -> py::object {
            std::vector<std::int64_t> out(s.game().info().players);
            if (!s.game().standing(s.state().block(), out)) return py::none();
            return py::cast(out);
          },
          "The game's own measure of who leads, one number a player; None if it has none.")
      .def(
          "hash", [](const OpenState& s) { return s.state().hash(); },
          "A number that equal states share.")
      .def("__eq__",
           [](const OpenState& a, const py::object& b) {
             return py::isinstance<OpenState>(b) &&
                    a.open_game()->same_as(*b.cast<const OpenState&>().open_game()) &&
                    a.game().equal(a.state().block(), b.cast<const OpenState&>().state().block());
           })
      .def("__hash__", [](const OpenState& s) { return s.state().hash() >> 1; });
}

void bind_views(py::class_<OpenState>& state) {
  state
      .def("observation_tensor", &observation, py::arg("player") = py::none(),
           py::arg("out") = py::none(),
           "What a player (none: whoever decides) sees, as float32 in the game's shape; `out` is "
           "filled without a copy.")
      .def("experience", &experience, py::arg("player") = py::none(),
           "What a player has seen and done, one line each.")
      .def(
          "view",
          [](const OpenState& s, const py::object& player) {
            return to_python(s.state().view(viewer_of(s.game(), player)));
          },
          py::arg("player") = py::none(),
          "What a player sees, as a dict; None sees everything, -1 only watches.")
      .def(
          "view_json",
          [](const OpenState& s, const py::object& player) {
            return canonical(s.state().view(viewer_of(s.game(), player)));
          },
          py::arg("player") = py::none(), "The same as canonical JSON.")
      .def(
          "stage",
          [](const OpenState& s, const py::object& player) {
            return to_python(stage_of(s.state(), viewer_of(s.game(), player)));
          },
          py::arg("player") = py::none(), "The same in the words of `Game.scene`, to be drawn.")
      .def(
          "describe",
          [](const OpenState& s, const py::object& player) {
            return s.state().describe(viewer_of(s.game(), player));
          },
          py::arg("player") = py::none(), "What a player sees, as text.")
      .def(
          "decision",
          [](const OpenState& s, const py::object& player) {
            return to_python(decision_to_json(s.state(), viewer_of(s.game(), player)));
          },
          py::arg("player") = py::none(), "What a player is told of the decision, as a dict.")
      .def("options", &options_list, py::arg("player") = py::none(),
           "What can be chosen, as dicts with text and number.")
      .def(
          "_option_text",
          [](OpenState& s, const py::object& action) {
            return s.state().option_text(s.option_of(whole_number(action)));
          },
          py::arg("action"))
      .def("_why_not",
           [](const OpenState& s, const py::object& request,
              const py::object& player) -> py::object {
             const auto why = s.state().why_not(from_python(request), viewer_of(s.game(), player));
             return why ? to_python(to_json(*why)) : py::none();
           })
      .def(
          "save", [](const OpenState& s) { return to_python(s.state().save()); },
          "The state as a dict that `Game.load` takes.")
      .def("serialize", &serialize,
           "The state with its history as text, for `Game.deserialize_state`.")
      .def("__str__", [](const OpenState& s) { return s.state().describe(); })
      .def("__repr__", [](const OpenState& s) {
        return fmt::format("<parlor.State of {} after {} decisions>", s.game().info().id,
                           s.history().size());
      });
}

void bind_changes(py::class_<OpenState>& state) {
  state
      .def(
          "apply_action",
          [](OpenState& s, const py::object& action) {
            s.apply(s.option_of(whole_number(action)));
          },
          py::arg("action"),
          "Chooses by number. Rejected (or IndexError) if it is not legal; then nothing has "
          "changed.")
      .def(
          "apply", [](OpenState& s, const py::object& request) { s.apply(requested(s, request)); },
          py::arg("request"),
          "Chooses by anything `parlor play` understands: a text, an index, a dict.")
      .def(
          "action_of",
          [](OpenState& s, const py::object& request) {
            return s.state().action_index(requested(s, request));
          },
          py::arg("request"), "The number of what `apply` would choose.")
      .def(
          "clone", [](const OpenState& s) { return OpenState(s); },
          "A copy that goes on by itself.")
      .def("__copy__", [](const OpenState& s) { return OpenState(s); })
      .def("__deepcopy__", [](const OpenState& s, const py::dict&) { return OpenState(s); })
      .def(
          "_resample",
          [](const OpenState& s, const py::object& player, const py::object& seed) {
            const PlayerId viewer = player_of(s.game(), whole_number(player));
            OpenState out = s;
            Rng rng(seed_from(seed));
            s.game().resample_hidden(out.state().block(), Viewer::player(viewer), rng);
            out.replaced();
            out.forget();
            return out;
          },
          py::arg("player"), py::arg("seed"))
      .def(
          "history",
          [](const OpenState& s) {
            std::vector<std::size_t> out;
            State state = s.beginning();
            for (const Option option : s.history()) {
              out.push_back(state.action_index(option));
              if (!state.apply(option)) break;
            }
            return out;
          },
          "The numbers of what was chosen since the beginning.")
      .def(
          "first_state",
          [](const OpenState& s) { return OpenState(s.open_game(), s.beginning(), s.seed()); },
          "The state this one began with.")
      .def(
          "move_number", [](const OpenState& s) { return s.history().size(); },
          "How many decisions were made since the beginning.")
      .def("forget_history", &OpenState::forget, "Makes this state the beginning.")
      .def_property_readonly("seed", &OpenState::seed)
      .def_property_readonly("game", [](const OpenState& s) {
        return std::const_pointer_cast<OpenGame>(s.open_game());
      });
}

}  // namespace

void bind_state(py::class_<OpenState>& state) {
  bind_questions(state);
  bind_views(state);
  bind_changes(state);
}

}  // namespace parlor::python
