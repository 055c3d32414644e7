// Cards that come and go, and who may act on them: section 18 of the language, F-01 to F-44.
#include <cctype>

#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

namespace {

// Seats may be written with other letters and signs (18.3).
std::string normalised(const std::string& text) {
  std::string out;
  for (const char letter : text)
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return out;
}

template <class T>
bool among(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

// The draw pile is the one stack beside the slots; its deck's discard zone, else the played slot,
// is where cards end up (F-03, F-04).
void Rules::find_card_zones() {
  if (!def.turn_order.cards) return;
  flow = &def.turn_order.cards->flow;
  if (def.turn_order.cards->coup) coup = &*def.turn_order.cards->coup;
  std::vector<std::string> piles;
  for (const auto& [id, zone] : zones)
    if (zone->ordering == Ordering::stack && id != flow->played && id != flow->lookahead &&
        id != flow->leader)
      piles.push_back(id);
  if (piles.size() == 1) draw_pile = piles[0];
  std::vector<std::string> discards;
  for (const EventDeckDef& deck : def.event_decks)
    if (!draw_pile.empty() && deck.draw_zone == draw_pile) discards.push_back(deck.discard_zone);
  discard = discards.size() == 1 ? discards[0] : flow->played;
  course = zones.contains(flow->played) && zones.contains(flow->lookahead) &&
           zones.contains(flow->leader) && zones.contains(discard);
}

ActionClass Rules::mapped(const std::string& action) const {
  if (flow)
    for (const ActionClassOf& entry : flow->classes)
      if (entry.action == action) return entry.action_class;
  for (const ActionDef& known : def.actions)
    if (flow && known.id == action && is_event(known)) return ActionClass::event;
  return ActionClass::none;
}

std::optional<int> Rules::player_of(const std::string& seat) const {
  const auto position = [&](const auto& same) -> std::optional<int> {
    for (std::size_t i = 0; i < def.seats.size() && static_cast<int>(i) < players; ++i)
      if (same(def.seats[i])) return static_cast<int>(i);
    return std::nullopt;
  };
  if (auto found = position([&](const std::string& id) { return id == seat; })) return found;
  if (auto found =
          position([&](const std::string& id) { return normalised(id) == normalised(seat); }))
    return found;
  for (int p = 0; p < players; ++p)
    if (seat == std::to_string(p)) return p;
  return std::nullopt;
}

bool Rules::is_event(const ActionDef& action) const {
  return !def.event_decks.empty() && among(action.capabilities, std::string("cardEvent"));
}

bool Rules::coup_phase(const std::string& phase) const {
  return coup && among(coup->phases, phase);
}

// ---- The card that lies there

const Token* Run::top(const std::string& zone) const {
  const auto found = w.zones.find(zone);
  return found == w.zones.end() || found->second.empty() ? nullptr : &found->second[0];
}

bool Run::is_coup_card(const std::string& zone) const {
  const Token* card = top(zone);
  if (!card) return false;
  const auto found = card->props.find("isCoup");
  return found != card->props.end() && found->second == Scalar(true);
}

// F-30
bool Run::coup_active() const {
  if (!rules_.flow || !is_coup_card(rules_.flow->played)) return false;
  return !rules_.coup || !rules_.coup->max_consecutive ||
         w.table.coup_rounds < *rules_.coup->max_consecutive;
}

const EventCardDef* Run::known_card(const Token& token) const {
  const auto prop = token.props.find("cardId");
  const std::string id = prop == token.props.end() ? token.id : text_of(Val(prop->second));
  for (const EventDeckDef& deck : def().event_decks)
    for (const EventCardDef& card : deck.cards)
      if (card.id == id) return &card;
  return nullptr;
}

// 18.7
std::vector<std::string> Run::effective_phases() const {
  std::vector<std::string> out;
  const bool coup_round = rules_.coup && coup_active();
  const bool last = rules_.flow && !top(rules_.flow->lookahead) &&
                    (rules_.draw_pile.empty() || !top(rules_.draw_pile));
  for (const PhaseDef& phase : def().phases) {
    if (rules_.flow && rules_.coup_phase(phase.id) != coup_round) continue;
    if (coup_round && last && among(rules_.coup->final_round_omits, phase.id)) continue;
    out.push_back(phase.id);
  }
  return out;
}

// ---- Seats

// F-06, F-07: what the card says; else the order before, and at the start the declared one.
std::vector<int> Run::fresh_order() const {
  std::vector<int> declared;
  for (const std::string& seat : rules_.flow->seats)
    if (const auto player = rules_.player_of(seat); player && !among(declared, *player))
      declared.push_back(*player);
  const std::vector<int> kept = w.table.order.empty() || fresh_start_ ? declared : w.table.order;
  const Token* card = rules_.course ? top(rules_.flow->played) : nullptr;
  if (rules_.flow->seat_order_key.empty() || !card) return kept;
  const EventCardDef* known = known_card(*card);
  if (!known) throw RuntimeError("EFFECT_RUNTIME", "a card that no deck knows");
  if (!known->metadata.contains(rules_.flow->seat_order_key)) return kept;
  std::vector<int> out;
  for (const auto& word : known->metadata[rules_.flow->seat_order_key]) {
    std::string seat = word.get<std::string>();
    const auto mapping = [&](const auto& same) {
      for (const NamedSeat& entry : rules_.flow->seat_order_mapping)
        if (same(entry.word)) return std::optional(entry.seat);
      return std::optional<std::string>();
    };
    if (const auto exact = mapping([&](const std::string& key) { return key == seat; }))
      seat = *exact;
    else if (const auto near = mapping(
                 [&](const std::string& key) { return normalised(key) == normalised(seat); }))
      seat = *near;
    if (const auto player = rules_.player_of(seat)) out.push_back(*player);
  }
  return out;
}

// F-09
std::vector<int> Run::candidates() const {
  const Table& t = w.table;
  std::vector<int> out;
  for (const int player : t.order)
    if (t.eligible.contains(player) && !t.acted.contains(player) && !t.passed.contains(player))
      out.push_back(player);
  return out;
}

// G-30: whoever has to use a grant comes before all others.
std::optional<int> Run::eligible_seat(std::size_t place) const {
  std::vector<int> owners;
  std::vector<int> seats = w.table.order;
  for (int p = 0; p < rules_.players; ++p)
    if (!among(seats, p)) seats.push_back(p);
  for (const int player : seats)
    if (must_use_a_grant(player)) owners.push_back(player);
  const std::vector<int> list = owners.empty() ? candidates() : owners;
  return place < list.size() ? std::optional(list[place]) : std::nullopt;
}

// In an interrupt phase whoever is active stays so (F-17).
void Run::choose_active() {
  const bool interrupt = std::any_of(def().interrupts.begin(), def().interrupts.end(),
                                     [&](const PhaseDef& p) { return p.id == w.phase; });
  if (const auto first = eligible_seat(0); first && !interrupt) w.active = *first;
}

// G-30
void Run::prefer_owner_of_grant() {
  const auto first = eligible_seat(0);
  if (first && !w.table.stalled && must_use_a_grant(*first)) choose_active();
}

void Run::fresh_card() {
  Table& t = w.table;
  t.order = fresh_order();
  fresh_start_ = false;
  t.acted.clear();
  t.passed.clear();
  t.acts = 0;
  t.first_class = ActionClass::none;
}

// F-35
void Run::enter_coup_phase() {
  if (!rules_.coup_phase(w.phase)) return;
  Table& t = w.table;
  if (!rules_.coup->seat_order.empty()) {
    t.order.clear();
    for (const std::string& seat : rules_.coup->seat_order)
      if (const auto player = rules_.player_of(seat)) t.order.push_back(*player);
  }
  t.eligible = {t.order.begin(), t.order.end()};
  t.acted.clear();
  t.passed.clear();
  t.acts = 0;
  t.first_class = ActionClass::none;
  if (!t.order.empty()) w.active = t.order[0];
}

// ---- Cards on their way

// F-02
void Run::reveal_cards() {
  if (!rules_.course || rules_.draw_pile.empty()) return;
  for (const std::string& slot : {rules_.flow->played, rules_.flow->lookahead}) {
    auto& pile = w.zones.at(rules_.draw_pile);
    if (!w.zones.at(slot).empty() || pile.empty()) continue;
    w.zones.at(slot).push_back(pile[0]);
    pile.erase(pile.begin());
  }
}

// F-22
bool Run::boundary() {
  if (!rules_.course || w.table.stalled) return false;
  const auto carry = [&](const std::string& from, const std::string& to) {
    auto& source = w.zones.at(from);
    if (source.empty()) return false;
    const Token card = source[0];
    source.erase(source.begin());
    auto& target = w.zones.at(to);
    target.insert(target.begin(), card);
    return true;
  };
  const TurnFlowDef& f = *rules_.flow;
  const bool coup_card = is_coup_card(f.played);
  const bool handed_on = coup_active();
  const bool any = top(f.played) != nullptr;
  bool moved = false;
  if (handed_on)
    carry(f.played, f.leader);  // no movement that keeps the game going (F-44)
  else if (rules_.discard != f.played)
    moved = carry(f.played, rules_.discard);
  if (rules_.coup && rules_.coup->max_consecutive && any) {
    if (handed_on) ++w.table.coup_rounds;
    if (!coup_card) w.table.coup_rounds = 0;
  }
  const bool promoted = carry(f.lookahead, f.played);
  if (promoted) instruction();
  const bool drawn = !rules_.draw_pile.empty() && carry(rules_.draw_pile, f.lookahead);
  if (!moved && !promoted && !drawn) w.table.stalled = true;
  return handed_on;
}

// F-33
void Run::instruction() {
  if (!is_coup_card(rules_.flow->played)) return;
  const ActionDef* action = rules_.action("event");
  const EventCardDef* card = known_card(*top(rules_.flow->played));
  if (!action || !rules_.is_event(*action) || !card || !card->unshaded) return;
  Context c = neutral();
  if (card->play_condition && !holds(*card->play_condition, c)) return;
  const Play play{card, &card->unshaded->part, nullptr};
  const std::vector<Happening> heard = events_;
  if (!waits_for_grants(play)) {
    select_targets(play, c);
    card_effects(play, c);
  }
  for (const LastingEffectDef& lasting : play.side->lasting) {
    Context inner = c;
    effects(lasting.setup, inner);
    w.table.lasting.push_back({&lasting, lasting.duration == Duration::next_turn ? 2 : 1});
  }
  events_ = heard;
}

// F-70
void Run::expire_lasting() {
  const Int cards = std::exchange(boundaries_, 0), rounds = std::exchange(handed_on_, 0);
  if (cards == 0) return;
  for (std::size_t i = 0; i < w.table.lasting.size();) {
    Lasting& lasting = w.table.lasting[i];
    const bool by_card =
        lasting.def->duration == Duration::turn || lasting.def->duration == Duration::next_turn;
    lasting.left -= by_card ? cards : rounds;
    if (lasting.left <= 0) {
      const LastingEffectDef* def = lasting.def;
      w.table.lasting.erase(w.table.lasting.begin() + static_cast<std::ptrdiff_t>(i));
      Context c = neutral();
      effects(def->teardown, c);
    } else {
      ++i;
    }
  }
  dispatch_collected();
}

void Run::dispatch_collected() {
  const std::vector<Happening> caused = std::move(events_);
  events_.clear();
  for (const Happening& event : caused) dispatch(event, 0);
}

// ---- After a move (18.5)

void Run::pass_rewards(int player) {
  for (const PassReward& reward : rules_.flow->rewards) {
    const bool known = std::any_of(def().global_vars.begin(), def().global_vars.end(),
                                   [&](const VarDef& v) { return v.name == reward.resource; });
    if (rules_.player_of(reward.seat) != player || !known) continue;
    VarCell target;
    target.var.text = reward.resource;
    const Cell at = cell(target, neutral());
    write(at, std::get<Int>(at.at->v) + reward.amount);
  }
  dispatch_collected();
}

void Run::count_move(const Move& move, int mover, const std::string& origin) {
  Table& t = w.table;
  const ActionClass own = rules_.mapped(move.action);
  const ActionClass taken = own == ActionClass::none ? move.taken_for : own;
  const bool pass = move.action == "pass" || taken == ActionClass::pass;
  const bool coup_phase = rules_.coup_phase(origin);
  if (coup_phase && !pass) return;
  t.acted.insert(mover);
  if (pass) {
    t.passed.insert(mover);
    if (!coup_phase) pass_rewards(mover);
    return;
  }
  if (++t.acts != 1) return;
  t.first_class = activity_ ? ActionClass::operation_plus_special_activity : taken;  // G-95
  if (t.first_class == ActionClass::limited_operation) t.first_class = ActionClass::operation;
  if (t.first_class == ActionClass::special_activity)
    t.first_class = ActionClass::operation_plus_special_activity;
}

void Run::after_move(const Move& move, int mover, const std::string& origin,
                     const std::optional<Grant>& used) {
  Table& t = w.table;
  const bool interrupt = std::any_of(def().interrupts.begin(), def().interrupts.end(),
                                     [&](const PhaseDef& p) { return p.id == origin; });
  const ActionClass own = rules_.mapped(move.action);
  const bool event = (own == ActionClass::none ? move.taken_for : own) == ActionClass::event;
  // F-41: the event of a coup card that lies there from the start opens its round.
  const bool parley = std::any_of(def().interrupts.begin(), def().interrupts.end(),
                                  [&](const PhaseDef& p) { return p.id == w.phase; });
  if (rules_.coup && coup_active() && !rules_.coup_phase(origin) && !interrupt && !parley &&
      event && !used) {
    w.phase = rules_.coup->phases[0];
    for (auto& [action, usage] : w.usage) usage.turn = usage.phase = 0;
    std::erase_if(t.grants, [&](const Grant& grant) { return grant.move == t.moves; });
    t.queued.clear();
    waiting_.reset();
    enter_coup_phase();
    return;
  }
  for (const auto& [player, window] : overrides_) {
    if (!among(t.order, player) || rules_.coup_phase(origin)) continue;
    if (window.second == Duration::turn && window.first) t.eligible.insert(player);
    if (window.second == Duration::turn && !window.first) t.eligible.erase(player);
    if (window.second == Duration::next_turn) t.queued.emplace_back(player, window.first);
  }
  issue_event_grants();
  const bool counts = !used || (rules_.flow->free_operations_are_acts && used->def->resumes_flow);
  if (!interrupt && counts) count_move(move, mover, origin);
  if (!interrupt) end_card_if_due();
  choose_active();
}

void Run::end_card_if_due() {
  const bool main = !rules_.coup_phase(w.phase) && !(rules_.coup && coup_active());
  const bool blocked = eligible_seat(0) && must_use_a_grant(*eligible_seat(0));
  if (main && !blocked && (candidates().empty() || w.table.acts >= 2)) end_card();
}

// F-14, F-08: a seat that was left off the card did not act on it.
void Run::end_card() {
  Table& t = w.table;
  ++boundaries_;
  if (boundary()) ++handed_on_;
  if (fresh_start_) {  // F-42: everything begins anew
    t.acted.clear();
    t.queued.clear();
  }
  t.eligible.clear();
  for (const std::string& seat : rules_.flow->seats)
    if (const auto player = rules_.player_of(seat);
        player && (!t.acted.contains(*player) || t.passed.contains(*player)))
      t.eligible.insert(*player);
  for (const auto& [player, eligible] : t.queued) {
    if (eligible) t.eligible.insert(player);
    if (!eligible) t.eligible.erase(player);
  }
  t.queued.clear();
  fresh_card();
  // F-18: a card nobody can play goes by.
  const bool coup_round = rules_.coup && coup_active();
  if (candidates().empty() && !t.stalled && !coup_round && rules_.course) end_card();
}

// ---- On the way to a decision (17.3, 17.4)

void Run::advance_card_phase() {
  const std::vector<std::string> phases = effective_phases();
  const auto at = std::find(phases.begin(), phases.end(), w.phase);
  happen(EventKind::phase_exit, w.phase);
  if (at == phases.end() || at + 1 != phases.end()) {
    w.phase = at == phases.end() ? phases.at(0) : *(at + 1);
    reset_phase_usage();
    enter_coup_phase();
    happen(EventKind::phase_enter, w.phase);
    return;
  }
  happen(EventKind::turn_end);
  fresh_start_ = rules_.coup_phase(w.phase);
  end_card();
  choose_active();
  expire_lasting();
  ++w.turn;
  w.phase = effective_phases().at(0);
  choose_active();
  for (auto& [action, usage] : w.usage) usage.turn = usage.phase = 0;
  enter_coup_phase();
  happen(EventKind::turn_start);
  happen(EventKind::phase_enter, w.phase);
}

bool Run::phase_is_valid() const {
  return std::any_of(def().interrupts.begin(), def().interrupts.end(),
                     [&](const PhaseDef& p) { return p.id == w.phase; }) ||
         among(effective_phases(), w.phase);
}

bool Run::advance_card_turn() {
  Table& t = w.table;
  if (t.stalled) return false;
  const bool interrupt = std::any_of(def().interrupts.begin(), def().interrupts.end(),
                                     [&](const PhaseDef& p) { return p.id == w.phase; });
  const bool valid = phase_is_valid();
  if (valid && !interrupt && must_use_a_grant(w.active)) {  // G-81: it lapses
    const std::vector<Grant> before = t.grants;
    std::set<std::string> lapsed;
    for (const Grant& grant : before)
      if (grant.owner == w.active && grant.blocks() && ready(grant)) lapsed.insert(grant.id);
    std::erase_if(t.grants, [&](const Grant& grant) { return lapsed.contains(grant.id); });
  } else if (valid && !interrupt && rules_.coup_phase(w.phase) && !candidates().empty()) {
    t.acted.insert(w.active);
    t.passed.insert(w.active);
  } else if (valid && !interrupt && !rules_.coup_phase(w.phase) && candidates().empty()) {
    end_card();
  } else {
    advance_card_phase();
    return true;
  }
  if (!interrupt && boundaries_ == 0) end_card_if_due();
  choose_active();
  release_deferred();
  expire_lasting();
  return true;
}

}  // namespace parlor::reference
