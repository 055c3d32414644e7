// Insurgency: its two macros case by case (K-25), every operation while playing, markers with
// constraints, control, income and margins. Positions are set up by sections added to the game.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "games/shipped.h"

namespace parlor::games {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::UnorderedElementsAre;

// ---- Setting up

// Puts pieces of a type from its box (or another zone) into a space.
std::string put(const std::string& type, int count, const std::string& space,
                const std::string& status = "", const std::string& from = "") {
  const std::string box = from.empty() ? "available-" + type.substr(0, type.find('-')) : from;
  const std::string effects =
      status.empty() ? ""
                     : fmt::format(", {{setTokenProp: {{token: $piece, prop: {}, value: {}}}}}",
                                   status.ends_with("tunneled") ? "tunnel" : "activity", status);
  return fmt::format(
      "  - forEach:\n"
      "      bind: $piece\n"
      "      over: {{query: tokensInZone, zone: {0}, filter: {{field: {{kind: tokenType}}, op: eq, "
      "value: {1}}}}}\n"
      "      limit: {2}\n"
      "      effects: [{{moveToken: {{token: $piece, from: {0}, to: {3}}}}}{4}]\n",
      box, type, count, space, effects);
}
std::string track(const std::string& name, int value) {
  return fmt::format("  - setVar: {{scope: global, var: {}, value: {}}}\n", name, value);
}
std::string opinion(const std::string& space, const std::string& state) {
  return fmt::format("  - setMarker: {{space: \"{}:none\", marker: support, state: {}}}\n", space,
                     state);
}

struct Island {
  explicit Island(const std::string& setup = "", const std::string& sections = "",
                  OpenOptions options = {}) {
    game = open_changed("insurgency", {{}, (setup.empty() ? "" : "setup:\n" + setup) + sections},
                        options);
    state.emplace(start(*game));
  }

  // Everybody before this faction passes.
  Island& turn_of(int faction) {
    while (!state->finished() && state->decision().player.value != faction) take(*state, "pass");
    return *this;
  }
  Island& play(const std::vector<std::string>& steps) {
    for (const std::string& step : steps) take(*state, step);
    return *this;
  }
  std::vector<std::string> options() const { return option_texts(*state); }
  int count(const std::string& space, const std::string& type,
            const std::string& status = "") const {
    int found = 0;
    const Board board = board_of(*state);
    for (const Token& token : board.at(space))
      found +=
          token.type == type && (status.empty() || token.props.value("activity", "") == status ||
                                 token.props.value("tunnel", "") == status)
              ? 1
              : 0;
    return found;
  }
  std::int64_t get(const std::string& name) const { return global(*state, name); }
  std::string support(const std::string& space) const {
    const Json view = state->view();
    const Json& markers = view["markers"];
    const std::string id = space + ":none";
    return markers.contains(id) ? markers[id]["support"].get<std::string>() : "neutral";
  }

