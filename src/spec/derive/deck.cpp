#include <algorithm>
#include <fmt/core.h>

#include "spec/derive/scenario.h"

namespace parlor::spec {
namespace {

bool lists(const Node& filter, std::string_view key, std::string_view text) {
  const Node* list = filter.find(key);
  return list != nullptr &&
         std::ranges::any_of(list->items, [&](const Node& n) { return n.is(text); });
}

bool lists_tag(const Node& filter, std::string_view key, const Node& card) {
  const Node* tags = card.find("tags");
  return tags != nullptr && std::ranges::any_of(tags->items, [&](const Node& tag) {
           return tag.is_string() && lists(filter, key, tag.text);
         });
}

bool has_tag(const Node& card, std::string_view wanted) {
  const Node* tags = card.find("tags");
  return tags != nullptr &&
         std::ranges::any_of(tags->items, [&](const Node& tag) { return tag.is(wanted); });
}

// The include/exclude keys of a composition or of one of its pile filters.
bool admits(const Node& filter, const Node& card) {
  const std::string_view id = card.find_string("id").value_or(std::string_view{});
  const bool choosy = filter.has("includedCardIds") || filter.has("includedCardTags");
  if (choosy && !lists(filter, "includedCardIds", id) &&
      !lists_tag(filter, "includedCardTags", card))
    return false;
  if (lists(filter, "excludedCardIds", id) || lists_tag(filter, "excludedCardTags", card))
    return false;
  const Node* equals = filter.find("metadataEquals");
  if (equals == nullptr) return true;
  const Node* metadata = card.find("metadata");
  return std::ranges::all_of(equals->entries, [&](const Entry& entry) {
    const Node* value = metadata != nullptr ? metadata->find(entry.key) : nullptr;
    return value != nullptr && same_value(*value, entry.value);
  });
}

std::string stem(std::string_view scenario, std::string_view deck) {
  std::string out = fmt::format("{}_{}", scenario, deck);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = '_';
  }
  return out;
}

class ScenarioDeck {
 public:
  ScenarioDeck(GameSpecDoc& doc, const Selection& selection, std::vector<Node>& effects,
               Report& report)
      : doc_(doc),
        scenario_(*selection.scenario.payload),
        id_(selection.scenario.id),
        path_(selection.scenario.path()),
        effects_(effects),
        report_(report) {}

  void run() {
    const Node* composition = scenario_.find("deckComposition");
    const Node* placements = scenario_.find("cardPlacements");
    const bool placing = placements != nullptr && !placements->items.empty();
    if (composition == nullptr && !placing) return;
    deck_ = find_deck(composition != nullptr ? *composition : *placements);
    if (deck_ == nullptr) return;
    choose_card_type();
    if (composition != nullptr) compose(*composition);
    if (placing) place_cards(*placements);
  }

 private:
  struct Pool {
    std::vector<const Node*> cards;
    std::vector<std::size_t> piles;  // 0-based
    std::string zone;
  };

  Diagnostic& fail(const Node& at, std::string message) {
    return report_.error(Code::DECK_COMPOSITION_INVALID, at.origin, std::move(message),
                         path_ + ".deckComposition");
  }
  const Node* find_deck(const Node& why);
  void choose_card_type();
  bool choose_cards(const Node& composition);
  void compose(const Node& composition);
  bool fill_pools(const Node& composition, std::size_t piles);
  void add_zone(const std::string& id, const Node& why);
  void create_card(const Node& card, const Node& zone, const Origin& origin);
  void place_cards(const Node& placements);
  const Node* card(std::string_view id) const;

