// JSON to GameDef. Shape and type of every field are checked; unknown keys are errors.
//
// The templates here are made once per type and there are hundreds: whatever does not depend on the
// type is an ordinary function, which keeps this file quick to compile.
#include <fmt/core.h>

#include "base/json.h"
#include "spec/gamedef/node_traits.h"

namespace parlor::spec {
namespace {

using Json = nlohmann::json;

// Whole numbers are exact in every tool that reads them as JSON numbers.
constexpr Int max_integer = (Int{1} << 53) - 1;

// Thrown inside this file only; gamedef_from_json turns it into a value.
struct DecodeError {
  std::string message;
};

class Decoder {
 public:
  template <class T>
  void decode(const Json& json, T& out);

  std::string path() const {
    std::string out;
    for (const auto& part : path_) out += (out.empty() ? "" : ".") + part;
    return out.empty() ? "document" : out;
  }

 private:
  // As deep as what expansion lets through can become, shallow enough for the stack.
  static constexpr std::size_t max_depth = 1'600;

  [[noreturn]] void fail(std::string_view expected) const;
  const std::string& text(const Json& json) const;
  Int number(const Json& json) const;
  // What `json` has under `name`; null if it may be missing and is.
  const Json* field(const Json& json, const char* name, bool optional, std::size_t& known) const;
  void check_keys(const Json& json, std::size_t known, std::string_view tag_key, bool node) const;
  void push(std::string_view step);
  void push(std::size_t item) { push(std::to_string(item)); }

  // `step` is a key, or the number of an item.
  template <class T, class Step>
  void enter(Step step, const Json& json, T& out) {
    push(step);
    decode(json, out);
    path_.pop_back();
  }

  template <HasFields T>
  void decode_fields(const Json& json, T& out, std::string_view tag_key = {}, bool node = false) {
    if (!json.is_object()) fail("an object");
    std::size_t known = 0;
    T::fields(out, [&](const char* name, auto& member, auto...) {
      using Member = std::remove_cvref_t<decltype(member)>;
      if (const Json* found = field(json, name, omitted_when_empty<Member>, known))
        enter(name, *found, member);
    });
    check_keys(json, known, tag_key, node);
  }

  void decode_player(const Json& json, PlayerSel& out) {
    if (json.is_number_integer()) {
      out.kind = PlayerSel::Kind::id;
      out.id = number(json);
      return;
    }
    const std::string& word = text(json);
    if (const auto kind = enum_from_name<PlayerSel::Kind>(word)) {
      out.kind = *kind;
    } else if (word.starts_with('$')) {
      out.kind = PlayerSel::Kind::binding;
      out.binding = word;
    } else {
      fail("a player selector");
    }
  }

  void decode_zone(const Json& json, ZoneSel& out) {
    if (json.is_string()) {
      out.text = json.get<std::string>();
      out.kind = out.text.starts_with('$') ? ZoneSel::Kind::binding : ZoneSel::Kind::exact;
    } else if (json.is_object() && json.contains("zoneExpr")) {
      out.kind = ZoneSel::Kind::expression;
      enter("zoneExpr", json["zoneExpr"], out.expr.emplace_back());
    } else if (json.is_object() && json.contains("base") && json.contains("owner")) {
      out.kind = ZoneSel::Kind::owned;
      out.text = text(json["base"]);
      decode_player(json["owner"], out.owner);
    } else {
      fail("a zone selector");
    }
  }

  void decode_name(const Json& json, Name& out) {
    if (json.is_string()) {
      out.text = json.get<std::string>();
      return;
    }
    if (!json.is_object() || !json.contains("ref")) fail("a name or a reference");
    const bool binding = json["ref"] == "binding";
    const char* key = binding ? "name" : "key";
    if (!json.contains(key)) fail(fmt::format("key \"{}\"", key));
    out.kind = binding ? Name::Kind::binding : Name::Kind::grant_context;
    out.text = text(json[key]);
  }

  void decode_direction(const Json& json, DirectionSel& out) {
    if (json.is_array()) {
      out.kind = DirectionSel::Kind::names;
      for (const auto& name : json) out.names.push_back(text(name));
    } else if (json.is_object()) {
      out.kind = DirectionSel::Kind::expression;
      decode(json, out.expr.emplace_back());
    } else if (text(json) != "all") {
      out.kind = DirectionSel::Kind::binding;
      out.binding = json.get<std::string>();
    }
  }