  std::shared_ptr<const Game> game;
  std::optional<State> state;
};

constexpr int republic = 0, garrison = 1, front = 2, cartel = 3;

TEST(Insurgency, PiecesAreConservedAndOpinionStaysInItsBounds) {
  const auto game = open_shipped("insurgency");
  for (Seed seed = 1; seed <= 6; ++seed) {
    const State end = play_randomly(*game, seed, [&](const State& state) {
      const Json view = state.view();
      std::map<std::string, int> pieces;
      for (const auto& [zone, tokens] : view["zones"].items()) {
        int bases = 0;
        for (const Json& token : tokens) {
          ++pieces[token["type"]];
          bases += token["props"].value("kind", "") == "base" ? 1 : 0;
        }
        if (!zone.starts_with("available")) {
          ASSERT_LE(bases, 2) << zone;  // stacking
        }
      }
      const std::map<std::string, int> all{{"republic-troops", 14}, {"republic-police", 14},
                                           {"garrison-troops", 12}, {"front-regular", 6},
                                           {"front-guerrilla", 16}, {"front-base", 6},
                                           {"cartel-base", 6},      {"cartel-guerrilla", 12}};
      ASSERT_EQ(pieces, all);
      for (const auto& [space, markers] : view["markers"].items())
        if (space.starts_with("pine-march") || space.starts_with("salt-coast") ||
            space.starts_with("far-reach")) {
          ASSERT_EQ(markers["support"], "neutral") << space;
        }
      for (const char* track :
           {"republicResources", "frontResources", "cartelResources", "patience"})
        ASSERT_GE(view["globals"][track], 0);
    });
    EXPECT_EQ(end.outcome().winners.size(), 1u);
  }
}

// K-10: an operation is offered once, as a template; its spaces are choices.
TEST(Insurgency, OperationsAreOfferedAsTemplates) {
  const auto game = open_shipped("insurgency");
  State state = start(*game);
  OptionList list;
  state.list_options(list);
  std::set<std::string> actions;
  for (const Option option : list) {
    const Json json = state.option_json(option);
    EXPECT_TRUE(json["params"].empty());
    actions.insert(json["action"]);
  }
  EXPECT_EQ(actions.size(), list.size());
  ASSERT_TRUE(state.apply(find_option(state, "train").value()).has_value());
  EXPECT_EQ(state.decision().kind, DecisionKind::choose_n);
}

// ---- K-25: piece-removal-ordering

const std::string hit_action = R"(
actions:
  - id: hit
    phase: [operations]
    params: [{name: $damage, domain: {query: intsInRange, min: 0, max: 9}}]
    effects: [{macro: piece-removal-ordering, args: {space: "harrow:none", damageExpr: {ref: binding, name: $damage}}}]
)";

TEST(InsurgencyRemoval, RegularTroopsGoFirstUpToTheDamage) {
  Island island(put("front-regular", 3, "harrow") + put("front-guerrilla", 2, "harrow", "active"),
                hit_action);
  island.play({"hit 2"});
  EXPECT_EQ(island.count("harrow", "front-regular"), 1);
  EXPECT_EQ(island.count("harrow", "front-guerrilla"), 2);
  EXPECT_EQ(island.count("available-front", "front-regular"), 5);
}

TEST(InsurgencyRemoval, TheAttackerChoosesWhoseActiveGuerrillasSufferFirst) {
  const std::string both = put("front-guerrilla", 2, "harrow", "active") +
                           put("cartel-guerrilla", 2, "harrow", "active");
  for (const auto& [first, front_left, cartel_left] :
       {std::tuple{"cartel", 1, 0}, std::tuple{"front", 0, 1}}) {
    Island island(both, hit_action);
    island.play({"hit 3"});
    EXPECT_EQ(island.state->decision().player.value, republic);
    EXPECT_THAT(island.options(), ElementsAre("front", "cartel"));
    island.play({first});
    EXPECT_EQ(island.count("harrow", "front-guerrilla"), front_left);
    EXPECT_EQ(island.count("harrow", "cartel-guerrilla"), cartel_left);
  }
}

TEST(InsurgencyRemoval, NothingIsAskedWhenThereIsNothingToChoose) {
  Island one_faction(put("cartel-guerrilla", 2, "harrow", "active"), hit_action);
  one_faction.play({"hit 1"});
  EXPECT_EQ(one_faction.state->decision().player.value, garrison);
  EXPECT_EQ(one_faction.count("harrow", "cartel-guerrilla"), 1);
  // The damage is used up by troops before it comes to guerrillas.
  Island used_up(put("front-regular", 2, "harrow") + put("front-guerrilla", 1, "harrow", "active") +
                     put("cartel-guerrilla", 1, "harrow", "active"),
                 hit_action);
  used_up.play({"hit 2"});
  EXPECT_EQ(used_up.state->decision().player.value, garrison);
}

