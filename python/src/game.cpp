// Games and states: the names are OpenSpiel's where it has one.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <ranges>
#include <unordered_map>

#include "base/hash.h"
#include "base/hex.h"
#include "game/scene.h"
#include "game/stepwise.h"
#include "game/streams.h"
#include "kernel/kernel.h"
#include "kernel/learn/learning.h"
#include "open/native_code.h"
#include "open/open.h"
#include "state.h"

namespace parlor::python {

std::vector<py::ssize_t> OpenGame::tensor_shape() const {
  const auto parts = game->tensor_parts();
  if (parts.size() != 1) return {static_cast<py::ssize_t>(tensor_size(*game))};
  return {parts[0].shape.begin(), parts[0].shape.end()};
}

bool OpenGame::same_as(const OpenGame& other) const {
  return this == &other ||
         (game->info().fingerprint == other.game->info().fingerprint && opening == other.opening);
}

OpenState adopted(const std::shared_ptr<OpenGame>& game, const OpenState& state) {
  if (state.open_game() == game) return state;
  if (!game->same_as(*state.open_game()))
    throw py::value_error(fmt::format(
        "the state is of another game, or of one that was opened otherwise: begin with a state of "
        "this one ({})",
        game->game->info().id));
  return state.in(game);
}

PlayerId player_of(const Game& game, std::int64_t player) {
  if (player < 0 || player >= static_cast<std::int64_t>(game.info().players))
    throw py::index_error(fmt::format("there is no player {}", player));
  return PlayerId{static_cast<std::size_t>(player)};
}

void OpenState::list() {
  state_.list_options(options_);
  numbers_.resize(options_.size());
  game().action_indices(state_.block(), options_, numbers_);
  listed_ = true;
}

const OptionList& OpenState::options() {
  if (!listed_) list();
  return options_;
}

const std::vector<std::uint32_t>& OpenState::numbers() {
  if (!listed_) list();
  return numbers_;
}

Option OpenState::option_of(std::int64_t action) {
  const bool chance = state_.decision().kind == DecisionKind::chance;
  const std::size_t size = chance ? options().size() : game().action_space().size;
  if (action < 0 || action >= static_cast<std::int64_t>(size))
    throw py::index_error(fmt::format("action {} is not one of the {} there are", action, size));
  const auto& all = numbers();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == static_cast<std::uint32_t>(action)) return options_[i];
  if (state_.finished()) raise(Rejection(Code::GAME_FINISHED, "the game is over"));
  raise(Rejection(Code::OPTION_ILLEGAL,
                  fmt::format("action {} ({}) is not legal here", action,
                              game().action_name(static_cast<std::size_t>(action)))));
}

void OpenState::apply(Option option) {
  if (auto applied = state_.apply(option); !applied) raise(applied.error());
  history_.push_back(option);
  listed_ = false;
}

Seed seed_from(const py::handle& seed) {
  const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(seed.ptr()));
  if (!number) throw py::error_already_set();
  return py::cast<Seed>(number.attr("__and__")(py::int_(~std::uint64_t{0})));
}

namespace {

// The games that are open, by how they were opened. States that come back from another process or a
// file meet the game that is here already: of several that were opened alike, the latest. Used with
// the GIL held.
class OpenGames {
 public:
  void add(const std::shared_ptr<OpenGame>& game) {
    for (auto& [opening, alike] : games_)
      std::erase_if(alike, [](const std::weak_ptr<OpenGame>& one) { return one.expired(); });
    std::erase_if(games_, [](const auto& entry) { return entry.second.empty(); });
    games_[canonical(game->opening)].push_back(game);
  }
  std::shared_ptr<OpenGame> find(const Json& opening, std::uint64_t fingerprint) const {
    const auto found = games_.find(canonical(opening));
    if (found == games_.end()) return nullptr;
    // A file that changed meanwhile may have been opened before and after.
    for (const std::weak_ptr<OpenGame>& one : found->second | std::views::reverse)
      if (auto game = one.lock(); game && game->game->info().fingerprint == fingerprint)
        return game;
    return nullptr;
  }

