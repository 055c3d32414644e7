#include "kernel/kernel.h"

#include <fmt/format.h>

#include "kernel/know/course.h"
#include "kernel/module.h"
#include "kernel/printed/print.h"
#include "kernel/program/params.h"
#include "kernel/run/machine.h"
#include "kernel/tell/explain.h"
#include "kernel/turn/outcome.h"

namespace parlor::kernel {

namespace {

// A state before anything was set up: variables, markers and clock at their beginning.
void lay_out(const Program& p, StateBlock& block, Seed seed) {
  block.resize(0);
  block.resize(p.layout.tokens);
  Memory memory(p, block);
  Header& h = memory.header();
  h.rng = Rng(p.has_chance && !p.options.explicit_chance ? seed : 0);
  h.seed = p.uses_streams ? seed : 0;
  h.hash = 0;
  h.turn = h.round = h.turn_in_round = 1;
  h.winner = 0xff;
  if (!p.turn_sequence.empty() && p.turn_sequence[0] >= 0) h.active = p.turn_sequence[0];
  h.round_start = h.active;
  int cell = 0;
  for (const VarInfo& var : p.gvars) memory.write_var_cell(cell++, var.init);
  for (int player = 0; player < p.players; ++player)
    for (const VarInfo& var : p.pvars) memory.write_var_cell(cell++, var.init);
  for (int z = 0; z < p.zone_count; ++z)
    for (const VarInfo& var : p.zvars) memory.write_var_cell(cell++, var.init);
  for (std::size_t k = 0; k < p.secrets.cells.size(); ++k) memory.var_range(k) = {1, 0, 0, 0};
  for (std::size_t l = 0; l < p.global_lattices.size(); ++l)
    memory.write_global_marker(l, p.global_lattices[l].initial);
  for (const Program::InitialMarker& marker : p.initial_markers)
    memory.write_marker(marker.zone, marker.lattice, marker.state);
  if (p.flow.cards || p.flow.events) memory.flow() = {};
}

// {"zone": "hand:1", "place": 2} as option texts say it: hand:1#2.
std::string place_text(const Json& place) {
  std::string zone = place.value("zone", "");
  if (zone.ends_with(":none")) zone.resize(zone.size() - 5);
  return fmt::format("{}#{}", zone, place.value("place", 0));
}

}  // namespace

KernelGame::KernelGame(std::shared_ptr<const Program> program, std::vector<OfferedRule> offered)
    : KernelGame(std::move(program), std::move(offered), nullptr) {}

KernelGame::KernelGame(std::shared_ptr<const Program> program, std::vector<OfferedRule> offered,
                       std::shared_ptr<const Program> running)
    : program_(std::move(program)),
      running_(running ? std::move(running) : program_),
      offered_(std::move(offered)) {
  const spec::Metadata& meta = program_->def.metadata;
  info_.id = meta.id;
  info_.name = meta.name.empty() ? meta.id : meta.name;
  info_.description = meta.description;
  info_.players = program_->players;
  info_.min_players = meta.min_players;
  info_.max_players = meta.max_players;
  for (std::size_t i = 0; i < info_.players; ++i)
    info_.seats.push_back(i < program_->def.seats.size() ? program_->def.seats[i]
                                                         : std::to_string(i));
  info_.has_chance = program_->has_chance;
  info_.explicit_chance = program_->options.explicit_chance;
  info_.hidden_information = program_->secrets.players;
  for (const ActionInfo& action : program_->actions) info_.actions.push_back(action.id);
  for (const spec::ModuleInfo& module : program_->def.modules)
    info_.rules.push_back(rules::to_text(rules::activation_of(module), info_.seats));
  info_.fingerprint = program_->fingerprint;
  lead_ = find_lead(*program_);
  wording_ = program_->wording;
  if (program_->observers != nullptr) profiles_ = program_->observers->profiles;
  for (const auto& [name, unused] : profiles_) info_.observers.push_back(name);
}

Applied KernelGame::init(StateBlock& block, Seed seed) const {
  const Program& p = *running_;
  lay_out(p, block, seed);
  Lease lease(p);
  Machine& machine = lease.machine();
  machine.attach(block);
  machine.steps_left = work_of_instruction * p.options.budget;
  machine.set_up();
  machine.push_frame(p.setup_unit, machine.header().active, machine.header().active);
  if (machine.run(Until::decision) == Run::failed) return tl::unexpected(refusal(machine));
  if (p.secrets.course) Course(machine.memory()).begin(true);
  machine.detach();
  return {};
}

Decision KernelGame::decision(const StateBlock& block) const {
  const Header& h = block.as<Header>();
  Decision decision;
  decision.kind = h.decision;
  if (h.decision == DecisionKind::finished) return decision;
  if (h.decision != DecisionKind::chance) decision.player = PlayerId{h.decider};
  decision.starts_move = h.decision == DecisionKind::action;
  return decision;
}

void KernelGame::list_options(const StateBlock& block, OptionList& out) const {
  const Header& h = block.as<Header>();
  if (h.decision == DecisionKind::finished) return;
  if (h.decision == DecisionKind::action && !running_->printed_lists.empty() &&
      list_printed(*running_, block, out))
    return;
  if (h.decision == DecisionKind::action && !program_->phases[h.phase].instant.is_none())
    return list_instant(*running_, h, out);
  if (program_->simultaneous && h.decision != DecisionKind::action && h.vm_bytes == 0) {
    Lease room(*program_);
    return list_options(at_hand(block, room.block()), out);
  }
  Lease lease(*running_);
  Machine& machine = lease.machine();
  machine.attach(readable(block));
  machine.use_compiled_trials();
  const auto list = [&] {
    if (h.decision != DecisionKind::action)
      machine.list_choices(out);
    else
      machine.list_moves(out);
  };
  const std::size_t before = out.size();
  list();
  if (machine.work_in_doubt()) [[unlikely]] {
    out.shrink(before);
    machine.use(*running_);
    machine.attach(readable(block));
    list();
  }
  if (machine.undecided() != 0)
    undecided_.fetch_add(machine.undecided(), std::memory_order_relaxed);
}

Applied KernelGame::apply(StateBlock& block, Option option, EventListener* listener) const {
  const Program& p = *running_;
  const bool starts = block.as<Header>().decision == DecisionKind::action;
  if (starts && !p.printed_moves.empty() && !(p.simultaneous && collecting(block)) &&
      (listener == nullptr || listener->only_remarks()) && make_printed(p, block, option, listener))
    return {};
  return apply_written(block, option, listener);
}

// One after the other, and the compiler knows which.
Applied KernelGame::apply_and_list(StateBlock& block, Option option, EventListener* listener,
                                   OptionList& next) const {
  next.clear();
  Applied done = KernelGame::apply(block, option, listener);
  if (done) KernelGame::list_options(block, next);
  return done;
}

Applied KernelGame::apply_written(StateBlock& block, Option option, EventListener* listener) const {
  const Program& p = *running_;
  const bool starts = block.as<Header>().decision == DecisionKind::action;
  if (p.simultaneous && collecting(block)) return submit(block, option, listener);
  Lease lease(p);
  Machine& machine = lease.machine();
  lease.block() = block;  // to go back to when the rules fail
  bool made = false;
  // Nothing is told twice. Without compiled trials no work is in doubt.
  for (bool compiled_trials = listener == nullptr;; compiled_trials = false) {
    machine.attach(block, listener);
    if (compiled_trials) machine.use_compiled_trials();
    machine.begin_write();
    machine.steps_left = work_of_instruction * p.options.budget;
    const bool begun = starts ? machine.begin_move(option) : machine.answer(option);
    made = begun && (machine.waits() || machine.run(Until::decision) != Run::failed);
    if (!machine.work_in_doubt()) [[likely]]
      break;
    block = lease.block();
    machine.use(p);
  }
  if (made) {
    if (p.secrets.course) Course(machine.memory()).reached_decision();
    machine.detach();
    return {};
  }
  Rejection rejection = refusal(machine);
  block = lease.block();
  return tl::unexpected(std::move(rejection));
}

std::vector<parlor::HookPoint> KernelGame::hook_points() const {
  return {
#define HOOK(name, word, help) {word, help},
#include "rules/hooks.def"
  };
}

void KernelGame::hear_refused(const StateBlock& block, const Json& request,
                              EventListener* listener) const {
  if (program_->before_anything.empty() &&
      std::ranges::all_of(program_->actions, [](const ActionInfo& a) { return a.before.empty(); }))
    return;
  if (!request.is_object() || !request.contains("action") || !request["action"].is_string()) return;
  Asked asked{request["action"].get<std::string>()};
  if (const auto given = request.find("params"); given != request.end() && given->is_object())
    asked.params = *given;
  Lease lease(*program_);
  lease.machine().attach(readable(block), listener);
  lease.machine().hear_refused(asked);
}

// What an action selection keeps ready, after its state was written to from outside.
void KernelGame::refresh_instant(StateBlock& block) const {
  if (block.as<Header>().decision != DecisionKind::action) return;
  Lease lease(*program_);
  lease.machine().attach(block);
  std::fill_n(lease.machine().header().instant, instant_words, 0);
  if (!program_->phases[lease.machine().header().phase].instant.is_none())
    lease.machine().move_exists();
}

void KernelGame::list_raw_options(const StateBlock& block, OptionList& out) const {
  StateBlock room;
  Lease lease(*program_);
  lease.machine().attach(readable(at_hand(block, room)));
  if (lease.machine().depth() != 0) lease.machine().list_raw(out);
}

Outcome KernelGame::outcome(const StateBlock& block) const {
  Outcome out;
  read_outcome(block, out);
  return out;
}

void KernelGame::read_outcome(const StateBlock& block, Outcome& out) const {
  Lease lease(*running_);
  lease.machine().attach(readable(block));
  final_outcome(lease.machine(), out);
}

std::uint32_t KernelGame::ending(const StateBlock& block) const {
  return fixed_ending(*running_, block.as<Header>());
}

std::size_t KernelGame::hash_words(const StateBlock& block, HashLane lane) const {
  return Memory(*program_, readable(block)).hash_words(lane);
}

void KernelGame::returns(const StateBlock& block, std::span<std::int64_t> out) const {
  if (plain_returns(*running_, block, out)) return;
  Lease lease(*running_);
  lease.machine().attach(readable(block));
  final_returns(lease.machine(), out);
}

bool KernelGame::standing(const StateBlock& block, std::span<std::int64_t> out) const {
  Lease lease(*running_);
  lease.machine().attach(readable(block));
  return kernel::standing(lease.machine(), lead_, out);
}

std::uint64_t KernelGame::hash(const StateBlock& block) const {
  return Memory(*program_, readable(block)).full_hash();
}

bool KernelGame::consistent(const StateBlock& block) const {
  const Memory memory(*program_, readable(block));
  return memory.content_hash() == memory.header().hash && memory.features_consistent();
}

std::string KernelGame::option_text(const StateBlock& block, Option option,
                                    const Viewer& viewer) const {
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  const Eyes eyes(*program_, profiles_, viewer);
  machine.set_asker(&eyes);
  auto brief = [](std::string text) {
    if (text.ends_with(":none")) text.resize(text.size() - 5);
    return text;
  };
  if (block.as<Header>().decision == DecisionKind::action) {
    std::string action;
    const Json params = machine.move_params(option, action);
    for (const ActionInfo& info : program_->actions) {
      if (info.id != action) continue;
      for (const ParamInfo& param : info.params) {
        if (!params.contains(param.name) || param.name == event_params[1]) continue;
        const Json& v = params[param.name];
        std::string text = v.is_string() ? v.get<std::string>() : canonical(v);
        if (v.is_object()) text = place_text(v);
        action += fmt::format(" {}", brief(std::move(text)));
      }
      break;
    }
    // For what else than its own class it is taken, and whether it is free.
    const Machine::Variant variant = machine.variant_of(option);
    const int index = action_of(option);
    if (program_->flow.cards && variant.action_class != program_->flow.class_of[index])
      action += fmt::format(" {}", class_name(variant.action_class));
    if (variant.grant == 0) return action;
    const std::string grant = machine.grant_told(index, variant);
    return action + (grant.empty() ? " free" : " free " + grant);
  }
  return machine.is_confirm(option) ? "confirm"
                                    : brief(machine.text_of(machine.option_value(option)));
}

Json KernelGame::option_json(const StateBlock& block, Option option, const Viewer& viewer) const {
  StateBlock room;
  Lease lease(*program_);
  Machine& machine = lease.machine();
  machine.attach(readable(at_hand(block, room)));
  const Eyes eyes(*program_, profiles_, viewer);
  machine.set_asker(&eyes);
  if (block.as<Header>().decision == DecisionKind::action) {
    std::string action;
    Json params = machine.move_params(option, action);
    Json out{{"action", action}, {"params", std::move(params)}};
    const Machine::Variant variant = machine.variant_of(option);
    if (variant.action_class != ActionClass::none) out["class"] = class_name(variant.action_class);
    if (variant.grant != 0) out["free"] = true;
    const int index = action_of(option);
    if (std::string grant = machine.grant_told(index, variant); !grant.empty())
      out["grant"] = std::move(grant);
    return out;
  }
  if (machine.is_confirm(option)) return {{"value", nullptr}, {"confirm", true}};
  return {{"value", machine.json_of(machine.option_value(option))}};
}

tl::expected<std::shared_ptr<const KernelGame>, Diagnostics> open_game(
    spec::GameDef def, const KernelOptions& options) {
  LinkOptions link_options;
  link_options.explicit_chance = options.explicit_chance;
  link_options.plan = options.plan;
  if (options.budget > 0) link_options.budget = options.budget;
  if (options.look_ahead > 0) link_options.look_ahead = options.look_ahead;
  link_options.natives = options.modules;
  for (const auto& module : options.modules) {
    spec::ModuleInfo info = module->info();
    if (std::none_of(def.modules.begin(), def.modules.end(),
                     [&](const spec::ModuleInfo& known) { return known.id == info.id; }))
      def.modules.push_back(std::move(info));
  }
  std::ranges::stable_sort(def.modules, {}, [](const spec::ModuleInfo& module) {
    return std::pair{module.order.value_or(0), module.id};
  });
  auto program = link(std::move(def), options.players, link_options);
  if (!program) return tl::unexpected(std::move(program.error()));
  return std::make_shared<const KernelGame>(std::move(*program), options.offered);
}

tl::expected<std::shared_ptr<const KernelGame>, std::string> run_printed(const KernelGame& game,
                                                                         const PrintedCode& code) {
  const std::shared_ptr<const Program> program = game.shared_program();
  auto running = attach(program, code);
  if (!running) return tl::unexpected(std::move(running.error()));
  return std::make_shared<const KernelGame>(program, game.offered_rules(), std::move(*running));
}

}  // namespace parlor::kernel
