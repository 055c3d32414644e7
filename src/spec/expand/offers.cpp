#include "spec/expand/offers.h"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <set>

#include "spec/json_node.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

Json compare(std::string_view op, Json left, Json right) {
  return {{"op", op}, {"left", std::move(left)}, {"right", std::move(right)}};
}
Json all_of(Json conditions) {
  return {{"op", "and"}, {"args", std::move(conditions)}};
}
Json count_of(std::string_view zone) {
  return {{"ref", "zoneCount"}, {"zone", zone}};
}
Json binding(std::string_view name) {
  return {{"ref", "binding"}, {"name", name}};
}
Json tokens_with(std::string_view zone, std::string_view prop, Json value) {
  return {{"query", "tokensInZone"},
          {"zone", zone},
          {"filter", {{"prop", prop}, {"op", "eq"}, {"value", std::move(value)}}}};
}
// Always a list: one Json in braces is that Json to Clang and a list of it to GCC.
Json list_of(std::initializer_list<Json> items) {
  return Json::array_t(items);
}

Json for_each(Json query, std::initializer_list<Json> effects) {
  return {{"forEach",
           {{"bind", "$__offered"}, {"over", std::move(query)}, {"effects", list_of(effects)}}}};
}
Json when(Json condition, Json then) {
  return {{"if", {{"when", std::move(condition)}, {"then", std::move(then)}}}};
}
Json set_slot(Json value) {
  return {
      {"setTokenProp", {{"token", "$__offered"}, {"prop", "slot"}, {"value", std::move(value)}}}};
}
Json moved(std::string_view from, std::string_view to, bool bottom = false) {
  Json out{{"token", "$__offered"}, {"from", from}, {"to", to}};
  if (bottom) out["position"] = "bottom";
  return {{"moveToken", std::move(out)}};
}

class Offer {
 public:
  Offer(Expander& expander, const Node& node, std::string path)
      : expander_(expander), node_(node), path_(std::move(path)) {}

  void write_out() {
    if (!read()) return;
    const ExpansionIndex expansion = expander_.report.source().add_expansion(
        {ExpansionKind::builtin, id_, node_.origin.place, {}, node_.origin.expansion});
    origin_ = {node_.origin.place, expansion};
    declare();
    set_up();
    take_action();
    for (const Node& card : cards()) play_action(card);
    limits_of_playing();
    name_things();
  }

 private:
  bool fail(const Node& at, std::string message, std::string suggestion = {}) {
    expander_.report.error(Code::OFFER_INVALID, at.origin, std::move(message), path_).suggestion =
        std::move(suggestion);
    return fine_ = false;
  }

  void read_number(std::string_view key, std::int64_t& out, std::int64_t least) {
    const Node* node = node_.find(key);
    if (node == nullptr) return;
    const auto value = node->as_integer();
    if (!value || *value < least || *value > 1000)
      fail(*node, fmt::format("`{}` of an offer is a number from {} to 1000, not {}", key, least,
                              describe(*node)));
    else
      out = *value;
  }

  void read_timing(std::string_view key, bool effects) {
    const Node* node = node_.find(key);
    if (node == nullptr || !node->is_map()) {
      fail(node != nullptr ? *node : node_, fmt::format("an offer needs `{}` with its phases", key),
           fmt::format("write `{}: {{phase: [main]}}`", key));
      return;
    }
    constexpr std::string_view known[] = {"phase", "pre", "price", "effects"};
    if (!only_keys(*node, std::span{known, effects ? 4u : 2u}, fmt::format("`{}` of an offer", key),
                   path_, expander_.report))
      fine_ = false;
    if (!node->has("phase"))
      fail(*node, fmt::format("`{}` needs the phases it is possible in", key),
           "write `phase: [main]`");
  }

