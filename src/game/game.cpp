#include "game/game.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>

#include "base/hash.h"
#include "base/hex.h"
#include "game/thinker.h"
#include "game/worlds.h"

namespace parlor {
namespace {

constexpr int save_version = 2;
constexpr std::string_view save_format = "parlor-state";

// Whether `wanted` asks for `offered`: every key it names has the same value. Marks that only the
// game language needs may be left out: the `$` of a parameter, the `:none` of a zone without owner.
bool fits(const Json& wanted, const Json& offered) {
  if (wanted.is_object() && offered.is_object()) {
    for (const auto& [key, value] : wanted.items()) {
      auto found = offered.find(key);
      if (found == offered.end()) found = offered.find("$" + key);
      if (found == offered.end() || !fits(value, *found)) return false;
    }
    return true;
  }
  if (wanted == offered) return true;
  return wanted.is_string() && offered.is_string() &&
         wanted.get<std::string>() + ":none" == offered.get<std::string>();
}

// The legal options belong to the decider; nobody else is told them with a refusal.
Rejection refuse(const State& state, const OptionList& options, const Viewer& viewer, Code code,
                 std::string message) {
  Rejection out{code, std::move(message)};
  if (viewer.sees_all() || viewer.is(state.decision().player))
    out.details["legal"] = options_to_json(state, options, viewer);
  return out;
}

// The forms in which a request may name an option: as its viewer sees it, and for tools also as
// the decider does.
std::vector<Viewer> forms_for(const State& state, const Viewer& viewer) {
  std::vector<Viewer> out{viewer};
  const PlayerId decider = state.decision().player;
  if (viewer.sees_all() && state.game().info().hidden_information && !decider.is_none())
    out.push_back(Viewer::player(decider));
  return out;
}

std::vector<Option> options_named(const State& state, const OptionList& options,
                                  const Json& request, const Viewer& viewer) {
  std::vector<Option> matches;
  for (const Option option : options) {
    const bool match = request.is_string()
                           ? state.option_text(option, viewer) == request.get<std::string>()
                           : fits(request, state.option_json(option, viewer));
    if (match) matches.push_back(option);
  }
  // An option that is named completely wins over longer ones that merely contain it.
  if (matches.size() > 1)
    for (const Option option : matches)
      if (state.option_json(option, viewer) == request) return {option};
  return matches;
}

std::uint64_t count_whole_moves(const State& state, int depth, Counting counting, bool move_open);

// Applies every option; `depth` is the number of whole moves still to count.
std::uint64_t count_children(const State& state, int depth, Counting counting) {
  OptionList options;
  state.list_options(options);
  std::uint64_t nodes = 0;
  State child = state;
  for (const Option option : options) {
    child = state;
    if (child.apply(option)) nodes += count_whole_moves(child, depth, counting, true);
  }
  return nodes;
}

// `move_open`: an option of the current whole move was just applied, so it is complete where the
// next decision starts a move or the game ends.
std::uint64_t count_whole_moves(const State& state, int depth, Counting counting, bool move_open) {
  const Decision decision = state.decision();
  const bool complete = decision.kind == DecisionKind::finished || decision.starts_move;
  if (move_open && complete) --depth;
  if (depth == 0) return 1;
  if (complete && counting == Counting::whole_moves)
    if (const auto fast = state.game().count_moves(state.block(), depth)) return *fast;
  if (decision.kind == DecisionKind::finished) return 0;
  return count_children(state, depth, counting);
}

std::uint64_t count_decisions(const State& state, int depth) {
  if (depth == 0) return 1;
  OptionList options;
  state.list_options(options);
  if (depth == 1) return options.size();
  std::uint64_t nodes = 0;
  State child = state;
  for (const Option option : options) {
    child = state;
    if (child.apply(option)) nodes += count_decisions(child, depth - 1);
  }
  return nodes;
}

// One branch per first move: an option, or with whole moves an action with all its choices.
void divide_below(const State& state, int depth, Counting counting, const std::string& so_far,
                  std::vector<CountedMove>& out) {
  OptionList options;
  state.list_options(options);
  for (const Option option : options) {
    State child = state;
    const std::string text = state.option_text(option);
    const std::string move = so_far.empty() ? text : so_far + " " + text;
    if (!child.apply(option)) continue;
    const Decision next = child.decision();
    if (counting == Counting::decisions || next.starts_move || next.kind == DecisionKind::finished)
      out.push_back({move, perft(child, depth - 1, counting)});
    else
      divide_below(child, depth, counting, move, out);
  }
}

}  // namespace

std::string_view decision_kind_name(DecisionKind kind) {
  constexpr std::array<std::string_view, 5> names{"finished", "actionSelection", "chooseOne",
                                                  "chooseN", "chance"};
  return names[static_cast<std::size_t>(kind)];
}

Json to_json(const Rejection& rejection) {
  Json out{
      {"code", rejection.code}, {"message", rejection.message}, {"details", rejection.details}};
  if (rejection.fault) out["fault"] = true;
  return out;
}

Json to_json(const Outcome& outcome) {
  Json winners = Json::array();
  for (const PlayerId winner : outcome.winners) winners.push_back(winner.value);
  Json out = {{"returns", outcome.returns}, {"winners", winners}, {"reason", outcome.reason}};
  if (!outcome.places.empty()) out["places"] = outcome.places;
  return out;
}

Json to_json(const OfferedRule& rule) {
  Json out = rule.details;
  out["id"] = rule.id;
  out["name"] = rule.name;
  out["description"] = rule.description;
  out["category"] = rule.category;
  out["requires"] = rule.needs;
  out["incompatibleWith"] = rule.incompatible_with;
  return out;
}

std::size_t draw_option(const OptionList& options, Rng& rng) {
  const auto weights = options.weights();
  if (weights.empty()) return rng.below(options.size());
  std::uint64_t total = 0;
  for (const auto weight : weights) total += weight;
  auto ticket = static_cast<std::uint64_t>(rng.between(0, static_cast<std::int64_t>(total) - 1));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (ticket < weights[i]) return i;
    ticket -= weights[i];
  }
  return weights.size() - 1;
}

