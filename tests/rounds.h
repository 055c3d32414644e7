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
inline bool thoroughly() {
  static const bool wanted = std::getenv("PARLOR_THOROUGH") != nullptr;
  return wanted;
}
template <typename Number>
Number thorough(Number all) {
  return thoroughly() ? all : (all + 1) / 2;
}
// The same for tests that count what they compared: they may end early when it was enough, which in
// large games it soon is, and in small ones, which take no time, is not.
inline bool enough(bool compared_enough) {
  return compared_enough && !thoroughly();
}

}  // namespace parlor::test
