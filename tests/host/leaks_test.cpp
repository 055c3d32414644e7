// Nothing that a table says tells a viewer more than the rules do (S-91, S-11, S-12, S-18).
//
// Two tables are begun in two worlds that a viewer cannot tell apart, everything else being the
// same, and the same is done at both. As long as the viewer sees the same, every byte they are sent
// must be the same. Servers broken on purpose, each of which leaks one thing, must be caught.
#include "host/simulation.h"

namespace parlor::test {
namespace {

constexpr const char* hiding_games[] = {"kuhn-poker", "leduc-poker", "market", "texas-holdem"};

// What a broken server says too much; it knows the true state of the table that speaks.
const State* truth = nullptr;
std::string (*leaking)(const Json& frame) = nullptr;

std::string encode_leaking(const Told& told) {
  return leaking(Json::parse(wire::encode(told)));
}

// A table in the middle of a game, as an archive has it.
struct World {
  World(const std::shared_ptr<const Game>& game, const State& state, Encode encode)
      : truth_here(state), world({}, memory_archive(), encode) {
    const std::size_t players = game->info().players;
    TableRow row{.id = "t", .config = {}, .state = TableState::playing, .creator = "h"};
    row.config.game = game->info().id;
    row.config.options.players = players;
    row.config.reveal = false;
    for (std::size_t i = 0; i < players; ++i)
      row.seats.push_back({SeatKind::human, "h", "p", "", sha256(std::to_string(i)), true});
    table::SessionConfig config{.id = "t", .game = row.config.game, .options = row.config.options};
    config.start = state.save();
    // What a saved state is begun with is a secret of the log; both worlds have the same seed.
    const auto session = table::Session::create(game, config, [] { return Time{1}; });
    const std::vector<Group> groups{{PutTable{row}, BeginLog{"t", session.value().record()}}};
    EXPECT_TRUE(world.archive->write(groups).front());
    truth = &truth_here;
    for (std::size_t i = 0; i < players; ++i) clients.push_back(world.join("t", seat(i)));
    clients.push_back(world.join("t", {}, true));
  }
  static Caller seat(std::size_t i) { return {std::nullopt, sha256(std::to_string(i)), {}}; }

  // Asks, does what is refused, and acts.
  void go_on(std::size_t actor, std::size_t option) {
    truth = &truth_here;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const int number = i + 1 < clients.size() ? static_cast<int>(i) : nobody;
      world.at("t", {}, [&](Room& room) {
        room.why(clients[i], number, "w", {{"action", "nosuch"}});
        room.why(clients[i], number, "v", {{"index", 9999}});
        if (number >= 0)
          room.act(clients[i], PlayerId{number}, {"bad", clients[i]->rev, {{"index", 9999}}, 0});
        if (const auto log = room.log_for(number < 0 ? Caller{} : seat(i), 0))
          clients[i]->texts.push_back(canonical(*log));
      });
    }
    world.act("t", clients[actor], static_cast<int>(actor), option, "a");
  }

