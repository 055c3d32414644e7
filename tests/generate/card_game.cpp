#include "generate/card_game.h"

#include <map>
#include <vector>

#include "base/json.h"
#include "base/rng.h"

namespace parlor::generate {

namespace {

using Texts = std::vector<std::string>;

Json op(const char* word, Json left, Json right) {
  return {{"op", word}, {"left", std::move(left)}, {"right", std::move(right)}};
}
Json binding(const char* name) {
  return {{"ref", "binding"}, {"name", name}};
}
Json add(const char* var, int delta) {
  return {{"addVar", {{"scope", "global"}, {"var", var}, {"delta", delta}}}};
}
Json list(const Texts& items) {
  Json out = Json::array();
  for (const std::string& item : items) out.push_back(item);
  return out;
}

class CardGame {
 public:
  explicit CardGame(std::uint64_t number) : rng_(number, 77) {
    seats_ = {"red", "blue", "green", "gold"};
    seats_.resize(2 + rng_.below(3));
  }

  std::string text() {
    Json game;
    // What later parts look at comes first.
    coup_phases_ = rng_.below(3);
    season_ = one_in(3);
    pivotal_ = one_in(3);
    own_discard_ = one_in(6);
    ordered_ = one_in(2);
    game["metadata"] = {{"id", "cards"},
                        {"players", {{"min", seats_.size()}, {"max", seats_.size()}}}};
    catalog(game);
    board(game);
    turns(game);
    actions(game);
    pipelines(game);
    cards(game);
    flow(game);
    ends(game);
    std::string out = "# Cards\n";
    for (const auto& [key, value] : game.items())
      out += "\n```yaml\n" + Json{{key, value}}.dump() + "\n```\n";
    return out;
  }

 private:
  // ---- Dice
  bool one_in(std::size_t n) { return rng_.below(n) == 0; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[rng_.below(from.size())];
  }
  Texts some(Texts from, std::size_t least) {
    for (std::size_t i = from.size(); i > 1; --i) std::swap(from[i - 1], from[rng_.below(i)]);
    from.resize(least + rng_.below(from.size() - least + 1));
    return from;
  }

  // ---- What there is
  void catalog(Json& game) {
    Json seats = Json::array();
    for (const std::string& seat : seats_) seats.push_back({{"id", seat}});
    game["dataAssets"] =
        Json::array({{{"id", "seats"}, {"kind", "seatCatalog"}, {"payload", {{"seats", seats}}}}});
    game["globalVars"] = Json::array();
    for (const char* name : {"score", "gold", "heard", "dust"})
      game["globalVars"].push_back(
          {{"name", name}, {"type", "int"}, {"init", 0}, {"min", 0}, {"max", 60}});
    game["globalVars"][3]["material"] = false;
    game["perPlayerVars"] =
        Json::array({{{"name", "supply"}, {"type", "int"}, {"init", 4}, {"min", 0}, {"max", 20}}});
  }

