#include "spec/lower/construct.h"

#include <fmt/core.h>
#include <unordered_map>
#include <utility>

#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

const Construct& construct_of(const Form& form) {
  static const auto all = [] {
    std::unordered_map<const void*, const Construct*> out;
    for (const Construct& construct : language())
      if (construct.family == Family::record && construct.form != nullptr)
        out.emplace(construct.form->type, &construct);
    return out;
  }();
  return *all.at(form.type);
}

// The scope in which a field is read. What is bound around it comes back afterwards.
class Begun {
 public:
  Begun(Context& cx, ReadIn begins) : cx_(cx) {
    if (begins == ReadIn::block) mark_ = cx.scope.mark();
    if (begins == ReadIn::scope || mark_) return;
    outer_.emplace(std::exchange(cx.scope, Scope{}));
    if (begins == ReadIn::move) declare_move_bindings(cx);
  }
  ~Begun() {
    if (outer_) cx_.scope = std::move(*outer_);
    if (mark_) cx_.scope.leave(*mark_);
  }
  Begun(const Begun&) = delete;
  Begun& operator=(const Begun&) = delete;

 private:
  Context& cx_;
  std::optional<Scope> outer_;
  std::optional<std::size_t> mark_;
};

// A mapping of its own inside a construct: `expires: {turn: …}`.
struct Nested {
  Nested(Context& cx, const Node& node, const FieldInfo& field)
      : key(field.inside), step(cx.step(key)), fields(cx, node, key) {
    fields.hint(field.spec.shape_hint);
  }
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
                 TokenFilter, VarCell, GrantDef, Named<Seen>, std::string, bool, Int, Scalar,
                 std::vector<Int>, std::vector<std::string>, std::vector<bool>, std::vector<Value>,
                 std::vector<Condition>, std::vector<Query>, std::vector<RowTest>,
                 std::vector<PropValue>, AttributeValue, nlohmann::json>();
  const auto found = std::ranges::find(all, form.type, &MemberReader::type);
  return found == all.end() ? nullptr : &*found;
}

// A list of those is written as a list; one of anything else is none or one.
bool has_many(const Form& item) {
  return item.record != nullptr || item.sort == Form::Sort::word || item.sort == Form::Sort::list;
}

void read_member(Reading& r, const Node& node, const FieldInfo& field, const Form& form, void* to,
                 const Node* called = nullptr);

std::string list_noun(const FieldInfo& field, const Form& item) {
  if (item.record != nullptr && field.spec.noun.empty()) return list_of_records(item.record->key);
  if (item.sort == Form::Sort::word) return fmt::format("a list of {}", plural(field.spec.noun));
  return std::string{field.spec.noun.empty() ? "a list" : field.spec.noun};
}

// What tells the items of a list apart: the first of their fields that is a name.
const FieldInfo& name_field(const Form& item) {
  return *std::ranges::find(construct_of(item).fields, Expects::id,
                            [](const FieldInfo& field) { return field.spec.expects; });
}

void read_items(Reading& r, const Node& node, const FieldInfo& field, const Form& form, void* to) {
  const Form& item_form = form.inside();
  const FieldSpec& spec = field.spec;
  UniqueIds ids{r.cx, spec.unique};
  const std::string what = list_noun(field, item_form);
  if (node.is_scalar() && !spec.shape_hint.empty()) {
    wrong_shape(r.cx, node, what).suggestion = spec.shape_hint;
    return;
  }
  each_item(r.cx, node, what, [&](const Node& item) {
    const Begun begun{r.cx, spec.begins};
    void* at = form.add(to);
    read_member(r, item, field, item_form, at);
    if (spec.unique.empty()) return;
    const FieldInfo& id = name_field(item_form);
    const Node* name = item.is_string() ? &item : item.find(id.key);
    const auto& text = *reinterpret_cast<const std::string*>(static_cast<char*>(at) + id.offset);
    if (text.empty() || (name != nullptr && !ids.add(text, *name, id.key))) form.drop(to);
  });
}

// {name: something}; lists of pairs are kept in byte order of the names.
void read_by_name(Reading& r, const Node& node, const FieldInfo& field, const Form& form,
                  void* to) {
  const FieldSpec& spec = field.spec;
  if (!node.is_map()) {
    const bool any = spec.names == Expects::text || spec.names == Expects::key;
    const std::string names = any ? "names" : plural(expects_name(spec.names));
    const std::string what = fmt::format("a mapping from {}", names);
    wrong_shape(r.cx, node, spec.noun.starts_with("a mapping") ? spec.noun : what);
  }
  for (const Entry& entry : node.entries) {
    const auto step = r.cx.step(entry.key);
    const Node called = Node::of_string(entry.key, {entry.key_place, node.origin.expansion});
    check_name(r.cx, called, spec);
    const Form& inner = form.inside();
    if (form.sort == Form::Sort::named) {
      read_member(r, entry.value, field, inner, form.add_named(to, entry.key), &called);
      continue;
    }
    const Member &name = inner.members[0], &value = inner.members[1];
    const auto part = [](void* pair, const Member& member) {
      return static_cast<void*>(static_cast<char*>(pair) + member.offset);
    };
    const auto text = [&](void* pair) -> std::string& {
      return *static_cast<std::string*>(part(pair, name));
    };
    std::size_t at = 0;
    while (at < form.count(to) && text(form.item(to, at)) < entry.key) ++at;
    void* pair = form.insert(to, at);
    text(pair) = entry.key;
    read_member(r, entry.value, field, value.form(), part(pair, value), &called);
  }
}