TEST(InsurgencyRemoval, UndergroundGuerrillasAreImmuneAndProtectNoBase) {
  Island island(put("front-guerrilla", 2, "harrow", "underground") +
                    put("front-base", 1, "harrow", "untunneled"),
                hit_action);
  island.play({"hit 9"});
  EXPECT_EQ(island.count("harrow", "front-guerrilla", "underground"), 2);
  EXPECT_EQ(island.count("harrow", "front-base"), 0);
}

TEST(InsurgencyRemoval, BasesFallOnlyToDamageThatActiveGuerrillasLeaveOver) {
  const std::string setup = put("front-guerrilla", 1, "harrow", "active") +
                            put("cartel-guerrilla", 1, "harrow", "active") +
                            put("cartel-base", 2, "harrow", "untunneled");
  for (const auto& [damage, bases] :
       {std::pair{1, 2}, std::pair{2, 2}, std::pair{3, 1}, std::pair{4, 0}, std::pair{9, 0}}) {
    Island island(setup, hit_action);
    island.play({fmt::format("hit {}", damage), "front"});
    EXPECT_EQ(island.count("harrow", "cartel-base"), bases) << damage;
    EXPECT_EQ(island.count("harrow", "cartel-guerrilla"), damage < 2 ? 1 : 0) << damage;
  }
}

TEST(InsurgencyRemoval, ATunnelledBaseLosesItsTunnelOnAFourOrMoreAndStays) {
  OpenOptions options;
  options.explicit_chance = true;
  Island island(put("front-base", 1, "harrow", "tunneled"), hit_action, options);
  island.play({"hit 1"});
  ASSERT_EQ(island.state->decision().kind, DecisionKind::chance);
  OptionList dice;
  island.state->list_options(dice);
  ASSERT_EQ(dice.size(), 6u);
  const State before = *island.state;
  for (std::size_t die = 0; die < 6; ++die) {
    *island.state = before;
    ASSERT_TRUE(island.state->apply(dice[die]));
    EXPECT_EQ(island.count("harrow", "front-base", die < 3 ? "tunneled" : "untunneled"), 1) << die;
  }
}

TEST(InsurgencyRemoval, NoDamageRemovesNothing) {
  Island island(put("front-regular", 1, "harrow") + put("front-guerrilla", 1, "harrow", "active") +
                    put("cartel-guerrilla", 1, "harrow", "active") +
                    put("cartel-base", 1, "harrow", "untunneled"),
                hit_action);
  island.play({"hit 0"});
  EXPECT_EQ(board_of(*island.state).at("harrow").size(), 4u);
}

// ---- K-25: place-from-available-or-map

std::string place_action(const std::string& type, const std::string& faction, int most) {
  return fmt::format(R"(
actions:
  - id: place
    phase: [operations]
    effects: [{{macro: place-from-available-or-map, args: {{pieceType: {}, faction: {}, targetSpace: "harrow:none", maxPieces: {}}}}}]
)",
                     type, faction, most);
}

TEST(InsurgencyPlacement, TheAvailableBoxComesFirst) {
  Island island("", place_action("front-guerrilla", "front", 3));
  island.play({"place"});
  EXPECT_EQ(island.state->decision().player.value, garrison);  // nothing was asked
  EXPECT_EQ(island.count("harrow", "front-guerrilla", "underground"), 3);
  EXPECT_EQ(island.count("verdel", "front-guerrilla"), 3);
}

TEST(InsurgencyPlacement, WhatIsMissingMayComeFromTheMapButNoMore) {
  Island island(put("front-guerrilla", 8, "casualties"),
                place_action("front-guerrilla", "front", 3));
  island.play({"place"});  // one was left in the box; 7 are on the map
  ASSERT_EQ(island.state->decision().kind, DecisionKind::choose_n);
  EXPECT_THAT(island.options(), testing::SizeIs(7 + 1));
  EXPECT_THAT(island.options(), Contains("confirm"));  // fewer will do
  take(*island.state, island.options()[0]);
  take(*island.state, island.options()[0]);
  EXPECT_THAT(island.options(), ElementsAre("confirm"));  // two were missing
  island.play({"confirm"});
  EXPECT_EQ(island.count("harrow", "front-guerrilla"), 3);
}

