// Statements about tokens, markers and what players may see.
#include "kernel/run/machine.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {

namespace {
Json token_json(const Evaluator& machine, TokenId t) {
  return machine.text_of(Value::token(t));
}
}  // namespace

void Statements::tell_arrival(ZoneId z) {
  if (p_->emits_token_events) happen({spec::EventKind::token_entered, 0, z.value, -1, {}, {}});
}

// The cell for a value that a token is to have: a text made while playing is kept with the state.
inline std::int32_t Statements::cell_for(CellType type, Value v) {
  const std::int32_t cell = Memory::encode_cell(type, v);
  if (cell != missing_cell || v.tag() != Tag::text || type != CellType::symbol) return cell;
  return Memory::encode_cell(type, memory_.keep_text(text_of(v)));
}

void Statements::apply_entry_rules(TokenId t, ZoneId z) {
  const TypeInfo& type = p_->types[memory_.token(t).type];
  const ZoneInfo& info = p_->zones[z];
  for (const EntryRule& rule : type.entry) {
    if (rule.kind && rule.kind != info.kind) continue;
    if (rule.category >= 0 && rule.category != info.category) continue;
    for (const auto& [prop, v] : rule.set)
      if (type.column[prop] >= 0)
        memory_.write_cell(t, prop, Memory::encode_cell(type.cell[prop], v));
  }
}

bool Statements::stacking_ok(ZoneId z, std::uint32_t place) {
  for (const int index : p_->stacking_of_zone[z]) {
    const StackingInfo& rule = p_->stacking[index];
    if (!spend(memory_.zone(z).count, place)) return false;
    std::int64_t count = 0;
    for (const TokenId t : memory_.tokens_in(z)) count += rule.types[memory_.token(t).type] ? 1 : 0;
    if (count > rule.max)
      return refuse(Code::RUN_STACKING, place, "too many pieces", Value::zone(z),
                    value_of_text(rule.id));
  }
  return true;
}

// What those are told who do not see the token: that one went, unless its zone keeps that secret.
// Whoever sees it only where it was, or only where it is, does not learn of a zone that hides its
// count that it was the other end.
void Statements::tell_move(TokenId t, ZoneId from, std::uint32_t seen, std::uint32_t shown) {
  const ZoneId to = memory_.zone_of(t);
  Json data{{"token", token_json(*this, t)}}, outside{{"hidden", true}};
  const auto end = [&](const char* key, ZoneId z) {
    if (z.is_none()) return;
    data[key] = p_->zones[z].id;
    if (!p_->zones[z].count_hidden)
      outside[key] = p_->zones[z].id;
    else
      seen &= p_->zones[z].sight;
    if (p_->zones[z].sight == ~std::uint32_t{0}) outside["token"] = data["token"];
  };
  end("from", from);
  end("to", to);
  if (outside.size() == 1) outside = nullptr;
  const char* kind = from.is_none() ? "tokenCreated"
                     : to.is_none() ? "tokenDestroyed"
                                    : "tokenMoved";
  if (from.is_none()) data["type"] = p_->types[memory_.token(t).type].id;
  // Where in a pile it went, counted from the top, follows for everybody who sees the pile.
  if (!to.is_none() && p_->zones[to].ordering != spec::Ordering::set &&
      p_->zones[to].sight == ~std::uint32_t{0})
    data["position"] = place_in_zone(t) - 1;
  About about{.tokens = {t}, .from = from, .shown = shown};
  if (outside.is_object() && outside.contains("token")) about.named = {t};
  report(kind, std::move(data), seen, std::move(outside), about);
}

// Reveals that last show what arrives. False: a filter failed.
bool Statements::arrived(TokenId t) {
  const ZoneId z = memory_.zone_of(t);
  const auto* records = memory_.at<RevealRecord>(p_->layout.reveals);
  for (int k = 0; k < header().reveals; ++k) {
    if (records[k].zone != z) continue;
    const Truth shown =
        records[k].filter < 0 ? Truth::yes : filter(p_->reveal_filter_nodes[records[k].filter], t);
    if (shown == Truth::fault) return false;
    if (shown == Truth::yes) knowledge().revealed(t, records[k].observers);
  }
  return true;
}