  void board(Json& game) {
    Json zones = Json::array();
    const auto slot = [&](const char* id, const char* ordering) {
      zones.push_back(
          {{"id", id}, {"owner", "none"}, {"visibility", "public"}, {"ordering", ordering}});
    };
    slot("deck", "stack");
    slot("played", "queue");
    slot("lookahead", "queue");
    slot("leader", "queue");
    slot("discard", "queue");
    static const std::map<std::string, Texts> near = {{"east", {"north", "south"}},
                                                      {"north", {"east", "west"}},
                                                      {"south", {"east", "west"}},
                                                      {"west", {"north", "south"}}};
    for (const auto& [id, others] : near) {
      Json to = Json::array();
      for (const std::string& other : others) to.push_back({{"to", other + ":none"}});
      const bool hill = id == "north" || id == "west";
      zones.push_back({{"id", id},
                       {"zoneKind", "board"},
                       {"owner", "none"},
                       {"visibility", "public"},
                       {"ordering", "set"},
                       {"attributes", {{"terrain", hill ? "hill" : "plain"}}},
                       {"adjacentTo", to}});
    }
    game["zones"] = zones;
    game["tokenTypes"] =
        Json::array({{{"id", "card"}, {"props", {{"cardId", "string"}, {"isCoup", "boolean"}}}},
                     {{"id", "piece"}, {"props", {{"color", "string"}, {"hidden", "boolean"}}}}});
    const std::size_t count = 4 + rng_.below(5);
    for (std::size_t i = 0; i < count; ++i)
      coup_.push_back(coup_phases_ > 0 ? one_in(3) : one_in(12));
    Json setup = Json::array();
    for (std::size_t i = count; i-- > 0;)
      setup.push_back(
          {{"createToken",
            {{"type", "card"},
             {"zone", i == 1 && one_in(5) ? "lookahead" : "deck"},
             {"props", {{"cardId", "c" + std::to_string(i)}, {"isCoup", bool(coup_[i])}}}}}});
    for (const auto& [id, others] : near)
      if (!one_in(3))
        setup.push_back({{"createToken",
                          {{"type", "piece"},
                           {"zone", id},
                           {"props", {{"color", pick(seats_)}, {"hidden", one_in(2)}}}}}});
    game["setup"] = setup;
  }

  void turns(Json& game) {
    Json phases = Json::array({{{"id", "main"}, {"onEnter", {add("heard", 1)}}}});
    if (one_in(4)) phases[0]["actionDefaults"] = {{"afterEffects", {add("dust", 1)}}};
    for (std::size_t i = 0; i < coup_phases_; ++i)
      phases.push_back({{"id", "coup" + std::to_string(i)}, {"onEnter", {add("heard", 2)}}});
    game["turnStructure"] = {{"phases", phases},
                             {"interrupts", {{{"id", "parley"}, {"onEnter", {add("heard", 3)}}}}}};
    game["triggers"] = Json::array();
    const auto trigger = [&](Json event, Json effect) {
      if (one_in(3))
        game["triggers"].push_back({{"event", std::move(event)}, {"effects", {std::move(effect)}}});
    };
    trigger({{"type", "actionResolved"}, {"action", "muster"}}, add("heard", 1));
    trigger({{"type", "turnStart"}}, add("heard", 5));
    trigger({{"type", "varChanged"}, {"var", "gold"}}, add("dust", 1));
    trigger({{"type", "phaseExit"}, {"phase", "main"}}, add("heard", 7));
    trigger({{"type", "tokenEntered"}}, add("dust", 1));
  }

  // ---- What can be done
  Json& action(Json& game, const char* id, const Texts& phases) {
    game["actions"].push_back({{"id", id},
                               {"actor", "active"},
                               {"executor", "actor"},
                               {"phase", list(phases)},
                               {"params", Json::array()},
                               {"pre", nullptr},
                               {"cost", Json::array()},
                               {"effects", Json::array()},
                               {"limits", Json::array()}});
    return game["actions"].back();
  }

