#include "spec/text/layout.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <optional>
#include <vector>

#include "spec/read/scalar.h"

namespace parlor::spec::text {
namespace {

constexpr std::size_t width = 100;

// ---- Scalars

bool plain_is_safe(const std::string& text, bool flow) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  if (text.find_first_of("\n\t") != std::string::npos) return false;
  if (text.find(": ") != std::string::npos || text.find(" #") != std::string::npos ||
      text.back() == ':')
    return false;
  if (std::string_view{"&*!|>%@`\"'#[]{},"}.find(text.front()) != std::string_view::npos)
    return false;
  if ((text.front() == '-' || text.front() == '?' || text.front() == ':') &&
      (text.size() == 1 || text[1] == ' '))
    return false;
  if (flow && text.find_first_of(",[]{}") != std::string::npos) return false;
  if (looks_like_boolean(text)) return false;
  ScalarProblem problem;
  return resolve_plain(text, {}, problem).is_string();
}

std::string scalar(const Node& node, bool flow) {
  if (!node.is_string())
    return node.is_real() ? node.text : node.is_null() ? "null" : to_text(node);
  if (plain_is_safe(node.text, flow)) return node.text;
  const bool needs_escapes = node.text.find_first_of("\n\t") != std::string::npos;
  if (!needs_escapes &&
      (node.text.find('"') != std::string::npos || node.text.find('\\') != std::string::npos)) {
    std::string out;
    for (const char c : node.text) out += c == '\'' ? std::string{"''"} : std::string{c};
    return fmt::format("'{}'", out);
  }
  std::string out;
  for (const char c : node.text)
    out += c == '"' || c == '\\' ? fmt::format("\\{}", c)
           : c == '\n'           ? "\\n"
           : c == '\t'           ? "\\t"
                                 : std::string{c};
  return fmt::format("\"{}\"", out);
}

std::string key_text(const std::string& key, bool flow = true) {
  Node node = Node::of_string(key, {});
  return scalar(node, flow);
}

std::string flow(const Node& node) {
  if (node.is_scalar()) return scalar(node, true);
  std::string out;
  for (const Node& item : node.items)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", flow(item));
  for (const Entry& entry : node.entries)
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", key_text(entry.key), flow(entry.value));
  return node.is_list() ? fmt::format("[{}]", out) : fmt::format("{{{}}}", out);
}

// ---- Long texts

// Where a line of a sentence ends best: before a word that joins two parts of it.
bool begins_part(std::string_view word) {
  for (const std::string_view joint :
       {"and", "or", "where", "then", "else", "for", "through", "from", "to", "if", "+", "-"})
    if (word == joint) return true;
  return false;
}

// The lines of a text that is too long for one, each at most so long if that is possible.
std::vector<std::string> broken(std::string_view text, std::size_t most) {
  std::vector<std::string> out;
  while (text.size() > most) {
    std::size_t best = std::string_view::npos, last = std::string_view::npos;
    for (std::size_t at = text.find(' '); at != std::string_view::npos && at <= most;
         at = text.find(' ', at + 1)) {
      last = at;
      const std::string_view next = text.substr(at + 1, text.find(' ', at + 1) - at - 1);
      if (begins_part(next) && at > most / 2) best = at;
    }
    if (best == std::string_view::npos) best = last;
    if (best == std::string_view::npos) best = text.find(' ');
    if (best == std::string_view::npos) break;
    out.emplace_back(text.substr(0, best));
    text.remove_prefix(best + 1);
  }
  out.emplace_back(text);
  return out;
}

// A list in brackets on as many lines as it needs, broken after commas that stand in no quotes.
std::string filled(const std::string& text, std::size_t column, std::size_t indent) {
  std::string out, line;
  char quote = 0;
  std::size_t begin = 0, used = column;
  const auto put = [&](std::size_t end) {
    const std::string part = text.substr(begin, end - begin);
    if (used + part.size() > width && used > indent) {
      while (out.ends_with(' ')) out.pop_back();
      out += fmt::format("\n{:{}}", "", indent);
      used = indent;
    }
    out += part;
    used += part.size();
    begin = end;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0)
      quote = c == quote ? '\0' : quote;
    else if ((c == '"' || c == '\'') && i > 0 && (text[i - 1] == ' ' || text[i - 1] == '['))
      quote = c;
    else if (c == ',' && i + 1 < text.size() && text[i + 1] == ' ')
      put(i + 2);
  }
  put(text.size());
  return out;
}

