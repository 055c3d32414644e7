// Effects that hold effects. Each opens and closes scopes the way the kernel does while playing.
#include <algorithm>
#include <fmt/core.h>

#include "spec/lower/effects.h"

namespace parlor::spec::lower {
namespace {

// Leaves a block but keeps what it made, apart from the block's own names.
void export_bindings(Context& cx, std::size_t mark, std::initializer_list<std::string_view> own) {
  for (Binding& binding : cx.scope.leave(mark))
    if (std::ranges::find(own, std::string_view{binding.name}) == own.end())
      cx.scope.declare(std::move(binding));
}

constexpr std::string_view loop_end = "it is made inside a loop and gone afterwards";

}  // namespace

EffectNode read_if(Context& cx, const Node& node) {
  If out;
  Fields fields{cx, node, "if"};
  const Node* when = fields.optional("when");
  fields.need("when", [&](const Node& n) { out.when = read_condition(cx, n); });
  const auto branch = [&](const Node& n, bool then_branch) {
    const std::size_t mark = cx.scope.mark();
    cx.scope.enter_branch(when ? *when : node, then_branch);
    Effects effects = read_effects(cx, n);
    cx.scope.leave_branch();
    return std::pair{std::move(effects), cx.scope.leave(mark)};
  };
  std::vector<Binding> then, otherwise;
  fields.need("then", [&](const Node& n) { std::tie(out.then, then) = branch(n, true); });
  fields.maybe("else",
               [&](const Node& n) { std::tie(out.otherwise, otherwise) = branch(n, false); });
  cx.scope.join(when ? *when : node, std::move(then), std::move(otherwise));
  return out;
}

EffectNode read_require(Context& cx, const Node& node) {
  return Require{read_condition(cx, node)};
}

EffectNode read_let(Context& cx, const Node& node) {
  Let out;
  Fields fields{cx, node, "let"};
  TypedValue value = need_value(cx, fields, "value");
  out.value = std::move(value.value);
  const std::size_t mark = cx.scope.mark();
  fields.need("bind", [&](const Node& n) { out.bind = declare_binding(cx, n, value.type); });
  // Without `in` the name was meant for the effects that follow.
  if (fields.need("in", [&](const Node& n) { out.in = read_effects(cx, n); }))
    export_bindings(cx, mark, {out.bind});
  return out;
}

EffectNode read_bind_value(Context& cx, const Node& node) {
  BindValue out;
  Fields fields{cx, node, "bindValue"};
  TypedValue value = need_value(cx, fields, "value");
  out.value = std::move(value.value);
  fields.need("bind", [&](const Node& n) { out.bind = declare_binding(cx, n, value.type); });
  return out;
}

namespace {

// "for x in y do z", as other languages say it.
bool foreign_loop(Context& cx, const Node& node, Fields& fields) {
  const Entry* in = node.find_entry("in");
  if (in == nullptr || in->value.is_list() || node.has("over")) return false;
  fields.give_up();
  cx.error_at(Code::KEY_UNKNOWN, {in->key_place, node.origin.expansion}, cx.path(),
              "forEach goes through `over`, not `in`")
      .suggestion = "write {bind: $x, over: {query: …}, effects: […]}";
  return true;
}

}  // namespace

EffectNode read_for_each(Context& cx, const Node& node) {
  ForEach out;
  Fields fields{cx, node, "forEach"};
  if (foreign_loop(cx, node, fields)) return out;
  TypedQuery over = need_query(cx, fields, "over");
  out.over = std::move(over.query);
  fields.maybe("limit", [&](const Node& n) {
    out.limit = read_number(cx, n);
    if (n.is_integer() && n.integer < 0)
      cx.error(Code::NUMBER_RANGE, n, "limit must not be negative");
  });
  std::size_t mark = cx.scope.mark();
  fields.need("bind", [&](const Node& n) { out.bind = declare_binding(cx, n, over.item); });
  fields.need("effects", [&](const Node& n) { out.effects = read_effects(cx, n); });
  cx.scope.forget(mark, loop_end);
  mark = cx.scope.mark();
  const Node* count = fields.optional("countBind");
  const Node* in = fields.optional("in");
  fields.maybe("countBind", [&](const Node& n) {
    out.count_bind = declare_binding(cx, n, plain(Kind::integer));
  });
  fields.maybe("in", [&](const Node& n) { out.in = read_effects(cx, n); });
  cx.scope.forget(mark, "it is made inside a forEach, which leaves nothing behind");
  if ((count == nullptr) != (in == nullptr))
    cx.error(Code::COUNT_WITHOUT_IN, count ? *count : *in, "`countBind` and `in` belong together")
        .suggestion = count ? "add `in` with the effects that use the count" : "add `countBind`";
  return out;
}

EffectNode read_while(Context& cx, const Node& node) {
  While out;
  Fields fields{cx, node, "while"};
  fields.need("when", [&](const Node& n) { out.when = read_condition(cx, n); });
  fields.need("limit", [&](const Node& n) { out.limit = read_number(cx, n); });
  const std::size_t mark = cx.scope.mark();
  fields.need("effects", [&](const Node& n) { out.effects = read_effects(cx, n); });
  cx.scope.forget(mark, loop_end);
  return out;
}

EffectNode read_reduce(Context& cx, const Node& node) {
  Reduce out;
  Fields fields{cx, node, "reduce"};
  TypedQuery over = need_query(cx, fields, "over");
  TypedValue initial = need_value(cx, fields, "initial");
  out.over = std::move(over.query);
  out.initial = std::move(initial.value);
  const Type& accumulated = initial.type;
  fields.maybe("limit", [&](const Node& n) { out.limit = read_number(cx, n); });
  std::size_t mark = cx.scope.mark();
  fields.need("itemBind",
              [&](const Node& n) { out.item_bind = declare_binding(cx, n, over.item); });
  fields.need("accBind",
              [&](const Node& n) { out.acc_bind = declare_binding(cx, n, accumulated); });
  fields.need("next", [&](const Node& n) { out.next = read_typed(cx, n, accumulated); });
  cx.scope.forget(mark, "it exists only while a reduce runs");
  mark = cx.scope.mark();
  fields.need("resultBind",
              [&](const Node& n) { out.result_bind = declare_binding(cx, n, accumulated); });
  fields.need("in", [&](const Node& n) { out.in = read_effects(cx, n); });
  export_bindings(cx, mark, {out.result_bind});
  if (!out.item_bind.empty() &&
      (out.item_bind == out.acc_bind || out.item_bind == out.result_bind ||
       out.acc_bind == out.result_bind))
    cx.error(Code::BINDING_NAME, node, "itemBind, accBind and resultBind must be different");
  return out;
}

EffectNode read_remove_by_priority(Context& cx, const Node& node) {
  RemoveByPriority out;
  std::vector<std::pair<const Node*, std::string>> counts;
  Fields fields{cx, node, "removeByPriority"};
  fields.need("budget", [&](const Node& n) { out.budget = read_number(cx, n); });
  fields.need("groups", [&](const Node& list) {
    each_item(cx, list, "a list of groups", [&](const Node& n) {
      RemovalGroup group;
      Fields inner{cx, n, "a group of removeByPriority"};
      inner.need("over", [&](const Node& q) { group.over = read_token_query(cx, q); });
      const std::size_t mark = cx.scope.mark();
      inner.need("bind",
                 [&](const Node& b) { group.bind = declare_binding(cx, b, plain(Kind::token)); });
      inner.need("to", [&](const Node& z) { group.to = read_zone(cx, z); });
      inner.maybe("from", [&](const Node& z) { group.from = read_zone(cx, z); });
      cx.scope.forget(mark, loop_end);
      inner.maybe("countBind", [&](const Node& b) {
        group.count_bind = declare_binding(cx, b, plain(Kind::integer));
      });
      out.groups.push_back(std::move(group));
    });
    if (list.is_list() && list.items.empty())
      cx.error(Code::LIST_EMPTY, list, "removeByPriority needs at least one group");
  });
  fields.maybe("remainingBind", [&](const Node& n) {
    out.remaining_bind = declare_binding(cx, n, plain(Kind::integer));
  });
  const std::size_t mark = cx.scope.mark();
  fields.maybe("in", [&](const Node& n) { out.in = read_effects(cx, n); });
  cx.scope.forget(mark, "it is made inside the `in` of a removeByPriority");
  return out;
}

EffectNode read_evaluate_subset(Context& cx, const Node& node) {
  EvaluateSubset out;
  Fields fields{cx, node, "evaluateSubset"};
  TypedQuery source = need_query(cx, fields, "source");
  out.source = std::move(source.query);
  fields.need("subsetSize", [&](const Node& n) { out.subset_size = read_number(cx, n); });
  std::size_t mark = cx.scope.mark();
  fields.need("subsetBind", [&](const Node& n) {
    out.subset_bind = declare_binding(cx, n, list_of(source.item));
  });
  fields.need("compute", [&](const Node& n) { out.compute = read_effects(cx, n); });
  fields.need("scoreExpr", [&](const Node& n) { out.score = read_number(cx, n); });
  cx.scope.forget(mark, "it exists only while a subset is judged");
  fields.need("resultBind", [&](const Node& n) {
    out.result_bind = declare_binding(cx, n, plain(Kind::integer));
  });
  fields.maybe("bestSubsetBind", [&](const Node& n) {
    out.best_subset_bind = declare_binding(cx, n, list_of(source.item));
  });
  mark = cx.scope.mark();
  fields.need("in", [&](const Node& n) { out.in = read_effects(cx, n); });
  cx.scope.forget(mark, "it is made inside the `in` of an evaluateSubset");
  return out;
}

}  // namespace parlor::spec::lower
