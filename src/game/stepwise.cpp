#include "game/stepwise.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/hash.h"

namespace parlor {
namespace {

constexpr std::size_t most_steps = 32;
// Ids of options are numbers of steps; an option without a number goes by its place from here on.
constexpr std::uint64_t by_place = std::uint64_t{1} << 32;

// What was chosen so far, behind the block of the game itself.
struct Tail {
  std::array<std::uint32_t, most_steps> path;
  std::uint32_t depth;

  std::span<const std::uint32_t> chosen() const& { return {path.data(), depth}; }
  std::span<const std::uint32_t> chosen() const&& = delete;  // they lie in here
};

Tail tail_of(const StateBlock& block) {
  Tail tail;
  std::memcpy(&tail, block.data() + block.size() - sizeof tail, sizeof tail);
  return tail;
}

void set_tail(StateBlock& block, const Tail& tail) {
  std::memcpy(block.data() + block.size() - sizeof tail, &tail, sizeof tail);
}

// What is needed for a moment: the game's own block, its options and their steps. Kept for the next
// one, so that nothing is allocated; listeners may ask about other states meanwhile.
struct Room {
  StateBlock block;
  OptionList options;
  std::vector<std::uint32_t> paths;
  std::vector<bool> met;
};

class Borrowed {
 public:
  Borrowed() {
    if (!spare().empty()) {
      room_ = std::move(spare().back());
      spare().pop_back();
    } else {
      room_ = std::make_unique<Room>();
    }
  }
  explicit Borrowed(const StateBlock& outer) : Borrowed() {
    room_->block.resize_unset(outer.size() - sizeof(Tail));
    std::memcpy(room_->block.data(), outer.data(), room_->block.size());
  }
  ~Borrowed() { spare().push_back(std::move(room_)); }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Room* operator->() { return room_.get(); }

 private:
  static std::vector<std::unique_ptr<Room>>& spare() {
    thread_local std::vector<std::unique_ptr<Room>> rooms;
    return rooms;
  }
  std::unique_ptr<Room> room_;
};

class Stepwise final : public Game {
 public:
  explicit Stepwise(std::shared_ptr<const Game> game)
      : game_(std::move(game)), space_(game_->action_space()), steps_(game_->action_steps()) {
    for (const TensorPart& part : game_->tensor_parts()) parts_.push_back(part);
    seen_ = tensor_size(*game_);
    if (!parts_.empty()) parts_.push_back({"steps", {space_.size}, "number"});
  }

  const Game& whole() const { return *game_; }
  const GameInfo& info() const override { return game_->info(); }

  Applied init(StateBlock& block, Seed seed) const override {
    Borrowed room;
    room->block.resize(0);
    if (auto made = game_->init(room->block, seed); !made) return made;
    keep(block, room->block);
    return {};
  }
  Decision decision(const StateBlock& block) const override {
    Borrowed room(block);
    return with_steps(game_->decision(room->block), block);
  }
  Decision decision_told(const StateBlock& block, const Viewer& viewer) const override {
    Borrowed room(block);
    const Decision told = game_->decision_told(room->block, viewer);
    return knows_steps(room->block, viewer) ? with_steps(told, block) : told;
  }

  void list_options(const StateBlock& block, OptionList& out) const override {
    Borrowed room(block);
    list_paths(*room.operator->());
    const Tail tail = tail_of(block);
    room->met.assign(space_.size, false);
    const auto weights = room->options.weights();
    for (std::size_t i = 0; i < room->options.size(); ++i) {
      const auto path = path_of(*room.operator->(), i);
      if (!std::ranges::equal(path.first(tail.depth), tail.chosen())) continue;
      const std::uint32_t step = path[tail.depth];
      if (!weights.empty()) {
        out.add(Option{by_place + i}, weights[i]);
      } else if (step == no_action) {
        if (tail.depth == 0) out.add(Option{by_place + i});
      } else if (!room->met[step]) {
        room->met[step] = true;
        out.add(Option{step});
      }
    }
  }
  Applied apply(StateBlock& block, Option option, EventListener* listener) const override {
    Borrowed room(block);
    const auto meant = find(*room.operator->(), block, option);
    if (!meant.whole) {
      Tail tail = tail_of(block);
      tail.path[tail.depth++] = static_cast<std::uint32_t>(option.id);
      set_tail(block, tail);
      return {};
    }
    if (auto applied = game_->apply(room->block, *meant.whole, listener); !applied) return applied;
    keep(block, room->block);
    return {};
  }

  Outcome outcome(const StateBlock& block) const override {
    Borrowed room(block);
    return game_->outcome(room->block);
  }
  void returns(const StateBlock& block, std::span<std::int64_t> out) const override {
    Borrowed room(block);
    game_->returns(room->block, out);
  }
  bool standing(const StateBlock& block, std::span<std::int64_t> out) const override {
    Borrowed room(block);
    return game_->standing(room->block, out);
  }
  std::uint64_t hash(const StateBlock& block) const override {
    Borrowed room(block);
    std::uint64_t out = game_->hash(room->block);
    for (const Tail tail = tail_of(block); const std::uint32_t step : tail.chosen())
      out = mix(out ^ (step + 1));
    return out;
  }
  bool equal(const StateBlock& a, const StateBlock& b) const override {
    Borrowed one(a), two(b);
    const Tail first = tail_of(a), second = tail_of(b);
    return std::ranges::equal(first.chosen(), second.chosen()) &&
           game_->equal(one->block, two->block);
  }

