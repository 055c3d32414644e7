// Evaluates expressions: values, conditions, zones, players, tokens, filters and queries, and the
// zone sets that planning found (docs/kernel.md). It changes nothing in the state. On failure
// `failed()` and the fault say why, and the result is meaningless.
#pragma once

#include "base/function_ref.h"
#include "kernel/run/half_move.h"

namespace parlor::kernel {

class Eyes;
struct PrintedView;
struct PrintedCalls;

class Evaluator : public HalfMove {
 public:
  // What compiled moves and lists ask, which have no machine.
  static const PrintedCalls leasing_calls;

  Value value(NodeId node) {
    const Node& n = p_->nodes[node];
    if (n.op == Ex::constant) return p_->constants[static_cast<std::size_t>(n.a)];
    if (n.op == Ex::active_player) return Value::integer(active_);
    if (n.op == Ex::slot)
      if (const Value v = slot(n.a); !v.is_none()) return v;
    return value_of(n);
  }
  Truth test(NodeId node);
  bool integer(NodeId node, std::int64_t& out);  // false: failed
  ZoneId zone(NodeId node) {                     // none: failed
    const Node& n = p_->nodes[node];
    if (n.op == Ex::z_const) return n.a;
    if (n.op == Ex::z_slot)
      if (const Value v = slot(n.a); v.is_symbol() && v.payload() < p_->zone_count)
        return v.as_zone();
    return zone_rare(n);
  }
  std::uint32_t players(NodeId node);  // 0: failed
  int player(NodeId node);             // -1: failed
  TokenId token(NodeId node);          // none: failed
  Truth filter(NodeId node, TokenId token);

  using Visit = FunctionRef<bool(Value)>;
  // Calls `f(value)` for every result in order until it returns false.
  template <class F>
  void each(NodeId node, F&& f) {
    query(node, f);
  }
  // The same without repetitions.
  template <class F>
  void each_distinct(NodeId node, F&& f) {
    const Value list = collect(node);
    if (failed_) return;
    drop_duplicates(list);
    if (failed_) return;
    for (std::size_t i = 0; i < list_size(list); ++i)
      if (!f(list_at(list, i))) return;
  }
  bool query(NodeId node, Visit visit);  // false: stopped or failed
  bool has_result(NodeId node);          // false also when it failed
  // All results as a list of the arena; none: failed.
  Value items_of(NodeId node);
  Value collect(NodeId node);
  // Zone sets (planned.cpp): the options of an action that are such a set, and a set as words.
  void list_bits(NodeId node, std::uint64_t id, int shift, std::int64_t base, OptionList& out);
  bool zone_bits(NodeId node, std::uint64_t* out);
  bool find_instant(NodeId node);  // into the header; false: the set is empty or failed
  bool list_ways(const ActionInfo& action, std::uint64_t id, int shift,
                 OptionList* out);  // null: is there one
  Truth any_bit(NodeId node);

  // ---- Words
  bool equal_values(Value a, Value b) const {
    return a == b || (a.tag() == Tag::text && b.tag() == Tag::text && equal_texts(a, b));
  }
  bool equal_texts(Value a, Value b) const;
  std::string text_of(Value value) const;  // as `concat` writes it
  Json json_of(Value value) const;
  // From now on values are put into words for this viewer: tokens they do not see are named by
  // their place, "hand:1#2" or {"zone", "place"}. Whoever asks stays where they are meanwhile.
  void set_asker(const Eyes* eyes) { asker_ = eyes; }
  const Eyes* asker() const { return asker_; }
  Value value_of_json(const Json& json);  // numbers, truth values and texts; none: anything else
  Value value_of_text(std::string_view text);  // a symbol, a token or text of the arena

 protected:
  template <int W>
  friend class SetPlan;

