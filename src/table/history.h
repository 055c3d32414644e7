// The actions of a session that are in force, and how to get back to the state after any of them.
//
// Undo and new actions make the log wind; what counts is the line: the actions in force, then those
// that could be brought back. States along the line are remembered densely near the present and
// ever more thinly further away, so that taking back the last k of n actions applies about k again,
// for the price of some 3·log n states.
#pragma once

#include <map>
#include <vector>

#include "table/log.h"

namespace parlor::table {

class History {
 public:
  explicit History(State start);

  std::size_t position() const { return positions_.back(); }  // how many of the line are in force
  std::size_t length() const { return line_.size(); }
  // The entry that put the action at this place of the line there, counted from 0.
  std::uint64_t revision_at(std::size_t place) const { return line_[place]; }
  // How many actions were in force after that entry, if those still begin the line.
  std::optional<std::size_t> position_at(std::uint64_t revision) const;

  // How many actions will be in force after the entry; a Rejection if it cannot follow.
  tl::expected<std::size_t, Rejection> target_of(const LogEntry& entry) const;
  // Takes an entry in that `target_of` accepts.
  void follow(const LogEntry& entry);

  // The state after the first `position` actions. Checks every hash on the way.
  tl::expected<State, Rejection> state_at(std::size_t position, const std::vector<LogEntry>& log);
  // Remembers the present state, and forgets some that are far from it.
  void remember(std::size_t position, State state);
  void keep(std::size_t position, State state);  // only remembers it
  std::uint64_t hash_at(std::size_t position, const std::vector<LogEntry>& log) const;
  std::size_t states_remembered() const { return states_.size(); }

 private:
  void thin_out(std::size_t present);

  std::vector<std::uint64_t> line_;        // revisions
  std::vector<std::size_t> positions_{0};  // after each revision
  std::map<std::size_t, State> states_;    // by position; 0 is always there
};

}  // namespace parlor::table
