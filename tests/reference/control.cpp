// Control flow, choices and chance: sections 15.4, 15.5 and 26.4 of the language.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

// `let` and `reduce` hand on every `$` name made inside, except their own.
void Run::export_names(const Context& inner, Context& outer, const std::string& except) {
  for (const auto& [name, value] : inner.names)
    if (name != except && !name.empty() && name[0] == '$') outer.names[name] = value;
}

void Run::let(const Let& e, Context& c) {
  Context inner = c;
  const std::string bind = fill_in(e.bind, c);
  inner.names[bind] = value(e.value, c);
  effects(e.in, inner);
  export_names(inner, c, bind);
}

void Run::for_each(const ForEach& e, Context& c) {
  // The collection first, then the limit; both once (K-31).
  List items = query(e.over, c);
  if (e.limit) {
    const Int limit = integer(*e.limit, c);
    if (limit < 0) throw RuntimeError("EFFECT_RUNTIME", "a limit below 0");
    if (static_cast<Int>(items.size()) > limit) items.resize(static_cast<std::size_t>(limit));
  }
  for (const Val& item : items) {
    Context inner = c;
    inner.names[fill_in(e.bind, c)] = item;
    effects(e.effects, inner);
  }
  if (e.count_bind.empty()) return;
  Context inner = c;
  inner.names[fill_in(e.count_bind, c)] = static_cast<Int>(items.size());
  effects(e.in, inner);
}

void Run::while_loop(const While& e, Context& c) {
  const Int limit = integer(e.limit, c);
  for (Int n = 0; holds(e.when, c); ++n) {
    if (n >= limit) throw RuntimeError("EFFECT_RUNTIME", "a loop wants more rounds than its limit");
    Context inner = c;
    effects(e.effects, inner);
  }
}

void Run::reduce(const Reduce& e, Context& c) {
  List items = query(e.over, c);
  if (e.limit) {
    const Int limit = integer(*e.limit, c);
    if (limit < 0) throw RuntimeError("EFFECT_RUNTIME", "a limit below 0");
    if (static_cast<Int>(items.size()) > limit) items.resize(static_cast<std::size_t>(limit));
  }
  Val total = value(e.initial, c);
  for (const Val& item : items) {
    Context inner = c;
    inner.names[fill_in(e.item_bind, c)] = item;
    inner.names[fill_in(e.acc_bind, c)] = total;
    total = value(e.next, inner);
  }
  Context inner = c;
  const std::string bind = fill_in(e.result_bind, c);
  inner.names[bind] = total;
  effects(e.in, inner);
  export_names(inner, c, bind);
}

void Run::remove_by_priority(const RemoveByPriority& e, Context& c) {
  Int budget = std::max(Int{0}, integer(e.budget, c));
  for (const RemovalGroup& group : e.groups) {
    Int count = 0;
    if (budget > 0) {
      for (const Val& item : query(group.over, c)) {
        if (budget == 0) break;
        Context inner = c;
        inner.names[fill_in(group.bind, c)] = item;
        const std::string id = text_of(item);
        const std::string from = group.from ? one_zone(*group.from, inner) : find_token(id).zone;
        move_token(id, from, one_zone(group.to, inner), ZonePosition::top);
        --budget;
        ++count;
      }
    }
    if (!group.count_bind.empty()) c.names[fill_in(group.count_bind, c)] = count;
  }
  if (!e.remaining_bind.empty()) c.names[fill_in(e.remaining_bind, c)] = budget;
  Context inner = c;
  effects(e.in, inner);
}

