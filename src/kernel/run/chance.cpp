// Rolls, shuffles and draws. With explicit chance they become decisions: a shuffled zone is a pool
// whose order nobody knows, and each draw from it asks chance which token comes up.
#include "kernel/run/machine.h"

namespace parlor::kernel {

// The statement stops here and goes on with what chance answers.
void Statements::ask_chance() {
  --frames_.back().pc;
  header().decision = DecisionKind::chance;
  header().decider = 0xff;
  yield_ = true;
}

// Looking ahead, nobody knows the order of what the executor does not see.
bool Statements::unseen(ZoneId z) const {
  const ZoneInfo& info = p_->zones[z];
  return info.visibility == spec::Visibility::hidden ||
         (info.visibility == spec::Visibility::owner && info.owner != actor_);
}

// A random place among tokens that lie in a known order is chance's decision, if it is explicit or
// if this is only a trial.
bool Statements::awaits_position(TokenId t, ZoneId to) const {
  const int others = memory_.zone(to).count - (memory_.zone_of(t) == to ? 1 : 0);
  if (others == 0) return false;
  return p_->options.explicit_chance ? memory_.pool(to) == 0 : foresees_nothing();
}

bool Statements::do_roll(const Instr& i) {
  std::int64_t min = 0, max = 0;
  if (!integer(i.b, min) || !integer(i.c, max)) return false;
  if (min > max || max - min >= 10'000) {
    fail(Code::RUN_ROLL, i.place, "the range of a roll is empty or too large", Value::integer(min),
         Value::integer(max));
    return false;
  }
  if (i.d >= 0 && !slot(i.d).is_none()) {
    const Value given = slot(i.d);
    if (!given.is_int() || given.payload() < min || given.payload() > max) {
      fail(Code::RUN_ROLL, i.place, "the value given for a roll is not one of its results", given);
      return false;
    }
    slot(i.a) = given;
    if (p_->secrets.shadows && !shadow_of(i.a).is_none()) note_doubt(i.a, slot_doubt(i.d));
    return true;
  }
  // Who looks ahead does not know what will be rolled, either.
  if ((p_->options.explicit_chance || foresees_nothing()) && min != max) {
    ask_chance();
    return true;
  }
  const std::int64_t result = p_->options.explicit_chance ? min : header().rng.between(min, max);
  finish_roll(i, min, max, result);
  return true;
}

// The result is told, unless it is for something hidden: then what it changes tells those who see
// it.
void Statements::finish_roll(const Instr& i, std::int64_t min, std::int64_t max,
                             std::int64_t result) {
  slot(i.a) = Value::integer(result);
  if (p_->secrets.shadows) note_doubt(i.a, {.low = min, .high = max, .known = 0});
  if (listener_ == nullptr) return;
  const int pc = place_in(p_->code, i);
  const bool closed = p_->secrets.any && p_->secrets.closed_code[pc];
  report("rolled", {{"min", min}, {"max", max}, {"result", result}}, closed ? 0 : ~std::uint32_t{0},
         {{"min", min}, {"max", max}, {"hidden", true}});
}

bool Statements::do_shuffle(const Instr& i) {
  const ZoneId z = zone(i.a);
  if (z.is_none()) return false;
  if (!spend(memory_.zone(z).count, i.place)) return false;
  if (memory_.zone(z).count > 1 || !p_->options.explicit_chance) mix(z, i.b);
  return true;
}

// Brings a zone into an unknown order. A trial leaves it as it is: what comes out of a zone the
// executor does not see is unknown anyway, and of any other it notes that luck had a hand in it.
void Statements::mix(ZoneId z, int stream) {
  if (p_->options.explicit_chance)
    take_pool(z);
  else if (!foresees_nothing())
    shuffle_zone(z, stream);
  else if (memory_.zone(z).count > 1 && !unseen(z))
    header().by_luck = 1;
}

// The tokens of a pool lie in the order of their numbers: pools with the same tokens are equal.
void Statements::take_pool(ZoneId z) {
  const std::size_t mark = work_tokens_.size();
  for (const TokenId t : memory_.tokens_in(z)) work_tokens_.push_back(t);
  const auto tokens = std::span(work_tokens_).subspan(mark);
  std::ranges::sort(tokens);
  memory_.reorder(z, tokens);
  work_tokens_.resize(mark);
  memory_.pool(z) = 1;
  if (p_->secrets.tokens) knowledge().shuffled(z);
  if (listener_ != nullptr) report("shuffled", {{"zone", p_->zones[z].id}});
}

void Statements::settle_pools() {
  for (const ZoneId z : p_->zones.ids())
    if (memory_.pool(z) != 0) take_pool(z);
}

// Cursor: how many are still to be drawn, and the token that was on top of the target before.
bool Statements::do_draw(const Instr& i) {
  const ZoneId from = zone(i.a);
  const ZoneId to = from.is_none() ? ZoneId::none() : zone(i.b);
  if (to.is_none()) return false;
  const ZoneInfo& pile = p_->zones[from];
  const bool deck = pile.deck && i.x == 0;
  if (slot(i.d).is_none()) {
    std::int64_t count = 0;
    if (!integer(i.c, count)) return false;
    if (count <= 0 || from == to) return true;
    const ZoneId reserve = deck ? pile.reshuffle_from : ZoneId::none();
    if (!reserve.is_none() && memory_.zone(from).count < count && memory_.zone(reserve).count > 0) {
      while (!memory_.first(reserve).is_none()) {
        const TokenId t = memory_.first(reserve);
        memory_.remove(t);
        memory_.insert(t, from, TokenId::none());
        if (p_->secrets.tokens) knowledge().moved(t, reserve, Taken::by_place, 0);
      }
      mix(from, -1);
    }
    slot(i.d) = Value::integer(std::min<std::int64_t>(count, memory_.zone(from).count));
    // As a token, so that other worlds rename it with the others.
    const TokenId first = memory_.first(to);
    slot(i.d, 1) = first.is_none() ? Value::integer(-1) : Value::token(first);
  }
  const bool any = deck && pile.draw_from == spec::DrawFrom::random;
  const bool blind = (p_->options.explicit_chance && (memory_.pool(from) != 0 || any)) ||
                     (foresees_nothing() && (any || unseen(from)));
  for (std::int64_t left = slot(i.d).payload(); left > 0; --left) {
    TokenId t = memory_.first(from);
    if (blind && memory_.zone(from).count > 1) {
      slot(i.d) = Value::integer(left);
      ask_chance();
      return true;
    }
    if (memory_.zone(from).count < left) {
      fail(Code::RUN_TOKEN, i.place, "there is nothing left to draw", Value::zone(from));
      return false;
    }
    if (deck && pile.draw_from != spec::DrawFrom::top && !spend(memory_.zone(from).count, i.place))
      return false;
    if (deck && pile.draw_from == spec::DrawFrom::bottom) {
      t = memory_.last(from);
      for (std::int64_t k = 1; k < left; ++k) t = memory_.previous(t);
    }
    if (any && !blind)
      for (std::int64_t k = header().rng.between(0, memory_.zone(from).count - 1); k > 0; --k)
        t = memory_.next(t);
    if (!draw_token(t, to, i, any ? Taken::by_pick : Taken::by_place)) return false;
  }
  slot(i.d) = slot(i.d, 1) = {};
  return true;
}

// What the turn flow draws moves beside the rules (F-02).
bool Statements::draw_token(TokenId t, ZoneId to, const Instr& i, Taken how) {
  const std::uint32_t at = i.place;
  const bool quiet = i.x == 1;
  const ZoneId from = memory_.zone_of(t);
  const Value top = slot(i.d, 1);
  const TokenId before = top.is_token() ? top.as_token() : TokenId::none();
  if (from.is_none() || (!before.is_none() && memory_.zone_of(before) != to)) {
    fail(Code::RUN_TOKEN, at, "the token is not where it was when the draw began", Value::token(t));
    return false;
  }
  memory_.remove(t);
  if (memory_.zone(from).count == 0 && p_->options.explicit_chance) memory_.pool(from) = 0;
  if (!quiet && !p_->types[memory_.token(t).type].entry.empty()) apply_entry_rules(t, to);
  memory_.insert(t, to, before);
  std::uint32_t seen = ~std::uint32_t{0}, shown = 0;
  if (p_->secrets.tokens) {
    shown = memory_.sight(t).shown;
    seen = p_->zones[from].sight | shown;
    knowledge().moved(t, from, how, 0);
    if (header().reveals != 0 && !arrived(t)) return false;
    seen |= seen_by(t);
  }
  if (!quiet && !p_->stacking_of_zone[to].empty() && !stacking_ok(to, at)) return false;
  if (!quiet) tell_arrival(to);
  if (listener_ != nullptr) tell_move(t, from, seen, shown);
  return true;
}

void Statements::list_chance(OptionList& out) {
  const Instr& i = p_->code[frames_.back().pc];
  if (i.op == Op::roll) {
    std::int64_t min = 0, max = 0;
    if (!integer(i.b, min) || !integer(i.c, max)) return;
    const std::uint64_t last = max - min;
    for (std::uint64_t k = 0; k <= last; ++k) out.add(Option{k}, 1);
    return;
  }
  if (i.op == Op::move_token) {
    const TokenId t = token(i.a);
    const ZoneId to = zone(i.c);
    if (t.is_none() || to.is_none()) return;
    const std::uint64_t others = memory_.zone(to).count - (memory_.zone_of(t) == to ? 1 : 0);
    for (std::uint64_t k = 0; k <= others; ++k) out.add(Option{k}, 1);
    return;
  }
  // One option per token, also for tokens that look alike: a token keeps its id, so always dealing
  // the first of several equal ones would tell whoever gets the second that the first is gone.
  const ZoneId from = zone(i.a);
  if (from.is_none()) return;
  for (const TokenId t : memory_.tokens_in(from)) out.add(Option{t.index()}, 1);
}

bool Statements::answer_chance(Option option) {
  const Instr& i = p_->code[frames_.back().pc];
  if (i.op == Op::roll) {
    std::int64_t min = 0, max = 0;
    if (!integer(i.b, min) || !integer(i.c, max)) return false;
    finish_roll(i, min, max, min + option.id);
    ++frames_.back().pc;
    return true;
  }
  if (i.op == Op::move_token) {
    const TokenId t = token(i.a);
    const ZoneId to = t.is_none() ? ZoneId::none() : zone(i.c);
    const std::uint32_t pickers = pickers_of(i.a);
    ++frames_.back().pc;
    return !to.is_none() &&
           place(t, to, spec::ZonePosition::random, i.place, Taken::by_pick, pickers, option.id);
  }
  // A draw goes on where it stopped: this token, then the rest.
  const ZoneId to = zone(i.b);
  if (to.is_none() || !draw_token(TokenId(option.id), to, i, Taken::by_pick)) return false;
  slot(i.d) = Value::integer(slot(i.d).payload() - 1);
  return true;
}

}  // namespace parlor::kernel