// A text that several lines say as well as one: YAML puts single blanks between them.
bool can_break(const Node& node) {
  return node.is_string() && node.text.find(' ') != std::string::npos &&
         node.text.find('\n') == std::string::npos && node.text.find("  ") == std::string::npos &&
         node.text.front() != ' ' && node.text.back() != ' ';
}

// ---- Comments

struct Remark {
  std::uint32_t line;
  std::string text;
  bool alone;  // nothing else on its line
};

// Comments of a block; what looks like one inside quotes or a block of text is none.
std::vector<Remark> find_remarks(std::string_view source, std::uint32_t first_line) {
  std::vector<Remark> out;
  std::uint32_t line = first_line;
  std::size_t block_indent = std::string_view::npos;  // inside a `|` or `>` text
  while (!source.empty()) {
    const std::size_t end = source.find('\n');
    const std::string_view text = source.substr(0, end);
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    // What stands below `- if: >-` begins further right than its `if`.
    std::size_t inner = indent;
    while (text.substr(inner).starts_with("- ")) inner += 2;
    const bool in_text =
        block_indent != std::string_view::npos && (indent > block_indent || indent == text.size());
    if (!in_text) {
      block_indent = std::string_view::npos;
      char quote = 0;
      for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool starts = i == 0 || text[i - 1] == ' ';
        if (quote != 0) {
          if (c == '\\' && quote == '"')
            ++i;
          else if (c == quote)
            quote = 0;
        } else if ((c == '"' || c == '\'') &&
                   (starts ||
                    std::string_view{"[{,:("}.find(text[i - 1]) != std::string_view::npos)) {
          quote = c;
        } else if (c == '#' && starts) {
          std::string remark{text.substr(i)};
          while (!remark.empty() && (remark.back() == ' ' || remark.back() == '\r'))
            remark.pop_back();
          out.push_back({line, std::move(remark), indent == i});
          break;
        }
      }
      std::string_view head = text;
      if (!out.empty() && out.back().line == line)
        head = text.substr(0, text.size() - std::min(text.size(), out.back().text.size()));
      head = head.substr(0, head.find_last_not_of(" \r") + 1);
      for (const std::string_view ending : {" >", " |", " >-", " |-"})
        if (head.ends_with(ending)) block_indent = head.substr(inner).size() > 2 ? inner : indent;
    }
    ++line;
  }
  return out;
}

std::uint32_t last_line(const Node& node) {
  std::uint32_t out = node.origin.place.line;
  for (const Node& item : node.items) out = std::max(out, last_line(item));
  for (const Entry& entry : node.entries)
    out = std::max({out, entry.key_place.line, last_line(entry.value)});
  return out;
}

class Layout {
 public:
  Layout(std::string_view source, std::uint32_t first_line, Breaks breaks)
      : source_(source),
        first_line_(first_line),
        breaks_(breaks),
        remarks_(find_remarks(source, first_line)) {
    for (std::size_t at = 0; at != std::string_view::npos;
         at = source.find('\n', at), at += at == std::string_view::npos ? 0 : 1)
      starts_.push_back(at);
  }

  std::string run(const Node& root) {
    for (const Entry& entry : root.entries) section(entry);
    while (next_ < remarks_.size()) line(0, remarks_[next_++].text);
    return std::move(out_);
  }

 private:
  void line(std::size_t indent, std::string_view text) {
    out_.append(indent, ' ');
    out_ += text;
    out_ += '\n';
  }

