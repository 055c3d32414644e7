// The memory of one state: a flat, zero-initialised, aligned run of bytes whose meaning only its
// Game knows. Copying a block into one that is big enough is a single memcpy and allocates
// nothing, which is what search and simulation do all day.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace parlor {

class StateBlock {
 public:
  // What every allocation has by itself: whole cache lines would take a quarter more memory where
  // a million states of half a kilobyte are kept.
  static constexpr std::size_t alignment = 16;

  StateBlock() = default;
  StateBlock(const StateBlock& other) { *this = other; }
  StateBlock(StateBlock&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  StateBlock& operator=(const StateBlock& other) {
    if (this == &other) return *this;
    if (capacity_ < other.size_) reallocate(other.size_);
    if (other.size_ != 0) std::memcpy(bytes_.get(), other.bytes_.get(), other.size_);
    size_ = other.size_;
    return *this;
  }
  StateBlock& operator=(StateBlock&& other) noexcept {
    bytes_ = std::move(other.bytes_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  std::byte* data() { return bytes_.get(); }
  const std::byte* data() const { return bytes_.get(); }
  std::size_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {bytes_.get(), size_}; }

  // Changes the length. Old content stays, new bytes are zero; grows geometrically, so a log at
  // the end of a state costs nothing on average. Pointers into the block may become invalid.
  void resize(std::size_t size) {
    const std::size_t old = size_;
    resize_unset(size);
    if (size > old) std::memset(bytes_.get() + old, 0, size - old);
  }
  // The same, but what the new bytes hold is up to the caller, who writes them all.
  void resize_unset(std::size_t size) {
    if (size > capacity_) enlarge(size + size / 2);
    size_ = size;
  }

  // The block as a plain struct at its beginning.
  template <class T>
  T& as() {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignment);
    return *std::launder(reinterpret_cast<T*>(bytes_.get()));
  }
  template <class T>
  const T& as() const {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= alignment);
    return *std::launder(reinterpret_cast<const T*>(bytes_.get()));
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const {
      ::operator delete[](bytes, std::align_val_t{alignment});
    }
  };

  [[gnu::noinline]] void enlarge(std::size_t capacity) {
    auto old = std::move(bytes_);
    reallocate(capacity);
    if (size_ != 0) std::memcpy(bytes_.get(), old.get(), size_);
  }
  void reallocate(std::size_t capacity) {
    bytes_.reset(static_cast<std::byte*>(::operator new[](capacity, std::align_val_t{alignment})));
    capacity_ = capacity;
  }

  std::unique_ptr<std::byte[], Free> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace parlor