// Takes a token out of its zone and puts it into another (or the same) one.
bool Statements::place(TokenId t, ZoneId z, spec::ZonePosition position, std::uint32_t at,
                       Taken how, std::uint32_t pickers, std::int64_t index) {
  note_read(z);
  const ZoneId from = memory_.zone_of(t);
  const bool changes = !p_->types[memory_.token(t).type].entry.empty();
  const std::vector<Value> props =
      listener_ != nullptr && changes ? props_of(t) : std::vector<Value>{};
  memory_.remove(t);
  if (changes) apply_entry_rules(t, z);
  TokenId before = memory_.first(z);
  if (position == spec::ZonePosition::bottom) before = {};
  if (position == spec::ZonePosition::random && memory_.zone(z).count > 0) {
    if (p_->options.explicit_chance && index < 0) {
      // Among tokens whose order nobody knows every place is the same.
      while (!before.is_none() && before < t) before = memory_.next(before);
    } else {
      if (index < 0) index = header().rng.between(0, memory_.zone(z).count);
      for (; index > 0; --index) before = memory_.next(before);
    }
  }
  memory_.insert(t, z, before);
  std::uint32_t seen = ~std::uint32_t{0}, shown = 0;
  if (p_->secrets.tokens) {
    shown = memory_.sight(t).shown;
    seen = p_->zones[from].sight | shown;
    knowledge().moved(t, from, how, pickers);
    if (position == spec::ZonePosition::random) knowledge().shuffled(z);
    if (header().reveals != 0 && !arrived(t)) return false;
    seen |= seen_by(t);
  }
  if (!p_->stacking.empty() && !stacking_ok(z, at)) return false;
  if (from == z) {
    const bool seen_there = p_->zones[z].ordering != spec::Ordering::set && p_->zones[z].place < 0;
    if (listener_ != nullptr && seen_there) tell_move(t, from, seen, shown);
    return true;
  }
  if (p_->options.explicit_chance && memory_.zone(from).count == 0) memory_.pool(from) = 0;
  tell_arrival(z);
  if (listener_ != nullptr) tell_move(t, from, seen, shown);
  if (!props.empty()) tell_entry(t, props);
  return true;
}

std::vector<Value> Statements::props_of(TokenId t) const {
  std::vector<Value> out;
  for (std::size_t prop = 0; prop < p_->props.size(); ++prop) out.push_back(memory_.prop(t, prop));
  return out;
}

// What a zone did to a token that came into it.
void Statements::tell_entry(TokenId t, const std::vector<Value>& before) {
  for (std::size_t prop = 0; prop < before.size(); ++prop)
    if (const Value now = memory_.prop(t, prop); !equal_values(before[prop], now))
      report("tokenChanged",
             {{"token", token_json(*this, t)},
              {"prop", p_->props[prop]},
              {"old", json_of(before[prop])},
              {"new", json_of(now)}},
             seen_by(t), nullptr, {.tokens = {t}});
}

bool Statements::do_move(const Instr& i) {
  const TokenId t = token(i.a);
  if (t.is_none()) return false;
  const ZoneId from = i.b >= 0 ? zone(i.b) : memory_.zone_of(t);
  const ZoneId to = from.is_none() ? ZoneId::none() : zone(i.c);
  if (to.is_none()) return false;
  if (memory_.zone_of(t) != from) {
    fail(Code::RUN_TOKEN, i.place, "the token is not in this zone", Value::token(t),
         Value::zone(from));
    return false;
  }
  const auto& around = p_->zones[from].neighbours;
  if (i.op == Op::move_adjacent && !std::binary_search(around.begin(), around.end(), to)) {
    fail(Code::RUN_ADJACENCY, i.place, "the zones are not neighbours", Value::zone(from),
         Value::zone(to));
    return false;
  }
  const spec::ZonePosition position{i.x};
  if (position == spec::ZonePosition::random && awaits_position(t, to)) {
    ask_chance();
    return true;
  }
  return place(t, to, position, i.place, Taken::by_pick, pickers_of(i.a));
}

bool Statements::do_destroy(const Instr& i) {
  const TokenId t = token(i.a);
  if (t.is_none()) return false;
  const ZoneId from = memory_.zone_of(t);
  const std::uint32_t seen = seen_by(t);
  const std::uint32_t shown = p_->secrets.tokens ? memory_.sight(t).shown : 0;
  memory_.remove(t);
  if (p_->secrets.tokens) knowledge().moved(t, from, Taken::by_pick, pickers_of(i.a));
  if (listener_ != nullptr) tell_move(t, from, seen, shown);
  return true;
}

bool Statements::do_set_prop(const Instr& i) {
  const TokenId t = token(i.a);
  const Value v = t.is_none() ? Value{} : value(i.b);
  if (failed_) return false;
  const TypeInfo& type = p_->types[memory_.token(t).type];
  const std::int32_t cell = type.column[i.x] < 0 ? missing_cell : cell_for(type.cell[i.x], v);
  if (cell == missing_cell) {
    fail(type.column[i.x] < 0 ? Code::RUN_PROPERTY_MISSING : Code::RUN_TYPE, i.place,
         "the token's type has no such property", Value::token(t), v);
    return false;
  }
  const Value now = memory_.prop(t, i.x);
  bool declared = false, allowed = false;
  for (const auto& transition : type.transitions) {
    if (transition.prop != i.x) continue;
    declared = true;
    allowed |= transition.from == now && transition.to == v;
  }
  const bool changes = !equal_values(now, v);
  if (declared && !allowed && changes) {
    fail(Code::RUN_TYPE, i.place, "no transition leads from one value to the other", now, v);
    return false;
  }
  if (p_->secrets.tokens) blur_prop(t, i.x, i.b);
  memory_.write_cell(t, i.x, cell);
  if (listener_ != nullptr && changes)
    report("tokenChanged",
           {{"token", token_json(*this, t)},
            {"prop", p_->props[i.x]},
            {"old", json_of(now)},
            {"new", json_of(v)}},
           seen_by(t), nullptr, {.tokens = {t}});
  return true;
}

