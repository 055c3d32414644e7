// Counts the allocations of the calling thread. Replaces the global operator new, so include it in
// exactly one source file of a test program. Not inlined: the compiler would see free() undo new.
#pragma once

#include <cstdlib>
#include <new>

namespace parlor::test {

inline thread_local std::size_t allocation_count = 0;

inline void* counted(void* memory) {
  ++allocation_count;
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace parlor::test

// NOLINTBEGIN(misc-definitions-in-headers)
[[gnu::noinline]] void* operator new(std::size_t size) {
  return parlor::test::counted(std::malloc(size));
}
[[gnu::noinline]] void* operator new[](std::size_t size) {
  return parlor::test::counted(std::malloc(size));
}
// std::stable_sort asks this way for its buffer and gives it back to the ordinary delete.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return parlor::test::counted(std::malloc(size));
}
[[gnu::noinline]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return parlor::test::counted(std::malloc(size));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  return parlor::test::counted(std::aligned_alloc(align, (size + align - 1) / align * align));
}
[[gnu::noinline]] void* operator new[](std::size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
// NOLINTEND(misc-definitions-in-headers)