 private:
  std::map<std::string, std::vector<std::weak_ptr<OpenGame>>> games_;
};

OpenGames& open_games() {
  static OpenGames games;
  return games;
}

// What the game is called where it is opened again: a file may be asked for from another folder.
std::string name_to_keep(const std::string& name) {
  std::error_code none;
  if (name.empty() || std::ranges::count(open::catalog().names(), name) > 0 ||
      !std::filesystem::is_regular_file(name, none))
    return name;
  return std::filesystem::absolute(name, none).string();
}

std::shared_ptr<OpenGame> open_game(const std::string& name, const py::dict& how,
                                    const std::optional<std::string>& text, bool native) {
  auto out = std::make_shared<OpenGame>();
  Json given = from_python(how);
  const auto options = open_options_from_json(given);
  if (!options) throw py::value_error(options.error());
  out->opening = to_json(*options);
  out->opening["game"] = text ? name : name_to_keep(name);
  if (text) out->opening["text"] = *text;
  if (native) out->opening["native"] = true;
  Opened opened;
  std::optional<Diagnostics> broken;
  SourceTexts texts;
  {
    const py::gil_scoped_release release;
    if (text) {
      spec::CompileOptions compile;
      compile.constants = options->constants;
      auto compiled = spec::compile_text(*text, compile, name.empty() ? "game.md" : name);
      texts = compiled.texts;
      if (!compiled.game) {
        broken = compiled.diagnostics;
      } else {
        kernel::KernelOptions kernel_options;
        kernel_options.players = options->players;
        kernel_options.explicit_chance = options->explicit_chance;
        auto made = kernel::open_game(std::move(*compiled.game), kernel_options);
        if (made)
          out->game = std::move(*made);
        else
          broken = made.error();
      }
      out->from_text = true;
    } else {
      opened = open::catalog(open::Files::by_path).open(name, *options);
      if (opened) out->game = std::move(*opened);
    }
  }
  if (broken) raise(*broken, texts);
  if (!out->game) raise(opened.error());
  if (native) {
    open::NativeGame made;
    {
      const py::gil_scoped_release release;
      made = open::make_native(std::move(out->game));
    }
    out->game = std::move(made.game);
    if (!made.trouble.empty() &&
        PyErr_WarnEx(PyExc_RuntimeWarning,
                     ("not native, the interpreter plays: " + made.trouble).c_str(), 1) != 0)
      throw py::error_already_set();
  }
  out->game = stepwise(std::move(out->game));
  open_games().add(out);
  return out;
}

std::shared_ptr<OpenGame> reopen_game(const py::dict& opening, std::uint64_t fingerprint) {
  Json how = from_python(opening);
  if (auto here = open_games().find(how, fingerprint)) return here;
  const auto text =
      how.contains("text") ? std::optional(how["text"].get<std::string>()) : std::nullopt;
  auto out = open_game(how.value("game", ""), opening, text, how.value("native", false));
  if (out->game->info().fingerprint != fingerprint)
    raise(Rejection(Code::STATE_INVALID,
                    fmt::format("{} has other rules here than where it was written down",
                                out->game->info().id)));
  return out;
}

py::list check_text(const std::string& text) {
  spec::CompileResult compiled;
  {
    const py::gil_scoped_release release;
    compiled = spec::compile_text(text);
  }
  return to_python(to_json(compiled.diagnostics));
}

py::dict info_dict(const OpenGame& open) {
  const GameInfo& info = open.game->info();
  py::dict out;
  out["id"] = info.id;
  out["name"] = info.name;
  out["description"] = info.description;
  out["players"] = info.players;
  out["min_players"] = info.min_players;
  out["max_players"] = info.max_players;
  out["seats"] = info.seats;
  out["has_chance"] = info.has_chance;
  out["explicit_chance"] = info.explicit_chance;
  out["hidden_information"] = info.hidden_information;
  out["actions"] = info.actions;
  out["rules"] = info.rules;
  out["fingerprint"] = info.fingerprint;
  return out;
}

py::list parts_list(const OpenGame& open) {
  py::list out;
  for (const TensorPart& part : open.game->tensor_parts()) {
    py::dict one;
    one["name"] = part.name;
    one["shape"] = py::tuple(py::cast(part.shape));
    one["layout"] = part.layout;
    one["low"] = part.low;
    one["high"] = part.high;
    out.append(one);
  }
  return out;
}

OpenState deserialize(const std::shared_ptr<OpenGame>& game, const std::string& text) {
  const auto json = parse_json(text);
  const auto bad = [](const std::string& why) { return Rejection(Code::JSON_INVALID, why); };
  if (!json) raise(bad(json.error()));
  if (!json->is_object() || !json->contains("first") || !json->contains("seed") ||
      !json->contains("history") || !(*json)["history"].is_array() ||
      !(*json)["seed"].is_number_unsigned())
    raise(bad("this is not a serialized state"));
  OpenState out(game, checked(game->game->load((*json)["first"])), (*json)["seed"].get<Seed>());
  for (const Json& id : (*json)["history"]) {
    if (!id.is_number_unsigned()) raise(bad("an option is a number"));
    const Option option{id.get<std::uint64_t>()};
    if (std::ranges::find(out.options(), option) == out.options().end())
      raise(bad(fmt::format("option {} is not legal where it was chosen", option.id)));
    out.apply(option);
  }
  return out;
}

// The decisions of the longest game, by looking at all of them: nothing if one has `most` or more,
// or if there are too many states to look at.
class LongestGame {
 public:
  LongestGame(std::size_t most, std::size_t states) : most_(most), states_(states) {}