TEST(InsurgencyPlacement, ThePlayerMayTakeNothingFromTheMap) {
  Island island(put("front-guerrilla", 9, "casualties"),
                place_action("front-guerrilla", "front", 2));
  island.play({"place", "confirm"});
  EXPECT_EQ(island.count("harrow", "front-guerrilla"), 0);
}

TEST(InsurgencyPlacement, PiecesThatAreThereAlreadyAreNotTakenFromThere) {
  Island island(put("front-guerrilla", 7, "casualties") + put("front-guerrilla", 2, "harrow"),
                place_action("front-guerrilla", "front", 2));
  island.play({"place"});
  EXPECT_THAT(island.options(), testing::SizeIs(7 + 1));  // those in other spaces
}

TEST(InsurgencyPlacement, TheGarrisonTakesNothingFromTheMap) {
  Island island(put("garrison-troops", 6, "casualties"),
                place_action("garrison-troops", "garrison", 3));
  island.play({"place"});
  EXPECT_EQ(island.state->decision().player.value, garrison);
  EXPECT_EQ(island.count("harrow", "garrison-troops"), 1);
}

TEST(InsurgencyPlacement, GuerrillasThatWereSeenComeBackInHiding) {
  Island island(put("front-guerrilla", 2, "harrow", "active"),
                hit_action + place_action("front-guerrilla", "front", 9).substr(9));
  island.play({"hit 2"});
  island.turn_of(republic).play({"place"});
  EXPECT_EQ(island.count("harrow", "front-guerrilla", "underground"), 9);
}

// ---- Operations while playing

TEST(InsurgencyOperations, TrainPaysForEverySpaceAndNoMoreThanCanBePaid) {
  Island island(track("republicResources", 7));
  island.play({"train", "mira", "port-aurel"});
  EXPECT_THAT(island.options(), ElementsAre("confirm"));  // a third space would cost 9
  island.play({"confirm", "republic-police", "republic-troops"});
  EXPECT_EQ(island.get("republicResources"), 1);
  EXPECT_EQ(island.count("mira", "republic-police"), 4);
  EXPECT_EQ(island.count("port-aurel", "republic-troops"), 4);
}

TEST(InsurgencyOperations, AtomicOperationsNeedTheirCost) {
  EXPECT_THAT(Island(track("republicResources", 2)).options(), Not(Contains("train")));
  EXPECT_THAT(Island(track("republicResources", 3)).options(), Contains("train"));
}

// K-11: partial operations are offered without the money, and stop when it runs out.
TEST(InsurgencyOperations, PartialOperationsSkipWhatCannotBePaid) {
  Island poor(track("republicResources", 0));
  EXPECT_THAT(poor.options(), Contains("pacify"));
  poor.play({"pacify", "port-aurel", "san-brio", "confirm"});
  EXPECT_EQ(poor.support("port-aurel"), "passiveSupport");
  Island midway(track("republicResources", 7));
  midway.play({"pacify", "port-aurel", "san-brio", "confirm"});
  EXPECT_EQ(midway.support("port-aurel"), "activeSupport");
  EXPECT_EQ(midway.support("san-brio"), "passiveSupport");
  EXPECT_EQ(midway.get("republicResources"), 3);
}

TEST(InsurgencyOperations, PacifyNeedsPoliceAndControl) {
  Island island(put("front-guerrilla", 9, "port-aurel"));  // more than the five of the Republic
  island.play({"pacify"});
  EXPECT_THAT(island.options(), Not(Contains("port-aurel")));
  EXPECT_THAT(island.options(), Contains("san-brio"));
  EXPECT_THAT(island.options(), Not(Contains("tamarack")));  // control, but no police
}

