// Ids, interning, source lines, hashing and canonical JSON.
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck.h>
#include <set>
#include <sstream>
#include <type_traits>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/hash_chains.h"
#include "base/id.h"
#include "base/interner.h"
#include "base/json.h"
#include "base/json_members.h"
#include "base/json_text.h"
#include "base/rng.h"
#include "base/source.h"

namespace parlor {
namespace {

using ZoneId = Id<struct ZoneTag>;
using TokenId = Id<struct TokenTag>;

TEST(Id, OfDifferentThingsCannotBeMixedUp) {
  static_assert(!std::is_convertible_v<ZoneId, TokenId> && !std::is_convertible_v<int, ZoneId>);
  static_assert(sizeof(Id<struct SmallTag, std::uint8_t>) == 1);
  EXPECT_TRUE(ZoneId{}.is_none());
  EXPECT_EQ(ZoneId{7}.index(), 7u);
  EXPECT_LT(ZoneId{1}, ZoneId{2});
}

TEST(Interner, HandsOutIdsInOrderOfAppearance) {
  Interner<ZoneId> names;
  EXPECT_EQ(names.intern("deck"), ZoneId{0});
  EXPECT_EQ(names.intern("hand"), ZoneId{1});
  EXPECT_EQ(names.intern("deck"), ZoneId{0});
  EXPECT_EQ(names.name(ZoneId{1}), "hand");
  EXPECT_EQ(names.find("table"), std::nullopt);
  EXPECT_EQ(names.size(), 2u);
}

TEST(Interner, GivesBackWhatWentIn) {
  EXPECT_TRUE(rc::check("every name keeps its id", [](const std::vector<std::string>& words) {
    Interner<ZoneId> names;
    std::vector<ZoneId> ids;
    for (const auto& word : words) ids.push_back(names.intern(word));
    for (std::size_t i = 0; i < words.size(); ++i) {
      RC_ASSERT(names.name(ids[i]) == words[i]);
      RC_ASSERT(names.find(words[i]) == ids[i]);
    }
    RC_ASSERT(names.size() == std::set<std::string>(words.begin(), words.end()).size());
  }));
}

TEST(SourceTexts, GiveLinesWithoutTheirEnds) {
  SourceTexts texts;
  texts.add("f", "one\r\n\nthree");
  EXPECT_EQ(texts.line("f", 1), "one");
  EXPECT_EQ(texts.line("f", 2), "");
  EXPECT_EQ(texts.line("f", 3), "three");
  EXPECT_EQ(texts.line("f", 4), "");
  EXPECT_EQ(texts.line("g", 1), "");
}

// The values are part of saved states and traces: they may never change.
TEST(Hash, GivesTheSameValuesOnEveryMachine) {
  EXPECT_EQ(mix(1), 0x5692161d100b05e5u);
  EXPECT_EQ(hash_text(""), hash_combine(0, 0));
  const std::byte bytes[] = {std::byte{1}, std::byte{2}};
  EXPECT_EQ(hash_bytes(bytes), hash_combine(hash_combine(0, 2), 0x0201));
}

TEST(Hash, DependsOnEveryByteAndOnTheLength) {
  std::set<std::uint64_t> seen;
  std::string text(40, '\0');
  seen.insert(hash_text(text));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = 1;
    EXPECT_TRUE(seen.insert(hash_text(other)).second);
    EXPECT_TRUE(seen.insert(hash_text(text.substr(0, i))).second);
  }
  EXPECT_NE(hash_text("a", 1), hash_text("a", 2));
}

TEST(Hash, IsTheSameSideBySide) {  // V-08
  Rng rng(1);
  std::array<std::array<std::byte, 27>, hash_lanes> runs;
  for (auto& run : runs)
    for (std::byte& byte : run) byte = static_cast<std::byte>(rng.next());
  for (std::size_t size = 0; size <= runs[0].size(); ++size) {
    std::vector<HashRow> rows(1 + 1 + (size + 7) / 8);  // the seed, the length, the bytes
    for (std::size_t i = 0; i < hash_lanes; ++i) {
      const HashLane lane(rows, i);
      lane.put(0, i + 1);
      std::size_t row = 1;
      each_hashed_word(std::span{runs[i]}.first(size),
                       [&](std::uint64_t word) { lane.put(row++, word); });
      EXPECT_EQ(row, rows.size());
    }
    HashRow hashes;
    hash_chains(rows, hashes);
    for (std::size_t i = 0; i < hash_lanes; ++i)
      EXPECT_EQ(hashes[i], hash_bytes({runs[i].data(), size}, i + 1)) << size;
  }
}

TEST(Hash, FeatureKeysDoNotCollide) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t feature = 0; feature < 100; ++feature)
    for (std::uint64_t value = 0; value < 100; ++value)
      EXPECT_TRUE(seen.insert(feature_key(feature, value)).second);
}

