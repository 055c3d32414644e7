// Rule modules of any game: an expansion, a preset, a house rule, written as data or in C++. This
// layer knows what a module is called, what it needs and what it does not go with, how people ask
// for one (`id[{name: value}][:scope][@turns]`), whether a set of them may be active together, and
// where they can hook in (hooks.def, which also says in what order they come). What a module does
// is the game's business.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/diagnostics.h"

namespace parlor::rules {

struct Module {
  std::string id;  // [a-z0-9][a-z0-9-]*, stable
  std::string version = "1";
  std::string name = {};         // for people
  std::string description = {};  // one line
  std::string category = {};
  std::vector<std::string> requires_ids = {};  // must be active too, for some of the same players
  std::vector<std::string> incompatible_with =
      {};                                  // must not be active for any of the same players
  std::optional<std::int64_t> order = {};  // none: 0. Where several meet, a higher one
                                           // comes later

  // Of a module that is in force: whom it binds (none: everybody), and how many turns it lasts.
  std::vector<std::int64_t> seats = {};
  std::optional<std::int64_t> turns = {};

  friend bool operator==(const Module&, const Module&) = default;
};

// Which players a module binds, one bit per seat.
struct Scope {
  std::uint16_t seats = all_seats;
  static constexpr std::uint16_t all_seats = 0xffff;

  constexpr bool covers(std::size_t seat) const { return (seats >> seat & 1) != 0; }
  constexpr bool overlaps(Scope other) const { return (seats & other.seats) != 0; }
  friend constexpr bool operator==(Scope, Scope) = default;
};

// One module in force: for whom and, if it ends by itself, for how many more turns.
struct Activation {
  std::string id;
  Scope scope = {};
  std::optional<std::uint32_t> turns = {};
  // What it was asked for with: names, and whole numbers or words.
  std::map<std::string, std::string> parameters = {};
  friend bool operator==(const Activation&, const Activation&) = default;
};

// What somebody asked for, before it is known what the seats are called.
struct Request {
  std::string id;
  std::vector<std::string> seats = {};  // names; none: everybody
  std::optional<std::uint32_t> turns = {};
  std::map<std::string, std::string> parameters = {};
};
tl::expected<Request, Diagnostic> parse_request(std::string_view text);
tl::expected<Scope, Diagnostic> scope_of(const Request& request,
                                         std::span<const std::string> seats);

// Reads `id[{name: value, …}][:scope][@turns]`. A scope is the name of a seat or several with +
// between them; "both" and "all" are everybody.
tl::expected<Activation, Diagnostic> parse_activation(std::string_view text,
                                                      std::span<const std::string> seats);
std::string to_text(const Activation& activation, std::span<const std::string> seats);
// Texts separated by commas; commas inside braces belong to a text.
std::vector<std::string> split_rules(std::string_view text);
// The same for a list that was split at every comma.
std::vector<std::string> joined_braces(const std::vector<std::string>& pieces);
std::string scope_text(Scope scope, std::span<const std::string> seats);  // "" for everybody
// A module in force as it was asked for.
Activation activation_of(const Module& module);

class Registry {
 public:
  // Takes a module in, or says everything that is wrong with it. Until `seal` a module may name
  // others that come later.
  Diagnostics add(Module module);
  // For modules of different authors: who says that two exclude each other says it for both, and a
  // module nobody has cannot be in the way.
  static Registry of_strangers(std::span<const Module> modules);
  // All built-in modules are in: from now on relations must be known and incompatibility mutual.
  // Reports every violation there is.
  Diagnostics seal();
  bool sealed() const { return sealed_; }

  const Module* get(std::string_view id) const;
  std::optional<std::size_t> index_of(std::string_view id) const;
  std::span<const Module> get_all() const { return modules_; }  // in order of registration
  std::vector<std::string> ids() const;                         // sorted

  // Whether these may be active together: reports every unknown or repeated id, every pair that
  // does not go together and every missing requirement (scopes must overlap in both cases).
  Diagnostics check(std::span<const Activation> set) const;

 private:
  void check_relations(const Module& module, Diagnostics& out) const;

  std::vector<Module> modules_;
  std::map<std::string, std::size_t, std::less<>> by_id_;
  bool sealed_ = false;
};

}  // namespace parlor::rules
