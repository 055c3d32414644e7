// Rule modules in C++: the same hook points as module files, for what cannot be said as data.
//
//   class Quiet : public NativeModule {
//     spec::ModuleInfo info() const override { … }                 // id, name, requires, …
//     HookPoints points() const override { return {.validate = true}; }
//     std::optional<Rejection> validate(const ActionView& action) const override {
//       if (action.id() != "shout") return std::nullopt;
//       return Rejection("QUIET_HOURS", "nobody may shout now", {{"round", action.round()}});
//     }
//   };
//
// Hooks see the state and cannot change it; what `apply` wants to change it says as Changes, which
// the kernel carries out like any other effect. One module serves any number of games and threads,
// so hooks are const and keep nothing. They must be deterministic. A hook that throws is an error
// of that action: it is refused with HOOK_FAILED and nothing has changed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/game.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::kernel {

class Machine;

// What hooks may know of a state: everything, but only by looking. Unknown names give nothing.
class StateView {
 public:
  explicit StateView(const Machine& machine) : machine_(&machine) {}

  int turn() const;
  int round() const;
  int active() const;  // player
  const std::string& phase() const;
  int players() const;
  std::optional<std::int64_t> global(std::string_view var) const;
  std::optional<std::int64_t> of_player(int player, std::string_view var) const;
  std::optional<std::int64_t> of_zone(std::string_view zone, std::string_view var) const;
  std::optional<int> tokens_in(std::string_view zone) const;  // a full id: "deck:none", "hand:0"

 protected:
  const Machine* machine_;
};

// A request as it was sent: by no means must there be such an action.
struct Asked {
  std::string name;
  Json params = Json::object();
};

// An action on its way through the pipeline.
class ActionView : public StateView {
 public:
  ActionView(const Machine& machine, int action, bool trial)
      : StateView(machine), action_(action), trial_(trial) {}
  // One that is refused before it begins.
  ActionView(const Machine& machine, int action, const Asked& asked)
      : StateView(machine), action_(action), trial_(false), asked_(&asked) {}

  const std::string& id() const;
  bool known() const;                                      // false: there is no such action
  int player() const;                                      // who executes it
  std::optional<Json> param(std::string_view name) const;  // of actions without a pipeline
  // True while the kernel only asks whether the action would be legal or could be carried through;
  // false exactly once per hook and action, when it is really made.
  bool trial() const { return trial_; }

 private:
  int action_;
  bool trial_;
  const Asked* asked_ = nullptr;
};

// What an apply hook wants to change: numbers, which are kept inside the bounds of their variables,
// and then whatever effects can do. Those are declared as data, as hooks `at: called` of the
// module's file or of `extend`, with names for the values they are given.
class Changes {
 public:
  void add_global(std::string var, std::int64_t delta) {
    list_.push_back({-1, std::move(var), delta});
  }
  void add_player(int player, std::string var, std::int64_t delta) {
    list_.push_back({player, std::move(var), delta});
  }

  // Runs the effects of this name, `{{"$who", 1}, {"$card", "tok_card_3"}}` being bound; several
  // run in the order in which they were asked for.
  void run(std::string effects, Json values = Json::object()) {
    calls_.push_back({std::move(effects), std::move(values)});
  }

  struct Change {
    int player;  // -1: a variable of the game
    std::string var;
    std::int64_t delta;
  };
  struct Call {
    std::string effects;
    Json values;
  };
  const std::vector<Change>& all() const { return list_; }
  const std::vector<Call>& calls() const { return calls_; }

 private:
  std::vector<Change> list_;
  std::vector<Call> calls_;
};

// Something an after hook tells whoever listens.
struct ModuleEvent {
  std::string kind;
  Json data = Json::object();
};

// Which hooks a module has: only these are called, so a module without hooks costs nothing.
struct HookPoints {
  bool before_validate = false, validate = false, apply = false, after = false, snapshot = false;
};

class NativeModule {
 public:
  virtual ~NativeModule() = default;

  virtual spec::ModuleInfo info() const = 0;
  // Adds to the game what a module file could add; every name begins with the module's id.
  virtual void extend(spec::GameDef& game) const { (void)game; }

  virtual HookPoints points() const = 0;
  // Whether hooks want to see this action at all; asked once, when the game is opened.
  virtual bool concerns(std::string_view action) const { return (void)action, true; }

  virtual void before_validate(const ActionView& action) const { (void)action; }
  virtual std::optional<Rejection> validate(const ActionView& action) const {
    return (void)action, std::nullopt;
  }
  virtual void apply(const ActionView& action, Changes& changes) const {
    (void)action, (void)changes;
  }
  virtual void after(const ActionView& action, std::vector<ModuleEvent>& events) const {
    (void)action, (void)events;
  }
  // Something worth showing with a state, e.g. a total; it stands in views under the module's id.
  virtual Json snapshot(const StateView& state) const { return (void)state, Json(); }
};
using NativeModules = std::vector<std::shared_ptr<const NativeModule>>;

// Lets every module add its parts to the game, in their order. Reports names a module does not own
// and everything it changed that is the game's (M-02, A-24): a native module may do what a file
// may. Requirements and incompatibilities, also with the modules the game has already, are checked
// like those of files.
Diagnostics extend(spec::GameDef& game, const NativeModules& modules);

// What a shared object with a native module exports (see PARLOR_MODULE).
struct ModuleEntry {
  int interface;  // of this header, for which it was made
  std::shared_ptr<const NativeModule> (*make)();
};
inline constexpr const char* module_symbol = "parlor_module";
inline constexpr int module_interface = 1;  // goes up whenever a module must be compiled anew

// Makes a shared object a module: PARLOR_MODULE(my::Module) once, at the end of a source. The class
// has a constructor without arguments.
#define PARLOR_MODULE(Class)                                        \
  extern "C" __attribute__((visibility("default")))                 \
  const parlor::kernel::ModuleEntry parlor_module;                  \
  const parlor::kernel::ModuleEntry parlor_module{                  \
      parlor::kernel::module_interface,                             \
      []() -> std::shared_ptr<const parlor::kernel::NativeModule> { \
        return std::make_shared<const Class>();                     \
      }};

}  // namespace parlor::kernel
