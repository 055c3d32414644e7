// Cards on their way: revealed, played, handed to the leader, discarded (18.2, 18.4); and what
// counts such boundaries: lasting effects, and effects that wait for grants.
#include "kernel/run/machine.h"

namespace parlor::kernel {

// Cards move beside the rules: no zone-entry rules, no triggers.
void Cards::move_card(TokenId t, ZoneId z) {
  const ZoneId from = memory_.zone_of(t);
  std::uint32_t seen = seen_by(t);
  const std::uint32_t shown = p_->secrets.tokens ? memory_.sight(t).shown : 0;
  memory_.remove(t);
  memory_.insert_top(t, z);
  if (p_->secrets.tokens) {
    knowledge().moved(t, from, Taken::by_place, ~std::uint32_t{0});
    seen |= seen_by(t);
  }
  if (p_->options.explicit_chance && memory_.zone(from).count == 0) memory_.pool(from) = 0;
  if (listener_ != nullptr) tell_move(t, from, seen, shown);
}

bool Cards::is_coup(TokenId t) const {
  return !t.is_none() && p_->flow.coup_prop >= 0 &&
         memory_.prop(t, p_->flow.coup_prop) == Value::boolean(true);
}

bool Cards::coup_counts() const {
  const FlowInfo& info = p_->flow;
  return info.course && is_coup(memory_.first(info.played)) &&
         (info.most_rounds < 0 || flow().coup_rounds < info.most_rounds);
}

bool Cards::lookahead_is_coup() const {
  return !p_->flow.lookahead.is_none() && is_coup(memory_.first(p_->flow.lookahead));
}

int Cards::card_of(TokenId t) const {
  const FlowInfo& info = p_->flow;
  Value id = info.card_prop >= 0 ? memory_.prop(t, info.card_prop) : Value{};
  if (id.is_none()) id = const_cast<Cards*>(this)->value_of_text(text_of(Value::token(t)));
  return id.is_symbol() ? position_of(info.card_infos, id.index(), &CardInfo::symbol) : -1;
}

// The top of the first deck's discard zone that is one of its cards (F-24).
int Cards::event_card() const {
  const FlowInfo& info = p_->flow;
  for (int d = 0; d < std::ssize(info.decks); ++d) {
    const ZoneId pile = info.decks[d].discard;
    const TokenId top = pile.is_none() ? TokenId::none() : memory_.first(pile);
    const int card = top.is_none() ? -1 : card_of(top);
    if (card >= 0 && info.card_infos[card].deck == d) return card;
  }
  return -1;
}

// ---- The boundary

void Cards::cross_out() {
  FlowRecord& f = flow();
  const FlowInfo& info = p_->flow;
  if (f.boundaries < 255) ++f.boundaries;
  f.moved = f.promoted = 0;
  if (!info.course) return;
  if (const TokenId top = memory_.first(info.played); !top.is_none()) {
    const bool coup = is_coup(top), counts = coup_counts();
    if (counts) {
      move_card(top, info.leader);
      if (f.handed_off < 255) ++f.handed_off;
    } else if (info.discard != info.played) {
      move_card(top, info.discard);
      f.moved = 1;
    }
    if (info.most_rounds >= 0) f.coup_rounds = coup ? f.coup_rounds + (counts ? 1 : 0) : 0;
  }
  if (const TokenId next = memory_.first(info.lookahead); !next.is_none()) {
    move_card(next, info.played);
    f.moved = f.promoted = 1;
  }
}

// By whoever moved last (F-33).
bool Cards::instruct() {
  const FlowInfo& info = p_->flow;
  if (!info.instructs || flow().promoted == 0) return true;
  const TokenId top = memory_.first(info.played);
  if (!is_coup(top)) return true;
  const int card = card_of(top);
  const UnitId unit = card < 0 ? UnitId::none() : info.card_infos[card].instruction;
  ++flow().serial;  // what it grants is not what the event of the move waits for (G-73)
  call_unit(unit);
  return !failed_;
}

// The next card was drawn. Without any movement the cards are at their end (F-25); handing the last
// coup card over is none (F-44).
void Cards::cross_in() {
  FlowRecord& f = flow();
  const FlowInfo& info = p_->flow;
  if (!info.course) return;
  if (!memory_.first(info.lookahead).is_none()) f.moved = 1;
  if (f.moved == 0) f.stalled = 1;
}

// ---- Lasting effects (20.4)

bool Cards::start_lasting(const Instr& i) {
  FlowRecord& f = flow();
  if (f.lasting >= max_lasting) {
    fail(Code::RUN_TOO_MANY, i.place, "too many lasting effects are in force",
         Value::integer(max_lasting));
    return false;
  }
  const LastingInfo& info = p_->flow.lasting[i.a];
  LastingRecord record{i.a.value, -1, -1, 0};
  if (info.duration == spec::Duration::turn) record.turns = 1;
  if (info.duration == spec::Duration::next_turn) record.turns = 2;
  if (info.duration >= spec::Duration::round) record.rounds = 1;
  memory_.add_lasting(record);
  if (listener_ != nullptr) report("lastingStarted", {{"effect", info.id}});
  return true;
}

// One effect after the other, in the order they were made; each is over before the next is looked
// at (F-70). The frame's trigger_index is the next one.
bool Cards::expire_lasting(const Instr& i) {
  FlowRecord& f = flow();
  Frame& frame = frames_.back();
  const bool cards = p_->flow.cards;
  const int turns = cards ? int{f.boundaries} : 1, rounds = cards ? int{f.handed_off} : 0;
  if (turns == 0) return true;
  while (frame.trigger_index < f.lasting) {
    LastingRecord& record = memory_.lasting(frame.trigger_index);
    if (record.turns > 0) record.turns = std::max(0, record.turns - turns);
    if (record.rounds > 0) record.rounds = std::max(0, record.rounds - rounds);
    if (record.turns != 0 && record.rounds != 0) {
      ++frame.trigger_index;
      continue;
    }
    const LastingInfo& info = p_->flow.lasting[record.def];
    memory_.drop_lasting(frame.trigger_index);
    if (listener_ != nullptr) report("lastingEnded", {{"effect", info.id}});
    if (info.teardown.is_none()) continue;
    frame.pc = place_in(p_->code, i);  // come back here afterwards
    call_unit(info.teardown);
    return !failed_;
  }
  f.boundaries = f.handed_off = 0;
  return true;
}

// ---- Effects that wait for grants (F-62, G-73)

bool Cards::defer(const Instr& i) {
  FlowRecord& f = flow();
  if (f.deferred >= max_deferred) {
    fail(Code::RUN_TOO_MANY, i.place, "too many events wait for their grants",
         Value::integer(max_deferred));
    return false;
  }
  made_values_.assign(p_->flow.deferred_values, Value{});
  Value* next = made_values_.data();
  Value* const end = next + made_values_.size();
  for (int k = 0; k < i.c; ++k)
    if (!keep_values(slot(p_->extra[i.b + k]), next, end, i.place)) return false;
  memory_.add_deferred({i.a.value, move_.owner, i.c.value, f.serial}, made_values_);
  return true;
}

// Those whose grants are gone, one after the other.
bool Cards::release_deferred() {
  FlowRecord& f = flow();
  for (int k = 0; k < f.deferred; ++k) {
    const DeferredRecord record = memory_.deferred(k);
    bool waits = false;
    for (int g = 0; g < f.grants; ++g) waits |= memory_.grant(g).source == record.source;
    if (waits) continue;
    const UnitId unit = p_->flow.deferred[record.def];
    --frames_.back().pc;  // come back here afterwards
    push_frame(unit, record.player, record.player);
    if (failed_) return false;
    const Value* from = memory_.deferred_values(k);
    for (int v = 0; v < record.values; ++v) {
      const Value head = *from++;
      if (!head.is_list()) {
        slot(SlotId(v)) = head;
        continue;
      }
      const std::size_t size = head.payload();
      slot(SlotId(v)) = make_list({from, size});
      from += size;
    }
    memory_.drop_deferred(k);
    return !failed_;
  }
  return true;
}

}  // namespace parlor::kernel
