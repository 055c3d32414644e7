#include <algorithm>
#include <fmt/core.h>

#include "chess/modifiers/descriptor.h"
#include "chess/modifiers/reader.h"
#include "chess/modifiers/words.h"

namespace parlor::chess::modifiers {
namespace {

constexpr std::string_view condition_keys[] = {"attribute", "op",      "value",     "pieceType",
                                               "colour",    "squares", "predicate", "not",
                                               "all",       "any",     "args"};

// Of UTF-8 text.
std::ptrdiff_t characters(const std::string& text) {
  return std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; });
}

class Parser : private Reader {
 public:
  using Reader::Reader;

  std::vector<Descriptor> parse_all(const Json& json) {
    std::vector<Descriptor> list;
    if (json.is_array()) {
      for (std::size_t i = 0; i < json.size(); ++i)
        list.push_back(descriptor(json[i], fmt::format("{}", i)));
    } else {
      list.push_back(descriptor(json, ""));
    }
    return list;
  }

 private:
  // ---- The document

  Descriptor descriptor(const Json& json, const std::string& path) {
    Descriptor out;
    if (!json.is_object()) {
      problem(Code::MODIFIER_INVALID, path, "a descriptor is an object");
      return out;
    }
    only(
        json, path,
        {"version", "name", "description", "attributes", "attach", "pieces", "castling", "passes"});
    if (!json.contains("version") || json["version"] != 1)
      problem(Code::MODIFIER_VERSION, at(path, "version"), "`version` must be 1");
    out.name = word(json, "name", path);
    if (json.contains("name") && (out.name.empty() || characters(out.name) > 40))
      problem(Code::MODIFIER_INVALID, at(path, "name"), "a name has 1 to 40 characters");
    out.description = word(json, "description", path, false);
    if (characters(out.description) > 200)
      problem(Code::MODIFIER_INVALID, at(path, "description"),
              "a description has at most 200 characters");
    descriptor_ = &out;
    count_ = 0;
    if (json.contains("attributes")) attributes(json["attributes"], at(path, "attributes"));
    if (json.contains("castling"))
      out.castle_freely =
          one_of(json, "castling", path, {"usual", "throughCheck"}) == "throughCheck";
    out.passes = number(json, "passes", path, 0, 99, 0);
    const bool whole = out.castle_freely || out.passes > 0 || json.contains("pieces");
    if (whole && !json.contains("attach")) return out;
    if (!json.contains("attach") || !json["attach"].is_array() || json["attach"].empty()) {
      problem(Code::MODIFIER_INVALID, at(path, "attach"), "`attach` must be a list");
      return out;
    }
    for (std::size_t i = 0; i < json["attach"].size(); ++i)
      out.attachments.push_back(
          attachment(json["attach"][i], at(path, fmt::format("attach.{}", i))));
    if (count_ > max_primitives)
      problem(Code::MODIFIER_TOO_MANY, at(path, "attach"),
              fmt::format("{} primitives, at most {} are allowed", count_, max_primitives));
    return out;
  }

  void attributes(const Json& json, const std::string& path) {
    if (!json.is_array())
      return problem(Code::MODIFIER_INVALID, path, "`attributes` must be a list");
    for (const Json& entry : json) {
      if (!entry.is_object())
        return problem(Code::MODIFIER_INVALID, path, "an attribute is {name, low?, high?}");
      only(entry, path, {"name", "low", "high"});
      Attribute attribute{word(entry, "name", path)};
      attribute.low = static_cast<std::int16_t>(number(entry, "low", path, -9999, 9999, 0));
      attribute.high =
          static_cast<std::int16_t>(number(entry, "high", path, attribute.low, 9999, 999));
      descriptor_->attributes.push_back(std::move(attribute));
    }
  }

