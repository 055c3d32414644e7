// Writes the expressions of a Program as C++ (print.h). Each writes what it computes into a
// function that is being made, line by line, and says what its result is called there.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "kernel/program/program.h"

namespace parlor::kernel {

// What is known of a value when code is printed. A zone is a valid one, a token of a zone is in
// play. A list is one of the function's own: `size` items at an address.
enum class Kind : std::uint8_t {
  any,
  integer,
  boolean,
  symbol,
  zone,
  token,
  placed_token,
  list,
  token_list,
};

// A result: an expression of C++ that costs nothing to repeat.
struct Made {
  std::string text;
  Kind kind = Kind::any;
};

class Printer {
 public:
  explicit Printer(const Program& program) : p_(program) {}

  // The bodies of functions.
  std::string truth_body(int node);
  std::string value_body(int node);
  std::string query_body(int node);
  // Of the loop of an evaluateSubset that begins here; empty: not printed.
  std::string subsets_body(int pc);
  const std::set<int>& bindings() const { return bindings_; }  // of the last body
  const std::map<std::string, std::string>& tables() const { return tables_; }
  // Nodes the last body leaves to the interpreter: printed by themselves, if they can be.
  const std::set<int>& left() const { return left_; }
  // Whether printing this expression gains anything.
  bool worthwhile(int node) const;
  bool is_condition(int node) const;
  bool is_query(int node) const;
  bool of_tokens(int query) const;
  // Whether the machine remembers what the expression came to while the state does not change.
  static bool has_memo(const Node& n);

 private:
  using Body = std::function<void(Made)>;

  const Node& node(int index) const { return p_.nodes[static_cast<std::size_t>(index)]; }
  int extra(int index) const { return p_.extra[static_cast<std::size_t>(index)]; }
  void begin(int root);
  void gather_tokens();
  std::string finish(const std::string& result);

  // -- lines
  template <class... Args>
  void line(fmt::format_string<Args...> text, Args&&... args) {
    out_ += std::string(static_cast<std::size_t>(2 * depth_), ' ') +
            fmt::format(text, std::forward<Args>(args)...) + "\n";
  }
  std::string fresh(char letter) { return fmt::format("{}{}", letter, next_++); }
  void give_up_if(const std::string& when) { line("if ({}) return trouble;", when); }
  void spend(std::int64_t work) { give_up_if(fmt::format("!v.spend({})", work)); }
  std::string table(const std::string& name, const std::string& type, const std::string& items);
  std::string words_table(const std::string& name, const std::uint64_t* words);

  // -- values (print_values.cpp)
  Made value(int node);
  Made left_value(int node);  // the interpreter's
  Made slot(int slot);
  Made constant(Value v);
  Made token_prop(const Node& n, bool& may_miss);
  Made cell(const std::string& token, int prop, bool& uniform);
  Made attribute(const Node& n);  // any; none: the zone lacks it
  Made category(const Node& n);   // any; none: it has none
  Made arithmetic(const Node& n);
  Made if_value(const Node& n);
  Made fold(const Node& n);
  Made count(const Node& n);
  Made asset_field(const Node& n);
  Made variable(const Node& n);
  Made named_state(const Node& n);
  std::string integer(int node);
  std::string number(const Made& made);
  std::string zone(int node);
  std::string zone_of(const Made& made);
  std::string player(int node);
  std::string players(int node);  // a mask; empty: not printed
  std::string token(int node);
  std::string placed(const Made& made);
  static std::ptrdiff_t tokens_offset();  // of their number
  std::string as_value(const Made& made);

  // -- conditions (print_conditions.cpp)
  std::string truth(int node);
  std::string left_truth(int node);
  std::string all_or_any(const Node& n);
  std::string compare(const Node& n);
  std::string compared(const Node& n, const Made& left, const Made& right);
  std::string quantified(int node);
  std::string in_list(int node);
  std::string zone_in(int node);
  std::string filter(int node, const std::string& token);
  std::string filter_test(int node, const std::string& token);
  std::string equal(const Made& left, const Made& right);
  Made field(const Node& n, const std::string& token, bool& printed);
  bool plain_filter(int node) const;

  // -- queries (print_queries.cpp): the name of what the loop answers
  std::string loop(int query, const Body& body);
  std::string repeat(const std::string& call, const std::string& type, Kind kind, const Body& body);
  std::string items_of_subset(const Made& list, const Body& body);
  std::string left_loop(int query, const Body& body);
  std::string tokens(const std::string& zone, int filter, const Body& body);
  std::string zones(int query, const Body& body);
  std::string keyed_zones(const ZoneKey& key, int set, const Body& body);
  std::string rows(int query, const Body& body);
  std::string concat(const Node& n, const Body& body);
  std::string numbers(int query, const Body& body);
  std::string steps(int query, const Body& body);
  void bind(int slot, const Made& item, const std::function<void()>& body);
  std::string neighbours(const std::string& zone);

  // -- zone sets (print_sets.cpp)
  bool pure_set(int node) const;
  std::string set(int node);
  std::string shifted(int direction, const std::string& to);
  std::string ray(int direction, const std::string& over, const std::string& good);
  std::string player_feature(const Node& n);
  std::string family(const Node& n);
  std::string line_bits(const Node& n);
  std::string feature(int index) const;
  std::string zones_type() const { return fmt::format("Zones<{}>", p_.words); }

  // Nothing in it does work that is counted, so it may be asked as often as one likes.
  bool free_of_work(int node) const;

  const Program& p_;
  std::string out_;
  int depth_ = 1;
  int next_ = 0;
  int root_ = -1;  // the expression whose function is being made: the machine asks its memo first
  bool left_something_ = false;  // to the interpreter, which knows bindings by their slots
  bool unprintable_ = false;     // a list of the function's own would have to be the machine's
  std::map<int, Made> bound_;
  std::set<int> bindings_;
  std::map<std::string, std::string> tables_;
  std::set<int> left_;
  // Of the loop over subsets that is being made: how many items a subset has, 0 if that is not
  // known, and the properties of its tokens that are asked for.
  std::size_t subset_size_ = 0;
  std::set<int> carried_;
};

}  // namespace parlor::kernel
