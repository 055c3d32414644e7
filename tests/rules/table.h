// Small games with modules, compiled from text and played.
#pragma once

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <unistd.h>

#include "kernel/kernel.h"
#include "open/shelf.h"
#include "spec/spec.h"

namespace parlor::rules::testing {

// A folder of files that goes away again.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("parlor_rules_{}_{}", getpid(), std::random_device{}())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& yaml) const {
    std::ofstream{path_ / name} << "```yaml\n" << yaml << "\n```\n";
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

// Two players who say things in turn; `said` counts them.
inline constexpr const char* talk = R"(
metadata: {id: talk, players: {min: 2, max: 3}}
zones: [{id: box, owner: none, visibility: public, ordering: set}]
globalVars:
  - {name: said, type: int, init: 0, min: 0, max: 1000}
  - {name: log, type: int, init: 0, min: 0, max: 1000000000}
perPlayerVars: [{name: gold, type: int, init: 5, min: 0, max: 50}]
turnStructure: {phases: [{id: main, actionDefaults: {afterEffects: [{advancePhase: {}}]}}]}
actions:
  - {id: say, phase: [main], params: [{name: $n, domain: {query: intsInRange, min: 1, max: 3}}],
     effects: [{addVar: {scope: global, var: said, delta: {ref: binding, name: $n}}}]}
  - {id: shout, phase: [main], price: {gold: 2}, effects: [{addVar: {scope: global, var: said, delta: 10}}]}
terminal: {conditions: [{when: {op: ">=", left: {ref: gvar, var: said}, right: 500}, result: {type: draw}}]}
)";

inline spec::CompileResult compile(const std::string& game,
                                   const std::vector<std::string>& modules = {}) {
  const Folder folder;
  spec::CompileOptions options;
  for (std::size_t i = 0; i < modules.size(); ++i)
    options.rules.push_back(folder.write(fmt::format("{}.rules.md", i), modules[i]));
  return spec::compile_file(folder.write("game.md", game), options);
}

inline std::shared_ptr<const kernel::KernelGame> open(const std::string& game,
                                                      const std::vector<std::string>& modules = {},
                                                      kernel::KernelOptions options = {}) {
  auto compiled = compile(game, modules);
  EXPECT_TRUE(compiled.game) << render(compiled.diagnostics, compiled.texts, Colour::never);
  if (!compiled.game) return nullptr;
  auto opened = kernel::open_game(std::move(*compiled.game), options);
  if (opened) return *opened;
  for (const Diagnostic& d : opened.error().all()) ADD_FAILURE() << d.message;
  return nullptr;
}

inline std::vector<std::string> codes(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& d : diagnostics.all()) out.emplace_back(code_name(d.code));
  return out;
}

struct Heard : EventListener {
  std::vector<std::string> kinds;
  std::vector<Json> data;
  void on_event(const Event& event) override {
    kinds.emplace_back(event.kind);
    data.push_back(event.data);
  }
  std::size_t count(std::string_view kind) const {
    return static_cast<std::size_t>(std::ranges::count(kinds, kind));
  }
};

inline Applied make(State& state, std::string action, Json params = Json::object(),
                    std::vector<Json> choices = {}, EventListener* listener = nullptr) {
  return kernel::apply_move(state, {std::move(action), std::move(params), std::move(choices)},
                            listener);
}

// The answer to a move that must be refused, and that nothing changed.
inline Rejection refused(State& state, std::string action, Json params = Json::object()) {
  const State before = state;
  const std::uint64_t hash = state.hash();
  const Applied applied = make(state, std::move(action), std::move(params));
  EXPECT_TRUE(state == before && state.hash() == hash);
  if (!applied) return applied.error();
  ADD_FAILURE() << "the move was accepted";
  return Rejection("NONE", "");
}

inline std::vector<std::string> offered(const State& state) {
  OptionList options;
  state.list_options(options);
  std::vector<std::string> out;
  for (const Option option : options) out.push_back(state.option_text(option));
  return out;
}

inline bool offers(const State& state, std::string_view text) {
  const auto all = offered(state);
  return std::ranges::find(all, text) != all.end();
}

}  // namespace parlor::rules::testing
