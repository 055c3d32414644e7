// Events that suffice. Rules report what they do as they do it; a viewer is told as much of it as
// they may know. Between the two a few things go without saying: what a card looks like that comes
// into sight, where in a pile it went, that a token that left one's hand is not seen any more. Here
// these are said, so that the stage after follows from the stage before and the events.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <unordered_map>

#include "game/scene.h"

namespace parlor {
namespace {

const Json nothing = nullptr;

const Json& at(const Json& object, const std::string& key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? *found : nothing;
}
std::string text_at(const Json& object, const std::string& key) {
  const Json& value = at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

// Tokens are numbered: "tok_card_12" comes after "tok_card_3".
std::int64_t number_of(const Json& token) {
  const std::string id = text_at(token, "id");
  const std::size_t digits = id.find_last_not_of("0123456789") + 1;
  std::int64_t out = -1;
  std::from_chars(id.data() + digits, id.data() + id.size(), out);
  return out;
}

Json* zone_in(Json& stage, const std::string& id) {
  if (id.empty() || !stage.contains("zones")) return nullptr;
  const auto found = stage["zones"].find(id);
  return found == stage["zones"].end() ? nullptr : &*found;
}

Json::iterator token_in(Json& zone, const std::string& id) {
  return std::ranges::find_if(zone["tokens"],
                              [&](const Json& token) { return text_at(token, "id") == id; });
}

Json* find_token(Json& stage, const std::string& id) {
  for (Json& zone : stage["zones"])
    if (const auto found = token_in(zone, id); found != zone["tokens"].end()) return &*found;
  return nullptr;
}

void count(Json& zone, int by) {
  if (zone["count"].is_number_integer()) zone["count"] = zone["count"].get<std::int64_t>() + by;
}

Json take_out(Json& stage, const std::string& from, const std::string& id) {
  Json* zone = zone_in(stage, from);
  if (zone == nullptr) return nullptr;
  count(*zone, -1);
  const auto found = token_in(*zone, id);
  if (id.empty() || found == (*zone)["tokens"].end()) return nullptr;
  Json token = std::move(*found);
  (*zone)["tokens"].erase(found);
  return token;
}

void put_in(Json& stage, const std::string& to, Json token, const Json& position) {
  Json* zone = zone_in(stage, to);
  if (zone == nullptr) return;
  count(*zone, 1);
  if (!token.is_object()) return;
  Json& tokens = (*zone)["tokens"];
  auto place = tokens.end();
  if (position.is_number_integer())
    place = tokens.begin() + std::min<std::int64_t>(position.get<std::int64_t>(),
                                                    static_cast<std::int64_t>(tokens.size()));
  else
    place = std::ranges::find_if(
        tokens, [&](const Json& other) { return number_of(other) > number_of(token); });
  tokens.insert(place, std::move(token));
}

void move_token(Json& stage, const Json& data) {
  Json token = take_out(stage, text_at(data, "from"), text_at(data, "token"));
  if (data.contains("shown")) token = data["shown"];
  put_in(stage, text_at(data, "to"), std::move(token), at(data, "position"));
}

void change_token(Json& stage, const Json& data) {
  Json* token = find_token(stage, text_at(data, "token"));
  if (token == nullptr) return;
  if (const std::string prop = text_at(data, "prop"); !prop.empty()) {
    if (prop == "type")
      (*token)["type"] = data["new"];
    else if (at(data, "new").is_null())
      (*token)["props"].erase(prop);
    else
      (*token)["props"][prop] = data["new"];
  }
  if (data.contains("look")) (*token)["look"] = data["look"];
}

void change_var(Json& stage, const Json& data) {
  const std::string scope = text_at(data, "scope"), var = text_at(data, "var");
  Json* vars = &stage["globals"];
  if (scope == "perPlayer") {
    const Json& player = at(data, "player");
    if (!player.is_number_integer() || player.get<std::size_t>() >= stage["players"].size()) return;
    vars = &stage["players"][player.get<std::size_t>()];
  }
  if (scope == "zone") {
    if (!stage["zoneVars"].contains(text_at(data, "zone"))) return;
    vars = &stage["zoneVars"][text_at(data, "zone")];
  }
  // A viewer is told of what they see only; what is null is out of sight from now on.
  if (at(data, "new").is_null())
    vars->erase(var);
  else
    (*vars)[var] = data["new"];
}

void change_marker(Json& stage, const Json& data) {
  const std::string space = text_at(data, "space"), marker = text_at(data, "marker");
  const Json& state = at(data, "new");
  Json& markers = space.empty() ? stage["globalMarkers"] : stage["markers"][space];
  if (state.is_null())
    markers.erase(marker);
  else
    markers[marker] = state;
  if (!space.empty() && markers.empty()) stage["markers"].erase(space);
}

void apply_sight(Json& stage, const std::string& kind, const Json& data) {
  Json* zone = zone_in(stage, text_at(data, "zone"));
  if (zone == nullptr) return;
  if (kind == "arranged") {
    (*zone)["count"] = data["count"];
    (*zone)["tokens"] = data["tokens"];
    return;
  }
  // Of names alone nothing follows: what is seen now is told whole.
  for (const Json& token : at(data, kind == "revealed" ? "shown" : "gone"))
    if (kind == "revealed") {
      count(*zone, -1);
      put_in(stage, text_at(data, "zone"), token, nullptr);
    } else if (const auto found = token_in(*zone, token.get<std::string>());
               found != (*zone)["tokens"].end()) {
      (*zone)["tokens"].erase(found);
    }
}

void apply_event(Json& stage, const std::string& kind, const Json& data) {
  if (kind == "tokenMoved" || kind == "tokenCreated" || kind == "tokenDestroyed")
    move_token(stage, data);
  else if (kind == "tokenChanged")
    change_token(stage, data);
  else if (kind == "varChanged")
    change_var(stage, data);
  else if (kind == "markerChanged")
    change_marker(stage, data);
  else if (kind == "revealed" || kind == "concealed" || kind == "arranged")
    apply_sight(stage, kind, data);
}

// Where two stages can differ by what happened: zones that do, that are named, or that hold a token
// that is named. A large board has hundreds, and few of them are touched; about all others there is
// nothing to say.
class Touched {
 public:
  using Names = std::set<std::string, std::less<>>;

  Touched(const Json& told, const Json& before, const Json& after) {
    note_differences(at(before, "zones"), at(after, "zones"), zones);
    note_differences(at(before, "zoneVars"), at(after, "zoneVars"), zone_vars);
    std::vector<std::string_view> tokens;
    for (const Json& event : told) {
      const Json& data = at(event, "data");
      for (const char* key : {"from", "to", "zone"})
        if (const Json& zone = at(data, key); zone.is_string())
          zones.insert(zone.get_ref<const std::string&>());
      if (const Json& token = at(data, "token"); token.is_string())
        tokens.push_back(token.get_ref<const std::string&>());
    }
    for (const Json* stage : {&before, &after}) note_holders(at(*stage, "zones"), tokens);
    zone_vars.insert(zones.begin(), zones.end());
  }

  // A stage with no more than that.
  Json part_of(const Json& stage) const {
    Json out = Json::object();
    for (const char* key : {"globals", "players", "markers", "globalMarkers"})
      out[key] = at(stage, key);
    out["zones"] = some_of(at(stage, "zones"), zones);
    out["zoneVars"] = some_of(at(stage, "zoneVars"), zone_vars);
    return out;
  }

  Names zones, zone_vars;

 private:
  static void note_differences(const Json& before, const Json& after, Names& out) {
    if (!before.is_object() || !after.is_object()) return;
    const auto& old = before.get_ref<const Json::object_t&>();
    auto was = old.begin();
    for (const auto& [id, now] : after.get_ref<const Json::object_t&>()) {
      while (was != old.end() && was->first < id) ++was;
      if (was == old.end() || was->first != id || was->second != now) out.insert(id);
    }
  }
  void note_holders(const Json& all, const std::vector<std::string_view>& names) {
    if (!all.is_object() || names.empty()) return;
    for (const auto& [id, zone] : all.get_ref<const Json::object_t&>())
      for (const Json& token : at(zone, "tokens"))
        if (const Json& name = at(token, "id");
            name.is_string() &&
            std::ranges::find(names, name.get_ref<const std::string&>()) != names.end())
          zones.insert(id);
  }
  static Json some_of(const Json& all, const Names& ids) {
    Json out = Json::object();
    for (const std::string& id : ids)
      if (const auto found = all.is_object() ? all.find(id) : all.end();
          all.is_object() && found != all.end())
        out[id] = *found;
    return out;
  }
};

// The tokens of a part of a stage by name.
using TokensByName = std::unordered_map<std::string_view, const Json*>;
TokensByName tokens_of(const Json& stage, const Touched::Names& zones) {
  TokensByName out;
  const Json& all = at(stage, "zones");
  for (const std::string& zone : zones)
    if (const auto found = all.is_object() ? all.find(zone) : all.end();
        all.is_object() && found != all.end())
      for (const Json& token : (*found)["tokens"])
        if (const Json& id = at(token, "id"); id.is_string())
          out.emplace(id.get_ref<const std::string&>(), &token);
  return out;
}

// Words for people, from the names the scene gives.
class Teller {
 public:
  explicit Teller(const SceneNames& names) : names_(names) {}

  std::string zone(const Json& id) const {
    if (!id.is_string()) return "";
    const auto found = names_.places.find(id.get_ref<const std::string&>());
    return found == names_.places.end() ? "" : found->second;
  }
  std::string word(const std::string& name) const {
    const auto found = names_.words.find(name);
    return found == names_.words.end() ? name : found->second;
  }
  std::string seat(const Json& number) const {
    const auto place = integer_in(number, 0, static_cast<int>(names_.seats.size()) - 1);
    return place ? names_.seats[static_cast<std::size_t>(*place)] : "nobody";
  }

  std::string line(const std::string& kind, const Json& data, const std::string& token) const {
    const std::string from = zone(at(data, "from")), to = zone(at(data, "to"));
    const std::string what = token.empty() ? "something" : token;
    if (kind == "tokenMoved" && !from.empty() && !to.empty())
      return fmt::format("{}: {} → {}", what, from, to);
    if (kind == "tokenMoved")
      return line(to.empty() ? "tokenDestroyed" : "tokenCreated", data, token);
    if (kind == "tokenCreated") return to.empty() ? "" : fmt::format("{} comes to {}", what, to);
    if (kind == "tokenDestroyed")
      return from.empty() ? "" : fmt::format("{} leaves {}", what, from);
    if (kind == "tokenChanged" && data.contains("prop"))
      return fmt::format("{}: {} is now {}", what, text_at(data, "prop"), plain(at(data, "new")));
    if (kind == "varChanged") return var_line(data);
    if (kind == "markerChanged")
      return fmt::format("{} {}: {}", zone(at(data, "space")), text_at(data, "marker"),
                         plain(at(data, "new")));
    if (kind == "rolled") return fmt::format("rolled {}", plain(at(data, "result")));
    if (kind == "shuffled") return fmt::format("{} is shuffled", zone(at(data, "zone")));
    if (kind == "turnStarted") return fmt::format("{} to play", seat(at(data, "player")));
    if (kind == "note") return text_at(data, "text");
    if (kind == "finished") return fmt::format("over: {}", text_at(data, "reason"));
    return "";
  }

 private:
  static std::string plain(const Json& value) {
    if (value.is_null()) return "something hidden";
    return value.is_string() ? value.get<std::string>() : canonical(value);
  }
  std::string var_line(const Json& data) const {
    const std::string name = word(text_at(data, "var"));
    const std::string change =
        fmt::format("{} → {}", plain(at(data, "old")), plain(at(data, "new")));
    if (data.contains("player"))
      return fmt::format("{} of {}: {}", name, seat(data["player"]), change);
    if (data.contains("zone")) return fmt::format("{} of {}: {}", name, zone(data["zone"]), change);
    return fmt::format("{}: {}", name, change);
  }

  const SceneNames& names_;
};

class Completion {
 public:
  Completion(const SceneNames& names, const Json& told, const Json& before, const Json& after)
      : teller_(names),
        after_(after),
        touched_(told, before, after),
        now_(touched_.part_of(before)),
        seen_before_(tokens_of(before, touched_.zones)),
        seen_after_(tokens_of(after, touched_.zones)) {}

  void tell(const std::string& kind, Json data) {
    if (!data.is_object()) data = Json::object();
    if (kind.starts_with("token") && !add_token_facts(kind, data)) return;
    if (data.contains("zone") && !known_zone(data["zone"])) return;
    add(kind, std::move(data));
  }

  Json finish() {
    const Json& zones = after_["zones"];
    for (const std::string& id : touched_.zones)
      if (const auto zone = zones.find(id); zone != zones.end()) settle_zone(id, *zone);
    settle_vars("global", nullptr, now_["globals"], after_["globals"]);
    for (std::size_t i = 0; i < after_["players"].size(); ++i)
      settle_vars("perPlayer", i, now_["players"][i], after_["players"][i]);
    const Json& zone_vars = after_["zoneVars"];
    for (const std::string& id : touched_.zone_vars)
      if (const auto vars = zone_vars.find(id); vars != zone_vars.end())
        settle_vars("zone", id, now_["zoneVars"][id], *vars);
    settle_markers();
    return std::move(out_);
  }

 private:
  bool known_zone(const Json& id) const {
    return id.is_string() && after_["zones"].contains(id.get<std::string>());
  }

  // False: it happened where this viewer sees nothing of it.
  bool add_token_facts(const std::string& kind, Json& data) {
    for (const char* end : {"from", "to"})
      if (data.contains(end) && !known_zone(data[end])) data.erase(end);
    const bool changes = kind == "tokenChanged";
    if (!changes && !data.contains("from") && !data.contains("to")) return false;
    const std::string id = text_at(data, "token");
    const auto later = seen_after_.find(id);
    if (changes && find_token(now_, id) == nullptr) return later != seen_after_.end();
    if (later != seen_after_.end()) {
      data["type"] = (*later->second)["type"];
      if (changes) data["look"] = (*later->second)["look"];
      // Comes into sight.
      if (!changes && data.contains("to") && find_token(now_, id) == nullptr)
        data["shown"] = *later->second;
    }
    if (const auto old = seen_before_.find(id); old != seen_before_.end() && !data.contains("type"))
      data["type"] = (*old->second)["type"];
    return true;
  }

  std::string token_words(const Json& data) const {
    const std::string id = text_at(data, "token");
    for (const auto* seen : {&seen_after_, &seen_before_})
      if (const auto found = seen->find(id); found != seen->end())
        return text_at((*found->second)["look"], "label");
    return "";
  }

  void add(const std::string& kind, Json data, bool settled = false) {
    apply_event(now_, kind, data);
    Json event{{"kind", kind}};
    if (std::string label = teller_.line(kind, data, token_words(data)); !label.empty() && !settled)
      event["label"] = std::move(label);
    if (settled) event["settled"] = true;
    event["data"] = std::move(data);
    out_.push_back(std::move(event));
  }

  void settle_zone(const std::string& id, const Json& wanted) {
    Json& zone = now_["zones"][id];
    if (zone == wanted) return;
    for (const Json& token : wanted["tokens"]) {
      Json* here = nullptr;
      if (const auto found = token_in(zone, text_at(token, "id")); found != zone["tokens"].end())
        here = &*found;
      if (here != nullptr && *here != token) settle_token(*here, token);
    }
    Json gone = Json::array(), shown = Json::array();
    const auto has = [](const Json& tokens, const Json& token) {
      return std::ranges::any_of(tokens,
                                 [&](const Json& other) { return other["id"] == token["id"]; });
    };
    for (const Json& token : zone["tokens"])
      if (!has(wanted["tokens"], token)) gone.push_back(token["id"]);
    for (const Json& token : wanted["tokens"])
      if (!has(zone["tokens"], token)) shown.push_back(token);
    if (!gone.empty()) add("concealed", {{"zone", id}, {"gone", std::move(gone)}}, true);
    if (!shown.empty()) add("revealed", {{"zone", id}, {"shown", std::move(shown)}}, true);
    if (zone != wanted)
      add("arranged", {{"zone", id}, {"count", wanted["count"]}, {"tokens", wanted["tokens"]}},
          true);
  }

  void settle_token(Json here, const Json& wanted) {
    Json change{{"token", wanted["id"]}, {"look", wanted["look"]}};
    if (here["type"] != wanted["type"])
      add("tokenChanged",
          {{"token", wanted["id"]},
           {"prop", "type"},
           {"old", here["type"]},
           {"new", wanted["type"]}},
          true);
    Json names = here["props"];
    names.update(wanted["props"]);
    for (const auto& [name, value] : names.items())
      if (at(here["props"], name) != at(wanted["props"], name))
        add("tokenChanged",
            {{"token", wanted["id"]},
             {"prop", name},
             {"old", at(here["props"], name)},
             {"new", at(wanted["props"], name)}},
            true);
    if (here["look"] != wanted["look"]) add("tokenChanged", std::move(change), true);
  }

  void settle_vars(const char* scope, const Json& whose, Json now, const Json& wanted) {
    Json names = now.is_object() ? now : Json::object();
    names.update(wanted);
    for (const auto& [name, value] : names.items()) {
      if (at(now, name) == at(wanted, name)) continue;
      Json data{{"scope", scope}, {"var", name}, {"old", at(now, name)}, {"new", at(wanted, name)}};
      if (whose.is_number()) data["player"] = whose;
      if (whose.is_string()) data["zone"] = whose;
      add("varChanged", std::move(data), true);
    }
  }

  void settle_marker_set(const Json& space, Json now, const Json& wanted) {
    Json names = now.is_object() ? now : Json::object();
    if (wanted.is_object()) names.update(wanted);
    for (const auto& [name, value] : names.items()) {
      if (at(now, name) == at(wanted, name)) continue;
      Json data{{"marker", name}, {"old", at(now, name)}, {"new", at(wanted, name)}};
      if (space.is_string()) data["space"] = space;
      add("markerChanged", std::move(data), true);
    }
  }
  void settle_markers() {
    settle_marker_set(nullptr, now_["globalMarkers"], after_["globalMarkers"]);
    Json spaces = now_["markers"];
    spaces.update(after_["markers"]);
    for (const auto& [space, markers] : spaces.items())
      settle_marker_set(space, at(now_["markers"], space), at(after_["markers"], space));
  }

  Teller teller_;
  const Json& after_;
  const Touched touched_;
  Json now_;
  TokensByName seen_before_, seen_after_;
  Json out_ = Json::array();
};

}  // namespace

void apply_events(Json& stage, const Json& events) {
  for (const Json& event : events) apply_event(stage, text_at(event, "kind"), at(event, "data"));
}

SceneNames::SceneNames(const Json& scene) {
  for (const Json& seat : at(scene, "seats")) seats.push_back(text_at(seat, "name"));
  for (const Json& board : at(scene, "boards"))
    for (const Json& cell : board["cells"])
      places.insert_or_assign(text_at(cell, "zone"), text_at(cell, "label"));
  for (const Json& area : at(scene, "areas"))
    places.insert_or_assign(text_at(area, "id"), text_at(area, "title"));
  for (const Json& action : at(scene, "actions"))
    words.insert_or_assign(text_at(action, "id"), text_at(action, "label"));
  for (const char* scope : {"globals", "players", "zones"})
    for (const Json& var : at(at(scene, "variables"), scope))
      words.insert_or_assign(text_at(var, "name"), text_at(var, "label"));
}

Json completed_events(const SceneNames& names, Json told, const Json& before, const Json& after) {
  Completion completion(names, told, before, after);
  for (Json& event : told) completion.tell(text_at(event, "kind"), std::move(event["data"]));
  return completion.finish();
}

Json told_events(const SceneNames& names, const std::vector<HeardEvent>& heard, const Json& before,
                 const Json& after, const Viewer& viewer) {
  Json told = Json::array();
  for (const HeardEvent& event : heard) {
    Json one = event_told({event.kind, event.data, event.seen_by, event.outside}, viewer);
    if (!one.is_null()) told.push_back(std::move(one));
  }
  return completed_events(names, std::move(told), before, after);
}

}  // namespace parlor
