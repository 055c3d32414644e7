#include "cli/told.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/opening.h"
#include "game/scene.h"

namespace parlor::cli {
namespace {

std::string plain(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// A row of a board begins with its number or letter.
bool is_row(std::string_view line) {
  const auto mark = line.find_first_not_of(' ');
  if (mark == std::string_view::npos || mark > 3) return false;
  const auto end = line.find(' ', mark);
  if (end == std::string_view::npos || end > 4) return false;
  const std::string_view word = line.substr(mark, end - mark);
  return word.find_first_not_of("0123456789") == std::string_view::npos ||
         (word.size() == 1 && word[0] >= 'A' && word[0] <= 'Z');
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

}  // namespace

Told::Told(Context& context, const Game& game) : context_(context), game_(game) {
  const Json scene = scene_of(game);
  for (const Json& board : scene.value("boards", Json::array()))
    for (const Json& cell : board.value("cells", Json::array()))
      if (cell.contains("zone")) cells_.insert(cell["zone"].get<std::string>());
  rounds_ = scene.value("rounds", false);
  for (const Json& area : scene.value("areas", Json::array())) {
    auto& zones = area.value("visibility", "") == "hidden" ? piles_ : open_;
    if (&zones == &piles_ || area["owner"].is_null())
      zones[area["id"].get<std::string>()] = area["title"].get<std::string>();
  }
  const Json tokens = scene.value("tokens", Json::object());
  noun_ = tokens.size() == 1 ? tokens.begin()->value("label", "card") : "card";
  if (scene.contains("variables"))
    for (const Json& var : scene["variables"].value("players", Json::array()))
      if (var.value("show", false)) {
        shown_vars_[var["name"].get<std::string>()] = var["label"].get<std::string>();
        if (var["type"] == "player") of_players_.insert(var["name"].get<std::string>());
      }
}

void Told::on_event(const Event& event) {
  if (event.kind == "tokenMoved" || event.kind == "tokenDestroyed") return hear_move(event);
  if (!event.seen_by.has(viewer_)) return;
  if (std::string text = event.kind == "note" ? event.data.value("text", "") : ""; !text.empty())
    lines_.push_back(std::move(text));
  if (event.kind == "triggerTruncated")
    lines_.push_back("a mistake of the rules: " + event.data.value("message", ""));
  if (event.kind == "rolled" && event.data.contains("result"))
    rolls_.push_back(plain(event.data["result"]));
  if (event.kind == "revealed" && event.data.contains("names") && !event.data["names"].empty()) {
    std::string line = event.data["zone"].get<std::string>();
    laid_open_.insert(line);
    if (const auto mark = line.find(':'); mark != std::string::npos) {
      const std::string owner = line.substr(mark + 1);
      line.resize(mark);
      if (owner.find_first_not_of("0123456789") == std::string::npos)
        line += " of " + seat_name(game_, PlayerId{static_cast<std::size_t>(std::stoul(owner))});
    }
    line += ':';
    for (const Json& name : event.data["names"]) line += ' ' + name.get<std::string>();
    lines_.push_back(std::move(line));
  }
  if (event.kind == "varChanged") hear_change(event.data);
  if (event.kind == "roundEnded") round_ = event.data.value("round", 0);
  // Where nothing happens at the end of a round, the next turn tells.
  if (event.kind == "turnStarted") {
    const int round = event.data.value("round", 0);
    if (counted_ != 0 && round > counted_) round_ = round - 1;
    counted_ = round;
  }
}

// Those who do not see what goes may still see that something does.
void Told::hear_move(const Event& event) {
  const Json heard = event_told(event, viewer_);
  if (heard.is_null()) return;
  const Json& data = heard["data"];
  const auto text = [&](const char* key) {
    const auto found = data.find(key);
    return found != data.end() && found->is_string() ? found->get<std::string>() : "";
  };
  moves_.push_back({text("token"), text("from"), text("to"), lines_.size()});
}

// "hand:1" is of player 1.
std::optional<PlayerId> Told::owner_of(const std::string& zone) const {
  const auto mark = zone.rfind(':');
  if (mark == std::string::npos || mark + 1 == zone.size() || zone.size() - mark > 3 ||
      zone.find_first_not_of("0123456789", mark + 1) != std::string::npos)
    return std::nullopt;
  const auto seat = static_cast<std::size_t>(std::stoul(zone.substr(mark + 1)));
  return seat < game_.info().players ? std::optional{PlayerId{seat}} : std::nullopt;
}

// Nobody looks into it: what comes from there is a draw.
bool Told::is_drawn_from(const std::string& zone) const {
  return piles_.contains(zone);
}

// "a card", "3 cards"
std::string Told::counted(std::size_t count) const {
  if (count != 1) return fmt::format("{} {}{}", count, noun_, noun_.ends_with('s') ? "" : "s");
  const bool vowel =
      !noun_.empty() && std::string_view{"aeiou"}.find(noun_[0]) != std::string::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun_);
}

// Draws, and what leaves the board: the rest of what moves is said by the choice itself.
void Told::name(const State& before, const State& after) {
  name_lost(before);
  name_draws(after);
  moves_.clear();
  for (auto& [whose, change] : changes_) {
    change.before_text = value_text(whose.second, change.before, after);
    change.after_text = value_text(whose.second, change.after, after);
  }
}

// What was on the board and is not any more; what only passed through a hand is back.
void Told::name_lost(const State& before) {
  std::map<std::string, Move> ways;
  for (const Move& move : moves_)
    if (!move.token.empty()) ways.try_emplace(move.token, move).first->second.to = move.to;
  std::map<std::string, std::map<std::string, std::size_t>> gone;  // by where to
  for (const auto& [token, way] : ways)
    if (cells_.contains(way.from) && !cells_.contains(way.to)) {
      // What goes to a place of its player comes back from there.
      const std::string where = owner_of(way.to) && !is_drawn_from(way.to)
                                    ? "to " + before.value_label(Json(way.to), viewer_)
                                    : "off the board";
      ++gone[where][before.value_label(Json(token), viewer_)];
    }
  for (const auto& [where, things] : gone) {
    std::string line = where + ':';
    for (const auto& [what, count] : things)
      line += (count > 1 ? fmt::format(" {} × {},", count, what) : fmt::format(" {},", what));
    line.pop_back();
    lines_.push_back(std::move(line));
  }
}

// A player, a place or a thing by its name.
std::string Told::value_text(const std::string& var, const Json& value, const State& state) const {
  if (of_players_.contains(var) && value.is_number_integer()) {
    const auto seat = value.get<std::int64_t>();
    return seat < 0 ? "nobody" : seat_name(game_, PlayerId{static_cast<std::size_t>(seat)});
  }
  return value.is_string() ? state.value_label(value, viewer_) : plain(value);
}

void Told::name_draws(const State& after) {
  constexpr std::string_view unseen = "something hidden";
  struct Drawn {
    std::size_t count = 0, line = 0;
    std::string known = {};
  };
  std::map<std::pair<std::size_t, bool>, Drawn> by_seat;  // and whether from a pile
  std::map<std::string, std::string> laid_out;            // by zone
  for (const Move& move : moves_) {
    const bool pile = is_drawn_from(move.from);
    const std::string name =
        move.token.empty() ? std::string() : after.value_label(Json(move.token), viewer_);
    const bool named = !name.empty() && name != unseen;
    if (pile && open_.contains(move.to) && named)
      laid_out[move.to] += (laid_out[move.to].empty() ? "" : ", ") + name;
    const auto owner = owner_of(move.to);
    if (!owner || is_drawn_from(move.to) || move.from.empty() || cells_.contains(move.from))
      continue;
    // What somebody had before and has elsewhere now, the choice has said.
    if (!pile && owner_of(move.from)) continue;
    Drawn& drawn = by_seat[{owner->index(), pile}];
    if (drawn.count == 0) drawn.line = move.line;
    ++drawn.count;
    if (named) drawn.known += (drawn.known.empty() ? "" : ", ") + name;
  }
  // In the order in which it was heard among other things.
  std::size_t more = 0;
  for (const auto& [whose, drawn] : by_seat) {
    const std::string who = seat_name(game_, PlayerId{whose.first});
    const char* verb = whose.second ? "draws" : "gets";
    std::string what = counted(drawn.count);
    if (!drawn.known.empty())
      what = drawn.count == 1 ? drawn.known : fmt::format("{}: {}", what, drawn.known);
    const auto at = std::min(drawn.line + more++, lines_.size());
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at),
                  fmt::format("{} {} {}", who, verb, what));
  }
  for (const auto& [zone, names] : laid_out)
    if (!laid_open_.contains(zone)) lines_.push_back(fmt::format("{}: {}", open_.at(zone), names));
}

