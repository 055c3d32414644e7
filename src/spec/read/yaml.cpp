#include "spec/read/yaml.h"

#include <algorithm>
#include <fmt/core.h>
#include <iterator>
#include <libfyaml.h>
#include <map>
#include <memory>
#include <span>
#include <unordered_set>

#include "spec/document.h"
#include "spec/read/scalar.h"
#include "spec/read/yaml_errors.h"

namespace parlor::spec {
namespace {

struct DiagCloser {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};
struct ParserCloser {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
};

// A collection that has begun and not ended.
struct Frame {
  Node node;
  std::string anchor;
  std::string key;  // maps: the key whose value comes next
  Place key_place;
  bool has_key = false;
  bool drop_value = false;  // the key was a duplicate
  bool flow = false;
  std::string split;  // a sentence with commas in it, as far as its parts were read as keys
  Place split_end;
  std::size_t offset = 0;
  std::size_t first = 0;  // of its children among the reader's unfinished items or entries
  std::unique_ptr<std::unordered_set<std::string>> seen;  // keys, once a map is large
};

// How many parentheses of a text are opened and not closed; below 0: closed and not opened.
int open_parentheses(std::string_view text) {
  return static_cast<int>(std::ranges::count(text, '(') - std::ranges::count(text, ')'));
}

class YamlReader {
 public:
  YamlReader(const YamlBlock& block, YamlLimits& limits, Report* report)
      : block_(block), limits_(limits), report_(report) {}

  std::optional<Node> read();

 private:
  bool handle(fy_event& event);
  bool start(fy_event& event, bool map, fy_token* anchor, fy_token* tag, fy_token* opener);
  bool finish(const fy_event& event, const fy_mark* end);
  bool scalar(fy_event& event);
  bool alias(fy_event& event);
  bool key(std::string text, bool plain, const Place& place);
  bool complete(Node node, const std::string& anchor);
  bool take_alias_nodes(const Node& node, const Place& where);
  bool refuse_tag(fy_token* tag);
  bool refuse_block_operator(const Frame& frame);
  void lint_plain(const Node& node, std::string_view text, std::size_t begin, std::size_t end);
  void lint_flow_entry(const Frame& frame);
  bool lint_split_entry(Frame& frame);
  void tell_split_entry(Frame& frame);
  void lint_split_item(const Frame& frame);
  void split_by_comma(const Node& first, const Place& last, std::string_view key,
                      const std::string& whole);
  void syntax_error(fy_diag* diag);

  bool is_duplicate(Frame& frame, const std::string& key) const;
  std::span<const Entry> entries_of(const Frame& frame) const {
    return std::span{entries_}.subspan(frame.first);
  }

  std::size_t offset(const fy_mark* mark) const { return block_.begin + mark->input_pos; }
  Place place(std::size_t begin, std::size_t end = 0) {
    const Place out = block_.file->place(begin, end, line_);
    line_ = out.line;
    return out;
  }
  Place place(const fy_mark* from, const fy_mark* to) {
    return place(offset(from), to != nullptr ? offset(to) : 0);
  }
  bool first_on_line(std::size_t at) const;
  bool fail(Code code, const Place& where, std::string message, std::string suggestion);