bool Statements::step_token(const Instr& i) {
  switch (i.op) {
    case Op::move_token:
    case Op::move_adjacent:
      return do_move(i);
    case Op::move_all:
      return do_move_all(i);
    case Op::draw:
      return do_draw(i);
    case Op::shuffle:
      return do_shuffle(i);
    case Op::destroy_token:
      return do_destroy(i);
    case Op::set_prop:
      return do_set_prop(i);
    default:
      return do_reveal(i);
  }
}

bool Statements::do_create(const Instr& i) {
  const ZoneId z = zone(i.a);
  if (z.is_none()) return false;
  note_read(z);
  const TypeInfo& type = p_->types[i.x];
  // Values first: they may look at the zone as it is.
  std::int32_t cells[32];  // one for each column
  if (i.c < p_->columns) std::fill_n(cells, p_->columns, missing_cell);
  for (int k = 0; k < i.c; ++k) {
    const int prop = p_->extra[i.b + 2 * k];
    const Value v = value(p_->extra[i.b + 2 * k + 1]);
    if (failed_) return false;
    const std::int32_t cell = cell_for(type.cell[prop], v);
    if (cell == missing_cell) {
      fail(Code::RUN_TYPE, i.place, "the property cannot hold this value", v);
      return false;
    }
    cells[type.column[prop]] = cell;
  }
  if (header().tokens >= most_tokens) {
    fail(Code::RUN_TOO_MANY, i.place, "the game has made more than 32 000 tokens");
    return false;
  }
  const TokenId t = memory_.create_token(i.x, z, cells);
  if (p_->secrets.tokens) {
    knowledge().created(t, setting_up_);
    for (int k = 0; k < i.c; ++k) blur_prop(t, p_->extra[i.b + 2 * k], p_->extra[i.b + 2 * k + 1]);
    if (header().reveals != 0 && !arrived(t)) return false;
  }
  if (listener_ != nullptr) tell_move(t, ZoneId::none(), seen_by(t), 0);
  return p_->stacking.empty() || stacking_ok(z, i.place);
}

// Everything in a zone goes where it is seen, and nobody hears of it or has to be asked.
bool Statements::moves_as_one(ZoneId to) {
  return listener_ == nullptr && reads_ == nullptr && !p_->options.explicit_chance &&
         p_->stacking.empty() && !p_->emits_token_events && header().reveals == 0 &&
         std::ranges::all_of(p_->types, [](const TypeInfo& type) { return type.entry.empty(); }) &&
         (!p_->secrets.tokens || knowledge().can_follow_openly(to));
}

bool Statements::do_move_all(const Instr& i) {
  const ZoneId from = zone(i.a);
  const ZoneId to = from.is_none() ? ZoneId::none() : zone(i.b);
  if (to.is_none()) return false;
  if (from == to) return true;
  if (!spend(4 * std::int64_t{memory_.zone(from).count}, i.place)) return false;
  if (i.c < 0 && moves_as_one(to)) {
    const int count = memory_.zone(from).count;
    memory_.move_all(from, to);
    if (p_->secrets.tokens && count != 0) knowledge().moved_openly(from, to, count);
    return true;
  }
  const std::size_t mark = work_tokens_.size();
  for (const TokenId t : memory_.tokens_in(from)) {
    if (i.c >= 0) {
      slot(i.d) = Value::token(t);
      const Truth keep = test(i.c);
      if (keep == Truth::fault) return false;
      if (keep == Truth::no) continue;
    }
    work_tokens_.push_back(t);
  }
  if (i.d >= 0) slot(i.d) = {};
  if (p_->options.explicit_chance && memory_.pool(from) != 0 && memory_.zone(to).count == 0)
    memory_.pool(to) = 1;
  // From the last to the first: each goes on top, so the block keeps its order.
  bool ok = true;
  const Taken how = i.c < 0 ? Taken::by_place : i.x != 0 ? Taken::by_face : Taken::by_pick;
  for (std::size_t k = work_tokens_.size(); ok && k > mark; --k)
    ok = place(work_tokens_[k - 1], to, spec::ZonePosition::top, i.place, how, 0);
  work_tokens_.resize(mark);
  return ok;
}

