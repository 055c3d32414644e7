// What PARLOR_COMPILED_ONCE promises.
#include "spec/gamedef/forms.h"

namespace parlor::spec {

// Assigned to by being made anew: assigning one variant to another would be compiled for every
// shape once more. What is assigned may be a part of what it is assigned to, so it is taken first.
#define PARLOR_COMPILE(Type)                           \
  Type::Type() = default;                              \
  Type::Type(const Type&) = default;                   \
  Type::Type(Type&&) noexcept = default;               \
  Type& Type::operator=(const Type& other) {           \
    return *this = Type(other);                        \
  }                                                    \
  Type& Type::operator=(Type&& other) noexcept {       \
    Type taken(std::move(other));                      \
    std::destroy_at(this);                             \
    return *std::construct_at(this, std::move(taken)); \
  }                                                    \
  Type::~Type() = default;                             \
  bool operator==(const Type& a, const Type& b) {      \
    return same(form_of<Type>(), &a, &b);              \
  }

PARLOR_COMPILE(Value)
PARLOR_COMPILE(Condition)
PARLOR_COMPILE(Query)
PARLOR_COMPILE(Effect)
PARLOR_COMPILE(GameDef)

}  // namespace parlor::spec
