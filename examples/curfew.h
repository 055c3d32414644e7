// An example of a native module for any game written as data: after a number of rounds nobody may
// take certain actions any more. It has a hook at every point, to show what each is for.
//
//   const auto curfew = std::make_shared<Curfew>(3, std::vector<std::string>{"raise", "all-in"});
//   Diagnostics problems = kernel::extend(def, {curfew});
//   auto game = kernel::open_game(def, {.modules = {curfew}});
#pragma once

#include "kernel/module.h"

namespace parlor::examples {

class Curfew : public kernel::NativeModule {
 public:
  Curfew(int last_round, std::vector<std::string> actions);

  spec::ModuleInfo info() const override;
  kernel::HookPoints points() const override;
  bool concerns(std::string_view action) const override;
  // Brings the variable `curfew.taken`, which counts what was done before the curfew.
  void extend(spec::GameDef& game) const override;

  std::optional<Rejection> validate(const kernel::ActionView& action) const override;
  void apply(const kernel::ActionView& action, kernel::Changes& changes) const override;
  void after(const kernel::ActionView& action,
             std::vector<kernel::ModuleEvent>& events) const override;
  Json snapshot(const kernel::StateView& state) const override;

 private:
  int last_round_;
  std::vector<std::string> actions_;
};

}  // namespace parlor::examples
