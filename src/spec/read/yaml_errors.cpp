#include "spec/read/yaml_errors.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <optional>

namespace parlor::spec {
namespace {

// Everything an explanation may look at.
struct Scene {
  const YamlSyntaxError& error;
  const YamlBlock& block;
  std::uint32_t line;     // in the file
  std::size_t at;         // file offset of the error
  std::string_view text;  // the line

  Place here(std::size_t length = 1) const { return block.file->place(at, at + length); }
};

struct Explanation {
  Code code = Code::YAML_SYNTAX;
  Place place;
  std::string message;
  std::string help;
};

std::size_t byte_of_character(std::string_view line, std::uint32_t column) {
  std::size_t at = 0;
  for (std::uint32_t passed = 1; passed < column && at < line.size(); ++passed) {
    ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xc0) == 0x80) ++at;
  }
  return at;
}

std::size_t indentation(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

bool blank(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t\r");
  return at == std::string_view::npos || line[at] == '#';
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 60;
  return text.size() <= longest ? std::string{text} : fmt::format("{}…", text.substr(0, longest));
}

// `key` and `value` of a line `  - key: value`; empty when the line is something else.
struct KeyValue {
  std::string_view key, value;
};

KeyValue split_line(std::string_view line) {
  std::string_view rest = trimmed(line);
  while (rest.starts_with("- ")) rest = trimmed(rest.substr(2));
  const std::size_t colon = rest.find(": ");
  if (colon == std::string_view::npos) return {};
  return {rest.substr(0, colon), trimmed(rest.substr(colon + 2))};
}

// ---- one explanation per kind of mistake

Explanation tabs(const Scene& scene) {
  const std::size_t tab = scene.text.find('\t');
  const std::size_t start = scene.block.file->line_start(scene.line);
  const std::size_t at = tab == std::string_view::npos ? scene.at : start + tab;
  return {Code::YAML_TAB, scene.block.file->place(at), "a tab is used for indentation",
          "indent with blanks, two per level; most editors can be set to do so"};
}

Explanation unquoted_colon(const Scene& scene) {
  const KeyValue pair = split_line(scene.text);
  Explanation out{Code::YAML_COLON, scene.here(), "a second `: ` on the line starts a new mapping",
                  "put the value in quotes"};
  if (!pair.value.empty() && pair.value.front() != '"' && pair.value.front() != '\'') {
    const std::size_t begin =
        static_cast<std::size_t>(pair.value.data() - scene.block.file->text().data());
    out.place = scene.block.file->place(begin, begin + pair.value.size());
    out.message =
        fmt::format("the value of `{}` contains `: `, so it is read as a mapping", pair.key);
    out.help =
        fmt::format("put the value in quotes: `{}: \"{}\"`", pair.key, shortened(pair.value));
  }
  return out;
}

// The quote that opens the value the parser was reading, if it stands on an earlier line: then that
// value was never closed, and swallowed everything up to the next quote.
std::optional<std::size_t> runaway_quote(const Scene& scene) {
  const std::size_t at = scene.block.file->text().find_first_of(
      "\"'", std::max(scene.error.parsed_to, scene.block.begin));
  if (at == std::string_view::npos || at >= scene.at) return std::nullopt;
  if (scene.block.file->place(at).line >= scene.line) return std::nullopt;
  return at;
}

Explanation trailing_after_quote(const Scene& scene) {
  if (const auto open = runaway_quote(scene))
    return {
        Code::YAML_QUOTES, scene.block.file->place(*open),
        "the quoted text that starts here is not closed on its line",
        fmt::format("add the closing quote; as it is, the text goes on to line {}", scene.line)};
  const bool is_double = scene.error.message.find("double") != std::string::npos;
  return {
      Code::YAML_QUOTES, scene.here(),
      fmt::format("text follows the closing {} quote of a value", is_double ? "double" : "single"),
      is_double
          ? "a double quote inside double quotes is written `\\\"`, or use single quotes around"
          : "a single quote inside single quotes is written twice (`''`), or use double quotes "
            "around"};
}

Explanation unclosed_quote(const Scene& scene) {
  const std::string_view text = scene.block.file->text();
  std::size_t at = scene.at;  // the parser points behind the quote
  if (at > scene.block.begin && (text[at - 1] == '"' || text[at - 1] == '\'')) --at;
  return {Code::YAML_QUOTES, scene.block.file->place(at),
          "the quoted text that starts here is never closed",
          "add the closing quote; an apostrophe in text needs quotes of the other kind around it"};
}

Explanation bad_escape(const Scene& scene) {
  return {Code::YAML_ESCAPE, scene.here(),
          "a backslash in double quotes starts an escape that does not exist",
          "write `\\\\` for a backslash, or use single quotes, in which nothing is an escape"};
}

// `{when: any $c in cells: empty($c), win: active}`: the second colon ends a key that was none.
std::optional<Explanation> colon_in_brackets(const Scene& scene) {
  const std::string_view text = scene.block.file->text();
  if (scene.error.open_brackets.empty() || scene.at >= scene.block.end || text[scene.at] != ':')
    return std::nullopt;
  const std::size_t start =
      std::max(scene.error.open_brackets.back() + 1, scene.block.file->line_start(scene.line));
  const std::string_view before = text.substr(start, scene.at - start);
  const std::size_t comma = before.rfind(','), colon = before.rfind(": ");
  if (colon == std::string_view::npos || (comma != std::string_view::npos && colon < comma))
    return std::nullopt;
  const std::size_t first = start + colon + 2;
  const std::size_t end = std::min(text.find_first_of(",}]\n", scene.at), text.size());
  const std::string value = shortened(trimmed(text.substr(first, end - first)));
  // Anything else is rather the next entry, and a comma is missing before its key.
  const bool sentence = std::ranges::any_of(
      std::to_array<std::string_view>({"any ", "all ", "no ", " with ", "("}),
      [&](std::string_view word) { return value.find(word) != std::string::npos; });
  if (!sentence) return std::nullopt;
  const std::string_view key =
      trimmed(before.substr(comma == std::string_view::npos ? 0 : comma + 1,
                            colon - (comma == std::string_view::npos ? 0 : comma + 1)));
  return Explanation{Code::YAML_COLON, scene.block.file->place(first, end),
                     fmt::format("the value of `{}` contains `: `, so it ends there", key),
                     fmt::format("put it in quotes: `{}: \"{}\"`", key, value)};
}

Explanation brackets(const Scene& scene) {
  if (auto colon = colon_in_brackets(scene)) return *colon;
  if (scene.error.open_brackets.empty() &&
      scene.error.message.find("node content") != std::string::npos)
    return {Code::YAML_SYNTAX, scene.here(), "a value is expected here",
            "put the value in quotes if it is text"};
  if (const char c = scene.at < scene.block.end ? scene.block.file->text()[scene.at] : ' ';
      scene.error.open_brackets.empty() && (c == ']' || c == '}'))
    return {Code::YAML_BRACKETS, scene.here(),
            fmt::format("this `{}` closes nothing that was opened", c), "remove it"};
  if (scene.error.open_brackets.empty())
    return {Code::YAML_BRACKETS, scene.here(), "a comma or closing bracket is missing here", ""};
  const std::size_t open = scene.error.open_brackets.back();
  const char bracket = scene.block.file->text()[open];
  const char closing = bracket == '[' ? ']' : '}';
  const Place opened = scene.block.file->place(open);
  if (opened.line == scene.line && scene.at > open && scene.at < scene.block.end)
    return {
        Code::YAML_BRACKETS, scene.here(),
        fmt::format("a comma or the closing `{}` is missing before this", closing),
        "separate the entries with commas, and put text with brackets, commas or `: ` in quotes"};
  return {Code::YAML_BRACKETS, opened, fmt::format("the `{}` opened here is never closed", bracket),
          fmt::format("add the closing `{}`; every entry needs a comma after it except the last",
                      closing)};
}

Explanation bad_indentation(const Scene& scene) {
  Explanation out{
      Code::YAML_INDENTATION, {}, "this line's indentation fits none of the levels above it", ""};
  const std::size_t start = scene.block.file->line_start(scene.line);
  const std::size_t width = indentation(scene.text);
  out.place = scene.block.file->place(start + width, start + scene.text.size());
  std::vector<std::size_t> levels;
  std::size_t least = width + 64;
  const std::uint32_t first = scene.block.file->place(scene.block.begin).line;
  for (std::uint32_t line = scene.line; line > first && levels.size() < 4;) {
    const std::string_view above = scene.block.file->line(--line);
    if (blank(above) || indentation(above) >= least) continue;
    least = indentation(above);
    levels.push_back(least);
  }
  std::ranges::sort(levels);
  std::string text;
  for (const std::size_t level : levels)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", level);
  out.help = fmt::format(
      "it is indented by {} blanks; the lines above are at {}. Keys of one mapping, and the dashes "
      "of "
      "one list, start in the same column",
      width, text);
  return out;
}

Explanation block_text(const Scene& scene) {
  const std::size_t start = scene.block.file->line_start(scene.line);
  return {Code::YAML_BLOCK_TEXT,
          scene.block.file->place(start + indentation(scene.text), start + scene.text.size()),
          "this line ends the text block above, because it is indented less than its first line",
          "indent every line of a `|` or `>` text at least as far as its first line"};
}

Explanation special_start(const Scene& scene) {
  const char c = scene.at < scene.block.end ? scene.block.file->text()[scene.at] : ' ';
  std::string_view rest = scene.text.substr(
      std::min(scene.text.size(), scene.at - scene.block.file->line_start(scene.line)));
  // In brackets the value ends at the next comma.
  if (!scene.error.open_brackets.empty()) rest = rest.substr(0, rest.find_first_of(",]}"));
  return {Code::YAML_CHARACTER, scene.here(),
          fmt::format("unquoted text cannot start with `{}`", c),
          fmt::format("put it in quotes: \"{}\"", shortened(trimmed(rest)))};
}

// `op: *` or `op: &&`: an alias or an anchor without a name. The parser points behind the sign.
Explanation sign_without_name(const Scene& scene) {
  Scene before = scene;
  while (before.at > scene.block.begin &&
         (before.at >= scene.block.end || (scene.block.file->text()[before.at] != '*' &&
                                           scene.block.file->text()[before.at] != '&')) &&
         scene.at - before.at < 3)
    --before.at;
  return special_start(before);
}

// A "key" that runs over several lines: a colon, or the blank after it, is missing somewhere.
Explanation runaway_key(const Scene& scene) {
  const std::uint32_t last = scene.block.file->place(scene.block.end).line;
  const std::size_t lead = scene.at - scene.block.file->line_start(scene.line);
  if (lead > indentation(scene.text) &&
      scene.text.substr(0, lead).find(": ") != std::string_view::npos)
    for (std::uint32_t line = scene.line + 1; line <= last; ++line) {
      const std::string_view text = scene.block.file->line(line);
      if (blank(text)) continue;
      const std::size_t start = scene.block.file->line_start(line);
      return {Code::YAML_INDENTATION,
              scene.block.file->place(start + indentation(text), start + text.size()),
              "this line is indented below a line that already has a value",
              fmt::format("indent it like the line above, by {} blanks, or remove the value above",
                          indentation(scene.text))};
    }
  for (std::uint32_t line = scene.line; line <= last; ++line) {
    const std::string_view text = scene.block.file->line(line);
    const std::string_view word = trimmed(text);
    if (blank(text)) continue;
    const std::size_t begin =
        static_cast<std::size_t>(word.data() - scene.block.file->text().data());
    const std::size_t colon = word.find(':');
    const Place place = scene.block.file->place(begin, begin + word.size());
    if (colon != std::string_view::npos && colon > 0 && colon + 1 < word.size() &&
        word[colon + 1] != ' ')
      return {
          Code::YAML_COLON_SPACE, place,
          fmt::format("a blank is missing after the colon in `{}`", shortened(word)),
          fmt::format("write `{}: {}`", word.substr(0, colon), shortened(word.substr(colon + 1)))};
    if (colon == std::string_view::npos) {
      const std::size_t gap = word.find(' ');
      if (word.starts_with("//") || word.starts_with("/*") || word.starts_with("--"))
        return {Code::YAML_COLON_MISSING, place,
                fmt::format("`{}` begins no comment here", word.substr(0, 2)),
                "comments begin with `#`"};
      return {Code::YAML_COLON_MISSING, place,
              fmt::format("`{}` is neither a key with a value nor a list item", shortened(word)),
              gap == std::string_view::npos
                  ? fmt::format("write `{}:`, or `- {}` for a list item", word, word)
                  : fmt::format("write `{}: {}`", word.substr(0, gap),
                                shortened(trimmed(word.substr(gap))))};
    }
    if (word.ends_with(':') || colon + 1 < word.size()) break;
  }
  return {Code::YAML_COLON_MISSING, scene.here(), "a colon is missing on this line or the next",
          "write `key: value`"};
}

// `op: >=`: a `>` or `|` after a key begins a block of text, and nothing may follow it.
Explanation block_sign(const Scene& scene) {
  const KeyValue pair = split_line(scene.text);
  Explanation out{Code::YAML_CHARACTER, scene.here(),
                  "a `>` or `|` without quotes begins a block of text on the lines below", ""};
  if (pair.value.empty()) return out;
  const std::size_t begin =
      static_cast<std::size_t>(pair.value.data() - scene.block.file->text().data());
  out.place = scene.block.file->place(begin, begin + pair.value.size());
  out.help = fmt::format("put it in quotes: `{}: \"{}\"`", pair.key, shortened(pair.value));
  return out;
}

Explanation list_on_key_line(const Scene& scene) {
  if (const KeyValue pair = split_line(scene.text); pair.value == "-")
    return {Code::YAML_CHARACTER, scene.here(), "a `-` without quotes begins a list item",
            fmt::format("put it in quotes: `{}: \"-\"`", pair.key)};
  return {
      Code::YAML_INDENTATION, scene.here(), "a list cannot begin on the line of its key",
      "put `- ` items on the lines below the key, or write the list in brackets: `key: [a, b]`"};
}

Explanation extra_comma(const Scene& scene) {
  return {Code::YAML_BRACKETS, scene.here(), "there is a comma with nothing before it",
          "remove the comma"};
}

Explanation expected_key(const Scene& scene) {
  const std::string_view word = trimmed(scene.text);
  Explanation out = bad_indentation(scene);
  if (word.starts_with("- ") || word == "-") {
    out.message = "a list item stands here, where the mapping above goes on";
    out.help =
        "indent the list below its key, or give it a key; a mapping and a list cannot share a "
        "level";
  }
  return out;
}

struct Rule {
  std::string_view words;  // in the parser's message
  Explanation (*explain)(const Scene&);
};

constexpr Rule rules[] = {
    {"tab character", tabs},
    {"invalid tab", tabs},
    {"nested block mapping on the same line", unquoted_colon},
    {"trailing content after double-quoted", trailing_after_quote},
    {"trailing content after single-quoted", trailing_after_quote},
    {"without closing quote", unclosed_quote},
    {"invalid escape", bad_escape},
    {"closing bracket", brackets},
    {"closing brace", brackets},
    {"missing comma", brackets},
    {"flow mapping", brackets},
    {"flow sequence", brackets},
    {"indentation in mapping", bad_indentation},
    {"indentation in sequence", bad_indentation},
    {"cannot start with", special_start},
    {"block scalar no linebreak", block_sign},
    {"invalid alias", sign_without_name},
    {"invalid anchor", sign_without_name},
    {"block sequence on the same line", list_on_key_line},
    {"block sequence entries not allowed", list_on_key_line},
    {"mismatched flow", brackets},
    {"extra comma", extra_comma},
    {"wrongly indented block scalar", block_text},
    {"block scalar with wrongly", block_text},
    {"multiline plain key", runaway_key},
    {"multiline", runaway_key},
    {"missing mapping start", runaway_key},
    {"could not find expected ':'", runaway_key},
    {"did not find expected node", brackets},
    {"did not find expected key", expected_key},
    {"did not find expected '-'", expected_key},
    {"invalid value after mapping", bad_indentation},
    {"inden", bad_indentation},
};

// The first no-break space in the indentation of one of these lines; none: npos.
std::size_t odd_blank(const TextFile& file, std::uint32_t first, std::uint32_t last) {
  constexpr std::string_view no_break = "\xc2\xa0";
  for (std::uint32_t line = first; line <= last; ++line) {
    const std::string_view text = file.line(line);
    const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
    if (text.substr(blanks).starts_with(no_break)) return file.line_start(line) + blanks;
  }
  return std::string_view::npos;
}

}  // namespace