  Attachment attachment(const Json& json, const std::string& path) {
    Attachment out;
    if (!json.is_object() || !json.contains("to") || !json["to"].is_object()) {
      problem(Code::MODIFIER_INVALID, at(path, "to"),
              "`to` says which pieces: {pieceType}, {pieceTypes} or {squares}");
      return out;
    }
    const Json& to = json["to"];
    only(json, path, {"to", "primitives"});
    only(to, at(path, "to"), {"pieceType", "pieceTypes", "squares", "colour"});
    if (to.contains("pieceType")) out.types = type_set(to["pieceType"], at(path, "to.pieceType"));
    if (to.contains("pieceTypes"))
      out.types |= type_set(to["pieceTypes"], at(path, "to.pieceTypes"));
    if (to.contains("squares")) out.squares = squares(to["squares"], at(path, "to.squares"));
    if (out.types == 0 && out.squares == 0 && !failed())
      problem(Code::MODIFIER_INVALID, at(path, "to"), "`to` names no piece");
    if (to.contains("colour"))
      if (const auto side = colour(to["colour"], at(path, "to.colour")))
        out.sides[other(*side)] = false;
    if (!json.contains("primitives")) {
      problem(Code::MODIFIER_INVALID, at(path, "primitives"), "`primitives` must be a list");
      return out;
    }
    out.primitives = list(json["primitives"], at(path, "primitives"), 1, Trigger::always);
    return out;
  }

  std::vector<Primitive> list(const Json& json, const std::string& path, int depth,
                              Trigger inherited) {
    std::vector<Primitive> out;
    if (!json.is_array()) {
      problem(Code::MODIFIER_INVALID, path, "this must be a list of primitives");
      return out;
    }
    if (depth > max_depth) {
      problem(
          Code::MODIFIER_TOO_DEEP, path,
          fmt::format("primitives are nested {} deep, at most {} are allowed", depth, max_depth));
      return out;
    }
    for (std::size_t i = 0; i < json.size(); ++i)
      out.push_back(primitive(json[i], fmt::format("{}.{}", path, i), depth, inherited));
    return out;
  }

  Primitive primitive(const Json& json, const std::string& path, int depth, Trigger inherited) {
    ++count_;
    Primitive out;
    out.trigger = inherited;
    if (!json.is_object()) {
      problem(Code::MODIFIER_INVALID, path, "a primitive is {on?, do, ...}");
      return out;
    }
    const bool timed = depth == 1 && json.contains("on");
    const bool known_moment = !timed || trigger(json["on"], path, out);
    const std::string name = dashed(word(json, "do", path));
    const auto found = std::ranges::find(effects, name, &EffectName::name);
    if (found == effects.end()) {
      if (!name.empty())
        problem(Code::MODIFIER_EFFECT_UNKNOWN, at(path, "do"),
                fmt::format("there is no effect `{}`", name), nearest(name, effect_names()));
      return out;
    }
    out.effect = found->kind;
    std::vector<std::string_view> keys{"do", "target"};
    if (depth == 1) keys.emplace_back("on");
    for (const std::string_view key : found->keys)
      if (!key.empty()) keys.push_back(key);
    only(json, path, keys);
    if (!known_moment) return out;
    check_moment(out, path);
    if (json.contains("target"))
      out.target = target(json["target"], at(path, "target"), out.trigger);
    parameters(json, path, depth, out);
    return out;
  }

  // False if there is no such trigger.
  bool trigger(const Json& json, const std::string& path, Primitive& out) {
    const std::string where = at(path, "on");
    std::string name;
    Json details = Json::object();
    if (json.is_string()) {
      name = json;
    } else if (json.is_object() && json.size() == 1) {
      name = json.begin().key();
      details = json.begin().value();
    }
    const std::string written = name;
    name = dashed(name);
    const auto found =
        std::ranges::find(triggers, name, [](const auto& entry) { return entry.first; });
    if (found == triggers.end()) {
      problem(Code::MODIFIER_TRIGGER_UNKNOWN, where, fmt::format("there is no trigger `{}`", name),
              nearest(name, trigger_names()));
      return false;
    }
    out.trigger = found->second;
    trigger_details(json.is_object() ? details : Json(), at(where, written), name, out);
    return true;
  }