  Json save_block(const StateBlock& block) const override {
    Borrowed room(block);
    Json steps = Json::array();
    for (const Tail tail = tail_of(block); const std::uint32_t step : tail.chosen())
      steps.push_back(step);
    return {{"whole", game_->save_block(room->block)}, {"steps", std::move(steps)}};
  }
  Applied load_block(const Json& saved, StateBlock& block) const override {
    const auto wrong = [](const char* what) {
      return tl::unexpected(Rejection{Code::STATE_INVALID, what});
    };
    if (!saved.is_object() || !saved.contains("whole") || !saved.contains("steps") ||
        !saved["steps"].is_array() || saved["steps"].size() >= steps_)
      return wrong("`whole` and the `steps` taken are missing");
    Borrowed room;
    room->block.resize(0);
    if (auto loaded = game_->load_block(saved["whole"], room->block); !loaded) return loaded;
    keep(block, room->block);
    for (const Json& step : saved["steps"]) {
      OptionList options;
      list_options(block, options);
      const bool known =
          step.is_number_unsigned() &&
          std::ranges::find(options, Option{step.get<std::uint64_t>()}) != options.end();
      if (!known || find(*room.operator->(), block, Option{step.get<std::uint64_t>()}).whole)
        return wrong("a step that was taken cannot be one");
      if (auto applied = apply(block, Option{step.get<std::uint64_t>()}, nullptr); !applied)
        return applied;
    }
    return {};
  }

  Json view(const StateBlock& block, const Viewer& viewer) const override {
    Borrowed room(block);
    Json out = game_->view(room->block, viewer);
    if (tail_of(block).depth != 0 && knows_steps(room->block, viewer)) {
      out["steps"] = Json::array();
      for (const Tail tail = tail_of(block); const std::uint32_t step : tail.chosen())
        out["steps"].push_back(game_->action_name(step));
    }
    return out;
  }
  std::string describe(const StateBlock& block, const Viewer& viewer) const override {
    Borrowed room(block);
    std::string out = game_->describe(room->block, viewer);
    if (knows_steps(room->block, viewer))
      for (const Tail tail = tail_of(block); const std::uint32_t step : tail.chosen())
        out += fmt::format("chosen: {}\n", game_->action_name(step));
    return out;
  }
  std::string option_text(const StateBlock& block, Option option,
                          const Viewer& viewer) const override {
    Borrowed room(block);
    const auto meant = find(*room.operator->(), block, option);
    return meant.at_once ? game_->option_text(room->block, *meant.whole, viewer)
                         : game_->action_name(option.id);
  }
  std::string option_label(const StateBlock& block, Option option,
                           const Viewer& viewer) const override {
    Borrowed room(block);
    const auto meant = find(*room.operator->(), block, option);
    return meant.at_once ? game_->option_label(room->block, *meant.whole, viewer)
                         : game_->action_name(option.id);
  }
  ChoiceTold choice_told(const StateBlock& before, Option option, const StateBlock& after,
                         const Viewer& viewer) const override {
    Borrowed room(before), later(after);
    const auto meant = find(*room.operator->(), before, option);
    if (meant.whole) return game_->choice_told(room->block, *meant.whole, later->block, viewer);
    if (!knows_steps(room->block, viewer)) return {.label = {}, .hidden = true};
    return {.label = game_->action_name(option.id), .hidden = false};
  }
  std::string value_label(const StateBlock& block, const Json& value,
                          const Viewer& viewer) const override {
    Borrowed room(block);
    return game_->value_label(room->block, value, viewer);
  }
  std::string question(const StateBlock& block, const Viewer& viewer) const override {
    Borrowed room(block);
    return tail_of(block).depth == 0 ? game_->question(room->block, viewer) : "";
  }
  Json option_json(const StateBlock& block, Option option, const Viewer& viewer) const override {
    Borrowed room(block);
    const auto meant = find(*room.operator->(), block, option);
    if (meant.at_once) return game_->option_json(room->block, *meant.whole, viewer);
    const std::string name = game_->action_name(option.id);
    if (tail_of(block).depth == 0) return {{"action", name}, {"params", Json::object()}};
    return {{"value", name}};
  }
  std::optional<Rejection> why_not(const StateBlock& block, const Json& request,
                                   const Viewer& viewer) const override {
    // A step is legal by itself; of whole actions the game knows better what is wrong.
    auto refused = Game::why_not(block, request, viewer);
    if (!refused || tail_of(block).depth != 0) return refused;
    Borrowed room(block);
    return game_->why_not(room->block, request, viewer);
  }
  Json scene() const override { return game_->scene(); }
  Json stage(const StateBlock& block, const Viewer& viewer) const override {
    Borrowed room(block);
    return game_->stage(room->block, viewer);
  }
  Json selection(const StateBlock& block, const Viewer& viewer) const override {
    Borrowed room(block);
    return tail_of(block).depth == 0 ? game_->selection(room->block, viewer) : Json{};
  }