  State truth_here;
  Simulation world;
  std::vector<ClientPtr> clients;
};

// The first difference in what the viewer is told in two worlds that look the same to them.
std::string find_difference(const std::shared_ptr<const Game>& game, const State& state,
                            std::size_t viewer, Encode encode, Rng& rng) {
  const std::size_t players = game->info().players;
  const Viewer eyes = viewer < players ? Viewer::player(PlayerId{viewer}) : Viewer::observer();
  State other = state;
  game->resample_hidden(other.block(), eyes, rng);
  OptionList options;
  state.list_options(options);
  const std::size_t actor = state.decision().player.index();
  const std::size_t option = rng.below(options.size());
  World here{game, state, encode};
  World there{game, other, encode};
  const auto compare = [&](std::size_t from) -> std::string {
    const auto& a = here.clients[viewer]->texts;
    const auto& b = there.clients[viewer]->texts;
    for (std::size_t i = from; i < std::min(a.size(), b.size()); ++i)
      if (a[i] != b[i]) return a[i] + "\n" + b[i];
    return a.size() == b.size() ? "" : "a different number of frames";
  };
  if (auto found = compare(0); !found.empty()) return found;
  const std::size_t before = here.clients[viewer]->texts.size();
  here.go_on(actor, option);
  there.go_on(actor, option);
  // Both must look the same afterwards too: what the rules show may differ from now on.
  const auto same = [&] {
    const Client& a = *here.clients[viewer];
    const Client& b = *there.clients[viewer];
    const Json *x = a.last("update"), *y = b.last("update");
    if (x == nullptr || y == nullptr) return x == y;
    return a.state == b.state && (*x)["events"] == (*y)["events"] && (*x)["label"] == (*y)["label"];
  };
  return same() ? compare(before) : std::string{};
}

std::string search(const char* name, Encode encode, std::uint64_t seed, int revisions) {
  const auto game = test_catalog().open(name, {}).value();
  Rng rng{seed};
  State state = game->start(seed).value();
  OptionList options;
  for (int n = 0; n < revisions && !state.finished(); ++n) {
    for (std::size_t viewer = 0; viewer <= game->info().players; ++viewer)
      if (auto found = find_difference(game, state, viewer, encode, rng); !found.empty())
        return found;
    state.list_options(options);
    if (!state.apply(options[draw_option(options, rng)])) break;
  }
  return {};
}

TEST(Leaks, ThereAreNoneInWhatATableSays_S91) {
  for (const char* name : hiding_games)
    for (std::uint64_t seed = 1; seed <= 2; ++seed)
      EXPECT_EQ(search(name, wire::encode, seed, 8), "") << name;
}

// ---- Servers broken on purpose.

using Break = std::string (*)(const Json& frame);
struct Broken {
  const char* what;
  Break leak;
};

Json with(Json frame, const char* key, Json value) {
  frame[key] = std::move(value);
  return frame;
}
bool is_kind(const Json& frame, const char* kind) {
  return frame["t"] == kind;
}
std::string all_of_it() {
  return canonical(truth->view(Viewer::everything()));
}

const std::vector<Broken> broken_servers{
    {"the hash of the state in a sync",
     [](const Json& f) {
       return canonical(is_kind(f, "sync") ? with(f, "hash", truth->hash()) : f);
     }},
    {"the hash of the state as viewHash",
     [](const Json& f) {
       return canonical(is_kind(f, "sync") ? with(f, "viewHash", std::to_string(truth->hash()))
                                           : f);
     }},
    {"the whole state",
     [](const Json& f) {
       return canonical(is_kind(f, "sync") ? with(f, "state", Json::parse(all_of_it())) : f);
     }},
    {"the first byte of a hash in an answer to why",
     [](const Json& f) {
       return canonical(is_kind(f, "why") ? with(f, "cost", truth->hash() & 255) : f);
     }},
    {"a time that depends on what is hidden",
     [](const Json& f) {
       return canonical(is_kind(f, "welcome")
                            ? with(f, "now", std::hash<std::string>{}(all_of_it()) % 1000)
                            : f);
     }},
    {"the number of frames",
     [](const Json& f) {
       return is_kind(f, "reject") ? canonical(f) + std::string(truth->hash() % 7, ' ')
                                   : canonical(f);
     }},
    {"the saved state",
     [](const Json& f) {
       return canonical(is_kind(f, "welcome") ? with(f, "save", truth->save()) : f);
     }},
    {"somebody's options",
     [](const Json& f) {
       if (!is_kind(f, "sync") || f["state"].is_null()) return canonical(f);
       return canonical(with(f, "others", canonical(truth->view(Viewer::player(PlayerId{1})))));
     }},
    {"a token's name in the label",
     [](const Json& f) {
       return canonical(is_kind(f, "update") ? with(f, "why", all_of_it().substr(0, 4000)) : f);
     }},
    {"something in the refusal", [](const Json& f) {
       return canonical(is_kind(f, "reject") ? with(f, "details", all_of_it()) : f);
     }}};

TEST(Leaks, OfServersBrokenOnPurposeAreFound_S91) {
  ASSERT_GE(broken_servers.size(), 10u);
  Client::believes = false;
  for (const Broken& broken : broken_servers) {
    leaking = broken.leak;
    bool caught = false;
    for (std::uint64_t seed = 1; seed <= 4 && !caught; ++seed)
      caught = !search("leduc-poker", encode_leaking, seed, 6).empty();
    EXPECT_TRUE(caught) << broken.what;
  }
  Client::believes = true;
}

TEST(Leaks, NoFrameHasTheHashOrTheSeedOfAGameThatGoesOn_S12_S33) {
  for (const char* name : hiding_games) {
    Match match{{{"game", name}}};
    for (int n = 0; n < 6; ++n)
      for (int seat = 0; seat < 2; ++seat)
        if (match.clients[static_cast<std::size_t>(seat)]->decision.is_object() &&
            match.clients[static_cast<std::size_t>(seat)]->decision.contains("options"))
          match.act(seat, 0);
    for (const ClientPtr& client : match.clients)
      for (const Json& frame : client->frames) {
        if (frame["t"] == "over") continue;
        EXPECT_FALSE(frame.contains("hash"));
        EXPECT_FALSE(frame.contains("seed"));
        if (frame.contains("state") && frame["state"].is_object()) {
          EXPECT_FALSE(frame["state"].contains("hash"));
        }
      }
  }
}

}  // namespace
}  // namespace parlor::test
