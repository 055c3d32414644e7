#include "secrecy/sessions.h"

#include <fmt/core.h>
#include <stdexcept>

namespace parlor::test {
namespace {

using table::ActionEnvelope;
using table::Deed;
using table::Session;

Session begin(const std::shared_ptr<const Game>& game, const std::string& name,
              const State& start) {
  table::SessionConfig config{.id = "s", .game = name, .seed = 1};
  config.options.explicit_chance = game->info().explicit_chance;
  config.start = start.save();  // a secret of the log, like the seed
  auto session = Session::create(game, config, [] { return table::Time{1}; });
  if (!session) throw std::runtime_error(session.error().message);
  return std::move(*session);
}

ActionEnvelope envelope(std::string id, PlayerId actor, Json content, Deed deed = Deed::act) {
  return {.session = "s",
          .action_id = std::move(id),
          .actor = actor,
          .deed = deed,
          .content = std::move(content)};
}

// Two sessions that look the same to a viewer so far.
class Pair {
 public:
  Pair(const std::shared_ptr<const Game>& game, const std::string& name, const State& state,
       const State& other, Viewer viewer, const MakeDoor& make)
      : game_(game),
        make_(make),
        viewer_(std::move(viewer)),
        one_(make(begin(game, name, state))),
        other_(make(begin(game, name, other))) {}

  // Chance before the first decision may have shown different things already.
  bool look_the_same() const {
    const auto a = knowledge(one_->session()), b = knowledge(other_->session());
    return a == b &&
           one_->session().state().view(viewer_) == other_->session().state().view(viewer_);
  }
  AlikeSessions sessions() const { return {one_->session(), other_->session()}; }
  const State& first() const { return one_->session().state(); }
  bool over() const { return one_->session().over() || other_->session().over(); }

  std::optional<Leak> compare() const { return compare_told(*one_, *other_); }
  // The same, of sessions made again from their records; and what is answered to requests.
  std::optional<Leak> compare_thoroughly() {
    if (auto leak = compare_restored()) return leak;
    return viewer_.id().is_none() ? std::nullopt : compare_requests();
  }

  // The same decision in both, or one that looks the same. False: they part here.
  bool go_on(std::size_t pick, std::optional<Leak>& leak) {
    const State& state = one_->session().state();
    const PlayerId actor = state.decision().player;
    OptionList options;
    state.list_options(options);
    const bool own = viewer_.is(actor);
    const Json content = own ? state.option_json(options[pick], viewer_) : Json{{"index", pick}};
    const ActionEnvelope mine = envelope(fmt::format("a{}", decisions_++), actor, content);
    const auto tried = try_out(*one_, mine);
    if (!tried) return false;
    const auto theirs = own ? try_other(mine, *tried) : find_like(mine, *tried);
    if (!theirs) return false;
    const Json answer = one_->act(mine), answers = other_->act(*theirs);
    if (own && answer != answers)
      leak = Leak{"answer", canonical(answer) + " or " + canonical(answers)};
    return true;
  }

 private:
  static constexpr std::size_t most_tried = 24;  // options of somebody else, to find one like it

  State knowledge(const Session& session) const {
    return follow(session.state(), {}, viewer_)->knowledge;
  }
  // What the game tells of it, in words too, found without the help of the session that is tested.
  struct Tried {
    Followed followed;
    ChoiceTold told;
    bool looks_like(const Tried& other) const {
      return told == other.told && followed.looks_like(other.followed);
    }
  };
  std::optional<Tried> try_out(const Door& door, const ActionEnvelope& what) const {
    Session trial = door.session();
    State before = trial.state();
    if (!what.actor.is_none()) trial.game().let_decide(before.block(), what.actor);
    const auto answer = trial.act(what);
    if (!answer || answer->repeated) return std::nullopt;
    const std::vector<Option>& options = trial.log().back().options;
    auto followed = follow(before, options, viewer_);
    if (!followed || options.empty()) return std::nullopt;
    State after = before;
    if (!after.apply(options.front())) return std::nullopt;
    ChoiceTold told =
        before.game().choice_told(before.block(), options.front(), after.block(), viewer_);
    return Tried{std::move(*followed), std::move(told)};
  }
  std::optional<ActionEnvelope> try_other(const ActionEnvelope& what, const Tried& tried) {
    const auto there = try_out(*other_, what);
    if (!there || !there->looks_like(tried)) return std::nullopt;
    return what;
  }
  // In the other world somebody else may do something else that looks the same.
  std::optional<ActionEnvelope> find_like(const ActionEnvelope& what, const Tried& tried) {
    OptionList options;
    other_->session().state().list_options(options);
    for (std::size_t i = 0; i < std::min(options.size(), most_tried); ++i) {
      ActionEnvelope theirs = what;
      theirs.content = {{"index", i}};
      if (const auto there = try_out(*other_, theirs); there && there->looks_like(tried))
        return theirs;
    }
    return std::nullopt;
  }

