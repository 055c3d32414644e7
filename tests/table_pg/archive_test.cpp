// What the archive on PostgreSQL keeps, and whom it believes (S-50 … S-54).
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "host/secrets.h"
#include "open/open.h"
#include "source_dir.h"
#include "table/session.h"
#include "table_pg/private_cluster.h"

namespace parlor::test {
namespace {

using namespace host;

std::unique_ptr<table_pg::PgStore> open_node(const std::string& conninfo, const std::string& node) {
  auto made = table_pg::open({.conninfo = conninfo,
                              .node = node,
                              .address = node + ".example:1",
                              .lease_seconds = 60,
                              .fresh_key = "key of " + node});
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return made ? std::move(*made) : nullptr;
}

TableRow some_table(const std::string& id) {
  TableRow row{.id = id, .config = {}, .creator = "h", .created = 1'700'000'000'123};
  row.config.game = "connect-four";
  row.config.options.players = 2;
  row.config.clock = clock_rule_from_text("fischer:60+1").value();
  row.updated = row.created + 7;
  row.deadline = row.created + 60'001;
  row.invite_hash = sha256("invite");
  row.clock = {{"sides", Json::array()}};
  row.seats = {{SeatKind::human, "h", "ann", "", sha256("t"), true},
               {SeatKind::bot, "", "", "random", "", true}};
  return row;
}

Applied keep(Archive& archive, Group group) {
  const std::vector<Group> groups{std::move(group)};
  return archive.write(groups).front();
}

// A game of two moves, as a table has it.
struct Played {
  Played() {
    static const Catalog catalog = open::catalog(open::Files::none);
    const auto game = catalog.open("connect-four", {}).value();
    session.emplace(
        table::Session::create(game, {.id = "t", .game = "connect-four", .seed = 5}, [] {
          return Time{9};
        }).value());
    begun = session->record();
    for (int n = 0; n < 3; ++n)
      EXPECT_TRUE(session->act({.session = "t",
                                .action_id = "a" + std::to_string(n),
                                .actor = PlayerId{n % 2},
                                .content = {{"index", n}}}));
  }
  AppendEntry entry(std::size_t n) const { return {"t", session->log()[n], std::nullopt}; }
  std::optional<table::Session> session;
  table::Record begun;
};

TEST(PostgresArchives, KeepHandlesTablesSeatsAndChats_S51) {
  NEED_POSTGRES();
  const auto store = open_node(PrivateCluster::get()->database(), "a");
  const HandleRow ann{"h", "ann 'quoted' \\ ü", sha256("token"), 1'700'000'000'001, 5};
  TableRow row = some_table("t");
  ASSERT_TRUE(keep(*store, {PutHandle{ann}, PutTable{row},
                            PutChat{"t", {"players", "ann", "hello \"there\"", 77, 0}}}));
  EXPECT_EQ(store->handle_of_token(ann.token_hash).value(), ann);
  EXPECT_EQ(store->handle_of_token(sha256("other")).value(), std::nullopt);
  EXPECT_EQ(store->table("t").value(), row);
  EXPECT_EQ(store->table("u").value(), std::nullopt);
  EXPECT_EQ(store->tables({TableState::open}, 10).value(), std::vector{row});
  EXPECT_TRUE(store->tables({TableState::playing}, 10)->empty());
  EXPECT_EQ(store->chat("t")->front().text, "hello \"there\"");
  row.state = TableState::finished;
  row.seats[0].ready = false;
  row.deadline.reset();
  ASSERT_TRUE(keep(*store, {PutTable{row}, DropHandle{"h"}}));
  EXPECT_EQ(store->table("t").value(), row);
  EXPECT_EQ(store->handle_of_token(ann.token_hash).value(), std::nullopt);
  ASSERT_TRUE(keep(*store, {DropTable{"t"}}));
  EXPECT_EQ(store->table("t").value(), std::nullopt);
}

TEST(PostgresArchives, KeepLogsThatGoOnWhereTheyEnded_S50) {
  NEED_POSTGRES();
  const auto store = open_node(PrivateCluster::get()->database(), "a");
  const Played played;
  const TableRow row = some_table("t");
  ASSERT_TRUE(keep(*store, {PutTable{row}, BeginLog{"t", played.begun}}));
  ASSERT_TRUE(keep(*store, {Fence{"t", 0}, played.entry(0)}));
  // An entry that does not follow is refused with all of its group; the other groups are kept.
  const std::vector<Group> groups{
      {Fence{"t", 0}, played.entry(2), PutChat{"t", {"players", "x", "lost", 1, 0}}},
      {Fence{"t", 0}, played.entry(1)}};
  const auto answers = store->write(groups);
  EXPECT_FALSE(answers[0]);
  EXPECT_TRUE(answers[1]) << answers[1].error().message;
  EXPECT_TRUE(store->chat("t")->empty());
  AppendEntry last = played.entry(2);
  last.snapshot = played.session->snapshot();
  ASSERT_TRUE(keep(*store, {Fence{"t", 0}, last}));
  const auto record = store->log("t");
  ASSERT_TRUE(record) << record.error().message;
  EXPECT_EQ(record->log.size(), 3u);
  EXPECT_EQ(record->snapshots.size(), 1u);
  static const Catalog catalog = open::catalog(open::Files::none);
  const auto restored = table::Session::restore(catalog.open("connect-four", {}).value(), *record,
                                                [] { return Time{9}; });
  ASSERT_TRUE(restored) << restored.error().message;
  EXPECT_EQ(restored->state().hash(), played.session->state().hash());
}

TEST(PostgresArchives, OfALaterVersionAreRefusedAndSeveralMayBeginAtOnce_S51) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  std::vector<std::thread> nodes;
  for (int n = 0; n < 4; ++n)
    nodes.emplace_back([&, n] { EXPECT_TRUE(open_node(database, "n" + std::to_string(n))); });
  for (std::thread& node : nodes) node.join();
  table_pg::Connection line{database};
  line.script("UPDATE parlor_schema SET version = version + 1");
  const auto later =
      table_pg::open({.conninfo = database, .node = "a", .address = "", .fresh_key = ""});
  ASSERT_FALSE(later);
  EXPECT_NE(later.error().message.find("version"), std::string::npos) << later.error().message;
}

TEST(PostgresArchives, HoldNoTokens_S61) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  const auto store = open_node(database, "a");
  ASSERT_TRUE(keep(*store, {PutHandle{{"h", "ann", sha256("the-token"), 1, 1}}}));
  table_pg::Connection line{database};
  EXPECT_EQ(
      line.run("SELECT count(*) FROM handle WHERE encode(token_hash, 'escape') LIKE '%token%'")
          .number(0, 0),
      0);
}

