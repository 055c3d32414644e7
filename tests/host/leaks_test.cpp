// Nothing that a table says tells a viewer more than the rules do (S-91, S-11, S-12, S-18).
//
// Two tables are begun in two worlds that a viewer cannot tell apart, everything else being the
// same, and the same is done at both. As long as the viewer sees the same, every byte they are sent
// must be the same. Servers broken on purpose, each of which leaks one thing, must be caught.
#include "host/simulation.h"

namespace parlor::test {
namespace {

// Every shipped game that hides something.
std::vector<std::string> hiding_games() {
  std::vector<std::string> out;
  for (const std::string& name : test_catalog().names())
    if (test_catalog().open(name, {}).value()->info().hidden_information) out.push_back(name);
  return out;
}

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
    encode_here = encode;
  }
  static Caller seat(std::size_t i) { return {std::nullopt, sha256(std::to_string(i)), {}}; }

  // What a request is answered goes the same way as frames.
  void note(const ClientPtr& client, Json answer, const char* kind) const {
    answer["t"] = kind;
    client->texts.push_back(encode_here == encode_leaking ? leaking(answer) : canonical(answer));
  }
  // Asks whatever can be asked, does what is refused, and acts.
  void go_on(std::size_t actor, std::size_t option) {
    truth = &truth_here;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const int number = i + 1 < clients.size() ? static_cast<int>(i) : nobody;
      const Caller caller = number < 0 ? Caller{} : seat(i);
      world.at("t", {}, [&](Room& room) {
        room.why(clients[i], number, "w", {{"action", "nosuch"}});
        room.why(clients[i], number, "v", {{"index", 9999}});
        room.why(clients[i], number, "u", {{"index", 0}});
        if (number >= 0) {
          room.act(clients[i], PlayerId{number}, {"bad", clients[i]->rev, {{"index", 9999}}, 0});
          room.act(clients[i], PlayerId{number}, {"old", clients[i]->rev + 7, {{"index", 0}}, 0});
          room.offer(clients[i], PlayerId{number}, OfferKind::undo);
        }
        if (const auto log = room.log_for(caller, 0)) note(clients[i], *log, "log");
        const auto replay = room.replay(caller);
        note(clients[i], {{"answer", replay ? *replay : replay.error().message}}, "replay");
        note(clients[i], {{"facts", wire::to_json(room.facts())}}, "table");
      });
    }
    world.act("t", clients[actor], static_cast<int>(actor), option,
              "a" + std::to_string(clients[actor]->rev));
  }
  // Whose turn it is, and how many options they have.
  std::optional<std::pair<std::size_t, std::size_t>> turn() const {
    for (std::size_t i = 0; i + 1 < clients.size(); ++i)
      if (clients[i]->decision.is_object() && clients[i]->decision.contains("options"))
        return std::pair{i, clients[i]->decision["options"].size()};
    return std::nullopt;
  }

  State truth_here;
  Simulation world;
  std::vector<ClientPtr> clients;
  Encode encode_here = nullptr;
};

// The first difference in what the viewer is told in two worlds that look the same to them, from
// the beginning and for a few acts, as long as they look the same.
std::string find_difference(const std::shared_ptr<const Game>& game, const State& state,
                            std::size_t viewer, Encode encode, Rng& rng) {
  constexpr int acts = 3;
  const std::size_t players = game->info().players;
  const Viewer eyes = viewer < players ? Viewer::player(PlayerId{viewer}) : Viewer::observer();
  State other = state;
  game->resample_hidden(other.block(), eyes, rng);
  World here{game, state, encode};
  World there{game, other, encode};
  const Client& a = *here.clients[viewer];
  const Client& b = *there.clients[viewer];
  std::size_t compared = 0;
  const auto compare = [&]() -> std::string {
    for (; compared < std::min(a.texts.size(), b.texts.size()); ++compared)
      if (a.texts[compared] != b.texts[compared])
        return a.texts[compared] + "\n" + b.texts[compared];
    return a.texts.size() == b.texts.size() ? "" : "a different number of frames";
  };
  // What the rules show may differ from now on.
  const auto look_alike = [&] {
    const Json *x = a.last("update"), *y = b.last("update");
    if (x == nullptr || y == nullptr) return x == y;
    return a.state == b.state && (*x)["events"] == (*y)["events"] && (*x)["label"] == (*y)["label"];
  };
  for (int n = 0; n < acts; ++n) {
    if (auto found = compare(); !found.empty()) return found;
    const auto mine = here.turn(), theirs = there.turn();
    if (!mine || !theirs || mine->first != theirs->first) break;
    const std::size_t option = rng.below(std::min(mine->second, theirs->second));
    here.go_on(mine->first, option);
    there.go_on(mine->first, option);
    if (!look_alike()) return {};
  }
  return compare();
}

