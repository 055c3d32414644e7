// What a session tells, to whom.
#include "table/told.h"

#include <fmt/core.h>

#include "table/session.h"

namespace parlor::table {

Json to_json(const Ending& ending) {
  Json out = parlor::to_json(ending.outcome);
  out["by"] = ending.by == Ending::By::rules ? "rules" : "table";
  return out;
}

namespace {

// Seats by number, and those who only watch.
Json to_seats(std::uint32_t bits, std::size_t players) {
  Json out = Json::array();
  for (std::size_t i = 0; i < players; ++i)
    if ((bits >> i & 1) != 0) out.push_back(i);
  if ((bits >> max_players & 1) != 0) out.push_back(spectators);
  return out;
}

std::uint32_t from_seats(const Json& seats) {
  std::uint32_t bits = 0;
  for (const Json& one : seats)
    if (one == spectators)
      bits |= 1u << max_players;
    else if (one.is_number_unsigned() && one < max_players)
      bits |= 1u << one.get<unsigned>();
  return bits;
}

Audience audience_of(const Json& event) {
  const auto listed = event.find("seenBy");
  if (listed == event.end()) return Audience::everybody();
  std::vector<Audience::Through> through;
  const Json observers = event.value("through", Json::object());
  for (const auto& [name, eyes] : observers.items())
    if (eyes.is_object())
      through.push_back({name, from_seats(eyes.value("seenBy", Json::array())),
                         from_seats(eyes.value("noticedBy", Json::array()))});
  return Audience::of_bits(from_seats(*listed), std::move(through));
}

// Games that do not say who sees what of an event: nobody is told which tokens it was about.
void hide_names(Json& data) {
  if (!data.is_object()) return;
  std::size_t hidden = data.erase("tokens");
  if (data.contains("token"))
    for (const char* key : {"token", "old", "new"}) hidden += data.erase(key);
  if (hidden > 0) data["hidden"] = true;
}

}  // namespace

Json event_kept(const Event& event, std::size_t players) {
  Json out{{"kind", event.kind}, {"data", event.data}};
  if (event.seen_by == Audience::everybody()) return out;
  out["seenBy"] = to_seats(event.seen_by.bits(), players);
  for (const Audience::Through& eyes : event.seen_by.through())
    out["through"][eyes.observer] = {{"seenBy", to_seats(eyes.seen, players)},
                                     {"noticedBy", to_seats(eyes.noticed, players)}};
  out["outside"] = event.outside;
  return out;
}

Json Session::events_for(const LogEntry& entry, const Viewer& viewer) const {
  Json out = Json::array();
  const auto events = parse_json(entry.events);
  for (const Json& event : events.value_or(Json::array())) {
    if (!event.is_object()) continue;
    const Audience audience = audience_of(event);
    const bool inside = audience.has(viewer);
    const char* const side = inside ? "data" : "outside";
    if (!event.contains(side)) continue;
    if (!inside && (event[side].is_null() || !audience.may_notice(viewer))) continue;
    Json told{{"kind", event.value("kind", Json(nullptr))}, {"data", event[side]}};
    if (audience == Audience::everybody() && game_->info().hidden_information && !viewer.sees_all())
      hide_names(told["data"]);
    out.push_back(std::move(told));
  }
  return out;
}

Json Session::entry_for(const LogEntry& entry, const Viewer& viewer) const {
  if (viewer.sees_all()) return table::to_json(entry);
  Json out{{"revision", entry.revision},
           {"at", entry.at},
           {"actor", entry.actor.is_none() ? Json(nullptr) : Json(entry.actor.value)},
           {"deed", deed_name(entry.deed)},
           {"events", events_for(entry, viewer)}};
  // Who looks through an observer may see less than others.
  const bool open = !game_->info().hidden_information && viewer.profile().empty();
  if (entry.deed != Deed::act || open || viewer.is(entry.actor)) out["content"] = entry.content;
  return out;
}

Answer Session::answer_to(const LogEntry& entry, bool repeated, Answering answering) const {
  if (answering == Answering::by_revision) return {entry.revision, nullptr, 0, repeated};
  return {entry.revision, events_for(entry, viewer_of(entry.actor)), entry.view_hash.value_or(0),
          repeated};
}

Json Session::to_json() const {
  Json entries = Json::array();
  for (const LogEntry& entry : log_) entries.push_back(table::to_json(entry));
  const auto end = ending();
  Json view = state_.view(Viewer::everything());
  Json out{{"session", config_->id},
           {"revision", revision()},
           {"created", created_},
           {"updated", updated()},
           {"config", table::to_json(*config_)},
           {"state", state_.save()},
           {"outcome", end ? table::to_json(*end) : Json(nullptr)},
           {"log", std::move(entries)}};
  // What modules derive from the state.
  if (const auto shown = view.find("modules"); shown != view.end()) out["modules"] = *shown;
  return out;
}

Json Session::observation(const Viewer& viewer) const {
  const auto end = ending();
  Json out = state_.view(viewer);
  out["viewHash"] = fmt::format("{:016x}", state_.view_hash(viewer));
  out["revision"] = revision();
  out["outcome"] = end ? table::to_json(*end) : Json(nullptr);
  out["decision"] = end ? Json(nullptr) : decision_to_json(state_, viewer);
  return out;
}

}  // namespace parlor::table
