// How the game ends and who has won.
#include <fmt/core.h>

#include "spec/expand/build.h"
#include "spec/lower/construct.h"
#include "spec/lower/sections.h"

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

void read_result(Context& cx, const Node& node, TerminalCondition& out, bool has_scoring) {
  Fields fields{cx, node, "a result"};
  fields.need("type", [&](const Node& n) {
    out.result = read_word<ResultKind>(cx, n, "result",
                                       {{"win", ResultKind::win},
                                        {"lossAll", ResultKind::loss_all},
                                        {"draw", ResultKind::draw},
                                        {"score", ResultKind::score}},
                                       out.result);
    if (out.result == ResultKind::score && !has_scoring)
      cx.error(Code::SCORING_MISSING, n, "the result `score` needs `terminal.scoring`").suggestion =
          "add `scoring: {method: highest, value: …}`";
  });
  if (out.result == ResultKind::win && node.has("players"))
    fields.need("players", [&](const Node& n) { out.winners = read_winners(cx, n); });
  else if (out.result == ResultKind::win)
    fields.need("player", [&](const Node& n) { out.player = read_player(cx, n); });
  else if (node.has("player") && !node.find("type"))
    fields.allow({"player"});
}

TerminalCondition read_terminal_condition(Context& cx, const Node& node, std::size_t index,
                                          bool has_scoring) {
  TerminalCondition out;
  out.id = fmt::format("terminal.{}", index);
  cx.scope = {};
  Fields fields{cx, node, "a terminal condition"};
  fields.maybe("id", [&](const Node& n) { out.id = read_id(cx, n, "the id of a condition"); });
  fields.need("when", [&](const Node& n) { out.when = read_condition(cx, n); });
  const std::size_t before = cx.errors();
  const bool given =
      fields.maybe("result", [&](const Node& n) { read_result(cx, n, out, has_scoring); });
  if (given || cx.errors() > before || !node.is_map()) return out;
  cx.error(Code::KEY_MISSING, node, "a terminal condition does not say what it means").suggestion =
      "below its name write `win: PLAYER`, `winners: QUERY`, `draw: true`, `score: true` or "
      "`lossAll: "
      "true`; in a list of conditions `result: {type: win, player: PLAYER}`";
  fields.give_up();
  return out;
}

void read_ranking(Context& cx, const Node& node, Terminal& out) {
  Fields fields{cx, node, "ranking"};
  fields.maybe("order", [&](const Node& n) {
    out.ranking_ascending =
        read_word<bool>(cx, n, "order", {{"desc", false}, {"asc", true}}, false);
  });
  fields.maybe("tieBreakOrder", [&](const Node& n) {
    each_item(cx, n, "a list of seats",
              [&](const Node& seat) { out.tie_break_order.push_back(read_seat(cx, seat)); });
  });
}

// Nothing is bound where a part of it begins.
template <class Part>
Part read_afresh(Context& cx, const Node& node) {
  cx.scope = {};
  return read_record<Part>(cx, node);
}

}  // namespace

void lower_terminal(Context& cx) {
  const Node* node = cx.doc.find(Section::terminal);
  if (node == nullptr) return;
  const auto step = cx.step("terminal");
  Terminal& out = cx.game.terminal;
  Fields fields{cx, *node, "terminal"};
  const bool has_scoring = fields.optional("scoring") != nullptr;
  fields.need("conditions", [&](const Node& n) {
    std::size_t index = 0;
    each_item(cx, n, "a list of conditions", [&](const Node& item) {
      out.conditions.push_back(read_terminal_condition(cx, item, index++, has_scoring));
    });
  });
  fields.maybe("checkpoints", [&](const Node& n) {
    each_item(cx, n, "a list of checkpoints", [&](const Node& item) {
      out.checkpoints.push_back(read_afresh<Checkpoint>(cx, item));
    });
  });
  fields.maybe("margins", [&](const Node& n) {
    each_item(cx, n, "a list of margins",
              [&](const Node& item) { out.margins.push_back(read_afresh<Margin>(cx, item)); });
  });
  fields.maybe("ranking", [&](const Node& n) { read_ranking(cx, n, out); });
  fields.maybe("scoring", [&](const Node& n) { out.scoring = read_afresh<Scoring>(cx, n); });
  if (const Node* list = node->find("conditions"); cx.errors() == 0 && out.conditions.empty() &&
                                                   out.checkpoints.empty() && list != nullptr &&
                                                   list->is_list())
    cx.warning(Code::GAME_ENDLESS, *list, "nothing ends this game").suggestion =
        "say when it is over: conditions: [{when: …, result: {type: draw}}]";
  cx.scope = {};
}

}  // namespace parlor::spec::lower