  void make_room();
  Value value_of(const Node& n);
  // Runs a scalar tape; none: it was given up.
  struct Scalars;
  Value play_scalar(int tape);
  Truth played(Value v) const { return v.payload() != 0 ? Truth::yes : Truth::no; }
  bool query_list(const Node& n, Visit visit);
  ZoneId zone_rare(const Node& n);
  Value arithmetic(const Node& n);
  Value fold(const Node& n);
  Value item(const Node& n);
  Value rank(const Node& n);
  Value number_of(const Node& n);
  Value zone_at(const Node& n);
  Value token_at(const Node& n);
  Value longest_path(const Node& n);
  std::int64_t longest_from(std::size_t mark, ZoneId start, std::uint32_t place);
  Value count(const Node& n);
  bool surely_unseen(const Node& n);
  Value concat(const Node& n);
  Value zone_attribute(const Node& n);
  Value asset_field(const Node& n);
  Value if_value(const Node& n);
  Value not_there(const Node& n);
  Value active_seat(const Node& n);
  Value token_prop(const Node& n);
  Value named_var(const Node& n);
  Value of_token(const Node& n);
  Value of_zone(const Node& n);
  Value step_to(const Node& n);
  Value effect_modifier(const Node& n);
  Value value_rare(const Node& n);
  Value value_of_game(const Node& n);
  Truth compare(const Node& n);
  Truth without(NodeId operand);
  Truth quantified(const Node& n);
  Truth compute_truth(const Node& n);
  // The zones of an attribute's value: first and behind the last in Program::zones_by_attribute.
  using KeyedZones = std::span<const std::pair<std::uint64_t, ZoneId>>;
  bool keyed_zones(const ZoneKey& key, KeyedZones& out);
  Truth in_set(const Node& n);
  Truth in_list(const Node& n);
  Truth zone_includes(const Node& n);
  Truth marker_allowed(const Node& n);
  Truth shift_allowed(const Node& n);
  Truth test_rare(const Node& n);
  Truth connected(const Node& n);
  Truth line_of(const Node& n);
  Truth line_bits(const Node& n);
  Truth any_connected(const Node& n);
  Truth zone_in(const Node& n);
  // The feature b_player means: the first of the players' in the extra table, and which player.
  int player_feature(int first, int which) const {
    int who = which == 0 ? active_ : actor_;
    if (which == 2) who = who == 0 ? p_->players - 1 : who - 1;
    if (which == 3) who = who + 1 == p_->players ? 0 : who + 1;
    return p_->extra[static_cast<std::size_t>(first + who)];
  }
  Value count_bits(NodeId node);
  bool query_bits(NodeId node, Visit visit);
  template <class F>
  auto with_width(F&& f);
  template <class F>
  auto with_more_words(F& f);
  Truth marker_state_ok(ZoneId zone, int lattice, int state);
  Truth filter_test(const Node& n, TokenId token);
  Truth matches(spec::FilterOp op, Value have, NodeId value_node, std::uint32_t place);
  Truth fits(spec::FilterOp op, Value have, Value wanted, std::uint32_t place);
  Truth passes(const PropTest& test, Value& wanted, TokenId token, const TypeInfo& type);
  Value field_of(const Node& n, TokenId token);
  bool query_activities(const Node& n, Visit visit);
  bool query_zones(const Node& n, Visit visit);
  bool query_connected(const Node& n, Visit visit);
  bool query_rows(const Node& n, Visit visit);
  bool query_ints(const Node& n, Visit visit);
  bool some_ints(const Node& n, std::int64_t min, std::int64_t max, std::int64_t step,
                 std::int64_t most, Visit visit);
  bool query_ray(const Node& n, Visit visit);
  bool query_ways(const Node& n, Visit visit);
  bool query_next(const Node& n, Visit visit);
  bool query_step(const Node& n, Visit visit);
  bool query_filter(const Node& n, Visit visit);
  bool query_named(const Node& n, Visit visit);
  bool query_token_zones(const Node& n, Visit visit);
  bool query_markers(const Node& n, Visit visit);
  bool query_effects(const Node& n, Visit visit);
  bool query_sort(const Node& n, Visit visit);
  bool query_map(const Node& n, Visit visit);
  bool query_rare(const Node& n, Visit visit);
  int turn_after(int player) const;   // whose turn comes after this player's
  int turn_before(int player) const;  // and before it
  bool each_direction(NodeId node, Visit visit);
  bool tokens_by_props(ZoneId zone, PropFilter filter, Visit visit);
  bool all_tokens(ZoneId zone, NodeId filter_node, Visit visit);
  ZoneId zone_of_value(Value v, std::uint32_t place);
  ZoneId zone_of_text(std::string_view text, std::uint32_t place);
  int player_of_value(Value v, std::uint32_t place);
  bool find_var(int scope, Value name, VarId& var, std::uint32_t place);
  Value template_value(int extra, std::uint32_t place);
  Value find_template(int extra, std::uint32_t place);  // none: nothing has this name, or failed
  bool template_keys(int extra, TemplateBinding& out);
  bool same_key(Value a, Value b) const;
  bool same_name(const TemplateBinding& a, const TemplateBinding& b) const;
  std::string name_of(const TemplateBinding& binding) const;
  bool open_name(const Node& n);           // of an expression; false: failed
  bool is_unseen(Value value) const;       // a token the asker does not see
  int place_in_zone(TokenId token) const;  // counted from 1, the top
  void drop_duplicates(Value list);
  bool undecided_binding();
  // A property as the move sees it: a grant may take tokens for something else.
  // A grant may take tokens for something else.
  bool takes_for_others() const {
    return move_.grant != 0 && p_->flow.any_interpretation && !interpreting_;
  }
  Value seen_prop(TokenId t, int property) {
    return takes_for_others() ? interpreted(t, property) : memory_.prop(t, property);
  }
  Value interpreted(TokenId token, int property);

