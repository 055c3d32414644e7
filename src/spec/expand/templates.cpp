#include <algorithm>
#include <fmt/core.h>

#include "spec/derive/select.h"
#include "spec/expand/batch.h"

namespace parlor::spec {
namespace {

Fillings texts_of(const std::vector<std::pair<std::string, const Node*>>& args) {
  Fillings out;
  for (const auto& [name, value] : args)
    if (value->is_scalar())
      out.emplace_back(name, value->is_string() ? value->text : to_text(*value));
  return out;
}

// Text replacement of `{name}` in every string below a node. A string that is nothing but the
// placeholder becomes the argument itself, whatever its kind.
void fill_placeholders(Node& node, const std::vector<std::pair<std::string, const Node*>>& args) {
  if (node.is_string() && node.text.find('{') != std::string::npos) {
    for (const auto& [name, value] : args)
      if (node.text == "{" + name + "}") {
        node = *value;
        return;
      }
    node.text = fill_text(node.text, texts_of(args));
  }
  for (Node& item : node.items) fill_placeholders(item, args);
  for (Entry& entry : node.entries) fill_placeholders(entry.value, args);
}

// How many nodes `fill_placeholders` would make, at most.
std::size_t count_filled(const Node& node,
                         const std::vector<std::pair<std::string, const Node*>>& args) {
  std::size_t out = 1;
  for (const auto& [name, value] : args)
    for (auto at = node.text.find("{" + name + "}"); at != std::string::npos;
         at = node.text.find("{" + name + "}", at + 1))
      out += count_nodes(*value);
  for (const Node& item : node.items) out += count_filled(item, args);
  for (const Entry& entry : node.entries) out += count_filled(entry.value, args);
  return out;
}

// ---- zones per seat

void expand_zone_template(Expander& expander, const Node& item, const std::string& path,
                          const std::vector<std::string>& seats, std::vector<Node>& out) {
  const Node& body = *item.find("template");
  const auto fail = [&](const Node& at, std::string message, std::string suggestion) {
    expander.report.error(Code::ZONE_TEMPLATE_INVALID, at.origin, std::move(message), path)
        .suggestion = std::move(suggestion);
  };
  constexpr std::string_view outer[] = {"template"};
  only_keys(item, outer, "a zone template entry", path, expander.report);
  const auto pattern = body.find_string("idPattern");
  if (!pattern || pattern->find("{seat}") == std::string_view::npos)
    return fail(body, "a zone template needs an `idPattern` with `{seat}` in it",
                "write `idPattern: \"hand-{seat}\"`");
  if (body.find_boolean("perSeat") != true)
    return fail(body, "a zone template needs `perSeat: true`",
                "zones are repeated for every seat of the seat catalog");
  if (seats.empty())
    return fail(body, "a zone template needs a seat catalog",
                "add a data asset of kind `seatCatalog` with the seats");
  for (const std::string& seat : seats) {
    // Text grows by the seat's name, which may stand in it as often as there is room for.
    const std::size_t longer = 1 + seat.size() / std::string_view{"{seat}"}.size();
    if (!take_nodes(expander, longer * count_nodes(body), item.origin, path)) return;
    const ExpansionIndex expansion = expander.report.source().add_expansion(
        {ExpansionKind::zone_template, std::string{*pattern}, item.origin.place, body.origin.place,
         item.origin.expansion});
    Node zone = Node::of_map({body.origin.place, expansion});
    for (const Entry& entry : body.entries)
      if (entry.key != "perSeat") zone.entries.push_back(entry);
    const auto id = std::ranges::find(zone.entries, "idPattern", &Entry::key);
    id->key = "id";
    const Node value = Node::of_string(seat, body.origin);
    fill_placeholders(zone, {{"seat", &value}});
    mark_expansion(zone, expansion);
    out.push_back(std::move(zone));
  }
}

// ---- phases from templates

class PhaseTemplates {
 public:
  explicit PhaseTemplates(Expander& expander) : expander_(expander) {
    for (auto& [id, index] :
         declared_ids(expander, Section::phaseTemplates, "phase template",
                      Code::PHASE_TEMPLATE_INVALID, Code::PHASE_TEMPLATE_DUPLICATE_ID)) {
      const Node& item = expander.doc.find(Section::phaseTemplates)->items[index];
      constexpr std::string_view keys[] = {"id", "params", "phase"};
      const std::string path = fmt::format("phaseTemplates.{}", index);
      only_keys(item, keys, "a phase template", path, expander.report);
      const Node* phase = item.find("phase");
      if (phase == nullptr || !phase->is_map()) {
        expander.report
            .error(Code::PHASE_TEMPLATE_INVALID, phase != nullptr ? phase->origin : item.origin,
                   fmt::format("the phase template `{}` needs a `phase` mapping", id), path)
            .suggestion = "write the phase below `phase:`, with `{param}` where arguments go";
        broken_.push_back(id);
        continue;
      }
      check_placeholders(*phase, id, params_of(item), path + ".phase");
      templates_.emplace_back(id, &item);
    }
  }

