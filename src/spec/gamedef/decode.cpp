// JSON to GameDef. Shape and type of every field are checked; unknown keys are errors.
#include <fmt/core.h>

#include "base/json.h"
#include "spec/gamedef/forms.h"

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
  void decode(const Json& json, const Form& form, void* out);
  template <class T>
  void decode(const Json& json, T& out) {
    decode(json, form_of<T>(), &out);
  }

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
  void check_keys(const Json& json, std::size_t known, std::string_view tag_key, bool node) const;
  void push(std::string_view step);

  void enter(std::string_view step, const Json& json, const Form& form, void* out) {
    push(step);
    decode(json, form, out);
    path_.pop_back();
  }
  template <class T>
  void enter(std::string_view step, const Json& json, T& out) {
    enter(step, json, form_of<T>(), &out);
  }
  void decode_fields(const Json& json, const Form& form, void* out, std::string_view tag_key = {},
                     bool node = false);

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
      decode_fields(json, form_of<TokenTest>(), &out.test, {}, true);
    }
  }

  void decode_word(const Json& json, const Form& form, void* out);
  void decode_choice(const Json& json, const Form& form, void* out);
  void decode_list(const Json& json, const Form& form, void* out);
  void decode_named(const Json& json, const Form& form, void* out);
  void decode_truths(const Json& json, std::vector<bool>& out);
  void decode_place(const Json& json, PlaceId& out);
  void decode_node(const Json& json, const Form& form, void* out);
  const Alternative* plain(const Json& json, const Form& form) const;
  const Alternative* tagged(const Json& json, const Form& form) const;

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

void Decoder::decode_fields(const Json& json, const Form& form, void* out, std::string_view tag_key,
                            bool node) {
  if (!json.is_object()) fail("an object");
  std::size_t known = 0;
  for (const Member& member : form.members) {
    const Form& inner = member.form();
    const auto found = json.find(member.name);
    if (found != json.end()) {
      ++known;
      enter(member.name, *found, inner, static_cast<char*>(out) + member.offset);
    } else if (!inner.may_be_missing()) {
      fail(fmt::format("key \"{}\"", member.name));
    }
  }
  check_keys(json, known, tag_key, node);
}

void Decoder::decode_word(const Json& json, const Form& form, void* out) {
  const auto found = std::ranges::find(form.words, text(json));
  if (found == form.words.end()) fail("one of the known words");
  form.choose(out, static_cast<std::size_t>(found - form.words.begin()));
}

// What is written in one way only: literals, by what JSON they are.
const Alternative* alternative_of(const Form& form, Form::Sort sort) {
  const auto found = std::ranges::find_if(form.alternatives, [&](const Alternative& alternative) {
    return alternative.tag == nullptr && alternative.form().sort == sort;
  });
  return found == form.alternatives.end() ? nullptr : &*found;
}
const Alternative* literal_of(const Json& json, const Form& form) {
  if (json.is_boolean()) return alternative_of(form, Form::Sort::truth);
  if (json.is_number_integer()) return alternative_of(form, Form::Sort::number);
  if (json.is_string()) return alternative_of(form, Form::Sort::text);
  return nullptr;
}

void Decoder::decode_choice(const Json& json, const Form& form, void* out) {
  const Alternative* chosen =
      json.is_array() ? alternative_of(form, Form::Sort::list) : literal_of(json, form);
  if (chosen == nullptr) fail("text");
  decode(json, chosen->form(), chosen->become(out));
}

void Decoder::decode_list(const Json& json, const Form& form, void* out) {
  if (!json.is_array()) fail("a list");
  form.clear(out, json.size());
  for (std::size_t i = 0; i < json.size(); ++i)
    enter(std::to_string(i), json[i], form.inside(), form.add(out));
}

void Decoder::decode_named(const Json& json, const Form& form, void* out) {
  if (!json.is_object()) fail("an object");
  for (const auto& [name, thing] : json.items())
    enter(name, thing, form.inside(), form.add_named(out, name));
}

void Decoder::decode_truths(const Json& json, std::vector<bool>& out) {
  if (!json.is_array()) fail("a list");
  out.clear();
  for (const Json& item : json) {
    if (!item.is_boolean()) fail("true or false");
    out.push_back(item.get<bool>());
  }
}

