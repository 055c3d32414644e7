#include "spec/expand/batch.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::spec {
namespace {

// `{batch: {<names>: [...], shared keys…}}` -> one entry per name with `key: name` and the rest.
void expand_batches(Expander& expander, Section section, std::string_view names_key,
                    std::string_view key, std::span<const std::string_view> shared) {
  Node* list = expander.doc.find(section);
  if (list == nullptr) return;
  std::vector<Node> out;
  out.reserve(list->items.size());
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    Node& item = list->items[i];
    const Node* batch = item.find("batch");
    if (batch == nullptr) {
      out.push_back(std::move(item));
      continue;
    }
    const std::string path = fmt::format("{}.{}.batch", section_name(section), i);
    std::vector<std::string_view> allowed{names_key};
    allowed.insert(allowed.end(), shared.begin(), shared.end());
    constexpr std::string_view outer[] = {"batch"};
    only_keys(item, outer, "a batch entry", path, expander.report);
    if (batch->is_map() && !only_keys(*batch, allowed, "a batch", path, expander.report)) continue;
    const Node* names = batch->find(names_key);
    const bool fine = names != nullptr && names->is_list() && !names->items.empty() &&
                      std::ranges::all_of(names->items, &Node::is_string);
    if (!fine) {
      expander.report
          .error(Code::BATCH_INVALID, names != nullptr ? names->origin : batch->origin,
                 fmt::format("a batch needs `{}`: a list of names", names_key), path)
          .suggestion = fmt::format("write `{}: [first, second]`", names_key);
      continue;
    }
    for (const Node& name : names->items) {
      if (!take_nodes(expander, count_nodes(*batch), item.origin, path)) return;
      const ExpansionIndex expansion = expander.report.source().add_expansion(
          {ExpansionKind::batch, name.text, name.origin.place, batch->origin.place,
           item.origin.expansion});
      Node made = Node::of_map({name.origin.place, expansion});
      made.set(key, name);
      for (const Entry& entry : batch->entries) {
        if (entry.key == names_key) continue;
        made.entries.push_back(entry);
      }
      mark_expansion(made, expansion);
      out.push_back(std::move(made));
    }
  }
  list->items = std::move(out);
}

// ---- generated pieces

std::string scalar_text(const Node& node) {
  return node.is_string() ? node.text : to_text(node);
}

struct Dimension {
  std::string name;
  const Node* values;
};

class PieceGenerator {
 public:
  PieceGenerator(Expander& expander, const Node& item, std::string path)
      : expander_(expander),
        generate_(*item.find("generate")),
        path_(std::move(path)),
        expansion_(expander.report.source().add_expansion({ExpansionKind::generate,
                                                           {},
                                                           item.origin.place,
                                                           item.origin.place,
                                                           item.origin.expansion})) {}

  void run(std::vector<Node>& types, std::vector<Node>& inventory) {
    if (!read()) return;
    std::size_t total = 1;
    for (const Dimension& dimension : dimensions_) {
      total *= dimension.values->items.size();
      if (total > expander_.limits.piece_combinations) {
        expander_.report
            .error(Code::LIMIT_PIECES, generate_.origin,
                   fmt::format("this makes more than {} piece types",
                               expander_.limits.piece_combinations),
                   path_)
            .suggestion = "use fewer dimensions or values";
        return;
      }
    }
    if (!take_nodes(expander_, total * largest(), generate_.origin, path_)) return;
    std::vector<std::size_t> at(dimensions_.size(), 0);
    for (std::size_t n = 0; n < total; ++n) {
      make(at, types, inventory);
      for (std::size_t d = dimensions_.size(); d-- > 0;) {  // the last dimension runs fastest
        if (++at[d] < dimensions_[d].values->items.size()) break;
        at[d] = 0;
      }
    }
  }

 private:
  bool fail(const Node& at, std::string message, std::string suggestion) {
    expander_.report.error(Code::GENERATE_INVALID, at.origin, std::move(message), path_)
        .suggestion = std::move(suggestion);
    return false;
  }

  bool read() {
    constexpr std::string_view keys[] = {
        "idPattern",  "seat",         "statusDimensions",        "transitions",
        "dimensions", "derivedProps", "inventoryPerCombination", "onZoneEntry"};
    if (!generate_.is_map())
      return fail(generate_, "`generate` must be a mapping", "see the chapter on data assets");
    if (!only_keys(generate_, keys, "`generate`", path_, expander_.report)) return false;
    if (!generate_.find_string("idPattern"))
      return fail(generate_, "`generate` needs an `idPattern`",
                  "write `idPattern: \"card-{suit}-{rank}\"`");
    if (!generate_.find_integer("inventoryPerCombination"))
      return fail(generate_, "`generate` needs `inventoryPerCombination`: how many of each piece",
                  "write `inventoryPerCombination: 1`");
    const Node* dimensions = generate_.find("dimensions");
    if (dimensions == nullptr || !dimensions->is_list() || dimensions->items.empty())
      return fail(generate_, "`generate` needs `dimensions`: a list of {name, values}", "");
    for (const Node& dimension : dimensions->items) {
      const auto name = dimension.find_string("name");
      const Node* values = dimension.find("values");
      if (!name || values == nullptr || !values->is_list() || values->items.empty() ||
          !std::ranges::all_of(values->items, &Node::is_scalar))
        return fail(dimension, "a dimension is {name, values} with a list of scalars as values",
                    "write `{name: suit, values: [clubs, hearts]}`");
      dimensions_.push_back({std::string{*name}, values});
    }
    return true;
  }

  std::string fill(std::string_view text, const std::vector<std::size_t>& at) const {
    Fillings values;
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      values.emplace_back(dimensions_[d].name, scalar_text(dimensions_[d].values->items[at[d]]));
    return fill_text(text, values);
  }

