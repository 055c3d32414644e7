// The options of a decision as people at a terminal choose them: a number for each that stays the
// same while a selection goes on, and what a typed line means.
//
// A number means one thing. Where options are or contain numbers ("bid 3 5", "take 2") a number is
// what they say, and `#4` is the fourth in the list; elsewhere 4 is short for #4.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "game/game.h"

namespace parlor::cli {

class Choices {
 public:
  struct Shown {
    std::size_t number;  // what `#` is put before
    std::string text;
    Option option;          // the first of those that look alike
    std::size_t alike = 1;  // how many do
  };

  // What is offered now, as this viewer reads it. `begins`: a new list begins, and numbers anew.
  void offer(const State& state, const OptionList& options, const Viewer& viewer, bool begins);
  const std::vector<Shown>& shown() const { return shown_; }
  // Whether numbers are what options say.
  bool about_numbers() const { return about_numbers_; }
  std::vector<std::string> words() const;

  struct Meant {
    std::optional<Option> option;
    std::vector<std::string> several;  // it fits all of these
  };
  Meant meant(const State& state, const std::string& line, const Viewer& viewer) const;

 private:
  std::map<std::string, std::size_t> numbers_;  // by text, since the list began
  std::vector<Shown> shown_;
  bool about_numbers_ = false;
};

}  // namespace parlor::cli