  // A line of the source, without what ends it.
  std::string_view source_line(std::uint32_t number) const {
    if (number < first_line_ || number - first_line_ >= starts_.size()) return {};
    const std::string_view rest = source_.substr(starts_[number - first_line_]);
    const std::string_view text = rest.substr(0, rest.find('\n'));
    return text.substr(0, text.find_last_not_of(" \r") + 1);
  }
  bool blank_before(std::uint32_t number) const {
    return number > first_line_ && number - first_line_ < starts_.size() &&
           source_line(number - 1).empty();
  }

  // ---- As it was written

  // A list or mapping that stood on the line of its key, or of its dash, stays there; one that
  // did not, does not.
  std::optional<bool> written_in_line(const Node& node, std::uint32_t first) const {
    if (breaks_ == Breaks::ruled || node.is_scalar()) return std::nullopt;
    if (node.items.size() + node.entries.size() == 0) return std::nullopt;
    const std::uint32_t last = last_line(node);
    if (last == first) return true;
    const std::uint32_t begins =
        node.is_list() ? node.items.front().origin.place.line : node.entries.front().key_place.line;
    return begins > first && !opens_on(first) ? std::optional{false} : std::nullopt;
  }
  // `key: [` and `key: {`, which go on below.
  bool opens_on(std::uint32_t number) const {
    std::string_view text = source_line(number);
    for (const Remark& remark : remarks_)
      if (remark.line == number && text.ends_with(remark.text)) {
        text.remove_suffix(remark.text.size());
        text = text.substr(0, text.find_last_not_of(' ') + 1);
      }
    return text.ends_with('[') || text.ends_with('{') || text.ends_with(',');
  }
  // `- say: "…"`, without braces.
  bool is_bare_pair(const Node& item) const {
    const Place& place = item.origin.place;
    const std::string_view line = source_line(place.line);
    return item.is_map() && item.entries.size() == 1 && place.column > 0 &&
           place.column <= line.size() && line[place.column - 1] != '{';
  }
  // Where an item begins: a long text does on the line of its dash, `- >-`.
  std::uint32_t first_line_of(const Node& item) const {
    const std::uint32_t line = item.origin.place.line;
    if (!item.is_string() || line <= first_line_) return line;
    std::string_view above = source_line(line - 1);
    above.remove_prefix(std::min(above.find_first_not_of(' '), above.size()));
    return above.starts_with("- >") || above.starts_with("- |") ? line - 1 : line;
  }
  // The lines in which a long text was written below its key, if they say what it says.
  std::vector<std::string> written_lines(const Node& node, std::size_t most) const {
    if (breaks_ == Breaks::ruled || !can_break(node)) return {};
    const std::uint32_t begins = node.origin.place.line;
    for (const std::uint32_t head : {begins, begins - 1}) {
      std::string_view text = source_line(head);
      for (const Remark& remark : remarks_)
        if (remark.line == head && text.ends_with(remark.text)) {
          text.remove_suffix(remark.text.size());
          text = text.substr(0, text.find_last_not_of(' ') + 1);
        }
      if (!text.ends_with(">-") && !text.ends_with('>')) continue;
      std::vector<std::string> out;
      std::string joined;
      for (std::uint32_t at = head + 1; joined.size() < node.text.size(); ++at) {
        const std::string_view line = source_line(at);
        const std::size_t from = line.find_first_not_of(' ');
        if (from == std::string_view::npos) break;
        out.emplace_back(line.substr(from));
        joined += (joined.empty() ? "" : " ") + out.back();
        if (out.back().size() > most) return {};
      }
      if (joined == node.text) return out;
    }
    return {};
  }