void read_member(Reading& r, const Node& node, const FieldInfo& field, const Form& form, void* to,
                 const Node* called) {
  if (field.spec.by_name && called == nullptr && form.sort == Form::Sort::list)
    return read_by_name(r, node, field, form, to);
  if (const MemberReader* reader = find_reader(form)) return reader->read(r, node, field, to);
  if (form.sort == Form::Sort::named) return read_by_name(r, node, field, form, to);
  if (form.sort == Form::Sort::word) {
    if (const auto word = read_enumerator(r, node, field))
      form.choose(
          to, static_cast<std::size_t>(std::ranges::find(form.words, *word) - form.words.begin()));
  } else if (form.record != nullptr) {
    read_record(r.cx, node, form, to, called);
  } else if (form.sort == Form::Sort::list && has_many(form.inside())) {
    read_items(r, node, field, form, to);
  } else if (form.inside != nullptr) {  // none or one
    read_member(r, node, field, form.inside(), form.add(to), called);
  }
}

// ---- What a declaration leaves to code
struct Hooks {
  void (*begin)(Reading& r, void* out) = nullptr;
  void (*check)(Reading& r, void* out) = nullptr;
  void (*key)(Reading& r, const Node& node, const FieldInfo& field, void* out) = nullptr;
  void (*by_hand)(Reading& r, void* out) = nullptr;
};

const Hooks& hooks_of(const Form& form) {
  static const auto all = [] {
    std::unordered_map<const void*, Hooks> out;
#define BEGIN(T) \
  out[&type_mark<T>].begin = [](Reading& r, void* to) { begin(r, *static_cast<T*>(to)); };
#define CHECK(T) \
  out[&type_mark<T>].check = [](Reading& r, void* to) { check(r, *static_cast<T*>(to)); };
#define KEY(T)                                                                               \
  out[&type_mark<T>].key = [](Reading& r, const Node& n, const FieldInfo& field, void* to) { \
    read_key(r, n, field, *static_cast<T*>(to));                                             \
  };
#define BY_HAND(T) \
  out[&type_mark<T>].by_hand = [](Reading& r, void* to) { read_by_hand(r, *static_cast<T*>(to)); };
#include "spec/lower/hooks.def"
    return out;
  }();
  static const Hooks none;
  const auto found = all.find(form.type);
  return found == all.end() ? none : found->second;
}

// Where the values of a construct's fields go: into its members, or to a hook.
struct Target {
  char* whole = nullptr;

  void* member(const FieldInfo& field) const { return whole + field.offset; }

  void read(Reading& r, const Node& node, const FieldInfo& field) const {
    const FieldSpec& spec = field.spec;
    const bool list = field.form != nullptr && field.form->sort == Form::Sort::list &&
                      has_many(field.form->inside());
    const Begun begun{r.cx, list && !spec.hand ? ReadIn::scope : spec.begins};  // else each item
    if (spec.hand) {
      hooks_of(*field.owner).key(r, node, field, whole + field.owner_offset);
    } else if (field.form != nullptr && field.member) {
      read_member(r, node, field, *field.form, member(field));
    } else if (spec.expects == Expects::word || spec.expects == Expects::marker_state) {
      std::string unused;  // other keys without a member are for people
      read_into(r, node, field, unused);
    }
    if (!spec.none.empty() && node.is_list() && node.items.empty())
      r.cx.error(Code::LIST_EMPTY, node, std::string{spec.none}).suggestion = spec.shape_hint;
  }
};

bool read_one(Reading& r, Fields& fields, const FieldInfo& field, const Target& target) {
  if (field.spec.itself) r.fields.give_up();
  if (field.key.empty()) {  // it is all there is, or has no mapping of its own
    target.read(r, r.node(), field);
    return true;
  }
  const Reading::Has has = r.has(field);
  if (has == Reading::Has::unknown) fields.allow({field.key});
  if (has != Reading::Has::yes) return false;
  const auto read = [&](const Node& node) {
    target.read(r, node, field);
    check_least(r.cx, node, field.spec);
  };
  if (!field.spec.required) return fields.maybe(field.key, read);
  const FieldInfo* other = r.construct.field(field.spec.instead);
  return fields.need(field.key, read, other != nullptr ? other->key : std::string_view{});
}

