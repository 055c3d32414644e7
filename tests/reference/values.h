// The values the reference evaluator computes with.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/rng.h"
#include "spec/gamedef/enum_names.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::reference {

using spec::GameDef;
using spec::Int;
using spec::Scalar;

// The rules went wrong while playing: a fault. `code` is the family of section 25.3, e.g.
// "MISSING_BINDING".
struct RuntimeError : std::runtime_error {
  RuntimeError(std::string c, const std::string& message)
      : std::runtime_error(c + ": " + message), code(std::move(c)) {}
  std::string code;
};

// The rules say no: an empty choice, a broken `require`, a stacking limit, a price. Such a move is
// illegal; a RuntimeError is a fault of the rules and makes nothing illegal.
struct Illegal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Section 8: scalars, lists, tokens (an identity, section 0.4) and table rows.
struct TokenItem {
  std::string id;
  friend bool operator==(const TokenItem&, const TokenItem&) = default;
};
struct RowItem {
  std::string table;
  std::size_t row = 0;
  friend bool operator==(const RowItem&, const RowItem&) = default;
};
struct Val;
using List = std::vector<Val>;
struct Val {
  std::variant<Int, bool, std::string, TokenItem, RowItem, List> v;

  // Out of line: quicker to compile, and GCC 12 warns wrongly about inlined moves of this variant.
  Val();
  Val(const Val&);
  Val(Val&&) noexcept;
  Val& operator=(const Val&);
  Val& operator=(Val&&) noexcept;
  ~Val();
  // A value stands for itself wherever one is needed.
  // NOLINTBEGIN(google-explicit-constructor)
  Val(Int value);
  Val(int value);
  Val(bool value);
  Val(std::string value);
  Val(const char* value);
  Val(TokenItem value);
  Val(RowItem value);
  Val(List value);
  Val(const Scalar& value);
  // NOLINTEND(google-explicit-constructor)

  bool is_scalar() const { return v.index() <= 2; }
  friend bool operator==(const Val& a, const Val& b);
};

std::string text_of(const Val& value);  // scalars and tokens; others throw TYPE_MISMATCH
Json json_of(const Val& value);         // tokens as their ids
Scalar scalar_of(const Val& value);     // tokens as their ids
std::string type_name(const Val& value);

using Bindings = std::map<std::string, Val>;

}  // namespace parlor::reference