tl::expected<State, Rejection> Game::start(Seed seed) const {
  StateBlock block;
  if (auto done = init(block, seed); !done) return tl::unexpected(std::move(done.error()));
  return State{*this, std::move(block)};
}

tl::expected<State, Rejection> Game::load(const Json& saved) const {
  // Missing keys and keys of the wrong type are the same damage.
  const auto has = [&](const char* key, const Json& value) {
    return saved.contains(key) && saved[key] == value;
  };
  if (!saved.is_object() || !has("format", save_format) || !saved.contains("state"))
    return tl::unexpected(Rejection{Code::STATE_INVALID, "this is not a saved state of Parlor"});
  if (!has("version", save_version))
    return tl::unexpected(
        Rejection{Code::STATE_VERSION_UNSUPPORTED,
                  fmt::format("the state has format version {}, this program reads version {}",
                              saved.contains("version") ? canonical(saved["version"]) : "unknown",
                              save_version)});
  if (!has("game", info().id) || !has("fingerprint", to_hex(info().fingerprint)))
    return tl::unexpected(Rejection{
        Code::STATE_INVALID,
        fmt::format("the state belongs to another game or to other rules than {}", info().id)});
  if (!saved["state"].is_object())
    return tl::unexpected(Rejection{Code::STATE_INVALID, "the saved state is not an object"});
  if (!has("check", save_check(saved["state"])))
    return tl::unexpected(
        Rejection{Code::STATE_INVALID, "the saved state is damaged: its checksum does not fit"});
  StateBlock block;
  if (auto done = load_block(saved["state"], block); !done)
    return tl::unexpected(std::move(done.error()));
  return State{*this, std::move(block)};
}

Applied Game::apply_and_list(StateBlock& block, Option option, EventListener* listener,
                             OptionList& next) const {
  next.clear();
  Applied done = apply(block, option, listener);
  if (done) list_options(block, next);
  return done;
}

bool Game::equal(const StateBlock& a, const StateBlock& b) const {
  return std::ranges::equal(a.bytes(), b.bytes());
}

std::string Game::option_label(const StateBlock& block, Option option, const Viewer& viewer) const {
  return option_text(block, option, viewer);
}

