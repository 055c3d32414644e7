// Something that can be called, named for as long as whoever was given it needs to call it: two
// pointers, nothing is copied or allocated. What it names must still be there then, so it is a
// parameter, and kept no longer than the call it was given to.
#pragma once

#include <memory>
#include <type_traits>

namespace parlor {

template <class Signature>
class FunctionRef;

template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
             std::is_invocable_r_v<Result, F&, Args...>)
  // NOLINTNEXTLINE(google-explicit-constructor): a lambda is given as it is.
  FunctionRef(F&& f)
      : call_([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(args...);
        }),
        object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))) {}

  Result operator()(Args... args) const { return call_(object_, args...); }

 private:
  Result (*call_)(void*, Args...);
  void* object_;
};

}  // namespace parlor
