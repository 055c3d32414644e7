#include "spec/gamedef/forms.h"

#include <algorithm>
#include <type_traits>

#include "spec/gamedef/authored.h"

namespace parlor::spec {
namespace {

using Sort = Form::Sort;

template <class T>
concept HasFields = requires(T& t) { T::fields(t, [](auto&&...) {}); };
template <class T>
concept IsNode = std::is_same_v<T, Value> || std::is_same_v<T, Condition> ||
                 std::is_same_v<T, Query> || std::is_same_v<T, Effect>;

template <class T>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_box = false;
template <class T>
inline constexpr bool is_box<Box<T>> = true;
template <class T>
inline constexpr bool is_named = false;
template <class T>
inline constexpr bool is_named<Named<T>> = true;
template <class T>
inline constexpr bool is_choice = false;
template <class... Ts>
inline constexpr bool is_choice<std::variant<Ts...>> = true;

// What has no parts to describe.
template <class T>
constexpr std::optional<Sort> plain_sort() {
  if constexpr (std::is_same_v<T, Int>) return Sort::number;
  if constexpr (std::is_same_v<T, bool>) return Sort::truth;
  if constexpr (std::is_same_v<T, std::vector<bool>>) return Sort::truths;
  if constexpr (std::is_same_v<T, std::string>) return Sort::text;
  if constexpr (std::is_same_v<T, PlaceId>) return Sort::place;
  if constexpr (std::is_same_v<T, nlohmann::json>) return Sort::data;
  if constexpr (std::is_same_v<T, PlayerSel>) return Sort::player;
  if constexpr (std::is_same_v<T, ZoneSel>) return Sort::zone;
  if constexpr (std::is_same_v<T, Name>) return Sort::name;
  if constexpr (std::is_same_v<T, DirectionSel>) return Sort::direction;
  if constexpr (std::is_same_v<T, TokenFilter>) return Sort::filter;
  return std::nullopt;
}

template <class T>
T& whole(void* at) {
  return *static_cast<T*>(at);
}
template <class T>
const T& whole(const void* at) {
  return *static_cast<const T*>(at);
}

template <class Enum>
void add_words(Form& form) {
  form.words = EnumNames<Enum>::names;
  form.which = [](const void* at) { return static_cast<std::size_t>(whole<Enum>(at)); };
  form.choose = [](void* at, std::size_t word) { whole<Enum>(at) = static_cast<Enum>(word); };
}

template <class List>
void add_items(Form& form) {
  form.inside = &form_of<typename List::value_type>;
  form.count = [](const void* at) { return whole<List>(at).size(); };
  form.item = [](void* at, std::size_t i) -> void* { return &whole<List>(at)[i]; };
  form.add = [](void* at) -> void* { return &whole<List>(at).emplace_back(); };
  form.insert = [](void* at, std::size_t i) -> void* {
    List& list = whole<List>(at);
    return &*list.emplace(list.begin() + static_cast<std::ptrdiff_t>(i));
  };
  form.drop = [](void* at) { whole<List>(at).pop_back(); };
  form.clear = [](void* at, std::size_t room) {
    whole<List>(at).clear();
    whole<List>(at).reserve(room);
  };
}

template <class T>
void add_named_things(Form& form) {
  form.inside = &form_of<typename T::Thing>;
  form.count = [](const void* at) { return whole<T>(at).size(); };
  form.item = [](void* at, std::size_t i) -> void* { return &whole<T>(at).at(i).second; };
  form.name = [](void* at, std::size_t i) -> const std::string& {
    return whole<T>(at).at(i).first;
  };
  form.add_named = [](void* at, std::string_view name) -> void* { return &whole<T>(at)[name]; };
}

template <class Optional>
void add_content(Form& form) {
  form.inside = &form_of<typename Optional::value_type>;
  form.count = [](const void* at) -> std::size_t { return whole<Optional>(at) ? 1 : 0; };
  form.item = [](void* at, std::size_t) -> void* { return &*whole<Optional>(at); };
  form.add = [](void* at) -> void* { return &whole<Optional>(at).emplace(); };
}

// Something that is always there, and is all there is.
template <auto get>
void add_only(Form& form, FormOf inside) {
  form.inside = inside;
  form.count = [](const void*) -> std::size_t { return 1; };
  form.item = [](void* at, std::size_t) -> void* { return get(at); };
  form.add = [](void* at) -> void* { return get(at); };
}
template <class T>
void* in_box(void* at) {
  return &*whole<T>(at);
}
void* items_of(void* at) {
  return &whole<ListLiteral>(at).items;
}
void* parts_of(void* at) {
  return &whole<ConcatValue>(at).parts;
}

// What `visit` got besides a name and a member.
template <class... More>
constexpr bool is_beside = (std::is_same_v<More, Beside> || ...);

template <class T>
void add_members(Form& form) {
  T prototype{};
  const auto* start = reinterpret_cast<const char*>(&prototype);
  T::fields(prototype, [&](const char* name, auto& member, auto... more) {
    const auto* at = reinterpret_cast<const char*>(&member);
    form.members.push_back({name, static_cast<std::size_t>(at - start),
                            &form_of<std::remove_cvref_t<decltype(member)>>, spec_of(more...),
                            is_beside<decltype(more)...>});
  });
  if constexpr (requires { T::record; }) form.record = &T::record;
  if constexpr (requires { T::gives; }) form.gives = T::gives;
  if constexpr (requires { T::written; }) form.written = T::written;
  form.checked = requires { T::checked; };
  form.begun = requires { T::begun; };
  form.by_hand = requires { T::by_hand; };
}

// A node keeps its alternatives in a member, a choice is the variant itself.
template <class T>
auto& variant_in(T& thing) {
  if constexpr (IsNode<std::remove_const_t<T>>)
    return thing.node;
  else
    return thing;
}

template <class Whole, std::size_t I>
Alternative alternative() {
  using Choices = std::remove_cvref_t<decltype(variant_in(std::declval<Whole&>()))>;
  using T = std::variant_alternative_t<I, Choices>;
  Alternative out{.form = &form_of<T>};
  if constexpr (requires { T::tag; }) out.tag = &T::tag;
  if constexpr (requires { T::variants; }) out.variants = T::variants;
  out.in = [](void* at) -> void* { return std::get_if<I>(&variant_in(whole<Whole>(at))); };
  out.become = [](void* at) -> void* {
    return &variant_in(whole<Whole>(at)).template emplace<I>();
  };
  return out;
}

template <class Whole, std::size_t... I>
void add_alternatives(Form& form, std::index_sequence<I...>) {
  form.which = [](const void* at) { return variant_in(whole<Whole>(at)).index(); };
  (form.alternatives.push_back(alternative<Whole, I>()), ...);
}
template <class Whole>
void add_alternatives(Form& form) {
  using Choices = std::remove_cvref_t<decltype(variant_in(std::declval<Whole&>()))>;
  add_alternatives<Whole>(form, std::make_index_sequence<std::variant_size_v<Choices>>{});
}

template <class T>
Form make_form() {
  Form form{.type = &type_mark<T>};
  if constexpr (constexpr auto plain = plain_sort<T>()) {
    form.sort = *plain;
  } else if constexpr (std::is_enum_v<T>) {
    form.sort = Sort::word;
    add_words<T>(form);
  } else if constexpr (is_list<T>) {
    form.sort = Sort::list;
    add_items<T>(form);
  } else if constexpr (is_named<T>) {
    form.sort = Sort::named;
    add_named_things<T>(form);
  } else if constexpr (is_optional<T>) {
    form.sort = Sort::optional;
    add_content<T>(form);
  } else if constexpr (is_box<T>) {
    form.sort = Sort::box;
    add_only<in_box<T>>(form, &form_of<std::remove_cvref_t<decltype(*std::declval<T&>())>>);
  } else if constexpr (std::is_same_v<T, ListLiteral>) {
    form.sort = Sort::box;
    add_only<items_of>(form, &form_of<decltype(ListLiteral::items)>);
  } else if constexpr (std::is_same_v<T, ConcatValue>) {
    form.sort = Sort::box;
    add_only<parts_of>(form, &form_of<decltype(ConcatValue::parts)>);
  } else if constexpr (IsNode<T>) {
    form.sort = Sort::node;
    form.place = [](void* at) { return &whole<T>(at).at; };
    add_alternatives<T>(form);
  } else if constexpr (is_choice<T>) {
    form.sort = Sort::choice;
    add_alternatives<T>(form);
  } else {
    static_assert(HasFields<T>, "what is part of a GameDef has PARLOR_FIELDS");
    add_members<T>(form);
  }
  return form;
}

}  // namespace

template <class T>
const Form& form_of() {
  static const Form form = make_form<T>();
  return form;
}

bool Part::empty() const {
  switch (form->sort) {
    case Sort::list:
    case Sort::named:
    case Sort::optional:
      return count() == 0;
    case Sort::truths:
      return as<std::vector<bool>>()->empty();
    case Sort::text:
      return as<std::string>()->empty();
    case Sort::place:
      return as<PlaceId>()->index == 0;
    default:
      return false;
  }
}

void each_part(Part part, const std::function<void(Part)>& visit) {
  const Form& form = *part.form;
  if (const auto* filter = part.as<TokenFilter>()) {
    visit(Part::of(filter->test.value));
    visit(Part::of(filter->args));
  } else if (const auto* zone = part.as<ZoneSel>()) {
    visit(Part::of(zone->expr));
  } else if (const auto* direction = part.as<DirectionSel>()) {
    visit(Part::of(direction->expr));
  } else if (form.sort == Sort::node || form.sort == Sort::choice) {
    visit(part.chosen());
  } else if (form.sort == Sort::record) {
    for (const Member& member : form.members) visit(part.member(member));
  } else if (form.count != nullptr && part.as<ListLiteral>() == nullptr) {
    for (std::size_t i = 0; i < part.count(); ++i) visit(part.item(i));
  }
}

namespace {

template <class T>
bool equal(Part a, Part b) {
  return *a.as<T>() == *b.as<T>();
}

bool same(Part a, Part b);

bool same_items(Part a, Part b) {
  if (a.count() != b.count()) return false;
  for (std::size_t i = 0; i < a.count(); ++i)
    if (!same(a.item(i), b.item(i))) return false;
  return true;
}

bool same(Part a, Part b) {
  const Form& form = *a.form;
  switch (form.sort) {
    case Sort::number:
      return equal<Int>(a, b);
    case Sort::truth:
      return equal<bool>(a, b);
    case Sort::truths:
      return equal<std::vector<bool>>(a, b);
    case Sort::text:
      return equal<std::string>(a, b);
    case Sort::word:
      return form.which(a.at) == form.which(b.at);
    case Sort::place:
      return true;
    case Sort::data:
      return equal<nlohmann::json>(a, b);
    case Sort::player:
      return equal<PlayerSel>(a, b);
    case Sort::zone:
      return equal<ZoneSel>(a, b);
    case Sort::name:
      return equal<Name>(a, b);
    case Sort::direction:
      return equal<DirectionSel>(a, b);
    case Sort::filter:
      return equal<TokenFilter>(a, b);
    case Sort::optional:
    case Sort::list:
    case Sort::box:
      return same_items(a, b);
    case Sort::named:
      for (std::size_t i = 0; i < std::min(a.count(), b.count()); ++i)
        if (a.name(i) != b.name(i)) return false;
      return same_items(a, b);
    case Sort::record:
      return std::ranges::all_of(form.members, [&](const Member& member) {
        return same(a.member(member), b.member(member));
      });
    case Sort::choice:
    case Sort::node:
      return form.which(a.at) == form.which(b.at) && same(a.chosen(), b.chosen());
  }
  return false;
}

}  // namespace

bool same(const Form& form, const void* a, const void* b) {
  return same(Part{a, &form}, Part{b, &form});
}

bool mentions(Part part, const void* type) {
  if (part.form->type == type) return true;
  bool found = false;
  each_part(part, [&](Part inner) { found = found || mentions(inner, type); });
  return found;
}

namespace {

// Those that do not stand in something inside it.
template <class Visit>
void each_own_text(Part part, const Visit& visit) {
  visit_if<std::string>(part, visit);
  visit_if<Name>(part, [&](const Name& name) { visit(name.text); });
  visit_if<PlayerSel>(part, [&](const PlayerSel& player) { visit(player.binding); });
  visit_if<ZoneSel>(part, [&](const ZoneSel& zone) {
    visit(zone.text);
    visit(zone.owner.binding);
  });
  visit_if<DirectionSel>(part, [&](const DirectionSel& direction) {
    visit(direction.binding);
    std::ranges::for_each(direction.names, visit);
  });
}

bool is_binder_of(Part record, const Member& member, const std::string& name) {
  const auto* text = record.member(member).as<std::string>();
  return member.spec.binds() && text != nullptr && *text == name;
}

bool among(std::string_view words, std::string_view word) {
  return (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

// Whether the name means something of the record's own in one of its members.
bool shadows(Part record, const Member& member, const std::string& name) {
  return member.spec.implicit == name ||
         std::ranges::any_of(record.form->members, [&](const Member& binder) {
           return is_binder_of(record, binder, name) && among(binder.spec.visible, member.name);
         });
}

bool rename_in_record(Part record, const std::string& name, const std::string& called) {
  for (const Member& member : record.form->members) {
    // One that is seen by what follows is none of those that stand inside something.
    if (is_binder_of(record, member, name) && member.spec.visible.empty()) return false;
    if (is_binder_of(record, member, name) || shadows(record, member, name)) continue;
    if (!rename(record.member(member), name, called)) return false;
  }
  return true;
}

}  // namespace

void each_text(Part part, const std::function<void(const std::string&)>& visit) {
  each_own_text(part, visit);
  each_part(part, [&](Part inner) { each_text(inner, visit); });
}

bool rename(Part part, const std::string& name, const std::string& called) {
  if (part.form->sort == Sort::record) return rename_in_record(part, name, called);
  bool whole = true;
  each_own_text(part, [&](const std::string& text) {
    if (text == name) const_cast<std::string&>(text) = called;
    whole = whole && text.find('{' + name + '}') == std::string::npos;
  });
  each_part(part, [&](Part inner) { whole = whole && rename(inner, name, called); });
  return whole;
}

bool number_names(Part part, int depth) {
  bool whole = true;
  if (part.form->sort == Sort::record)
    for (const Member& binder : part.form->members) {
      auto* name = const_cast<std::string*>(part.member(binder).as<std::string>());
      if (!binder.spec.binds() || name == nullptr || name->empty()) continue;
      const std::string number = "$:" + std::to_string(depth++);  // no rule can call anything so
      whole = whole && !binder.spec.visible.empty();
      for (const Member& member : part.form->members)
        if (among(binder.spec.visible, member.name) && !is_binder_of(part, member, *name))
          whole = whole && rename(part.member(member), *name, number);
      *name = number;
    }
  each_part(part, [&](Part inner) { whole = whole && number_names(inner, depth); });
  return whole;
}

template const Form& form_of<GameDef>();
template const Form& form_of<Value>();
template const Form& form_of<Condition>();
template const Form& form_of<Query>();
template const Form& form_of<Effect>();
template const Form& form_of<Effects>();
template const Form& form_of<RemovalGroup>();
template const Form& form_of<Neighbour>();
template const Form& form_of<SpaceFilter>();
template const Form& form_of<PieceFilter>();
template const Form& form_of<std::vector<AuthoredMetric>>();
template const Form& form_of<AuthoredStandings>();
template const Form& form_of<std::vector<CoupPhase>>();
template const Form& form_of<PropsFrom>();
template const Form& form_of<Reasoned>();
template const Form& form_of<std::vector<PhaseBoundary>>();
template const Form& form_of<TokenTest>();
template const Form& form_of<VarCell>();
template const Form& form_of<Verbalization>();
template const Form& form_of<CellLook>();
template const Form& form_of<AreaLook>();
template const Form& form_of<BoardLook>();
template const Form& form_of<TokenLook>();
template const Form& form_of<MarkerLook>();
template const Form& form_of<Named<SeatLook>>();
template const Form& form_of<Named<std::string>>();
template const Form& form_of<Named<ObserverDef>>();
template const Form& form_of<Named<ConstantRange>>();
template const Form& form_of<std::string>();
template const Form& form_of<std::vector<ActionDef>>();
template const Form& form_of<std::vector<PipelineDef>>();
template const Form& form_of<std::vector<EventDeckDef>>();
template const Form& form_of<std::vector<HookDef>>();
template const Form& form_of<Terminal>();
template const Form& form_of<std::vector<TokenFilter>>();
template const Form& form_of<std::vector<Value>>();

}  // namespace parlor::spec
