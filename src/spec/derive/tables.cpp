#include "spec/derive/tables.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>

#include "spec/derive/schema.h"
#include "spec/expand/walk.h"

namespace parlor::spec {
namespace {

using Type = RuntimeTable::Type;

bool is_cell(const Node& node) {
  return node.is_integer() || node.is_string() || node.is_boolean();
}

bool is_flat(const Node& row) {
  return row.is_map() && !row.entries.empty() &&
         std::ranges::all_of(row.entries, [](const Entry& entry) { return is_cell(entry.value); });
}

Type type_of(const Node& cell) {
  return cell.is_integer() ? Type::integer : cell.is_boolean() ? Type::boolean : Type::string;
}

std::string_view type_name(Type type) {
  return type == Type::integer ? "integers" : type == Type::boolean ? "booleans" : "strings";
}

// The fields of a table, or nothing if one field holds different types in different rows.
std::optional<std::vector<RuntimeTable::Field>> infer_fields(const Node& rows) {
  std::vector<RuntimeTable::Field> out;
  for (const Node& row : rows.items)
    for (const Entry& entry : row.entries) {
      const auto known = std::ranges::find(out, entry.key, &RuntimeTable::Field::name);
      if (known == out.end())
        out.push_back({entry.key, type_of(entry.value), false});
      else if (known->type != type_of(entry.value))
        return std::nullopt;
    }
  for (RuntimeTable::Field& field : out)
    field.optional =
        std::ranges::any_of(rows.items, [&](const Node& row) { return !row.has(field.name); });
  return out;
}

// The first row that repeats an earlier one in these fields.
const Node* first_repeat(const Node& rows, const std::vector<std::string>& fields) {
  std::set<std::string> seen;
  for (const Node& row : rows.items) {
    std::string key;
    for (const std::string& field : fields) {
      const Node* cell = row.find(field);
      key += (cell != nullptr ? to_text(*cell) : "-") + "|";
    }
    if (!seen.insert(std::move(key)).second) return &row;
  }
  return nullptr;
}

void collect(const Node& node, const std::string& asset, const std::string& path,
             std::vector<RuntimeTable>& out) {
  const auto below = [&](std::string_view key) {
    return path.empty() ? std::string{key} : fmt::format("{}.{}", path, key);
  };
  if (node.is_map()) {
    for (const Entry& entry : node.entries)
      if (!entry.value.is_scalar()) collect(entry.value, asset, below(entry.key), out);
    return;
  }
  if (!node.is_list() || node.items.empty()) return;
  if (std::ranges::all_of(node.items, is_flat)) {
    auto fields = infer_fields(node);
    if (!fields) return;
    RuntimeTable table{
        fmt::format("{}::{}", asset, path), asset, path, std::move(*fields), {}, node};
    for (const RuntimeTable::Field& field : table.fields)
      if (!field.optional && first_repeat(node, {field.name}) == nullptr)
        table.unique_by.push_back({field.name});
    out.push_back(std::move(table));
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i)
    if (!node.items[i].is_scalar()) collect(node.items[i], asset, below(std::to_string(i)), out);
}

// ---- contracts

class Contract {
 public:
  Contract(RuntimeTable& table, const Node& node, std::string path, Report& report)
      : table_(table), node_(node), path_(std::move(path)), report_(report) {}

  void apply() {
    unique();
    const Node* constraints = node_.find("constraints");
    if (constraints == nullptr) return;
    for (std::size_t i = 0; i < constraints->items.size(); ++i)
      constraint(constraints->items[i], fmt::format("{}.constraints.{}", path_, i));
  }

 private:
  const RuntimeTable::Field* field(const Node& name, const std::string& path) {
    const auto found = std::ranges::find(table_.fields, name.text, &RuntimeTable::Field::name);
    if (name.is_string() && found != table_.fields.end()) return &*found;
    Diagnostic& d = report_.error(
        Code::TABLE_INVALID, name.origin,
        fmt::format("the table `{}` has no field {}", table_.path, to_text(name)), path);
    std::vector<std::string> names;
    for (const auto& known : table_.fields) names.push_back(known.name);
    d.alternatives = did_you_mean(name.text, names);
    if (d.alternatives.empty()) d.suggestion = fmt::format("its fields are {}", name_list(names));
    return nullptr;
  }