void Run::evaluate_subset(const EvaluateSubset& e, Context& c) {
  const List items = query(e.source, c);
  const Int size = integer(e.subset_size, c);
  const auto n = static_cast<Int>(items.size());
  if (size < 0 || size > n) throw RuntimeError("EFFECT_RUNTIME", "no subset of that size");
  std::vector<std::size_t> pick;
  for (Int i = 0; i < size; ++i) pick.push_back(static_cast<std::size_t>(i));
  std::optional<Int> best;
  List best_subset;
  for (Int tried = 0;; ++tried) {
    if (tried >= 10'000) throw RuntimeError("EFFECT_RUNTIME", "too many subsets");
    List subset;
    for (const std::size_t i : pick) subset.push_back(items[i]);
    Context inner = c;
    inner.names[fill_in(e.subset_bind, c)] = subset;
    const Rng rng = w.rng;
    const std::vector<Happening> events = events_;
    effects(e.compute, inner);
    const Int score = integer(e.score, inner);
    w.rng = rng;
    events_ = events;
    if (!best || score > *best) {
      best = score;
      best_subset = subset;
    }
    // The next index tuple in lexicographic order.
    Int at = size - 1;
    while (at >= 0 && static_cast<Int>(pick[static_cast<std::size_t>(at)]) == n - size + at) --at;
    if (at < 0) break;
    std::size_t next = ++pick[static_cast<std::size_t>(at)];
    for (Int i = at + 1; i < size; ++i) pick[static_cast<std::size_t>(i)] = ++next;
  }
  c.names[fill_in(e.result_bind, c)] = *best;
  if (!e.best_subset_bind.empty()) c.names[fill_in(e.best_subset_bind, c)] = best_subset;
  Context inner = c;
  effects(e.in, inner);
}

void Run::roll(const RollRandom& e, Context& c) {
  const Int min = integer(e.min, c);
  const Int max = integer(e.max, c);
  if (min > max) throw RuntimeError("EFFECT_RUNTIME", "a die without sides");
  const std::string bind = fill_in(e.bind, c);
  Context inner = c;
  if (const Val* given = lookup(bind, c)) {
    const auto* i = std::get_if<Int>(&given->v);
    if (!i || *i < min || *i > max) throw RuntimeError("EFFECT_RUNTIME", "a roll out of range");
    inner.names[bind] = *given;
  } else if (foresees_nothing() && min != max) {
    inner.names[bind] = min + ask_chance(static_cast<std::size_t>(max - min + 1));
  } else {
    inner.names[bind] = w.rng.between(min, max);
  }
  effects(e.in, inner);
}

// What luck may bring, as a decision of its own: one answer for each outcome.
int Run::ask_chance(std::size_t outcomes) {
  Pending pending;
  for (std::size_t i = 0; i < outcomes; ++i) pending.addable.push_back(i);
  if (cursor_ == answers_.size()) throw NeedDecision{std::move(pending)};
  return answers_[cursor_++];
}

int Run::decide(Pending pending) {
  if (in_trigger_ > 0) throw RuntimeError("EFFECT_RUNTIME", "a trigger cannot ask for a choice");
  if (cursor_ == answers_.size()) throw NeedDecision{std::move(pending)};
  const int answer = answers_[cursor_++];
  const bool good = answer == confirm_answer
                        ? pending.can_confirm
                        : std::find(pending.addable.begin(), pending.addable.end(),
                                    static_cast<std::size_t>(answer)) != pending.addable.end();
  if (!good) throw RuntimeError("ILLEGAL_MOVE", "an answer that was not offered");
  return answer;
}

namespace {

List without_repeats(const List& items) {
  List out;
  for (const Val& item : items) {
    if (std::holds_alternative<RowItem>(item.v))
      throw RuntimeError("EFFECT_RUNTIME", "rows cannot be chosen");
    if (std::find(out.begin(), out.end(), item) == out.end()) out.push_back(item);
  }
  return out;
}

}  // namespace

// A choice under a templated name is a parameter of the move.
void Run::choose(const std::string& bind, const Val& value, Context& c) {
  const std::string name = fill_in(bind, c);
  c.names[name] = value;
  made_[name] = value;
  if (bind.find('{') != std::string::npos) chosen_[name] = value;
}

void Run::choose_one(const ChooseOne& e, Context& c) {
  Pending pending;
  pending.player = e.chooser ? one_player(*e.chooser, c) : free_ ? mover_ : c.active;
  pending.options = without_repeats(query(e.options, c));
  if (pending.options.empty()) throw Illegal("nothing to choose from");
  for (std::size_t i = 0; i < pending.options.size(); ++i) pending.addable.push_back(i);
  const List options = pending.options;
  const int answer = decide(std::move(pending));
  choose(e.bind, options[static_cast<std::size_t>(answer)], c);
}

void Run::choose_n(const ChooseN& e, Context& c) {
  const std::vector<List> levels = tiers(e.options, c);
  List all;
  for (const List& level : levels) all.insert(all.end(), level.begin(), level.end());
  const List options = without_repeats(all);
  const auto* tiered = std::get_if<PrioritizedQuery>(&e.options.node);
  const Int min = std::max(Int{0}, integer(e.min, c));
  const Int wanted = integer(e.max, c);
  const Int max = std::min(wanted, static_cast<Int>(options.size()));
  if (max < 0 || min > max) throw Illegal("a selection of impossible size");
  const int player = e.chooser ? one_player(*e.chooser, c) : free_ ? mover_ : c.active;

  std::vector<std::size_t> taken;
  bool done = max == 0;
  if (!e.chooser && min == max && max == static_cast<Int>(options.size()) &&
      (!e.ordered || max <= 1)) {
    for (std::size_t i = 0; i < options.size(); ++i) taken.push_back(i);
    done = true;
  }
  while (!done) {
    List chosen;
    for (const std::size_t i : taken) chosen.push_back(options[i]);
    const List open = admissible(levels, tiered ? tiered->qualifier : "", chosen);
    Pending pending;
    pending.choose_n = true;
    pending.player = player;
    pending.options = options;
    pending.can_confirm = static_cast<Int>(taken.size()) >= min;
    for (std::size_t i = 0; i < options.size() && static_cast<Int>(taken.size()) < max; ++i) {
      const bool again = std::find(taken.begin(), taken.end(), i) != taken.end();
      const bool later = e.ordered || taken.empty() || i > taken.back();
      if (!again && later && std::find(open.begin(), open.end(), options[i]) != open.end())
        pending.addable.push_back(i);
    }
    if (pending.addable.empty() && !pending.can_confirm)
      throw Illegal("a selection stuck half-way");
    const int answer = decide(std::move(pending));
    done = answer == confirm_answer;
    if (!done) taken.push_back(static_cast<std::size_t>(answer));
  }
  List result;
  for (const std::size_t i : taken) result.push_back(options[i]);
  choose(e.bind, result, c);
}

}  // namespace parlor::reference