TEST(PostgresArchives, ComeBackWhenTheLineWasCut_S50) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  const auto store = open_node(database, "a");
  table_pg::Connection line{database};
  line.script(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
      "pg_backend_pid() AND datname = current_database()");
  (void)store->table("t");  // finds out
  (void)keep(*store, {PutHandle{{"h", "ann", sha256("t"), 1, 1}}});
  EXPECT_TRUE(keep(*store, {PutHandle{{"h", "ann", sha256("t"), 1, 1}}}));
  EXPECT_TRUE(store->table("t"));
}

TEST(Leases, AreHeldByOneAndWhoLostThemWritesNothing_S52) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  const auto a = open_node(database, "a"), b = open_node(database, "b");
  EXPECT_EQ(a->key(), b->key()) << "nodes know each other";
  const Played played;
  ASSERT_TRUE(keep(*a, {PutTable{some_table("t")}, BeginLog{"t", played.begun}}));
  ASSERT_TRUE(keep(*a, {Fence{"t", 0}, played.entry(0)}));
  const auto early = b->take("t");
  ASSERT_TRUE(early);
  EXPECT_FALSE(early->row);
  EXPECT_EQ(early->elsewhere, "a.example:1");
  EXPECT_TRUE(a->renew()->empty()) << "still its own";
  // The lease ends when the database's clock says so.
  table_pg::Connection line{database};
  line.script("UPDATE game_table SET lease_until = now() - interval '1 second'");
  const auto taken = b->take("t");
  ASSERT_TRUE(taken && taken->row) << "nobody prolonged it";
  EXPECT_EQ(taken->row->epoch, 1u);
  EXPECT_EQ(b->log("t")->log.size(), 1u) << "what was acknowledged is there";
  const auto stale = keep(*a, {Fence{"t", 0}, played.entry(1)});
  ASSERT_FALSE(stale);
  EXPECT_EQ(stale.error().code, code::TABLE_ELSEWHERE);
  EXPECT_FALSE(keep(*a, {Fence{"t", 0}, PutChat{"t", {"players", "x", "y", 1, 0}}}));
  TableRow old = some_table("t");
  EXPECT_FALSE(keep(*a, {PutTable{old}}));
  EXPECT_EQ(a->renew().value(), std::vector<std::string>{"t"}) << "it is told what it lost";
  ASSERT_TRUE(keep(*b, {Fence{"t", 1}, played.entry(1)}));
  EXPECT_EQ(b->log("t")->log.size(), 2u);
}

TEST(Leases, ThatAreGivenUpAnybodyMayTakeAtOnce_S52) {
  NEED_POSTGRES();
  const std::string database = PrivateCluster::get()->database();
  const auto a = open_node(database, "a"), b = open_node(database, "b");
  TableRow one = some_table("t"), two = some_table("u"), three = some_table("v");
  for (TableRow* row : {&one, &two, &three}) {
    row->state = TableState::playing;
    ASSERT_TRUE(keep(*a, {PutTable{*row}}));
  }
  EXPECT_TRUE(b->orphans()->empty()) << "somebody runs them";
  a->give_up("t", 7);
  EXPECT_FALSE(b->take("t")->row) << "another taking of it, long ago";
  a->give_up("t", 0);
  EXPECT_EQ(b->orphans().value(), std::vector<std::string>{"t"}) << "a flag must fall there";
  EXPECT_TRUE(b->take("t")->row);
  a->leave();
  EXPECT_EQ(b->orphans()->size(), 2u);
}

// With a notification in an append the whole cluster stands in line at every commit.
TEST(Leases, NeedNoNotifications_S54) {
  std::size_t files = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(source_dir() + "/src/table_pg")) {
    if (!file.is_regular_file()) continue;
    std::ifstream in{file.path()};
    std::stringstream text;
    text << in.rdbuf();
    EXPECT_EQ(text.str().find("NOTIFY"), std::string::npos) << file.path();
    EXPECT_EQ(text.str().find("pg_notify"), std::string::npos) << file.path();
    ++files;
  }
  EXPECT_GE(files, 5u);
}

}  // namespace
}  // namespace parlor::test