  void actions(Json& game) {
    game["actions"] = Json::array();
    Texts coup;
    for (std::size_t i = 0; i < coup_phases_; ++i) coup.push_back("coup" + std::to_string(i));
    Json& pass = action(game, "pass", {"main"});
    if (!one_in(5)) pass["tags"] = {"pass"};
    if (one_in(5)) pass["pre"] = op("<", {{"ref", "gvar"}, {"var", "dust"}}, 20);
    if (!one_in(4)) action(game, "event", {"main"})["capabilities"] = {"cardEvent"};
    for (const char* id : {"muster", "march", "raid"}) {
      Texts phases{"main"};
      if (one_in(6) && !coup.empty()) phases.push_back(coup[0]);
      Json& made = action(game, id, phases);
      if (one_in(6)) made["limits"] = Json::array({{{"scope", "turn"}, {"max", 3}}});
    }
    Json& drill = action(game, "drill", {"main"});
    drill["params"] = Json::array(
        {{{"name", "where"}, {"domain", {{"query", "mapSpaces"}}}},
         {{"name", "much"}, {"domain", {{"query", "intsInRange"}, {"min", 1}, {"max", 2}}}}});
    drill["pre"] =
        op(">=", {{"ref", "pvar"}, {"player", "actor"}, {"var", "supply"}}, binding("much"));
    drill["cost"] =
        Json::array({{{"addVar",
                       {{"scope", "pvar"},
                        {"player", "actor"},
                        {"var", "supply"},
                        {"delta", {{"op", "-"}, {"left", 0}, {"right", binding("much")}}}}}}});
    drill["effects"] = Json::array({add("score", 1)});
    Json& odd = action(game, "odd", {"main", "parley"});
    odd["effects"] = Json::array({add("dust", 1)});
    odd["limits"] = Json::array({{{"scope", "game"}, {"max", 4}}});
    if (pivotal_) action(game, "stroke", {"main"})["effects"] = Json::array({add("score", 3)});
    Json& answer = action(game, "answer", {"parley"});
    answer["effects"] = Json::array({add("gold", 1), {{"popInterruptPhase", Json::object()}}});
    if (coup.empty()) return;
    Json& rest = action(game, "rest", coup);
    if (one_in(2)) rest["tags"] = {"pass"};
    Json& tax = action(game, "tax", {pick(coup)});
    tax["pre"] = op("<", {{"ref", "gvar"}, {"var", "gold"}}, 30);
    tax["effects"] = Json::array({add("gold", 4)});
    tax["limits"] = Json::array({{{"scope", "phase"}, {"max", 2}}});
  }

  static Json own_pieces_there() {
    return op(
        ">",
        {{"aggregate",
          {{"op", "count"},
           {"query",
            {{"query", "tokensInZone"},
             {"zone", "$zone"},
             {"filter", {{"prop", "color"}, {"op", "eq"}, {"value", {{"ref", "activeSeat"}}}}}}}}}},
        0);
  }

  Json pipeline(const char* id, int cost, Json stages) {
    const Json supply = {{"ref", "pvar"}, {"player", "actor"}, {"var", "supply"}};
    Json made = {
        {"id", std::string(id) + "-profile"},
        {"actionId", id},
        {"legality", true},
        {"costValidation", op(">=", supply, cost)},
        {"costEffects",
         {{{"addVar",
            {{"scope", "pvar"}, {"player", "actor"}, {"var", "supply"}, {"delta", -cost}}}}}},
        {"targeting", Json::object()},
        {"stages", std::move(stages)},
        {"atomicity", one_in(4) ? "partial" : "atomic"}};
    return made;
  }

