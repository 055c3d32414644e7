// How a person chooses: what is offered on the screen, and which options a typed line means. A set
// is named in any order and handed in when it is complete (L-12).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/choices.h"
#include "cli/command.h"
#include "cli/picked_set.h"

namespace parlor::cli {

class Choosing {
 public:
  using Say = std::function<void(const std::string&)>;

  Choosing(Context& context, Say say) : context_(context), say_(std::move(say)) {}

  // A decision begins; what is asked in it, e.g. "die".
  void offer(const State& state, const OptionList& options, const Viewer& viewer,
             const std::string& question);
  // The options as a list in columns; the first forty unless all are wanted.
  void show(bool all) const;
  // The options a line means, to be applied one after the other; empty: none, and why was said.
  std::vector<Option> read(const std::string& line);
  // What a bot's choice is called; of a set, something that is not named yet.
  std::string advice(Option option) const;
  // Takes back what was named last of a set; false: there is nothing.
  bool put_back();
  std::vector<std::string> words() const { return choices_.words(); }
  // Why something cannot be done now, said.
  void tell_why(const std::string& text) const;

 private:
  void tell_unknown(const std::string& line) const;
  std::vector<Option> read_set(const std::string& line);
  std::vector<Option> hand_in();
  void tell_picked() const;
  void tell_several(const std::string& line, const std::vector<std::string>& texts) const;

  Context& context_;
  Say say_;
  std::optional<State> state_;
  Viewer viewer_ = Viewer::observer();
  Choices choices_;
  std::optional<PickedSet> picked_;  // what a person has named of a set
  std::string asked_;                // what the choice was about that was offered last
  bool selecting_ = false;           // and whether several things are being chosen
};

std::string trimmed(const std::string& text);

}  // namespace parlor::cli
