// How the game ends and who has won.
#include <fmt/core.h>

#include "spec/expand/build.h"
#include "spec/lower/construct.h"

namespace parlor::spec::lower {
namespace {

// All that a query of players gives: for each player it is asked whether it has them.
Condition read_winners(Context& cx, const Node& query) {
  const Build b{query.origin};
  const Node who = b.text("$_winner");
  Node same = b.map({{"op", b.text("==")},
                     {"left", b.map({{"ref", b.text("binding")}, {"name", who}})},
                     {"right", b.map({{"ref", b.text("player")}, {"player", b.text("actor")}})}});
  return read_condition(
      cx, b.map({{"op", b.text("exists")}, {"query", query}, {"bind", who}, {"where", same}}));
}

}  // namespace

void read_key(Reading& r, const Node& node, const FieldInfo&, TerminalCondition& out) {
  out.winners = read_winners(r.cx, node);
}

void check(Reading& r, TerminalCondition& out) {
  Context& cx = r.cx;
  if (r.given("id") == nullptr) out.id = fmt::format("terminal.{}", cx.items.at);
  const Node* scoring = cx.doc.find(Section::terminal)->find("scoring");
  if (out.result == ResultKind::score && (scoring == nullptr || scoring->is_null())) {
    const auto step = cx.step("result.type");
    cx.error(Code::SCORING_MISSING, *r.said("result"),
             "the result `score` needs `terminal.scoring`")
        .suggestion = "add `scoring: {method: highest, value: …}`";
  }
  if (r.given("result") != nullptr || !r.node().is_map()) return;
  cx.error(Code::KEY_MISSING, r.node(), "a terminal condition does not say what it means")
      .suggestion =
      "below its name write `win: PLAYER`, `winners: QUERY`, `draw: true`, `score: true` or "
      "`lossAll: true`; in a list of conditions `result: {type: win, player: PLAYER}`";
  r.fields.give_up();
}

void check(Reading& r, Terminal& out) {
  const Node* list = r.given("conditions");
  if (r.cx.errors() == 0 && out.conditions.empty() && out.checkpoints.empty() && list != nullptr)
    r.cx.warning(Code::GAME_ENDLESS, *list, "nothing ends this game").suggestion =
        "say when it is over: conditions: [{when: …, result: {type: draw}}]";
}

}  // namespace parlor::spec::lower
