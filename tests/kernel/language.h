// Small games that each show one rule of the language, run against every implementation of it.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/json.h"
#include "game/game.h"

namespace parlor::language {

// A rule, shown. `sections` are sections of a game text; those it leaves out are the usual ones
// (see language.cpp). `effects` is what the action `go` does. In both, `@7` stands for an effect
// that appends the digit 7 to the variable `t`, to see the order of things.
struct Case {
  std::string name;  // the rule, beginning with the section or requirement it is from
  std::string sections;
  std::string effects;
  std::vector<Json> picks;  // option JSON, or the text of an action without parameters
  // What must hold afterwards: JSON pointers into the view; "options": the options as listed;
  // "reason" and "winners": of the outcome; "illegal": the last pick is not offered; "fault": it is
  // offered, and refused with this code because the rules go wrong over it.
  Json expect;
};

inline void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

std::vector<Case> all_cases();  // of every group
std::vector<Case> value_cases();
std::vector<Case> query_cases();
std::vector<Case> effect_cases();
std::vector<Case> choice_cases();
std::vector<Case> name_cases();
std::vector<Case> turn_cases();
std::vector<Case> timed_cases();
std::vector<Case> text_cases();
std::vector<Case> legality_cases();
std::vector<Case> order_cases();
std::vector<Case> table_cases();

// The pick of an action with parameters.
inline Json action(const std::string& id, const Json& params = Json::object()) {
  return {{"action", id}, {"params", params}};
}

// The pick of a value at a choice.
inline Json value(const Json& v) {
  return {{"value", v}};
}

// The whole text of a case's game.
std::string game_text(const Case& c);

// From implementations that have no codes of their own.
inline constexpr const char* any_fault = "a fault";

// One way to play a game.
class Player {
 public:
  virtual ~Player() = default;
  virtual Json options() = 0;  // a list of option JSON
  virtual bool finished() = 0;
  // The code of the fault with which the pick was refused; nothing: it was made.
  virtual std::optional<std::string> pick(std::size_t index) = 0;
  virtual Json view() = 0;
  virtual Outcome outcome() = 0;
};

// Plays a case; the answer says what is wrong, empty when all is as expected.
std::string play(const Case& c, Player& player);

}  // namespace parlor::language
