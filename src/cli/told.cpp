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
  if (scene.contains("variables"))
    for (const Json& var : scene["variables"].value("players", Json::array()))
      if (var.value("show", false))
        shown_vars_[var["name"].get<std::string>()] = var["label"].get<std::string>();
}

void Told::on_event(const Event& event) {
  if (!event.seen_by.has(viewer_)) return;
  if (std::string text = event.kind == "note" ? event.data.value("text", "") : ""; !text.empty())
    lines_.push_back(std::move(text));
  if (event.kind == "rolled" && event.data.contains("result"))
    rolls_.push_back(plain(event.data["result"]));
  if (event.kind == "revealed" && event.data.contains("names") && !event.data["names"].empty()) {
    std::string line = event.data["zone"].get<std::string>();
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
  if (event.kind == "tokenMoved" || event.kind == "tokenDestroyed") {
    const auto text = [&](const char* key) {
      const auto found = event.data.find(key);
      return found != event.data.end() && found->is_string() ? found->get<std::string>() : "";
    };
    moves_.push_back({text("token"), text("from"), text("to")});
  }
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

// Draws, and what leaves the board: the rest of what moves is said by the choice itself.
void Told::name(const State& before, const State& after) {
  std::map<std::string, std::size_t> gone;
  std::map<std::size_t, std::vector<std::string>> drawn;
  for (const Move& move : moves_) {
    if (cells_.contains(move.from) && !cells_.contains(move.to) && !move.token.empty())
      ++gone[before.value_label(Json(move.token), viewer_)];
    const auto owner = owner_of(move.to);
    if (!owner || move.from.empty() || cells_.contains(move.from) || owner_of(move.from)) continue;
    drawn[owner->index()].push_back(
        move.token.empty() ? "" : after.value_label(Json(move.token), viewer_));
  }
  moves_.clear();
  if (!gone.empty()) {
    std::string line = "off the board:";
    for (const auto& [what, count] : gone)
      line += (count > 1 ? fmt::format(" {} × {},", count, what) : fmt::format(" {},", what));
    line.pop_back();
    lines_.push_back(std::move(line));
  }
  for (const auto& [seat, names] : drawn) {
    std::string known;
    for (const std::string& name : names)
      if (!name.empty() && name != "something hidden")
        known += (known.empty() ? ": " : ", ") + name;
    lines_.push_back(
        fmt::format("{} gets {}{}", seat_name(game_, PlayerId{seat}),
                    names.size() == 1 && !known.empty()
                        ? known.substr(2)
                        : fmt::format("{} card{}", names.size(), names.size() == 1 ? "" : "s"),
                    names.size() == 1 ? "" : known));
  }
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
    // Where a round is worth something to somebody, its end is told.
    const auto changed = [](const auto& entry) {
      return entry.second.before != entry.second.after;
    };
    if (round_ != 0 && std::ranges::any_of(changes_, changed))
      context_.out << fmt::format("  round {} is over\n", round_);
    for (const auto& [whose, change] : changes_)
      if (change.before != change.after)
        by_seat[whose.first].push_back(fmt::format("{} {} → {}", shown_vars_.at(whose.second),
                                                   plain(change.before), plain(change.after)));
    for (const auto& [seat, items] : by_seat)
      context_.out << fmt::format("  {}: {}\n", painted(seat_name(game_, PlayerId{seat})),
                                  fmt::join(items, ", "));
  }
  rolls_.clear();
  lines_.clear();
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
