// Event cards: sections 20.1 to 20.3 of the language, F-60 to F-64.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

// F-60
std::vector<const EventPart*> branches_in_order(const EventSide& side) {
  std::vector<const EventPart*> out;
  for (const EventPart& branch : side.branches) out.push_back(&branch);
  std::stable_sort(out.begin(), out.end(), [](const EventPart* a, const EventPart* b) {
    return std::tuple(!a->order, a->order.value_or(0), a->id) <
           std::tuple(!b->order, b->order.value_or(0), b->id);
  });
  return out;
}

std::vector<const EventPart*> parts(const Play& play) {
  std::vector<const EventPart*> out{play.side};
  if (play.branch) out.push_back(play.branch);
  return out;
}

}  // namespace

std::vector<Run::Playable> Run::plays() const {
  for (const EventDeckDef& deck : def().event_decks) {
    const Token* token = top(deck.discard_zone);
    if (!token) continue;
    const EventCardDef* card = known_card(*token);
    if (!card || std::none_of(deck.cards.begin(), deck.cards.end(),
                              [&](const EventCardDef& own) { return &own == card; }))
      continue;
    std::vector<Playable> out;
    for (const auto& [word, side] :
         {std::pair("unshaded", &card->unshaded), std::pair("shaded", &card->shaded)}) {
      if (!*side) continue;
      const std::vector<std::pair<std::string, Val>> params = {
          {"eventCardId", card->id}, {"eventDeckId", deck.id}, {"side", word}};
      if ((*side)->branches.empty()) out.push_back({params, {card, &(*side)->part, nullptr}});
      for (const EventPart* branch : branches_in_order(**side)) {
        out.push_back({params, {card, &(*side)->part, branch}});
        out.back().params.emplace_back("branch", branch->id);
      }
    }
    return out;
  }
  return {};
}

Play Run::play_of(const Move& move) const {
  for (const Playable& playable : plays())
    if (std::equal(playable.params.begin(), playable.params.end(), move.params.begin(),
                   move.params.begin() + static_cast<std::ptrdiff_t>(
                                             std::min(playable.params.size(), move.params.size()))))
      return playable.play;
  throw RuntimeError("ILLEGAL_MOVE", "that card does not lie there");
}

bool Run::waits_for_grants(const Play& play) {
  std::optional<bool> waits = play.side->after_grants;
  if (play.branch && play.branch->after_grants) waits = play.branch->after_grants;
  bool something = false;
  for (const EventPart* part : parts(play))
    something = something || !part->effects.empty() || !part->targets.empty();
  return waits.value_or(false) && something;
}

// F-61: all selections come first, also where the effects wait for grants.
void Run::select_targets(const Play& play, Context& c) {
  for (const EventPart* part : parts(play))
    for (const TargetDef& target : part->targets) {
      if (target.max == 1) {
        ChooseOne one;
        one.bind = target.id;
        one.options = target.selector;
        choose_one(one, c);
      } else {
        ChooseN several;
        several.bind = target.id;
        several.options = target.selector;
        several.min.node = target.min;
        several.max.node = target.max;
        choose_n(several, c);
      }
    }
}

// What each target suffers, then the rest.
void Run::card_effects(const Play& play, Context& c) {
  for (const EventPart* part : parts(play))
    for (const TargetDef& target : part->targets) {
      if (!target.each || target.max == 1) {
        effects(target.effects, c);
        continue;
      }
      const Val chosen = binding(target.id, c);
      for (const Val& item : std::get<List>(chosen.v)) {
        Context inner = with(c, target.id, item);
        effects(target.effects, inner);
      }
    }
  for (const EventPart* part : parts(play)) effects(part->effects, c);
}

// Its effects, or their promise; lasting effects; who becomes eligible (20.3).
void Run::play_card(const Play& play, Context& c) {
  if (play.card->play_condition && !holds(*play.card->play_condition, c)) return;  // F-63
  played_ = play;
  played_by_ = mover_;
  played_names_ = c.names;
  select_targets(play, c);
  if (waits_for_grants(play))
    waiting_ = Deferred{play, c.active, c.names, {}};
  else
    card_effects(play, c);
  for (const EventPart* part : parts(play))
    for (const LastingEffectDef& lasting : part->lasting) {
      Context inner = c;
      effects(lasting.setup, inner);
      w.table.lasting.push_back({&lasting, lasting.duration == Duration::next_turn ? 2 : 1});
    }
  if (!rules_.flow) return;
  for (const EventPart* part : parts(play))
    for (const EligibilityOverride& entry : part->overrides) {
      if (entry.when && !holds(*entry.when, c)) continue;
      const auto player = entry.seat.empty() ? std::optional(mover_) : rules_.player_of(entry.seat);
      for (const WindowDef& window : rules_.flow->windows)
        if (player && window.id == entry.window)
          overrides_.push_back({*player, {entry.eligible, window.duration}});
    }
}

// G-13
bool Run::viable(const Play& play) {
  if (!rules_.flow) return true;
  const Context c = neutral();
  for (const EventPart* part : parts(play))
    for (const GrantDef& grant : part->grants) {
      if (grant.viability != Viability::require_usable_for_event_play) continue;
      Run trial(rules_, w);
      trial.w.table.grants.clear();
      trial.issue(grant, w.active, c, false);
      if (trial.w.table.grants.empty() || !trial.usable(trial.w.table.grants[0])) return false;
    }
  return true;
}

}  // namespace parlor::reference