ChoiceTold Game::choice_told(const StateBlock& before, Option option, const StateBlock&,
                             const Viewer& viewer) const {
  const bool open =
      !info().hidden_information || viewer.sees_all() || viewer.is(decision(before).player);
  if (!open) return {.label = {}, .hidden = true};
  return {.label = option_label(before, option, viewer), .hidden = false};
}

std::string Game::value_label(const StateBlock&, const Json& value, const Viewer&) const {
  return value.is_string() ? value.get<std::string>() : canonical(value);
}

std::string Game::question(const StateBlock&, const Viewer&) const {
  return {};
}

std::optional<Rejection> Game::why_not(const StateBlock& block, const Json& request,
                                       const Viewer& viewer) const {
  auto found = find_option(State{*this, block}, request, viewer);
  if (found) return std::nullopt;
  return std::move(found.error());
}

std::vector<PlayerId> Game::pending(const StateBlock& block) const {
  const PlayerId decider = decision(block).player;
  if (decider.is_none()) return {};
  return {decider};
}

bool Game::let_decide(StateBlock& block, PlayerId player) const {
  return !player.is_none() && decision(block).player == player;
}

Decision Game::decision_told(const StateBlock& block, const Viewer&) const {
  return decision(block);
}

std::optional<Option> Game::option_meant(const StateBlock&, std::string_view) const {
  return std::nullopt;
}

std::vector<HookPoint> Game::hook_points() const {
  return {};
}
void Game::hear_refused(const StateBlock&, const Json&, EventListener*) const {}

std::vector<OfferedRule> Game::offered_rules() const {
  return {};
}

Json Game::parts() const {
  return Json::object();
}

std::string Game::listing() const {
  return {};
}

void Game::resample_hidden(StateBlock&, const Viewer&, Rng&) const {}

namespace {

class CopiedWorlds final : public Worlds {
 public:
  explicit CopiedWorlds(const Game& game) : game_(game), viewer_(Viewer::everything()) {}

  void look_at(const StateBlock& real, const Viewer& viewer) override {
    real_ = real;
    viewer_ = viewer;
  }
  bool deal(StateBlock& world, Rng& rng) override {
    world = real_;
    game_.resample_hidden(world, viewer_, rng);
    return true;
  }

 private:
  const Game& game_;
  StateBlock real_;
  Viewer viewer_;
};

}  // namespace

std::unique_ptr<Worlds> Game::worlds() const {
  return std::make_unique<CopiedWorlds>(*this);
}

void Game::returns(const StateBlock& block, std::span<std::int64_t> out) const {
  const Outcome ended = outcome(block);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = i < ended.returns.size() ? ended.returns[i] : 0;
}

bool Game::standing(const StateBlock&, std::span<std::int64_t>) const {
  return false;
}

std::unique_ptr<Thinker> Game::thinker(std::size_t) const {
  return nullptr;
}

std::optional<std::uint64_t> Game::count_moves(const StateBlock&, int) const {
  return std::nullopt;
}

std::optional<std::vector<CountedMove>> Game::count_by_move(const StateBlock&, int) const {
  return std::nullopt;
}

Applied State::try_apply(Option option, EventListener* listener) {
  OptionList options;
  list_options(options);
  if (options.empty()) return tl::unexpected(Rejection{Code::GAME_FINISHED, "the game is over"});
  if (std::ranges::find(options, option) == options.end())
    return tl::unexpected(refuse(*this, options, Viewer::everything(), Code::OPTION_ILLEGAL,
                                 fmt::format("option {} is not offered", option.id)));
  return apply(option, listener);
}

std::uint64_t State::view_hash(const Viewer& viewer) const {
  return hash_text(canonical(view(viewer)));
}

Json State::save() const {
  Json state = game_->save_block(block_);
  std::string check = save_check(state);
  return {{"format", save_format},     {"version", save_version},
          {"game", game_->info().id},  {"fingerprint", to_hex(game_->info().fingerprint)},
          {"check", std::move(check)}, {"state", std::move(state)}};
}

std::string save_check(const Json& state) {
  return to_hex(Uint128{hash_text(canonical(state))});
}