  void pipelines(Json& game) {
    const Json one_if_limited = {{"if",
                                  {{"when", op("==", binding("__actionClass"), "limitedOperation")},
                                   {"then", 1},
                                   {"else", 2}}}};
    const Json piece = {{"createToken",
                         {{"type", "piece"},
                          {"zone", "$spot"},
                          {"props", {{"color", {{"ref", "activeSeat"}}}, {"hidden", false}}}}}};
    Json muster = pipeline("muster", 2,
                           {{{"effects",
                              {{{"chooseN",
                                 {{"bind", "$spots"},
                                  {"options", {{"query", "mapSpaces"}}},
                                  {"min", 1},
                                  {"max", one_if_limited}}}}}}},
                            {{"effects",
                              {{{"forEach",
                                 {{"bind", "$spot"},
                                  {"over", {{"query", "binding"}, {"name", "$spots"}}},
                                  {"effects", {piece}}}}}}}}});
    const Json own = {{"prop", "color"}, {"op", "eq"}, {"value", {{"ref", "activeSeat"}}}};
    Json march = pipeline(
        "march", 1,
        {{{"effects",
           {{{"chooseOne",
              {{"bind", "$from"},
               {"options", {{"query", "mapSpaces"}, {"filter", own_pieces_there()}}}}}},
            {{"chooseOne",
              {{"bind", "$to"}, {"options", {{"query", "adjacentZones"}, {"zone", "$from"}}}}}}}}},
         {{"effects",
           {{{"chooseOne",
              {{"bind", "$mover"},
               {"options", {{"query", "tokensInZone"}, {"zone", "$from"}, {"filter", own}}}}}},
            {{"moveToken", {{"token", "$mover"}, {"from", "$from"}, {"to", "$to"}}}}}}}});
    Json raid =
        pipeline("raid", 1,
                 {{{"effects",
                    {{{"chooseOne",
                       {{"bind", "$prey"},
                        {"options", {{"query", "mapSpaces"}, {"filter", own_pieces_there()}}}}}},
                     add("gold", 1)}}}});
    if (one_in(2)) raid["accompanyingOps"] = list(some({"muster", "march"}, 1));
    if (one_in(2))
      raid["compoundParamConstraints"] =
          Json::array({{{"relation", one_in(2) ? "disjoint" : "subset"},
                        {"operationParam", one_in(2) ? "$spots" : "spots"},
                        {"specialActivityParam", "$prey"}}});
    game["actionPipelines"] = {muster, march, raid};
  }

  // ---- Cards
  Json zone_filter() {
    const Json id = {{"ref", "zoneProp"}, {"zone", "$zone"}, {"prop", "id"}};
    const auto count_there = [](const char* zone) -> Json {
      return {
          {"aggregate", {{"op", "count"}, {"query", {{"query", "tokensInZone"}, {"zone", zone}}}}}};
    };
    switch (rng_.below(7)) {
      case 0:
        return op("==", {{"ref", "zoneProp"}, {"zone", "$zone"}, {"prop", "terrain"}}, "hill");
      case 1:
        return op("==", count_there("$zone"), 0);
      case 2:
        return op(">", count_there("$zone"), 0);
      case 3:
        return op("==", {{"ref", "zoneProp"}, {"zone", "$space"}, {"prop", "terrain"}}, "plain");
      case 4:
        return {{"op", "in"}, {"item", id}, {"set", {{"ref", "grantContext"}, {"key", "places"}}}};
      case 5:
        return {{"op", "not"}, {"arg", op("==", id, "north:none")}};
      default:
        return op("<", count_there("$zone"), 2);
    }
  }

  Json grant(bool from_event, int step) {
    Json made = {
        {"seat", one_in(2) ? "self" : pick(seats_)},
        {"operationClass", pick(Texts{"operation", "operation", "limitedOperation",
                                      "specialActivity", "operationPlusSpecialActivity"})}};
    if (one_in(5)) made["executeAsSeat"] = one_in(3) ? "self" : pick(seats_);
    if (!one_in(4)) made["actionIds"] = list(some({"muster", "march", "raid", "drill", "odd"}, 1));
    if (one_in(2)) made["zoneFilter"] = zone_filter();
    if (one_in(4)) made["moveZoneBindings"] = list(some({"$spots", "$from", "$prey", "where"}, 1));
    if (one_in(8)) made["moveZoneProbeBindings"] = {"$spots"};
    if (one_in(6))
      made["tokenInterpretations"] =
          Json::array({{{"when", {{"prop", "hidden"}, {"op", "eq"}, {"value", true}}},
                        {"assign", {{"color", pick(seats_)}}}}});
    if (season_ || one_in(4)) made["allowDuringMonsoon"] = true;
    if (one_in(4)) made["uses"] = 2;
    made["viabilityPolicy"] = pick(
        Texts{"emitAlways", "emitAlways", "requireUsableAtIssue", "requireUsableForEventPlay"});
    if (!from_event && made["viabilityPolicy"] == "requireUsableForEventPlay")
      made.erase("viabilityPolicy");
    switch (rng_.below(4)) {
      case 0:
        break;
      case 1:
        made["completionPolicy"] = "skipIfNoLegalCompletion";
        if (one_in(2)) made["postResolutionTurnFlow"] = "resumeCardFlow";
        break;
      default:
        made["completionPolicy"] = "required";
        made["postResolutionTurnFlow"] = "resumeCardFlow";
    }
    if (one_in(5)) made["outcomePolicy"] = "mustChangeGameplayState";
    made["executionContext"] = {
        {"places", list(some({"north:none", "east:none", "west:none"}, 1))}};
    if (from_event || one_in(2)) {
      made["sequence"] = {{"batch", "b" + std::to_string(batch_)}, {"step", step}};
      if (!strict_) made["sequence"]["progressionPolicy"] = "implementWhatCanInOrder";
      if (step == 0 && one_in(2))
        made["sequenceContext"] = {{"captureMoveZoneCandidatesAs", "camps"}};
      if (step > 0 && one_in(4))
        made["sequenceContext"] = {{"requireMoveZoneCandidatesFrom", "camps"}};
    }
    return made;
  }

