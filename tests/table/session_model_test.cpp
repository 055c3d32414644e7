// Random things are done to a session and to a model of it that knows no shortcuts.
#include <algorithm>
#include <fmt/format.h>
#include <rapidcheck/gtest.h>

#include "table/ladder.h"
#include "table/session.h"

namespace parlor::table {
namespace {

Clock standing_still() {
  return [] { return Time{7}; };
}

// All it has are the acts in force after every revision, each named by the revision that made it.
struct Model {
  std::vector<std::vector<std::uint64_t>> in_force{{}};
  std::vector<std::uint64_t> to_redo;  // the next one last
  std::map<std::uint64_t, PlayerId> owner;
  bool ended = false;

  const std::vector<std::uint64_t>& now() const { return in_force.back(); }
  static bool begins(const std::vector<std::uint64_t>& part,
                     const std::vector<std::uint64_t>& whole) {
    return part.size() < whole.size() && std::equal(part.begin(), part.end(), whole.begin());
  }
  bool may(PlayerId actor, std::span<const std::uint64_t> acts,
           const std::vector<int>& agreed) const {
    return std::ranges::all_of(acts, [&](std::uint64_t act) {
      const PlayerId who = owner.at(act);
      return who == actor || std::ranges::find(agreed, int{who.value}) != agreed.end();
    });
  }
  void push(std::vector<std::uint64_t> acts) { in_force.push_back(std::move(acts)); }
};

class Both {
 public:
  Both() : session_(begin()) {}

  void act(int option, int actor_shift) {
    const Decision decision = session_.state().decision();
    if (session_.over()) return;
    const PlayerId actor{(decision.player.value + actor_shift) % Ladder::players};
    const bool accepted = send(actor, Deed::act, Json{{"index", option}});
    RC_ASSERT(accepted == (!model_.ended && actor_shift == 0));
    if (!accepted) return;
    auto acts = model_.now();
    acts.push_back(session_.revision());
    model_.owner[session_.revision()] = actor;
    model_.to_redo.clear();
    model_.push(std::move(acts));
  }

  void undo(int actor, std::optional<std::uint64_t> to, const std::vector<int>& agreed) {
    Json content{{"agreed", agreed}};
    if (to) content["to"] = *to;
    const auto now = model_.now();
    std::optional<std::vector<std::uint64_t>> target;
    if (!to && !now.empty()) target.emplace(now.begin(), now.end() - 1);
    if (to && *to < model_.in_force.size() && Model::begins(model_.in_force[*to], now))
      target = model_.in_force[*to];
    const bool fine = !model_.ended && target &&
                      model_.may(PlayerId{actor}, std::span{now}.subspan(target->size()), agreed);
    RC_ASSERT(send(PlayerId{actor}, Deed::undo, content) == fine);
    if (!fine) return;
    for (std::size_t i = now.size(); i-- > target->size();) model_.to_redo.push_back(now[i]);
    model_.push(std::move(*target));
  }

  void redo(int actor, const std::vector<int>& agreed) {
    const bool fine = !model_.ended && !model_.to_redo.empty() &&
                      model_.may(PlayerId{actor}, std::span{&model_.to_redo.back(), 1}, agreed);
    RC_ASSERT(send(PlayerId{actor}, Deed::redo, Json{{"agreed", agreed}}) == fine);
    if (!fine) return;
    auto acts = model_.now();
    acts.push_back(model_.to_redo.back());
    model_.to_redo.pop_back();
    model_.push(std::move(acts));
  }

  void resign(int actor) {
    const bool fine = !session_.over();
    RC_ASSERT(send(PlayerId{actor}, Deed::resign, Json::object()) == fine);
    if (!fine) return;
    model_.ended = true;
    model_.push(model_.now());
  }

  // Out and in again, with up to two of the snapshots taken so far.
  void restore(std::size_t first, std::size_t second) {
    Record record = session_.record();
    for (const std::size_t pick : {first, second})
      if (pick < snapshots_.size()) record.snapshots.push_back(snapshots_[pick]);
    auto again = Session::restore(game_, record, standing_still());
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->remarks().empty());
    RC_ASSERT(canonical(again->to_json()) == canonical(session_.to_json()));
    session_ = std::move(*again);
  }
  void snapshot() {
    if (session_.revision() > 0) snapshots_.push_back(session_.snapshot());
  }

