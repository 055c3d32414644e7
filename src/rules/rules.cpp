#include "rules/rules.h"

#include <algorithm>
#include <charconv>
#include <fmt/core.h>

namespace parlor::rules {
namespace {

bool valid_id(std::string_view id) {
  const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !id.empty() && plain(id.front()) &&
         std::ranges::all_of(id, [&](char c) { return plain(c) || c == '-'; });
}

Diagnostic error(Code code, std::string message, std::vector<std::string> alternatives = {}) {
  Diagnostic out{.code = code, .message = std::move(message)};
  out.alternatives = std::move(alternatives);
  return out;
}

bool lists(const std::vector<std::string>& ids, std::string_view id) {
  return std::ranges::find(ids, id) != ids.end();
}

// What is needed and not active, and what those need in turn: all of it would have to be added.
void check_needs(const Registry& registry, const Activation& activation,
                 std::span<const Activation> set, Diagnostics& out) {
  std::vector<std::string> missing;
  const auto look = [&](const Module& module) {
    for (const std::string& needed : module.requires_ids)
      if (!lists(missing, needed) && needed != activation.id &&
          std::ranges::none_of(set, [&](const Activation& other) {
            return other.id == needed && other.scope.overlaps(activation.scope);
          }))
        missing.push_back(needed);
  };
  look(*registry.get(activation.id));
  for (std::size_t i = 0; i < missing.size(); ++i) {
    out.add(
        error(Code::RULE_REQUIREMENT_MISSING,
              fmt::format("rule `{}` needs `{}` for the same players", activation.id, missing[i]),
              {missing[i]}));
    if (const Module* module = registry.get(missing[i])) look(*module);
  }
}

// Follows requirements from each rule; a circle is reported once, from its first member.
void check_cycles(const Registry& registry, std::span<const std::string> from, Diagnostics& out) {
  std::vector<std::string> done, way;
  const auto follow = [&](const auto& self, const std::string& id) -> void {
    if (const auto seen = std::ranges::find(way, id); seen != way.end()) {
      std::string text;
      for (auto step = seen; step != way.end(); ++step) text += fmt::format("`{}` needs ", *step);
      out.add(error(Code::RULE_CYCLE, fmt::format("{}`{}`", text, id)));
      return;
    }
    const Module* module = registry.get(id);
    if (module == nullptr || lists(done, id)) return;
    way.push_back(id);
    for (const std::string& needed : module->requires_ids) self(self, needed);
    way.pop_back();
    done.push_back(id);
  };
  for (const std::string& id : from) follow(follow, id);
}

}  // namespace

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// The inside of the braces.
tl::expected<std::map<std::string, std::string>, Diagnostic> parse_parameters(
    std::string_view text, const std::string& whole) {
  std::map<std::string, std::string> out;
  while (!trimmed(text).empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto colon = entry.find(':');
    const std::string name(trimmed(entry.substr(0, std::min(colon, entry.size()))));
    const std::string value(colon == entry.npos ? "" : trimmed(entry.substr(colon + 1)));
    if (name.empty() || value.empty() || value.find_first_of("{}\"") != value.npos ||
        !out.emplace(name, value).second)
      return tl::unexpected(
          error(Code::RULE_PARAMETER_INVALID,
                fmt::format("`{}`: in braces come parameters as `name: value`", whole)));
  }
  return out;
}

}  // namespace

std::vector<std::string> joined_braces(const std::vector<std::string>& pieces) {
  std::vector<std::string> out;
  std::ptrdiff_t open = 0;
  for (const std::string& piece : pieces) {
    if (open > 0)
      out.back() += "," + piece;
    else
      out.push_back(piece);
    open += std::ranges::count(piece, '{') - std::ranges::count(piece, '}');
  }
  return out;
}

std::vector<std::string> split_rules(std::string_view text) {
  std::vector<std::string> pieces;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    pieces.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return joined_braces(pieces);
}