  GameSpecDoc& doc_;
  const Node& scenario_;
  std::string id_, path_;
  std::vector<Node>& effects_;
  Report& report_;
  const Node* deck_ = nullptr;
  std::string card_type_;
  bool type_has_deck_ = false;
  std::vector<Pool> pools_;
  std::vector<const Node*> coups_;
  std::vector<const Node*> in_deck_;
  std::vector<std::string> card_zones_;  // where created cards may lie, likeliest first
};

const Node* ScenarioDeck::find_deck(const Node& why) {
  const Node* decks = doc_.find(Section::eventDecks);
  const Node* wanted = scenario_.find("eventDeckAssetId");
  std::vector<std::string> ids;
  if (decks != nullptr)
    for (const Node& deck : decks->items) {
      const auto id = deck.find_string("id");
      if (!id || deck.find("drawZone") == nullptr || deck.find("cards") == nullptr) continue;
      if (wanted != nullptr ? wanted->is(*id) : decks->items.size() == 1) return &deck;
      ids.emplace_back(*id);
    }
  Diagnostic& d =
      fail(wanted != nullptr ? *wanted : why,
           wanted != nullptr ? fmt::format("there is no event deck `{}`", wanted->text)
           : ids.empty()     ? "the scenario composes a deck, but the game has no event deck"
                             : "there are several event decks");
  if (wanted != nullptr) d.alternatives = did_you_mean(wanted->text, ids);
  if (!ids.empty())
    d.suggestion = fmt::format("choose with `eventDeckAssetId`: {}", name_list(ids, "or"));
  return nullptr;
}

void ScenarioDeck::choose_card_type() {
  Node& types = doc_.need(Section::tokenTypes);
  for (const Node& type : types.items) {
    const Node* props = type.find("props");
    if (props == nullptr || props->find_string("isCoup") != "boolean" ||
        props->find_string("cardId") != "string" || !type.find_string("id"))
      continue;
    card_type_ = *type.find_string("id");
    type_has_deck_ = props->has("eventDeckId");
    return;
  }
  card_type_ = "__eventCard";
  type_has_deck_ = true;
  const EffectBuilder build{deck_->origin};
  types.items.push_back(build.map({{"id", build.text(card_type_)},
                                   {"props", build.map({{"cardId", build.text("string")},
                                                        {"eventDeckId", build.text("string")},
                                                        {"isCoup", build.text("boolean")}})}}));
}

void ScenarioDeck::add_zone(const std::string& id, const Node& why) {
  const EffectBuilder build{why.origin};
  doc_.need(Section::zones)
      .items.push_back(build.map({{"id", build.text(id)},
                                  {"zoneKind", build.text("aux")},
                                  {"owner", build.text("none")},
                                  {"visibility", build.text("hidden")},
                                  {"ordering", build.text("set")},
                                  {"isInternal", Node::of_boolean(true, why.origin)}}));
}

void ScenarioDeck::create_card(const Node& card, const Node& zone, const Origin& origin) {
  const EffectBuilder build{origin};
  Node props = build.map(
      {{"cardId", *card.find("id")}, {"isCoup", Node::of_boolean(has_tag(card, "coup"), origin)}});
  if (type_has_deck_) props.set("eventDeckId", *deck_->find("id"));
  effects_.push_back(build.effect(
      "createToken",
      {{"type", build.text(card_type_)}, {"zone", zone}, {"props", std::move(props)}}));
}

// Which cards lie in which pool. Without pile filters there is one pool for all piles.
bool ScenarioDeck::fill_pools(const Node& composition, std::size_t piles) {
  const Node* filters = composition.find("pileFilters");
  const bool filtered = filters != nullptr && !filters->items.empty();
  pools_.resize(filtered ? filters->items.size() : 1);
  std::vector<int> covered(piles, 0);
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    if (!filtered) {
      for (std::size_t pile = 0; pile < piles; ++pile)
        pools_[p].piles.push_back(pile), ++covered[pile];
      continue;
    }
    for (const Node& pile : filters->items[p].find("piles")->items) {
      if (!pile.is_integer() || pile.integer < 1 ||
          pile.integer > static_cast<std::int64_t>(piles)) {
        fail(pile, fmt::format("piles are numbered from 1 to {}", piles));
        return false;
      }
      pools_[p].piles.push_back(static_cast<std::size_t>(pile.integer - 1));
      ++covered[static_cast<std::size_t>(pile.integer - 1)];
    }
  }
  for (std::size_t pile = 0; pile < piles; ++pile) {
    if (covered[pile] == 1) continue;
    fail(*filters, fmt::format("pile {} is in {} of the pile filters", pile + 1,
                               covered[pile] == 0 ? "none" : "several"))
        .suggestion = "every pile needs exactly one filter";
    return false;
  }
  for (const Node& card : deck_->find("cards")->items) {
    if (!card.find_string("id") || !admits(composition, card)) continue;
    if (has_tag(card, "coup")) {
      coups_.push_back(&card);
      in_deck_.push_back(&card);
      continue;
    }
    for (std::size_t p = 0; p < pools_.size(); ++p) {
      if (filtered && !admits(filters->items[p], card)) continue;
      pools_[p].cards.push_back(&card);
      in_deck_.push_back(&card);
      break;  // a card exists once
    }
  }
  return true;
}

// Chooses the cards. False when there are too few of them, or the composition makes no sense.
bool ScenarioDeck::choose_cards(const Node& composition) {
  const auto number = [&](std::string_view key) { return composition.find(key)->integer; };
  if (!composition.find("materializationStrategy")->is("pile-coup-mix-v1")) {
    fail(*composition.find("materializationStrategy"), "this way of composing a deck is not known")
        .alternatives = {"pile-coup-mix-v1"};
    return false;
  }
  constexpr std::int64_t most = 1'000;
  for (const std::string_view key : {"pileCount", "eventsPerPile", "coupsPerPile"})
    if (number(key) < 0 || number(key) > most) {
      fail(*composition.find(key), fmt::format("`{}` must be from 0 to {}", key, most));
      return false;
    }
  const auto piles = static_cast<std::size_t>(number("pileCount"));
  if (!fill_pools(composition, piles)) return false;
  for (const Pool& pool : pools_) {
    const std::size_t needed =
        pool.piles.size() * static_cast<std::size_t>(number("eventsPerPile"));
    if (pool.cards.size() >= needed) continue;
    fail(*composition.find("eventsPerPile"),
         fmt::format("{} event cards are needed for the piles, but only {} fit", needed,
                     pool.cards.size()));
    return false;
  }
  const std::size_t coups_needed = piles * static_cast<std::size_t>(number("coupsPerPile"));
  if (coups_.size() < coups_needed) {
    fail(*composition.find("coupsPerPile"),
         fmt::format("{} coup cards are needed, but only {} fit", coups_needed, coups_.size()))
        .suggestion = "a coup card has the tag `coup`";
    return false;
  }
  return true;
}