  void unique() {
    const Node* keys = node_.find("uniqueBy");
    if (keys == nullptr || !keys->is_list()) return;
    for (std::size_t i = 0; i < keys->items.size(); ++i) {
      const std::string at = fmt::format("{}.uniqueBy.{}", path_, i);
      std::vector<std::string> fields;
      const Node& key = keys->items[i];
      if (!key.is_list() || key.items.empty()) {
        report_.error(Code::TABLE_INVALID, key.origin, "a unique key is a list of field names", at)
            .suggestion = "write `uniqueBy: [[level]]`";
        continue;
      }
      bool fine = true;
      for (const Node& name : key.items) {
        fine = field(name, at) != nullptr && fine;
        fields.push_back(name.text);
      }
      if (!fine) continue;
      if (const Node* repeat = first_repeat(table_.rows, fields)) {
        violated(repeat->origin,
                 fmt::format("this row repeats an earlier one in {}", name_list(fields)), at);
        continue;
      }
      if (std::ranges::find(table_.unique_by, fields) == table_.unique_by.end())
        table_.unique_by.push_back(std::move(fields));
    }
  }

  void violated(const Origin& at, std::string message, const std::string& path) {
    Diagnostic& d = report_.error(Code::TABLE_CONTRACT_VIOLATED, at, std::move(message), path);
    relate(d, report_.source(), "the contract is declared here", node_.origin.place);
  }

  void constraint(const Node& rule, const std::string& path) {
    const auto kind = rule.find_string("kind");
    const Node* name = rule.find("field");
    if (!kind || name == nullptr) {
      report_.error(Code::TABLE_INVALID, rule.origin, "a constraint needs `kind` and `field`", path)
          .alternatives = {"monotonic", "contiguousInt", "numericRange"};
      return;
    }
    const RuntimeTable::Field* column = field(*name, path + ".field");
    if (column == nullptr) return;
    if (column->type != Type::integer) {
      report_.error(
          Code::TABLE_INVALID, name->origin,
          fmt::format("the field `{}` holds {}, not integers", name->text, type_name(column->type)),
          path);
      return;
    }
    if (*kind == "monotonic")
      monotonic(rule, name->text, path);
    else if (*kind == "contiguousInt")
      contiguous(rule, name->text, path);
    else if (*kind == "numericRange")
      range(rule, name->text, path);
    else
      report_
          .error(Code::TABLE_INVALID, rule.find("kind")->origin,
                 fmt::format("there is no constraint `{}`", *kind), path + ".kind")
          .alternatives = {"monotonic", "contiguousInt", "numericRange"};
  }

  void monotonic(const Node& rule, const std::string& name, const std::string& path) {
    const bool descending = rule.find_string("direction") == "desc";
    const bool strict = rule.find_boolean("strict").value_or(false);
    const Node* before = nullptr;
    for (const Node& row : table_.rows.items) {
      const Node* cell = row.find(name);
      if (cell == nullptr) continue;
      if (before != nullptr) {
        const std::int64_t step = (cell->integer - before->integer) * (descending ? -1 : 1);
        if (step < 0 || (strict && step == 0))
          return violated(cell->origin,
                          fmt::format("`{}` must {} from row to row; {} follows {}", name,
                                      descending ? "fall" : "rise", cell->integer, before->integer),
                          path);
      }
      before = cell;
    }
  }

  void contiguous(const Node& rule, const std::string& name, const std::string& path) {
    const std::int64_t step = rule.find_integer("step").value_or(1);
    std::optional<std::int64_t> expected = rule.find_integer("start");
    for (const Node& row : table_.rows.items) {
      const Node* cell = row.find(name);
      if (cell == nullptr)
        return violated(row.origin, fmt::format("this row has no `{}`", name), path);
      if (expected && cell->integer != *expected)
        return violated(cell->origin,
                        fmt::format("`{}` must be {} here, not {}", name, *expected, cell->integer),
                        path);
      expected = cell->integer + step;
    }
  }