tl::expected<Request, Diagnostic> parse_request(std::string_view text) {
  Request out;
  const std::string whole{text};
  std::string without;
  if (const auto open = text.find('{'); open != text.npos) {
    const auto close = text.find('}', open);
    auto parameters =
        parse_parameters(text.substr(open + 1, std::min(close, text.size()) - open - 1), whole);
    if (close == text.npos)
      return tl::unexpected(
          error(Code::RULE_PARAMETER_INVALID, fmt::format("`{}`: a brace is not closed", whole)));
    if (!parameters) return tl::unexpected(std::move(parameters.error()));
    out.parameters = std::move(*parameters);
    without = std::string(text.substr(0, open)) + std::string(text.substr(close + 1));
    text = without;
  }
  if (const auto at = text.find('@'); at != text.npos) {
    const std::string_view digits = text.substr(at + 1);
    std::uint32_t turns = 0;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), turns);
    if (failure != std::errc{} || end != digits.data() + digits.size() || turns == 0 ||
        turns > 60000)
      return tl::unexpected(
          error(Code::RULE_TURNS_INVALID,
                fmt::format("`{}`: after @ comes a number of turns from 1 to 60000", whole)));
    out.turns = turns;
    text = text.substr(0, at);
  }
  if (const auto colon = text.find(':'); colon != text.npos) {
    std::string_view names = text.substr(colon + 1);
    text = text.substr(0, colon);
    for (bool more = true; more;) {
      const auto plus = names.find('+');
      more = plus != names.npos;
      out.seats.emplace_back(names.substr(0, std::min(plus, names.size())));
      if (more) names.remove_prefix(plus + 1);
    }
    if (out.seats == std::vector<std::string>{"both"} ||
        out.seats == std::vector<std::string>{"all"})
      out.seats.clear();
  }
  if (!valid_id(text))
    return tl::unexpected(
        error(Code::RULE_ID_INVALID,
              fmt::format("`{}` does not name a rule as id[:scope][@turns]", whole)));
  out.id = text;
  return out;
}

tl::expected<Scope, Diagnostic> scope_of(const Request& request,
                                         std::span<const std::string> seats) {
  Scope out;
  if (request.seats.empty()) return out;
  out.seats = 0;
  for (const std::string& name : request.seats) {
    const auto seat = std::ranges::find(seats, name);
    if (seat == seats.end()) {
      std::vector<std::string> known{seats.begin(), seats.end()};
      known.emplace_back("both");
      return tl::unexpected(
          error(Code::RULE_SCOPE_UNKNOWN,
                fmt::format("`{}`: there is no `{}` a rule could be for", request.id, name),
                std::move(known)));
    }
    out.seats |= static_cast<std::uint16_t>(1u << (seat - seats.begin()));
  }
  if (out.seats == (1u << seats.size()) - 1) out = {};
  return out;
}

tl::expected<Activation, Diagnostic> parse_activation(std::string_view text,
                                                      std::span<const std::string> seats) {
  auto request = parse_request(text);
  if (!request) return tl::unexpected(std::move(request.error()));
  const auto scope = scope_of(*request, seats);
  if (!scope) return tl::unexpected(scope.error());
  return Activation{std::move(request->id), *scope, request->turns, std::move(request->parameters)};
}

std::string scope_text(Scope scope, std::span<const std::string> seats) {
  if (scope == Scope{}) return "";
  std::string out;
  for (std::size_t seat = 0; seat < seats.size(); ++seat)
    if (scope.covers(seat)) out += (out.empty() ? "" : "+") + seats[seat];
  return out;
}

Activation activation_of(const Module& module) {
  Activation out{.id = module.id};
  if (!module.seats.empty()) out.scope.seats = 0;
  for (const std::int64_t seat : module.seats)
    out.scope.seats |= static_cast<std::uint16_t>(1u << seat);
  if (module.turns) out.turns = static_cast<std::uint32_t>(*module.turns);
  return out;
}

std::string to_text(const Activation& activation, std::span<const std::string> seats) {
  std::string out = activation.id;
  if (!activation.parameters.empty()) {
    std::string list;
    for (const auto& [name, value] : activation.parameters)
      list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", name, value);
    out += "{" + list + "}";
  }
  if (const std::string scope = scope_text(activation.scope, seats); !scope.empty())
    out += ":" + scope;
  if (activation.turns) out += fmt::format("@{}", *activation.turns);
  return out;
}

