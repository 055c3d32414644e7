#include "host/table_config.h"

#include <array>
#include <charconv>
#include <fmt/core.h>

namespace parlor::host {
namespace {

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array visibilities{Named<Visibility>{"public", Visibility::open},
                                  Named<Visibility>{"unlisted", Visibility::unlisted},
                                  Named<Visibility>{"private", Visibility::closed}};
constexpr std::array at_zeros{
    Named<AtZero>{"lose", AtZero::lose}, Named<AtZero>{"bot", AtZero::bot},
    Named<AtZero>{"random", AtZero::random}, Named<AtZero>{"first", AtZero::first}};
constexpr std::array chat_rules{Named<ChatRule>{"off", ChatRule::off},
                                Named<ChatRule>{"players", ChatRule::players},
                                Named<ChatRule>{"all", ChatRule::all}};
constexpr std::array seat_choices{Named<SeatChoice>{"pick", SeatChoice::pick},
                                  Named<SeatChoice>{"fixed", SeatChoice::fixed},
                                  Named<SeatChoice>{"random", SeatChoice::random}};

template <class Rows, class Value>
std::string_view name_of(const Rows& rows, Value value) {
  for (const auto& row : rows)
    if (row.value == value) return row.name;
  return {};
}

constexpr std::size_t longest_text = 4'000, most_rules = 64, most_constants = 64;

// Reads an object field by field and remembers the first thing that is wrong.
class ConfigReader {
 public:
  explicit ConfigReader(const Json& json) : json_(json) {}

  std::string text(const char* key, std::string otherwise = {}) {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return otherwise;
    if (!found->is_string() || found->get_ref<const std::string&>().size() > longest_text) {
      wrong(key, "must be text");
      return otherwise;
    }
    return *found;
  }
  bool flag(const char* key, bool otherwise) {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return otherwise;
    if (found->is_boolean()) return found->get<bool>();
    wrong(key, "must be true or false");
    return otherwise;
  }
  std::int64_t number(const char* key, std::int64_t low, std::int64_t high,
                      std::int64_t otherwise) {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return otherwise;
    if (const auto value = integer_in(*found, low, high)) return *value;
    wrong(key, fmt::format("must be a whole number from {} to {}", low, high));
    return otherwise;
  }
  template <class Rows, class Value>
  Value choice(const char* key, const Rows& rows, Value otherwise) {
    const std::string name = text(key, std::string{name_of(rows, otherwise)});
    std::string known;
    for (const auto& row : rows) {
      if (row.name == name) return row.value;
      known += (known.empty() ? "" : ", ") + std::string{row.name};
    }
    wrong(key, "must be one of " + known);
    return otherwise;
  }
  const Json* list(const char* key, std::size_t most) {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return nullptr;
    if (found->is_array() && found->size() <= most) return &*found;
    wrong(key, fmt::format("must be a list of at most {}", most));
    return nullptr;
  }
  const Json* object(const char* key) {
    const auto found = json_.find(key);
    if (found == json_.end() || found->is_null()) return nullptr;
    if (found->is_object()) return &*found;
    wrong(key, "must be an object");
    return nullptr;
  }
  void wrong(std::string_view key, std::string_view what) {
    if (!found_)
      found_ = Rejection{
          code::REQUEST_INVALID, fmt::format("`{}` {}", key, what), {{"field", std::string{key}}}};
  }
  std::optional<Rejection> found() const { return found_; }