  const YamlBlock& block_;
  YamlLimits& limits_;
  Report* report_;
  std::vector<Frame> stack_;
  // The children of everything on the stack; a collection takes its own when it ends, so that it is
  // allocated once and in its final size.
  std::vector<Node> items_;
  std::vector<Entry> entries_;
  std::uint32_t line_ = 0;  // where the last place was
  std::map<std::string, Node, std::less<>> anchors_;
  std::optional<Node> root_;
  int documents_ = 0;
  bool last_was_block_text_ = false;
  std::size_t parsed_to_ = 0;
};

std::string token_text(fy_token* token) {
  std::size_t length = 0;
  const char* text = fy_token_get_text(token, &length);
  return text == nullptr ? std::string{} : std::string{text, length};
}

bool YamlReader::fail(Code code, const Place& where, std::string message, std::string suggestion) {
  if (report_ != nullptr)
    report_->error(code, {where}, std::move(message)).suggestion = std::move(suggestion);
  return false;
}

bool YamlReader::first_on_line(std::size_t at) const {
  const std::string_view text = block_.file->text();
  while (at > block_.begin && text[at - 1] == ' ') --at;
  return at == block_.begin || text[at - 1] == '\n';
}

bool YamlReader::refuse_tag(fy_token* tag) {
  if (tag == nullptr) return true;
  const Place where = place(fy_token_start_mark(tag), fy_token_end_mark(tag));
  const std::size_t at = block_.file->line_start(where.line) + where.column - 1;
  if (block_.file->text().substr(at).starts_with("!="))
    return fail(Code::YAML_CHARACTER, where, "unquoted text cannot start with `!`",
                "put the operator in quotes: \"!=\"");
  const std::string_view word = block_.file->text().substr(
      at + 1, std::max(where.end_column, where.column + 1) - where.column - 1);
  return fail(
      Code::YAML_TAG, where, "tags are not part of the game language",
      fmt::format("remove the tag; for a condition that does not hold write `not {}`", word));
}

bool YamlReader::start(fy_event& event, bool map, fy_token* anchor, fy_token* tag,
                       fy_token* opener) {
  if (!refuse_tag(tag)) return false;
  const fy_mark* mark = fy_event_start_mark(&event);
  const Place where = place(offset(mark));
  if (!stack_.empty() && stack_.back().node.is_map() && !stack_.back().has_key)
    return fail(Code::YAML_KEY, where, "a key must be a plain word or a quoted string",
                "if this is meant as a template or text in braces, put it in quotes");
  if (stack_.size() >= limits_.nesting)
    return fail(Code::YAML_NESTING, where,
                fmt::format("lists and mappings are nested more than {} deep", limits_.nesting),
                "split the structure up, for example with macros");
  Frame frame;
  frame.node = map ? Node::of_map({where}) : Node::of_list({where});
  if (anchor != nullptr) frame.anchor = token_text(anchor);
  frame.offset = offset(mark);
  const char first = frame.offset < block_.end ? block_.file->text()[frame.offset] : '\0';
  frame.flow = opener != nullptr && (first == '[' || first == '{');
  frame.first = map ? entries_.size() : items_.size();
  stack_.push_back(std::move(frame));
  return true;
}

// Moves the children from `first` on to where they belong.
template <class Child>
void take(std::vector<Child>& from, std::size_t first, std::vector<Child>& to) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  to.assign(std::move_iterator{begin}, std::move_iterator{from.end()});
  from.erase(begin, from.end());
}

bool YamlReader::finish(const fy_event&, const fy_mark* end) {
  Frame frame = std::move(stack_.back());
  stack_.pop_back();
  Node& node = frame.node;
  tell_split_entry(frame);
  if (node.is_map())
    take(entries_, frame.first, node.entries);
  else
    take(items_, frame.first, node.items);
  if (frame.flow && end != nullptr) {
    const Place whole = place(frame.offset, offset(end));
    node.origin.place.end_column = whole.end_column;
  } else if (node.is_map() && !node.entries.empty()) {
    // A block mapping is shown by its first key.
    node.origin.place = node.entries.front().key_place;
  }
  return complete(std::move(node), frame.anchor);
}

bool YamlReader::is_duplicate(Frame& frame, const std::string& key) const {
  constexpr std::size_t many = 24;
  const std::span<const Entry> entries = entries_of(frame);
  if (entries.size() < many) return std::ranges::find(entries, key, &Entry::key) != entries.end();
  if (!frame.seen) {
    frame.seen = std::make_unique<std::unordered_set<std::string>>();
    for (const Entry& entry : entries) frame.seen->insert(entry.key);
  }
  return !frame.seen->insert(key).second;
}

bool YamlReader::key(std::string text, bool plain, const Place& where) {
  Frame& frame = stack_.back();
  if (text.empty())
    return fail(Code::YAML_KEY, where, "a key is missing before this colon", "write `key: value`");
  if (plain && text == "<<")
    return fail(Code::YAML_MERGE_KEY, where, "`<<` merge keys are not part of YAML 1.2",
                "repeat the keys, or use an alias for the whole value");
  if (plain && text.size() > 1 && text[0] == '-' && !frame.flow &&
      first_on_line(block_.file->line_start(where.line) + where.column - 1))
    return fail(
        Code::YAML_DASH, where,
        fmt::format("`{}` is read as a key; a list item needs a blank after the dash", text),
        fmt::format("write `- {}: …`", text.substr(1)));
  if (plain && text.starts_with("//"))
    return fail(Code::YAML_KEY, where, "`//` does not begin a comment in YAML",
                "write `#` instead of `//`");
  const bool duplicate = is_duplicate(frame, text);
  if (duplicate && report_ != nullptr && open_parentheses(text) == 0) {
    Diagnostic& d = report_->error(Code::YAML_DUPLICATE_KEY, {where},
                                   fmt::format("the key `{}` is given twice", text));
    d.suggestion = stack_.size() == 1 && !frame.flow && find_section(text)
                       ? "put both under one of them, or the second one into a block of its own: "
                         "blocks are joined"
                       : "keep one of them; a list of values is written with `- `";
    relate(d, report_->source(), "first given here",
           std::ranges::find(entries_of(frame), text, &Entry::key)->key_place);
  }
  frame.key = std::move(text);
  frame.key_place = where;
  frame.has_key = true;
  frame.drop_value = duplicate;
  return true;
}

bool YamlReader::take_alias_nodes(const Node& node, const Place& where) {
  const std::size_t size = count_nodes(node);
  if (size > limits_.alias_nodes)
    return fail(Code::YAML_ALIAS_BUDGET, where,
                "aliases blow this file up beyond what a game may hold",
                "use macros for repeated rules");
  limits_.alias_nodes -= size;
  return true;
}

bool YamlReader::complete(Node node, const std::string& anchor) {
  if (!anchor.empty()) {
    // What is kept for aliases is a copy, and anchors may stand inside one another.
    if (!take_alias_nodes(node, node.origin.place)) return false;
    anchors_.insert_or_assign(anchor, node);
  }
  if (stack_.empty()) {
    root_ = std::move(node);
    return true;
  }
  Frame& frame = stack_.back();
  if (frame.node.is_list()) {
    items_.push_back(std::move(node));
    if (frame.flow && report_ != nullptr) lint_split_item(frame);
    return true;
  }
  if (!node.is_null()) tell_split_entry(frame);
  if (frame.flow && node.is_null() && report_ != nullptr && !lint_split_entry(frame))
    lint_flow_entry(frame);
  if (!frame.drop_value)
    entries_.push_back({std::move(frame.key), frame.key_place, std::move(node)});
  frame.has_key = false;
  return true;
}

void YamlReader::split_by_comma(const Node& first, const Place& last, std::string_view key,
                                const std::string& whole) {
  Place where = first.origin.place;
  if (where.line == last.line) where.end_column = last.end_column;
  report_
      ->error(Code::YAML_BRACKETS, {where},
              fmt::format("inside `{{…}}` and `[…]` a comma ends a value, so `{}` is cut in two",
                          whole))
      .suggestion = fmt::format("put it in quotes: `{}{}\"{}\"`, or on a line of its own", key,
                                key.empty() ? "" : ": ", whole);
}

// `{cell: grid(3, 3)}` is a mapping with the keys `cell` and `3)`.
bool YamlReader::lint_split_entry(Frame& frame) {
  if (open_parentheses(frame.key) > 0) {
    report_
        ->error(
            Code::YAML_BRACKETS, {frame.key_place},
            fmt::format("inside `{{…}}` a comma ends a key, so `{}, …` is cut in two", frame.key))
        .suggestion = "put the key in quotes, or on a line of its own";
    return true;
  }
  const bool sentence = frame.key.find_first_of(" ()=<>+*%$") != std::string::npos;
  const std::span<const Entry> entries = entries_of(frame);
  std::size_t first = entries.size();
  while (first > 0 && entries[first - 1].value.is_null()) --first;
  if (!sentence || first == 0) return false;
  const Entry& begun = entries[first - 1];
  const bool plain = begun.value.is_string() && !begun.value.quoted;
  const int open = plain ? open_parentheses(begun.value.text) : 0;
  if (!plain || (open <= 0 && begun.value.text.find(' ') == std::string::npos)) return false;
  if (frame.split.empty()) frame.split = begun.value.text;
  frame.split += ", " + frame.key;
  frame.split_end = frame.key_place;
  return true;
}

// Once for all parts of a sentence.
void YamlReader::tell_split_entry(Frame& frame) {
  const std::string whole = std::exchange(frame.split, {});
  if (whole.empty()) return;
  const std::span<const Entry> entries = entries_of(frame);
  std::size_t first = entries.size();
  while (entries[first - 1].value.is_null()) --first;
  split_by_comma(entries[first - 1].value, frame.split_end, entries[first - 1].key, whole);
}

// `[pot = min(3, 4)]` is a list of `pot = min(3` and `4)`.
void YamlReader::lint_split_item(const Frame& frame) {
  const std::span<const Node> items = std::span{items_}.subspan(frame.first);
  const Node& last = items.back();
  if (!last.is_string() || last.quoted || open_parentheses(last.text) >= 0) return;
  std::string whole = last.text;
  for (std::size_t i = items.size() - 1; i-- > 0;) {
    const Node& item = items[i];
    if (item.quoted || !item.is_scalar()) return;
    whole =
        fmt::format("{}, {}", item.is_integer() ? std::to_string(item.integer) : item.text, whole);
    if (item.is_string() && open_parentheses(item.text) > 0)
      return split_by_comma(item, last.origin.place, {}, whole);
  }
}

// `{min:2}` is a mapping with the key `min:2` and no value: hardly ever what was meant.
void YamlReader::lint_flow_entry(const Frame& frame) {
  const std::size_t colon = frame.key.find(':');
  if (colon == std::string::npos || colon + 1 >= frame.key.size() || colon == 0) return;
  report_
      ->error(
          Code::YAML_COLON_SPACE, {frame.key_place},
          fmt::format("`{}` is read as one word; a blank is missing after the colon", frame.key))
      .suggestion =
      fmt::format("write `{}: {}`", frame.key.substr(0, colon), frame.key.substr(colon + 1));
}

void YamlReader::lint_plain(const Node& node, std::string_view text, std::size_t begin,
                            std::size_t end) {
  if (report_ == nullptr) return;
  if (node.is_string() && looks_like_boolean(text))
    report_
        ->warning(Code::YAML_BOOLEAN_WORD, node.origin,
                  fmt::format("`{}` is the string \"{}\" here, not a boolean", text, text))
        .suggestion = "write `true` or `false`, or put the word in quotes";
  if (text.size() > 1 && text[0] == '-' && node.is_string() && first_on_line(begin) &&
      text[1] != '-') {
    report_->error(Code::YAML_DASH, node.origin, "a list item needs a blank after the dash")
        .suggestion = fmt::format("write `- {}`", text.substr(1, text.find(' ') - 1));
    return;
  }
  const std::string_view raw = block_.file->text().substr(begin, end - begin);
  for (std::size_t at = raw.find('\n'); at != std::string_view::npos; at = raw.find('\n', at + 1)) {
    const std::size_t word = raw.find_first_not_of(" \r\n", at);
    if (word == std::string_view::npos || !raw.substr(word).starts_with("- ")) continue;
    report_
        ->warning(Code::YAML_MULTILINE_TEXT, {block_.file->place(begin + word, begin + word + 1)},
                  "this list item is read as part of the text that began on an earlier line")
        .suggestion = "give the list a key of its own, or put the text in quotes";
    return;
  }
}

bool YamlReader::scalar(fy_event& event) {
  fy_token* token = event.scalar.value;
  if (!refuse_tag(event.scalar.tag)) return false;
  const fy_mark* from = token != nullptr ? fy_token_start_mark(token) : nullptr;
  const fy_mark* to = token != nullptr ? fy_token_end_mark(token) : nullptr;
  const bool empty = from == nullptr || from->line < 0;
  Place where = empty ? Place{} : place(from, to);
  if (!empty && to != nullptr) parsed_to_ = offset(to);
  const bool in_map = !stack_.empty() && stack_.back().node.is_map();
  if (empty && in_map) where = stack_.back().key_place;
  if (empty && !where.known() && !stack_.empty()) where = stack_.back().node.origin.place;
  const fy_scalar_style style = token != nullptr ? fy_token_scalar_style(token) : FYSS_PLAIN;
  const bool plain = style == FYSS_PLAIN || style == FYSS_ANY;
  std::string text = token != nullptr ? token_text(token) : std::string{};
  last_was_block_text_ = style == FYSS_LITERAL || style == FYSS_FOLDED;
  if (in_map && !stack_.back().has_key) return key(std::move(text), plain, where);
  if (last_was_block_text_ && in_map && stack_.back().key == "op")
    return refuse_block_operator(stack_.back());
  Node node;
  if (plain) {
    ScalarProblem problem;
    node = resolve_plain(text, {where}, problem);
    if (problem.out_of_range && report_ != nullptr)
      report_
          ->error(Code::YAML_NUMBER_RANGE, node.origin,
                  fmt::format("the integer {} is too large", text.substr(0, 40)))
          .suggestion = "integers lie between -9007199254740991 and 9007199254740991";
    if (!empty) lint_plain(node, text, offset(from), offset(to));
  } else {
    node = Node::of_string(std::move(text), {where});
    node.quoted = true;
  }
  const std::string anchor =
      event.scalar.anchor != nullptr ? token_text(event.scalar.anchor) : std::string{};
  return complete(std::move(node), anchor);
}

// `op: >` without quotes: a `>` after a key begins a block of text, which swallows what follows.
bool YamlReader::refuse_block_operator(const Frame& frame) {
  const std::size_t line = block_.file->line_start(frame.key_place.line);
  const std::size_t sign =
      block_.file->text().find_first_of("|>", line + frame.key_place.column - 1);
  return fail(
      Code::YAML_CHARACTER, block_.file->place(sign),
      fmt::format("a `{}` without quotes begins a block of text",
                  block_.file->text().substr(sign, 1)),
      fmt::format("put the operator in quotes: \"{}\"", block_.file->text().substr(sign, 1)));
}

bool YamlReader::alias(fy_event& event) {
  const std::string name = token_text(event.alias.anchor);
  const fy_mark* from = fy_token_start_mark(event.alias.anchor);
  std::size_t begin = offset(from);
  if (begin > block_.begin && block_.file->text()[begin - 1] == '*') --begin;
  const Place where = place(begin, offset(fy_token_end_mark(event.alias.anchor)));
  if (!stack_.empty() && stack_.back().node.is_map() && !stack_.back().has_key)
    return fail(Code::YAML_KEY, where, "an alias cannot be a key", "write the key out");
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) {
    if (report_ == nullptr) return false;
    Diagnostic& d = report_->error(Code::YAML_ALIAS_UNKNOWN, {where},
                                   fmt::format("no anchor `&{}` comes before this alias", name));
    if (!report_->flooded()) {
      std::vector<std::string> names;
      for (const auto& [anchor, node] : anchors_) names.push_back(anchor);
      d.alternatives = did_you_mean(name, names);
    }
    d.suggestion = "anchors count within one block; put text that starts with `*` in quotes";
    return complete(Node::of_null({where}), {});  // go on: there may be more to say
  }
  if (!take_alias_nodes(found->second, where)) return false;
  Node copy = found->second;
  if (report_ != nullptr) {
    const Place declared = copy.origin.place;
    mark_expansion(
        copy, report_->source().add_expansion({ExpansionKind::alias, name, where, declared, 0}));
  }
  return complete(std::move(copy), {});
}

