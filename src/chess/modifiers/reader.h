// Reading a modifier file: the text as data that remembers its places, and small readers for which
// a wrong or missing value is a diagnostic at its place and a default.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/json.h"
#include "chess/preset.h"
#include "spec/node.h"

namespace parlor::chess::modifiers {

class Document {
 public:
  // YAML, and so JSON too. Nothing if it cannot be read; `problems` says why.
  static std::optional<Document> read(const std::string& text, const std::string& file,
                                      Diagnostics& problems);

  const Json& json() const { return json_; }
  // Where "attach.0.to" stands, or else what it would be in.
  SourceSpan span(std::string_view path) const;

 private:
  spec::SourceMap source_;
  spec::Node root_;
  Json json_;
};

// The nearest of the names, or all of them when none is near.
std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& names);

// A comparison in the game language's spelling; the words that were used before it (eq, lt …) are
// still read. Empty: it is none.
std::string comparison(const std::string& op);
// `onTurnStart`, as the game language writes names, as `on-turn-start`, as the tables here do.
std::string dashed(const std::string& name);

class Reader {
 public:
  Reader(const Document& document, const Rulebook& book, Diagnostics& out)
      : document_(document), book_(book), out_(out) {}

 protected:
  void problem(Code code, const std::string& path, std::string message,
               std::vector<std::string> alternatives = {});
  bool failed() const { return out_.has_errors(); }
  const Rulebook& book() const { return book_; }
  static std::string at(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
  }

  // Everything in an object means something.
  void only(const Json& json, const std::string& path, std::span<const std::string_view> keys);
  void only(const Json& json, const std::string& path,
            std::initializer_list<std::string_view> keys) {
    only(json, path, std::span(keys.begin(), keys.size()));
  }

  std::string word(const Json& json, const char* key, const std::string& path, bool needed = true);
  // The first of the words when the key is missing.
  std::string_view one_of(const Json& json, const char* key, const std::string& path,
                          std::initializer_list<std::string_view> words);
  int number(const Json& json, const char* key, const std::string& path, int low, int high,
             std::optional<int> otherwise);
  PieceType type(const Json& json, const std::string& path);
  TypeSet type_set(const Json& json, const std::string& path);
  Square square(const Json& json, const std::string& path);
  Bitboard squares(const Json& json, const std::string& path);  // a list of squares
  // light, dark, centre, edge, rank-N or file-x
  Bitboard predicate(const std::string& name, const std::string& path);
  std::optional<Side> colour(const Json& json, const std::string& path);

 private:
  const Document& document_;
  const Rulebook& book_;
  Diagnostics& out_;
};

}  // namespace parlor::chess::modifiers
