#include "spec/lower/construct.h"

namespace parlor::spec::lower {
namespace {

// A mapping of its own inside a construct: `expires: {turn: …}`.
struct Nested {
  Nested(Context& cx, const Node& node, std::string_view name)
      : key(name), step(cx.step(name)), fields(cx, node, name) {}
  std::string_view key;
  Context::Step step;
  Fields fields;
};

// The bindings of one block while it is read.
struct Block {
  std::size_t mark = 0;
  bool seen = false;  // somebody was there to see them
  const FieldSpec* end = nullptr;
  std::vector<std::string> own;
};

// Leaves a block but keeps what it made, apart from the block's own names.
void export_bindings(Context& cx, const Block& block) {
  for (Binding& binding : cx.scope.leave(block.mark))
    if (std::ranges::find(block.own, binding.name) == block.own.end())
      cx.scope.declare(std::move(binding));
}

// Without anybody to see it, a name was meant for the effects that follow.
void end_block(Context& cx, const Block& block) {
  if (!block.seen || block.end == nullptr) return;
  if (block.end->keeps)
    export_bindings(cx, block);
  else
    cx.scope.forget(block.mark, block.end->ended);
}

void check_least(Context& cx, const Node& node, const FieldSpec& spec) {
  if (spec.too_small.empty() || !node.is_integer() || node.integer >= spec.least) return;
  cx.error(Code::NUMBER_RANGE, node, std::string{spec.too_small}).suggestion = spec.too_small_hint;
}

bool read_one(Reading& r, Fields& fields, const FieldInfo& field, const Slot& slot) {
  if (field.spec.itself) r.fields.give_up();
  if (field.key.empty()) {  // it is all there is, or has no mapping of its own
    slot.read(r, r.node(), field, slot.to);
    return true;
  }
  const auto read = [&](const Node& node) {
    slot.read(r, node, field, slot.to);
    check_least(r.cx, node, field.spec);
  };
  return field.spec.required ? fields.need(field.key, read) : fields.maybe(field.key, read);
}

}  // namespace

const Node* Reading::given(std::string_view key) const {
  const Node* found = node().find(key);
  return found != nullptr && found->is_null() ? nullptr : found;
}

std::string_view Reading::text(std::string_view key) const {
  const Node* found = given(key);
  return found != nullptr && found->is_string() ? std::string_view{found->text}
                                                : std::string_view{};
}

const Type& Reading::type(std::string_view field) const {
  static const Type unknown;
  for (std::size_t i = 0; i < construct.fields.size(); ++i)
    if (construct.fields[i].name == field) return types_[i];
  return unknown;
}

Type Reading::gives() const {
  if (result) return *result;
  if (!construct.gives) return {};
  const Gives& gives = *construct.gives;
  Type out = gives.of.empty() ? plain(gives.kind) : type(gives.of);
  return gives.list ? list_of(out) : out;
}

void read_slots(Reading& r, std::span<const Slot> slots) {
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (r.construct.fields[i].spec.alone && !r.node().is_map() && !r.node().is_null()) {
      r.fields.give_up();
      return slots[i].read(r, r.node(), r.construct.fields[i], slots[i].to);
    }
  Block block;
  std::optional<Nested> nested;
  for (const ReadStep& step : r.construct.steps) {
    const FieldInfo& field = r.construct.fields[step.field];
    const Slot& slot = slots[step.field];
    if (nested && nested->key != field.inside) nested.reset();
    if (!field.inside.empty() && !nested) {
      const Node* inner = r.fields.optional(field.inside);
      if (inner == nullptr) continue;
      nested.emplace(r.cx, *inner, field.inside);
    }
    if (step.opens) {
      block = {};
      block.mark = r.cx.scope.mark();
    }
    const bool there = read_one(r, nested ? nested->fields : r.fields, field, slot);
    if (field.spec.binds()) {
      block.own.push_back(*static_cast<const std::string*>(slot.to));
      continue;
    }
    block.seen |= there;
    if (!field.spec.ended.empty() || field.spec.keeps) block.end = &field.spec;
    if (step.closes) end_block(r.cx, block);
  }
}

bool read_slot(Reading& r, std::string_view name, const Slot& slot) {
  for (const FieldInfo& field : r.construct.fields)
    if (field.name == name) return read_one(r, r.fields, field, slot);
  return false;
}

}  // namespace parlor::spec::lower
