#include "spec/gamedef/hazards.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "spec/gamedef/forms.h"
#include "spec/gamedef/ranges.h"

namespace parlor::spec {
namespace {

// The names that a construct binds itself.
std::vector<const std::string*> names_bound_by(Part part) {
  std::vector<const std::string*> out;
  for (const Member& member : part.form->members)
    if (member.spec.binds())
      if (const auto* name = part.member(member).as<std::string>()) out.push_back(name);
  return out;
}

// Names that effects bind, and whether they change anything of the state.
struct Doings {
  std::set<std::string> binds;
  bool changes = false;
  bool changes_phase = false;

  void look_at(Part part) {
    for (const std::string* name : names_bound_by(part)) binds.insert(*name);
    if (const auto* effect = part.as<Effect>()) classify(effect->node);
    each_part(part, [&](Part inner) { look_at(inner); });
  }

 private:
  void classify(const EffectNode& node) {
    const auto is = [&]<class... Ts>(std::type_identity<Ts>...) {
      return (std::holds_alternative<Ts>(node) || ...);
    };
    changes_phase |=
        is(std::type_identity<GotoPhaseExact>{}, std::type_identity<AdvancePhase>{},
           std::type_identity<EndTurn>{}, std::type_identity<EndRound>{},
           std::type_identity<PushInterruptPhase>{}, std::type_identity<PopInterruptPhase>{});
    changes |=
        !is(std::type_identity<If>{}, std::type_identity<Require>{}, std::type_identity<Let>{},
            std::type_identity<BindValue>{}, std::type_identity<ForEach>{},
            std::type_identity<While>{}, std::type_identity<Reduce>{},
            std::type_identity<EvaluateSubset>{}, std::type_identity<ChooseOne>{},
            std::type_identity<ChooseN>{}, std::type_identity<RollRandom>{});
  }
};

Doings doings_of(const Effects& effects) {
  Doings out;
  out.look_at(Part::of(effects));
  return out;
}

// Which types the tokens of each zone can have, where that is plain: zones that tokens are only
// created in. No entry: any.
class TypesOfZones {
 public:
  explicit TypesOfZones(const GameDef& game) {
    for (const ZoneDef& zone : game.zones) types_[zone.base];
    look_at(Part::of(game));
    // Cards go from slot to slot without an effect that says so.
    const auto slot = [&](const std::string& id) { entered_.insert(id.substr(0, id.find(':'))); };
    if (game.turn_order.cards)
      for (const auto* id :
           {&game.turn_order.cards->flow.played, &game.turn_order.cards->flow.lookahead,
            &game.turn_order.cards->flow.leader})
        slot(*id);
    for (const EventDeckDef& deck : game.event_decks) slot(deck.discard_zone);
    for (const ZoneDef& zone : game.zones)
      if (zone.deck && !zone.deck->reshuffle_from.empty()) types_.erase(zone.base);
    for (const std::string& base : entered_) types_.erase(base);
    if (anywhere_) types_.clear();
    // What scenarios and hidden parts of the rules put there is not seen here.
    std::erase_if(types_, [](const auto& entry) { return entry.second.empty(); });
  }

  const std::set<std::string>* in(const ZoneSel& zone) const {
    const auto found = types_.find(base_of(zone));
    return found == types_.end() ? nullptr : &found->second;
  }

 private:
  static std::string base_of(const ZoneSel& zone) {
    if (zone.kind == ZoneSel::Kind::exact) return zone.text.substr(0, zone.text.find(':'));
    return zone.kind == ZoneSel::Kind::owned ? zone.text : "";
  }
  void enter(const ZoneSel& zone) {
    const std::string base = base_of(zone);
    if (base.empty())
      anywhere_ = true;
    else
      entered_.insert(base);
  }

  void look_at(Part part) {
    if (const auto* create = part.as<CreateToken>()) {
      const std::string base = base_of(create->zone);
      if (base.empty())
        anywhere_ = true;
      else
        types_[base].insert(create->type);
    }
    if (const auto* move = part.as<MoveToken>()) enter(move->to);
    if (const auto* move = part.as<MoveAll>()) enter(move->to);
    if (const auto* draw = part.as<Draw>()) enter(draw->to);
    if (const auto* removal = part.as<RemovalGroup>()) enter(removal->to);
    if (part.as<MoveTokenAdjacent>() != nullptr) anywhere_ = true;
    each_part(part, [&](Part inner) { look_at(inner); });
  }

