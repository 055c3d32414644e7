// Somebody else's program: opens a shipped game with a native module of its own, plays it, saves it
// in the middle and loads it again.
#include <cstdlib>
#include <iostream>
#include <parlor/kernel/kernel.h>
#include <parlor/kernel/module.h>
#include <parlor/open/open.h>
#include <parlor/play/simulation.h>

namespace {

// Nobody may place a mark in the middle on the first turn.
class NoCentre : public parlor::kernel::NativeModule {
 public:
  parlor::spec::ModuleInfo info() const override {
    parlor::spec::ModuleInfo out;
    out.id = "no-centre";
    out.version = "1.0.0";
    return out;
  }
  parlor::kernel::HookPoints points() const override { return {.validate = true}; }
  bool concerns(std::string_view action) const override { return action == "place"; }
  std::optional<parlor::Rejection> validate(
      const parlor::kernel::ActionView& action) const override {
    if (action.round() > 1 || action.param("$cell") != "cell_1_1:none") return std::nullopt;
    return parlor::Rejection("NO_CENTRE", "not in the middle at first");
  }
};

int fail(const std::string& what) {
  std::cerr << "consumer: " << what << "\n";
  return 1;
}

}  // namespace

int main() {
#ifdef GAMES  // where the libraries are static, only the build knows where Parlor was installed
  setenv("PARLOR_GAMES", GAMES, 0);
#endif
  const auto file = parlor::open::find_game_file("tic-tac-toe");
  if (!file) return fail("the game is not there");
  auto compiled = parlor::open::compile_game_file(*file, {}, parlor::open::Files::none);
  if (!compiled || !compiled->result.game) return fail("the game does not compile");
  const auto module = std::make_shared<NoCentre>();
  parlor::spec::GameDef def = std::move(*compiled->result.game);
  if (!parlor::kernel::extend(def, {module}).empty()) return fail("the module does not fit");
  parlor::kernel::KernelOptions options;
  options.modules = {module};
  const auto game = parlor::kernel::open_game(std::move(def), options);
  if (!game) return fail("the game does not open");

  parlor::State state = (*game)->start(1).value();
  parlor::OptionList list;
  state.list_options(list);
  if (list.size() != 8) return fail("the module has no say");
  if (!state.apply(list[0])) return fail("an option does not apply");
  const auto loaded = (*game)->load(state.save());
  if (!loaded || !(*loaded == state)) return fail("a saved state is another");

  parlor::play::SimulationOptions many;
  many.games = 100;
  many.threads = 1;
  const auto result = parlor::play::simulate(**game, many);
  if (!result || result->games != 100) return fail("the games were not played");
  std::cout << "played " << result->games << " games of " << (*game)->info().name << "\n";
  return 0;
}