std::string search(const std::string& name, Encode encode, std::uint64_t seed, int revisions) {
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
  const auto games = hiding_games();
  EXPECT_GE(games.size(), 4u);
  for (const std::string& name : games)
    for (std::uint64_t seed = 1; seed <= thorough(2u); ++seed)
      EXPECT_EQ(search(name, wire::encode, seed, 6), "") << name;
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

// One number that depends on everything, hidden or not.
std::uint64_t of_everything() {
  return truth->hash();
}
std::string with_if(const Json& frame, bool here, const char* key, const Json& value) {
  return canonical(here ? with(frame, key, value) : frame);
}

const std::vector<Broken> broken_servers{
    {"the hash of the state",
     [](const Json& f) { return with_if(f, is_kind(f, "sync"), "hash", of_everything()); }},
    {"the hash of the state as viewHash",
     [](const Json& f) {
       return with_if(f, is_kind(f, "sync"), "viewHash", std::to_string(of_everything()));
     }},
    {"what an act was about, whoever may know it",
     [](const Json& f) { return with_if(f, is_kind(f, "update"), "params", truth->save()); }},
    {"the names of tokens nobody may see",
     [](const Json& f) { return with_if(f, is_kind(f, "update"), "tokens", all_of_it()); }},
    {"how many options somebody has, which depends on what they hold",
     [](const Json& f) { return with_if(f, is_kind(f, "sync"), "options", of_everything() % 5); }},
    {"a time that depends on what is hidden",
     [](const Json& f) {
       return with_if(f, is_kind(f, "welcome"), "now", of_everything() % 1000);
     }},
    {"the whole log",
     [](const Json& f) { return with_if(f, is_kind(f, "log"), "start", truth->save()); }},
    {"a replay of a game that goes on",
     [](const Json& f) { return with_if(f, is_kind(f, "replay"), "answer", truth->save()); }},
    {"the values that a condition saw",
     [](const Json& f) { return with_if(f, is_kind(f, "why"), "saw", of_everything() & 255); }},
    {"everything, to those who watch",
     [](const Json& f) {
       return with_if(f, is_kind(f, "welcome") && f["you"].is_null(), "all", all_of_it());
     }},
    {"what would be taken back",
     [](const Json& f) {
       const bool undo = is_kind(f, "reject") && f["error"]["code"] == "UNDO_NOT_ALLOWED";
       return with_if(f, undo, "state", all_of_it());
     }},
    {"the whole state",
     [](const Json& f) {
       return with_if(f, is_kind(f, "sync"), "state", Json::parse(all_of_it()));
     }},
    {"the length of a frame",
     [](const Json& f) {
       return canonical(f) + std::string(is_kind(f, "reject") ? of_everything() % 7 : 0, ' ');
     }},
    {"what another seat sees",
     [](const Json& f) {
       return with_if(f, is_kind(f, "sync") && !f["state"].is_null(), "others",
                      canonical(truth->view(Viewer::player(PlayerId{1}))));
     }},
    {"something in the facts of the table",
     [](const Json& f) { return with_if(f, is_kind(f, "table"), "about", all_of_it()); }}};

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
  for (const std::string& name : hiding_games()) {
    if (test_catalog().open(name, {}).value()->info().players != 2) continue;
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
