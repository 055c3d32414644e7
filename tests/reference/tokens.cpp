// Tokens on the move: sections 6, 7.1 (stacking) and 15.3 of the language.
#include "reference/run.h"

namespace parlor::reference {

using namespace spec;

void Run::shuffle(std::vector<Token>& tokens) {
  for (std::size_t i = tokens.size(); i-- > 1;) {
    const auto j = static_cast<std::size_t>(w.rng.between(0, static_cast<Int>(i)));
    std::swap(tokens[i], tokens[j]);
  }
}

// Whoever looks ahead does not know the order of what the executor does not see.
bool Run::unseen(const std::string& zone, const Context& c) const {
  const Visibility visibility = rules_.zones.at(zone)->visibility;
  if (visibility == Visibility::visible_to_all) return false;
  const auto owner = rules_.zone_owner.find(zone);
  return visibility == Visibility::hidden || owner == rules_.zone_owner.end() ||
         owner->second != c.actor;
}

void Run::shuffle_zone(const std::string& zone, const Context& c) {
  auto& tokens = w.zones.at(zone);
  if (foresees_nothing() && tokens.size() > 1) {
    by_luck_ = by_luck_ || !unseen(zone, c);
    return;
  }
  shuffle(tokens);
}

void Run::enter_zone(Token& token, const std::string& zone) {
  const TokenTypeDef* type = rules_.token_type(token.type);
  const ZoneDef& there = *rules_.zones.at(zone);
  for (const ZoneEntryRule& rule : type->on_zone_entry) {
    if (rule.zone_kind && *rule.zone_kind != there.kind) continue;
    if (rule.category && *rule.category != there.category) continue;
    for (const PropAssign& assign : rule.set)
      for (const PropDef& prop : type->props)
        if (prop.name == assign.prop) token.props[assign.prop] = assign.value;
  }
}

void Run::check_stacking(const std::string& zone) {
  for (const StackingConstraint& rule : def().stacking_constraints) {
    if (std::find(rule.zones.begin(), rule.zones.end(), zone) == rule.zones.end()) continue;
    Int count = 0;
    for (const Token& token : w.zones.at(zone))
      count += std::find(rule.piece_types.begin(), rule.piece_types.end(), token.type) !=
               rule.piece_types.end();
    if (count > rule.max_count) throw Illegal(rule.id + " in " + zone);
  }
}

void Run::token_entered(const std::string& zone) {
  Happening event;
  event.kind = EventKind::token_entered;
  event.zone = zone;
  events_.push_back(event);
}

void Run::move_token(const std::string& id, const std::string& from, const std::string& to,
                     ZonePosition position) {
  const Spot spot = find_token(id);
  if (spot.zone != from) throw RuntimeError("EFFECT_RUNTIME", id + " is not in " + from);
  Token token = token_at(spot);
  auto& source = w.zones.at(from);
  source.erase(source.begin() + static_cast<std::ptrdiff_t>(spot.index));
  enter_zone(token, to);
  auto& target = w.zones.at(to);
  Int at = 0;
  if (position == ZonePosition::bottom) at = static_cast<Int>(target.size());
  if (position == ZonePosition::random && !target.empty())
    at = foresees_nothing() ? ask_chance(target.size() + 1)
                            : w.rng.between(0, static_cast<Int>(target.size()));
  target.insert(target.begin() + at, token);
  check_stacking(to);
  if (from != to) token_entered(to);
}

void Run::move_all(const MoveAll& e, Context& c) {
  const std::string from = one_zone(e.from, c);
  const std::string to = one_zone(e.to, c);
  if (from == to) return;
  std::vector<Token> block, rest;
  const std::vector<Token> before = w.zones.at(from);
  for (const Token& token : before) {
    Context inner = c;
    inner.names["$token"] = TokenItem{token.id};
    (!e.filter || holds(*e.filter, inner) ? block : rest).push_back(token);
  }
  if (block.empty()) return;
  for (Token& token : block) enter_zone(token, to);
  w.zones.at(from) = rest;
  auto& target = w.zones.at(to);
  target.insert(target.begin(), block.begin(), block.end());
  check_stacking(to);
  for (std::size_t i = 0; i < block.size(); ++i) token_entered(to);
}

void Run::draw(const Draw& e, Context& c) {
  const std::string from = one_zone(e.from, c);
  const std::string to = one_zone(e.to, c);
  const Int count = integer(e.count, c);
  if (count <= 0 || from == to) return;
  auto& pile = w.zones.at(from);
  DrawFrom way = DrawFrom::top;
  if (const auto& deck = rules_.zones.at(from)->deck) {
    way = deck->draw_from;
    std::string again = deck->reshuffle_from;
    if (!again.empty() && !rules_.zones.contains(again))
      again += from.substr(from.find(':'));  // the same player's zone
    if (!again.empty() && static_cast<Int>(pile.size()) < count && !w.zones.at(again).empty()) {
      auto& discard = w.zones.at(again);
      pile.insert(pile.end(), discard.begin(), discard.end());
      discard.clear();
      shuffle_zone(from, c);
    }
  }
  const std::size_t k = std::min(static_cast<std::size_t>(count), pile.size());
  std::vector<Token> block;
  for (std::size_t i = 0; i < k; ++i) {
    std::size_t at = 0;
    if (way == DrawFrom::bottom) at = pile.size() - (k - i);
    if (foresees_nothing() && pile.size() > 1 && (way == DrawFrom::random || unseen(from, c)))
      at = static_cast<std::size_t>(ask_chance(pile.size()));
    else if (way == DrawFrom::random)
      at = static_cast<std::size_t>(w.rng.between(0, static_cast<Int>(pile.size()) - 1));
    block.push_back(pile[at]);
    pile.erase(pile.begin() + static_cast<std::ptrdiff_t>(at));
  }
  for (Token& token : block) enter_zone(token, to);
  auto& target = w.zones.at(to);
  target.insert(target.begin(), block.begin(), block.end());
  check_stacking(to);
  for (std::size_t i = 0; i < k; ++i) token_entered(to);
}

void Run::create_token(const CreateToken& e, Context& c) {
  Token token;
  const std::string zone = one_zone(e.zone, c);
  token.type = e.type;
  for (const PropValue& prop : e.props) token.props[prop.prop] = scalar_of(value(prop.value, c));
  token.id = "tok_" + e.type + "_" + std::to_string(w.next_ordinal++);
  auto& target = w.zones.at(zone);
  target.insert(target.begin(), token);
  check_stacking(zone);
}

void Run::set_token_prop(const SetTokenProp& e, Context& c) {
  const std::string id = token_id(e.token, c);
  const Val next = value(e.value, c);
  Token& token = token_at(find_token(id));
  const TokenTypeDef* type = rules_.token_type(token.type);
  const auto declared = std::find_if(type->props.begin(), type->props.end(),
                                     [&](const PropDef& p) { return p.name == e.prop; });
  if (declared == type->props.end())
    throw RuntimeError("EFFECT_RUNTIME", token.type + " has no " + e.prop);
  bool ruled = false, allowed = false;
  for (const PropTransition& t : type->transitions) {
    if (t.prop != e.prop) continue;
    ruled = true;
    allowed = allowed || (token.props.contains(e.prop) &&
                          t.from == text_of(Val(token.props.at(e.prop))) && t.to == text_of(next));
  }
  if (ruled && !allowed) throw RuntimeError("EFFECT_RUNTIME", e.prop + " cannot change that way");
  token.props[e.prop] = scalar_of(next);
}

}  // namespace parlor::reference