  std::vector<PlayerId> pending(const StateBlock& block) const override {
    Borrowed room(block);
    return game_->pending(room->block);
  }
  // Whoever has begun to choose goes on.
  bool let_decide(StateBlock& block, PlayerId player) const override {
    Borrowed room(block);
    if (tail_of(block).depth != 0 || !game_->let_decide(room->block, player)) return false;
    keep(block, room->block);
    return true;
  }
  // Who does not know what was chosen so far gets a world in which nothing was.
  void resample_hidden(StateBlock& block, const Viewer& viewer, Rng& rng) const override {
    Borrowed room(block);
    Tail tail = tail_of(block);
    if (game_->info().hidden_information && !knows_steps(room->block, viewer)) tail = {};
    game_->resample_hidden(room->block, viewer, rng);
    keep(block, room->block);
    set_tail(block, tail);
  }

  ActionSpace action_space() const override { return space_; }
  void action_indices(const StateBlock& block, const OptionList& options,
                      std::span<std::uint32_t> out) const override {
    const bool chance = !options.weights().empty();
    for (std::size_t i = 0; i < options.size(); ++i)
      out[i] = chance                      ? static_cast<std::uint32_t>(i)
               : options[i].id >= by_place ? no_action
                                           : static_cast<std::uint32_t>(options[i].id);
    static_cast<void>(block);
  }
  std::string action_name(std::size_t index) const override { return game_->action_name(index); }
  std::optional<std::size_t> action_named(std::string_view name) const override {
    return game_->action_named(name);
  }
  std::span<const TensorPart> tensor_parts() const override { return parts_; }
  void observe(const StateBlock& block, PlayerId viewer, std::span<float> out) const override {
    Borrowed room(block);
    game_->observe(room->block, viewer, out.first(seen_));
    std::ranges::fill(out.subspan(seen_), 0.0F);
    if (parts_.empty() || game_->decision(room->block).player != viewer) return;
    for (const Tail tail = tail_of(block); const std::uint32_t step : tail.chosen())
      out[seen_ + step] = 1;
  }

  std::vector<OfferedRule> offered_rules() const override { return game_->offered_rules(); }
  std::vector<HookPoint> hook_points() const override { return game_->hook_points(); }
  Json parts() const override { return game_->parts(); }
  std::string listing() const override { return game_->listing(); }

 private:
  struct Meant {
    std::optional<Option> whole;  // what is done; nothing: there are more steps
    bool at_once = false;         // by this one step
  };

  // The game's own block, with nothing chosen yet.
  static void keep(StateBlock& block, const StateBlock& own) {
    block.resize(own.size() + sizeof(Tail));
    std::memcpy(block.data(), own.data(), own.size());
    set_tail(block, Tail{});
  }
  static Decision with_steps(Decision decision, const StateBlock& block) {
    if (tail_of(block).depth == 0) return decision;
    decision.kind = DecisionKind::choose_one;
    decision.starts_move = false;
    return decision;
  }
  bool knows_steps(const StateBlock& own, const Viewer& viewer) const {
    return viewer.sees_all() || viewer.is(game_->decision(own).player);
  }
  void list_paths(Room& room) const {
    room.options.clear();
    game_->list_options(room.block, room.options);
    room.paths.resize(room.options.size() * steps_);
    game_->action_paths(room.block, room.options, room.paths);
  }
  std::span<const std::uint32_t> path_of(const Room& room, std::size_t option) const {
    return std::span(room.paths).subspan(option * steps_, steps_);
  }
  Meant find(Room& room, const StateBlock& block, Option option) const {
    list_paths(room);
    const Tail tail = tail_of(block);
    if (option.id >= by_place)
      return {room.options[static_cast<std::size_t>(option.id - by_place)], true};
    for (std::size_t i = 0; i < room.options.size(); ++i) {
      const auto path = path_of(room, i);
      if (path[tail.depth] != option.id ||
          !std::ranges::equal(path.first(tail.depth), tail.chosen()))
        continue;
      const bool last = tail.depth + 1 == steps_ || path[tail.depth + 1] == no_action;
      if (last) return {room.options[i], tail.depth == 0};
      break;
    }
    return {};
  }

  std::shared_ptr<const Game> game_;
  ActionSpace space_;
  std::size_t steps_;
  std::vector<TensorPart> parts_;
  std::size_t seen_ = 0;
};

}  // namespace

std::shared_ptr<const Game> stepwise(std::shared_ptr<const Game> game) {
  if (game->action_steps() < 2 || game->action_steps() > most_steps) return game;
  return std::make_shared<const Stepwise>(std::move(game));
}

const Game& behind_steps(const Game& game) {
  const auto* steps = dynamic_cast<const Stepwise*>(&game);
  return steps == nullptr ? game : steps->whole();
}

}  // namespace parlor
