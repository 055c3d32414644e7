#include "generate/random_game.h"

#include <fmt/format.h>

#include "base/json.h"
#include "generate/grammar.h"

namespace parlor::generate {

namespace {

VarDef int_var(std::string name, Int init, Int min, Int max) {
  VarDef var;
  var.name = std::move(name);
  var.init = init;
  var.min = min;
  var.max = max;
  return var;
}

void add_variables(GameDef& game) {
  game.global_vars = {int_var("g0", 2, 0, 10), int_var("g1", 0, -5, 9)};
  VarDef flag;
  flag.name = "flag";
  flag.type = VarType::boolean;
  game.global_vars.push_back(flag);
  game.per_player_vars = {int_var("p0", 3, -2, 12)};
  game.zone_vars = {int_var("z0", 1, 0, 7)};
}

std::string cell_id(int row, int col) {
  return "c" + std::to_string(row) + std::to_string(col) + ":none";
}

void add_board(GameDef& game, World& world, int rows, int cols) {
  struct Way {
    const char* name;
    const char* back;
    int row, col;
  };
  static constexpr Way ways[] = {
      {"n", "s", -1, 0}, {"e", "w", 0, 1}, {"s", "n", 1, 0}, {"w", "e", 0, -1}};
  for (const Way& way : ways) game.directions.push_back({way.name, way.back, "orthogonal"});
  for (int row = 0; row < rows; ++row) {
    for (int col = 0; col < cols; ++col) {
      ZoneDef cell;
      cell.base = fmt::format("c{}{}", row, col);
      cell.kind = ZoneKind::board;
      cell.category = (row + col) % 2 == 0 ? "town" : "wood";
      for (const Way& way : ways) {
        const int r = row + way.row, c = col + way.col;
        if (r < 0 || c < 0 || r >= rows || c >= cols) continue;
        cell.directions.push_back({way.name, cell_id(r, c)});
        cell.neighbours.push_back(cell_id(r, c));
      }
      std::sort(cell.neighbours.begin(), cell.neighbours.end());
      game.zones.push_back(cell);
      world.cells.push_back(cell_id(row, col));
    }
  }
}

void add_piles(GameDef& game) {
  ZoneDef deck;
  deck.base = "deck";
  deck.visibility = Visibility::hidden;
  deck.ordering = Ordering::stack;
  deck.deck = DeckBehavior{DrawFrom::top, "pile:none"};
  ZoneDef pile;
  pile.base = "pile";
  pile.ordering = Ordering::stack;
  ZoneDef hand;
  hand.base = "hand";
  hand.owner = ZoneOwner::player;
  hand.visibility = Visibility::owner;
  for (ZoneDef* zone : {&deck, &pile, &hand}) game.zones.push_back(*zone);
}

void add_tokens_and_markers(GameDef& game, const World& world) {
  TokenTypeDef card;
  card.id = "card";
  card.props = {{"kind", PropType::string}, {"rank", PropType::integer}};
  TokenTypeDef piece = card;
  piece.id = "piece";
  piece.props = {
      {"kind", PropType::string}, {"owner", PropType::integer}, {"rank", PropType::integer}};
  piece.on_zone_entry = {{std::nullopt, "wood", {{"kind", std::string("blue")}}}};
  game.token_types = {card, piece};

  MarkerLattice mood;
  mood.id = "mood";
  mood.states = {"calm", "tense", "riot"};
  mood.default_state = "tense";
  ZoneCountRef here;
  here.zone = zone_bound("$space");
  mood.constraints = {{compare(CompareOp::equal, val(here), number(0)), {"calm", "tense"}}};
  game.marker_lattices = {mood};
  MarkerLattice era;
  era.id = "era";
  era.states = {"old", "middle", "new"};
  era.default_state = "old";
  game.global_marker_lattices = {era};
  game.space_markers = {{world.cells[0], "mood", "calm"}};

  StackingConstraint few;
  few.id = "few";
  few.zones = {world.cells[0], world.cells.back()};
  few.piece_types = {"card", "piece"};
  few.max_count = 2;
  game.stacking_constraints = {few};
}

void add_setup(GameDef& game, const World& world) {
  for (int i = 0; i < 6; ++i) {
    CreateToken card;
    card.type = "card";
    card.zone = zone("deck:none");
    card.props = {{"kind", word(i % 2 == 0 ? "red" : "blue")}, {"rank", number(i % 4)}};
    game.setup.push_back(eff(std::move(card)));
  }
  for (int p = 0; p < world.players; ++p) {
    CreateToken piece;
    piece.type = "piece";
    piece.zone = zone(world.cells[static_cast<std::size_t>(p) % world.cells.size()]);
    piece.props = {{"kind", word("red")}, {"owner", number(p)}, {"rank", number(p + 1)}};
    game.setup.push_back(eff(std::move(piece)));
  }
  Shuffle shuffle;
  shuffle.zone = zone("deck:none");
  game.setup.push_back(eff(std::move(shuffle)));
  ForEach deal;
  deal.bind = "$p";
  deal.over = qry(PlayersQuery{});
  Draw draw;
  draw.from = zone("deck:none");
  draw.to.kind = ZoneSel::Kind::owned;
  draw.to.text = "hand";
  draw.to.owner = player_bound("$p");
  draw.count = number(1);
  deal.effects = {eff(std::move(draw))};
  game.setup.push_back(eff(std::move(deal)));
}

ActionDef simple_action(std::string id, std::vector<std::string> phases, Effects effects) {
  ActionDef action;
  action.id = std::move(id);
  action.executor = player(PlayerSel::Kind::actor);
  action.phases = std::move(phases);
  action.effects = std::move(effects);
  return action;
}

// Phases, and an action in each that always works: games neither stall nor go on forever.
void add_phases(GameDef& game, World& world, Grammar& grammar) {
  world.second_phase = grammar.chance(2);
  world.interrupt = grammar.chance(2);
  PhaseDef main;
  main.id = "main";
  PhaseDef second = main;
  second.id = "second";
  PhaseDef pause = main;
  pause.id = "pause";
  Scope none;
  if (grammar.chance(4)) main.default_pre = grammar.condition(none = {}, 2);
  if (grammar.chance(3)) main.on_enter = grammar.effects(none, Grammar::Where::quiet, 1);
  if (grammar.chance(3)) main.on_exit = grammar.effects(none = {}, Grammar::Where::quiet, 1);
  if (grammar.chance(3)) main.after_effects = grammar.effects(none = {}, Grammar::Where::quiet, 1);
  if (grammar.chance(3))
    second.after_effects = grammar.effects(none = {}, Grammar::Where::quiet, 1);
  game.phases = {main};
  std::vector<std::string> ordinary = {"main"};
  if (world.second_phase) {
    game.phases.push_back(second);
    ordinary.push_back("second");
  }
  game.actions.push_back(simple_action("end", ordinary, {eff(AdvancePhase{})}));
  if (world.interrupt) {
    game.interrupts = {pause};
    game.actions.push_back(simple_action("resume", {"pause"}, {eff(PopInterruptPhase{})}));
  }
}

void add_end(GameDef& game, Grammar& grammar) {
  ClockRef turn;
  turn.field = "turn";
  GvarRef g1;
  g1.var = named("g1");
  TerminalCondition late;
  late.id = "late";
  late.when = compare(CompareOp::greater, val(turn), number(2 + grammar.below(5)));
  late.result = ResultKind::score;
  TerminalCondition rich;
  rich.id = "rich";
  rich.when = compare(CompareOp::greater_equal, val(g1), number(9));
  rich.result = ResultKind::win;
  rich.player = player(PlayerSel::Kind::active);
  TerminalCondition poor;
  poor.id = "poor";
  poor.when = compare(CompareOp::less_equal, val(g1), number(-5));
  poor.result = grammar.chance(2) ? ResultKind::loss_all : ResultKind::draw;
  game.terminal.conditions = {late, rich, poor};
  if (grammar.chance(4)) {
    TerminalCondition odd;
    odd.id = "odd";
    odd.when = grammar.condition({}, 2);
    odd.result = grammar.chance(2) ? ResultKind::score : ResultKind::draw;
    game.terminal.conditions.push_back(odd);
  }
  Scoring scoring;
  scoring.highest = !grammar.chance(3);
  PvarRef p0;
  p0.player = player(PlayerSel::Kind::actor);
  p0.var = named("p0");
  scoring.value = grammar.chance(3) ? grammar.integer({}, 2) : val(p0);
  game.terminal.scoring = scoring;
}

void add_parameter(ActionDef& action, Grammar& grammar, Scope& scope) {
  ParamDef param;
  param.name = "$x" + std::to_string(action.params.size());
  switch (grammar.below(4)) {
    case 0:
      param.domain = grammar.zones(scope);
      scope.zones.push_back(param.name);
      break;
    case 1:
      param.domain = grammar.tokens(scope);
      scope.tokens.push_back(param.name);
      break;
    case 2:
      param.domain = grammar.ints(scope);
      scope.ints.push_back(param.name);
      break;
    default:
      param.domain = grammar.players(scope);
      scope.players.push_back(param.name);
      break;
  }
  action.params.push_back(std::move(param));
}

// A template move: parameters are choices of its stages, and conditions may wait for them.
void add_pipeline(GameDef& game, ActionDef action, Grammar& grammar) {
  action.params.clear();
  action.pre.reset();
  action.cost.clear();
  action.price.clear();
  action.executor = player(PlayerSel::Kind::actor);
  action.actor = player(PlayerSel::Kind::active);
  PipelineDef pipeline;
  pipeline.id = action.id + "-profile";
  pipeline.action = action.id;
  pipeline.partial = grammar.chance(2);
  Scope made, ever;
  for (std::uint32_t n = 1 + grammar.below(2); n > 0; --n) {
    StageDef stage;
    stage.name = "stage" + std::to_string(n);
    // What a skipped stage would have bound is not visible to the next one.
    Scope inner = made;
    stage.effects = grammar.effects(inner, Grammar::Where::action);
    const bool waits = grammar.chance(3);
    if (grammar.chance(3)) stage.legality = grammar.condition(waits ? inner : made, 2);
    if (grammar.chance(3)) stage.cost_validation = grammar.condition(made, 2);
    ever = inner;
    if (!pipeline.partial) made = inner;
    pipeline.stages.push_back(std::move(stage));
  }
  const Scope none;
  auto maybe_waiting = [&]() -> const Scope& { return grammar.chance(2) ? ever : none; };
  if (grammar.chance(2)) pipeline.legality = grammar.condition(maybe_waiting(), 2);
  if (grammar.chance(2)) pipeline.cost_validation = grammar.condition(maybe_waiting(), 2);
  if (grammar.chance(3)) action.pre = grammar.condition(maybe_waiting(), 2);
  if (grammar.chance(6)) pipeline.applicability = grammar.condition(none, 2);
  if (grammar.chance(2)) {
    Scope paid = maybe_waiting();
    pipeline.cost_effects = grammar.effects(paid, Grammar::Where::quiet, 1);
  }
  if (grammar.chance(5)) action.price = {{"p0", grammar.integer(none, 1)}};
  game.pipelines.push_back(std::move(pipeline));
  game.actions.push_back(std::move(action));
}

void add_action(GameDef& game, const World& world, const Gene& gene) {
  Grammar grammar(world, gene);
  const std::string id = "act" + std::to_string(game.actions.size());
  std::vector<std::string> phases = {"main"};
  if (world.second_phase && grammar.chance(2)) phases.push_back("second");
  ActionDef action = simple_action(id, phases, {});
  Scope scope;
  for (std::uint32_t n = grammar.below(3); n > 0; --n) add_parameter(action, grammar, scope);
  // The active player may let another one act, or only the one who is named may act.
  if (!scope.players.empty() && grammar.chance(2))
    action.executor = player_bound(scope.players.front());
  if (!scope.players.empty() && grammar.chance(5))
    action.actor = player_bound(scope.players.back());
  if (grammar.chance(2)) action.pre = grammar.condition(scope);
  if (grammar.chance(4)) action.price = {{"p0", grammar.integer(scope, 1)}};
  Scope cost_scope = scope;
  if (grammar.chance(4)) action.cost = grammar.effects(cost_scope, Grammar::Where::quiet, 1);
  action.limits = {{LimitScope::turn, 2, {}, {}}};
  if (grammar.chance(4)) action.limits.push_back({LimitScope::phase, 1, {}, {}});
  if (!grammar.chance(5)) {
    action.effects = grammar.effects(scope, Grammar::Where::action);
    game.actions.push_back(std::move(action));
    return;
  }
  add_pipeline(game, std::move(action), grammar);
}

void add_trigger(GameDef& game, const World& world, const Gene& gene) {
  Grammar grammar(world, gene);
  TriggerDef trigger;
  trigger.id = "trigger" + std::to_string(game.triggers.size());
  Scope scope;
  switch (grammar.below(8)) {
    case 0:
      trigger.event = EventKind::turn_start;
      break;
    case 1:
      trigger.event = EventKind::turn_end;
      break;
    case 2:
      trigger.event = grammar.chance(2) ? EventKind::phase_exit : EventKind::phase_enter;
      if (grammar.chance(2)) trigger.phase = "main";
      break;
    case 3:
      trigger.event = EventKind::action_resolved;
      if (grammar.chance(2)) trigger.action = "end";
      break;
    case 4:
      trigger.event = EventKind::token_entered;
      if (grammar.chance(2)) trigger.zone = "pile:none";
      break;
    case 5:
      trigger.event = EventKind::var_changed;
      if (grammar.chance(2)) {
        trigger.var = "g0";
        trigger.scope = VarCell::Scope::global;
        scope.ints = {"$oldValue", "$newValue"};
      }
      break;
    case 6:
      trigger.event = EventKind::round_end;
      break;
    default:
      trigger.event = EventKind::round_start;
      break;
  }
  if (grammar.chance(2)) trigger.when = grammar.condition(scope, 2);
  trigger.effects = grammar.effects(scope, Grammar::Where::quiet, 1);
  game.triggers.push_back(std::move(trigger));
}

// The actions that always work are left alone.
void add_hook(GameDef& game, const World& world, const Gene& gene) {
  Grammar grammar(world, gene);
  HookDef hook;
  hook.id = "hook" + std::to_string(game.hooks.size());
  hook.module = grammar.chance(2) ? "module" + std::to_string(grammar.below(2)) : "";
  Scope scope;
  if (grammar.chance(2)) {
    hook.point = HookPoint::validate;
    hook.actions = {game.actions.back().id};
    hook.when = grammar.condition(scope, 2);
    hook.code = "NO";
    if (hook.actions.front().starts_with("end") || hook.actions.front() == "resume") return;
  } else {
    hook.point = HookPoint::apply;
    if (grammar.chance(2)) hook.actions = {game.actions.back().id};
    if (grammar.chance(2)) hook.when = grammar.condition(scope, 2);
    hook.effects = grammar.effects(scope, Grammar::Where::quiet, 1);
  }
  game.hooks.push_back(std::move(hook));
}

}  // namespace

GameDef make_game(const GamePlan& plan) {
  GameDef game;
  World world;
  Grammar grammar(world, plan.frame);
  game.metadata.id = "random";
  game.metadata.name = "Random";
  world.players = 2 + static_cast<int>(grammar.below(2));
  game.metadata.min_players = game.metadata.max_players = world.players;
  game.metadata.max_trigger_depth = 1 + grammar.below(3);
  world.faulty = plan.faulty;
  add_variables(game);
  const int rows = 1 + static_cast<int>(grammar.below(3));
  add_board(game, world, rows, 2 + static_cast<int>(grammar.below(2)));
  add_piles(game);
  add_tokens_and_markers(game, world);
  add_setup(game, world);
  if (grammar.chance(3)) {
    game.turn_order.kind = TurnOrderKind::fixed_order;
    for (int p = world.players; p-- > 0;) game.turn_order.order.push_back(std::to_string(p));
  }
  game.rounds.rotate_start_player =
      game.turn_order.kind == TurnOrderKind::round_robin && grammar.chance(4);
  if (grammar.chance(3)) game.rounds.reset_each_round = {"g0"};
  add_phases(game, world, grammar);
  add_end(game, grammar);
  if (grammar.chance(4)) game.rounds.by_phases = true;  // L-13
  for (const Gene& gene : plan.actions) add_action(game, world, gene);
  for (const Gene& gene : plan.triggers) add_trigger(game, world, gene);
  for (const Gene& gene : plan.hooks) add_hook(game, world, gene);
  game.places.resize(1);
  return game;
}

rc::Gen<GamePlan> game_plans(bool faulty) {
  const auto gene = rc::gen::resize(
      100, rc::gen::container<Gene>(rc::gen::resize(100, rc::gen::arbitrary<std::uint8_t>())));
  const auto few = [](std::size_t most, const rc::Gen<Gene>& one) {
    return rc::gen::resize(static_cast<int>(most), rc::gen::container<std::vector<Gene>>(one));
  };
  return rc::gen::build<GamePlan>(rc::gen::set(&GamePlan::faulty, rc::gen::just(faulty)),
                                  rc::gen::set(&GamePlan::frame, gene),
                                  rc::gen::set(&GamePlan::actions, few(4, gene)),
                                  rc::gen::set(&GamePlan::triggers, few(2, gene)),
                                  rc::gen::set(&GamePlan::hooks, few(2, gene)));
}

void showValue(const GamePlan& plan, std::ostream& out) {
  out << canonical(spec::to_json(make_game(plan)));
}

}  // namespace parlor::generate