  std::map<std::string, std::set<std::string>> types_;
  std::set<std::string> entered_;
  bool anywhere_ = false;
};

class Hazards {
 public:
  Hazards(const GameDef& game, Diagnostics& diagnostics)
      : game_(game), out_(diagnostics), zones_(game), known_(game) {
    for (const TokenTypeDef& type : game.token_types) all_types_.insert(type.id);
  }

  void run() {
    effects(game_.setup);
    const auto phases = static_cast<int>(game_.phases.size());
    for (int i = 0; i < phases; ++i) phase(game_.phases[static_cast<std::size_t>(i)], i);
    for (const PhaseDef& interrupt : game_.interrupts) phase(interrupt, -1);
    for (const ActionDef& def : game_.actions) action(def);
    for (const PipelineDef& def : game_.pipelines) pipeline(def);
    for (const EventDeckDef& deck : game_.event_decks)
      for (const EventCardDef& card : deck.cards) event_card(card);
    for (const TriggerDef& def : game_.triggers) {
      begin(-1);
      ask(def.match);
      ask(def.when);
      effects(def.effects);
    }
    begin(-1);
    look_at(game_.terminal);
    look_at(game_.marker_lattices);
    look_at(game_.global_marker_lattices);
    for (const HookDef& def : game_.hooks) {
      begin(-1);
      look_at(def.details);
      ask(def.when);
      effects(def.effects);
    }
  }

 private:
  // ---- Where rules begin: nothing is known, and the phase may be.
  void begin(int phase) {
    known_ = Known(game_);
    tokens_.clear();
    phase_ = phase;
  }

  void phase(const PhaseDef& def, int index) {
    begin(index);
    look_at(def.default_pre);
    effects(def.on_enter);
    begin(index);
    effects(def.on_exit);
    begin(-1);
    effects(def.after_effects);
    begin(index);
    effects(def.then);
  }

  // What lies before the first of its phases lies behind, whichever of them it is.
  int earliest_phase(const std::vector<std::string>& ids) const {
    int first = -1;
    for (const std::string& id : ids) {
      const auto found = std::ranges::find(game_.phases, id, &PhaseDef::id);
      if (found == game_.phases.end()) return -1;
      const auto index = static_cast<int>(found - game_.phases.begin());
      first = first < 0 ? index : std::min(first, index);
    }
    return first;
  }

  void action(const ActionDef& def) {
    begin(earliest_phase(def.phases));
    for (const ParamDef& param : def.params) bind(param.name, param.domain);
    ask(def.pre);
    look_at(def.price);
    effects(def.cost);
    effects(def.effects);
  }

  // Which conditions hold when a stage runs depends on what waits: none is taken for granted.
  void pipeline(const PipelineDef& def) {
    const auto action = std::ranges::find(game_.actions, def.action, &ActionDef::id);
    begin(action == game_.actions.end() ? -1 : earliest_phase(action->phases));
    look_at(def.applicability);
    look_at(def.legality);
    look_at(def.cost_validation);
    effects(def.cost_effects);
    for (const StageDef& stage : def.stages) {
      look_at(stage.legality);
      look_at(stage.cost_validation);
      effects(stage.effects);
    }
  }

  void event_card(const EventCardDef& card) {
    begin(-1);
    look_at(card.play_condition);
    for (const auto* side : {&card.unshaded, &card.shaded}) {
      if (!*side) continue;
      begin(-1);
      event_part((*side)->part);
      for (const EventPart& branch : (*side)->branches) apart([&] { event_part(branch); });
    }
  }

  void event_part(const EventPart& part) {
    for (const TargetDef& target : part.targets) look_at(target.selector);
    for (const TargetDef& target : part.targets) {
      apart([&] {
        if (target.each || target.max == 1) bind(target.id, target.selector);
        effects(target.effects);
      });
      forget(target.effects);
    }
    effects(part.effects);
    look_at(part.grants);
    look_at(part.overrides);
    for (const LastingEffectDef& lasting : part.lasting) {
      effects(lasting.setup);
      apart([&] {
        begin(-1);
        effects(lasting.teardown);
      });
    }
  }