  Json effect() {
    switch (rng_.below(8)) {
      case 0:
      case 1:
        return {{"grantFreeOperation", grant(false, static_cast<int>(rng_.below(2)))}};
      case 2:
        return {{"pushInterruptPhase", {{"phase", "parley"}, {"resumePhase", "main"}}}};
      case 3:
        return add("gold", 2);
      case 4:
        return {
            {"addVar", {{"scope", "pvar"}, {"player", "active"}, {"var", "supply"}, {"delta", 2}}}};
      default:
        return add("score", 1);
    }
  }

  Json part(bool coup, bool branch) {
    Json made = {{"text", "Something happens."}};
    if (one_in(4)) made["effectTiming"] = one_in(3) ? "beforeGrants" : "afterGrants";
    if (!one_in(4)) made["effects"] = Json::array({effect()});
    if (one_in(4)) {
      const int kind = static_cast<int>(rng_.below(3));
      made["targets"] = Json::array({{{"id", branch ? "$there" : "$place"},
                                      {"selector", {{"query", "mapSpaces"}}},
                                      {"cardinality", kind == 0   ? Json{{"n", 1}}
                                                      : kind == 1 ? Json{{"min", 0}, {"max", 2}}
                                                                  : Json{{"max", 1}}},
                                      {"application", one_in(2) ? "each" : "aggregate"},
                                      {"effects", {add("score", 1)}}}});
    }
    if (one_in(coup ? 8 : 2)) {
      made["freeOperationGrants"] = Json::array();
      ++batch_;
      strict_ = one_in(2);
      const int steps = 1 + static_cast<int>(rng_.below(3));
      for (int step = 0; step < steps; ++step)
        made["freeOperationGrants"].push_back(grant(true, one_in(4) && step > 0 ? step - 1 : step));
    }
    if (one_in(3)) {
      made["eligibilityOverrides"] = Json::array();
      const std::size_t count = 1 + rng_.below(2);
      for (std::size_t i = 0; i < count; ++i) {
        Json entry = {{"target", one_in(2) ? Json{{"kind", "active"}}
                                           : Json{{"kind", "seat"}, {"seat", pick(seats_)}}},
                      {"eligible", one_in(2)},
                      {"windowId", pick(Texts{"turn", "nextTurn", "nextTurn", "round", "cycle"})}};
        if (one_in(3)) entry["when"] = op(">", {{"ref", "gvar"}, {"var", "gold"}}, 1);
        made["eligibilityOverrides"].push_back(entry);
      }
    }
    if (one_in(4)) {
      Json lasting = {{"id", "spell" + std::to_string(rng_.below(3))},
                      {"duration", pick(Texts{"turn", "nextTurn", "round", "cycle"})},
                      {"setupEffects", {add("dust", 1)}},
                      {"teardownEffects", {add("heard", 2)}}};
      switch (rng_.below(4)) {
        case 0:
          lasting["actionRestrictions"] =
              Json::array({{{"actionClass", "operation"}, {"blocked", true}}});
          break;
        case 1:
          lasting["actionRestrictions"] = Json::array(
              {{{"actionId", "muster"}, {"maxParam", {{"name", "$spots"}, {"max", 1}}}}});
          break;
        case 2:
          lasting["actionRestrictions"] =
              Json::array({{{"actionId", "drill"}, {"maxParam", {{"name", "much"}, {"max", 1}}}},
                           {{"actionId", "raid"}, {"blocked", true}}});
          break;
        default:
          break;
      }
      made["lastingEffects"] = Json::array({lasting});
    }
    return made;
  }