void ScenarioDeck::compose(const Node& composition) {
  if (!choose_cards(composition)) return;
  const std::string prefix = "__scenario_deck_" + stem(id_, deck_->find("id")->text);
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    pools_[p].zone = fmt::format("{}_events_pool_{}:none", prefix, p);
    add_zone(pools_[p].zone, composition);
  }
  const EffectBuilder build{composition.origin};
  const Node coups = build.text(prefix + "_coups_pool:none"),
             work = build.text(prefix + "_pile_work:none");
  add_zone(coups.text, composition);
  card_zones_.push_back(deck_->find("drawZone")->text);
  for (const Pool& pool : pools_) card_zones_.push_back(pool.zone);
  card_zones_.push_back(coups.text);
  add_zone(work.text, composition);
  for (const Pool& pool : pools_)
    for (const Node* event : pool.cards) create_card(*event, build.text(pool.zone), event->origin);
  for (const Node* coup : coups_) create_card(*coup, coups, coup->origin);
  const auto shuffle = [&](const Node& zone) {
    effects_.push_back(build.effect("shuffle", {{"zone", zone}}));
  };
  for (const Pool& pool : pools_) shuffle(build.text(pool.zone));
  shuffle(coups);
  // The last pile is built first, so that the first ends on top.
  for (auto pile = static_cast<std::size_t>(composition.find("pileCount")->integer); pile-- > 0;) {
    const auto pool = std::ranges::find_if(
        pools_, [&](const Pool& p) { return std::ranges::find(p.piles, pile) != p.piles.end(); });
    effects_.push_back(build.effect("draw", {{"from", build.text(pool->zone)},
                                             {"to", work},
                                             {"count", *composition.find("eventsPerPile")}}));
    effects_.push_back(build.effect(
        "draw", {{"from", coups}, {"to", work}, {"count", *composition.find("coupsPerPile")}}));
    shuffle(work);
    effects_.push_back(build.effect("moveAll", {{"from", work}, {"to", *deck_->find("drawZone")}}));
  }
}

const Node* ScenarioDeck::card(std::string_view id) const {
  for (const Node& card : deck_->find("cards")->items)
    if (card.find_string("id") == id) return &card;
  return nullptr;
}

void ScenarioDeck::place_cards(const Node& placements) {
  for (std::size_t i = 0; i < placements.items.size(); ++i) {
    const Node& entry = placements.items[i];
    const Node& id = *entry.find("cardId");
    const Node* found = card(id.text);
    if (found == nullptr) {
      std::vector<std::string> ids;
      for (const Node& known : deck_->find("cards")->items)
        if (const auto name = known.find_string("id")) ids.emplace_back(*name);
      report_
          .error(Code::ASSET_REFERENCE, id.origin,
                 fmt::format("the event deck has no card `{}`", id.text),
                 fmt::format("{}.cardPlacements.{}.cardId", path_, i))
          .alternatives = did_you_mean(id.text, ids);
      continue;
    }
    const EffectBuilder build{entry.origin};
    const std::int64_t count = entry.find_integer("count").value_or(1);
    if (std::ranges::find(in_deck_, found) == in_deck_.end()) {
      for (std::int64_t n = 0; n < std::min<std::int64_t>(count, 100); ++n)
        create_card(*found, *entry.find("zoneId"), entry.origin);
      continue;
    }
    // The card exists already, in the composed deck or among those left over: fetch it.
    const Node token = build.text(fmt::format("$__card_{}", i));
    Node sources = Node::of_list(entry.origin);
    for (const std::string& zone : card_zones_)
      sources.items.push_back(build.map({{"query", build.text("tokensInZone")},
                                         {"zone", build.text(zone)},
                                         {"filter", build.map({{"prop", build.text("cardId")},
                                                               {"op", build.text("eq")},
                                                               {"value", id}})}}));
    Node over = build.map({{"query", build.text("concat")}, {"sources", std::move(sources)}});
    Node from =
        build.map({{"zoneExpr", build.map({{"ref", build.text("tokenZone")}, {"token", token}})}});
    Node effects = Node::of_list(entry.origin);
    effects.items.push_back(build.effect(
        "moveToken", {{"token", token}, {"from", std::move(from)}, {"to", *entry.find("zoneId")}}));
    effects_.push_back(build.effect("forEach", {{"bind", token},
                                                {"over", std::move(over)},
                                                {"limit", build.number(count)},
                                                {"effects", std::move(effects)}}));
  }
}

}  // namespace

void derive_scenario_deck(GameSpecDoc& doc, const Selection& selection, std::vector<Node>& effects,
                          Report& report) {
  ScenarioDeck{doc, selection, effects, report}.run();
}

}  // namespace parlor::spec
