// What the rules of a game are, as one number.
#include <map>

#include "base/hash.h"
#include "base/json.h"
#include "spec/gamedef/node_traits.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

// Takes in one part of the rules after the other. Parts are told apart by what comes before them:
// every field by its name, every list and text by its length.
class RulesHash {
 public:
  void number(std::uint64_t n) { hash_ = hash_combine(hash_, n); }
  void word(std::string_view text) { hash_ = hash_text(text, hash_); }
  // Names that the compiler made up (`$__macro_pay_actions_3_x`) tell where a macro was used and
  // how it is called; they count by the order in which they come.
  void text(std::string_view text) {
    if (text.find("$__") == std::string_view::npos) return word(text);
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
      if (!text.substr(at).starts_with("$__")) {
        plain += text[at++];
        continue;
      }
      std::size_t end = at + 1;
      while (end < text.size() && name_character(text[end])) ++end;
      const auto [made, added] =
          made_up_.try_emplace(std::string(text.substr(at, end - at)), made_up_.size());
      plain += "$__" + std::to_string(made->second);
      at = end;
    }
    word(plain);
  }
  void data(const Json& json) { word(canonical(json)); }

  template <class T>
  void add(const T& value);

  std::uint64_t value() const { return hash_; }

 private:
  template <HasFields T>
  void fields(const T& value) {
    T::fields(value, [&](const char* name, const auto& member, auto... more) {
      if constexpr (!(std::is_same_v<decltype(more), Beside> || ...)) {
        if (is_empty_field(member)) return;
        word(name);
        add(member);
      }
    });
    word("");
  }
  void player(const PlayerSel& sel) {
    // Numbers and bindings have no word of their own.
    const bool other = sel.kind == PlayerSel::Kind::id || sel.kind == PlayerSel::Kind::binding;
    word(other ? (sel.kind == PlayerSel::Kind::id ? "id" : "binding") : enum_name(sel.kind));
    number(static_cast<std::uint64_t>(sel.id));
    text(sel.binding);
  }
  void zone(const ZoneSel& sel) {
    number(static_cast<std::uint64_t>(sel.kind));
    text(sel.text);
    player(sel.owner);
    add(sel.expr);
  }
  void filter(const TokenFilter& filter) {
    number(static_cast<std::uint64_t>(filter.kind));
    if (filter.kind == TokenFilter::Kind::test)
      fields(filter.test);
    else
      add(filter.args);
  }
  template <class Shape>
  void alternative(const Shape& shape) {
    if constexpr (std::is_same_v<Shape, ListLiteral>) {
      word("list");
      add(shape.items);
    } else if constexpr (std::is_same_v<Shape, ConcatValue>) {
      word("concat");
      add(shape.parts);
    } else if constexpr (HasTag<Shape>) {
      word(Shape::tag.key);
      word(Shape::tag.value);
      fields(shape);
    } else {
      add(shape);  // literals, arithmetic and comparisons
    }
  }

  std::uint64_t hash_ = 0;
  std::map<std::string, std::size_t> made_up_;
};

template <class T>
void RulesHash::add(const T& value) {
  if constexpr (IsNode<T>) {
    std::visit([&](const auto& shape) { alternative(shape); }, value.node);
  } else if constexpr (std::is_same_v<T, PlaceId>) {
    // Where it stands is no rule.
  } else if constexpr (std::is_same_v<T, PlayerSel>) {
    player(value);
  } else if constexpr (std::is_same_v<T, ZoneSel>) {
    zone(value);
  } else if constexpr (std::is_same_v<T, Name>) {
    number(static_cast<std::uint64_t>(value.kind));
    text(value.text);
  } else if constexpr (std::is_same_v<T, DirectionSel>) {
    number(static_cast<std::uint64_t>(value.kind));
    add(value.names);
    text(value.binding);
    if (value.kind == DirectionSel::Kind::expression) add(value.expr);
  } else if constexpr (std::is_same_v<T, TokenFilter>) {
    filter(value);
  } else if constexpr (IsEnum<T>) {
    word(enum_name(value));
  } else if constexpr (IsOptional<T>::value) {
    add(*value);
  } else if constexpr (IsVector<T>::value) {
    number(value.size());
    for (const typename T::value_type& item : value) add(item);
  } else if constexpr (HasFields<T>) {
    fields(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    word("text");
    text(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    word(value ? "true" : "false");
  } else if constexpr (std::is_integral_v<T>) {
    word("number");
    number(static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_same_v<T, Json>) {
    data(value);
  } else if constexpr (requires {
                         value.index();
                         std::variant_size<T>::value;
                       }) {
    std::visit([&](const auto& item) { add(item); }, value);
  } else {
    add(*value);  // Box
  }
}

}  // namespace

std::uint64_t rules_hash(const GameDef& game) {
  RulesHash hash;
  hash.add(game);
  // How things are called and drawn, whom bots take after and what else could have been chosen
  // changes no rule.
  for (const auto& [name, section] : game.sections.items()) {
    if (name == "verbalization" || name == "display" || name == "agents" ||
        name == "constantRanges")
      continue;
    hash.word(name);
    hash.data(section);
  }
  return hash.value();
}

}  // namespace parlor::spec