Diagnostics Registry::add(Module module) {
  Diagnostics out;
  if (!valid_id(module.id))
    out.add(error(Code::RULE_ID_INVALID,
                  fmt::format("`{}` is no rule id: small letters, digits and -", module.id)));
  if (by_id_.contains(module.id))
    out.add(
        error(Code::RULE_DUPLICATE, fmt::format("a rule `{}` is registered already", module.id)));
  if (lists(module.requires_ids, module.id) || lists(module.incompatible_with, module.id))
    out.add(error(Code::RULE_RELATION_UNKNOWN,
                  fmt::format("rule `{}` names itself in a relation", module.id)));
  if (sealed_) check_relations(module, out);
  if (out.has_errors()) return out;
  by_id_.emplace(module.id, modules_.size());
  modules_.push_back(std::move(module));
  return out;
}

Registry Registry::of_strangers(std::span<const Module> modules) {
  std::map<std::string, Module, std::less<>> all;
  for (const Module& module : modules) all.emplace(module.id, module);
  for (const Module& module : modules)
    for (const std::string& other : module.incompatible_with)
      if (const auto partner = all.find(other);
          partner != all.end() && !lists(partner->second.incompatible_with, module.id))
        partner->second.incompatible_with.push_back(module.id);
  Registry out;
  for (auto& [id, module] : all) {
    std::erase_if(module.incompatible_with,
                  [&](const std::string& other) { return !all.contains(other); });
    out.add(module);
  }
  return out;
}

Diagnostics Registry::seal() {
  Diagnostics out;
  for (const Module& module : modules_) check_relations(module, out);
  check_cycles(*this, ids(), out);
  sealed_ = !out.has_errors();
  return out;
}

void Registry::check_relations(const Module& module, Diagnostics& out) const {
  for (const auto* relation : {&module.requires_ids, &module.incompatible_with})
    for (const std::string& id : *relation)
      if (get(id) == nullptr && id != module.id)
        out.add(error(Code::RULE_RELATION_UNKNOWN,
                      fmt::format("rule `{}` names `{}`, which is not registered", module.id, id),
                      did_you_mean(id, ids())));
  for (const std::string& id : module.incompatible_with)
    if (const Module* partner = get(id);
        partner != nullptr && !lists(partner->incompatible_with, module.id))
      out.add(error(Code::RULE_NOT_MUTUAL,
                    fmt::format("rule `{}` is incompatible with `{}`, but not the other way round",
                                module.id, id)));
}

const Module* Registry::get(std::string_view id) const {
  const auto index = index_of(id);
  return index ? &modules_[*index] : nullptr;
}

std::optional<std::size_t> Registry::index_of(std::string_view id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return found->second;
}

std::vector<std::string> Registry::ids() const {
  std::vector<std::string> out;
  for (const auto& [id, index] : by_id_) out.push_back(id);
  return out;
}

Diagnostics Registry::check(std::span<const Activation> set) const {
  Diagnostics out;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const Module* module = get(set[i].id);
    if (module == nullptr) {
      Diagnostic unknown =
          error(Code::RULE_UNKNOWN, fmt::format("there is no rule `{}`", set[i].id),
                did_you_mean(set[i].id, ids()));
      unknown.suggestion = "`parlor rules GAME` lists the rules a game offers";
      out.add(std::move(unknown));
      continue;
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (set[j].id == set[i].id)
        out.add(error(Code::RULE_DUPLICATE, fmt::format("rule `{}` is given twice", set[i].id)));
      else if (lists(module->incompatible_with, set[j].id) && set[i].scope.overlaps(set[j].scope))
        out.add(error(Code::RULE_INCOMPATIBLE,
                      fmt::format("rules `{}` and `{}` do not go together", set[j].id, set[i].id)));
    }
    check_needs(*this, set[i], set, out);
  }
  std::vector<std::string> active;
  for (const Activation& activation : set) active.push_back(activation.id);
  check_cycles(*this, active, out);
  return out;
}

}  // namespace parlor::rules