  void decode_filter(const Json& json, TokenFilter& out) {
    if (!json.is_object()) fail("a token filter");
    if (json.contains("at")) decode(json["at"], out.at);
    if (json.contains("args")) {
      const bool any = json.contains("op") && json["op"] == "or";
      out.kind = any ? TokenFilter::Kind::any_of : TokenFilter::Kind::all_of;
      enter("args", json["args"], out.args);
    } else if (json.contains("arg")) {
      out.kind = TokenFilter::Kind::none_of;
      enter("arg", json["arg"], out.args.emplace_back());
    } else {
      decode_fields(json, out.test, {}, true);
    }
  }

  void decode_scalar(const Json& json, Scalar& out) {
    if (json.is_boolean())
      out = json.get<bool>();
    else if (json.is_number_integer())
      out = number(json);
    else
      out = text(json);
  }

  // Literals and the untagged shapes; false when `json` is a tagged one.
  bool decode_plain(const Json& json, Value& out) {
    if (json.is_number_integer())
      out.node = number(json);
    else if (json.is_boolean())
      out.node = json.get<bool>();
    else if (json.is_string())
      out.node = json.get<std::string>();
    else if (json.is_array())
      decode(json, out.node.emplace<ListLiteral>().items);
    else if (json.is_object() && json.contains("concat"))
      enter("concat", json["concat"], out.node.emplace<ConcatValue>().parts);
    else if (json.is_object() && json.contains("op"))
      decode_fields(json, out.node.emplace<Arith>(), {}, true);
    else
      return false;
    return true;
  }
  bool decode_plain(const Json& json, Condition& out) {
    if (json.is_boolean()) {
      out.node = json.get<bool>();
      return true;
    }
    if (json.is_object() && json.contains("op") && json["op"].is_string() &&
        enum_from_name<CompareOp>(json["op"].get_ref<const std::string&>())) {
      decode_fields(json, out.node.emplace<Compare>(), {}, true);
      return true;
    }
    return false;
  }
  template <class T>
  bool decode_plain(const Json&, T&) {
    return false;
  }

  // How one tagged alternative of a node is recognised and read.
  template <class T>
  struct Alternative {
    Tag tag;
    void (*decode)(Decoder& self, const Json& json, T& out);
  };

  template <class T, class Shape>
  static void decode_alternative(Decoder& self, const Json& json, T& out) {
    auto& shape = out.node.template emplace<Shape>();
    if (Shape::tag.value.empty())
      self.enter(Shape::tag.key, *json.find(Shape::tag.key), shape);
    else
      self.decode_fields(json, shape, Shape::tag.key, true);
  }

  template <class T>
  static const std::vector<Alternative<T>>& alternatives() {
    static const std::vector<Alternative<T>> all = [] {
      std::vector<Alternative<T>> list;
      each_alternative<decltype(T::node)>([&](auto type) {
        using Shape = typename decltype(type)::type;
        if constexpr (HasTag<Shape>) list.push_back({Shape::tag, &decode_alternative<T, Shape>});
      });
      return list;
    }();
    return all;
  }

  template <IsNode T>
  void decode_node(const Json& json, T& out) {
    if (json.is_object() && json.contains("at")) decode(json["at"], out.at);
    if (decode_plain(json, out)) return;
    if (!json.is_object()) fail("a rule node");
    for (const Alternative<T>& alternative : alternatives<T>()) {
      const auto place = json.find(alternative.tag.key);
      if (place == json.end()) continue;
      if (!alternative.tag.value.empty() && *place != alternative.tag.value) continue;
      return alternative.decode(*this, json, out);
    }
    fail("a known kind of value, condition, query or effect");
  }

