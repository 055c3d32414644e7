#include "spec/slips.h"

#include <algorithm>
#include <span>

#include "spec/gamedef/language.h"

namespace parlor::spec {
namespace {

struct Slip {
  std::string_view written, meant;
};

constexpr Slip sections[] = {{"phases", "turnStructure"},
                             {"turns", "turnStructure"},
                             {"turn", "turnStructure"},
                             {"interrupts", "turnStructure"},
                             {"players", "metadata"},
                             {"game", "metadata"},
                             {"info", "metadata"},
                             {"meta", "metadata"},
                             {"name", "metadata"},
                             {"id", "metadata"},
                             {"variables", "globalVars"},
                             {"vars", "globalVars"},
                             {"state", "globalVars"},
                             {"globals", "globalVars"},
                             {"playerVars", "perPlayerVars"},
                             {"playerVariables", "perPlayerVars"},
                             {"moves", "actions"},
                             {"commands", "actions"},
                             {"abilities", "actions"},
                             {"tokens", "tokenTypes"},
                             {"pieces", "tokenTypes"},
                             {"cards", "tokenTypes"},
                             {"components", "tokenTypes"},
                             {"board", "zones"},
                             {"spaces", "zones"},
                             {"areas", "zones"},
                             {"locations", "zones"},
                             {"map", "zones"},
                             {"end", "terminal"},
                             {"endConditions", "terminal"},
                             {"endGame", "terminal"},
                             {"gameOver", "terminal"},
                             {"winConditions", "terminal"},
                             {"winCondition", "terminal"},
                             {"victory", "terminal"},
                             {"victoryConditions", "terminal"},
                             {"goal", "terminal"},
                             {"goals", "terminal"},
                             {"scoring", "terminal"},
                             {"conditions", "terminal"},
                             {"macros", "effectMacros"},
                             {"events", "triggers"},
                             {"seats", "dataAssets"},
                             {"scenario", "dataAssets"},
                             {"assets", "dataAssets"},
                             {"data", "dataAssets"},
                             {"include", "imports"},
                             {"includes", "imports"},
                             {"markers", "globalMarkerLattices"},
                             {"initialSetup", "setup"},
                             {"init", "setup"}};

constexpr Slip keys[] = {{"initial", "init"},
                         {"default", "init"},
                         {"initialValue", "init"},
                         {"start", "init"},
                         {"from", "min"},
                         {"from", "options"},
                         {"from", "fromZone"},
                         {"source", "fromZone"},
                         {"to", "max"},
                         {"to", "zone"},
                         {"into", "to"},
                         {"item", "bind"},
                         {"as", "bind"},
                         {"var", "bind"},
                         {"bind", "itemBind"},
                         {"variable", "var"},
                         {"name", "var"},
                         {"var", "name"},
                         {"constant", "name"},
                         {"do", "effects"},
                         {"body", "effects"},
                         {"actions", "effects"},
                         {"condition", "when"},
                         {"condition", "pre"},
                         {"condition", "where"},
                         {"if", "when"},
                         {"when", "pre"},
                         {"when", "where"},
                         {"where", "when"},
                         {"where", "filter"},
                         {"conditions", "args"},
                         {"children", "args"},
                         {"operands", "args"},
                         {"args", "left"},
                         {"args", "right"},
                         {"params", "args"},
                         {"arguments", "args"},
                         {"on", "event"},
                         {"trigger", "event"},
                         {"name", "id"},
                         {"id", "name"},
                         {"title", "name"},
                         {"precondition", "pre"},
                         {"requires", "pre"},
                         {"amount", "delta"},
                         {"value", "delta"},
                         {"by", "delta"},
                         {"amount", "count"},
                         {"n", "count"},
                         {"count", "n"},
                         {"count", "max"},
                         {"target", "to"},
                         {"destination", "to"},
                         {"source", "from"},
                         {"kind", "type"},
                         {"type", "kind"},
                         {"players", "player"},
                         {"winner", "player"},
                         {"winner", "result"},
                         {"per", "scope"},
                         {"collection", "over"},
                         {"items", "over"},
                         {"query", "over"},
                         {"choices", "options"},
                         {"domain", "options"},
                         {"query", "options"},
                         {"options", "domain"},
                         {"values", "domain"},
                         {"phases", "phase"},
                         {"parameters", "params"},
                         {"then", "in"},
                         {"effects", "in"},
                         {"effects", "afterEffects"},
                         {"otherwise", "else"},
                         {"elif", "else"},
                         {"elseIf", "else"},
                         {"properties", "props"},
                         {"property", "prop"},
                         {"field", "prop"},
                         {"value", "init"},
                         {"space", "zone"},
                         {"zone", "space"},
                         {"neighbors", "adjacentTo"},
                         {"neighbours", "adjacentTo"},
                         {"adjacent", "adjacentTo"},
                         {"adjacency", "adjacentTo"},
                         {"connections", "adjacentTo"}};

constexpr Slip word_slips[] = {{"integer", "int"},
                               {"number", "int"},
                               {"bool", "boolean"},
                               {"text", "string"},
                               {"str", "string"},
                               {"shared", "none"},
                               {"each", "player"},
                               {"private", "owner"},
                               {"secret", "hidden"},
                               {"everyone", "public"},
                               {"all", "public"},
                               {"visible", "public"},
                               {"list", "stack"},
                               {"unordered", "set"},
                               {"tie", "draw"},
                               {"lose", "lossAll"},
                               {"victory", "win"},
                               {"gvar", "global"},
                               {"game", "global"},
                               {"globalVar", "global"},
                               {"player", "pvar"},
                               {"perPlayer", "pvar"},
                               {"perPlayerVar", "pvar"},
                               {"zone", "zoneVar"},
                               {"sequential", "roundRobin"},
                               {"max", "highest"},
                               {"min", "lowest"}};

constexpr Slip filters[] = {{"==", "eq"},  {"=", "eq"},      {"equals", "eq"},
                            {"!=", "neq"}, {"ne", "neq"},    {"notEquals", "neq"},
                            {"is", "eq"},  {"nin", "notIn"}, {"not_in", "notIn"}};

constexpr Slip players[] = {{"activePlayer", "active"},
                            {"current", "active"},
                            {"currentPlayer", "active"},
                            {"self", "actor"},
                            {"me", "actor"},
                            {"player", "actor"},
                            {"you", "actor"},
                            {"nextPlayer", "next"},
                            {"after", "next"},
                            {"previousPlayer", "previous"},
                            {"before", "previous"},
                            {"each", "all"},
                            {"everyone", "all"},
                            {"any", "all"},
                            {"enemy", "opponent"},
                            {"opponents", "allOther"},
                            {"others", "allOther"},
                            {"other", "allOther"}};

constexpr Slip parameter_types[] = {{"int", "number"},          {"integer", "number"},
                                    {"text", "string"},         {"str", "string"},
                                    {"bool", "value"},          {"boolean", "value"},
                                    {"any", "value"},           {"zone", "zoneSelector"},
                                    {"space", "zoneSelector"},  {"player", "playerSelector"},
                                    {"token", "tokenSelector"}, {"binding", "bindingName"}};

std::span<const Slip> slips(SlipOf what) {
  switch (what) {
    case SlipOf::section:
      return sections;
    case SlipOf::key:
      return keys;
    case SlipOf::word:
      return word_slips;
    case SlipOf::filter:
      return filters;
    case SlipOf::player:
      return players;
    case SlipOf::parameter_type:
      return parameter_types;
    default:
      return {};  // the names of constructs stand in their declarations
  }
}

// What the declarations of constructs say they are called elsewhere.
std::vector<std::string> declared_slips(SlipOf what, std::string_view written) {
  switch (what) {
    case SlipOf::effect:
      return constructs_called(Family::effect, written);
    case SlipOf::condition:
      return constructs_called(Family::condition, written);
    case SlipOf::arithmetic:
      return constructs_called(Family::value, written, "op");
    case SlipOf::reference:
      return constructs_called(Family::value, written, "ref");
    case SlipOf::query:
      return constructs_called(Family::query, written);
    default:
      return {};
  }
}

}  // namespace

std::vector<std::string> meant_by(SlipOf what, std::string_view written) {
  std::vector<std::string> out = declared_slips(what, written);
  for (const Slip& slip : slips(what))
    if (slip.written == written) out.emplace_back(slip.meant);
  return out;
}

std::string meant_among(SlipOf what, std::string_view written,
                        const std::vector<std::string>& right) {
  for (std::string& meant : meant_by(what, written))
    if (std::ranges::find(right, meant) != right.end()) return std::move(meant);
  return {};
}

bool correct_slip(Diagnostic& diagnostic, SlipOf what, std::string_view written,
                  const std::vector<std::string>& right) {
  const std::string meant = meant_among(what, written, right);
  if (meant.empty()) return false;
  diagnostic.alternatives = {meant};
  diagnostic.suggestion.clear();
  return true;
}

}  // namespace parlor::spec