  bool read() {
    constexpr std::string_view known[] = {"id",           "faceUp",   "handLimit", "playsPerRound",
                                          "playsPerCard", "recycles", "hands",     "take",
                                          "play",         "cards"};
    if (!node_.is_map()) return fail(node_, "an offer is a mapping with an `id`");
    fine_ = only_keys(node_, known, "an offer", path_, expander_.report);
    if (const auto id = node_.find_string("id"); id && !id->empty())
      id_ = *id;
    else
      fail(node_, "an offer needs an `id`", "write `id: my-module.cards`");
    read_number("faceUp", face_up_, 1);
    read_number("handLimit", hand_limit_, 1);
    read_number("playsPerRound", plays_per_round_, 1);
    read_number("playsPerCard", plays_per_card_, 1);
    read_number("recycles", recycles_, 0);
    if (face_up_ > 24) fail(*node_.find("faceUp"), "an offer shows at most 24 cards");
    if (const Node* hands = node_.find("hands");
        hands != nullptr && !hands->is("hidden") && !hands->is("public"))
      fail(*hands, fmt::format("`hands` is hidden or public, not {}", describe(*hands)));
    read_timing("take", true);
    read_timing("play", false);
    read_cards();
    return fine_;
  }

  void read_cards() {
    const Node* list = node_.find("cards");
    if (list == nullptr || !list->is_list()) {
      fail(list != nullptr ? *list : node_, "an offer needs a list `cards`",
           "write `cards: [{id: first, effects: []}]`");
      return;
    }
    std::set<std::string, std::less<>> seen;
    for (const Node& card : list->items) {
      constexpr std::string_view known[] = {"id",    "copies", "name",   "text",
                                            "price", "pre",    "effects"};
      const auto id = card.find_string("id");
      if (!id || id->empty()) {
        fail(card, "a card of an offer needs an `id`");
        continue;
      }
      if (!only_keys(card, known, "a card of an offer", path_, expander_.report)) fine_ = false;
      if (!seen.insert(std::string{*id}).second)
        fail(*card.find("id"), fmt::format("the card `{}` is there twice", *id),
             "say how many there are with `copies`");
      if (const Node* copies = card.find("copies"))
        if (const auto n = copies->as_integer(); !n || *n < 0 || *n > 200)
          fail(*copies, "`copies` is a number from 0 to 200");
    }
  }

  const std::vector<Node>& cards() const { return node_.find("cards")->items; }
  std::string zone(std::string_view name) const { return fmt::format("{}.{}", id_, name); }
  static std::int64_t copies(const Node& card) {
    const Node* copies = card.find("copies");
    return copies != nullptr ? *copies->as_integer() : 1;
  }
  std::string play_id(const Node& card) const {
    return fmt::format("{}.play.{}", id_, *card.find_string("id"));
  }
  std::string title(const Node& card) const {
    const auto name = card.find_string("name");
    return std::string{name ? *name : *card.find_string("id")};
  }
  // `economy.measures` draws from `economy/measures`: no two offers share their shuffles.
  std::string stream() const {
    std::string out = id_;
    if (const auto dot = out.find('.'); dot != out.npos) out[dot] = '/';
    return out;
  }
  std::string module() const {
    const std::string owner = id_.substr(0, id_.find('.'));
    const auto& all = expander_.doc.modules;
    const bool known = std::ranges::any_of(
        all, [&](const Node& module) { return module.find_string("id") == owner; });
    return known ? owner : std::string{};
  }

  Node& add(Section section, const Json& item) {
    Node& list = expander_.doc.need(section);
    list.items.push_back(to_node(item, origin_));
    return list.items.back();
  }

  void declare() {
    const auto zone_of = [&](std::string_view name, std::string_view owner,
                             std::string_view visibility, std::string_view ordering) {
      add(Section::zones, {{"id", zone(name)},
                           {"owner", owner},
                           {"visibility", visibility},
                           {"ordering", ordering}});
    };
    const Node* hands = node_.find("hands");
    zone_of("pile", "none", "hidden", "stack");
    zone_of("row", "none", "public", "queue");
    zone_of("hand", "player", hands != nullptr && hands->is("hidden") ? "owner" : "public", "set");
    zone_of("discard", "none", "public", "stack");
    add(Section::tokenTypes,
        {{"id", zone("card")},
         {"props", {{"cardId", "string"}, {"plays", "int"}, {"slot", "int"}}}});
    add(Section::perPlayerVars, {{"name", zone("played")},
                                 {"type", "int"},
                                 {"init", 0},
                                 {"min", 0},
                                 {"max", plays_per_round_}});
    add(Section::globalVars, {{"name", zone("recycled")},
                              {"type", "int"},
                              {"init", 0},
                              {"min", 0},
                              {"max", std::max<std::int64_t>(1, recycles_)}});
    Node& rounds = expander_.doc.need(Section::rounds);
    if (!rounds.has("resetEachRound")) rounds.set("resetEachRound", Node::of_list(origin_));
    rounds.find("resetEachRound")->items.push_back(Node::of_string(zone("played"), origin_));
  }

