#include "spec/lower/construct.h"

namespace parlor::spec::lower {
namespace {

// A mapping of its own inside a construct: `expires: {turn: …}`.
struct Nested {
  Nested(Context& cx, const Node& node, std::string_view name)
      : key(name), step(cx.step(name)), fields(cx, node, name) {}
  std::string_view key;
  Path::Step step;
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

// ---- What may stand in a member, by its type
struct MemberReader {
  const void* type;
  void (*read)(Reading& r, const Node& node, const FieldInfo& field, void* to);
};
template <class T>
MemberReader reader_of() {
  return {&type_mark<T>, [](Reading& r, const Node& node, const FieldInfo& field, void* to) {
            read_into(r, node, field, *static_cast<T*>(to));
          }};
}
template <class... Ts>
std::vector<MemberReader> readers_of() {
  return {reader_of<Ts>()...};
}

const MemberReader* find_reader(const Form& form) {
  static const std::vector<MemberReader> all =
      readers_of<Value, Condition, Query, Effects, ZoneSel, PlayerSel, DirectionSel, Name,
                 TokenFilter, VarCell, GrantDef, std::string, bool, Int, std::vector<std::string>,
                 std::vector<bool>, std::vector<Value>, std::vector<Condition>, std::vector<Query>,
                 std::vector<RowTest>, std::vector<PropValue>, std::vector<RemovalGroup>,
                 std::vector<NamedValue>, std::vector<NamedScalar>, std::vector<NamedSeat>,
                 std::vector<NamedModifier>, std::vector<ActionClassOf>, std::vector<TargetDef>,
                 EventCardDef, nlohmann::json>();
  const auto found = std::ranges::find(all, form.type, &MemberReader::type);
  return found == all.end() ? nullptr : &*found;
}

// A list of those is written as a list; one of anything else is none or one.
bool has_many(const Form& item) {
  return item.record != nullptr || item.sort == Form::Sort::word;
}

void read_member(Reading& r, const Node& node, const FieldInfo& field, const Form& form, void* to) {
  if (const MemberReader* reader = find_reader(form)) return reader->read(r, node, field, to);
  if (form.sort == Form::Sort::word) {
    if (const auto word = read_enumerator(r, node, field))
      form.choose(
          to, static_cast<std::size_t>(std::ranges::find(form.words, *word) - form.words.begin()));
  } else if (form.record != nullptr) {
    read_record(r.cx, node, form, to);
  } else if (form.sort == Form::Sort::list && has_many(form.inside())) {
    each_item(r.cx, node, field.spec.noun.empty() ? "a list" : field.spec.noun,
              [&](const Node& item) { read_member(r, item, field, form.inside(), form.add(to)); });
  } else if (form.inside != nullptr) {  // a list: none or one
    read_member(r, node, field, form.inside(), form.add(to));
  }
}

// ---- What a declaration leaves to code
struct Hooks {
  const void* type = nullptr;
  void (*by_hand)(Reading& r, void* out) = nullptr;
  void (*check)(Reading& r, void* out) = nullptr;
  void (*written)(Reading& r, const Node& node, const FieldInfo& field, void* out) = nullptr;
};

template <class T>
void add_hooks(std::vector<Hooks>& to) {
  Hooks hooks{.type = &type_mark<T>};
  if constexpr (requires { T::by_hand; })
    hooks.by_hand = [](Reading& r, void* out) { read_by_hand(r, *static_cast<T*>(out)); };
  if constexpr (requires { T::checked; })
    hooks.check = [](Reading& r, void* out) { check(r, *static_cast<T*>(out)); };
  if constexpr (requires { T::written; })
    hooks.written = [](Reading& r, const Node& node, const FieldInfo& field, void* out) {
      read_written(r, node, field.key, *static_cast<T*>(out));
    };
  if (hooks.by_hand != nullptr || hooks.check != nullptr || hooks.written != nullptr)
    to.push_back(hooks);
}
template <class... Shapes>
void add_hooks(std::vector<Hooks>& to, std::type_identity<std::variant<Shapes...>>) {
  (add_hooks<Shapes>(to), ...);
}

const Hooks& hooks_of(const Form& form) {
  static const std::vector<Hooks> all = [] {
    std::vector<Hooks> out;
    add_hooks(out, std::type_identity<EffectNode>{});
    add_hooks(out, std::type_identity<ConditionNode>{});
    add_hooks(out, std::type_identity<ValueNode>{});
    add_hooks(out, std::type_identity<QueryNode>{});
    add_hooks<PassReward>(out);
    add_hooks<PivotalDef>(out);
    add_hooks<TurnFlowDef>(out);
    add_hooks<CoupPlanDef>(out);
    add_hooks<EligibilityOverride>(out);
    add_hooks<TokenInterpretation>(out);
    add_hooks<GrantDef>(out);
    add_hooks<TimedEffectDef>(out);
    return out;
  }();
  static const Hooks none;
  const auto found = std::ranges::find(all, form.type, &Hooks::type);
  return found == all.end() ? none : *found;
}

// Where the value of a field goes: a member, or what is written besides the members.
struct Slot {
  void* to = nullptr;
  const Form* form = nullptr;
  void (*written)(Reading& r, const Node& node, const FieldInfo& field, void* to) = nullptr;