  Json side(bool coup) {
    Json made = part(coup, false);
    if (!coup && one_in(4)) {
      made["branches"] = Json::array();
      for (const char* id : {"b", "a"}) {
        Json branch = part(false, true);
        branch["id"] = id;
        if (one_in(2)) branch["order"] = rng_.below(5);
        made["branches"].push_back(branch);
      }
    }
    return made;
  }

  void cards(Json& game) {
    Json made = Json::array();
    for (std::size_t i = 0; i < coup_.size(); ++i) {
      const bool dual = !coup_[i] && one_in(2);
      Json card = {{"id", "c" + std::to_string(i)},
                   {"title", "Card " + std::to_string(i)},
                   {"sideMode", dual ? "dual" : "single"},
                   {"tags", list(some({"trade", "war"}, 0))},
                   {"unshaded", side(coup_[i])}};
      if (dual) card["shaded"] = side(false);
      if (ordered_ && !one_in(4)) {
        Json words = Json::array();
        for (const std::string& seat : some(seats_, 2)) words.push_back(seat.substr(0, 2));
        card["metadata"] = {{"order", words}};
      }
      if (one_in(6)) card["playCondition"] = op("<", {{"ref", "gvar"}, {"var", "gold"}}, 4);
      made.push_back(card);
    }
    game["eventDecks"] =
        Json::array({{{"id", "d"},
                      {"drawZone", "deck:none"},
                      {"discardZone", own_discard_ ? "discard:none" : "played:none"},
                      {"cards", made}}});
  }