TEST(InsurgencyOperations, AssaultHitsWithHalfOfThoseWhoAreThere) {
  Island island(put("front-guerrilla", 4, "san-brio", "active"));
  island.play({"assault", "san-brio"});  // two troops and two police
  EXPECT_EQ(island.count("san-brio", "front-guerrilla"), 2);
  EXPECT_EQ(island.get("republicResources"), 17);
}

TEST(InsurgencyOperations, DeployLandsOnTheCoastOrWhereTheGarrisonIs) {
  Island island;
  island.turn_of(garrison).play({"deploy"});
  EXPECT_THAT(island.options(),
              UnorderedElementsAre("port-aurel", "san-brio", "low-fens", "saint-orso", "salt-coast",
                                   "mira", "tamarack"));
  island.play({"low-fens", "salt-coast", "confirm"});
  EXPECT_EQ(island.count("low-fens", "garrison-troops"), 2);
  EXPECT_EQ(island.count("salt-coast", "garrison-troops"), 2);
  EXPECT_EQ(island.get("patience"), 19);
}

TEST(InsurgencyOperations, SweepMarchesInAndFindsOneForTwo) {
  Island island;
  island.turn_of(garrison).play({"sweep", "verdel"});  // three from Mira and two from Tamarack
  for (int i = 0; i < 3; ++i) take(*island.state, island.options()[0]);
  island.play({"confirm"});
  EXPECT_EQ(island.count("verdel", "garrison-troops"), 3);
  EXPECT_EQ(island.count("verdel", "front-guerrilla", "active"), 2);
  EXPECT_EQ(island.count("verdel", "front-guerrilla", "underground"), 1);
}

TEST(InsurgencyOperations, StrikeHitsHardAndTurnsThePeopleAway) {
  Island island(put("front-guerrilla", 4, "mira", "active") + opinion("mira", "neutral"));
  island.turn_of(garrison).play({"strike"});              // the only space: nothing to ask
  EXPECT_EQ(island.count("mira", "front-guerrilla"), 1);  // three troops
  EXPECT_EQ(island.support("mira"), "passiveOpposition");
  EXPECT_EQ(island.get("patience"), 19);
}

TEST(InsurgencyOperations, RallyStopsWhenTheMoneyIsGone) {
  Island island(track("frontResources", 2));
  island.turn_of(front).play({"rally", "far-reach", "harrow", "low-fens", "pine-march", "confirm"});
  EXPECT_EQ(island.get("frontResources"), 0);
  EXPECT_EQ(island.count("far-reach", "front-guerrilla"), 1);
  EXPECT_EQ(island.count("harrow", "front-guerrilla"), 1);
  EXPECT_EQ(island.count("low-fens", "front-guerrilla"), 0);
  EXPECT_EQ(island.count("pine-march", "front-guerrilla"), 0);
}

TEST(InsurgencyOperations, RallyBuildsABaseOutOfThreeGuerrillasWhereThereIsRoom) {
  Island island;
  island.turn_of(front).play({"rally", "verdel", "confirm"});
  EXPECT_EQ(island.count("verdel", "front-base"), 1);
  EXPECT_EQ(island.count("verdel", "front-guerrilla"), 1);
  Island full(put("front-base", 2, "verdel"));
  full.turn_of(front).play({"rally", "verdel", "confirm"});
  EXPECT_EQ(full.count("verdel", "front-base"), 2);
  EXPECT_EQ(full.count("verdel", "front-guerrilla"), 4);
}

TEST(InsurgencyOperations, RallyIsNotWelcomeWhereThePeopleSupportTheRepublic) {
  Island island;
  island.turn_of(front).play({"rally"});
  EXPECT_THAT(island.options(), Not(Contains("port-aurel")));
  EXPECT_THAT(island.options(), Contains("mira"));
}

TEST(InsurgencyOperations, AgitatingShowsAGuerrilla) {
  Island island;
  island.turn_of(front).play({"agitate", "upper-sava", "verdel", "confirm"});
  EXPECT_EQ(island.support("verdel"), "activeOpposition");
  EXPECT_EQ(island.support("upper-sava"), "passiveOpposition");
  EXPECT_EQ(island.count("verdel", "front-guerrilla", "active"), 1);
  EXPECT_EQ(island.get("frontResources"), 8);
}