  // ---- Effects, in order
  void effects(const Effects& list) {
    for (const Effect& effect : list) {
      one_effect(Part::of(effect).chosen(), effect.at);
      const Doings doings = doings_of({effect});
      if (doings.changes) known_.state_changed();
      if (doings.changes_phase) phase_ = -1;
    }
  }

  // What is known after one of several ways is what all of them leave known.
  template <class... Lists>
  void apart(const Lists&... inner) {
    (([&] {
       const Known before = known_;
       const auto tokens = tokens_;
       const int phase = phase_;
       inner();
       known_ = before;
       tokens_ = tokens;
       phase_ = phase;
     }()),
     ...);
  }
  void forget(const Effects& list) {
    const Doings doings = doings_of(list);
    for (const std::string& name : doings.binds) forget_name(name);
    if (doings.changes) known_.state_changed();
    if (doings.changes_phase) phase_ = -1;
  }
  void forget_name(const std::string& name) {
    known_.forget(name);
    tokens_.erase(name);
  }

  void one_effect(Part effect, PlaceId at) {
    if (visit_if<If, Require, Let, BindValue, ForEach, While, RollRandom, ChooseOne,
                 RemoveByPriority, EvaluateSubset, Reduce, GotoPhaseExact>(
            effect, [&](const auto& known) { one_effect(known, at); }))
      return;
    look_at(effect);
    for (const std::string* name : names_bound_by(effect)) forget_name(*name);
  }
  void one_effect(const If& e, PlaceId) {
    look_at(e.when);
    apart(
        [&] {
          known_.assume(e.when, true);
          effects(e.then);
        },
        [&] {
          known_.assume(e.when, false);
          effects(e.otherwise);
        });
    forget(e.then);
    forget(e.otherwise);
  }
  void one_effect(const Require& e, PlaceId) { ask(e.condition); }
  void one_effect(const Let& e, PlaceId) {
    look_at(e.value);
    apart([&] {
      bind_value(e.bind, e.value);
      effects(e.in);
    });
    forget(e.in);
    forget_name(e.bind);
  }
  void one_effect(const BindValue& e, PlaceId) {
    look_at(e.value);
    bind_value(e.bind, e.value);
  }
  void one_effect(const ForEach& e, PlaceId) {
    look_at(e.limit);
    look_at(e.over);
    forget(e.effects);  // an earlier round has done all that
    apart([&] {
      bind(e.bind, e.over);
      effects(e.effects);
    });
    apart([&] {
      known_.bind(e.count_bind, {0, Range::endless});
      effects(e.in);
    });
    forget(e.in);
    forget_name(e.bind);
  }
  void one_effect(const While& e, PlaceId) {
    look_at(e.limit);
    forget(e.effects);
    look_at(e.when);
    apart([&] {
      known_.assume(e.when, true);
      effects(e.effects);
    });
    known_.assume(e.when, false);
  }
  void one_effect(const RollRandom& e, PlaceId) {
    look_at(e.min);
    look_at(e.max);
    apart([&] {
      known_.bind(e.bind, {known_.range(e.min).low, known_.range(e.max).high});
      effects(e.in);
    });
    forget(e.in);
    forget_name(e.bind);
  }
  void one_effect(const ChooseOne& e, PlaceId) {
    look_at(e.chooser);
    bind(e.bind, e.options);
  }
  void one_effect(const RemoveByPriority& e, PlaceId) { inside(Part::of(e)); }
  void one_effect(const EvaluateSubset& e, PlaceId) { inside(Part::of(e)); }
  void one_effect(const Reduce& e, PlaceId) { inside(Part::of(e)); }
  void one_effect(const GotoPhaseExact& e, PlaceId at) {
    const auto to = std::ranges::find(game_.phases, e.phase, &PhaseDef::id);
    const auto index = static_cast<int>(to - game_.phases.begin());
    if (phase_ < 0 || to == game_.phases.end() || index >= phase_) return;
    warn(Code::PHASE_BEHIND, at,
         fmt::format("phase `{}` lies before `{}`, where this happens: it cannot be gone to",
                     e.phase, game_.phases[static_cast<std::size_t>(phase_)].id))
        .suggestion = "end the turn with advancePhase, or put the phases into another order";
  }