  // How many nodes one piece can take: patterns grow by the longest value in each placeholder.
  std::size_t largest() const {
    std::size_t longest = 0, braces = 0;
    for (const Dimension& dimension : dimensions_)
      for (const Node& value : dimension.values->items)
        longest = std::max(longest, value.text.size());
    const auto count = [&](const Node& node, const auto& again) -> void {
      braces += static_cast<std::size_t>(std::ranges::count(node.text, '{'));
      for (const Node& item : node.items) again(item, again);
      for (const Entry& entry : node.entries) again(entry.value, again);
    };
    if (longest > 32) count(generate_, count);
    const Node* dimensions = generate_.find("dimensions");
    return 8 + count_nodes(generate_) - count_nodes(*dimensions) + dimensions_.size() +
           braces * longest / 64;
  }

  const Node* value_of(std::string_view dimension, const std::vector<std::size_t>& at) const {
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      if (dimensions_[d].name == dimension) return &dimensions_[d].values->items[at[d]];
    return nullptr;
  }

  Node derived(const Node& rule, const std::vector<std::size_t>& at) {
    const auto from = rule.find_string("from");
    const Node* source = from ? value_of(*from, at) : nullptr;
    if (source == nullptr) {
      std::vector<std::string> names;
      for (const Dimension& dimension : dimensions_) names.emplace_back(dimension.name);
      if (!expander_.first_time(Code::GENERATE_INVALID, rule.origin.place))
        return Node::of_null(rule.origin);
      if (from)
        fail(*rule.find("from"), fmt::format("there is no dimension `{}`", *from),
             fmt::format("the dimensions are {}", name_list(names)));
      else
        fail(rule, "a derived prop needs `from`: the name of a dimension", "");
      return Node::of_null(rule.origin);
    }
    const Node* map = rule.find("map");
    const Node* found = map != nullptr ? map->find(scalar_text(*source)) : nullptr;
    if (found != nullptr) return *found;
    if (const Node* other = rule.find("default")) {
      Node out = *other;
      if (out.is_string()) out.text = fill(out.text, at);
      return out;
    }
    return Node::of_string(scalar_text(*source), source->origin);
  }

  void make(const std::vector<std::size_t>& at, std::vector<Node>& types,
            std::vector<Node>& inventory) {
    const Origin origin{generate_.origin.place, expansion_};
    const Node* pattern = generate_.find("idPattern");
    const Node id = Node::of_string(fill(pattern->text, at), {pattern->origin.place, expansion_});
    Node type = Node::of_map(origin);
    type.set("id", id);
    for (const std::string_view key : {"seat", "statusDimensions", "transitions", "onZoneEntry"})
      if (const Node* node = generate_.find(key)) type.set(key, *node);
    Node props = Node::of_map(origin);
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      props.set(dimensions_[d].name, dimensions_[d].values->items[at[d]]);
    if (const Node* rules = generate_.find("derivedProps"); rules != nullptr && rules->is_map())
      for (const Entry& rule : rules->entries) props.set(rule.key, derived(rule.value, at));
    type.set("runtimeProps", std::move(props));
    mark_expansion(type, expansion_);
    types.push_back(std::move(type));
    Node line = Node::of_map(origin);
    line.set("pieceTypeId", id);
    if (const Node* seat = generate_.find("seat")) line.set("seat", *seat);
    line.set("total", *generate_.find("inventoryPerCombination"));
    mark_expansion(line, expansion_);
    inventory.push_back(std::move(line));
  }

  Expander& expander_;
  const Node& generate_;
  std::string path_;
  ExpansionIndex expansion_;
  std::vector<Dimension> dimensions_;
};

}  // namespace

void expand_id_batches(Expander& expander) {
  constexpr std::string_view shared[] = {"states", "defaultState"};
  expand_batches(expander, Section::globalMarkerLattices, "ids", "id", shared);
  constexpr std::string_view zone_keys[] = {"owner",    "visibility", "ordering",
                                            "zoneKind", "category",   "attributes",
                                            "behavior", "isInternal", "count"};
  expand_batches(expander, Section::zones, "ids", "id", zone_keys);
}

void expand_variable_batches(Expander& expander) {
  constexpr std::string_view shared[] = {"type", "init", "min", "max", "material", "visibility"};
  for (const Section section : {Section::globalVars, Section::perPlayerVars, Section::zoneVars})
    expand_batches(expander, section, "names", "name", shared);
}

void expand_generated_pieces(Expander& expander) {
  Node* assets = expander.doc.find(Section::dataAssets);
  if (assets == nullptr) return;
  for (std::size_t i = 0; i < assets->items.size(); ++i) {
    Node* payload = assets->items[i].find("payload");
    if (payload == nullptr || assets->items[i].find_string("kind") != "pieceCatalog") continue;
    Node* types = payload->find("pieceTypes");
    if (types == nullptr || !types->is_list()) continue;
    std::vector<Node> out, inventory;
    for (std::size_t t = 0; t < types->items.size(); ++t) {
      Node& item = types->items[t];
      if (!item.has("generate")) {
        out.push_back(std::move(item));
        continue;
      }
      const std::string path = fmt::format("dataAssets.{}.payload.pieceTypes.{}.generate", i, t);
      PieceGenerator{expander, item, path}.run(out, inventory);
    }
    types->items = std::move(out);
    if (inventory.empty()) continue;
    Node* lines = payload->find("inventory");
    if (lines == nullptr) lines = &payload->set("inventory", Node::of_list(payload->origin));
    if (lines->is_list()) std::ranges::move(inventory, std::back_inserter(lines->items));
  }
}

}  // namespace parlor::spec
