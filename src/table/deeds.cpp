#include "table/deeds.h"

#include <algorithm>
#include <fmt/core.h>
#include <initializer_list>

namespace parlor::table {
namespace {

// Reads one content; the first thing that is wrong with it stays.
class ContentCheck {
 public:
  ContentCheck(const ActionEnvelope& envelope, std::size_t players)
      : envelope_(envelope), content_(envelope.content), players_(players) {}

  void only(std::initializer_list<std::string_view> keys) {
    if (!content_.is_object()) return wrong("must be an object");
    for (const auto& [key, value] : content_.items())
      if (std::ranges::find(keys, key) == keys.end())
        return wrong(fmt::format("has no use for `{}`", key));
  }
  void number(const char* key) {
    if (has(key) && !is_count(content_[key])) wrong(fmt::format("`{}` must be a number", key));
  }
  void seat(const char* key, bool needed) {
    if (!has(key)) {
      if (needed) wrong(fmt::format("needs `{}`", key));
    } else if (!is_seat(content_[key])) {
      wrong(fmt::format("`{}` must be a seat's number", key));
    }
  }
  void seats(const char* key) {
    if (has(key) &&
        (!content_[key].is_array() ||
         !std::ranges::all_of(content_[key], [&](const Json& seat) { return is_seat(seat); })))
      wrong(fmt::format("`{}` must be a list of seats' numbers", key));
  }
  void everybody(const char* key) {
    seats(key);
    for (std::size_t i = 0; i < players_ && !found_; ++i)
      if (!has(key) || std::ranges::find(content_[key], Json(i)) == content_[key].end())
        found_ = Rejection{Code::CONSENT_MISSING, fmt::format("player {} has not agreed", i)};
  }
  void returns(const char* key) {
    const bool fits =
        has(key) && content_[key].is_array() && content_[key].size() == players_ &&
        std::ranges::all_of(content_[key], [](const Json& one) { return one.is_number_integer(); });
    if (!fits) wrong(fmt::format("`{}` must be one whole number for each seat", key));
  }
  void texts(const char* key) {
    const bool fits =
        has(key) && content_[key].is_array() &&
        std::ranges::all_of(content_[key], [](const Json& one) { return one.is_string(); });
    if (!fits) wrong(fmt::format("`{}` must be a list of texts", key));
  }
  void text(const char* key) {
    if (has(key) && !content_[key].is_string()) wrong(fmt::format("`{}` must be text", key));
  }

  // What cannot be written down as JSON cannot be kept.
  void storable() {
    try {
      (void)content_.dump();
      (void)Json(envelope_.action_id).dump();
    } catch (const Json::exception&) {
      wrong("is not valid UTF-8");
    }
  }

  std::optional<Rejection> found() { return std::move(found_); }

 private:
  bool has(const char* key) const { return content_.is_object() && content_.contains(key); }
  static bool is_count(const Json& value) {
    return value.is_number_unsigned() || (value.is_number_integer() && value >= 0);
  }
  bool is_seat(const Json& value) const {
    return is_count(value) && value.get<std::uint64_t>() < players_;
  }
  void wrong(std::string what) {
    if (!found_)
      found_ = Rejection{Code::ENVELOPE_INVALID,
                         fmt::format("the content of `{}` {}", deed_name(envelope_.deed), what)};
  }

  const ActionEnvelope& envelope_;
  const Json& content_;
  std::size_t players_;
  std::optional<Rejection> found_;
};

}  // namespace

bool is_of_a_seat(Deed deed) {
  return deed <= Deed::resign;
}

bool moves_on(Deed deed) {
  return deed == Deed::act || deed == Deed::rules;
}

bool is_result(Deed deed) {
  return deed >= Deed::resign;
}

std::optional<Rejection> check_content(const ActionEnvelope& envelope, std::size_t players) {
  ContentCheck check{envelope, players};
  check.storable();
  switch (envelope.deed) {
    case Deed::act:
      break;  // the game judges it
    case Deed::undo:
      check.only({"to", "agreed"});
      check.number("to");
      check.seats("agreed");
      break;
    case Deed::redo:
      check.only({"agreed"});
      check.seats("agreed");
      break;
    case Deed::rules:
      check.only({"rules", "agreed"});
      check.texts("rules");
      check.everybody("agreed");
      break;
    case Deed::resign:
      check.only({});
      break;
    case Deed::timeout:
      check.only({"seat"});
      check.seat("seat", true);
      break;
    case Deed::draw_agreed:
      check.only({"agreed"});
      check.everybody("agreed");
      break;
    case Deed::abandoned:
      check.only({"seat"});
      check.seat("seat", false);
      break;
    case Deed::adjudicated:
      check.only({"returns", "winners", "reason"});
      check.returns("returns");
      check.seats("winners");
      check.text("reason");
      break;
  }
  return check.found();
}

std::vector<std::string> rules_of(const Json& content) {
  return content["rules"].get<std::vector<std::string>>();
}

std::vector<PlayerId> agreed_seats(const Json& content) {
  std::vector<PlayerId> out;
  if (content.contains("agreed"))
    for (const Json& seat : content["agreed"]) out.push_back(PlayerId{seat.get<int>()});
  return out;
}

Outcome result_of(const LogEntry& entry, const Stakes& stakes, std::size_t players) {
  Outcome out;
  out.reason = deed_name(entry.deed);
  if (entry.deed == Deed::adjudicated) {
    out.returns = entry.content["returns"].get<std::vector<std::int64_t>>();
    out.reason = entry.content.value("reason", out.reason);
    if (entry.content.contains("winners"))
      for (const Json& seat : entry.content["winners"])
        out.winners.push_back(PlayerId{seat.get<int>()});
    return out;
  }
  std::optional<std::size_t> loser;
  if (entry.deed == Deed::resign) loser = entry.actor.index();
  if (entry.content.contains("seat")) loser = entry.content["seat"].get<std::size_t>();
  out.returns.assign(players, loser ? stakes.others : stakes.draw);
  if (!loser) return out;
  out.returns[*loser] = stakes.loser;
  for (std::size_t i = 0; i < players; ++i)
    if (i != *loser) out.winners.push_back(PlayerId{i});
  return out;
}

}  // namespace parlor::table