  // Effects whose parts bind things of their own: nothing is taken for granted in them.
  void inside(Part effect) {
    Doings doings;
    doings.look_at(effect);
    const auto leave = [&] {
      for (const std::string& name : doings.binds) forget_name(name);
      if (doings.changes) known_.state_changed();
      if (doings.changes_phase) phase_ = -1;
    };
    leave();
    apart([&] { look_at(effect); });
    leave();
  }

  // ---- What is bound
  void bind(const std::string& name, const Query& query) {
    look_at(query);
    known_.bind(name, known_.item_range(query));
    if (auto types = types_of(query))
      tokens_[name] = std::move(*types);
    else
      tokens_.erase(name);
  }
  void bind_value(const std::string& name, const Value& value) {
    known_.bind(name, known_.range(value));
    const auto* ref = std::get_if<BindingRef>(&value.node);
    const auto types = ref == nullptr ? tokens_.end() : tokens_.find(ref->name);
    if (types == tokens_.end())
      tokens_.erase(name);
    else
      tokens_[name] = types->second;
  }

  using Types = std::set<std::string>;
  // Types of the tokens a query gives, if something is known about them.
  std::optional<Types> types_of(const Query& query) const {
    if (const auto* in = std::get_if<TokensInZoneQuery>(&query.node)) {
      const Types* here = zones_.in(in->zone);
      return narrowed(here == nullptr ? std::nullopt : std::optional(*here), in->filter);
    }
    if (const auto* in = std::get_if<TokensInMapSpacesQuery>(&query.node))
      return narrowed(std::nullopt, in->filter);
    if (const auto* in = std::get_if<TokensInAdjacentZonesQuery>(&query.node))
      return narrowed(std::nullopt, in->filter);
    if (const auto* in = std::get_if<FilterQuery>(&query.node)) return types_of(*in->source);
    if (const auto* in = std::get_if<SortQuery>(&query.node)) return types_of(*in->source);
    return std::nullopt;
  }
  std::optional<Types> narrowed(std::optional<Types> types,
                                const std::vector<TokenFilter>& filters) const {
    for (const TokenFilter& filter : filters) {
      const auto allowed = types_of(filter);
      if (!allowed) continue;
      if (!types) {
        types = allowed;
        continue;
      }
      std::erase_if(*types, [&](const std::string& type) { return !allowed->contains(type); });
    }
    return types;
  }
  std::optional<Types> types_of(const TokenFilter& filter) const {
    if (filter.kind == TokenFilter::Kind::all_of) return narrowed(std::nullopt, filter.args);
    if (filter.kind != TokenFilter::Kind::test || filter.test.field != TokenTest::Field::token_type)
      return std::nullopt;
    Types named;
    if (const auto* one = std::get_if<std::string>(&filter.test.value.node)) named.insert(*one);
    if (const auto* list = std::get_if<ListLiteral>(&filter.test.value.node))
      for (const Scalar& item : list->items)
        if (const auto* text = std::get_if<std::string>(&item)) named.insert(*text);
    if (named.empty()) return std::nullopt;
    if (filter.test.op == FilterOp::eq || filter.test.op == FilterOp::in) return named;
    Types others = all_types_;
    for (const std::string& type : named) others.erase(type);
    return others;
  }

  // ---- Conditions and values
  void ask(const Condition& condition) {
    look_at(condition);
    known_.assume(condition, true);
  }
  void ask(const std::optional<Condition>& condition) {
    if (condition) ask(*condition);
  }

