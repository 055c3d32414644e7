// What goes over the line: read strictly, written as docs/server.md says.
#include "wire/wire.h"

namespace parlor::wire {
namespace {

std::string code_of(std::string_view text) {
  const auto frame = read_frame(text);
  return frame ? "" : frame.error().error.code;
}

TEST(Frames, OfAClientAreRead) {
  const auto hello =
      read_frame(R"({"t":"hello","token":"x","as":"seat","since":{"rev":17,"seq":31}})");
  ASSERT_TRUE(hello);
  EXPECT_EQ(std::get<Hello>(*hello).since_seq, 31u);
  EXPECT_FALSE(std::get<Hello>(*hello).watch);
  const auto act = read_frame(R"({"t":"act","id":"c7","rev":19,"option":12})");
  ASSERT_TRUE(act);
  EXPECT_EQ(std::get<ActFrame>(*act).content, Json({{"index", 12}}));
  const auto words =
      read_frame(R"({"t":"act","id":"c7","rev":19,"request":{"action":"move","params":{}}})");
  ASSERT_TRUE(words);
  EXPECT_EQ(std::get<ActFrame>(*words).content["action"], "move");
  EXPECT_TRUE(
      std::get<AnswerFrame>(read_frame(R"({"t":"answer","kind":"undo","yes":true})").value()).yes);
  EXPECT_EQ(std::get<ClaimFrame>(read_frame(R"({"t":"claim","what":"win","seat":1})").value()).seat,
            1);
  EXPECT_EQ(
      std::get<QueueFrame>(
          read_frame(
              R"({"t":"queue","acts":[{"request":{"action":"a"},"if":{"act":{"action":"b"}}}]})")
              .value())
          .acts.size(),
      1u);
}

TEST(Frames, ThatAreWrongSayWhere) {
  for (const char* text :
       {R"({"t":"act","id":"c","option":1})", R"({"t":"act","rev":1,"option":1})",
        R"({"t":"act","id":"","rev":1,"option":1})", R"({"t":"act","id":"c","rev":-1,"option":1})",
        R"({"t":"act","id":"c","rev":1.5,"option":1})", R"({"t":"act","id":"c","rev":1})",
        R"({"t":"act","id":"~bot-1","rev":1,"option":1})",
        R"({"t":"act","id":"c","rev":1,"option":"x"})", R"({"t":"hello","as":"god"})",
        R"({"t":"offer","kind":"peace"})", R"({"t":"answer","kind":"undo"})",
        R"({"t":"queue","acts":[{"option":1}]})", R"({"t":"dance"})", R"({})", R"({"t":5})"})
    EXPECT_EQ(code_of(text), "REQUEST_INVALID") << text;
  EXPECT_EQ(read_frame(R"({"t":"act","id":"c9","rev":"x"})").error().id, "c9");
  EXPECT_EQ(code_of("{"), "JSON_INVALID");
  EXPECT_EQ(code_of("\"\xff\""), "JSON_INVALID");
  EXPECT_EQ(code_of("[]"), "REQUEST_INVALID");
}

TEST(Frames, HaveALimitOfBytesAndLevels_S63) {
  const auto padded = [](std::size_t bytes) {
    const std::string head = R"({"t":"ping","c":")", tail = R"("})";
    return head + std::string(bytes - head.size() - tail.size(), 'x') + tail;
  };
  EXPECT_TRUE(read_frame(padded(longest_frame)));
  EXPECT_EQ(code_of(padded(longest_frame + 1)), "REQUEST_TOO_LARGE");
  const auto nested = [](std::size_t levels) {
    std::string inner = "1";
    for (std::size_t i = 2; i < levels; ++i) inner = "[" + inner + "]";
    return R"({"t":"act","id":"a","rev":1,"request":{"x":)" + inner + "}}";
  };
  EXPECT_TRUE(read_frame(nested(deepest_json)));
  EXPECT_EQ(code_of(nested(deepest_json + 1)), "REQUEST_INVALID");
  EXPECT_TRUE(read_frame(R"({"t":"chat","text":"[[[[[[[[[[[[ \" {{{{{{"})"))
      << "brackets in a text are text";
}

TEST(Frames, HaveNoTextThatNoDatabaseKeeps_S51) {
  EXPECT_EQ(code_of(R"({"t":"chat","text":"a\u0000b"})"), "REQUEST_INVALID");
  EXPECT_TRUE(read_frame(R"({"t":"chat","text":"a\\u0000b"})")) << "a backslash and some letters";
}

TEST(Frames, ToAClientCarryWhatTheyShould) {
  host::Update update;
  update.rev = 20;
  update.seq = 41;
  update.by = 0;
  update.choice.label = "pawn a2–a3";
  const Json json = Json::parse(encode(update));
  for (const char* key :
       {"t", "rev", "seq", "by", "label", "events", "patch", "decision", "clock", "viewHash"})
    EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["hidden"], false);
  update.choice.hidden = true;
  EXPECT_EQ(Json::parse(encode(update))["hidden"], true);
  EXPECT_FALSE(json.contains("hash"));
  const Json reject = Json::parse(encode(host::Reject{"c7", 20, {Code::REVISION_CONFLICT, "no"}}));
  EXPECT_EQ(reject["error"]["code"], "REVISION_CONFLICT");
  EXPECT_EQ(Json::parse(encode_bye(4410, "moved", 0)),
            Json({{"t", "bye"}, {"code", 4410}, {"reason", "moved"}, {"retryAfterMs", 0}}));
}

TEST(Errors, HaveTheStatusTheirCodeDeserves_S40) {
  EXPECT_EQ(status_of({host::code::TOKEN_MISSING, ""}), 401u);
  EXPECT_EQ(status_of({host::code::TABLE_UNKNOWN, ""}), 404u);
  EXPECT_EQ(status_of({host::code::SEAT_TAKEN, ""}), 409u);
  EXPECT_EQ(status_of({host::code::REQUEST_TOO_LARGE, ""}), 413u);
  EXPECT_EQ(status_of({Code::INTERNAL, "", {{"diagnostics", Json::array()}}}), 500u);
  EXPECT_EQ(status_of({Code::SECTION_MISSING, "", {{"diagnostics", Json::array()}}}), 422u);
  EXPECT_EQ(status_of({host::code::RATE_LIMITED, ""}), 429u);
  EXPECT_EQ(status_of({host::code::REQUEST_INVALID, ""}), 400u);
}

}  // namespace
}  // namespace parlor::wire
