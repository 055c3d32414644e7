// How often tests repeat themselves. With sanitizers everything takes ten to thirty times as long,
// and what they look for shows in the first rounds: a fifth is played there.
#pragma once

#include <cstdlib>

namespace parlor::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

template <typename Number>
constexpr Number rounds(Number usually) {
  return sanitized ? (usually + 4) / 5 : usually;
}
// Of many alike, each or each fifth.
inline constexpr int stride = sanitized ? 5 : 1;

// What looks at every shipped game again and again does so with half of its games or moments in
// `make test`, and with all of them in `make soak`, which sets PARLOR_THOROUGH.
template <typename Number>
Number thorough(Number all) {
  static const bool thoroughly = std::getenv("PARLOR_THOROUGH") != nullptr;
  return thoroughly ? all : (all + 1) / 2;
}

}  // namespace parlor::test