TEST(InsurgencyOperations, MarchMovesNextDoorIntoHiding) {
  Island island(put("front-guerrilla", 2, "harrow", "active"));
  island.turn_of(front).play({"march", "tamarack"});
  EXPECT_THAT(island.options(), testing::SizeIs(2 + 3));  // from Harrow and Verdel
  for (int i = 0; i < 3; ++i) take(*island.state, island.options()[0]);
  island.play({"confirm"});
  EXPECT_EQ(island.count("tamarack", "front-guerrilla", "underground"), 3);
  EXPECT_EQ(island.get("frontResources"), 9);
}

TEST(InsurgencyOperations, AnAmbushOnTheGarrisonCostsPatience) {
  Island island(put("front-guerrilla", 1, "mira", "underground"));
  island.turn_of(front).play({"ambush", "mira"});
  EXPECT_THAT(island.options(), testing::SizeIs(2 + 3));  // police and troops
  const auto patience = island.get("patience");
  std::string victim;
  for (const std::string& option : island.options())
    if (option.find("garrison") != std::string::npos) victim = option;
  island.play({victim});
  EXPECT_EQ(island.get("patience"), patience - 2);
  EXPECT_EQ(island.count("casualties", "garrison-troops"), 1);
  EXPECT_EQ(island.count("mira", "front-guerrilla", "active"), 1);
}

TEST(InsurgencyOperations, RecruitSkipsSpacesWhenTheMoneyIsGone) {
  Island island(track("cartelResources", 1));
  island.turn_of(cartel).play({"recruit", "mira", "old-quarry", "port-aurel", "confirm"});
  EXPECT_EQ(island.count("mira", "cartel-guerrilla"), 1);
  EXPECT_EQ(island.count("old-quarry", "cartel-guerrilla"), 0);
}

TEST(InsurgencyOperations, CultivateHidesFromThePoliceAmongThePeople) {
  Island island(put("cartel-guerrilla", 1, "mira") + put("cartel-guerrilla", 1, "salt-coast"));
  island.turn_of(cartel).play({"cultivate"});
  // Not under the eyes of the police (Mira), nor where nobody lives (Salt Coast).
  EXPECT_THAT(island.options(), ElementsAre("lower-sava", "saint-orso"));
  island.play({"saint-orso"});
  EXPECT_EQ(island.count("saint-orso", "cartel-base"), 1);
  EXPECT_EQ(island.get("cartelResources"),
            8 - 3 + 2);  // and a base's trade each at the round's end
}

TEST(InsurgencyOperations, SmugglersShowThemselvesAndBringInTheTradeOfTheirSpace) {
  Island island;
  island.turn_of(cartel).play({"smuggle"});
  for (int i = 0; i < 4; ++i) take(*island.state, island.options()[0]);
  island.play({"confirm"});
  // Two in Lower Sava (trade 1), two in Saint Orso (0); then one base's trade.
  EXPECT_EQ(island.get("cartelResources"), 8 + 2 * 2 + 2 * 1 + 1);
  EXPECT_EQ(island.count("lower-sava", "cartel-guerrilla", "active"), 2);
}

// ---- Markers, stacking, control

TEST(InsurgencyMarkers, NobodyTakesSidesWhereNobodyLives) {
  Island island(put("front-guerrilla", 1, "pine-march", "underground") +
                put("garrison-troops", 1, "pine-march") + put("front-regular", 1, "pine-march"));
  island.turn_of(garrison).play({"strike"});
  EXPECT_EQ(island.support("pine-march"), "neutral");
  island.turn_of(front).play({"agitate"});
  EXPECT_THAT(island.options(), Not(Contains("pine-march")));
}

