// The section `display`: how a page draws the game. The rules never read it; its names and words
// are checked all the same, so that a misspelt one is no silent default.
#include <algorithm>

#include "spec/lower/construct.h"

namespace parlor::spec::lower {

// A parameter of an action, or a step from one in the direction of another. Nobody is asked of an
// action that is not there.
void read_key(Reading& r, const Node& node, const FieldInfo& field, ActionPlaces& out) {
  Context& cx = r.cx;
  std::vector<std::string>& names = field.key == "from" ? out.from
                                    : field.key == "to" ? out.to
                                                        : out.at;
  const auto action = std::ranges::find(cx.game.actions, r.called->text, &ActionDef::id);
  const auto parameter = [&](const Node& n) {
    const std::string& name = names.emplace_back(read_id(cx, n, "a parameter of the action"));
    if (name.empty() || action == cx.game.actions.end()) return;
    std::vector<std::string> params;
    for (const ParamDef& param : action->params) params.push_back(param.name);
    if (std::ranges::find(params, name) == params.end())
      cx.unknown(Code::BINDING_UNBOUND, n, "parameter", name, params);
  };
  if (!node.is_map()) return parameter(node);
  Fields fields{cx, node, "where one clicks"};
  fields.maybe("step", [&](const Node& list) {
    if (each_item(cx, list, "a place and a direction", parameter) && names.size() != 2)
      wrong_shape(cx, list, "a place and a direction, e.g. [$from, $way]");
  });
}

}  // namespace parlor::spec::lower