  static constexpr std::size_t max_results = 10'000;  // that are kept
  // Work space, one list behind the other.
  std::vector<int> work_;
  std::vector<TokenId> work_tokens_;
  std::vector<Value> pile_;
  std::vector<std::int64_t> numbers_;
  struct Sorted {
    std::int64_t by;
    std::size_t place;
    Value item;
  };
  std::vector<Sorted> sorted_;  // a sort inside another is behind it
  // Zone sets that several expressions share, by b_keep's number.
  struct KeptSet {
    std::uint64_t stamp = 0;
    std::uint64_t words[most_words];
  };
  std::vector<KeptSet> kept_;
  int kept_room_ = 0;  // its size
  // What a kept set depends on: the state, and whose turn it is to the expression.
  std::uint64_t stamp() const {
    return memory_.version() << 8 | static_cast<std::uint64_t>(active_ << 4 | actor_);
  }

  // Ways that walks found (any_connected): from the start over these zones to the end. A walk that
  // finds one of them still open need not be made.
  struct KnownWay {
    std::uint64_t serial = 0;  // of the program
    NodeId node = {};
    ZoneId start = {}, end = {};
    std::uint64_t zones[most_words] = {};  // between them
  };
  static constexpr std::size_t ways_kept = 4;  // for each place in the table
  static constexpr std::size_t way_places = 16;
  std::vector<KnownWay> known_ways_ = std::vector<KnownWay>(ways_kept * way_places);
  std::array<Small<std::uint8_t>, way_places> next_way_{};  // which of them was kept last, from 1
  std::size_t way_place(const Node& n, ZoneId start) const {
    const auto node = p_->nodes.id_of(n);
    return (node.index() * 5 + start.index()) % way_places;
  }
  bool knows_ways(const Node& n, ZoneId start) const { return next_way_[way_place(n, start)] != 0; }
  const KnownWay* known_ways(const Node& n, ZoneId start) const {
    return &known_ways_[way_place(n, start) * ways_kept];
  }
  KnownWay& next_known_way(const Node& n, ZoneId start) {
    const std::size_t place = way_place(n, start), next = next_way_[place] % ways_kept;
    next_way_[place] = next + 1;
    return known_ways_[place * ways_kept + next];
  }

  // Expressions with a memo, while the state does not change.
  struct Remembered {
    std::uint64_t stamp = 0;
    int number = -1;
    Value keys[2];
    Value result;
  };
  static constexpr std::size_t remembered_room = 128;
  std::vector<Remembered> remembered_ = std::vector<Remembered>(remembered_room);
  Remembered& memo_of(const Memo& memo, Value (&keys)[2]) {
    for (int i = 0; i < 2; ++i) keys[i] = memo.slots[i].is_none() ? Value{} : slot(memo.slots[i]);
    const std::uint64_t mixed = (static_cast<std::uint64_t>(memo.number) * 0x9e3779b97f4a7c15u +
                                 keys[0].bits * 31 + keys[1].bits) *
                                0xff51afd7ed558ccdu;
    return remembered_[mixed >> 57];
  }
  template <class F>
  Value remembered(const Memo& memo, F&& compute);
  Truth remembered_truth(const Node& n);
  Value remembered_value(const Node& n);
  Truth any_of_zones(const Node& n);

  // ---- Compiled code (run/eval_printed.cpp): asked first; where it gives up, what was written is
  // evaluated, and says what is wrong.
  Truth printed_truth(const Node& n);
  Value printed_value(const Node& n);
  bool printed_query(const Node& n, Visit visit);
  PrintedView printed_view();
  template <class F>
  auto interpreted(const Node& n, std::int64_t work, F&& f);
  static const PrintedCalls printed_calls;

  int marker_questions_ = 0;  // constraints of markers being asked, one inside the other
  bool interpreting_ = false;
  const Eyes* asker_ = nullptr;
};

}  // namespace parlor::kernel