  std::optional<Leak> compare_told(const Door& a, const Door& b) const {
    const auto differ = [](const char* where, const Json& x, const Json& y) {
      return x == y ? std::nullopt
                    : std::optional(Leak{where, canonical(x) + "\nor " + canonical(y)});
    };
    if (auto leak = differ("observation", a.observation(viewer_), b.observation(viewer_)))
      return leak;
    if (auto leak = differ("ending", a.ending(viewer_), b.ending(viewer_))) return leak;
    const auto &mine = a.session().log(), &theirs = b.session().log();
    if (mine.size() != theirs.size()) return Leak{"log", "of another length"};
    for (std::size_t i = 0; i < mine.size(); ++i) {
      if (auto leak = differ("events", a.events(mine[i], viewer_), b.events(theirs[i], viewer_)))
        return leak;
      if (auto leak = differ("log", a.entry(mine[i], viewer_), b.entry(theirs[i], viewer_)))
        return leak;
    }
    return std::nullopt;
  }
  // Made again from their records, as after a night in a store: the log is replayed.
  std::optional<Leak> compare_restored() const {
    const auto again = [&](const Door& door) {
      auto session =
          Session::restore(game_, door.session().record(), [] { return table::Time{1}; });
      if (!session) throw std::runtime_error(session.error().message);
      return make_(std::move(*session));
    };
    auto leak = compare_told(*again(*one_), *again(*other_));
    if (leak) leak->where = "replay: " + leak->where;
    return leak;
  }

  // What the viewer may try, legal, illegal or nonsense, answered on copies.
  std::optional<Leak> compare_requests() {
    std::vector<ActionEnvelope> all;
    for (const Json& request : probing_requests(one_->session().state()))
      all.push_back(envelope("probe", viewer_.id(), request));
    for (const Deed deed : {Deed::undo, Deed::redo})
      all.push_back(envelope("probe", viewer_.id(), Json::object(), deed));
    ActionEnvelope late = envelope("probe", viewer_.id(), {{"index", 0}});
    late.expected_revision = 99;
    all.push_back(late);
    for (const auto& entry : one_->session().log()) {  // said again, by whoever looks
      all.push_back(envelope(entry.action_id, viewer_.id(), {{"index", 0}}));
      if (viewer_.is(entry.actor))
        all.push_back(envelope(entry.action_id, viewer_.id(), entry.content));
    }
    for (const ActionEnvelope& what : all) {
      const auto a = make_(one_->session()), b = make_(other_->session());
      const auto here = try_out(*a, what), there = try_out(*b, what);
      // Made in both, it may rightly show different things.
      if (here && there && what.deed == Deed::act && !here->looks_like(*there)) continue;
      const Json mine = a->act(what), theirs = b->act(what);
      if (mine != theirs)
        return Leak{"request",
                    canonical(what.content) + ": " + canonical(mine) + "\nor " + canonical(theirs)};
    }
    return std::nullopt;
  }

  std::shared_ptr<const Game> game_;
  MakeDoor make_;
  Viewer viewer_;
  std::unique_ptr<Door> one_, other_;
  int decisions_ = 0;
};

}  // namespace

Json Door::act(const ActionEnvelope& envelope) {
  const auto answer = session_.act(envelope);
  if (!answer) return {{"refused", to_json(answer.error())}};
  return {{"revision", answer->revision},
          {"events", answer->events},
          {"viewHash", answer->view_hash},
          {"repeated", answer->repeated}};
}

Json Door::ending(const Viewer&) const {
  const auto ending = session_.ending();
  return ending ? table::to_json(*ending) : Json(nullptr);
}

std::unique_ptr<Door> plain_door(Session session) {
  return std::make_unique<Door>(std::move(session));
}

namespace {

// Some decision that looks the same in both, if there is one. False: whatever is tried, they part.
bool go_on_together(Pair& pair, Rng& rng, std::optional<Leak>& leak) {
  OptionList options;
  pair.first().list_options(options);
  const std::size_t first = rng.below(options.size());
  const std::size_t most = std::min<std::size_t>(options.size(), 8);
  for (std::size_t n = 0; n < most; ++n)
    if (pair.go_on((first + n) % options.size(), leak)) return true;
  return false;
}

}  // namespace

std::optional<AlikeSessions> play_alike(const std::shared_ptr<const Game>& game,
                                        const std::string& name, const State& state,
                                        const Viewer& viewer, Rng& rng, int decisions) {
  State other = state;
  game->resample_hidden(other.block(), viewer, rng);
  Pair pair{game, name, state, other, viewer, plain_door};
  if (!pair.look_the_same()) return std::nullopt;
  std::optional<Leak> leak;
  for (int n = 0; n < decisions && !pair.over(); ++n)
    if (!go_on_together(pair, rng, leak)) break;
  return pair.sessions();
}

std::optional<Leak> find_session_leak(const std::shared_ptr<const Game>& game, const State& state,
                                      const Viewer& viewer, Rng& rng, SessionSearch& search,
                                      const MakeDoor& make) {
  State other = state;
  game->resample_hidden(other.block(), viewer, rng);
  Pair pair{game, game->info().id, state, other, viewer, make};
  if (!pair.look_the_same()) return std::nullopt;
  ++search.pairs;
  if (auto leak = pair.compare()) return leak;
  if (auto leak = pair.compare_thoroughly()) return leak;
  int n = 0;
  for (; n < search.decisions && !pair.over(); ++n, ++search.shared) {
    if (n > 0)
      if (auto leak = pair.compare()) return leak;
    std::optional<Leak> leak;
    if (!go_on_together(pair, rng, leak)) break;
    if (leak) return leak;
  }
  if (n == 0) return std::nullopt;
  if (auto leak = pair.compare()) return leak;
  return pair.compare_thoroughly();
}

}  // namespace parlor::test
