#include "cli/choices.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <optional>
#include <span>

#include "cli/request.h"

namespace parlor::cli {
namespace {

bool is_number(std::string_view word) {
  if (word.starts_with('-')) word.remove_prefix(1);
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_column(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// As it can be typed: suits by their letters, everything small. "qs" is Q♠.
std::string typed(std::string_view text) {
  constexpr std::pair<std::string_view, char> suits[] = {
      {"♠", 's'}, {"♥", 'h'}, {"♦", 'd'}, {"♣", 'c'}};
  std::string out;
  while (!text.empty()) {
    const auto suit =
        std::ranges::find_if(suits, [&](const auto& each) { return text.starts_with(each.first); });
    const char c = text.front();
    out += suit != std::end(suits) ? suit->second : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    text.remove_prefix(suit != std::end(suits) ? suit->first.size() : 1);
  }
  return out;
}

// Whether the words of `line` come in this order among those of `text`.
bool mentions(const std::string& text, const std::string& line) {
  const auto wanted = words_of(line);
  auto next = wanted.begin();
  for (const std::string& word : words_of(text))
    if (next != wanted.end() && word == *next) ++next;
  return next == wanted.end();
}

struct Cell {
  char column = ' ';  // none: a point that has only a number, as in backgammon
  int row = 0;
  auto operator<=>(const Cell&) const = default;
};

// "b11", "F3", "24"
std::optional<Cell> cell_of(std::string_view word) {
  Cell out;
  if (!word.empty() && is_column(word[0])) {
    out.column = word[0];
    word.remove_prefix(1);
  }
  if (word.empty() || word.size() > 3 || word[0] == '-' || !is_number(word)) return std::nullopt;
  out.row = std::stoi(std::string(word));
  return out;
}

// What is said about which cells: "move * *" and those.
struct AboutCells {
  std::string said;
  std::vector<Cell> cells;

  explicit AboutCells(std::string_view text) {
    for (const std::string& word : words_of(text)) {
      const auto cell = cell_of(word);
      said += (cell ? "*" : word) + ' ';
      if (cell) cells.push_back(*cell);
    }
  }
};

// Whether the first cells come in an order that people count in: along rows or along columns, the
// rows up or down.
bool in_some_order(std::span<const std::pair<AboutCells, std::size_t>> all) {
  const auto sorted = [&](auto key) {
    return std::ranges::is_sorted(all, {},
                                  [&](const auto& each) { return key(each.first.cells[0]); });
  };
  return sorted([](Cell c) {
           return std::pair{int{c.column}, c.row};
         }) ||
         sorted([](Cell c) {
           return std::pair{int{c.column}, -c.row};
         }) ||
         sorted([](Cell c) {
           return std::pair{c.row, int{c.column}};
         }) ||
         sorted([](Cell c) {
           return std::pair{-c.row, int{c.column}};
         });
}

// Zones come in the order of their ids, in which 11 is before 2: where only cells make the
// difference they are put in order.
template <class Shown>
void put_cells_in_order(std::vector<Shown>& shown) {
  std::vector<std::pair<AboutCells, std::size_t>> about;
  for (std::size_t i = 0; i < shown.size(); ++i) about.emplace_back(AboutCells(shown[i].text), i);
  for (std::size_t from = 0, to = 0; from < about.size(); from = to) {
    while (to < about.size() && about[to].first.said == about[from].first.said) ++to;
    const std::span run(about.begin() + static_cast<std::ptrdiff_t>(from), to - from);
    if (!run.front().first.cells.empty() && !in_some_order(run))
      std::ranges::stable_sort(run, {}, [](const auto& each) { return each.first.cells; });
  }
  std::vector<Shown> out;
  for (const auto& [text, i] : about) out.push_back(std::move(shown[i]));
  shown = std::move(out);
}

}  // namespace

void Choices::offer(const State& state, const OptionList& options, const Viewer& viewer,
                    bool begins) {
  if (begins) numbers_.clear();
  shown_.clear();
  about_numbers_ = false;
  std::map<std::string, std::size_t> place;  // those that look alike are shown once
  for (const Option option : options) {
    std::string text = state.option_label(option, viewer);
    if (const auto [at, fresh] = place.emplace(text, shown_.size()); !fresh) {
      ++shown_[at->second].alike;
      continue;
    }
    about_numbers_ = about_numbers_ || std::ranges::any_of(words_of(text), is_number);
    shown_.push_back({0, std::move(text), option});
  }
  put_cells_in_order(shown_);
  for (Shown& each : shown_)
    each.number = numbers_.emplace(each.text, numbers_.size()).first->second;
}

std::vector<std::string> Choices::words() const {
  std::vector<std::string> out;
  for (const Shown& each : shown_) out.push_back(each.text);
  return out;
}

Choices::Meant Choices::meant(const State& state, const std::string& line,
                              const Viewer& viewer) const {
  const bool marked = line.starts_with('#');
  if (marked || (is_number(line) && !about_numbers_)) {
    std::size_t number = SIZE_MAX;
    std::from_chars(line.data() + (marked ? 1 : 0), line.data() + line.size(), number);
    for (const Shown& each : shown_)
      if (each.number == number) return {each.option, {}};
    return {};
  }
  for (const Shown& each : shown_)
    if (each.text == line) return {each.option, {}};
  if (!is_number(line))
    if (const auto option = find_option(state, request_of(state, line, viewer), viewer))
      return {*option, {}};
  // The end of the words on the screen or of those in scripts, or some of them in this order.
  std::vector<const Shown*> ending, mentioning;
  for (const Shown& each : shown_) {
    const std::string script = state.option_text(each.option, viewer);
    if (each.text.ends_with(' ' + line) || script.ends_with(' ' + line)) ending.push_back(&each);
    if (mentions(typed(each.text), typed(line))) mentioning.push_back(&each);
  }
  const auto& fits = ending.empty() ? mentioning : ending;
  if (fits.size() == 1) return {fits.front()->option, {}};
  Meant out;
  for (const Shown* each : fits) out.several.push_back(each->text);
  return out;
}

}  // namespace parlor::cli
