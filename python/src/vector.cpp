// Games side by side: the arrays are the table's own memory, shown read-only.
#include "play/vector.h"

#include <fmt/format.h>

#include "state.h"

namespace parlor::python {
namespace {

using play::VectorTable;

struct Table {
  std::shared_ptr<OpenGame> game;
  std::unique_ptr<VectorTable> table;
};

template <class T>
py::array view_of(const py::object& owner, std::vector<T>& data, std::vector<py::ssize_t> shape,
                  bool writable) {
  py::array_t<T> out(std::move(shape), data.data(), owner);
  if (!writable)
    py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return out;
}

template <class Enum>
Enum one_of(const std::string& text, std::initializer_list<std::pair<const char*, Enum>> names) {
  std::string known;
  for (const auto& [name, value] : names) {
    if (text == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw py::value_error(fmt::format("`{}` is none of: {}", text, known));
}

std::unique_ptr<Table> make_table(const std::shared_ptr<OpenGame>& game, std::size_t rows,
                                  Seed seed, const std::string& autoreset,
                                  const std::string& observed, const std::string& rewards,
                                  double reward_scale, const std::string& numbers,
                                  const std::string& masks, unsigned threads,
                                  std::uint64_t max_decisions,
                                  const std::map<std::size_t, std::string>& opponents) {
  using namespace play;
  VectorOptions options;
  if (rows == 0 || rows > (std::size_t{1} << 24))
    throw py::value_error("num_envs must be 1 to 2^24");
  options.rows = rows;
  options.seed = seed;
  options.autoreset = one_of<Autoreset>(autoreset, {{"same_step", Autoreset::same_step},
                                                    {"next_step", Autoreset::next_step},
                                                    {"disabled", Autoreset::disabled}});
  options.observed = one_of<Observed>(
      observed,
      {{"none", Observed::nobody}, {"decider", Observed::decider}, {"all", Observed::everybody}});
  options.rewards =
      one_of<Rewards>(rewards, {{"terminal", Rewards::terminal}, {"standing", Rewards::standing}});
  options.reward_scale = static_cast<float>(reward_scale);
  options.numbers = one_of<Numbers>(numbers, {{"f4", Numbers::floats}, {"u1", Numbers::bytes}});
  options.masks = one_of<Masks>(masks, {{"bytes", Masks::bytes}, {"bits", Masks::bits}});
  options.threads = threads;
  options.max_decisions = max_decisions;
  options.opponents = opponents;
  tl::expected<std::unique_ptr<VectorTable>, Diagnostic> made;
  {
    const py::gil_scoped_release release;
    made = VectorTable::make(game->game, options);
  }
  if (!made) raise(made.error());
  return std::make_unique<Table>(Table{game, std::move(*made)});
}

using Actions = py::array_t<std::int32_t, py::array::c_style>;

// An array of one number for each row, of one of the kinds numpy calls so; nothing is rounded or
// cut.
py::array row_numbers(const Table& self, const py::object& given, std::string_view kinds,
                      const char* what) {
  py::array array = py::array::ensure(given);
  if (!array) throw py::type_error(fmt::format("{} are an array", what));
  if (array.ndim() != 1 || static_cast<std::size_t>(array.size()) != self.table->rows())
    throw py::value_error(fmt::format("{}: one for each of the {} rows", what, self.table->rows()));
  if (kinds.find(array.dtype().kind()) == std::string_view::npos)
    throw py::type_error(fmt::format("{} are whole numbers, not {}", what,
                                     py::str(array.dtype()).cast<std::string>()));
  return array;
}

// What numpy gives is mostly wider than what the table takes: numbers that no action has are
// refused, not cut.
Actions actions_from(const Table& self, const py::object& given) {
  const py::array array = row_numbers(self, given, "iu", "actions");
  if (py::isinstance<Actions>(array)) return py::reinterpret_borrow<Actions>(array);
  const auto wide =
      py::cast<py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>>(array);
  Actions out(wide.size());
  for (py::ssize_t row = 0; row < wide.size(); ++row) {
    const std::int64_t action = wide.data()[row];
    if (action < 0 || action >= static_cast<std::int64_t>(self.table->actions())) {
      // Rows whose game is over take any action.
      if (self.table->player[static_cast<std::size_t>(row)] != play::nobody_decides)
        throw py::index_error(fmt::format("row {}: there is no action {}", row,
                                          py::str(array[py::int_(row)]).cast<std::string>()));
    }
    out.mutable_data()[row] = static_cast<std::int32_t>(action);
  }
  return out;
}

void step(Table& self, const py::object& chosen) {
  const Actions actions = actions_from(self, chosen);
  const std::span<const std::int32_t> given(actions.data(), self.table->rows());
  tl::expected<void, play::IllegalAction> done;
  {
    const py::gil_scoped_release release;
    done = self.table->step(given);
  }
  if (done) return;
  const auto [row, action] = done.error();
  if (action < 0 || action >= static_cast<std::int64_t>(self.table->actions()))
    throw py::index_error(fmt::format("row {}: there is no action {}", row, action));
  raise(Rejection(Code::OPTION_ILLEGAL,
                  fmt::format("row {}: action {} ({}) is not legal here", row, action,
                              self.game->game->action_name(static_cast<std::size_t>(action))),
                  {{"row", row}, {"action", action}}));
}

std::size_t row_of(const Table& self, const py::object& given) {
  const std::int64_t row = whole_number(given);
  if (row < 0 || row >= static_cast<std::int64_t>(self.table->rows()))
    throw py::index_error(fmt::format("there is no row {}", row));
  return static_cast<std::size_t>(row);
}

// The arrays by name, made once by the caller and kept. Writable ones are for those who are told
// not to write: memory that is read-only cannot be lent by dlpack.
py::dict arrays(const py::object& self, bool writable) {
  VectorTable& t = *self.cast<Table&>().table;
  const auto n = static_cast<py::ssize_t>(t.rows()), p = static_cast<py::ssize_t>(t.players()),
             a = static_cast<py::ssize_t>(t.actions()), o = static_cast<py::ssize_t>(t.numbers());
  py::dict out;
  const auto view = [&](auto& data, std::vector<py::ssize_t> shape) {
    return view_of(self, data, std::move(shape), writable);
  };
  const auto numbers = [&](std::vector<float>& floats, std::vector<std::uint8_t>& bytes,
                           const std::vector<py::ssize_t>& shape) {
    return t.options().numbers == play::Numbers::bytes ? view(bytes, shape) : view(floats, shape);
  };
  if (t.options().observed == play::Observed::decider)
    out["obs"] = numbers(t.observations, t.small_observations, {n, o});
  if (t.options().observed == play::Observed::everybody)
    out["obs"] = numbers(t.observations, t.small_observations, {n, p, o});
  if (t.options().masks == play::Masks::bits)
    out["mask"] = view(t.mask_bits, {n, static_cast<py::ssize_t>(t.mask_words())});
  else
    out["mask"] = view(t.mask, {n, a});
  out["player"] = view(t.player, {n});
  out["reward"] = view(t.reward, {n, p});
  out["terminated"] = view(t.terminated, {n});
  out["truncated"] = view(t.truncated, {n});
  if (!t.final_observations.empty() || !t.small_final_observations.empty())
    out["final_obs"] = numbers(t.final_observations, t.small_final_observations, {n, p, o});
  out["final_return"] = view(t.final_returns, {n, p});
  out["episode"] = view(t.episode, {n});
  return out;
}

}  // namespace

void bind_vector(py::module_& module) {
  py::class_<Table>(module, "VectorTable")
      .def(py::init(&make_table), py::arg("game"), py::arg("rows"), py::arg("seed"),
           py::arg("autoreset"), py::arg("observed"), py::arg("rewards"), py::arg("reward_scale"),
           py::arg("numbers"), py::arg("masks"), py::arg("threads"), py::arg("max_decisions"),
           py::arg("opponents"))
      .def("arrays", &arrays, py::arg("writable") = false)
      .def("step", &step, py::arg("actions"))
      .def(
          "reset",
          [](Table& self, const py::object& which) {
            if (which.is_none()) {
              const py::gil_scoped_release release;
              return self.table->reset();
            }
            const auto rows =
                py::cast<py::array_t<bool, py::array::c_style | py::array::forcecast>>(
                    row_numbers(self, which, "biu", "flags"));
            std::vector<std::uint8_t> flags(rows.data(), rows.data() + rows.size());
            const py::gil_scoped_release release;
            self.table->reset(flags);
          },
          py::arg("which") = py::none())
      .def(
          "restart",
          [](Table& self, Seed seed) {
            const py::gil_scoped_release release;
            self.table->restart(seed);
          },
          py::arg("seed"))
      .def(
          "rollout",
          [](Table& self, std::size_t steps, Seed seed) {
            const py::gil_scoped_release release;
            self.table->rollout(steps, seed);
          },
          py::arg("steps"), py::arg("seed"))
      .def(
          "get_state",
          [](const Table& self, const py::object& row) {
            return OpenState(self.game, self.table->state(row_of(self, row)), 0);
          },
          py::arg("row"))
      .def(
          "set_state",
          [](Table& self, const py::object& row, const OpenState& state) {
            self.table->set_state(row_of(self, row), adopted(self.game, state).state());
          },
          py::arg("row"), py::arg("state"))
      .def(
          "game_seed",
          [](const Table& self, const py::object& row, const py::object& game) {
            const std::int64_t number = whole_number(game);
            if (number < 0) throw py::index_error(fmt::format("there is no game {}", number));
            const Seed of_row = play::derive_seed(self.table->options().seed, row_of(self, row));
            return play::derive_seed(of_row, static_cast<std::uint64_t>(number));
          },
          py::arg("row"), py::arg("game"))
      .def("clone", [](const Table& self) {
        auto made = self.table->clone();
        if (!made) raise(made.error());
        return std::make_unique<Table>(Table{self.game, std::move(*made)});
      });
}

}  // namespace parlor::python
