// What PARLOR_COMPILED_ONCE promises.
#include "spec/gamedef/gamedef.h"

namespace parlor::spec {

#define PARLOR_COMPILE(Type)                        \
  Type::Type() = default;                           \
  Type::Type(const Type&) = default;                \
  Type::Type(Type&&) noexcept = default;            \
  Type& Type::operator=(const Type&) = default;     \
  Type& Type::operator=(Type&&) noexcept = default; \
  Type::~Type() = default;                          \
  bool operator==(const Type& a, const Type& b) = default;

PARLOR_COMPILE(Value)
PARLOR_COMPILE(Condition)
PARLOR_COMPILE(Query)
PARLOR_COMPILE(Effect)
PARLOR_COMPILE(GameDef)

}  // namespace parlor::spec