  Json shuffle() const { return {{"shuffle", {{"zone", zone("pile")}, {"stream", stream()}}}}; }
  // The discard becomes the pile again when there is need and a recycle is left.
  Json recycle() const {
    return when(all_of({compare("==", count_of(zone("pile")), 0),
                        compare(">", count_of(zone("discard")), 0),
                        compare("<", {{"ref", "gvar"}, {"var", zone("recycled")}}, recycles_)}),
                {{{"moveAll", {{"from", zone("discard")}, {"to", zone("pile")}}}},
                 shuffle(),
                 {{"addVar", {{"scope", "global"}, {"var", zone("recycled")}, {"delta", 1}}}}});
  }
  // One card from the pile to the end of the row; the newcomer is the one without a slot.
  Json draw_to(Json slot) const {
    Json out = Json::array();
    out.push_back({{"draw", {{"from", zone("pile")}, {"to", zone("row")}, {"count", 1}}}});
    out.push_back(for_each(tokens_with(zone("row"), "slot", -1),
                           {set_slot(std::move(slot)), moved(zone("row"), zone("row"), true)}));
    return out;
  }
  // Fills the row up as far as pile and recycles go.
  Json refill() const {
    Json effects = Json::array({recycle()});
    effects.push_back(when(compare(">", count_of(zone("pile")), 0),
                           draw_to(compare("-", count_of(zone("row")), 1))));
    const Json more = {
        {"op", "or"},
        {"args",
         {compare(">", count_of(zone("pile")), 0),
          all_of({compare(">", count_of(zone("discard")), 0),
                  compare("<", {{"ref", "gvar"}, {"var", zone("recycled")}}, recycles_)})}}};
    return {{"while",
             {{"when", all_of({compare("<", count_of(zone("row")), face_up_), more})},
              {"limit", face_up_},
              {"effects", std::move(effects)}}}};
  }

  void set_up() {
    for (const Node& card : cards()) {
      for (std::int64_t i = 0; i < copies(card); ++i)
        add(Section::setup,
            {{"createToken",
              {{"type", zone("card")},
               {"zone", zone("pile")},
               {"props", {{"cardId", *card.find_string("id")}, {"plays", 0}, {"slot", -1}}}}}});
    }
    add(Section::setup, shuffle());
    add(Section::setup, refill());
  }

  void hook(std::string_view name, Json actions, Json refuses, std::string_view code,
            std::string message, Json details) {
    Json out{{"id", zone(name)},
             {"at", "validate"},
             {"actions", std::move(actions)},
             {"when", std::move(refuses)},
             {"reject",
              {{"code", code}, {"message", std::move(message)}, {"details", std::move(details)}}}};
    if (const std::string owner = module(); !owner.empty()) out["module"] = owner;
    add(Section::hooks, out);
  }

