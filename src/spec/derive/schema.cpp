#include "spec/derive/schema.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

namespace parlor::spec {
namespace {

// What a field holds, as far as it can be seen by itself.
struct Shape {
  std::string_view what;
  bool (*fits)(const Node&);
};

bool is_texts(const Node& node) {
  return node.is_list() && std::ranges::all_of(node.items, &Node::is_string);
}

Shape shape_of(const FieldSpec& spec) {
  switch (spec.expects) {
    case Expects::count:
      return {"an integer", [](const Node& n) { return n.is_integer(); }};
    case Expects::scalar:
      if (spec.by_name) break;
      return {"an integer, a string, true or false",
              [](const Node& n) { return n.is_string() || n.is_integer() || n.is_boolean(); }};
    case Expects::texts:
    case Expects::zone_ids:
    case Expects::token_types:
    case Expects::seats:
      return {"a list of strings", is_texts};
    case Expects::list:
    case Expects::records:
      return {"a list", [](const Node& n) { return n.is_list(); }};
    case Expects::condition:
    case Expects::anything:
      return {"anything", [](const Node&) { return true; }};
    case Expects::record:
    case Expects::data:
      break;
    default:
      return {"a string", [](const Node& n) { return n.is_string(); }};
  }
  return {"a mapping", [](const Node& n) { return n.is_map(); }};
}

void check_unique(const Node& list, std::string_view key, std::string_view what,
                  const std::string& path, Report& report) {
  std::map<std::string_view, const Node*> seen;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node* id = list.items[i].find(key);
    if (id == nullptr || !id->is_string()) continue;
    const auto [first, fresh] = seen.emplace(id->text, id);
    if (fresh) continue;
    Diagnostic& d = report.error(Code::ASSET_DUPLICATE_ID, id->origin,
                                 fmt::format("{} `{}` is given twice", what, id->text),
                                 fmt::format("{}.{}.{}", path, i, key));
    d.suggestion = "rename or remove one of them";
    relate(d, report.source(), "first given here", first->second->origin.place);
  }
}

// The records in a list, or the one that a field is.
void check_inner(const Node& value, const FieldInfo& field, const std::string& path,
                 Report& report) {
  const Construct& inner = *find_construct(Family::record, field.record);
  if (value.is_map()) check_record(value, inner, inner.name(), path, report);
  for (std::size_t i = 0; i < value.items.size(); ++i)
    check_record(value.items[i], inner, inner.name(), fmt::format("{}.{}", path, i), report);
  if (!field.spec.none.empty() && value.is_list() && value.items.empty())
    report.error(Code::ASSET_INVALID, value.origin, std::string{field.spec.none}, path);
  if (!field.spec.unique.empty())
    check_unique(value, inner.fields.front().key, field.spec.unique, path, report);
}

}  // namespace

bool check_record(const Node& node, const Construct& record, std::string_view what,
                  const std::string& path, Report& report) {
  if (!node.is_map()) {
    Diagnostic& d =
        report.error(Code::ASSET_INVALID, node.origin,
                     fmt::format("{} is a mapping, not {}", what, describe(node)), path);
    if (node.is_string())
      d.suggestion = fmt::format("write {{{}: {}{}}}", record.fields.front().key, node.text,
                                 record.fields.size() > 1 ? ", …" : "");
    return false;
  }
  Keys keys{report, node, what, path};
  std::vector<const FieldInfo*> fields;
  for (const FieldInfo& field : record.fields)
    if (field.spec.expects != Expects::derived && field.inside.empty()) fields.push_back(&field);
  for (const FieldInfo* field : fields) {
    keys.allow(field->key);
    if (field->spec.required && node.find(field->key) == nullptr) keys.miss(field->key);
  }
  bool fine = keys.check([&](const std::vector<std::string>& missing) {
    for (const std::string& key : missing)
      report.error(Code::ASSET_INVALID, node.origin, fmt::format("{} needs `{}`", what, key), path)
          .suggestion = fmt::format("add `{}: …` ({})", key, shape_of(record.find(key)->spec).what);
    return true;
  });
  for (const FieldInfo* field : fields) {
    const Node* value = node.find(field->key);
    if (value == nullptr) continue;
    const Shape shape = shape_of(field->spec);
    const std::string inner = fmt::format("{}.{}", path, field->key);
    if (!shape.fits(*value)) {
      fine = false;
      report.error(Code::ASSET_INVALID, value->origin,
                   fmt::format("`{}` of {} must be {}, not {}", field->key, what, shape.what,
                               describe(*value)),
                   inner);
    } else if (!field->record.empty()) {
      check_inner(*value, *field, inner, report);
    }
  }
  return fine;
}

void check_assets(const GameSpecDoc& doc, Report& report) {
  const Node* assets = doc.find(Section::dataAssets);
  if (assets == nullptr) return;
  const Construct& asset_record = *find_construct(Family::record, "a data asset");
  const std::vector<std::string> kinds{"map", "pieceCatalog", "seatCatalog", "scenario"};
  check_unique(*assets, "id", "a data asset", "dataAssets", report);
  for (std::size_t i = 0; i < assets->items.size(); ++i) {
    const Node& asset = assets->items[i];
    const std::string path = fmt::format("dataAssets.{}", i);
    if (!check_record(asset, asset_record, "a data asset", path, report)) continue;
    const Node& kind = *asset.find("kind");
    if (std::ranges::find(kinds, kind.text) != kinds.end()) {
      const Construct& known =
          *find_construct(Family::record, fmt::format("a {} asset", kind.text));
      check_record(*asset.find("payload"), known, known.name(), path + ".payload", report);
      continue;
    }
    const auto near = did_you_mean(kind.text, kinds);
    if (near.empty()) continue;
    report
        .warning(Code::ASSET_INVALID, kind.origin,
                 fmt::format("the kind `{}` is free-form data; did you mean `{}`?", kind.text,
                             near.front()),
                 path + ".kind")
        .alternatives = near;
  }
}

}  // namespace parlor::spec
