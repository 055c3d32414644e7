#include "chess/modifiers/reader.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

#include "spec/read/yaml.h"

namespace parlor::chess::modifiers {
namespace {

Json to_json(const spec::Node& node) {
  switch (node.kind) {
    case spec::Node::Kind::null:
      return nullptr;
    case spec::Node::Kind::boolean:
      return node.boolean;
    case spec::Node::Kind::integer:
      return node.integer;
    case spec::Node::Kind::real:
      return node.real;
    case spec::Node::Kind::string:
      return node.text;
    case spec::Node::Kind::list: {
      Json out = Json::array();
      for (const spec::Node& item : node.items) out.push_back(to_json(item));
      return out;
    }
    case spec::Node::Kind::map: {
      Json out = Json::object();
      for (const spec::Entry& entry : node.entries) out[entry.key] = to_json(entry.value);
      return out;
    }
  }
  return nullptr;
}

// One step of a path: a key of a map or a number in a list.
const spec::Node* child(const spec::Node& node, std::string_view step) {
  if (!node.is_list()) return node.find(step);
  std::size_t index = node.items.size();
  std::from_chars(step.data(), step.data() + step.size(), index);
  return index < node.items.size() ? &node.items[index] : nullptr;
}

}  // namespace

std::optional<Document> Document::read(const std::string& text, const std::string& file,
                                       Diagnostics& problems) {
  Document out;
  const spec::TextFile source(out.source_.add_file(file), text);
  spec::Report report(out.source_, problems);
  spec::YamlLimits limits;
  if (!check_encoding(source, report)) return std::nullopt;
  auto root = parse_yaml({&source, 0, text.size()}, limits, report);
  if (!root && report.errors() == 0)
    report.error(Code::MODIFIER_INVALID, {source.place(0)}, "the file is empty");
  if (!root || report.errors() != 0) return std::nullopt;
  out.json_ = to_json(*root);
  out.root_ = std::move(*root);
  return out;
}

SourceSpan Document::span(std::string_view path) const {
  const spec::Node* node = &root_;
  while (!path.empty()) {
    const std::string_view step = path.substr(0, path.find('.'));
    const spec::Node* next = child(*node, step);
    if (next == nullptr) break;
    node = next;
    path.remove_prefix(std::min(path.size(), step.size() + 1));
  }
  return source_.span(node->origin.place);
}

std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& names) {
  auto near = did_you_mean(name, names);
  return near.empty() ? names : near;
}

void Reader::problem(Code code, const std::string& path, std::string message,
                     std::vector<std::string> alternatives) {
  Diagnostic d{.code = code, .message = std::move(message), .path = path};
  d.span = document_.span(path);
  d.alternatives = std::move(alternatives);
  out_.add(std::move(d));
}

void Reader::only(const Json& json, const std::string& path,
                  std::span<const std::string_view> keys) {
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(keys, key) != keys.end()) continue;
    problem(Code::MODIFIER_INVALID, at(path, key), fmt::format("`{}` means nothing here", key),
            nearest(key, {keys.begin(), keys.end()}));
  }
}

std::string Reader::word(const Json& json, const char* key, const std::string& path, bool needed) {
  if (json.contains(key) && json[key].is_string()) return json[key];
  if (needed || json.contains(key))
    problem(Code::MODIFIER_INVALID, at(path, key), fmt::format("`{}` must be a text", key));
  return "";
}

std::string_view Reader::one_of(const Json& json, const char* key, const std::string& path,
                                std::initializer_list<std::string_view> words) {
  if (!json.contains(key)) return *words.begin();
  for (const std::string_view word : words)
    if (json[key] == word) return word;
  problem(Code::MODIFIER_INVALID, at(path, key), fmt::format("`{}` is one of a few words", key),
          {words.begin(), words.end()});
  return *words.begin();
}

int Reader::number(const Json& json, const char* key, const std::string& path, int low, int high,
                   std::optional<int> otherwise) {
  if (!json.contains(key) && otherwise) return *otherwise;
  if (json.contains(key) && json[key].is_number_integer()) {
    const auto value = json[key].get<std::int64_t>();
    if (value >= low && value <= high) return static_cast<int>(value);
  }
  problem(Code::MODIFIER_INVALID, at(path, key),
          fmt::format("`{}` must be a whole number from {} to {}", key, low, high));
  return low;
}

PieceType Reader::type(const Json& json, const std::string& path) {
  const std::string name = json.is_string() ? json.get<std::string>() : "";
  const PieceType found = book_.find_type(name);
  if (found == no_type) {
    std::vector<std::string> known;
    for (std::size_t i = 1; i < book_.type_count(); ++i)
      known.push_back(book_.type(static_cast<PieceType>(i)).id);
    problem(Code::MODIFIER_INVALID, path, fmt::format("`{}` is no piece type", name),
            nearest(name, known));
  }
  return found;
}

TypeSet Reader::type_set(const Json& json, const std::string& path) {
  TypeSet out = 0;
  if (json.is_array())
    for (std::size_t i = 0; i < json.size(); ++i)
      out |= types(type(json[i], fmt::format("{}.{}", path, i)));
  else
    out = types(type(json, path));
  return static_cast<TypeSet>(out & ~1u);
}

Square Reader::square(const Json& json, const std::string& path) {
  const Square found = json.is_string() ? parse_square(json.get<std::string>()) : no_square;
  if (found == no_square) problem(Code::MODIFIER_INVALID, path, "a square is written like e4");
  return found;
}

Bitboard Reader::squares(const Json& json, const std::string& path) {
  Bitboard out = 0;
  if (json.is_array()) {
    for (const Json& entry : json)
      if (const Square found = square(entry, path); found != no_square) out |= bit(found);
    return out;
  }
  problem(Code::MODIFIER_INVALID, path, "`squares` must be a list of squares");
  return out;
}

Bitboard Reader::predicate(const std::string& name, const std::string& path) {
  if (name == "light") return light_squares;
  if (name == "dark") return ~light_squares;
  if (name == "centre") return Bitboard{0x0000001818000000};
  if (name == "edge") return file_a | file_h | rank_bb(0) | rank_bb(7);
  if (name.size() == 6 && name.starts_with("rank-") && name[5] >= '1' && name[5] <= '8')
    return rank_bb(name[5] - '1');
  if (name.size() == 6 && name.starts_with("file-") && name[5] >= 'a' && name[5] <= 'h')
    return file_a << (name[5] - 'a');
  problem(Code::MODIFIER_INVALID, path, fmt::format("`{}` is no predicate of squares", name),
          {"light", "dark", "centre", "edge", "rank-4", "file-e"});
  return 0;
}

std::optional<Side> Reader::colour(const Json& json, const std::string& path) {
  if (json == "white") return white;
  if (json == "black") return black;
  problem(Code::MODIFIER_INVALID, path, "a colour is white or black", {"white", "black"});
  return std::nullopt;
}

std::string comparison(const std::string& op) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> old{
      {{"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="}}};
  for (const auto& [word, sign] : old)
    if (op == word || op == sign) return std::string(sign);
  return "";
}

std::string dashed(const std::string& name) {
  std::string out;
  for (const char c : name)
    if (c >= 'A' && c <= 'Z')
      out += {'-', static_cast<char>(c - 'A' + 'a')};
    else
      out += c;
  return out;
}

}  // namespace parlor::chess::modifiers