void Told::hear_change(const Json& data) {
  if (data.value("scope", "") != "perPlayer" || !data.contains("player") || !data.contains("new"))
    return;
  const std::string var = data.value("var", "");
  if (!shown_vars_.contains(var)) return;
  const auto player = data["player"].get<std::size_t>();
  const auto [at, fresh] =
      changes_.try_emplace({player, var}, Change{data.value("old", Json()), data["new"]});
  if (!fresh) at->second.after = data["new"];
}

void Told::tell() {
  if (!context_.json) {
    if (!rolls_.empty()) context_.out << fmt::format("  rolled {}\n", fmt::join(rolls_, ", "));
    for (const std::string& line : lines_) context_.out << "  " << painted(line) << '\n';
    std::map<std::size_t, std::vector<std::string>> by_seat;
    // Where the rules speak of rounds their ends are told.
    if (round_ != 0 && rounds_) context_.out << fmt::format("  round {} is over\n", round_);
    for (const auto& [whose, change] : changes_)
      if (change.before != change.after)
        by_seat[whose.first].push_back(fmt::format("{} {} → {}", shown_vars_.at(whose.second),
                                                   change.before_text, change.after_text));
    for (const auto& [seat, items] : by_seat)
      context_.out << fmt::format("  {}: {}\n", painted(seat_name(game_, PlayerId{seat})),
                                  fmt::join(items, ", "));
  }
  rolls_.clear();
  lines_.clear();
  laid_open_.clear();
  changes_.clear();
  round_ = 0;
}

