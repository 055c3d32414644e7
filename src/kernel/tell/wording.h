// What things are called when people read them: the section `verbalization` of a game, and what
// follows from names and properties where it says nothing. The rules never ask for it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "kernel/run/machine.h"
#include "spec/text/said.h"

namespace parlor::kernel {

struct Wording : spec::Verbalization {
  Table<ZoneId, std::string> cells;  // what the cell of a board is called (boards.h)
  std::vector<ZoneId> zones;      // in the order the game declares them, those of players by seat
  std::set<std::string> omitted;  // variables and zones that only the rules care about
  bool rounds = false;  // the rules speak of them: they are counted and their ends are news
  std::shared_ptr<const spec::Said> rules;  // in the text notation
};

Wording read_wording(const spec::GameDef& def);

std::string label(const Wording& wording, const std::string& name);
// The same for a variable: one that has no other name is called by the words of its own, "turn
// total" for `turnTotal`.
std::string variable_label(const Wording& wording, const std::string& name);
// Looks through all rules: `rounds` of a Wording has the answer.
bool speaks_of_rounds(const Program& program);
// `zones` of a Wording.
std::vector<ZoneId> zones_as_declared(const Program& program);
// "hand of white", "mira": without the marks of the language.
std::string zone_label(const Program& program, const Wording& wording, ZoneId zone);
// "white", or "player 2" in a game without names for its seats.
std::string seat_label(const Program& program, int player);

// `brief` names a token among others ("gold"), otherwise what is known of it follows ("gold (cost
// 6)").
std::string token_label(Machine& machine, const Wording& wording, TokenId token, bool brief);
// What they are called, one after the other, for an event that tells of them.
Json token_names(Machine& machine, const std::vector<TokenId>& tokens);
// What the game says a token looks like on a board; empty: nothing.
std::string board_label(Machine& machine, const Wording& wording, TokenId token);
// How a token looks on a board: as the game says, or a text of one letter, or its own symbol, else
// its owner's letter, after its own where several kinds have owners. Large if something about it is
// true: a king.
std::string token_glyph(Machine& machine, const Wording& wording, TokenId token);
// "{rank}{suit}" with the token's properties in place of the braces; "{kind:1}" is a first letter.
std::string fill_pattern(Machine& machine, const Wording& wording, TokenId token,
                         std::string_view pattern);
// A value in an option; tokens on the board come with their place, and those that whoever asks
// does not see have nothing else.
std::string value_label(Machine& machine, const Wording& wording, Value value);
// Whether a variable of tokens holds one: it does not any more when that has left the game.
bool is_in_play(Machine& machine, std::int64_t token);
// {"zone", "place"}: "second of hand of white".
std::string place_label(const Program& program, const Wording& wording, const Json& place);

// The card in play, who may act on it, what was granted; and the markers of spaces: lines of a
// state's description.
std::string cards_text(Machine& machine, const Wording& wording);
std::string markers_text(Machine& machine, const Wording& wording);

// The property that says whose a token of this type is, or -1.
int owner_property(const Program& program, int type);
// Whether a property of this name is understood as the player whose the token is.
bool names_owner(std::string_view property);

}  // namespace parlor::kernel