  void expand(Node& phase, const std::string& path) {
    const Node* use = phase.find("fromTemplate");
    const Node* found = find(phase, *use, path);
    if (found == nullptr) {
      Node failed = Node::of_map(phase.origin);
      failed.set("id", Node::of_string(use->text, phase.origin));
      phase = std::move(failed);
      return;
    }
    std::vector<std::pair<std::string, const Node*>> args;
    if (!bind(phase, *found, path, args)) return;
    if (!take_nodes(expander_, count_filled(*found->find("phase"), args), phase.origin, path))
      return;
    Node made = *found->find("phase");
    const ExpansionIndex expansion = expander_.report.source().add_expansion(
        {ExpansionKind::phase_template, use->text, phase.origin.place, found->origin.place,
         phase.origin.expansion});
    // Mark first: what the arguments bring was written at the use, not in the template.
    mark_expansion(made, expansion);
    fill_placeholders(made, args);
    phase = std::move(made);
  }

 private:
  static std::vector<std::string> params_of(const Node& declared) {
    std::vector<std::string> out;
    if (const Node* list = declared.find("params"); list != nullptr && list->is_list())
      for (const Node& param : list->items)
        if (const auto name = param.find_string("name")) out.emplace_back(*name);
    return out;
  }

  // `{street}` that no parameter fills stays as it is, which is hardly ever meant. Binding names
  // have braces of their own.
  void check_placeholders(const Node& node, const std::string& id,
                          const std::vector<std::string>& params, const std::string& path) {
    for (const Node& item : node.items) check_placeholders(item, id, params, path);
    for (const Entry& entry : node.entries) check_placeholders(entry.value, id, params, path);
    if (!node.is_string() || node.text.starts_with('$')) return;
    for (std::size_t at = node.text.find('{'); at != std::string::npos;
         at = node.text.find('{', at + 1)) {
      const std::size_t end = node.text.find('}', at);
      if (end == std::string::npos) return;
      const std::string name = node.text.substr(at + 1, end - at - 1);
      if (name.empty() || name.find_first_of("$ {") != std::string::npos ||
          std::ranges::find(params, name) != params.end())
        continue;
      Diagnostic& d = expander_.report.warning(
          Code::PHASE_TEMPLATE_INVALID, node.origin,
          fmt::format("the phase template `{}` has no parameter `{}`", id, name), path);
      d.alternatives = did_you_mean(name, params);
      if (d.alternatives.empty()) d.suggestion = "add it to `params`";
    }
  }

  const Node* find(const Node& phase, const Node& use, const std::string& path) {
    constexpr std::string_view keys[] = {"fromTemplate", "args"};
    only_keys(phase, keys, "a phase from a template", path, expander_.report);
    std::vector<std::string> names = broken_;
    for (const auto& [id, node] : templates_) {
      if (use.is(id)) return node;
      names.push_back(id);
    }
    if (use.is_string() && std::ranges::find(broken_, use.text) != broken_.end()) return nullptr;
    Diagnostic& d =
        expander_.report.error(Code::PHASE_TEMPLATE_UNKNOWN, use.origin,
                               fmt::format("there is no phase template {}",
                                           use.is_string() ? "`" + use.text + "`" : describe(use)),
                               path + ".fromTemplate");
    d.alternatives = did_you_mean(use.text, names);
    if (d.alternatives.empty())
      d.suggestion = names.empty() ? "declare it in `phaseTemplates`"
                                   : fmt::format("the phase templates are {}", name_list(names));
    return nullptr;
  }

  bool bind(const Node& phase, const Node& declared, const std::string& path,
            std::vector<std::pair<std::string, const Node*>>& args) {
    const std::vector<std::string> params = params_of(declared);
    const Node* given = phase.find("args");
    std::vector<std::string> missing;
    for (const std::string& param : params) {
      const Node* value = given != nullptr ? given->find(param) : nullptr;
      if (value == nullptr)
        missing.push_back(param);
      else
        args.emplace_back(param, value);
    }
    const std::string id = phase.find("fromTemplate")->text;
    if (!missing.empty())
      expander_.report
          .error(Code::PHASE_TEMPLATE_MISSING_ARGS, phase.origin,
                 fmt::format("the phase template `{}` also needs {}", id, name_list(missing)), path)
          .suggestion = fmt::format("add `{}: …` to `args`", missing.front());
    if (given != nullptr && given->is_map())
      for (const Entry& entry : given->entries) {
        if (std::ranges::find(params, entry.key) != params.end()) continue;
        Diagnostic& d = expander_.report.error(
            Code::PHASE_TEMPLATE_EXTRA_ARGS, {entry.key_place, phase.origin.expansion},
            fmt::format("the phase template `{}` has no parameter `{}`", id, entry.key),
            path + ".args." + entry.key);
        d.alternatives = did_you_mean(entry.key, params);
      }
    return missing.empty();
  }