  // Taking the card of a slot: it goes to the hand, and the pile fills the slot at once; when there
  // is nothing left to fill it with, the cards behind move up.
  void take_action() {
    const Json index = binding("$index");
    Json filled = draw_to(index), shifted = Json::array();
    for (std::int64_t s = 1; s < face_up_; ++s) {
      const Json behind = compare("<", index, s);
      const Json cards = tokens_with(zone("row"), "slot", s);
      filled.push_back(
          when(behind, list_of({for_each(cards, {moved(zone("row"), zone("row"), true)})})));
      shifted.push_back(when(behind, list_of({for_each(cards, {set_slot(s - 1)})})));
    }
    Json effects = Json::array();
    effects.push_back(for_each(tokens_with(zone("row"), "slot", index),
                               {set_slot(-1), moved(zone("row"), zone("hand") + ":actor")}));
    effects.push_back(recycle());
    effects.push_back({{"if",
                        {{"when", compare(">", count_of(zone("pile")), 0)},
                         {"then", filled},
                         {"else", shifted}}}});
    const Node& timing = *node_.find("take");
    Node& action =
        add(Section::actions,
            {{"id", zone("take")},
             {"params",
              {{{"name", "$index"},
                {"domain", {{"query", "intsInRange"}, {"min", 0}, {"max", face_up_ - 1}}}}}},
             {"effects", effects}});
    action.set("phase", *timing.find("phase"));
    for (const std::string_view key : {"pre", "price"})
      if (const Node* given = timing.find(key)) action.set(key, *given);
    if (const Node* more = timing.find("effects"); more != nullptr && more->is_list())
      for (const Node& effect : more->items) action.find("effects")->items.push_back(effect);
    hook("take.index", {zone("take")},
         {{"op", "or"},
          {"args", {compare("<", index, 0), compare(">=", index, count_of(zone("row")))}}},
         "OFFER_INDEX_INVALID", "there is no card at this place of the row",
         {{"index", index}, {"cards", count_of(zone("row"))}});
    hook("take.hand-limit", {zone("take")},
         compare(">=", count_of(zone("hand") + ":actor"), hand_limit_), "OFFER_HAND_LIMIT",
         "the hand is full", {{"limit", hand_limit_}});
  }

  // A card in the actor's hand that may still be played.
  Json playable(const Node& card) const {
    return {{"query", "filter"},
            {"source", tokens_with(zone("hand") + ":actor", "cardId", *card.find_string("id"))},
            {"bind", "$__held"},
            {"where", compare("<", {{"ref", "tokenProp"}, {"token", "$__held"}, {"prop", "plays"}},
                              plays_per_card_)}};
  }

  // Every copy of a card knows how often the card was played. One that was just played and has no
  // other copies lies on the discard.
  Json count_play(const Node& card) const {
    const Json id = *card.find_string("id");
    const Json plays{{"ref", "tokenProp"}, {"token", "$__offered"}, {"prop", "plays"}};
    const Json count{
        {"setTokenProp",
         {{"token", "$__offered"}, {"prop", "plays"}, {"value", compare("+", plays, 1)}}}};
    const auto in_zone = [&](const std::string& place) {
      return for_each(tokens_with(place, "cardId", id), {count});
    };
    Json out = Json::array({in_zone(zone("discard"))});
    if (copies(card) == 1) return out;
    out.push_back(in_zone(zone("pile")));
    out.push_back(in_zone(zone("row")));
    out.push_back({{"forEach",
                    {{"bind", "$__holder"},
                     {"over", {{"query", "players"}}},
                     {"effects", list_of({in_zone(zone("hand") + ":$__holder")})}}}});
    return out;
  }

  void play_action(const Node& card) {
    Json one = for_each(playable(card), {moved(zone("hand") + ":actor", zone("discard"))});
    one["forEach"]["limit"] = 1;
    const Json count{
        {"addVar",
         {{"scope", "pvar"}, {"player", "actor"}, {"var", zone("played")}, {"delta", 1}}}};
    const Node& timing = *node_.find("play");
    Json effects = Json::array({one, count});
    for (const Json& effect : count_play(card)) effects.push_back(effect);
    Node& action = add(Section::actions, {{"id", play_id(card)}, {"effects", effects}});
    action.set("phase", *timing.find("phase"));
    if (const Node* price = card.find("price")) action.set("price", *price);
    std::vector<Node> conditions;
    for (const Node* from : {&timing, &card})
      if (const Node* pre = from->find("pre")) conditions.push_back(*pre);
    if (conditions.size() == 1) action.set("pre", std::move(conditions.front()));
    if (conditions.size() == 2) {
      Node both = to_node(all_of(Json::array()), origin_);
      both.find("args")->items = std::move(conditions);
      action.set("pre", std::move(both));
    }
    Node& written = *action.find("effects");
    if (const Node* more = card.find("effects"); more != nullptr && more->is_list())
      for (const Node& effect : more->items) written.items.push_back(effect);
    written.items.push_back(to_node(refill(), origin_));
    hook(fmt::format("play.{}.in-hand", *card.find_string("id")), {play_id(card)},
         {{"op", "not"},
          {"arg",
           {{"op", "exists"},
            {"query", tokens_with(zone("hand") + ":actor", "cardId", *card.find_string("id"))}}}},
         "OFFER_CARD_NOT_IN_HAND", fmt::format("{} is not in the player's hand", title(card)),
         {{"card", *card.find_string("id")}});
  }

