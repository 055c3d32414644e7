// Canonical JSON at the end of a text that grows, for those who write many values in a row.
#pragma once

#include <cassert>
#include <concepts>

#include "base/json.h"

namespace parlor {

void write_canonical(const Json& value, std::string& out);
void write_canonical(std::string_view text, std::string& out);
void write_canonical(std::int64_t number, std::string& out);
void write_canonical(std::uint64_t number, std::string& out);

// An object, key by key in the order of canonical JSON: written without gathering its parts first.
class ObjectText {
 public:
  explicit ObjectText(std::size_t expected = 0) { out_.reserve(expected); }

  template <class Value>
  ObjectText& put(std::string_view key, const Value& value) {
    std::string& out = at(key);
    if constexpr (std::same_as<Value, Json>)
      write_canonical(value, out);
    else if constexpr (std::same_as<Value, bool>)
      out += value ? "true" : "false";
    else if constexpr (std::signed_integral<Value>)
      write_canonical(std::int64_t{value}, out);
    else if constexpr (std::unsigned_integral<Value>)
      write_canonical(std::uint64_t{value}, out);
    else
      write_canonical(std::string_view{value}, out);
    return *this;
  }
  ObjectText& put_null(std::string_view key) {
    at(key) += "null";
    return *this;
  }
  // What is canonical JSON already.
  ObjectText& put_written(std::string_view key, std::string_view json) {
    at(key) += json;
    return *this;
  }
  std::string done() {
    out_ += out_.empty() ? "{}" : "}";
    return std::move(out_);
  }

 private:
  std::string& at(std::string_view key) {
    assert(last_ < key);
    last_ = key;
    out_ += out_.empty() ? "{\"" : ",\"";
    out_ += key;
    out_ += "\":";
    return out_;
  }

  std::string out_;
  std::string_view last_;
};

}  // namespace parlor