  // What stands behind a trigger: squares, a colour, or nothing.
  void trigger_details(const Json& json, const std::string& where, const std::string& name,
                       Primitive& out) {
    if (out.trigger == Trigger::on_moved_onto_square) {
      const bool list = json.is_object() && json.contains("squares");
      const bool word = json.is_object() && json.contains("predicate");
      if (list != word)
        only(json, where, {list ? "squares" : "predicate"});
      else
        problem(Code::MODIFIER_INVALID, where,
                "on-moved-onto-square needs {squares: [...]} or {predicate}, one of them");
      if (list) out.squares = squares(json["squares"], at(where, "squares"));
      if (word && !list)
        out.squares = predicate(this->word(json, "predicate", where), at(where, "predicate"));
      return;
    }
    const bool turn = out.trigger == Trigger::on_turn_end || out.trigger == Trigger::on_turn_start;
    if (turn && json.is_string()) {
      out.colour = colour(json, where);
    } else if (turn && json.is_object()) {
      only(json, where, {"colour"});
      if (json.contains("colour")) out.colour = colour(json["colour"], at(where, "colour"));
    } else if (!json.is_null()) {
      problem(Code::MODIFIER_INVALID, where,
              turn ? fmt::format("`{}` may be followed by white, black or {{colour}}", name)
                   : fmt::format("`{}` has no details", name));
    }
  }

  // Which effects make sense at which moment.
  void check_moment(const Primitive& p, const std::string& path) {
    const bool timeless =
        p.effect == EffectKind::seed_attribute || p.effect == EffectKind::add_aura ||
        p.effect == EffectKind::grant_move_pattern || p.effect == EffectKind::forbid_moves;
    if (p.effect == EffectKind::absorb_damage && p.trigger != Trigger::on_damaged)
      problem(Code::MODIFIER_INVALID, path, "absorb-damage-with-attribute belongs to on-damaged");
    if (!timeless && p.trigger == Trigger::always && !in_aura_)
      problem(Code::MODIFIER_INVALID, path, "this effect needs a trigger: on: ...");
    if (timeless && (p.trigger != Trigger::always || in_aura_))
      problem(Code::MODIFIER_INVALID, path, "this effect is always in force and has no trigger");
  }

  Target target(const Json& json, const std::string& path, Trigger moment) {
    Target out;
    const bool capture_moment = moment == Trigger::on_capture || moment == Trigger::on_captured ||
                                moment == Trigger::on_damaged;
    if (json == "self") return out;
    if (json == "attacker" || json == "defender") {
      out.kind = json == "attacker" ? Target::Kind::attacker : Target::Kind::defender;
      if (!capture_moment)
        problem(Code::MODIFIER_TARGET_INVALID, path,
                fmt::format("there is no {} here: only captures and damage have one",
                            json.get<std::string>()));
      return out;
    }
    if (json.is_object() && json.contains("squares")) {
      only(json, path, {"squares"});
      out.kind = Target::Kind::squares;
      out.squares = squares(json["squares"], path);
      return out;
    }
    const Json relation = json.is_object() ? json.value("relation", Json("any")) : Json();
    if (json.is_object() && (json.contains("relation") || json.contains("where")) &&
        (relation == "ally" || relation == "enemy" || relation == "any")) {
      around(json, path, out);
      return out;
    }
    problem(Code::MODIFIER_TARGET_INVALID, path,
            "a target is self, attacker, defender, {squares} or {relation: ally|enemy|any, where?, "
            "filter?}");
    return out;
  }

  void around(const Json& json, const std::string& path, Target& out) {
    out.kind = Target::Kind::around;
    only(json, path, {"relation", "where", "filter"});
    const std::string_view relation = one_of(json, "relation", path, {"any", "ally", "enemy"});
    out.allies = relation != "enemy";
    out.enemies = relation != "ally";
    const std::string_view where =
        one_of(json, "where", path, {"anywhere", "neighbours", "inFront", "sameFile"});
    out.where = where == "neighbours" ? Target::Where::neighbours
                : where == "inFront"  ? Target::Where::in_front
                : where == "sameFile" ? Target::Where::same_file
                                      : Target::Where::anywhere;
    if (!json.contains("filter")) return;
    const Json& filter = json["filter"];
    const std::string inside = at(path, "filter");
    if (!filter.is_object() || filter.empty())
      return problem(Code::MODIFIER_TARGET_INVALID, inside, "a filter is {pieceType?, colour?}");
    only(filter, inside, {"pieceType", "colour"});
    if (filter.contains("pieceType"))
      out.filter = type_set(filter["pieceType"], at(inside, "pieceType"));
    if (filter.contains("colour"))
      if (const auto side = colour(filter["colour"], at(inside, "colour")))
        out.sides[other(*side)] = false;
  }