void Decoder::decode_place(const Json& json, PlaceId& out) {
  const auto index = integer_in(json, 0, UINT32_MAX);
  if (!index) fail("a place number");
  out.index = static_cast<std::uint32_t>(*index);
}

template <class T>
const Alternative* one_of(const Form& form) {
  const auto found = std::ranges::find_if(form.alternatives, [](const Alternative& alternative) {
    return alternative.form().type == &type_mark<T>;
  });
  return found == form.alternatives.end() ? nullptr : &*found;
}

// Literals and the shapes without a tag; null where `json` is a tagged one.
const Alternative* Decoder::plain(const Json& json, const Form& form) const {
  if (const Alternative* literal = literal_of(json, form)) return literal;
  if (form.type == &type_mark<Value>) {
    if (json.is_array()) return one_of<ListLiteral>(form);
    if (json.is_object() && json.contains("concat")) return one_of<ConcatValue>(form);
    if (json.is_object() && json.contains("op")) return one_of<Arith>(form);
  }
  if (form.type == &type_mark<Condition> && json.is_object() && json.contains("op") &&
      json["op"].is_string() && enum_from_name<CompareOp>(json["op"].get_ref<const std::string&>()))
    return one_of<Compare>(form);
  return nullptr;
}

const Alternative* Decoder::tagged(const Json& json, const Form& form) const {
  if (!json.is_object()) fail("a rule node");
  for (const Alternative& alternative : form.alternatives) {
    if (alternative.tag == nullptr) continue;
    const auto place = json.find(alternative.tag->key);
    if (place == json.end()) continue;
    if (alternative.tag->value.empty() || *place == alternative.tag->value) return &alternative;
  }
  fail("a known kind of value, condition, query or effect");
}

void Decoder::decode_node(const Json& json, const Form& form, void* out) {
  if (json.is_object() && json.contains("at")) decode_place(json["at"], *form.place(out));
  if (const Alternative* found = plain(json, form)) {
    const Form& inner = found->form();
    void* const chosen = found->become(out);
    if (inner.type == &type_mark<ConcatValue>)
      return enter("concat", json["concat"], inner, chosen);
    if (inner.sort == Form::Sort::record) return decode_fields(json, inner, chosen, {}, true);
    return decode(json, inner, chosen);
  }
  const Alternative* found = tagged(json, form);
  void* const chosen = found->become(out);
  if (found->tag->value.empty())
    enter(found->tag->key, *json.find(found->tag->key), found->form(), chosen);
  else
    decode_fields(json, found->form(), chosen, found->tag->key, true);
}

void Decoder::decode(const Json& json, const Form& form, void* out) {
  switch (form.sort) {
    case Form::Sort::number:
      *static_cast<Int*>(out) = number(json);
      return;
    case Form::Sort::truth:
      if (!json.is_boolean()) fail("true or false");
      *static_cast<bool*>(out) = json.get<bool>();
      return;
    case Form::Sort::truths:
      return decode_truths(json, *static_cast<std::vector<bool>*>(out));
    case Form::Sort::text:
      *static_cast<std::string*>(out) = text(json);
      return;
    case Form::Sort::word:
      return decode_word(json, form, out);
    case Form::Sort::place:
      return decode_place(json, *static_cast<PlaceId*>(out));
    case Form::Sort::data:
      *static_cast<Json*>(out) = json;
      return;
    case Form::Sort::player:
      return decode_player(json, *static_cast<PlayerSel*>(out));
    case Form::Sort::zone:
      return decode_zone(json, *static_cast<ZoneSel*>(out));
    case Form::Sort::name:
      return decode_name(json, *static_cast<Name*>(out));
    case Form::Sort::direction:
      return decode_direction(json, *static_cast<DirectionSel*>(out));
    case Form::Sort::filter:
      return decode_filter(json, *static_cast<TokenFilter*>(out));
    case Form::Sort::optional:
    case Form::Sort::box:
      return decode(json, form.inside(), form.add(out));
    case Form::Sort::list:
      return decode_list(json, form, out);
    case Form::Sort::named:
      return decode_named(json, form, out);
    case Form::Sort::record:
      return decode_fields(json, form, out);
    case Form::Sort::choice:
      return decode_choice(json, form, out);
    case Form::Sort::node:
      return decode_node(json, form, out);
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
  if (!says("version", gamedef_version))
    return tl::unexpected(fmt::format("version: this program reads version {}", gamedef_version));
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