tl::expected<Option, Rejection> find_option(const State& state, const Json& request,
                                            const Viewer& viewer) {
  OptionList options;
  state.list_options(options);
  if (options.empty()) return tl::unexpected(Rejection{Code::GAME_FINISHED, "the game is over"});
  // Whoever does not decide learns nothing about the options by asking for one.
  if (!viewer.sees_all() && !viewer.is(state.decision().player))
    return tl::unexpected(Rejection{Code::ACTOR_NOT_DECIDING, "the decision is somebody else's"});

  const Json* index = request.is_number_integer() ? &request : nullptr;
  if (request.is_object() && request.contains("index")) index = &request["index"];
  if (index != nullptr) {
    if (index->is_number_integer() && index->get<std::int64_t>() >= 0 &&
        index->get<std::int64_t>() < static_cast<std::int64_t>(options.size()))
      return options[index->get<std::size_t>()];
    return tl::unexpected(
        refuse(state, options, viewer, Code::OPTION_ILLEGAL,
               fmt::format("there is no option {}: the decision has {} options, numbered from 0",
                           canonical(*index), options.size())));
  }

  std::vector<Option> matches;
  for (const Viewer& form : forms_for(state, viewer))
    if (matches.empty()) matches = options_named(state, options, request, form);
  if (matches.size() == 1) return matches.front();
  if (matches.empty() && request.is_string())
    if (const auto meant = state.game().option_meant(state.block(), request.get<std::string>()))
      return *meant;
  if (matches.empty())
    return tl::unexpected(refuse(state, options, viewer, Code::OPTION_ILLEGAL,
                                 fmt::format("{} is not a legal option", canonical(request))));
  return tl::unexpected(
      refuse(state, options, viewer, Code::OPTION_AMBIGUOUS,
             fmt::format("{} fits {} options", canonical(request), matches.size())));
}

Json options_to_json(const State& state, const OptionList& options, const Viewer& viewer) {
  Json out = Json::array();
  for (std::size_t i = 0; i < options.size(); ++i) {
    Json entry = state.option_json(options[i], viewer);
    entry["index"] = i;
    if (!options.weights().empty()) entry["weight"] = options.weights()[i];
    out.push_back(std::move(entry));
  }
  return out;
}

Json decision_to_json(const State& state, const Viewer& viewer) {
  const Game& game = state.game();
  if (state.finished()) return nullptr;
  State seen = state;
  // Where several may decide, everybody looks at their own decision.
  const std::vector<PlayerId> pending = game.pending(seen.block());
  const bool theirs = !viewer.id().is_none() && game.let_decide(seen.block(), viewer.id());
  const Decision decision = game.decision_told(seen.block(), viewer);
  Json out{{"kind", decision_kind_name(decision.kind)},
           {"decider", decision.player.is_none() ? Json("chance") : Json(decision.player.value)}};
  if (pending.size() > 1) {
    out["pending"] = Json::array();
    for (const PlayerId player : pending) out["pending"].push_back(player.value);
  }
  if (theirs || viewer.sees_all()) {
    OptionList options;
    seen.list_options(options);
    out["options"] = options_to_json(seen, options, viewer);
  }
  return out;
}

Json event_told(const Event& event, const Viewer& viewer) {
  const bool inside = event.seen_by.has(viewer);
  if (!inside && (event.outside.is_null() || !event.seen_by.may_notice(viewer))) return nullptr;
  return {{"kind", event.kind}, {"data", inside ? event.data : event.outside}};
}

std::uint64_t perft(const State& state, int depth, Counting counting) {
  if (depth <= 0) return 1;
  if (counting == Counting::decisions) return count_decisions(state, depth);
  return count_whole_moves(state, depth, counting, false);
}

std::vector<CountedMove> divide(const State& state, int depth, Counting counting) {
  std::vector<CountedMove> out;
  if (depth <= 0) return out;
  if (counting == Counting::whole_moves)
    if (auto counted = state.game().count_by_move(state.block(), depth)) return std::move(*counted);
  divide_below(state, depth, counting, "", out);
  return out;
}

}  // namespace parlor