  void attribute(const Json& json, const std::string& path, Primitive& out,
                 const char* otherwise = nullptr) {
    out.attribute = json.contains("attribute") || otherwise == nullptr
                        ? word(json, "attribute", path)
                        : otherwise;
    if (out.attribute.empty()) return;
    const auto same = [&](const Attribute& a) { return a.name == out.attribute; };
    if (std::ranges::any_of(descriptor_->attributes, same)) return;
    if (const auto column = book().find_attribute(out.attribute)) {
      descriptor_->attributes.push_back(book().attributes()[*column]);
    } else if (out.effect == EffectKind::seed_attribute) {
      descriptor_->attributes.push_back({out.attribute, 0, 999});
    } else {
      problem(Code::MODIFIER_INVALID, at(path, "attribute"),
              fmt::format("no attribute `{}` is declared or seeded before", out.attribute));
    }
  }

  // A value beyond the bounds would be cut off in silence.
  void seeded_value(const Json& json, const std::string& path, Primitive& out) {
    int low = -9999;
    int high = 9999;
    for (const Attribute& attribute : descriptor_->attributes)
      if (attribute.name == out.attribute) {
        low = attribute.low;
        high = attribute.high;
      }
    out.amount = number(json, "value", path, low, high, std::nullopt);
  }

  void parameters(const Json& json, const std::string& path, int depth, Primitive& out) {
    switch (out.effect) {
      case EffectKind::seed_attribute:
        attribute(json, path, out);
        seeded_value(json, path, out);
        break;
      case EffectKind::add_to_attribute:
        attribute(json, path, out);
        out.amount = number(json, "amount", path, -9999, 9999, std::nullopt);
        break;
      case EffectKind::multiply_attribute:
        attribute(json, path, out);
        out.amount = number(json, "numerator", path, -999, 999, std::nullopt);
        out.divisor = number(json, "denominator", path, 1, 999, 1);
        break;
      case EffectKind::absorb_damage:
        attribute(json, path, out);
        break;
      case EffectKind::deal_damage:
        out.amount = number(json, "amount", path, 1, 999, 1);
        out.text = json.contains("kind") ? word(json, "kind", path) : "modifier";
        break;
      case EffectKind::heal:
        attribute(json, path, out, "Hp");
        out.amount = number(json, "amount", path, 1, 999, 1);
        out.limit = number(json, "max", path, 1, 9999, 9999);
        break;
      case EffectKind::add_aura:
        aura(json, path, depth, out);
        break;
      case EffectKind::set_type:
        out.type =
            json.contains("pieceType") ? type(json["pieceType"], at(path, "pieceType")) : no_type;
        if (!json.contains("pieceType"))
          problem(Code::MODIFIER_INVALID, path, "set-type needs a pieceType");
        break;
      case EffectKind::spawn_piece:
        out.type =
            json.contains("pieceType") ? type(json["pieceType"], at(path, "pieceType")) : no_type;
        if (!json.contains("pieceType"))
          problem(Code::MODIFIER_INVALID, path, "spawn-piece needs a pieceType");
        if (json.contains("square")) out.square = square(json["square"], at(path, "square"));
        out.to_enemies = one_of(json, "side", path, {"own", "enemy"}) == "enemy";
        break;
      case EffectKind::move_piece:
        out.square = square(json.value("square", Json()), at(path, "square"));
        break;
      case EffectKind::emit_effect:
        out.text = word(json, "kind", path);
        out.limit = number(json, "ttl", path, 1, 999, 1);
        break;
      case EffectKind::grant_move_pattern:
        pattern(json, path, out);
        break;
      case EffectKind::conditional:
        out.condition.push_back(condition(json.value("if", Json()), at(path, "if"), 0));
        if (json.contains("then"))
          out.then = list(json["then"], at(path, "then"), depth + 1, out.trigger);
        if (json.contains("else"))
          out.otherwise = list(json["else"], at(path, "else"), depth + 1, out.trigger);
        break;
      case EffectKind::freeze:
        out.amount = number(json, "turns", path, 1, 90, 1);
        if (std::ranges::none_of(descriptor_->attributes,
                                 [](const Attribute& a) { return a.name == frozen_attribute; }))
          descriptor_->attributes.push_back({std::string(frozen_attribute), 0, 99});
        break;
      case EffectKind::forbid_moves:
        move_mode(json, path, out);
        if (json.contains("if")) out.condition.push_back(condition(json["if"], at(path, "if"), 0));
        break;
      case EffectKind::remove_piece:
      case EffectKind::extra_turn:
      case EffectKind::win:
      case EffectKind::lose:
      case EffectKind::draw:
        break;
    }
  }

