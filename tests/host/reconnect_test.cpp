// Whoever is cut off and comes back ends where one ends who never left (S-43), for players and
// those who watch; and views sent in pieces are the whole views (S-44).
#include <rapidcheck.h>

#include "host/simulation.h"

namespace parlor::test {
namespace {

// Plays at random; one client a seat, and one who watches, are cut off and join again with what
// they have, at random moments.
void play_with_cuts(const std::string& game, std::uint64_t seed) {
  Match match{{{"game", game}}, Settings{}};
  Rng rng{seed};
  std::array<ClientPtr, 3> cut{match.world.join(match.id, match.seats[0].caller()),
                               match.world.join(match.id, match.seats[1].caller()),
                               match.world.join(match.id, {}, true)};
  const ClientPtr watcher = match.world.join(match.id, {}, true);
  std::array<bool, 3> away{};
  const auto caller = [&](std::size_t i) { return i < 2 ? match.seats[i].caller() : Caller{}; };
  const auto come_back = [&](std::size_t i) {
    // What a client has is its state and the last number; a new connection follows on from there.
    match.world.join(match.id, caller(i), i == 2, cut[i]->seq, cut[i]);
    away[i] = false;
  };
  for (int n = 0; n < 60 && match.world.facts(match.id).state == TableState::playing; ++n) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (rng.below(3) != 0) continue;
      if (away[i]) {
        come_back(i);
      } else {
        match.world.leave(match.id, cut[i]);
        away[i] = true;
      }
    }
    if (rng.below(10) == 0) match.world.advance(static_cast<Time>(rng.below(200'000)));
    for (std::size_t seat = 0; seat < 2; ++seat) {
      const Json& decision = match.clients[seat]->decision;
      if (!decision.is_object() || !decision.contains("options")) continue;
      match.act(static_cast<int>(seat), rng.below(decision["options"].size()));
      break;
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (!away[i]) match.world.leave(match.id, cut[i]);
    come_back(i);
    const ClientPtr& stayed = i < 2 ? match.clients[i] : watcher;
    EXPECT_EQ(canonical(cut[i]->state), canonical(stayed->state)) << game << " " << seed;
    EXPECT_EQ(canonical(cut[i]->decision), canonical(stayed->decision));
    EXPECT_EQ(cut[i]->rev, stayed->rev);
    // And one who comes for the first time sees the same.
    const ClientPtr fresh = match.world.join(match.id, caller(i), i == 2);
    EXPECT_EQ(canonical(fresh->state), canonical(stayed->state)) << game << " " << seed;
    EXPECT_EQ(fresh->view_hash, stayed->view_hash);
  }
}

TEST(Reconnecting, EndsWhereOneEndsWhoNeverLeft_S43_S44) {
  for (const char* game :
       {"connect-four", "texas-holdem", "chess", "backgammon", "market", "leduc-poker"})
    for (std::uint64_t seed = 1; seed <= rounds(3u); ++seed) play_with_cuts(game, seed);
}

TEST(Reconnecting, SendsOnlyWhatWasMissedWhileItIsStillThere_S43) {
  Match match;
  const std::uint64_t since = match.clients[1]->seq;
  match.world.leave(match.id, match.clients[1]);
  match.act(0, 0);
  const std::size_t before = match.clients[1]->count("sync");
  match.world.join(match.id, match.seats[1].caller(), false, since, match.clients[1]);
  EXPECT_EQ(match.clients[1]->count("sync"), before) << "the update was enough";
  EXPECT_EQ(match.clients[1]->rev, 1u);
  // Numbers that were never said get everything.
  const ClientPtr odd = match.world.join(match.id, match.seats[1].caller(), false, 999'999);
  EXPECT_EQ(odd->count("sync"), 1u);
}

}  // namespace
}  // namespace parlor::test