void explain_yaml_error(const YamlSyntaxError& error, const YamlBlock& block, Report& report) {
  const TextFile& file = *block.file;
  const std::uint32_t first = file.place(block.begin).line;
  const std::uint32_t last = file.place(block.end).line;
  const std::uint32_t line = std::min(first + (error.line == 0 ? 0 : error.line - 1), last);
  const std::string_view text = file.line(line);
  const std::size_t lead = line == first ? block.begin - file.line_start(first) : 0;
  const std::size_t column =
      lead + byte_of_character(text.substr(std::min(lead, text.size())), error.column);
  Scene scene{error, block, line, std::min(file.line_start(line) + column, block.end), text};

  Explanation found{Code::YAML_SYNTAX, scene.here(),
                    fmt::format("this is not valid YAML: {}", error.message),
                    "check indentation, quotes and brackets on this line and the one before"};
  // Tabs explain whatever else the parser stumbled over on the same line.
  const std::string_view indent = text.substr(0, text.find_first_not_of(" \t"));
  if (indent.find('\t') != std::string_view::npos) {
    found = tabs(scene);
  } else if (const std::size_t at = odd_blank(file, first, line); at != std::string_view::npos) {
    found = {Code::YAML_INDENTATION, file.place(at),
             "a no-break space is used for indentation: it looks like a blank and is none",
             "replace it by a blank; such spaces come along when text is copied from a page"};
  } else if (error.after_block_text && error.message.find("after mapping") != std::string::npos) {
    found = block_text(scene);
  } else {
    for (const Rule& rule : rules) {
      if (error.message.find(rule.words) == std::string::npos) continue;
      found = rule.explain(scene);
      break;
    }
  }
  report.error(found.code, {found.place}, std::move(found.message)).suggestion =
      std::move(found.help);
}

}  // namespace parlor::spec
