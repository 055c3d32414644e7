// What every construct reader has at hand: the names of the game, the bindings in scope, where in
// the document we are, and a place to complain.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/document.h"
#include "spec/gamedef/gamedef.h"
#include "spec/lower/scope.h"
#include "spec/lower/symbols.h"
#include "spec/report.h"

namespace parlor::spec::lower {

class Reading;

class Context {
 public:
  Context(GameSpecDoc& doc, GameDef& game, Diagnostics& diagnostics);

  const GameSpecDoc& doc;
  GameDef& game;
  Report report;
  Symbols symbols;
  Scope scope;
  // Found while reading effects, needed for checks of the whole game.
  std::set<std::string, std::less<>> pushed_interrupts;
  // Texts that token filters look for in a property, and what tokens can have in it: a property
  // that is ever given a computed value can hold anything.
  struct WantedValue {
    std::string prop, value;
    Origin origin;
    std::string path;
  };
  std::vector<WantedValue> wanted_values;
  struct Vocabulary {
    std::set<std::string, std::less<>> values;
    std::vector<std::string> declared = {};  // `suit: [clubs, hearts]`: these and no others
    bool open = false;
  };
  std::map<std::string, Vocabulary, std::less<>> vocabulary;
  void note_prop_value(const std::string& prop, const Node& value);
  // Texts that the game declares as a state, a value or a field, gathered when a word is first
  // asked about (names.cpp).
  std::optional<std::set<std::string_view>> declared_texts;
  bool wants_direction = false;           // words may name directions
  const VarDef* compared_with = nullptr;  // a variable of declared texts: words may be one of them
  // What words of the text notation turned out to mean, by where they stand, for those who ask.
  std::multimap<Place, Node>* resolved = nullptr;
  // What each action makes visible to its phase's afterEffects.
  std::map<std::string, std::vector<Binding>, std::less<>> action_bindings;

  // ---- Diagnostics, about the node at the current path
  Diagnostic& error(Code code, const Node& node, std::string message);
  Diagnostic& warning(Code code, const Node& node, std::string message);
  Diagnostic& error_at(Code code, const Origin& origin, std::string path, std::string message);
  Diagnostic& warning_at(Code code, const Origin& origin, std::string path, std::string message);
  // "there is no <what> `name`", with the nearest of the candidates.
  Diagnostic& unknown(Code code, const Node& node, std::string_view what, std::string_view name,
                      const std::vector<std::string>& candidates);
  std::size_t errors() const { return report.errors(); }
  bool flooded() const { return report.flooded(); }
  // The list whose items are being read, and which of them: what an item lacks may stand in the one
  // beside it, behind a dash too many.
  struct Items {
    const Node* list = nullptr;
    std::size_t at = 0;
  };
  Items items;
  // Items that somebody complained about already, as a part of the one before.
  std::set<const Node*> torn_off;
  const Reading* reading = nullptr;  // the innermost construct (construct.h)
  bool told_of_sides = false;        // what `left` and `right` mean

  // ---- The path of the node being read: "actions.3.pre"
  [[nodiscard]] Path::Step step(std::string_view key) { return path_.key(key); }
  [[nodiscard]] Path::Step step(std::size_t index) { return path_.index(index); }
  std::string path() const { return path_.text(); }

  // The GameDef's record of where the node at the current path was written.
  PlaceId place(const Node& node);

 private:
  Int via(ExpansionIndex expansion);

  Path path_{""};
  std::map<ExpansionIndex, Int> via_;
};

// Adds the nearest candidates to a diagnostic, or lists them all when they are few and none is
// near.
void suggest(Diagnostic& diagnostic, std::string_view what, std::string_view name,
             const std::vector<std::string>& candidates);

}  // namespace parlor::spec::lower