TEST(CanonicalJson, SortsKeysAndHasNoBlanks) {
  EXPECT_EQ(canonical(Json{{"b", 1}, {"a", {1, 2}}, {"B", nullptr}}),
            R"({"B":null,"a":[1,2],"b":1})");
  EXPECT_EQ(canonical_pretty(Json{{"a", 1}}), "{\n  \"a\": 1\n}\n");
}

TEST(CanonicalJson, ReplacesBrokenUtf8InsteadOfThrowing) {
  EXPECT_EQ(canonical(Json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

TEST(CanonicalJson, ReadsBackToTheSameBytes) {
  const auto key = rc::gen::container<std::string>(rc::gen::inRange(' ', '~'));
  EXPECT_TRUE(rc::check("text -> value -> text", [&] {
    Json value = Json::object();
    for (int i = 0; i < 5; ++i) value[*key] = *rc::gen::arbitrary<std::vector<std::int64_t>>();
    const std::string once = canonical(value);
    const auto parsed = parse_json(once);
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(canonical(*parsed) == once);
  }));
}

// The library's own writer is the judge of every kind of value and every byte of a text.
Json any_json(int levels) {
  switch (*rc::gen::inRange(0, levels > 0 ? 9 : 7)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::arbitrary<std::uint64_t>();
    case 4:
      return *rc::gen::arbitrary<double>();
    case 5:
      return *rc::gen::arbitrary<std::string>();
    case 6:
      return "καλλιστ\u00e9 \"\\ \x7f";
    case 7: {
      Json out = Json::array();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) out.push_back(any_json(levels - 1));
      return out;
    }
    default: {
      Json out = Json::object();
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i)
        out[*rc::gen::arbitrary<std::string>()] = any_json(levels - 1);
      return out;
    }
  }
}

TEST(CanonicalJson, IsWhatTheLibraryWrites) {
  EXPECT_TRUE(rc::check("any value", [] {
    const Json value = any_json(3);
    RC_ASSERT(canonical(value) == value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }));
}

// However long the text is already: a log of a million events is written one after the other.
TEST(CanonicalJson, IsAppendedToALongTextAtItsOwnLength) {
  std::string text;
  const Json event{{"kind", "varChanged"}, {"data", {{"new", 1}, {"old", 0}, {"var", "tally"}}}};
  const std::string one = canonical(event);
  constexpr std::size_t events = 300'000;
  const auto began = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < events; ++i) write_canonical(event, text);
  EXPECT_EQ(text.size(), events * one.size());
  EXPECT_TRUE(text.ends_with(one));
  // A tenth of a second; filling all of it each time would take an hour.
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds{60});
}