  void read(Reading& r, const Node& node, const FieldInfo& field) const {
    if (form != nullptr)
      read_member(r, node, field, *form, to);
    else if (written != nullptr)  // otherwise it is for people
      written(r, node, field, to);
  }
};

bool read_one(Reading& r, Fields& fields, const FieldInfo& field, const Slot& slot) {
  if (field.spec.itself) r.fields.give_up();
  if (field.key.empty()) {  // it is all there is, or has no mapping of its own
    slot.read(r, r.node(), field);
    return true;
  }
  const auto read = [&](const Node& node) {
    slot.read(r, node, field);
    check_least(r.cx, node, field.spec);
  };
  return field.spec.required ? fields.need(field.key, read) : fields.maybe(field.key, read);
}

void read_slots(Reading& r, std::span<const Slot> slots) {
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (r.construct.fields[i].spec.alone && !r.node().is_map() && !r.node().is_null()) {
      r.fields.give_up();
      return slots[i].read(r, r.node(), r.construct.fields[i]);
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

void read_construct(Reading& r, const Form& form, void* out) {
  const Hooks& hooks = hooks_of(form);
  if (hooks.by_hand != nullptr) return hooks.by_hand(r, out);
  std::vector<Slot> slots;
  slots.reserve(form.members.size() + form.written.size());
  for (const Member& member : form.members)
    slots.push_back({static_cast<char*>(out) + member.offset, &member.form()});
  for (std::size_t i = 0; i < form.written.size(); ++i)
    slots.push_back({.to = out, .written = hooks.written});
  read_slots(r, slots);
  if (hooks.check != nullptr) hooks.check(r, out);
}

void read_record(Context& cx, const Node& node, const Form& form, void* out) {
  const Construct& record = *find_construct(Family::record, form.record->key);
  Fields fields{cx, node, record.name()};
  Reading reading{cx, fields, record};
  for (const Member& member : form.members)
    if (member.form().sort == Form::Sort::place)
      *reinterpret_cast<PlaceId*>(static_cast<char*>(out) + member.offset) = cx.place(node);
  read_construct(reading, form, out);
}

bool read_field(Reading& r, std::string_view name, const Form& form, void* member) {
  for (const FieldInfo& field : r.construct.fields)
    if (field.name == name) return read_one(r, r.fields, field, {member, &form});
  return false;
}

namespace {

std::vector<ShapeReader> make_shape_readers() {
  std::vector<ShapeReader> out;
  const auto add = [&](Family family, const Form& node) {
    for (const Alternative& alternative : node.alternatives) {
      if (alternative.form().sort != Form::Sort::record) continue;
      const auto called = [&](const Tag& tag) {
        const std::string_view name = tag.value.empty() ? tag.key : tag.value;
        out.push_back({find_construct(family, name), &alternative});
      };
      if (alternative.tag != nullptr) called(*alternative.tag);
      for (const Variant& variant : alternative.variants) called(variant.tag);
    }
  };
  add(Family::effect, form_of<Effect>());
  add(Family::condition, form_of<Condition>());
  add(Family::value, form_of<Value>());
  add(Family::query, form_of<Query>());
  return out;
}

}  // namespace

const ShapeReader* find_shape(Family family, std::string_view key, std::string_view name) {
  static const std::vector<ShapeReader> all = make_shape_readers();
  for (const ShapeReader& reader : all)
    if (reader.construct->family == family && reader.construct->name() == name &&
        (key.empty() || reader.construct->tag.key == key))
      return &reader;
  return nullptr;
}

}  // namespace parlor::spec::lower
