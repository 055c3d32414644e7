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
    after[early ? placed.needs : level].push_back(placed.step);
  }
  std::vector<Step> out;
  for (std::size_t k = 0; k <= params; ++k) {
    out.insert(out.end(), after[k].begin(), after[k].end());
    if (k < params) out.push_back({Ask::param, k});
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

// Collects the steps of one action. While an expression is linked, the linker notes how many
// parameters it has to know (touched_params_): the step is asked as soon as these are bound.
class Linker::OrderOf {
 public:
  OrderOf(Linker& linker, ActionInfo& action, const spec::ActionDef& def)
      : linker_(linker),
        p_(linker.p_),
        action_(action),
        def_(def),
        index_(place_in(linker.p_.actions, action)) {}

  // Actions with a pipeline have no parameters: what they need to know they ask in their stages.
  std::vector<Step> make() {
    const bool piped = std::ranges::any_of(
        p_.def.pipelines, [&](const spec::PipelineDef& p) { return p.action == def_.id; });
    for (const Ask ask : asks) {
      linker_.touched_params_ = 0;
      if (ask < Ask::param)
        add_early(ask);
      else if (ask != Ask::pipeline || piped)
        add_late(ask);
    }
    if (piped)
      for (Placed& placed : steps_) placed.needs = 0;
    return in_order(steps_, piped ? 0 : action_.params.size());
  }

 private:
  void add(Step step) { steps_.push_back({step, linker_.touched_params_}); }
  void add_if(bool has, Step step) {
    if (has) add(step);
  }
  void needs_all() { linker_.touched_params_ = std::ssize(action_.params); }
  // Somebody other than whose turn it is.
  static bool is_other(const spec::PlayerSel& who) {
    return who.kind != spec::PlayerSel::Kind::active && who.kind != spec::PlayerSel::Kind::actor;
  }

  // Whether it may be taken at all, by whom.
  void add_early(Ask ask) {
    const FlowInfo& flow = p_.flow;
    switch (ask) {
      case Ask::actor:
        if (is_other(def_.actor) && def_.actor.kind != spec::PlayerSel::Kind::all)
          add({ask, linker_.player(def_.actor, def_.at.index)});
        break;
      case Ask::limit:
        add_limits();
        break;
      case Ask::blocked:
        add_if(std::ranges::any_of(p_.effect_kinds,
                                   [&](const auto& kind) { return bool{kind.blocks[index_]}; }),
               {ask});
        break;
      case Ask::row:
      case Ask::coup_card:
        add_if(flow.cards, {ask});
        break;
      case Ask::pivotal:
        if (flow.pivotal_override >= 0) needs_all();
        add_if(flow.cards && flow.pivotal[index_], {ask});
        break;
      case Ask::monsoon:
        needs_all();
        add_if(std::ranges::any_of(flow.monsoon,
                                   [&](const auto& rule) { return rule.action == index_; }),
               {ask});
        break;
      case Ask::lasting:
        needs_all();
        add_if(flow.events && restricts_actions(p_.def), {ask});
        break;
      default:
        if (is_other(def_.executor)) add({ask, linker_.player(def_.executor, def_.at.index)});
        action_.executor_named = linker_.touched_params_ > 0;
    }
  }
  void add_limits() {
    for (std::size_t i = 0; i < def_.limits.size(); ++i) {
      if (def_.limits[i].per == "player" && is_other(def_.executor))
        needs_all();  // whose uses are counted must be known
      else
        linker_.touched_params_ = action_.limits[i].param + 1;
      add({Ask::limit, i});
    }
  }

  // Whether it may be taken now, like this.
  void add_late(Ask ask) {
    switch (ask) {
      case Ask::param:  // they have their places
        break;
      case Ask::phase_pre:
        for (int phase = 0; phase < std::ssize(p_.phases); ++phase)
          if (const auto& pre = linker_.phase_def(phase).default_pre;
              pre && action_.in_phase[phase])
            add({ask, linker_.condition(*pre), phase});
        break;
      case Ask::pre:
        if (def_.pre) add({ask, linker_.condition(*def_.pre)});
        break;
      case Ask::hook:  // hooks see the whole action
        needs_all();
        for (std::size_t i = 0; i < action_.validate.size(); ++i) add({ask, i});
        break;
      case Ask::viable:
        needs_all();
        add_if(p_.flow.cards && index_ == p_.flow.event_action, {ask});
        break;
      case Ask::price:
        action_.price = linker_.link_price(index_);
        add_if(!action_.price.empty(), {ask});
        break;
      case Ask::completes:
        needs_all();
        [[fallthrough]];
      default:
        add({ask});
    }
  }

  Linker& linker_;
  Program& p_;
  ActionInfo& action_;
  const spec::ActionDef& def_;
  const int index_;
  std::vector<Placed> steps_;
};

void Linker::link_order_of(ActionInfo& action, const spec::ActionDef& def) {
  action.order = OrderOf(*this, action, def).make();
}

}  // namespace parlor::kernel