  void aura(const Json& json, const std::string& path, int depth, Primitive& out) {
    out.limit = number(json, "radius", path, 1, 7, std::nullopt);
    out.to_enemies = one_of(json, "relation", path, {"ally", "enemy"}) == "enemy";
    const bool outer = in_aura_;
    in_aura_ = true;
    out.then = list(json.value("effects", Json()), at(path, "effects"), depth + 1, Trigger::always);
    in_aura_ = outer;
  }

  void pattern(const Json& json, const std::string& path, Primitive& out) {
    const auto steps = [&](const char* key) {
      std::vector<std::pair<int, int>> list;
      if (!json.contains(key)) return list;
      if (!json[key].is_array())
        problem(Code::MODIFIER_INVALID, at(path, key), "this is a list of steps: [[1, 2], ...]");
      for (const Json& step : json[key].is_array() ? json[key] : Json::array()) {
        const bool good = step.is_array() && step.size() == 2 && step[0].is_number_integer() &&
                          step[1].is_number_integer();
        const auto inside = [](const Json& n) {
          return n.get<std::int64_t>() >= -7 && n.get<std::int64_t>() <= 7;
        };
        if (good && inside(step[0]) && inside(step[1]) && (step[0] != 0 || step[1] != 0))
          list.emplace_back(step[0].get<int>(), step[1].get<int>());
        else
          problem(Code::MODIFIER_INVALID, at(path, key),
                  "a step is [files, ranks], each from -7 to 7 and not both 0");
      }
      return list;
    };
    move_mode(json, path, out);
    const auto mode = out.pattern.quiet && out.pattern.capture ? Way::Mode::both
                      : out.pattern.quiet                      ? Way::Mode::quiet
                                                               : Way::Mode::capture;
    const int range = number(json, "range", path, 1, 7, 7);
    const auto add = [&](const std::vector<std::pair<int, int>>& list, int most) {
      for (const auto& [file, rank] : list) {
        Way way;
        way.file = static_cast<std::int8_t>(file);
        way.rank = static_cast<std::int8_t>(rank);
        way.most = static_cast<std::uint8_t>(most);
        way.mode = mode;
        out.pattern.ways.push_back(way);
      }
    };
    add(steps("leaps"), 1);
    add(steps("slides"), range);
    if (json.contains("betza")) {
      const auto ways = betza_ways(word(json, "betza", path));
      if (ways)
        out.pattern.ways = std::move(out.pattern.ways) + *ways;
      else
        problem(Code::MODIFIER_INVALID, at(path, "betza"), ways.error());
    }
    if (out.pattern.ways.empty())
      problem(Code::MODIFIER_INVALID, path, "grant-move-pattern needs leaps, slides or betza");
  }

  void move_mode(const Json& json, const std::string& path, Primitive& out) {
    const std::string_view mode = one_of(json, "mode", path, {"both", "quiet", "capture"});
    out.pattern.quiet = mode != "capture";
    out.pattern.capture = mode != "quiet";
  }