std::string Told::seat_colour(std::size_t seat) const {
  static const std::map<std::string, std::string> named{
      {"red", "31"},  {"green", "32"},   {"yellow", "33"}, {"blue", "34"},
      {"cyan", "36"}, {"magenta", "35"}, {"white", "1"},   {"black", "36"}};
  static constexpr std::array<const char*, 6> others{"33", "36", "35", "32", "34", "31"};
  const auto& seats = game_.info().seats;
  if (seat < seats.size())
    if (const auto found = named.find(seats[seat]); found != named.end()) return found->second;
  return others[seat % others.size()];
}

std::string Told::painted(const std::string& text) const {
  if (context_.out_colour == Colour::never) return text;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < game_.info().players; ++i)
    names.push_back(seat_name(game_, PlayerId{i}));
  const auto in_colour = [&](std::size_t seat, const std::string& word) {
    return fmt::format("\033[{}m{}\033[0m", seat_colour(seat), word);
  };
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string line = text.substr(from, end - from);
    from = end;
    const bool row = is_row(line);
    for (std::size_t i = 0; i < line.size();) {
      bool done = false;
      const bool begins = i == 0 || !is_letter(line[i - 1]);
      for (std::size_t seat = 0; begins && !done && seat < names.size(); ++seat) {
        const std::string& name = names[seat];
        const bool whole = line.compare(i, name.size(), name) == 0 &&
                           (i + name.size() >= line.size() || !is_letter(line[i + name.size()]));
        // On a board a piece is the letter of its seat.
        const char letter = name.empty() ? ' ' : name.front();
        const char large = letter >= 'a' && letter <= 'z' ? char(letter - 'a' + 'A') : letter;
        const bool piece = row && i > 3 && (line[i] == letter || line[i] == large) &&
                           (i + 1 >= line.size() || !is_letter(line[i + 1]));
        if (!whole && !piece) continue;
        const std::size_t length = whole ? name.size() : 1;
        out += in_colour(seat, line.substr(i, length));
        i += length;
        done = true;
      }
      if (!done) out += line[i++];
    }
  }
  return out;
}

}  // namespace parlor::cli
