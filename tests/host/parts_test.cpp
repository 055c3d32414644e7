// The parts of a host that know nothing of tables: clocks, rates, names, patches, tokens, settings.
#include <rapidcheck.h>

#include "host/clock.h"
#include "host/patch.h"
#include "host/rates.h"
#include "host/secrets.h"
#include "host/table_config.h"
#include "host/words.h"

namespace parlor::host {
namespace {

constexpr PlayerId white{0}, black{1};

GameClock clock_of(const char* text) {
  return GameClock{clock_rule_from_text(text).value(), 2};
}

TEST(ClockRules, AreReadAndWrittenAsText_S35) {
  for (const char* text :
       {"none", "move:30", "fischer:300+5", "delay:60+3", "days:2", "fischer:0+1"})
    EXPECT_EQ(to_text(clock_rule_from_text(text).value()), text);
  for (const char* text :
       {"", "move", "move:", "move:0", "move:-1", "fischer:5", "fischer:0+0", "days:99", "days:1x",
        "blitz:5", "fischer:1+1+1", "delay:+", "move:99999999999999999999"})
    EXPECT_FALSE(clock_rule_from_text(text)) << text;
}

TEST(Clocks, RunForTheDeciderAlone_S35) {
  GameClock clock = clock_of("fischer:60+0");
  clock.start(std::array{white}, true, 1000);
  EXPECT_EQ(clock.left(white, 11'000), 50'000);
  EXPECT_EQ(clock.left(black, 11'000), 60'000);
  EXPECT_EQ(clock.next_flag()->at, 61'000);
  clock.stop(white, 11'000);
  EXPECT_FALSE(clock.next_flag());
  EXPECT_EQ(clock.left(white, 99'000), 50'000);
}

TEST(Clocks, RunForAllWhoDecideAtOnce_S35) {
  GameClock clock = clock_of("move:30");
  clock.start(std::array{white, black}, true, 0);
  clock.stop(white, 10'000);
  EXPECT_EQ(clock.next_flag()->seat, black);
  clock.start(std::array{black}, true, 10'000);  // already running: goes on
  EXPECT_EQ(clock.next_flag()->at, 30'000);
}

TEST(Clocks, FischerAddsForEveryMove_S35) {
  GameClock clock = clock_of("fischer:60+5");
  clock.start(std::array{white}, true, 0);
  clock.stop(white, 20'000);
  clock.reward(white);
  EXPECT_EQ(clock.left(white, 20'000), 45'000);
}

TEST(Clocks, DelayCostsNothingAtFirst_S35) {
  GameClock clock = clock_of("delay:60+5");
  clock.start(std::array{white}, true, 0);
  EXPECT_EQ(clock.left(white, 4'000), 60'000);
  EXPECT_EQ(clock.next_flag()->at, 65'000);
  clock.stop(white, 8'000);
  EXPECT_EQ(clock.left(white, 8'000), 57'000);
  clock.start(std::array{white}, false, 8'000);  // the same move goes on: the delay is used up
  clock.stop(white, 10'000);
  EXPECT_EQ(clock.left(white, 10'000), 55'000);
}

TEST(Clocks, MoveClocksAreFullForEveryMove_S35) {
  GameClock clock = clock_of("move:30");
  clock.start(std::array{white}, true, 0);
  clock.stop(white, 20'000);
  clock.start(std::array{white}, false, 20'000);
  EXPECT_EQ(clock.next_flag()->at, 30'000);
  clock.stop(white, 25'000);
  clock.start(std::array{white}, true, 25'000);
  EXPECT_EQ(clock.next_flag()->at, 55'000);
}

TEST(Clocks, GiveASlowLineBackHalfItsRoundTripWithinLimits_S35) {
  GameClock clock = clock_of("fischer:60+0");
  Time now = 0;
  const auto move = [&](Time takes, Time lag) {
    const Time before = clock.left(white, now);
    clock.start(std::array{white}, true, now);
    clock.stop(white, now += takes, lag);
    return before - clock.left(white, now);
  };
  EXPECT_EQ(move(1000, 100), 900);
  EXPECT_EQ(move(1000, 5000), 700);  // at most 300 ms a decision
  EXPECT_EQ(move(100, 5000), 0);     // never more than was used
  Time given = 0;
  for (int i = 0; i < 30; ++i) given += 1000 - move(1000, 300);
  EXPECT_LE(given, lag_reserve + 30 * lag_regained);  // and only what is in reserve
}

TEST(Clocks, ChargeAtLeastWhatTheyAreToldTo_S38) {
  GameClock clock = clock_of("fischer:60+0");
  clock.start(std::array{white}, true, 0);
  clock.stop(white, 0, 0, 100);
  EXPECT_EQ(clock.left(white, 0), 59'900);
}

TEST(Clocks, GoOnFromWhatWasKept_S35) {
  GameClock clock = clock_of("delay:60+5");
  clock.start(std::array{white}, true, 1000);
  const auto again = GameClock::from_json(clock.rule(), clock.to_json());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->next_flag()->at, clock.next_flag()->at);
  EXPECT_EQ(again->left(white, 30'000), clock.left(white, 30'000));
  for (const Json& broken : {Json(), Json{1}, Json{{{"left", -1}}}, Json{{{"left", "x"}}}})
    EXPECT_FALSE(GameClock::from_json(clock.rule(), broken));
}

// ---- Rates.

TEST(Rates, AllowABurstAndThenTheEvenRate_S64) {
  Buckets buckets{{20, 1000}};
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(buckets.take("a", 0));
  EXPECT_EQ(buckets.take("a", 0), 50);
  EXPECT_FALSE(buckets.take("b", 0)) << "everybody has their own";
  EXPECT_TRUE(buckets.take("a", 49));
  EXPECT_FALSE(buckets.take("a", 50));
  EXPECT_TRUE(buckets.take("a", 50));
}

TEST(Rates, RememberOnlyThoseWhoDidSomethingLately_S64) {
  Buckets buckets{{5, 1000}};
  for (int i = 0; i < 5000; ++i) buckets.take(std::to_string(i), i * 10);
  EXPECT_LT(buckets.size(), 1500u);
}

TEST(Rates, CountAnIPv6AddressAsItsNetwork_S64) {
  EXPECT_EQ(address_group("203.0.113.7"), "203.0.113.7");
  EXPECT_EQ(address_group("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(address_group("2001:db8:1:2::1"), "2001:db8:1:2::/64");
  EXPECT_NE(address_group("2001:db8:1:3::1"), "2001:db8:1:2::/64");
  EXPECT_EQ(address_group("::ffff:203.0.113.7"), "203.0.113.7");
}

// ---- Words.

TEST(Names, HaveOneTo24CharactersInNormalForm_S30) {
  EXPECT_EQ(clean_name("ann"), "ann");
  EXPECT_EQ(clean_name("A\xCC\x8A"), "\xC3\x85");  // A and a ring are one character
  EXPECT_EQ(clean_name(std::string(24, 'x')), std::string(24, 'x'));
  for (const std::string& bad :
       {std::string{}, std::string(25, 'x'), std::string{"a\nb"}, std::string{"a\x01"},
        std::string{" a"}, std::string{"a "}, std::string{"\xff\xfe"},
        std::string{"a\xE2\x80\xAEz"}, std::string("a\0b", 3)})
    EXPECT_FALSE(clean_name(bad)) << Json(bad).dump(-1, ' ', true, Json::error_handler_t::replace);
}

TEST(Chat, IsStrippedOfControlsAndBounded_S39) {
  EXPECT_EQ(clean_chat("hi\x07 there\n"), "hi there");
  EXPECT_EQ(clean_chat("<b>x</b>"), "<b>x</b>");  // never interpreted
  EXPECT_FALSE(clean_chat(""));
  EXPECT_FALSE(clean_chat("\n\n"));
  EXPECT_TRUE(clean_chat(std::string(500, 'x')));
  EXPECT_FALSE(clean_chat(std::string(501, 'x')));
}

// ---- Tokens.

TEST(Tokens, AreHashedAndComparedWhole_S61) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
  const Random counting = [n = std::uint8_t{0}](std::span<std::uint8_t> out) mutable {
    for (std::uint8_t& byte : out) byte = n++;
  };
  EXPECT_EQ(new_token(counting).size(), 43u);  // 256 bits in base64url
  EXPECT_EQ(new_id(counting).size(), 26u);     // 128 bits in base32
}

// ---- Patches.

Json random_view() {
  Json out = Json::object();
  for (int i = *rc::gen::inRange(0, 5); i > 0; --i) {
    // Keys around "-", and one that is written otherwise than it sorts.
    static const std::string keys[]{"!", "-x", "a", "b\"", "b#", "c"};
    const std::string key = keys[*rc::gen::inRange(0, 6)];
    if (*rc::gen::inRange(0, 3) == 0) {
      out[key] = *rc::gen::inRange(0, 3);
      continue;
    }
    out[key] = Json::object();
    for (int j = *rc::gen::inRange(0, 4); j > 0; --j)
      out[key][std::string(1, *rc::gen::inRange('p', 't'))] =
          *rc::gen::inRange(0, 2) == 0 ? Json(nullptr)
                                       : Json{*rc::gen::inRange(0, 2), "}],\"\\", {{"k", "{["}}};
  }
  return out;
}

TEST(Patches, LeadFromOneViewToTheOtherByteForByte_S44) {
  rc::check("patch", [] {
    const Json before = random_view(), after = random_view();
    const std::string was = canonical(before), is = canonical(after);
    const std::string text = make_patch(json_parts(was), json_parts(is));
    const Json patch = Json::parse(text);
    RC_ASSERT(text == canonical(patch));
    Json patched = before;
    RC_ASSERT(apply_patch(patched, patch));
    RC_ASSERT(canonical(patched) == canonical(after));
    if (before == after) RC_ASSERT(patch.empty());
  });
}

TEST(Patches, ThatDoNotFitAreRefused_S44) {
  Json state{{"a", 1}};
  EXPECT_FALSE(apply_patch(state, {{"-", {{"b"}}}}));
  EXPECT_FALSE(apply_patch(state, Json::array()));
  EXPECT_FALSE(apply_patch(state, {{"-", {{"a", "b", "c"}}}}));
}

// ---- Settings of a table.

TEST(TableSettings, AreReadAsTheyAreWritten_S31) {
  const Json json{{"game", "chess"},
                  {"players", 2},
                  {"rules", {"atomic:white@3"}},
                  {"constants", {{"size", "5"}}},
                  {"visibility", "private"},
                  {"clock", "fischer:300+2"},
                  {"atZero", "random"},
                  {"spectators", "delayed:30"},
                  {"chat", "all"},
                  {"undo", "off"},
                  {"seatChoice", "random"},
                  {"claimAfter", 5},
                  {"reveal", false},
                  {"position", "startpos"},
                  {"seats", {{{"kind", "human"}}, {{"kind", "bot"}, {"agent", "random"}}}}};
  const auto config = table_config_from_json(json);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(to_json(*config), json);
  EXPECT_EQ(table_config_from_json(to_json(*config)).value(), *config);
}

TEST(TableSettings, SayWhichFieldIsWrong_S40) {
  const std::map<std::string, Json> wrong{{"game", 5},
                                          {"players", 17},
                                          {"rules", {"../../etc/passwd"}},
                                          {"rules", {"a.md"}},
                                          {"constants", {{"a", 1.5}}},
                                          {"visibility", "secret"},
                                          {"clock", "soon"},
                                          {"atZero", "explode"},
                                          {"spectators", "delayed:x"},
                                          {"chat", "loud"},
                                          {"undo", true},
                                          {"seats", {{{"kind", "ghost"}}}},
                                          {"claimAfter", 0},
                                          {"reveal", "yes"},
                                          {"modifiers", "file.yaml"},
                                          {"explicitChance", 1},
                                          {"position", Json::array()}};
  for (const auto& [field, value] : wrong) {
    Json json{{"game", "chess"}};
    json[field] = value;
    const auto config = table_config_from_json(json);
    ASSERT_FALSE(config) << field;
    EXPECT_EQ(config.error().details["field"], field);
  }
  EXPECT_FALSE(table_config_from_json(Json::array()));
}

}  // namespace
}  // namespace parlor::host
