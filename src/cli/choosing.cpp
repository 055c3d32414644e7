#include "cli/choosing.h"

#include <algorithm>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "cli/request.h"

namespace parlor::cli {
namespace {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::string> split_at_commas(const std::string& line) {
  std::vector<std::string> parts;
  for (std::size_t at = 0, comma = 0; comma != std::string::npos; at = comma + 1) {
    comma = line.find(',', at);
    parts.push_back(trimmed(line.substr(at, comma - at)));
  }
  return parts;
}

}  // namespace

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void Choosing::offer(const State& state, const OptionList& options, const Viewer& viewer,
                     const std::string& question) {
  state_ = state;
  viewer_ = viewer;
  const bool selecting = state.decision().kind == DecisionKind::choose_n;
  // Programs follow the order of the rules.
  picked_ = context_.json ? std::nullopt : PickedSet::of(state, viewer);
  choices_.offer(state, picked_ ? picked_->left() : options, viewer,
                 !selecting || !selecting_ || question != asked_);
  asked_ = question;
  selecting_ = selecting;
}

void Choosing::show(bool all) const {
  constexpr std::size_t most = 40, columns_wide = 78;
  std::vector<std::string> cells;
  const std::size_t shown = all ? choices_.shown().size() : std::min(choices_.shown().size(), most);
  std::size_t widest = 0, left = columns_wide;
  for (const Choices::Shown& each : choices_.shown()) {
    cells.push_back(fmt::format("{:>4} {}", fmt::format("#{}", each.number), each.text));
    if (each.alike > 1) cells.back() += fmt::format(" (×{})", each.alike);
    if (cells.size() <= shown) widest = std::max(widest, width_of(cells.back()) + 2);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const bool ends = left < 2 * widest || i + 1 == shown;
    context_.out << cells[i] << (ends ? "\n" : std::string(widest - width_of(cells[i]), ' '));
    left = ends ? columns_wide : left - widest;
  }
  if (picked_ && picked_->picked().empty() && picked_->enough())
    context_.out << "`done` chooses none of them\n";
  if (shown < cells.size())
    context_.out << fmt::format("… {} more; `options` lists all\n", cells.size() - shown);
}

std::vector<Option> Choosing::read(const std::string& line) {
  if (picked_) return read_set(line);
  // For programs a number is an index, whatever the options say.
  if (context_.json && is_number(line)) {
    const auto option = find_option(*state_, request_of(*state_, line, viewer_), viewer_);
    if (option) return {*option};
    tell_why(line);
    return {};
  }
  const Choices::Meant meant = choices_.meant(*state_, line, viewer_);
  if (meant.option) return {*meant.option};
  if (meant.several.size() > 1)
    tell_several(line, meant.several);
  else if (choices_.about_numbers() && is_number(line))
    say_(fmt::format("No option says {0}; #{0} is an option by its place in the list.\n", line));
  else
    tell_unknown(line);
  return {};
}

std::vector<Option> Choosing::read_set(const std::string& line) {
  if ((line == "done" || line == "confirm") && picked_->enough()) return hand_in();
  const bool several =
      !choices_.meant(*state_, line, viewer_).option && line.find(',') != std::string::npos;
  for (const std::string& part : several ? split_at_commas(line) : std::vector{line}) {
    const Choices::Meant meant = choices_.meant(*state_, part, viewer_);
    if (!meant.option) {
      if (meant.several.size() > 1)
        tell_several(part, meant.several);
      else
        tell_unknown(part);
      return {};
    }
    if (picked_->has(*meant.option)) {
      say_(fmt::format("Not possible: {} is chosen already.\n", part));
      return {};
    }
    picked_->pick(*meant.option);
    if (picked_->full()) return hand_in();
    choices_.offer(*state_, picked_->left(), viewer_, false);
  }
  tell_picked();
  show(false);
  return {};
}

std::vector<Option> Choosing::hand_in() {
  if (auto steps = picked_->steps(*state_)) return {steps->begin(), steps->end()};
  say_("The rules do not allow these together; choose again.\n");
  picked_->clear();
  choices_.offer(*state_, picked_->left(), viewer_, false);
  return {};
}

std::string Choosing::advice(Option option) const {
  if (picked_ && picked_->has(option)) {
    if (picked_->enough()) return "done";
    option = picked_->left()[0];
  }
  return state_->option_label(option, viewer_);
}

bool Choosing::put_back() {
  if (!picked_ || picked_->picked().empty()) return false;
  picked_->put_back();
  choices_.offer(*state_, picked_->left(), viewer_, false);
  tell_picked();
  return true;
}

void Choosing::tell_picked() const {
  std::string names;
  for (const Option option : picked_->picked())
    names += (names.empty() ? "" : ", ") + state_->option_label(option, viewer_);
  say_(fmt::format("{} of {}: {}{}\n", picked_->picked().size(), picked_->most(), names,
                   picked_->enough() ? "; `done` if that is all" : ""));
}

void Choosing::tell_several(const std::string& line, const std::vector<std::string>& texts) const {
  constexpr std::size_t most = 12;
  std::string out = fmt::format("`{}` fits {} options:", line, texts.size());
  for (std::size_t i = 0; i < std::min(most, texts.size()); ++i)
    out += (i == 0 ? " " : ", ") + texts[i];
  say_(out + (texts.size() > most ? ", …\n" : "\n"));
}

// What was typed is none of the options: those that begin like it, or why it is none where the game
// says more than the request itself.
void Choosing::tell_unknown(const std::string& line) const {
  const auto reason = state_->why_not(request_of(*state_, line, viewer_), viewer_);
  const bool word = !line.starts_with('#');
  const auto is = [&](Code code) { return reason && reason->code == code_name(code); };
  if (context_.json || !word || !reason ||
      !(is(Code::ACTION_UNKNOWN) || is(Code::ACTION_PARAMS) ||
        (is(Code::OPTION_ILLEGAL) && reason->message.starts_with('{'))))
    return tell_why(line);
  constexpr std::size_t most = 12;
  const std::string first = line.substr(0, line.find(' '));
  std::string like;
  std::size_t count = 0;
  for (const std::string& text : choices_.words())
    if (text.starts_with(first) && ++count <= most) like += (like.empty() ? "" : ", ") + text;
  if (count == 0)
    return say_(
        fmt::format("Not possible: `{}` is none of the options; `options` lists them.\n", line));
  say_(fmt::format("Not possible: `{}` is none of the options. There is {}{}.\n", line, like,
                   count > most ? ", …" : ""));
}

void Choosing::tell_why(const std::string& text) const {
  if (text.size() > 1 && text[0] == '#' && is_number(text.substr(1)))
    return say_(fmt::format("Not possible: there is no {} in the list.\n", text));
  const auto reason = state_->why_not(request_of(*state_, text, viewer_), viewer_);
  if (!reason)
    say_(fmt::format("{} is legal now.\n", text));
  else
    say_(fmt::format("Not possible: {}", reason_text(*state_, *reason, viewer_)));
}

}  // namespace parlor::cli