  void limits_of_playing() {
    Json actions = Json::array();
    for (const Node& card : cards()) actions.push_back(play_id(card));
    if (actions.empty()) return;  // no action at all would mean every action
    hook("play.round-limit", actions,
         compare(">=", {{"ref", "pvar"}, {"player", "actor"}, {"var", zone("played")}},
                 plays_per_round_),
         "OFFER_ROUND_LIMIT", "no more cards may be played this round",
         {{"limit", plays_per_round_}});
    for (const Node& card : cards())
      hook(fmt::format("play.{}.card-limit", *card.find_string("id")), {play_id(card)},
           {{"op", "not"}, {"arg", {{"op", "exists"}, {"query", playable(card)}}}},
           "OFFER_CARD_LIMIT", fmt::format("{} has been played as often as it may be", title(card)),
           {{"card", *card.find_string("id")}, {"limit", plays_per_card_}});
  }

  // What people read, where the game says nothing itself: cards by their names, with what they cost
  // and do; the place in the row is the card that lies there; counters are for the rules alone.
  void name_things() {
    Node& words = expander_.doc.need(Section::verbalization);
    const auto part = [&](std::string_view key) -> Node& {
      if (!words.has(key)) words.set(key, Node::of_map(origin_));
      return *words.find(key);
    };
    const auto say = [&](Node& table, const std::string& name, const std::string& text) {
      if (!table.has(name)) table.set(name, Node::of_string(text, origin_));
    };
    const std::string about = zone("about");
    say(part("tokens"), zone("card"), "{cardId}");
    say(part("details"), zone("card"), fmt::format("{{cardId>{}}}", about));
    for (const std::string_view table : {std::string_view{"cardId"}, std::string_view{about}})
      if (!part("values").has(table)) part("values").set(table, Node::of_map(origin_));
    for (const Node& card : cards()) {
      const std::string id{*card.find_string("id")};
      say(*part("values").find("cardId"), id, title(card));
      say(*part("values").find(about), id, about_card(card));
      say(part("labels"), play_id(card), "play " + title(card));
    }
    say(part("labels"), zone("take"), "take");
    Node slot = Node::of_map(origin_);
    slot.set("zone", Node::of_string(zone("row"), origin_));
    slot.set("prop", Node::of_string("slot", origin_));
    if (!part("places").has(zone("take"))) part("places").set(zone("take"), std::move(slot));
    if (!words.has("omit")) words.set("omit", Node::of_list(origin_));
    for (const std::string_view counter : {"played", "recycled"})
      words.find("omit")->items.push_back(Node::of_string(zone(counter), origin_));
  }

  // "2 gold, 1 wood: draw a card"; a price that is computed is told when it is asked.
  static std::string about_card(const Node& card) {
    std::string out;
    if (const Node* price = card.find("price"); price != nullptr && price->is_map())
      for (const Entry& entry : price->entries) {
        const std::string name = entry.key.substr(entry.key.rfind('.') + 1);
        if (const auto amount = entry.value.as_integer())
          out += fmt::format("{}{} {}", out.empty() ? "" : ", ", *amount, name);
      }
    if (const auto text = card.find_string("text"))
      out += fmt::format("{}{}", out.empty() ? "" : ": ", *text);
    return out;
  }

  Expander& expander_;
  const Node& node_;
  std::string path_, id_;
  Origin origin_;
  std::int64_t face_up_ = 3, hand_limit_ = 2, plays_per_round_ = 1, plays_per_card_ = 2,
               recycles_ = 1;
  bool fine_ = true;
};

}  // namespace

void expand_offers(Expander& expander) {
  const Node* offers = expander.doc.find(Section::offers);
  if (offers == nullptr) return;
  const std::vector<Node> all = offers->items;  // what is written out lands in other sections
  for (std::size_t i = 0; i < all.size(); ++i)
    Offer{expander, all[i], fmt::format("offers.{}", i)}.write_out();
  expander.doc.drop(Section::offers);
}

}  // namespace parlor::spec