  Condition condition(const Json& json, const std::string& path, int depth) {
    Condition out;
    if (!json.is_object() || depth > max_depth) {
      problem(Code::MODIFIER_INVALID, path,
              "a condition is {attribute, op, value}, {pieceType}, {colour}, {squares}, "
              "{predicate}, {not}, {all} or {any}");
      return out;
    }
    if (json.contains("args")) return joined(json, path, depth);
    if (json.contains("attribute"))
      only(json, path, {"attribute", "op", "value"});
    else if (json.size() > 1)
      problem(Code::MODIFIER_INVALID, path, "a condition tests one thing; join several with `all`");
    if (json.contains("attribute")) {
      Primitive reader;
      attribute(json, path, reader);
      out.kind = Condition::Kind::attribute;
      out.attribute = reader.attribute;
      out.op = json.contains("op") ? comparison(word(json, "op", path)) : "==";
      if (out.op.empty())
        problem(Code::MODIFIER_INVALID, at(path, "op"),
                fmt::format("`{}` is no comparison", word(json, "op", path)),
                {"==", "!=", "<", "<=", ">", ">="});
      out.value = number(json, "value", path, -9999, 9999, std::nullopt);
    } else if (json.contains("pieceType")) {
      out.kind = Condition::Kind::type;
      out.types = type_set(json["pieceType"], at(path, "pieceType"));
    } else if (json.contains("colour")) {
      out.kind = Condition::Kind::side;
      out.side = colour(json["colour"], at(path, "colour")).value_or(white);
    } else if (json.contains("squares")) {
      out.kind = Condition::Kind::on_squares;
      out.squares = squares(json["squares"], at(path, "squares"));
    } else if (json.contains("predicate")) {
      out.kind = Condition::Kind::on_squares;
      out.squares = predicate(word(json, "predicate", path), at(path, "predicate"));
    } else if (json.contains("not")) {
      out.kind = Condition::Kind::negation;
      out.parts.push_back(condition(json["not"], at(path, "not"), depth + 1));
    } else {
      only(json, path, condition_keys);
      const char* key = json.contains("any") ? "any" : "all";
      out.kind = json.contains("any") ? Condition::Kind::any : Condition::Kind::all;
      if (!json.contains(key) || !json[key].is_array())
        problem(Code::MODIFIER_INVALID, path, "the condition says nothing that can be tested");
      else
        for (std::size_t i = 0; i < json[key].size(); ++i)
          out.parts.push_back(
              condition(json[key][i], fmt::format("{}.{}", at(path, key), i), depth + 1));
    }
    return out;
  }
  // {op: and|or|not, args: [...]}, as in the game language.
  Condition joined(const Json& json, const std::string& path, int depth) {
    Condition out;
    only(json, path, {"op", "args"});
    const std::string_view op = one_of(json, "op", path, {"and", "or", "not"});
    out.kind = op == "and"  ? Condition::Kind::all
               : op == "or" ? Condition::Kind::any
                            : Condition::Kind::negation;
    const Json& args = json["args"];
    if (!args.is_array() || args.empty() || (op == "not" && args.size() != 1)) {
      problem(Code::MODIFIER_INVALID, at(path, "args"), "`args` is a list of conditions");
      out.kind = Condition::Kind::all;
      return out;
    }
    for (std::size_t i = 0; i < args.size(); ++i)
      out.parts.push_back(condition(args[i], fmt::format("{}.{}", at(path, "args"), i), depth + 1));
    return out;
  }
  Descriptor* descriptor_ = nullptr;
  std::size_t count_ = 0;
  bool in_aura_ = false;
};

}  // namespace

tl::expected<Json, Diagnostics> read_data(const std::string& text, const std::string& file) {
  Diagnostics problems;
  const auto document = Document::read(text, file, problems);
  if (!document) return tl::unexpected(std::move(problems));
  return document->json();
}

Parsed parse(const std::string& text, const std::string& file, const Rulebook& book) {
  Parsed out;
  const auto document = Document::read(text, file, out.diagnostics);
  if (!document) return out;
  out.data = document->json();
  out.descriptors = Parser(*document, book, out.diagnostics).parse_all(document->json());
  int single = 0;
  for (const Descriptor& descriptor : out.descriptors)
    for (const Attachment& attachment : descriptor.attachments) single += count(attachment.squares);
  if (single > max_single_pieces) {
    Diagnostic d{
        .code = Code::MODIFIER_INVALID,
        .message = fmt::format("{} single pieces in `to: {{squares}}`, at most {} are allowed",
                               single, max_single_pieces)};
    d.span.file = file;
    out.diagnostics.add(std::move(d));
  }
  return out;
}

}  // namespace parlor::chess::modifiers