  void range(const Node& rule, const std::string& name, const std::string& path) {
    const auto min = rule.find_integer("min"), max = rule.find_integer("max");
    for (const Node& row : table_.rows.items) {
      const Node* cell = row.find(name);
      if (cell == nullptr || ((!min || cell->integer >= *min) && (!max || cell->integer <= *max)))
        continue;
      return violated(cell->origin,
                      fmt::format("`{}` is {}, outside its range", name, cell->integer), path);
    }
  }

  RuntimeTable& table_;
  const Node& node_;
  std::string path_;
  Report& report_;
};

std::vector<std::string> paths_of(const std::vector<RuntimeTable>& tables, std::string_view asset) {
  std::vector<std::string> out;
  for (const RuntimeTable& table : tables)
    if (table.asset_id == asset) out.push_back(table.path);
  return out;
}

void resolve_id(Node& id, GameSpecDoc& doc, const Path& path, Report& report) {
  const std::string& scenario = doc.derived.scenario_id;
  const std::string full = fmt::format("{}::{}", scenario, id.text);
  const bool known =
      std::ranges::find(doc.derived.tables, full, &RuntimeTable::id) != doc.derived.tables.end();
  if (!scenario.empty() && known) {
    id.text = full;
    return;
  }
  const std::vector<std::string> paths = paths_of(doc.derived.tables, scenario);
  const std::size_t colons = id.text.find("::");
  Diagnostic& d = report.error(
      Code::TABLE_REFERENCE, id.origin,
      scenario.empty()              ? "tables belong to a scenario, and this game has none"
      : colons != std::string::npos ? "a table is named without its asset"
                                    : fmt::format("the scenario has no table `{}`", id.text),
      path.text());
  if (colons != std::string::npos)
    d.suggestion = fmt::format("write `{}`", id.text.substr(colons + 2));
  else
    d.alternatives = did_you_mean(id.text, paths);
  if (d.suggestion.empty() && d.alternatives.empty() && !paths.empty())
    d.suggestion = fmt::format("the scenario's tables are {}", name_list(paths));
}

void resolve(Node& node, GameSpecDoc& doc, Path& path, Report& report) {
  if (Node* id = node.find("tableId"); id != nullptr && id->is_string()) {
    const auto step = path.key("tableId");
    resolve_id(*id, doc, path, report);
  }
  each_branch(node, path, [&](Node& child) { resolve(child, doc, path, report); });
}

}  // namespace

void derive_tables(GameSpecDoc& doc, Report& report) {
  const Node* assets = doc.find(Section::dataAssets);
  if (assets == nullptr) return;
  std::vector<RuntimeTable>& tables = doc.derived.tables;
  for (std::size_t i = 0; i < assets->items.size(); ++i) {
    const Node& asset = assets->items[i];
    const std::string id{*asset.find_string("id")};
    std::vector<RuntimeTable> own;
    collect(*asset.find("payload"), id, "", own);
    const Node* contracts = asset.find("tableContracts");
    for (std::size_t c = 0; contracts != nullptr && c < contracts->items.size(); ++c) {
      const Node& contract = contracts->items[c];
      const std::string path = fmt::format("dataAssets.{}.tableContracts.{}", i, c);
      const Node& wanted = *contract.find("tablePath");
      const auto table = std::ranges::find(own, wanted.text, &RuntimeTable::path);
      if (table != own.end()) {
        Contract{*table, contract, path, report}.apply();
        continue;
      }
      Diagnostic& d =
          report.error(Code::TABLE_INVALID, wanted.origin,
                       fmt::format("the asset `{}` has no table `{}`", id, wanted.text), path);
      d.alternatives = did_you_mean(wanted.text, paths_of(own, id));
      d.suggestion = "a table is a list of flat objects with one type per field";
    }
    std::ranges::move(own, std::back_inserter(tables));
  }
  std::ranges::sort(tables, {}, &RuntimeTable::id);
}

void resolve_table_references(GameSpecDoc& doc, Report& report) {
  for (const Section section : all_sections()) {
    if (section == Section::dataAssets || section == Section::agents ||
        section == Section::verbalization || section == Section::display)
      continue;
    Node* node = doc.find(section);
    if (node == nullptr) continue;
    Path path{std::string{section_name(section)}};
    resolve(*node, doc, path, report);
  }
}

}  // namespace parlor::spec