  // What stands before something that begins on this line.
  void before(std::uint32_t number, std::size_t indent) {
    bool blank = false;
    while (next_ < remarks_.size() && remarks_[next_].line < number) {
      if (!blank && remarks_[next_].alone && blank_before(remarks_[next_].line)) blank_line();
      blank = true;
      line(indent, remarks_[next_++].text);
    }
    // What begins on one line together has one blank line above it.
    if (number > begun_ && blank_before(number)) blank_line();
    begun_ = std::max(begun_, number);
  }
  void blank_line() {
    if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
  }
  // The comments at the ends of these lines, once.
  std::string after(std::uint32_t first, std::uint32_t last) {
    std::string out;
    for (; next_ < remarks_.size() && !remarks_[next_].alone && remarks_[next_].line >= first &&
           remarks_[next_].line <= last;
         ++next_)
      out += (out.empty() ? "  " : " ") + remarks_[next_].text;
    return out;
  }
  std::string after(std::uint32_t number) { return after(number, number); }
  bool remarks_inside(std::uint32_t first, std::uint32_t last) const {
    return std::ranges::any_of(remarks_, [&](const Remark& remark) {
      return (remark.line > first && remark.line < last) ||
             (remark.line >= first && remark.line < last && !remark.alone);
    });
  }
  bool fits(const Node& node, std::size_t column, std::uint32_t first) const {
    if (node.is_scalar()) {
      if (!written_lines(node, width).empty()) return false;
      const bool on_a_line =
          breaks_ == Breaks::written &&
          source_line(node.origin.place.line).find(node.text) != std::string_view::npos;
      return !can_break(node) || on_a_line || column + scalar(node, false).size() <= width;
    }
    if (const auto in_line = written_in_line(node, first)) return *in_line;
    return column + flow(node).size() <= width && !remarks_inside(first, last_line(node)) &&
           !needs_quotes_inside(node);
  }
  // On a line of its own a text with a comma or a bracket needs no quotes.
  static bool needs_quotes_inside(const Node& node) {
    const auto needs = [](const Node& part) {
      return part.is_string() ? !plain_is_safe(part.text, true) && plain_is_safe(part.text, false)
                              : needs_quotes_inside(part);
    };
    return std::ranges::any_of(node.items, needs) ||
           std::ranges::any_of(node.entries,
                               [&](const Entry& entry) { return needs(entry.value); });
  }
  // key: >-
  //   the text in lines
  void folded(const Node& node, std::size_t indent, std::uint32_t first) {
    out_ += fmt::format(">-{}\n", after(first, last_line(node)));
    std::vector<std::string> parts = written_lines(node, width - indent);
    if (parts.empty()) parts = broken(node.text, width - indent);
    for (const std::string& part : parts) line(indent, part);
  }

  void section(const Entry& entry) {
    before(entry.key_place.line, 0);
    const std::string head = key_text(entry.key, false) + ":";
    const Node& value = entry.value;
    const bool small = value.is_scalar() || value.items.size() + value.entries.size() == 0 ||
                       (std::ranges::all_of(value.items, &Node::is_scalar) && value.is_list());
    const bool written = written_in_line(value, entry.key_place.line).has_value();
    const bool short_map =
        value.is_map() && (written || (value.entries.size() < 4 && !wants_lines(value)));
    if ((small || short_map || written) && fits(value, head.size() + 1, entry.key_place.line)) {
      line(0, fmt::format("{} {}{}", head, value.is_scalar() ? scalar(value, false) : flow(value),
                          after(entry.key_place.line, last_line(value))));
      return;
    }
    if (value.is_scalar()) {
      out_ += head + " ";
      return folded(value, 2, entry.key_place.line);
    }
    line(0, head + after(entry.key_place.line));
    block(value, 2);
  }

  // The parts of a list or mapping, each beginning on a line of its own.
  void block(const Node& node, std::size_t indent) {
    for (const Node& item : node.items) {
      before(first_line_of(item), indent);
      out_.append(indent, ' ');
      out_ += "- ";
      element(item, indent + 2);
    }
    for (const Entry& entry : node.entries) {
      before(entry.key_place.line, indent);
      out_.append(indent, ' ');
      pair(entry, indent);
    }
  }