 private:
  const Json& json_;
  std::optional<Rejection> found_;
};

// A rule is the id of a module, with a scope or a number of turns: never a file.
bool could_be_rule(std::string_view text) {
  if (text.empty() || text.size() > 200) return false;
  return text.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "-_:@") == std::string_view::npos;
}

void read_opening(ConfigReader& reader, TableConfig& out) {
  out.options.players = static_cast<std::size_t>(reader.number("players", 0, max_players, 0));
  out.options.position = reader.text("position");
  out.options.layout = reader.text("layout");
  out.options.explicit_chance = reader.flag("explicitChance", false);
  if (const Json* rules = reader.list("rules", most_rules)) {
    for (const Json& rule : *rules) {
      if (rule.is_string() && could_be_rule(rule.get_ref<const std::string&>()))
        out.options.rules.push_back(rule);
      else
        reader.wrong("rules", "must be a list of ids of house rules");
    }
  }
  if (const Json* constants = reader.object("constants")) {
    if (constants->size() > most_constants) reader.wrong("constants", "are too many");
    for (const auto& [name, value] : constants->items())
      if (value.is_string() || value.is_number_integer() || value.is_boolean())
        out.options.constants[name] = value.is_string() ? value.get<std::string>() : value.dump();
      else
        reader.wrong("constants", "must be whole numbers, texts, true or false");
  }
  if (const Json* modifiers = reader.object("modifiers")) out.options.modifiers.data = *modifiers;
}

Spectators read_spectators(ConfigReader& reader) {
  const std::string text = reader.text("spectators", "on");
  if (text == "on") return {};
  if (text == "off") return {.allowed = false, .delay = 0};
  constexpr std::string_view delayed = "delayed:";
  if (text.starts_with(delayed)) {
    Time seconds = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data() + delayed.size(), end, seconds);
    if (error == std::errc{} && at == end && seconds >= 1 && seconds <= 86'400)
      return {.allowed = true, .delay = seconds * 1000};
  }
  reader.wrong("spectators", "must be off, on or delayed:SECONDS");
  return {};
}

void read_seats(ConfigReader& reader, TableConfig& out) {
  const Json* seats = reader.list("seats", max_players);
  if (seats == nullptr) return;
  for (const Json& seat : *seats) {
    const Json kind = seat.is_object() ? seat.value("kind", Json("human")) : Json();
    const Json agent = seat.is_object() ? seat.value("agent", Json("random")) : Json();
    if ((kind != "human" && kind != "bot" && kind != "open") || !agent.is_string() ||
        agent.get_ref<const std::string&>().size() > 200)
      return reader.wrong("seats",
                          "must say {\"kind\": \"human\"} or {\"kind\": \"bot\", \"agent\"}");
    const bool bot = kind == "bot";
    out.seats.push_back({.bot = bot, .agent = bot ? agent.get<std::string>() : std::string{}});
  }
}

}  // namespace

std::string_view visibility_name(Visibility visibility) {
  return name_of(visibilities, visibility);
}

Json to_json(const TableConfig& config) {
  Json out{{"game", config.game},
           {"players", config.options.players},
           {"rules", config.options.rules},
           {"constants", config.options.constants},
           {"visibility", visibility_name(config.visibility)},
           {"clock", to_text(config.clock)},
           {"atZero", name_of(at_zeros, config.at_zero)},
           {"chat", name_of(chat_rules, config.chat)},
           {"undo", config.undo ? "ask" : "off"},
           {"seatChoice", name_of(seat_choices, config.seat_choice)},
           {"reveal", config.reveal}};
  out["spectators"] = !config.spectators.allowed ? "off"
                      : config.spectators.delay > 0
                          ? fmt::format("delayed:{}", config.spectators.delay / 1000)
                          : "on";
  if (!config.options.position.empty()) out["position"] = config.options.position;
  if (!config.options.layout.empty()) out["layout"] = config.options.layout;
  if (config.options.explicit_chance) out["explicitChance"] = true;
  if (!config.options.modifiers.empty()) out["modifiers"] = config.options.modifiers.data;
  if (config.claim_after) out["claimAfter"] = *config.claim_after / 1000;
  out["seats"] = Json::array();
  for (const SeatWish& seat : config.seats)
    out["seats"].push_back(seat.bot ? Json{{"kind", "bot"}, {"agent", seat.agent}}
                                    : Json{{"kind", "human"}});
  return out;
}

tl::expected<TableConfig, Rejection> table_config_from_json(const Json& json) {
  if (!json.is_object())
    return tl::unexpected(Rejection{code::REQUEST_INVALID, "the body must be an object"});
  ConfigReader reader{json};
  TableConfig out;
  out.game = reader.text("game");
  if (out.game.empty()) reader.wrong("game", "is missing");
  read_opening(reader, out);
  out.visibility = reader.choice("visibility", visibilities, Visibility::open);
  if (auto clock = clock_rule_from_text(reader.text("clock", "none")))
    out.clock = *clock;
  else
    reader.wrong("clock", clock.error());
  out.at_zero = reader.choice("atZero", at_zeros, AtZero::lose);
  out.spectators = read_spectators(reader);
  out.chat = reader.choice("chat", chat_rules, ChatRule::players);
  const std::string undo = reader.text("undo", "ask");
  if (undo != "ask" && undo != "off") reader.wrong("undo", "must be ask or off");
  out.undo = undo == "ask";
  out.seat_choice = reader.choice("seatChoice", seat_choices, SeatChoice::pick);
  out.reveal = reader.flag("reveal", true);
  if (json.contains("claimAfter"))
    out.claim_after = 1000 * reader.number("claimAfter", 1, 30 * 86'400, 60);
  read_seats(reader, out);
  if (auto wrong = reader.found()) return tl::unexpected(std::move(*wrong));
  return out;
}

}  // namespace parlor::host
