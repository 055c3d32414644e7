// A rulebook with one more rule, and the kinds of pieces it brings.
#include <fmt/core.h>

#include "base/hash.h"
#include "chess/modifiers/descriptor.h"
#include "chess/modifiers/reader.h"

namespace parlor::chess::modifiers {
namespace {

// Kinds of pieces a file brings: they must be known before the rest is read.
class PieceParser : private Reader {
 public:
  using Reader::Reader;

  void add_all(const Json& json, Rulebook& out) {
    const Json list = json.is_array() ? json : Json::array({json});
    for (std::size_t d = 0; d < list.size(); ++d) {
      if (!list[d].is_object() || !list[d].contains("pieces")) continue;
      const std::string path = (json.is_array() ? fmt::format("{}.", d) : "") + "pieces";
      const Json& pieces = list[d]["pieces"];
      if (!pieces.is_array()) {
        problem(Code::MODIFIER_INVALID, path, "`pieces` must be a list");
        continue;
      }
      for (std::size_t i = 0; i < pieces.size(); ++i)
        add(pieces[i], fmt::format("{}.{}", path, i), out);
    }
  }

 private:
  void add(const Json& json, const std::string& path, Rulebook& out) {
    if (!json.is_object())
      return problem(Code::MODIFIER_INVALID, path, "a piece is {id, letter, betza, name?, value?}");
    only(json, path, {"id", "letter", "betza", "name", "value"});
    TypeInfo type;
    type.id = word(json, "id", path);
    type.name = json.contains("name") ? word(json, "name", path) : type.id;
    const std::string letter = word(json, "letter", path);
    type.value = number(json, "value", path, 1, 5000, 300);
    const auto ways = betza_ways(word(json, "betza", path));
    if (!ways) return problem(Code::MODIFIER_INVALID, at(path, "betza"), ways.error());
    if (letter.size() != 1 || letter[0] < 'A' || letter[0] > 'Z')
      return problem(Code::MODIFIER_INVALID, at(path, "letter"), "a letter is one of A to Z");
    type.letter = letter[0];
    type.symbols = {letter, std::string(1, static_cast<char>(letter[0] - 'A' + 'a'))};
    type.ways = *ways;
    type.assets = {"", ""};
    if (!out.add_type(std::move(type)))
      problem(Code::MODIFIER_INVALID, path,
              "the id or letter is taken, or there are too many kinds");
  }
};

}  // namespace

tl::expected<std::shared_ptr<const Rulebook>, Diagnostics> with_modifiers(const Rulebook& book,
                                                                          const std::string& text,
                                                                          const std::string& file,
                                                                          const std::string& id) {
  auto out = std::make_shared<Rulebook>(book);
  Diagnostics unread;
  if (const auto document = Document::read(text, file, unread))
    PieceParser(*document, book, unread).add_all(document->json(), *out);
  if (unread.has_errors()) return tl::unexpected(std::move(unread));
  Parsed parsed = parse(text, file, *out);
  if (parsed.diagnostics.has_errors()) return tl::unexpected(std::move(parsed.diagnostics));
  Preset preset = make_preset(std::move(parsed.descriptors), id);
  // Other data, other rules; comments and spelling are neither.
  preset.module.version = fmt::format("{:016x}", hash_text(canonical(parsed.data)));
  preset.source = std::move(parsed.data);
  Diagnostics problems = out->add(std::move(preset));
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  return out;
}

}  // namespace parlor::chess::modifiers
