// The card-driven turn order becomes tables: seats, slots for cards, classes, the option matrix,
// seasons, pivotal events, the coup plan.
#include <fmt/format.h>

#include "kernel/link/linker.h"
#include "spec/gamedef/enum_names.h"

namespace parlor::kernel {

namespace {

std::string normalised(std::string_view text) {
  std::string out;
  for (const char c : text)
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      out += c;
    else if (c >= 'A' && c <= 'Z')
      out += c - 'A' + 'a';
  return out;
}

std::string without_sigil(const std::string& name) {
  return name.starts_with('$') ? name.substr(1) : name;
}

}  // namespace

// A seat's player; -1: nobody of that name plays.
int Linker::seat_player(const std::string& seat) const {
  const auto& seats = p_.def.seats;
  int found = position_of(seats, seat);
  if (found < 0) found = position_of(seats, normalised(seat), normalised);
  if (found >= 0) return found < p_.players ? found : -1;
  for (int i = 0; seats.empty() && i < p_.players; ++i)
    if (std::to_string(i) == seat) return i;
  return -1;
}

int Linker::action_index(const std::string& id) const {
  return position_of(p_.def.actions, id, &spec::ActionDef::id);
}

// What a card says of its order: words of its metadata, through the mapping if it has one.
int Linker::seat_on_card(const std::string& word) const {
  const spec::TurnFlowDef& def = p_.def.turn_order.cards->flow;
  for (const spec::NamedSeat& entry : def.seat_order_mapping)
    if (entry.word == word) return seat_player(entry.seat);
  for (const spec::NamedSeat& entry : def.seat_order_mapping)
    if (normalised(entry.word) == normalised(word)) return seat_player(entry.seat);
  return seat_player(word);
}

void Linker::link_flow() {
  FlowInfo& f = p_.flow;
  f.events = !p_.def.event_decks.empty();
  f.cards = p_.def.turn_order.kind == spec::TurnOrderKind::card_driven && p_.def.turn_order.cards;
  f.class_of.assign(p_.def.actions.size(), ActionClass::none);
  f.pivotal.assign(p_.def.actions.size(), false);
  f.coup_phase.assign(p_.phases.size(), false);
  f.omitted.assign(p_.phases.size(), false);
  f.activities.resize(p_.def.actions.size());
  for (std::size_t i = 0; i < p_.def.actions.size(); ++i)
    if (const auto& has = p_.def.actions[i].capabilities;
        f.events && std::ranges::find(has, "cardEvent") != has.end())
      f.event_action = i;
  f.card_prop = prop_index("cardId");
  f.coup_prop = prop_index("isCoup");
  for (const spec::EventDeckDef& deck : p_.def.event_decks) {
    f.decks.push_back({deck.id, symbol(deck.id), p_.zone_named(deck.draw_zone),
                       p_.zone_named(deck.discard_zone)});
    for (const spec::EventCardDef& card : deck.cards) {
      CardInfo info;
      info.id = card.id;
      info.symbol = symbol(card.id);
      info.deck = std::ssize(f.decks) - 1;
      info.tags = card.tags;
      f.card_infos.push_back(std::move(info));
    }
  }
  if (f.cards || f.events) {
    f.side_words[0] = symbol("unshaded");
    f.side_words[1] = symbol("shaded");
    f.none = symbol(no_activity);
  }
  if (!f.cards) return;
  p_.variant_bits = 9;
  for (int c = 0; c <= static_cast<int>(ActionClass::special_activity); ++c)
    f.class_words[c] = symbol(spec::enum_name(static_cast<ActionClass>(c)));

  link_turn_flow(p_.def.turn_order.cards->flow);
  if (const auto& coup = p_.def.turn_order.cards->coup) link_coup_plan(*coup);
  link_activities();
}

void Linker::link_turn_flow(const spec::TurnFlowDef& def) {
  FlowInfo& f = p_.flow;
  for (const std::string& seat : def.seats)
    if (const int player = seat_player(seat); player >= 0 && (f.everybody >> player & 1) == 0) {
      f.everybody |= std::uint32_t{1} << player;
      f.seats.push_back(player);
    }
  if (f.seats.empty()) unsupported(0, "no seat of the card-driven order is played by anybody");
  link_card_slots(def);
  for (const spec::ActionClassOf& entry : def.classes)
    if (const int action = action_index(entry.action); action >= 0)
      f.class_of[action] = entry.action_class;
  for (const spec::MatrixRow& row : def.matrix) f.matrix.emplace_back(row.first, row.second);
  for (const spec::PassReward& reward : def.rewards)
    if (const VarId var = p_.gvars.find(&VarInfo::name, reward.resource); !var.is_none())
      if (const int seat = seat_player(reward.seat); seat >= 0)
        f.rewards.push_back({seat, var, reward.amount});
  f.grants_act = def.free_operations_are_acts;
  if (def.monsoon) {
    f.monsoons = true;
    f.monsoon_blocks_pivotal = def.monsoon->block_pivotal;
    if (!def.monsoon->pivotal_override_token.empty())
      f.pivotal_override = symbol(def.monsoon->pivotal_override_token);
    for (const spec::MonsoonRule& rule : def.monsoon->restricted) {
      MonsoonInfo info;
      info.action = action_index(rule.action);
      info.limits = rule.max_param.has_value();
      if (rule.max_param) info.limit = {without_sigil(rule.max_param->name), rule.max_param->max};
      info.totals = rule.total_max.has_value();
      info.most = rule.total_max.value_or(0);
      for (const std::string& name : rule.total_names) info.names.push_back(without_sigil(name));
      if (!rule.override_token.empty()) info.override_token = symbol(rule.override_token);
      f.monsoon.push_back(std::move(info));
    }
  }
  if (def.pivotal) link_pivotal(*def.pivotal);
}

// The slots, the draw pile (the one stack outside them) and where played cards go.
void Linker::link_card_slots(const spec::TurnFlowDef& def) {
  FlowInfo& f = p_.flow;
  f.played = p_.zone_named(def.played);
  f.lookahead = p_.zone_named(def.lookahead);
  f.leader = p_.zone_named(def.leader);
  int stacks = 0;
  for (const ZoneId z : p_.zones.ids()) {
    if (p_.zones[z].ordering != spec::Ordering::stack || z == f.played || z == f.lookahead ||
        z == f.leader)
      continue;
    ++stacks;
    f.draw = z;
  }
  if (stacks != 1) f.draw = {};
  f.discard = f.played;
  int decks = 0;
  for (const DeckInfo& deck : f.decks)
    if (!f.draw.is_none() && deck.draw == f.draw) {
      ++decks;
      f.discard = deck.discard;
    }
  if (decks != 1) f.discard = f.played;
  f.course =
      !f.played.is_none() && !f.lookahead.is_none() && !f.leader.is_none() && !f.discard.is_none();
  f.orders_by_card = !def.seat_order_key.empty();
  if (!f.orders_by_card) return;
  std::size_t index = 0;
  for (const spec::EventDeckDef& deck : p_.def.event_decks)
    for (const spec::EventCardDef& card : deck.cards) {
      CardInfo& info = f.card_infos[index++];
      const auto found = card.metadata.find(def.seat_order_key);
      if (found == card.metadata.end() || !found->is_array()) continue;
      info.orders = true;
      for (const auto& word : *found) {
        const int player = word.is_string() ? seat_on_card(word.get<std::string>()) : -1;
        if (player < 0 || (f.everybody >> player & 1) == 0) continue;  // nobody plays it
        if (std::ranges::find(info.order, player) != info.order.end())
          unsupported(card.at.index,
                      fmt::format("card `{}` names a seat twice in its order", card.id));
        info.order.push_back(player);
      }
    }
}

void Linker::link_pivotal(const spec::PivotalDef& def) {
  FlowInfo& f = p_.flow;
  for (const std::string& id : def.actions)
    if (const int action = action_index(id); action >= 0) f.pivotal[action] = true;
  f.pivotal_before_acts = def.before_acts_only;
  f.pivotal_not_before_coup = def.not_before_coup;
  f.ranks = !def.precedence.empty();
  f.rank_of.assign(p_.players, def.precedence.size());
  for (std::size_t i = 0; i < def.precedence.size(); ++i)
    if (const int player = seat_player(def.precedence[i]); player >= 0) f.rank_of[player] = i;
  auto selector = [&](const spec::MoveSelector& s) {
    SelectorInfo info;
    info.action = s.action.empty() ? -1 : action_index(s.action);
    info.action_class = s.action_class.value_or(ActionClass::none);
    info.card = s.card;
    info.tags_all = s.tags_all;
    info.tags_any = s.tags_any;
    for (const spec::NamedScalar& param : s.params)
      info.params.emplace_back(without_sigil(param.name), scalar(param.value));
    return info;
  };
  for (const spec::Cancellation& c : def.cancellations)
    f.cancellations.emplace_back(selector(c.winner), selector(c.canceled));
}

void Linker::link_coup_plan(const spec::CoupPlanDef& def) {
  FlowInfo& f = p_.flow;
  for (const std::string& id : def.phases) {
    const int phase = phase_index(id, 0);
    if (f.first_coup_phase < 0) f.first_coup_phase = phase;
    f.coup_phase[phase] = true;
  }
  for (const std::string& id : def.final_round_omits) f.omitted[phase_index(id, 0)] = true;
  f.most_rounds = def.max_consecutive.value_or(-1);
  for (const std::string& seat : def.seat_order)
    if (const int player = seat_player(seat); player >= 0) f.coup_order.push_back(player);
}

// Which special activities may go with which operations (G-93): both have pipelines, and the
// activity's does not exclude the operation.
void Linker::link_activities() {
  FlowInfo& f = p_.flow;
  const auto piped = [&](const std::string& action) {
    return std::ranges::any_of(p_.def.pipelines,
                               [&](const spec::PipelineDef& p) { return p.action == action; });
  };
  for (std::size_t op = 0; op < p_.def.actions.size(); ++op) {
    if (f.class_of[op] != ActionClass::operation || !piped(p_.def.actions[op].id)) continue;
    for (int a = 0; a < std::ssize(p_.def.actions); ++a) {
      if (f.class_of[a] != ActionClass::special_activity) continue;
      const bool goes_along = std::ranges::any_of(p_.def.pipelines, [&](const auto& pipeline) {
        return pipeline.action == p_.def.actions[a].id &&
               (!pipeline.accompanying_ops ||
                std::ranges::find(*pipeline.accompanying_ops, p_.def.actions[op].id) !=
                    pipeline.accompanying_ops->end());
      });
      if (goes_along) f.activities[op].push_back({.action = a});
    }
  }
  for (const spec::PipelineDef& pipeline : p_.def.pipelines) {
    auto& list = f.constraints.emplace_back();
    for (const spec::ParamConstraint& c : pipeline.param_constraints)
      list.push_back({c.relation == "subset", without_sigil(c.operation_param),
                      without_sigil(c.special_activity_param)});
  }
}

// Of the steps that are asked of an activity on the way. Those that are not asked are no matter.
static bool never_faults(Ask ask) {
  switch (ask) {
    case Ask::limit:
    case Ask::blocked:
    case Ask::row:
    case Ask::coup_card:
    case Ask::pivotal:
    case Ask::monsoon:
    case Ask::lasting:
    case Ask::param:
    case Ask::completes:
      return true;
    default:
      return false;
  }
}

// Which steps of an activity's order look at nothing that the operation changes (V-02), up to the
// first that might fault.
void Linker::find_settled_steps() {
  using Who = spec::PlayerSel::Kind;
  for (std::size_t op = 0; op < p_.flow.activities.size(); ++op) {
    if (p_.flow.activities[op].empty() || !proves_) continue;
    const Touched changed = changed_by(op);
    for (ActivityInfo& activity : p_.flow.activities[op]) {
      const spec::ActionDef& def = p_.def.actions[activity.action];
      if (def.executor.kind != Who::active && def.executor.kind != Who::actor) continue;
      const auto stays = [&](const std::optional<spec::Condition>& condition) {
        return !condition || !overlap(changed, read_by(kinds_, *condition));
      };
      const bool pipelines_stay = std::ranges::all_of(p_.def.pipelines, [&](const auto& pipeline) {
        return pipeline.action != def.id ||
               (stays(pipeline.applicability) && stays(pipeline.legality) &&
                stays(pipeline.cost_validation));
      });
      for (const Step& step : p_.actions[activity.action].order) {
        const bool settled = (step.ask == Ask::actor && !changed.turn && !changed.everything) ||
                             (step.ask == Ask::pre && stays(def.pre)) ||
                             (step.ask == Ask::pipeline && pipelines_stay);
        if (settled)
          activity.settled.push_back(place_in(p_.actions[activity.action].order, step));
        else if (!never_faults(step.ask))
          break;
      }
    }
  }
}

// All that carrying an action out may change before it is complete.
Touched Linker::changed_by(std::size_t action) const {
  const spec::ActionDef& def = p_.def.actions[action];
  Touched out;
  const auto add = [&](const spec::Effects& effects) {
    out.add(done_by(kinds_, {}, effects).changed);
  };
  add(def.cost);
  for (const spec::PipelineDef& pipeline : p_.def.pipelines) {
    if (pipeline.action != def.id) continue;
    add(pipeline.cost_effects);
    for (const spec::StageDef& stage : pipeline.stages) add(stage.effects);
  }
  for (const spec::PriceItem& item : def.price) out.variables.insert(item.var);
  out.everything |= !def.price.empty() && p_.uses_effects;
  return out;
}

}  // namespace parlor::kernel