void Statements::shuffle_zone(ZoneId z, int stream) {
  const std::size_t mark = work_tokens_.size();
  for (const TokenId t : memory_.tokens_in(z)) work_tokens_.push_back(t);
  const std::size_t size = work_tokens_.size() - mark;
  if (size > 1) {
    Rng rng = header().rng;
    if (stream >= 0) rng = Rng(header().seed, hash_text(p_->text(stream), header().stream_uses++));
    for (std::size_t k = size - 1; k > 0; --k)
      std::swap(work_tokens_[mark + k], work_tokens_[mark + rng.between(0, k)]);
    if (stream < 0) header().rng = rng;
    memory_.reorder(z, std::span(work_tokens_).subspan(mark));
    if (p_->secrets.tokens) knowledge().shuffled(z);
  }
  work_tokens_.resize(mark);
  // How many there are is not told where the count is hidden: so it is told of one as well.
  const bool told = size > 1 || p_->zones[z].count_hidden;
  if (listener_ != nullptr && told) report("shuffled", {{"zone", p_->zones[z].id}});
}

bool Statements::match_tokens(ZoneId z, NodeId filter_node, std::vector<TokenId>& out) {
  for (const TokenId t : memory_.tokens_in(z)) {
    const Truth match = filter_node.is_none() ? Truth::yes : filter(filter_node, t);
    if (match == Truth::fault) return false;
    if (match == Truth::yes) out.push_back(t);
  }
  return true;
}

// Sight is given and taken token by token, now: what a filter says later does not matter (T-18).
bool Statements::do_reveal(const Instr& i) {
  const ZoneId z = zone(i.a);
  std::uint32_t who = !z.is_none() && i.b >= 0 ? players(i.b) : ~std::uint32_t{0};
  if (failed_) return false;
  // What all players may see, everybody may.
  if (who == (std::uint32_t{1} << p_->players) - 1) who = ~std::uint32_t{0};
  std::vector<TokenId>& tokens = matched_;
  tokens.clear();
  if (!match_tokens(z, i.c, tokens)) return false;
  if (p_->secrets.tokens)
    for (const TokenId t : tokens) {
      if (i.op == Op::reveal)
        knowledge().revealed(t, who);
      else
        knowledge().concealed(t, who);
    }
  if (p_->uses_reveals) {
    if (i.op == Op::conceal)
      forget_reveals(i, z, who);
    else if (i.x != 0 && !remember_reveal(i, z, who))
      return false;
  }
  if (listener_ != nullptr) report_sight(i, z, who, tokens);
  return true;
}

bool Statements::remember_reveal(const Instr& i, ZoneId z, std::uint32_t who) {
  auto* records = memory_.at<RevealRecord>(p_->layout.reveals);
  auto& count = header().reveals;
  for (int k = 0; k < count; ++k)
    if (records[k].zone == z && records[k].filter == i.d && records[k].observers == who)
      return true;
  if (count >= max_reveals) {
    fail(Code::RUN_TOO_MANY, i.place, "too many grants of sight are in force");
    return false;
  }
  records[count++] = {z, i.d.value, who};
  return true;
}

void Statements::forget_reveals(const Instr& i, ZoneId z, std::uint32_t who) {
  auto* records = memory_.at<RevealRecord>(p_->layout.reveals);
  auto& count = header().reveals;
  int kept = 0;
  for (int k = 0; k < count; ++k) {
    const RevealRecord record = records[k];
    const bool gone = record.zone == z && (i.b < 0 || record.observers == who) &&
                      (i.c < 0 || record.filter == i.d);
    if (!gone) records[kept++] = record;
  }
  for (int k = kept; k < count; ++k) records[k] = {};
  count = kept;
}

void Statements::report_sight(const Instr& i, ZoneId z, std::uint32_t who,
                              const std::vector<TokenId>& tokens) {
  Json data{{"zone", p_->zones[z].id}};
  if (i.op == Op::conceal) return report("concealed", std::move(data));
  data["to"] = Json::array();
  for (int player = 0; player < p_->players; ++player)
    if ((who >> player & 1) != 0) data["to"].push_back(player);
  Json outside = data;
  outside["hidden"] = true;
  data["tokens"] = Json::array();
  for (const TokenId t : tokens) data["tokens"].push_back(token_json(*this, t));
  // What they are called now: a moment later they may be hidden again, or changed.
  data["names"] = token_names(whole(), tokens);
  // Who sees the zone anyhow sees what is shown of it.
  const std::uint32_t seen = p_->secrets.tokens ? who | p_->zones[z].sight : ~std::uint32_t{0};
  report("revealed", std::move(data), seen, std::move(outside), {.zone = z, .shown = who});
}

}  // namespace parlor::kernel