  // A list item after its dash: the first pair of a mapping stands on the same line.
  void element(const Node& item, std::size_t indent) {
    const std::uint32_t first = first_line_of(item);
    const bool written = written_in_line(item, first).has_value();
    if (written && is_bare_pair(item)) return pair(item.entries.front(), indent);
    if (fits(item, indent, first) && (written || !wants_lines(item))) {
      out_ += fmt::format("{}{}\n", item.is_scalar() ? scalar(item, false) : flow(item),
                          after(first, last_line(item)));
      return;
    }
    if (item.is_scalar()) return folded(item, indent, first);
    if (item.is_list()) {
      out_ += fmt::format("{}{}\n", filled(flow(item), indent, indent + 1),
                          after(first, last_line(item)));
      return;
    }
    bool leading = true;
    for (const Entry& entry : item.entries) {
      if (!leading) {
        before(entry.key_place.line, indent);
        out_.append(indent, ' ');
      }
      leading = false;
      pair(entry, indent);
    }
  }

  // Several statements read better below each other.
  static bool wants_lines(const Node& node) {
    for (const std::string_view key : {"effects", "then", "do", "onEnter", "onExit", "cost"})
      if (const Node* list = node.find(key);
          list != nullptr && list->is_list() && list->items.size() > 1)
        return true;
    if (node.is_list() && node.items.size() > 1 &&
        std::ranges::all_of(node.items, &Node::is_string) &&
        std::ranges::any_of(
            node.items, [](const Node& item) { return item.text.find(' ') != std::string::npos; }))
      return true;
    // What is done under a condition or in a loop stands below it.
    if (node.is_map() && node.entries.size() > 1 && node.entries.front().value.is_string())
      for (const std::string_view head : {"if", "for", "while", "let", "roll"})
        if (node.entries.front().key == head) return true;
    return std::ranges::any_of(node.items, wants_lines) ||
           std::ranges::any_of(node.entries,
                               [](const Entry& entry) { return wants_lines(entry.value); });
  }

  void pair(const Entry& entry, std::size_t indent) {
    const std::string head = key_text(entry.key, false) + ":";
    const Node& value = entry.value;
    const bool statements =
        value.is_list() && value.items.size() > 1 && wants_lines_under(entry.key);
    const bool written = written_in_line(value, entry.key_place.line).has_value();
    if (fits(value, indent + head.size() + 1, entry.key_place.line) &&
        (written || (!statements && !wants_lines(value)))) {
      out_ += fmt::format("{} {}{}\n", head, value.is_scalar() ? scalar(value, false) : flow(value),
                          after(entry.key_place.line, last_line(value)));
      return;
    }
    if (value.is_scalar()) {
      out_ += head + " ";
      return folded(value, indent + 2, entry.key_place.line);
    }
    if (!written && is_word_list(value) &&
        !remarks_inside(entry.key_place.line, last_line(value))) {
      out_ +=
          fmt::format("{} {}{}\n", head, filled(flow(value), indent + head.size() + 1, indent + 2),
                      after(entry.key_place.line, last_line(value)));
      return;
    }
    out_ += fmt::format("{}{}\n", head, after(entry.key_place.line));
    block(value, indent + 2);
  }
  // Names and numbers, no sentences.
  static bool is_word_list(const Node& node) {
    return node.is_list() && !node.items.empty() &&
           std::ranges::all_of(node.items, [](const Node& item) {
             return item.is_scalar() && item.text.find(' ') == std::string::npos;
           });
  }
  static bool wants_lines_under(std::string_view key) {
    for (const std::string_view known :
         {"effects", "then", "else", "do", "in", "onEnter", "onExit", "cost", "afterEffects"})
      if (key == known) return true;
    return false;
  }

  std::string_view source_;
  std::uint32_t first_line_;
  Breaks breaks_;
  std::uint32_t begun_ = 0;  // the last line of the source that something began on
  std::vector<Remark> remarks_;
  std::vector<std::size_t> starts_;
  std::size_t next_ = 0;
  std::string out_;
};

}  // namespace

std::string lay_out(const Node& root, std::string_view source, std::uint32_t first_line,
                    Breaks breaks) {
  return Layout{source, first_line, breaks}.run(root);
}

}  // namespace parlor::spec::text
