#include "spec/gamedef/written.h"

namespace parlor::spec {
namespace {

using WrittenFields = std::vector<WrittenKey>;

// What may be left out.
namespace maybe {
constexpr FieldSpec number = is::number.optional(), value = is::value.optional();
constexpr FieldSpec condition = is::condition.optional(), effects = is::effects.optional();
constexpr FieldSpec query = is::query.optional();
constexpr FieldSpec zone = is::zone.optional();
constexpr FieldSpec one = is::record.optional(), each = is::records.optional();
}  // namespace maybe

std::vector<WrittenConstruct> sections() {
  const auto record = [](std::string_view name, std::string_view about, WrittenFields fields) {
    return WrittenConstruct{Family::record, name, about, std::move(fields)};
  };
  return {
      record("a game", "",
             {{"operationProfiles", maybe::each, "an operation profile"},
              {"offers", maybe::each, "an offer"},
              {"conditionMacros", maybe::each, "a condition macro"},
              {"valueMacros", maybe::each, "a value macro"},
              {"effectMacros", maybe::each, "an effect macro"},
              {"phaseTemplates", maybe::each, "a phase template"},
              {"dataAssets", maybe::each, "a data asset"}}),
      record("rounds", "", {{"cleanUp", maybe::effects}}),
      record("an operation profile", "The older form of an action pipeline.",
             {{"applicability", maybe::condition},
              {"when", maybe::condition.inside("legality", "when")},
              {"validate", maybe::condition.inside("cost", "validate")},
              {"spend", maybe::effects.inside("cost", "spend")},
              {"resolution", maybe::each, "a stage"}}),
      record("an offer", "A row of face-up cards that players take and play.",
             {{"take", maybe::one, "an action of an offer"},
              {"play", maybe::one, "an action of an offer"},
              {"cards", maybe::each, "an action of an offer"}}),
      record("an action of an offer", "What taking or playing a card of an offer needs and does.",
             {{"pre", maybe::condition},
              {"effects", maybe::effects},
              {"price", maybe::number.by(is::player_var)}}),
      record("a zone", "",
             {{"onEnter", maybe::effects},
              {"onUse", maybe::effects},
              {"of", maybe::query},
              {"by", maybe::number.with("$zone")},
              {"with", is::numbers.optional()}}),
      record("a data asset", "Material of a game.",
             {{"markerLattices", maybe::each.inside("payload", "markerLattices"), "a marker"}}),
  };
}

std::vector<WrittenConstruct> macros() {
  return {
      {Family::record,
       "a condition macro",
       "A condition with a name.",
       {{"condition", maybe::condition}}},
      {Family::record, "a value macro", "A value with a name.", {{"value", maybe::number}}},
      {Family::record, "an effect macro", "Effects with a name.", {{"effects", maybe::effects}}},
      {Family::record,
       "a phase template",
       "A phase with a name.",
       {{"phase", maybe::one, "a phase"}}},
  };
}

// Effects that are written out before the rules mean anything (expand/builtins.h).
std::vector<WrittenConstruct> short_effects() {
  const auto effect = [](std::string_view name, std::string_view about, WrittenFields fields) {
    return WrittenConstruct{Family::effect, name, about, std::move(fields)};
  };
  return {
      effect("createToken", "", {{"count", maybe::number}}),
      effect("reveal", "", {{"top", maybe::number}, {"bottom", maybe::number}}),
      effect("conceal", "", {{"top", maybe::number}, {"bottom", maybe::number}}),
      effect("peek", "Shows tokens at the top or bottom of a zone to a player, and conceals them.",
             {{"zone", is::zone},
              {"to", is::players.optional()},
              {"top", maybe::number},
              {"bottom", maybe::number}}),
      effect("cut", "Puts tokens from the top of a zone below the others.",
             {{"zone", is::zone}, {"at", maybe::number}}),
      effect("swap", "Lets two tokens take each other's zone.",
             {{"a", is::token}, {"b", is::token}}),
      effect("swapZones", "Exchanges what lies in two zones.", {{"a", is::zone}, {"b", is::zone}}),
      effect("drawUntil", "Draws one token after the other until a condition holds.",
             {{"from", is::zone}, {"to", is::zone}, {"until", is::condition}}),
      effect("rollDice", "Gives tokens with faces a random one of them.",
             {{"dice", is::token_query}}),
      effect("refillToSize", "Draws until a zone holds so many tokens.",
             {{"zone", is::zone}, {"fromZone", is::zone}, {"size", is::count}}),
      effect("discardDownTo", "Moves tokens away, or removes them, until so many are left.",
             {{"zone", is::zone}, {"size", is::count}, {"to", maybe::zone}}),
      effect("distributeTokens", "Lets a player choose tokens and a zone for each.",
             {{"tokens", is::token_query},
              {"destinations", is::query},
              {"n", maybe::number},
              {"min", maybe::number},
              {"max", maybe::number}}),
      effect("use", "Does what a zone says under `onUse`.", {{"zone", is::zone}}),
      effect("observe", "Looks whether a memory knows the position.", {{"memory", is::id}}),
      effect("remember", "Writes the position down in a memory.", {{"memory", is::id}}),
      effect("forget", "Empties a memory.", {{"memory", is::id}}),
      {Family::value,
       "distance",
       "How many steps it is from one zone to another; -1 for more than `most`.",
       {{"from", is::zone},
        {"to", is::zone},
        {"via", maybe::condition.with("$zone")},
        {"most", is::number}}},
      {Family::value,
       "components",
       "How many groups of neighbouring zones there are among those a condition holds for.",
       {{"where", is::condition.with("$zone")}}},
      {Family::value,
       "largestComponent",
       "How many zones the largest group of neighbours has, of those a condition holds for.",
       {{"where", is::condition.with("$zone")}}},
  };
}

}  // namespace

std::span<const WrittenConstruct> written_constructs() {
  static const std::vector<WrittenConstruct> all = [] {
    std::vector<WrittenConstruct> out = short_effects();
    for (auto* part : {&sections, &macros}) {
      std::vector<WrittenConstruct> more = (*part)();
      out.insert(out.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
    }
    return out;
  }();
  return all;
}

}  // namespace parlor::spec
