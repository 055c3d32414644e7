// How small and how large a number of the rules can become, as far as that is known without
// playing: from the bounds of variables, from what is bound, and from conditions that were asked on
// the way.
#pragma once

#include <map>
#include <string>

#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

// The numbers from `low` to `high`; beyond `endless` means that there is no bound.
struct Range {
  static constexpr Int endless = Int{1} << 53;
  Int low = -endless, high = endless;
  bool without_zero = false;

  bool has_zero() const { return low <= 0 && high >= 0 && !without_zero; }
};

// What is known at one place of the rules.
class Known {
 public:
  explicit Known(const GameDef& game) : game_(&game) {}

  Range range(const Value& value) const;
  Range item_range(const Query& query) const;  // of its results, if they are numbers
  void bind(const std::string& name, Range range);
  void forget(const std::string& name);
  // From here on the condition holds, or does not.
  void assume(const Condition& condition, bool holds);
  // Something of the state was changed: only what is known about bindings stays true.
  void state_changed();

 private:
  struct Fact {
    const Value* value;
    Range range;
  };
  Range plain_range(const Value& value) const;
  Range arithmetic(const Arith& arith) const;
  Range attribute_range(const std::string& name) const;
  Range column_range(const AssetFieldRef& field) const;
  Range clock_range(const std::string& field) const;
  Range var_range(const std::vector<VarDef>& vars, const Name& name) const;
  void compare(const Value& value, CompareOp op, Range with);

  const GameDef* game_;
  std::map<std::string, Range> bindings_;
  std::vector<Fact> facts_;
};

}  // namespace parlor::spec
