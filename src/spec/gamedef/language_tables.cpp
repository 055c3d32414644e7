// The table of the language for tools and people: JSON, Markdown, a list of words.
#include <fmt/core.h>
#include <set>

#include "spec/document.h"
#include "spec/gamedef/enum_names.h"
#include "spec/gamedef/language.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kind_names[] = {"",      "number", "boolean", "text", "zone",
                                           "token", "player", "row",     "list", "event"};

std::string_view kind_text(Kind kind) {
  return kind_names[static_cast<std::size_t>(kind)];
}

void put(Json& to, const char* key, std::string_view text) {
  if (!text.empty()) to[key] = text;
}

Json field_json(const Construct& construct, const FieldInfo& field) {
  const FieldSpec& spec = field.spec;
  Json out{
      {"key", field.key}, {"expects", expects_name(spec.expects)}, {"required", spec.required}};
  put(out, "inside", field.inside);
  put(out, "kind", kind_text(spec.wanted));
  put(out, "of", spec.like);
  put(out, "help", spec.about);
  if (!field.words.empty()) out["words"] = field.words;
  if (spec.binds()) out["visibleIn"] = words_of(spec.visible);  // empty: in what follows
  put(out, "sees", spec.implicit);
  put(out, "unless", construct.key_of(spec.instead));
  if (!spec.depends.empty())
    out["where"] = {{"key", construct.key_of(spec.depends)}, {"words", words_of(spec.on_words)}};
  return out;
}

bool written(const FieldInfo& field) {
  return field.spec.expects != Expects::derived;
}

Json construct_json(const Construct& construct) {
  Json out{{"family", family_name(construct.family)},
           {"name", construct.name()},
           {"key", construct.tag.key},
           {"help", construct.tag.about},
           {"fields", Json::array()}};
  if (!construct.tag.also.empty()) out["also"] = words_of(construct.tag.also);
  if (construct.gives) {
    put(out, "gives", kind_text(construct.gives->kind));
    put(out, "givesKindOf", construct.gives->of);
  }
  for (const FieldInfo& field : construct.fields)
    if (written(field)) out["fields"].push_back(field_json(construct, field));
  return out;
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string{"\\|"} : std::string{c};
  return out;
}

// "`over` query", "`limit` number?", "`starts.turn` number?"
std::string field_text(const Construct& construct, const FieldInfo& field) {
  const FieldSpec& spec = field.spec;
  std::string out;
  if (!field.key.empty())
    out += fmt::format("`{}{}{}` ", field.inside, field.inside.empty() ? "" : ".", field.key);
  std::string_view expects = expects_name(spec.expects);
  if (spec.expects == Expects::value && spec.wanted != Kind::unknown)
    expects = kind_text(spec.wanted);
  out += expects;
  if (spec.expects == Expects::word) {
    out += " (";
    for (std::size_t i = 0; i < field.words.size(); ++i)
      out += fmt::format("{}`{}`", i > 0 ? ", " : "", field.words[i]);
    out += ")";
  }
  for (const std::string_view seen_by : words_of(spec.visible))
    out += fmt::format("{}`{}`", out.ends_with('`') ? ", " : " for ", seen_by);
  if (!spec.implicit.empty()) out += fmt::format(" on `{}`", spec.implicit);
  if (const std::string where = only_where(construct, field); !where.empty()) out += " " + where;
  if (!spec.required) out += ", optional";
  return out;
}

}  // namespace

nlohmann::json language_json() {
  Json out{{"format", "parlor.language.1"}, {"constructs", Json::array()}};
  for (const Construct& construct : language())
    out["constructs"].push_back(construct_json(construct));
  out["sections"] = Json::array();
  for (const Section section : all_sections())
    out["sections"].push_back(
        {{"name", section_name(section)}, {"list", section_shape(section) == SectionShape::list}});
  return out;
}

std::string language_table(Family family) {
  std::string out = fmt::format("| {} | fields | |\n|---|---|---|\n", family_name(family));
  for (const Construct& construct : language()) {
    if (construct.family != family) continue;
    std::string fields;
    for (const FieldInfo& field : construct.fields)
      if (written(field)) fields += (fields.empty() ? "" : "; ") + field_text(construct, field);
    out += fmt::format("| `{}` | {} | {} |\n", cell(construct.name()), cell(fields),
                       cell(construct.tag.about));
  }
  return out;
}

std::vector<std::string> language_words() {
  std::set<std::string> out;
  const auto add = [&](std::string_view word) {
    if (!word.empty()) out.emplace(word);
  };
  for (const Section section : all_sections()) add(section_name(section));
  for (const Construct& construct : language()) {
    if (construct.family != Family::record) {
      add(construct.tag.key);
      add(construct.tag.value);
    }
    for (const FieldInfo& field : construct.fields) {
      if (!written(field)) continue;
      add(field.key);
      add(field.inside);
      add(field.spec.implicit);
      for (const std::string_view word : field.words) add(word);
    }
  }
  for (const std::string_view word : EnumNames<PlayerSel::Kind>::names) add(word);
  return {out.begin(), out.end()};
}

}  // namespace parlor::spec