bool YamlReader::handle(fy_event& event) {
  switch (event.type) {
    case FYET_DOCUMENT_START:
      if (++documents_ > 1)
        return fail(Code::YAML_DOCUMENTS, place(offset(fy_event_start_mark(&event))),
                    "a block holds one YAML document; `---` starts a second one",
                    "remove the `---`, or make it a block of its own");
      return true;
    case FYET_MAPPING_START:
      return start(event, true, event.mapping_start.anchor, event.mapping_start.tag,
                   event.mapping_start.mapping_start);
    case FYET_SEQUENCE_START:
      return start(event, false, event.sequence_start.anchor, event.sequence_start.tag,
                   event.sequence_start.sequence_start);
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
      return finish(event, fy_event_end_mark(&event));
    case FYET_SCALAR:
      return scalar(event);
    case FYET_ALIAS:
      return alias(event);
    default:
      return true;
  }
}

void YamlReader::syntax_error(fy_diag* diag) {
  YamlSyntaxError error;
  void* cursor = nullptr;
  if (const fy_diag_error* first = fy_diag_errors_iterate(diag, &cursor); first != nullptr) {
    error.message = first->msg != nullptr ? first->msg : "";
    error.line = static_cast<std::uint32_t>(std::max(first->line, 1));
    error.column = static_cast<std::uint32_t>(std::max(first->column, 1));
  }
  for (const Frame& frame : stack_)
    if (frame.flow) error.open_brackets.push_back(frame.offset);
  error.parsed_to = parsed_to_;
  error.after_block_text = last_was_block_text_;
  explain_yaml_error(error, block_, *report_);
}

