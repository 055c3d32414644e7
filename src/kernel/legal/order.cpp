// The order of one action as a list: which of the steps of order.def an action has, and where.
#include <array>

#include "kernel/link/linker.h"

namespace parlor::kernel {

namespace {

constexpr std::array asks{
#define STEP(name, help) Ask::name,
#include "kernel/legal/order.def"
#undef STEP
};

static_assert(asks.back() == Ask::completes, "it has to know everything the others ask");

// A step, and how many parameters must be bound before it can be asked.
struct Placed {
  Step step;
  int needs = 0;
};

// Parameters in their places; the other steps as early as they can be asked, in their order.
std::vector<Step> in_order(const std::vector<Placed>& steps, std::size_t params) {
  std::vector<std::vector<Step>> after(params + 1);  // so many parameters
  int level = 0;
  for (const Placed& placed : steps) {
    // Who acts for whom is known as soon as they are named: later domains depend on it.
    const bool early = placed.step.ask < Ask::param;
    level = std::max(level, placed.needs);
    after[static_cast<std::size_t>(early ? placed.needs : level)].push_back(placed.step);
  }
  std::vector<Step> out;
  for (std::size_t k = 0; k <= params; ++k) {
    out.insert(out.end(), after[k].begin(), after[k].end());
    if (k < params) out.push_back({Ask::param, static_cast<int>(k)});
  }
  return out;
}

bool restricts_actions(const spec::GameDef& def) {
  const auto part_does = [](const spec::EventPart& part) {
    return std::ranges::any_of(part.lasting, [](const auto& l) { return !l.restrictions.empty(); });
  };
  for (const spec::EventDeckDef& deck : def.event_decks)
    for (const spec::EventCardDef& card : deck.cards)
      for (const auto* side : {&card.unshaded, &card.shaded})
        if (*side &&
            (part_does((*side)->part) || std::ranges::any_of((*side)->branches, part_does)))
          return true;
  return false;
}

}  // namespace

const char* ask_name(Ask ask) {
  static constexpr const char* names[] = {
#define STEP(name, help) #name,
#include "kernel/legal/order.def"
#undef STEP
  };
  return names[static_cast<std::size_t>(ask)];
}

// Actions with a pipeline have no parameters: what they need to know they ask in their stages.
void Linker::link_order_of(ActionInfo& action, const spec::ActionDef& def) {
  const std::uint32_t at = def.at.index;
  const bool piped = std::ranges::any_of(
      p_.def.pipelines, [&](const spec::PipelineDef& p) { return p.action == def.id; });
  const auto index = static_cast<std::size_t>(&action - p_.actions.data());
  const FlowInfo& flow = p_.flow;
  const bool event = static_cast<int>(index) == flow.event_action;
  const std::size_t params = action.params.size();
  std::vector<Placed> steps;
  auto add = [&](Step step) { steps.push_back({step, touched_params_}); };
  auto add_condition = [&](Ask ask, const spec::Condition& c, int phase) {
    add({ask, condition(c), phase});
  };
  using Who = spec::PlayerSel::Kind;
  for (const Ask ask : asks) {
    touched_params_ = 0;
    switch (ask) {
      case Ask::actor:
        if (def.actor.kind != Who::active && def.actor.kind != Who::actor &&
            def.actor.kind != Who::all)
          add({ask, player(def.actor, at)});
        break;
      case Ask::limit:
        for (std::size_t i = 0; i < def.limits.size(); ++i) {
          // Whose uses are counted must be known.
          const bool named = def.limits[i].per == "player" && def.executor.kind != Who::active &&
                             def.executor.kind != Who::actor;
          touched_params_ = named ? static_cast<int>(params) : action.limits[i].param + 1;
          add({ask, static_cast<int>(i)});
        }
        break;
      case Ask::blocked:
        if (std::ranges::any_of(p_.effect_kinds, [&](const EffectKindInfo& kind) {
              return bool{kind.blocks[index]};
            }))
          add({ask});
        break;
      case Ask::row:
      case Ask::coup_card:
        if (flow.cards) add({ask});
        break;
      case Ask::pivotal:
        if (flow.cards && flow.pivotal[index]) {
          if (flow.pivotal_override >= 0) touched_params_ = static_cast<int>(params);
          add({ask});
        }
        break;
      case Ask::monsoon:
        touched_params_ = static_cast<int>(params);
        if (std::ranges::any_of(flow.monsoon, [&](const MonsoonInfo& rule) {
              return rule.action == static_cast<int>(index);
            }))
          add({ask});
        break;
      case Ask::lasting:
        touched_params_ = static_cast<int>(params);
        if (flow.events && restricts_actions(p_.def)) add({ask});
        break;
      case Ask::viable:
        touched_params_ = static_cast<int>(params);
        if (flow.cards && event) add({ask});
        break;
      case Ask::executor:
        if (def.executor.kind != Who::active && def.executor.kind != Who::actor)
          add({ask, player(def.executor, at)});
        action.executor_named = touched_params_ > 0;
        break;
      case Ask::phase_pre:
        for (std::size_t phase = 0; phase < p_.phases.size(); ++phase)
          if (const auto& pre = phase_def(phase).default_pre; pre && action.in_phase[phase])
            add_condition(ask, *pre, static_cast<int>(phase));
        break;
      case Ask::pre:
        if (def.pre) add_condition(ask, *def.pre, -1);
        break;
      case Ask::pipeline:
        if (piped) add({ask});
        break;
      case Ask::hook:
        for (std::size_t i = 0; i < action.validate.size(); ++i) {
          touched_params_ = static_cast<int>(params);  // hooks see the whole action
          add({ask, static_cast<int>(i)});
        }
        break;
      case Ask::price:
        action.price = link_price(static_cast<int>(index));
        if (!action.price.empty()) add({ask});
        break;
      case Ask::completes:
        touched_params_ = static_cast<int>(params);
        add({ask});
        break;
      case Ask::param:
        break;
    }
  }
  if (piped)
    for (Placed& placed : steps) placed.needs = 0;
  action.order = in_order(steps, piped ? 0 : params);
}

}  // namespace parlor::kernel