  Expander& expander_;
  std::vector<std::pair<std::string, const Node*>> templates_;
  std::vector<std::string> broken_;
};

// ---- operation profiles, the older form of action pipelines

void move_key(Node& from, std::string_view key, Node& to, std::string_view name) {
  Node* node = from.find(key);
  if (node == nullptr) return;
  const auto entry = std::ranges::find(from.entries, key, &Entry::key);
  to.entries.push_back({std::string{name}, entry->key_place, std::move(*node)});
}

Node pipeline_from_profile(Expander& expander, Node profile, const std::string& path) {
  constexpr std::string_view keys[] = {"id",
                                       "actionId",
                                       "applicability",
                                       "legality",
                                       "cost",
                                       "targeting",
                                       "resolution",
                                       "partialExecution",
                                       "linkedSpecialActivityWindows",
                                       "accompanyingOps",
                                       "compoundParamConstraints"};
  only_keys(profile, keys, "an operation profile", path, expander.report);
  Node out = Node::of_map(profile.origin);
  for (const std::string_view key : {"id", "actionId", "applicability"})
    move_key(profile, key, out, key);
  if (Node* legality = profile.find("legality")) {
    if (legality->is_map() && legality->has("when"))
      move_key(*legality, "when", out, "legality");
    else if (!legality->is_map() || !legality->entries.empty())
      move_key(profile, "legality", out, "legality");
  }
  if (Node* cost = profile.find("cost")) {
    constexpr std::string_view cost_keys[] = {"validate", "spend"};
    only_keys(*cost, cost_keys, "`cost`", path + ".cost", expander.report);
    move_key(*cost, "validate", out, "costValidation");
    move_key(*cost, "spend", out, "costEffects");
  }
  move_key(profile, "targeting", out, "targeting");
  move_key(profile, "resolution", out, "stages");
  const Node* partial = profile.find("partialExecution");
  const auto mode = partial != nullptr ? partial->find_string("mode") : std::nullopt;
  if (partial != nullptr && mode != "forbid" && mode != "allow") {
    Diagnostic& d = expander.report.error(
        Code::PROFILE_INVALID, partial->origin,
        "`partialExecution` needs `mode: forbid` or `mode: allow`", path + ".partialExecution");
    d.alternatives = {"forbid", "allow"};
  }
  out.set("atomicity", Node::of_string(mode == "allow" ? "partial" : "atomic",
                                       partial != nullptr ? partial->origin : profile.origin));
  for (const std::string_view key : {"accompanyingOps", "compoundParamConstraints"})
    move_key(profile, key, out, key);
  move_key(profile, "linkedSpecialActivityWindows", out, "linkedWindows");
  return out;
}

}  // namespace

void expand_zone_templates(Expander& expander) {
  Node* zones = expander.doc.find(Section::zones);
  if (zones == nullptr) return;
  const bool any =
      std::ranges::any_of(zones->items, [](const Node& z) { return z.has("template"); });
  if (!any) return;
  const std::vector<std::string> seats = seat_ids(select_assets(expander.doc, nullptr));
  std::vector<Node> out;
  for (std::size_t i = 0; i < zones->items.size(); ++i) {
    Node& item = zones->items[i];
    if (item.has("template"))
      expand_zone_template(expander, item, fmt::format("zones.{}.template", i), seats, out);
    else
      out.push_back(std::move(item));
  }
  zones->items = std::move(out);
}

void expand_phase_templates(Expander& expander) {
  PhaseTemplates templates{expander};
  if (Node* structure = expander.doc.find(Section::turnStructure)) {
    for (const std::string_view key : {"phases", "interrupts"}) {
      Node* phases = structure->find(key);
      if (phases == nullptr || !phases->is_list()) continue;
      for (std::size_t i = 0; i < phases->items.size(); ++i)
        if (phases->items[i].has("fromTemplate"))
          templates.expand(phases->items[i], fmt::format("turnStructure.{}.{}", key, i));
    }
  }
  expander.doc.drop(Section::phaseTemplates);
}

void expand_operation_profiles(Expander& expander) {
  Node* profiles = expander.doc.find(Section::operationProfiles);
  if (profiles == nullptr) return;
  for (std::size_t i = 0; i < profiles->items.size(); ++i) {
    const std::string path = fmt::format("operationProfiles.{}", i);
    if (!profiles->items[i].is_map()) {
      expander.report.error(
          Code::PROFILE_INVALID, profiles->items[i].origin,
          fmt::format("an operation profile is a mapping, not {}", describe(profiles->items[i])),
          path);
      continue;
    }
    Node pipeline = pipeline_from_profile(expander, std::move(profiles->items[i]), path);
    expander.doc.need(Section::actionPipelines).items.push_back(std::move(pipeline));
  }
  expander.doc.drop(Section::operationProfiles);
}

}  // namespace parlor::spec