  std::optional<std::size_t> after(const State& state, std::size_t depth) {
    if (state.finished()) return 0;
    if (depth + 1 >= most_) return std::nullopt;
    const std::uint64_t key = state.hash();
    if (const auto known = known_.find(key); known != known_.end()) {
      if (depth + known->second >= most_) return std::nullopt;
      return known->second;
    }
    if (states_-- == 0) return std::nullopt;
    OptionList options;
    state.list_options(options);
    std::size_t longest = 0;
    for (const Option option : options) {
      State next = state;
      if (!next.apply(option)) continue;
      const auto rest = after(next, depth + 1);
      if (!rest) return std::nullopt;
      longest = std::max(longest, *rest + 1);
    }
    known_.emplace(key, longest);
    return longest;
  }

 private:
  std::size_t most_, states_;
  std::unordered_map<std::uint64_t, std::size_t> known_;
};

std::optional<std::size_t> longest_game(const OpenGame& open, std::size_t most,
                                        std::size_t states) {
  const GameInfo& info = open.game->info();
  if (info.has_chance && !info.explicit_chance) return std::nullopt;
  const py::gil_scoped_release release;
  const auto first = open.game->start(0);
  if (!first) return std::nullopt;
  return LongestGame(most, states).after(*first, 0);
}

using Shared = std::shared_ptr<OpenGame>;
using GameClass = py::class_<OpenGame, Shared>;

void bind_facts(GameClass& game) {
  game.def_property_readonly("info", &info_dict)
      .def_property_readonly("opening", [](const OpenGame& g) { return to_python(g.opening); })
      .def_property_readonly("parts", [](const OpenGame& g) { return to_python(g.game->parts()); })
      .def_property_readonly("tensor_parts", &parts_list)
      .def_property_readonly("from_text", [](const OpenGame& g) { return g.from_text; })
      .def(
          "offered_rules",
          [](const OpenGame& g) {
            py::list out;
            for (const OfferedRule& rule : g.game->offered_rules())
              out.append(to_python(to_json(rule)));
            return out;
          },
          "The house rules and modules it can be opened with, as dicts.")
      .def(
          "num_players", [](const OpenGame& g) { return g.game->info().players; }, "How many play.")
      .def("_longest_game", &longest_game, py::arg("most"), py::arg("states"))
      .def(
          "utility_bounds",
          [](const OpenGame& g) -> py::object {
            kernel::ReturnBounds bounds;
            if (const auto* data =
                    dynamic_cast<const kernel::KernelGame*>(&behind_steps(*g.game))) {
              const auto known = kernel::bounds_of_returns(data->program());
              if (!known) return py::none();
              bounds = *known;
            }
            return py::make_tuple(bounds.low, bounds.high);
          },
          "(least, most) that a player can get, as far as the rules say; otherwise None.")
      .def(
          "scene", [](const OpenGame& g) { return to_python(scene_of(*g.game)); },
          "What there is to draw, the same for every state: docs/page.md.")
      .def("__repr__", [](const OpenGame& g) {
        return fmt::format("<parlor.Game {} for {}>", g.game->info().id, g.game->info().players);
      });
}

void bind_numbers(GameClass& game) {
  game.def(
          "num_distinct_actions", [](const OpenGame& g) { return g.game->action_space().size; },
          "How many numbers there are for what can be chosen.")
      .def(
          "action_kind",
          [](const OpenGame& g) {
            const ActionSpace::Kind kind = g.game->action_space().kind;
            return kind == ActionSpace::Kind::fixed      ? "fixed"
                   : kind == ActionSpace::Kind::factored ? "factored"
                                                         : "ordinal";
          },
          "fixed: a number means the same in every state; factored: likewise, and large actions "
          "are chosen parameter by parameter; ordinal: it is the place among the options.")
      .def(
          "action_name",
          [](const OpenGame& g, const py::object& action) {
            const std::int64_t index = whole_number(action);
            if (index < 0 || index >= static_cast<std::int64_t>(g.game->action_space().size))
              throw py::index_error(fmt::format("there is no action {}", index));
            return g.game->action_name(static_cast<std::size_t>(index));
          },
          py::arg("action"), "What a number means.")
      .def(
          "action_named",
          [](const OpenGame& g, const std::string& name) {
            const auto found = g.game->action_named(name);
            if (!found) throw py::key_error(name);
            return *found;
          },
          py::arg("name"), "The number of a name; KeyError if there is none.")
      .def(
          "observation_tensor_size", [](const OpenGame& g) { return tensor_size(*g.game); },
          "How many numbers an observation has.")
      .def(
          "observation_tensor_shape",
          [](const OpenGame& g) { return py::tuple(py::cast(g.tensor_shape())); },
          "The shape of an observation.");
}

void bind_states(GameClass& game) {
  game.def("adopt", &adopted, py::arg("state"),
           "A state of a game that was opened in the same way, as one of this game.")
      .def("__eq__",
           [](const OpenGame& a, const py::object& b) {
             return py::isinstance<OpenGame>(b) && a.same_as(b.cast<const OpenGame&>());
           })
      .def("__hash__", [](const OpenGame& g) { return g.game->info().fingerprint >> 1; })
      .def("__copy__", [](const Shared& g) { return g; })
      .def("__deepcopy__", [](const Shared& g, const py::dict&) { return g; })
      .def(
          "new_initial_state",
          [](const Shared& g, const py::object& seed) {
            const Seed number = seed_from(seed);
            return OpenState(g, checked(g->game->start(number)), number);
          },
          py::arg("seed") = 0, "A new game. The same seed gives the same game.")
      .def(
          "load",
          [](const Shared& g, const py::object& saved) {
            return OpenState(g, checked(g->game->load(from_python(saved))), 0);
          },
          py::arg("saved"), "A state from what `State.save` gave.")
      .def("deserialize_state", &deserialize, py::arg("text"),
           "A state with its history from what `State.serialize` gave.");
}

void bind_random(py::module_& module) {
  // Draws like the command line: which of these weighted outcomes the n-th draw of a seed gives.
  py::class_<Rng>(module, "Random")
      .def(py::init([](const py::object& seed, std::uint64_t stream) {
             return Rng(seed_from(seed), stream);
           }),
           py::arg("seed"), py::arg("stream") = 0)
      .def("below",
           [](Rng& rng, std::uint64_t size) {
             if (size == 0) throw py::value_error("nothing is below 0");
             return rng.below(size);
           })
      .def(
          "draw",
          [](Rng& rng, OpenState& state) {
            if (state.options().empty()) throw py::value_error("the game is over");
            return state.numbers()[draw_option(state.options(), rng)];
          },
          py::arg("state"))
      .def(py::pickle(
          [](const Rng& rng) {
            return py::make_tuple(to_hex(rng.state()), to_hex(rng.increment()));
          },
          [](const py::tuple& parts) {
            const auto number = [&](std::size_t i) {
              const auto read = parse_hex(py::cast<std::string>(parts[i]));
              if (!read) throw py::value_error(read.error());
              return *read;
            };
            if (parts.size() != 2) throw py::value_error("two numbers make a generator");
            return Rng::from_parts(number(0), number(1));
          }));
}

}  // namespace

void bind_game(py::module_& module) {
  GameClass game(module, "Game",
                 "Rules, opened for a number of players and house rules. Made by `parlor.open`.");
  // Known before anything mentions it, so that help() calls it by its name.
  py::class_<OpenState> state(
      module, "State",
      "A position of a game, with what led to it. Made by `Game.new_initial_state`.");
  bind_facts(game);
  bind_numbers(game);
  bind_states(game);
  bind_state(state);
  module.def("open_game", &open_game, py::arg("name"), py::arg("how"), py::arg("text") = py::none(),
             py::arg("native") = false);
  module.def("reopen_game", &reopen_game, py::arg("opening"), py::arg("fingerprint"));
  module.def("check_text", &check_text, py::arg("text"));
  module.def("game_names", [] { return open::catalog().names(); });
  module.def("games_folder", []() -> py::object {
    const auto folder = open::games_folder();
    return folder ? py::object(py::str(folder->string())) : py::none();
  });
  bind_random(module);
}

}  // namespace parlor::python