  std::vector<std::string> path_;
};

void Decoder::fail(std::string_view expected) const {
  throw DecodeError{fmt::format("{}: expected {}", path(), expected)};
}

const std::string& Decoder::text(const Json& json) const {
  if (!json.is_string()) fail("text");
  return json.get_ref<const std::string&>();
}

Int Decoder::number(const Json& json) const {
  const auto number = integer_in(json, -max_integer, max_integer);
  if (!number) fail("a whole number between -(2^53 - 1) and 2^53 - 1");
  return *number;
}

const Json* Decoder::field(const Json& json, const char* name, bool optional,
                           std::size_t& known) const {
  const auto found = json.find(name);
  if (found != json.end()) {
    ++known;
    return &*found;
  }
  if (!optional) fail(fmt::format("key \"{}\"", name));
  return nullptr;
}

void Decoder::check_keys(const Json& json, std::size_t known, std::string_view tag_key,
                         bool node) const {
  if (!tag_key.empty() && json.contains(tag_key)) ++known;
  if (node && json.contains("at")) ++known;
  if (known != json.size()) fail("no unknown keys");
}

void Decoder::push(std::string_view step) {
  if (path_.size() >= max_depth) fail("less deeply nested rules");
  path_.emplace_back(step);
}

template <class T>
void Decoder::decode(const Json& json, T& out) {
  if constexpr (IsNode<T>) {
    decode_node(json, out);
  } else if constexpr (std::is_same_v<T, PlayerSel>) {
    decode_player(json, out);
  } else if constexpr (std::is_same_v<T, ZoneSel>) {
    decode_zone(json, out);
  } else if constexpr (std::is_same_v<T, Name>) {
    decode_name(json, out);
  } else if constexpr (std::is_same_v<T, DirectionSel>) {
    decode_direction(json, out);
  } else if constexpr (std::is_same_v<T, TokenFilter>) {
    decode_filter(json, out);
  } else if constexpr (std::is_same_v<T, Scalar>) {
    decode_scalar(json, out);
  } else if constexpr (std::is_same_v<T, decltype(Attribute::value)>) {
    if (json.is_array()) {
      decode(json, out.template emplace<std::vector<std::string>>());
    } else {
      Scalar scalar;
      decode_scalar(json, scalar);
      std::visit([&](auto& item) { out = std::move(item); }, scalar);
    }
  } else if constexpr (std::is_same_v<T, PlaceId>) {
    const auto index = integer_in(json, 0, UINT32_MAX);
    if (!index) fail("a place number");
    out.index = static_cast<std::uint32_t>(*index);
  } else if constexpr (IsEnum<T>) {
    const auto value = enum_from_name<T>(text(json));
    if (!value) fail("one of the known words");
    out = *value;
  } else if constexpr (IsOptional<T>::value) {
    decode(json, out.emplace());
  } else if constexpr (IsVector<T>::value) {
    if (!json.is_array()) fail("a list");
    out.clear();
    out.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
      if constexpr (std::is_same_v<typename T::value_type, bool>) {
        if (!json[i].is_boolean()) fail("true or false");
        out.push_back(json[i].get<bool>());
      } else {
        enter(i, json[i], out.emplace_back());
      }
    }
  } else if constexpr (HasFields<T>) {
    decode_fields(json, out);
  } else if constexpr (std::is_same_v<T, Json>) {
    out = json;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!json.is_boolean()) fail("true or false");
    out = json.get<bool>();
  } else if constexpr (std::is_same_v<T, Int>) {
    out = number(json);
  } else if constexpr (std::is_same_v<T, std::string>) {
    out = text(json);
  } else {
    decode(json, *out);  // Box
  }
}

// Where something was written is a place before it, so that following the way ends.
std::optional<std::string> wrong_place(const GameDef& game) {
  for (std::size_t i = 0; i < game.places.size(); ++i) {
    const PlaceRecord& place = game.places[i];
    const bool before = place.via >= 0 && (place.via == 0 || place.via < static_cast<Int>(i));
    const auto in_file = [](Int n) { return n >= 0 && n <= UINT32_MAX; };
    if (!before || !in_file(place.line) || !in_file(place.column))
      return fmt::format("places.{}: expected line, column, and the number of an earlier place", i);
  }
  return std::nullopt;
}

}  // namespace

tl::expected<GameDef, std::string> gamedef_from_json(const nlohmann::json& json) {
  const auto says = [&](const char* key, const Json& value) {
    return json.contains(key) && json[key] == value;
  };
  if (!json.is_object() || !says("format", "parlor-gamedef"))
    return tl::unexpected<std::string>(
        "document: expected a compiled game (format parlor-gamedef)");
  if (!says("version", 1))
    return tl::unexpected<std::string>("version: this program reads version 1");
  Json body = json;
  body.erase("format");
  body.erase("version");
  GameDef game;
  try {
    Decoder{}.decode(body, game);
  } catch (const DecodeError& error) {
    return tl::unexpected(error.message);
  }
  if (!game.sections.is_object() || !game.constants.is_object())
    return tl::unexpected<std::string>("sections, constants: expected objects");
  if (auto wrong = wrong_place(game)) return tl::unexpected(std::move(*wrong));
  return game;
}

}  // namespace parlor::spec