TEST(InsurgencyMarkers, OpinionGoesNoFurtherThanItsEnds) {
  Island island(opinion("port-aurel", "activeSupport"));
  island.play({"pacify"});
  EXPECT_THAT(island.options(), Not(Contains("port-aurel")));
  island = Island();
  island.turn_of(front).play({"agitate"});
  EXPECT_THAT(island.options(), Not(Contains("cinder-hills")));  // active opposition already
}

TEST(InsurgencyControl, OrderIsWorthPopulationToTheGarrisonAndTradeToTheRepublic) {
  Island island;
  // Order holds in Port Aurel (4, trade 2), San Brio (3, 2), Mira (2, 1) and Tamarack (2, 1).
  island.turn_of(cartel).play({"pass"});
  EXPECT_EQ(island.get("republicResources"), 20 + 3 + 4 + 6);
  EXPECT_EQ(island.get("patience"), 20 + 1 - 1);
  EXPECT_EQ(island.get("garrisonMargin"), 20 / 4 + 11 - 16);
  EXPECT_EQ(island.get("frontResources"), 10 + 2 + 2 + 1);
  EXPECT_EQ(island.get("cartelResources"), 8 + 2 + 1);
}

// ---- Winning

TEST(InsurgencyVictory, MarginsAreReckonedAtTheEndOfARound) {
  Island island(opinion("mira", "activeSupport") + opinion("harrow", "passiveOpposition"));
  island.turn_of(cartel).play({"pass"});
  // Support: 4 + 3 passive, 2 active counted twice. Opposition: 2 and 2 passive, 1 active twice;
  // one base.
  EXPECT_EQ(island.get("republicMargin"), 4 + 3 + 2 * 2 - 16);
  EXPECT_EQ(island.get("frontMargin"), 2 + 2 + 1 * 2 + 1 - 8);
  EXPECT_EQ(island.get("cartelMargin"), 11 + 2 * 1 - 34);
  EXPECT_FALSE(island.state->finished());
}

TEST(InsurgencyVictory, AnAimThatIsReachedEndsTheGameAtTheEndOfTheRound) {
  Island island(track("cartelResources", 40));
  island.turn_of(front);
  EXPECT_FALSE(island.state->finished());
  island.turn_of(cartel).play({"pass"});
  ASSERT_TRUE(island.state->finished());
  EXPECT_EQ(island.state->outcome().reason, "cartel-aim");
  EXPECT_EQ(island.state->outcome().winners, std::vector{PlayerId(cartel)});
}

TEST(InsurgencyVictory, TheBestMarginWinsWhenSeveralAimsAreReached) {
  Island island(track("cartelResources", 32) + opinion("mira", "activeSupport") +
                opinion("port-aurel", "activeSupport") + opinion("san-brio", "activeSupport") +
                opinion("verdel", "activeSupport"));
  island.turn_of(cartel).play({"pass"});
  ASSERT_TRUE(island.state->finished());
  EXPECT_EQ(island.get("republicMargin"), 2 * (2 + 4 + 3 + 2) - 16);  // 6
  EXPECT_EQ(island.get("cartelMargin"), 32 + 2 + 1 + 2 - 34);         // 3
  EXPECT_EQ(island.state->outcome().winners, std::vector{PlayerId(republic)});
}

TEST(InsurgencyVictory, AfterTheLastRoundTheBestMarginWinsAndTheCartelWinsTies) {
  OpenOptions one_round;
  one_round.constants["rounds"] = "1";
  for (const auto& [money, margin, winner] :
       {std::tuple{28, -1, garrison}, std::tuple{29, 0, cartel}}) {
    Island island(track("cartelResources", money), "", one_round);
    island.turn_of(cartel).play({"pass"});
    ASSERT_TRUE(island.state->finished());
    EXPECT_EQ(island.get("garrisonMargin"), 0);
    EXPECT_EQ(island.get("cartelMargin"), margin);
    EXPECT_EQ(island.state->outcome().reason, "last-round");
    EXPECT_EQ(island.state->outcome().winners, std::vector{PlayerId(winner)});
  }
}

}  // namespace
}  // namespace parlor::games
