// What certainly holds where the next statement stands (V-02): conditions that were asked and that
// nothing has changed since, what was chosen and from what, how many tokens a zone has at most.
// From it follows which choices have an answer, which `require` holds and which tokens have room:
// such statements make no move illegal, and so nobody has to try them out.
//
// Two expressions that read the same, wherever they were written, mean the same.
#pragma once

#include "kernel/link/touch.h"
#include "spec/gamedef/forms.h"

namespace parlor::kernel {

class Known {
 public:
  explicit Known(const TokenKinds& kinds) : kinds_(&kinds) {}
  // A unit begins: nothing is known. Its statements do: so far nothing was done.
  void clear() { *this = Known(*kinds_); }
  void start() { since_start_ = {}; }

  // ---- What is found out
  void holds(const spec::Condition& condition);
  void exists(const spec::Query& query);
  // The name stands for one of the results, for some of them (at most so many), for a value, or for
  // something else than before.
  void chose(const spec::Query& from, const std::string& name);
  void selected(const spec::Query& from, const spec::Value& most, const std::string& name);
  void bound(const std::string& name, const spec::Value& value);
  void forget(const std::string& name);
  // The effect was done; or all of these may have been, or some of them, any number of times.
  void did(const spec::Effect& effect);
  void paid(const std::string& variable);
  void lose_all();  // anything may have been done
  void may_have_done(const spec::Effects& effects);
  // In a round of a loop, whichever it is; and when all rounds are over.
  void begin_round(const spec::ForEach& loop);
  void end_rounds(const spec::ForEach& loop);

  // ---- What follows
  bool surely(const spec::Condition& condition) const;
  bool has_options(const spec::Query& query) const;
  bool can_select(const spec::ChooseN& choice) const;
  // Whether a token of such a type has room in the zone; or so many as there may be.
  bool fits(const spec::ZoneSel& zone, const TokenTypes& types, bool several = false) const;
  TokenTypes types_of(const std::string& name) const { return kinds_->of(name, types_); }
  TokenTypes types_of(const spec::Query& query) const { return kinds_->of(query, types_); }
  // Whether it gives the same as when the unit began.
  template <class Expression>
  bool as_at_start(const Expression& expression) const {
    return unchanged(read_by(*kinds_, expression), spec::Part::of(expression));
  }

 private:
  // A number as a sum of names and a number.
  struct Sum {
    spec::Int base = 0;
    std::map<std::string, spec::Int> names = {};
    void add(const Sum& other, spec::Int times);
  };
  // A zone has at most so many tokens of these types altogether.
  struct Room {
    std::string zone;  // its id, or a name for it
    TokenTypes types;
    Sum most;
  };
  // One of the conditions that all hold.
  struct Fact {
    spec::Condition says;
    Touched reads;
    std::optional<Room> room = std::nullopt;
  };
  // A query has a result that satisfies all of these.
  struct Some {
    spec::Query of;
    std::vector<spec::Condition> where;
    std::vector<spec::TokenFilter> filters;
    std::string texts;  // names that it speaks of stand in it
    Touched reads;
    bool whole = true;  // all of its conditions are there
  };
  // Each item of the list a name stands for satisfies this.
  struct OfItems {
    std::string list;
    Fact fact;
  };
  // A text that begins and ends like this.
  struct Pattern {
    std::string first, last;
  };

  // A literal, or what a zone has, if that is known; none inside: the zone lacks it.
  using OfZone = std::optional<std::optional<spec::Scalar>>;

  static Some results_of(const spec::Query& query);
  std::vector<Fact> facts_in(const spec::Condition& condition, const std::string& name,
                             const std::string& called) const;
  std::vector<Fact> facts_of_results(const spec::Query& query, const std::string& called) const;
  std::optional<Room> room_in(const spec::Condition& condition, const std::string& name,
                              const std::string& called) const;
  void note(Fact fact);
  void note_some(const spec::Query& query, const std::vector<spec::Condition>& where,
                 const Fact& fact);
  void narrow_types(const spec::Condition& condition);
  // `crowded`: how many tokens arrived was counted already.
  void lose(const Done& done, bool crowded = false);
  bool has_some(const spec::Query& query) const;
  bool has_some(const Some& wanted) const;
  bool has_others(const Some& wanted) const;
  static bool says_none(const spec::Condition& condition, const spec::Query& of,
                        const spec::Condition& which);
  bool unchanged(const Touched& reads, spec::Part part) const;

  // ---- Zones (known_rooms.cpp)
  std::vector<ZoneId> zones_from(const spec::ZonesQuery& query) const;
  std::optional<bool> decided(const spec::Condition& condition, const std::string& name,
                              ZoneId zone) const;
  OfZone of_zone(const spec::Value& value, const std::string& name, ZoneId zone) const;
  bool some_zone_satisfies(const spec::Query& query) const;
  Table<ZoneId, bool> zones_of(const spec::ZoneSel& zone) const;
  std::optional<Pattern> pattern_of(const spec::Value& value) const;
  // ---- Numbers
  std::optional<Sum> sum_of(const spec::Value& value) const;
  std::optional<spec::Int> bound_of(const spec::Value& value, bool greatest) const;
  std::optional<spec::Int> bound_of(const Sum& sum, bool greatest) const;
  std::optional<spec::Int> asked_bound(const spec::Value& value, bool greatest) const;
  std::optional<Sum> rounds_of(const spec::ForEach& loop) const;
  std::optional<spec::Int> arrivals(const spec::Effects& effects, const KindsOfNames& names,
                                    const TokenTypes& types) const;
  void crowd(const spec::ForEach& loop, const std::optional<Sum>& rounds);

  const TokenKinds* kinds_;
  std::vector<Fact> facts_;
  std::vector<Some> some_;
  std::vector<OfItems> of_items_;
  std::vector<Room> rooms_;
  KindsOfNames types_;
  std::map<std::string, Sum> sums_;   // what names are worth
  std::map<std::string, Sum> sizes_;  // how many items lists have at most
  std::map<std::string, Pattern> texts_;
  Done since_start_;
};

}  // namespace parlor::kernel