std::optional<Node> YamlReader::read() {
  const std::size_t errors_before = report_ != nullptr ? report_->errors() : 0;
  fy_diag_cfg diag_config;
  fy_diag_cfg_default(&diag_config);
  diag_config.fp = nullptr;
  diag_config.level = FYET_ERROR;
  const std::unique_ptr<fy_diag, DiagCloser> diag{fy_diag_create(&diag_config)};
  fy_diag_set_collect_errors(diag.get(), true);
  fy_parse_cfg config{};
  config.flags =
      static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE |
                                      FYPCF_DISABLE_DEPTH_LIMIT | FYPCF_SLOPPY_FLOW_INDENTATION);
  config.diag = diag.get();
  const std::unique_ptr<fy_parser, ParserCloser> parser{fy_parser_create(&config)};
  const std::string_view text = block_.file->text().substr(block_.begin, block_.end - block_.begin);
  if (text.find_first_not_of(" \r\n") == std::string_view::npos) return std::nullopt;
  fy_parser_set_string(parser.get(), text.data(), text.size());
  bool fine = true;
  while (fine) {
    fy_event* event = fy_parser_parse(parser.get());
    if (event == nullptr) break;
    fine = handle(*event);
    fy_parser_event_free(parser.get(), event);
  }
  if (!fine) return std::nullopt;
  if (fy_parser_get_stream_error(parser.get())) {
    if (report_ != nullptr) syntax_error(diag.get());
    return std::nullopt;
  }
  // A block with mistakes is not used: what is left of it would only cause more of them.
  if (report_ != nullptr && report_->errors() > errors_before) return std::nullopt;
  return std::move(root_);
}

}  // namespace

std::optional<Node> parse_yaml(const YamlBlock& block, YamlLimits& limits, Report& report) {
  return YamlReader{block, limits, &report}.read();
}

bool is_yaml_mapping(const YamlBlock& block) {
  YamlLimits limits;
  const std::optional<Node> root = YamlReader{block, limits, nullptr}.read();
  return root && root->is_map();
}

}  // namespace parlor::spec