void read_fields(Reading& r, const Target& target) {
  if (!r.node().is_map() && !r.node().is_null())
    for (const FieldInfo& field : r.construct.fields)
      if (field.spec.alone) {
        r.fields.give_up();
        return target.read(r, r.node(), field);
      }
  Block block;
  std::optional<Nested> nested;
  for (const ReadStep& step : r.construct.steps) {
    const FieldInfo& field = r.construct.fields[step.field];
    if (nested && nested->key != field.inside) nested.reset();
    if (!field.inside.empty() && !nested) {
      const Reading::Has has = r.has(field);
      if (has == Reading::Has::no) continue;
      const Node* inner = field.spec.under_needed && has == Reading::Has::yes
                              ? r.fields.required(field.inside)
                              : r.fields.optional(field.inside);
      if (inner == nullptr) continue;
      nested.emplace(r.cx, *inner, field);
    }
    if (step.opens) {
      block = {};
      block.mark = r.cx.scope.mark();
    }
    const bool there = read_one(r, nested ? nested->fields : r.fields, field, target);
    if (field.spec.binds()) {
      block.own.push_back(*static_cast<const std::string*>(target.member(field)));
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

const FieldInfo* Reading::find_field(std::string_view name) const {
  const FieldInfo* found = construct.field(name);
  return found != nullptr || outer_ == nullptr ? found : outer_->find_field(name);
}

const Node* Reading::said(std::string_view field) const {
  const FieldInfo* info = construct.field(field);
  if (info == nullptr) return outer_ != nullptr ? outer_->said(field) : nullptr;
  const Node* mapping = info->inside.empty() ? &node() : node().find(info->inside);
  const Node* found = mapping != nullptr ? mapping->find(info->key) : nullptr;
  return found != nullptr && found->is_null() ? nullptr : found;
}

std::string_view Reading::text(std::string_view field) const {
  const Node* found = said(field);
  return found != nullptr && found->is_string() ? std::string_view{found->text}
                                                : std::string_view{};
}

Reading::Has Reading::has(const FieldInfo& field) const {
  const FieldSpec& spec = field.spec;
  if (!spec.instead.empty() && said(spec.instead) != nullptr) return Has::no;
  if (spec.depends.empty()) return Has::yes;
  const std::string_view word = text(spec.depends);
  const auto& words = find_field(spec.depends)->words;
  if (std::ranges::find(words, word) == words.end()) return Has::unknown;
  return has_word(spec.on_words, word) ? Has::yes : Has::no;
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
  r.becomes(form, out);
  if (hooks.begin != nullptr) hooks.begin(r, out);
  read_fields(r, {static_cast<char*>(out)});
  if (hooks.check != nullptr) hooks.check(r, out);
}

void read_record(Context& cx, const Node& node, const Form& form, void* out, const Node* called) {
  const Construct& record = construct_of(form);
  Fields fields{cx, node, record.name()};
  Reading reading{cx, fields, record};
  reading.called = called;
  for (const FieldInfo& field : record.fields)
    if (field.form != nullptr && field.form->sort == Form::Sort::place)
      *reinterpret_cast<PlaceId*>(static_cast<char*>(out) + field.offset) = cx.place(node);
  read_construct(reading, form, out);
}

void read_section(Context& cx, Section section) {
  const Node* node = cx.doc.find(section);
  if (node == nullptr) return;
  const std::string_view name = section_name(section);
  const auto path = cx.step(name);
  const Form& form = form_of<GameDef>();
  Fields fields{cx, *node, name};
  Reading reading{cx, fields, construct_of(form)};
  reading.becomes(form, &cx.game);
  const Target target{reinterpret_cast<char*>(&cx.game)};
  for (const ReadStep& step : reading.construct.steps) {
    const FieldInfo& field = reading.construct.fields[step.field];
    if (field.inside == name) read_one(reading, fields, field, target);
    if (!field.inside.empty() || field.key != name) continue;
    fields.give_up();
    target.read(reading, *node, field);
  }
}

bool has_hooks(const Form& form) {
  const Hooks& hooks = hooks_of(form);
  if (form.by_hand) return hooks.by_hand != nullptr;
  const auto by_hand = [](const auto& field) { return field.spec.hand; };
  const bool keys =
      std::ranges::any_of(form.members, by_hand) || std::ranges::any_of(form.written, by_hand);
  return (!form.checked || hooks.check != nullptr) && (!form.begun || hooks.begin != nullptr) &&
         (!keys || hooks.key != nullptr);
}

bool read_field(Reading& r, std::string_view name, void* construct) {
  const FieldInfo* field = r.construct.field(name);
  return field != nullptr && read_one(r, r.fields, *field, {static_cast<char*>(construct)});
}

void read_plainly(Reading& r, const Node& node, const FieldInfo& field, const Form& form,
                  void* to) {
  read_member(r, node, field, form, to);
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