  void compare() const {
    RC_ASSERT(session_.revision() + 1 == model_.in_force.size());
    RC_ASSERT(session_.undo_depth() == model_.now().size());
    RC_ASSERT(session_.redo_depth() == model_.to_redo.size());
    State state = begin().state();
    for (const std::uint64_t act : model_.now())
      for (const Option option : session_.log()[act - 1].options)
        RC_ASSERT(state.try_apply(option).has_value());
    RC_ASSERT(state == session_.state());
    RC_ASSERT(session_.over() == (model_.ended || state.finished()));
    RC_ASSERT(!find_damage(session_.record()));
  }

 private:
  Session begin() const {
    SessionConfig config;
    config.id = "s";
    config.game = "ladder";
    config.seed = 3;
    config.allow_undo = true;
    return Session::create(game_, config, standing_still()).value();
  }
  bool send(PlayerId actor, Deed deed, Json content) {
    const ActionEnvelope envelope{.session = "s",
                                  .action_id = fmt::format("{}", ++sent_),
                                  .actor = actor,
                                  .deed = deed,
                                  .content = std::move(content)};
    const Json before = session_.to_json();
    const auto answer = session_.act(envelope);
    if (!answer) {
      RC_ASSERT(session_.to_json() == before);
      return false;
    }
    const auto again = session_.act(envelope);
    RC_ASSERT(again.has_value() && again->repeated && again->revision == answer->revision);
    return true;
  }

  std::shared_ptr<const LadderGame> game_ = std::make_shared<LadderGame>();
  Session session_;
  Model model_;
  std::vector<Snapshot> snapshots_;
  int sent_ = 0;
};

struct Thing {
  int kind, a, b, c;
};
std::ostream& operator<<(std::ostream& out, const Thing& thing) {
  return out << fmt::format("{{{}, {}, {}, {}}}", thing.kind, thing.a, thing.b, thing.c);
}

void do_to(Both& both, const Thing& thing) {
  const std::vector<int> agreed = thing.c % 3 == 0   ? std::vector<int>{}
                                  : thing.c % 3 == 1 ? std::vector<int>{0, 1, 2}
                                                     : std::vector<int>{thing.b % 3};
  const int actor = thing.a % Ladder::players;
  if (thing.kind < 50)
    both.act(thing.a % 4, thing.b % 8 == 0 ? 1 : 0);
  else if (thing.kind < 62)
    both.undo(actor, std::nullopt, agreed);
  else if (thing.kind < 74)
    both.undo(actor, static_cast<std::uint64_t>(thing.b), agreed);
  else if (thing.kind < 88)
    both.redo(actor, agreed);
  else if (thing.kind < 92)
    both.snapshot();
  else if (thing.kind < 99)
    both.restore(static_cast<std::size_t>(thing.a), static_cast<std::size_t>(thing.b));
  else
    both.resign(actor);
}

// T-32, T-37: whatever is done, in whatever order, a session is what its acts in force make of it.
RC_GTEST_PROP(SessionModel, TheSessionIsWhatTheModelSays, ()) {
  const auto things = *rc::gen::container<std::vector<Thing>>(
      rc::gen::construct<Thing>(rc::gen::inRange(0, 100), rc::gen::inRange(0, 12),
                                rc::gen::inRange(0, 40), rc::gen::inRange(0, 6)));
  Both both;
  for (const Thing& thing : things) {
    do_to(both, thing);
    both.compare();
  }
}

// A long one, which lists made at random rarely are.
TEST(SessionModel, HoldsThroughALongEvening) {
  Rng rng{11};
  for (int round = 0; round < 8; ++round) {
    Both both;
    for (int i = 0; i < 150; ++i) {
      do_to(both, {static_cast<int>(rng.below(99)), static_cast<int>(rng.below(12)),
                   static_cast<int>(rng.below(150)), static_cast<int>(rng.below(6))});
      if (i % 10 == 0) both.compare();
    }
    both.compare();
  }
}

}  // namespace
}  // namespace parlor::table
