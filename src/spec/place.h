// Where things in a game's text stand, in few bytes: every node of a document carries one of
// these. File names, and the story of how an expansion put a node where it is, live in a SourceMap
// shared by the whole document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/source.h"

namespace parlor::spec {

// A stretch of text. Lines and columns count from 1, columns in bytes; line 0 means "nowhere".
struct Place {
  std::uint16_t file = 0;  // index into SourceMap::files
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t end_column = 0;  // exclusive, on the same line; 0: one character

  bool known() const { return line != 0; }
  friend auto operator<=>(const Place&, const Place&) = default;
};

// An index into SourceMap::expansions; 0 means the node was written where it stands.
using ExpansionIndex = std::uint32_t;

// The place a node was written, and which expansion (if any) brought it to where it is now.
struct Origin {
  Place place;
  ExpansionIndex expansion = 0;
};

// What kind of thing produced nodes that the author did not write in place.
enum class ExpansionKind : std::uint8_t {
  none,
  alias,     // a YAML alias `*name`
  constant,  // {ref: constant, name}
  effect_macro,
  condition_macro,
  value_macro,
  phase_template,
  zone_template,
  batch,
  generate,    // pieceTypes generate
  board,       // grid and hex boards
  builtin,     // refillToSize, discardDownTo, distributeTokens, hand:each
  data_asset,  // derived from a map, piece catalog or scenario
};

// One use of a macro, template or the like.
struct Expansion {
  ExpansionKind kind = ExpansionKind::none;
  std::string name;           // id of the macro, template or asset
  Place invocation;           // where it was used
  Place declaration;          // where it was declared; unknown for built-ins
  ExpansionIndex parent = 0;  // the expansion that contained the invocation
};

// File names and expansions of one document.
class SourceMap {
 public:
  SourceMap() : expansions_(1) {}

  std::uint16_t add_file(std::string name);
  std::string_view file(std::uint16_t index) const;
  std::size_t file_count() const { return files_.size(); }

  ExpansionIndex add_expansion(Expansion expansion);
  const Expansion& expansion(ExpansionIndex index) const { return expansions_[index]; }
  std::size_t expansion_count() const { return expansions_.size(); }

  SourceSpan span(const Place& place) const;
  // "expanded from macro `pay` here" notes, innermost first: what a diagnostic about a node with
  // this origin has to show besides the node's own line.
  std::vector<RelatedPlace> story(ExpansionIndex index) const;
  // A diagnostic with its span and story filled in. `path` is the document path of the node.
  Diagnostic at(Code code, const Origin& origin, std::string message, std::string path = {}) const;

 private:
  std::vector<std::string> files_;
  std::vector<Expansion> expansions_;
};

}  // namespace parlor::spec