TEST(CanonicalJson, IsReadInPlaceMemberByMember) {
  const auto any_key = rc::gen::container<std::string>(rc::gen::inRange('\x01', '\x7f'));
  EXPECT_TRUE(rc::check("any object", [&] {
    Json value = Json::object();
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i) value[*any_key] = any_json(3);
    const std::string text = canonical(value);
    const Json clean = Json::parse(text);  // without broken UTF-8
    Json read = Json::object();
    std::string_view last;
    for (const JsonPart& part : json_parts(text)) {
      RC_ASSERT(last.empty() || json_key_less(last, part.key));
      last = part.key;
      const std::string key = json_key_text(part.key);
      read[key] = Json::parse(part.value);
      RC_ASSERT(part.is_object() == read[key].is_object());
      Json inside = Json::object();
      for (const JsonMember& member : part.inside)
        inside[json_key_text(member.key)] = Json::parse(member.value);
      if (part.is_object()) RC_ASSERT(inside == read[key]);
      if (key.find_first_of("\"\\") == std::string::npos && part.key.size() == key.size() + 2)
        RC_ASSERT(json_part(json_parts(text), key) != nullptr);
    }
    RC_ASSERT(read == clean);
  }));
  for (const char* other :
       {"", "{", "[]", "7", "\"a\"", "{\"a", "{\"a\":", "{\"a\":{", "{\"a\":[1,", "{\"\\"})
    for (const JsonPart& part : json_parts(other)) EXPECT_LE(part.value.size(), 4u) << other;
}

TEST(ParseJson, SaysWhereTheMistakeIs) {
  const auto parsed = parse_json("[1, 2");
  ASSERT_FALSE(parsed);
  EXPECT_NE(parsed.error().find("line 1"), std::string::npos) << parsed.error();
}

TEST(ParseJson, RefusesNumbersNoMachineCanHold) {  // T-33
  for (const char* text : {"1e999", "[1e999]", "-1e999", "{\"a\": 1e400}"})
    EXPECT_FALSE(parse_json(text));
}

TEST(ParseJson, RefusesWhatIsNestedTooDeeply) {  // T-33
  for (const char* open : {"[", "{\"a\":", "[{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += open;
    const auto parsed = parse_json(text);
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().find("nested"), std::string::npos);
  }
  const std::string deep(max_json_nesting, '['),
      deepest = deep + std::string(max_json_nesting, ']');
  EXPECT_TRUE(parse_json(deepest));
  EXPECT_FALSE(parse_json("[" + deepest + "]"));
  EXPECT_TRUE(parse_json('"' + std::string(100'000, '[') + '"')) << "brackets inside a text";
  EXPECT_TRUE(parse_json("\"\\\"" + std::string(100'000, '[') + '"')) << "after a quoted quote";
}

TEST(JsonNumbers, AreTakenAsTheyAreOrNotAtAll) {  // T-30
  EXPECT_EQ(integer_in(7, 0, 9), 7);
  EXPECT_EQ(integer_in(-3, -3, 9), -3);
  EXPECT_EQ(integer_in(10, 0, 9), std::nullopt);
  EXPECT_EQ(integer_in(-1, 0, 9), std::nullopt);
  EXPECT_EQ(integer_in(7.0, 0, 9), std::nullopt);
  EXPECT_EQ(integer_in("7", 0, 9), std::nullopt);
  EXPECT_EQ(integer_in(true, 0, 9), std::nullopt);
  EXPECT_EQ(integer_in(~std::uint64_t{0}, INT64_MIN, INT64_MAX), std::nullopt);
  EXPECT_EQ(integer_in(~std::uint64_t{0}, -9, -1), std::nullopt);
}

TEST(Files, AreReadUpToALimit) {  // T-30: a device never ends
  EXPECT_EQ(read_file("/nowhere/at/all").error(), FileProblem::missing);
  EXPECT_EQ(read_file("/").error(), FileProblem::missing);
  EXPECT_EQ(read_file("/dev/zero", 1 << 20).error(), FileProblem::too_large);
  std::istringstream exactly{std::string(100, 'x')}, more{std::string(101, 'x')};
  EXPECT_EQ(read_stream(exactly, 100)->size(), 100u);
  EXPECT_EQ(read_stream(more, 100).error(), FileProblem::too_large);
}

TEST(EditDistance, IsAMetricOnShortWords) {
  const auto word = rc::gen::container<std::string>(rc::gen::inRange('a', 'd'));
  EXPECT_TRUE(rc::check("symmetric, and zero only for equal words", [&] {
    const std::string a = *word, b = *word;
    RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
    RC_ASSERT((edit_distance(a, b) == 0) == (a == b));
    RC_ASSERT(edit_distance(a, b) <= std::max(a.size(), b.size()));
  }));
}

}  // namespace
}  // namespace parlor
