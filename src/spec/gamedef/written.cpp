#include "spec/gamedef/written.h"

namespace parlor::spec {
namespace {

using WrittenFields = std::vector<WrittenKey>;

// What may be left out.
namespace maybe {
constexpr FieldSpec number = is::number.optional();
constexpr FieldSpec condition = is::condition.optional(), effects = is::effects.optional();
constexpr FieldSpec query = is::query.optional(), zone = is::zone.optional();
constexpr FieldSpec text = is::text.optional(), texts = is::texts.optional();
constexpr FieldSpec count = is::count.optional(), data = is::data.optional();
constexpr FieldSpec list = is::list.optional(), anything = is::anything.optional();
constexpr FieldSpec one = is::record.optional(), each = is::records.optional();
}  // namespace maybe

WrittenConstruct record(std::string_view name, std::string_view about, WrittenFields fields) {
  return {Family::record, name, about, std::move(fields)};
}

std::vector<WrittenConstruct> sections() {
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
  };
}

std::vector<WrittenConstruct> macros() {
  return {
      record("a condition macro", "A condition with a name.", {{"condition", maybe::condition}}),
      record("a value macro", "A value with a name.", {{"value", maybe::number}}),
      record("an effect macro", "Effects with a name.", {{"effects", maybe::effects}}),
      record("a phase template", "A phase with a name.", {{"phase", maybe::one, "a phase"}}),
  };
}

// Material of a game (derive/schema.h). What a payload of a known kind has is "a KIND asset".
std::vector<WrittenConstruct> assets() {
  return {
      record("a data asset", "Material of a game.",
             {{"id", is::id},
              {"kind", is::text},
              {"payload", is::anything},
              {"markerLattices", maybe::each.inside("payload", "markerLattices"), "a marker"},
              {"tableContracts", maybe::each, "a table contract"}}),
      record("a table contract", "What is true of a table of an asset.",
             {{"tablePath", is::text}, {"uniqueBy", maybe::list}, {"constraints", maybe::list}}),
  };
}

std::vector<WrittenConstruct> map_assets() {
  return {
      record("a map asset", "Spaces, and what lies or is counted there.",
             {{"spaces", is::records.once("a space"), "a space"},
              {"provisionalAdjacency", maybe::each, "a provisional adjacency"},
              {"tracks", maybe::each.once("a track"), "a track"},
              {"markerLattices", maybe::each.once("a marker"), "a marker"},
              {"spaceMarkers", maybe::each, "a space marker"},
              {"stackingConstraints", maybe::each.once("a stacking constraint"),
               "a stacking constraint"}}),
      record("a space", "A zone of the map.",
             {{"id", is::id},
              {"category", maybe::text},
              {"attributes", maybe::data},
              {"adjacentTo", maybe::list},
              {"directions", maybe::data}}),
      record("a provisional adjacency", "Neighbours that may be none one day.",
             {{"from", is::text}, {"to", is::text}, {"reason", maybe::text}}),
      record("a track", "A number that is shown beside the map.",
             {{"id", is::id},
              {"scope", is::text},
              {"seat", maybe::text},
              {"min", is::count},
              {"max", is::count},
              {"initial", is::count}}),
  };
}

std::vector<WrittenConstruct> catalogs() {
  return {
      record("a pieceCatalog asset", "The types of pieces, and how many there are.",
             {{"pieceTypes", is::records.once("a piece type"), "a piece type"},
              {"inventory", is::records, "an inventory line"}}),
      record("a piece type", "A type of tokens that belongs to a seat.",
             {{"id", is::id},
              {"seat", is::text},
              {"statusDimensions", is::texts},
              {"transitions", is::records, "a change of status"},
              {"runtimeProps", maybe::data},
              {"onZoneEntry", maybe::list}}),
      record("a change of status", "What a piece may become.",
             {{"dimension", is::text}, {"from", is::text}, {"to", is::text}}),
      record("an inventory line", "How many pieces of a type there are.",
             {{"pieceTypeId", is::text}, {"seat", is::text}, {"total", is::count}}),
      record("a seatCatalog asset", "Who plays.",
             {{"seats", is::records.once("a seat").some("a seat catalog needs at least one seat"),
               "a seat"}}),
      record("a seat", "Somebody who plays.", {{"id", is::id}}),
  };
}

std::vector<WrittenConstruct> scenarios() {
  return {
      record("a scenario asset", "How the game begins.",
             {{"mapAssetId", maybe::text},
              {"pieceCatalogAssetId", maybe::text},
              {"seatCatalogAssetId", maybe::text},
              {"scenarioName", maybe::text},
              {"yearRange", maybe::anything},
              {"settings", maybe::anything},
              {"initialPlacements", maybe::each, "a placement"},
              {"outOfPlay", maybe::each, "an out-of-play entry"},
              {"seatPools", maybe::each.once("a seat pool"), "a seat pool"},
              {"initializations", maybe::each, "an initialization"},
              {"cardPlacements", maybe::each, "a card placement"},
              {"deckComposition", maybe::one, "a deck composition"},
              {"eventDeckAssetId", maybe::text}}),
      record("a placement", "Pieces that lie in a space.",
             {{"spaceId", is::text},
              {"pieceTypeId", is::text},
              {"seat", is::text},
              {"count", is::count},
              {"status", maybe::data}}),
      record("an out-of-play entry", "Pieces that are out of play.",
             {{"pieceTypeId", is::text}, {"seat", is::text}, {"count", is::count}}),
      record("a seat pool", "Where the other pieces of a seat lie.",
             {{"seat", is::id}, {"availableZoneId", is::text}, {"outOfPlayZoneId", maybe::text}}),
      record("an initialization", "What a track, a variable or a marker begins with.",
             {{"trackId", maybe::text},
              {"var", maybe::text},
              {"value", is::scalar.optional()},
              {"markerId", maybe::text},
              {"state", maybe::text},
              {"spaceId", maybe::text}}),
      record("a card placement", "A card that lies somewhere.",
             {{"cardId", is::text}, {"zoneId", is::text}, {"count", maybe::count}}),
  };
}

std::vector<WrittenConstruct> decks() {
  return {
      record("a deck composition", "What a deck is made of.",
             {{"materializationStrategy", is::text},
              {"pileCount", is::count},
              {"eventsPerPile", is::count},
              {"coupsPerPile", is::count},
              {"includedCardIds", maybe::texts},
              {"excludedCardIds", maybe::texts},
              {"includedCardTags", maybe::texts},
              {"excludedCardTags", maybe::texts},
              {"pileFilters", maybe::each, "a pile filter"}}),
      record("a pile filter", "Which cards may lie in which piles.",
             {{"piles", is::list},
              {"includedCardIds", maybe::texts},
              {"excludedCardIds", maybe::texts},
              {"includedCardTags", maybe::texts},
              {"excludedCardTags", maybe::texts},
              {"metadataEquals", maybe::data}}),
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
    for (auto* part : {&sections, &macros, &assets, &map_assets, &catalogs, &scenarios, &decks}) {
      std::vector<WrittenConstruct> more = (*part)();
      out.insert(out.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
    }
    return out;
  }();
  return all;
}

}  // namespace parlor::spec