  // ---- The card-driven order
  void flow(Json& game) {
    Json classes = {{"pass", "pass"},
                    {"event", "event"},
                    {"muster", "operation"},
                    {"march", "operation"},
                    {"raid", "specialActivity"}};
    if (one_in(2)) classes["drill"] = one_in(2) ? "operation" : "limitedOperation";
    if (pivotal_) classes["stroke"] = "event";
    if (coup_phases_ > 0) classes["rest"] = "pass";
    Json windows = Json::array();
    for (const char* duration : {"turn", "nextTurn", "round", "cycle"})
      windows.push_back(
          {{"id", duration}, {"duration", duration}, {"usages", {"eligibilityOverride"}}});
    Json matrix = Json::array();
    for (const char* first : {"event", "operation", "operationPlusSpecialActivity"})
      if (!one_in(3))
        matrix.push_back({{"first", first},
                          {"second", list(some({"event", "operation", "limitedOperation",
                                                "operationPlusSpecialActivity"},
                                               one_in(6) ? 0 : 1))}});
    Json rewards = Json::array();
    for (const std::string& seat : seats_)
      if (one_in(2))
        rewards.push_back({{"seat", seat}, {"resource", "gold"}, {"amount", rng_.below(3)}});
    Json turn_flow = {
        {"cardLifecycle",
         {{"played", "played:none"}, {"lookahead", "lookahead:none"}, {"leader", "leader:none"}}},
        {"eligibility", {{"seats", list(some(seats_, seats_.size()))}}},
        {"windows", windows},
        {"actionClassByActionId", classes},
        {"optionMatrix", matrix},
        {"passRewards", rewards},
        {"durationWindows", {"turn", "nextTurn", "round", "cycle"}}};
    if (!one_in(4))
      turn_flow["freeOperationActionIds"] = list(some({"muster", "march", "raid"}, 1));
    if (one_in(3)) turn_flow["freeOperationsAreActs"] = true;
    if (ordered_) {
      Json mapping = Json::object();
      for (const std::string& seat : seats_) mapping[seat.substr(0, 2)] = seat;
      turn_flow["cardSeatOrderMetadataKey"] = "order";
      turn_flow["cardSeatOrderMapping"] = mapping;
    }
    if (season_) {
      Json rules = Json::array();
      if (one_in(2)) rules.push_back({{"actionId", "march"}});
      if (one_in(2))
        rules.push_back(
            {{"actionId", "muster"}, {"maxParamsTotal", {{"names", {"$spots"}}, {"max", 1}}}});
      if (one_in(2))
        rules.push_back({{"actionId", "drill"},
                         {"maxParam", {{"name", "much"}, {"max", 1}}},
                         {"overrideToken", "north:none"}});
      if (rules.empty()) rules.push_back({{"actionId", "raid"}});
      turn_flow["monsoon"] = {{"restrictedActions", rules}, {"blockPivotal", one_in(2)}};
    }
    if (pivotal_) {
      turn_flow["pivotal"] = {{"actionIds", {"stroke"}},
                              {"requirePreActionWindow", one_in(2)},
                              {"disallowWhenLookaheadIsCoup", one_in(2)}};
      if (one_in(2))
        turn_flow["pivotal"]["interrupt"] = {
            {"precedence", list(some(seats_, 1))},
            {"cancellation",
             {{{"winner", {{"actionId", "stroke"}}},
               {"canceled", one_in(2)
                                ? Json{{"actionClass", "event"}, {"eventCardTagsAny", {"war"}}}
                                : Json{{"actionId", "drill"}, {"paramEquals", {{"much", 2}}}}}}}}};
    }
    Json config = {{"turnFlow", turn_flow}};
    if (coup_phases_ > 0) {
      Json plan = {{"phases", Json::array()}};
      for (std::size_t i = coup_phases_; i-- > 0;)
        plan["phases"].push_back({{"id", "coup" + std::to_string(i)}, {"steps", {"step"}}});
      if (one_in(2)) plan["maxConsecutiveRounds"] = 1;
      if (one_in(3)) plan["seatOrder"] = list(some(seats_, 2));
      if (coup_phases_ > 1 && one_in(2)) plan["finalRoundOmitPhases"] = {"coup1"};
      config["coupPlan"] = plan;
    }
    game["turnOrder"] = {{"type", "cardDriven"}, {"config", config}};
  }

  void ends(Json& game) {
    Json terminal = {{"conditions",
                      {{{"when", op(">=", {{"ref", "gvar"}, {"var", "score"}}, 12)},
                        {"result", {{"type", "draw"}}}}}}};
    if (coup_phases_ > 0 && one_in(2))
      terminal["checkpoints"] =
          Json::array({{{"id", "ahead"},
                        {"seat", pick(seats_)},
                        {"timing", "duringCoup"},
                        {"phases", {"coup0"}},
                        {"when", op(">", {{"ref", "gvar"}, {"var", "gold"}}, 12)}}});
    game["terminal"] = terminal;
  }

  Rng rng_;
  Texts seats_;
  std::vector<char> coup_;
  std::size_t coup_phases_ = 0;
  bool season_ = false, pivotal_ = false, own_discard_ = false, ordered_ = false, strict_ = true;
  int batch_ = 0;
};

}  // namespace

std::string card_game(std::uint64_t number) {
  return CardGame(number).text();
}

}  // namespace parlor::generate