  template <class T>
  void look_at(const T& thing) {
    look_at(Part::of(thing));
  }
  void look_at(Part part) {
    if (visit_if<Effects, AllOf, AnyOf, IfValue, Exists, ForAll, Aggregate, FilterQuery, SortQuery,
                 MapQuery, RankOf, NextInOrderQuery>(part, [&](const auto& one) { ask_in(one); }))
      return;
    if (const auto* value = part.as<Value>()) computed(*value);
    each_part(part, [&](Part inner) { look_at(inner); });
  }
  void ask_in(const Effects& list) {
    apart([&] { effects(list); });
  }
  // Later parts are asked only if the earlier ones held, or did not.
  void ask_in(const AllOf& all) { in_turn(all.args, true); }
  void ask_in(const AnyOf& any) { in_turn(any.args, false); }
  void in_turn(const std::vector<Condition>& parts, bool holds) {
    apart([&] {
      for (const Condition& part : parts) {
        look_at(part);
        known_.assume(part, holds);
      }
    });
  }
  void ask_in(const IfValue& value) {
    look_at(*value.when);
    apart(
        [&] {
          known_.assume(*value.when, true);
          look_at(*value.then);
        },
        [&] {
          known_.assume(*value.when, false);
          look_at(*value.otherwise);
        });
  }
  void ask_in(const Exists& e) { over(*e.query, e.bind, e.where); }
  void ask_in(const ForAll& e) { over(*e.query, e.bind, *e.where); }
  void ask_in(const Aggregate& e) { over(*e.query, e.bind, e.value); }
  void ask_in(const FilterQuery& e) { over(*e.source, e.bind, e.where); }
  void ask_in(const SortQuery& e) { over(*e.source, e.bind, e.by); }
  void ask_in(const MapQuery& e) { over(*e.source, e.bind, e.value); }
  void ask_in(const RankOf& e) {
    look_at(*e.of);
    over(*e.query, e.bind, *e.by);
  }
  void ask_in(const NextInOrderQuery& e) {
    look_at(e.from);
    over(*e.source, e.bind, e.where);
  }
  template <class T>
  void over(const Query& query, const std::string& name, const T& inner) {
    apart([&] {
      bind(name, query);
      look_at(inner);
    });
  }
  void computed(const Value& value) {
    if (const auto* arith = std::get_if<Arith>(&value.node)) division(*arith, value.at);
    if (const auto* ref = std::get_if<TokenPropRef>(&value.node)) property(*ref, value.at);
  }

  void division(const Arith& arith, PlaceId at) {
    const bool divides = arith.op == ArithOp::divide || arith.op == ArithOp::floor_div ||
                         arith.op == ArithOp::ceil_div || arith.op == ArithOp::modulo;
    if (!divides) return;
    const Range divisor = known_.range(*arith.right);
    if (!divisor.has_zero()) return;
    const bool bounded = divisor.low > -Range::endless && divisor.high < Range::endless;
    warn(Code::DIVISOR_MAY_BE_ZERO, arith.right->at.index != 0 ? arith.right->at : at,
         bounded ? fmt::format("this may be zero (it lies between {} and {}), and nothing can be "
                               "divided by zero",
                               divisor.low, divisor.high)
                 : "this may be zero, and nothing can be divided by zero")
        .suggestion = "divide by `max(1, …)`, or ask before whether it is zero";
  }

  void property(const TokenPropRef& ref, PlaceId at) {
    const auto types = tokens_.find(ref.token);
    if (types == tokens_.end() || ref.prop == "id") return;
    const auto lacks = [&](const TokenTypeDef& type) {
      return std::ranges::find(type.props, ref.prop, &PropDef::name) == type.props.end();
    };
    // Every token has a type, unless the game has a property of that name.
    if (ref.prop == "type" && std::ranges::all_of(game_.token_types, lacks)) return;
    std::vector<std::string> lacking;
    for (const TokenTypeDef& type : game_.token_types)
      if (types->second.contains(type.id) && lacks(type)) lacking.push_back(type.id);
    if (lacking.empty()) return;
    warn(Code::TOKEN_PROP_LACKING, at,
         fmt::format("a token of type `{}` has no property `{}`", fmt::join(lacking, "`, `"),
                     ref.prop))
        .suggestion = "declare the property for that type, or ask only tokens of the others";
  }

  Diagnostic& warn(Code code, PlaceId at, std::string message) {
    Diagnostic diagnostic{code, Severity::warning, std::move(message)};
    if (at.index != 0 && at.index < game_.places.size()) {
      const PlaceRecord& place = game_.places[at.index];
      diagnostic.path = place.path;
      diagnostic.span.file = place.file;
      diagnostic.span.line = static_cast<std::uint32_t>(place.line);
      diagnostic.span.column = static_cast<std::uint32_t>(place.column);
    }
    return out_.add(std::move(diagnostic));
  }

  const GameDef& game_;
  Diagnostics& out_;
  const TypesOfZones zones_;
  Types all_types_;
  Known known_;
  std::map<std::string, Types> tokens_;  // by the name they are bound to
  int phase_ = -1;                       // where this happens, or a later one; -1: who knows
};

}  // namespace

void find_hazards(const GameDef& game, Diagnostics& diagnostics) {
  Hazards(game, diagnostics).run();
}

}  // namespace parlor::spec
