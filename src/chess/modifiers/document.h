// A modifier file as it was read, before anything in it means something. Compiled once for all
// boards: what it holds knows no squares.
#pragma once

#include <memory>
#include <string>

#include "spec/document.h"
#include "spec/gamedef/gamedef.h"

namespace parlor::chess {

// The tree of a text, and what the readers of the language need around one.
struct ModifierDocument {
  spec::GameSpecDoc doc;
  spec::Node root;
  spec::GameDef nothing;  // there is no game around a modifier

  ModifierDocument();
  ~ModifierDocument();
  ModifierDocument(const ModifierDocument&) = delete;
  ModifierDocument& operator=(const ModifierDocument&) = delete;

  // YAML, and so JSON too. Nothing if it cannot be read; `problems` says why.
  static std::unique_ptr<ModifierDocument> read(const std::string& text, const std::string& file,
                                                Diagnostics& problems);
};

}  // namespace parlor::chess
