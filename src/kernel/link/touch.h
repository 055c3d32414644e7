// What rules look at and what they change, said in parts of a state, so that it can be known
// whether one leaves the other as it is (V-02); and which types of tokens rules speak of.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/program/program.h"

namespace parlor::kernel {

// Of all types of tokens, some.
using TokenTypes = std::vector<bool>;
bool any_of_both(const TokenTypes& a, const TokenTypes& b);

// The types of tokens (or of lists of them) that names stand for. A name that is not there may
// stand for any.
using KindsOfNames = std::map<std::string, TokenTypes>;

// Parts of a state.
struct Touched {
  bool everything = false;  // or nobody knows what
  bool turn = false;        // whose turn it is
  bool markers = false, global_markers = false;
  bool any_variable = false, any_prop = false;
  std::set<std::string> variables, props;
  TokenTypes places;  // where tokens of these types are, and in what order; empty: of none

  bool nothing() const;
  void add(const Touched& more);
};
// Whether changing the one can change what the other says.
bool overlap(const Touched& changed, const Touched& read);

// What a value is that stands in the rules as it is.
std::optional<spec::Scalar> literal(const spec::Value& value);

// Which tokens there are behind filters and queries.
class TokenKinds {
 public:
  explicit TokenKinds(const Program& program) : p_(program) {}

  // Types of which a token may be let through, and those of which every token is.
  struct Through {
    TokenTypes may, must;
  };
  Through through(const spec::TokenFilter& filter) const;
  Through through(const std::vector<spec::TokenFilter>& filter) const;  // none: all of them
  // What results of a query can be, if they are tokens.
  TokenTypes of(const spec::Query& query, const KindsOfNames& names) const;
  TokenTypes of(const std::string& name, const KindsOfNames& names) const;
  // Those that a condition leaves of what a name may stand for.
  TokenTypes left_by(const spec::Condition& condition, const std::string& name,
                     TokenTypes types) const;
  TokenTypes all() const { return TokenTypes(p_.types.size(), true); }
  TokenTypes none() const { return TokenTypes(p_.types.size()); }
  const Program& program() const { return p_; }
  // Whether every token of every type has this property, once and for all, from its type alone.
  bool is_fixed(const std::string& prop) const;
  int type_called(const std::string& id) const;  // -1: none
  // Whether this card of a deck may be a coup card.
  bool may_be_coup(const std::string& card) const;

 private:
  Through of_test(const spec::TokenTest& test) const;
  bool has_prop(std::size_t type, const std::string& prop) const;
  void find_fixed() const;
  void find_coup_cards() const;

  const Program& p_;
  // By type and property: what all tokens of the type have, if that never changes. Found when it is
  // first asked for: it takes a look at all rules.
  mutable std::optional<std::vector<std::map<std::string, spec::Scalar>>> fixed_;
  mutable std::set<std::string> changing_;
  mutable std::optional<std::set<std::string>> coup_cards_;
  mutable bool any_coup_ = false;  // any card may be one
};

// What a value, condition or query looks at.
Touched read_by(const TokenKinds& kinds, const spec::Condition& condition);
Touched read_by(const TokenKinds& kinds, const spec::Query& query);
Touched read_by(const TokenKinds& kinds, const spec::Value& value);

// What effects may change, and names they give a value.
struct Done {
  Touched changed;
  std::set<std::string> names;
};
Done done_by(const TokenKinds& kinds, const KindsOfNames& names, const spec::Effect& effect);
Done done_by(const TokenKinds& kinds, const KindsOfNames& names, const spec::Effects& effects);

}  // namespace parlor::kernel
