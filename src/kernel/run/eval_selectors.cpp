// Selectors, tokens, lists, texts and the machine's storage.
#include <charconv>
#include <cstring>

#include "kernel/know/observers.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

std::uint32_t Evaluator::players(NodeId node) {
  const Node& n = p_->nodes[node];
  const std::uint32_t all = (1u << p_->players) - 1;
  switch (n.op) {
    case Ex::p_actor:
      return 1u << actor_;
    case Ex::p_active:
      return 1u << active_;
    case Ex::p_all:
      return all;
    case Ex::p_others:
      return all & ~(1u << actor_);
    case Ex::p_id:
      return 1u << n.a;
    default: {
      const int who = player(node);
      return who < 0 ? 0 : 1u << who;
    }
  }
}

int Evaluator::player(NodeId node) {
  const Node& n = p_->nodes[node];
  switch (n.op) {
    case Ex::p_actor:
      return actor_;
    case Ex::p_active:
      return active_;
    case Ex::p_left:
      return (actor_ + p_->players - 1) % p_->players;
    case Ex::p_right:
      return (actor_ + 1) % p_->players;
    case Ex::p_next:
      return turn_after(actor_);
    case Ex::p_previous:
      return turn_before(actor_);
    case Ex::p_id:
      return n.a;
    case Ex::p_slot: {
      const Value v = value(n.a);
      return failed_ ? -1 : player_of_value(v, n.place);
    }
    default: {
      const std::uint32_t set = players(node);
      if (__builtin_popcount(set) == 1) return __builtin_ctz(set);
      fail(Code::RUN_SELECTOR, n.place, "exactly one player is needed here");
      return -1;
    }
  }
}

int Evaluator::player_of_value(Value v, std::uint32_t place) {
  if (v.is_int() && v.payload() >= 0 && v.payload() < p_->players) return v.index();
  fail(v.is_int() ? Code::RUN_NAME_UNKNOWN : Code::RUN_TYPE, place, "this is not a player's number",
       v);
  return -1;
}

ZoneId Evaluator::zone_rare(const Node& n) {
  switch (n.op) {
    case Ex::z_slot: {
      const Value v = slot(n.a);
      if (v.is_none()) {
        fail(Code::RUN_BINDING_MISSING, n.place, "the binding has no value yet");
        return {};
      }
      return zone_of_value(v, n.place);
    }
    case Ex::z_owned: {
      const int who = player(n.b);
      return who < 0 ? ZoneId::none() : p_->bases[n.a].zones[who];
    }
    case Ex::z_missing:
      fail(Code::RUN_NAME_UNKNOWN, n.place, "there is no such zone with this number of players",
           Value::symbol(n.a));
      return {};
    default: {
      const Value v = value(n.a);
      return failed_ ? ZoneId::none() : zone_of_value(v, n.place);
    }
  }
}

ZoneId Evaluator::zone_of_value(Value v, std::uint32_t place) {
  if (v.is_list()) {
    if (list_size(v) != 1) {
      fail(Code::RUN_SELECTOR, place, "exactly one zone is needed here", v);
      return {};
    }
    v = list_at(v, 0);
  }
  if (v.is_symbol() && v.payload() < std::ssize(p_->zones)) return v.as_zone();
  if (v.is_symbol()) return zone_of_text(p_->name(v.index()), place);
  if (v.tag() == Tag::text) return zone_of_text(text_of(v), place);
  fail(Code::RUN_TYPE, place, "this is not a zone", v);
  return {};
}

// A selector made while playing: "hand:actor", "deck".
ZoneId Evaluator::zone_of_text(std::string_view text, std::uint32_t place) {
  if (!spend(p_->bases.size() / 8, place)) return {};
  const auto colon = text.find(':');
  const std::string_view base = text.substr(0, colon);
  const std::string_view qualifier =
      colon == std::string_view::npos ? "none" : text.substr(colon + 1);
  for (const BaseInfo& info : p_->bases) {
    if (info.name != base) continue;
    if (!info.owned) {
      if (qualifier == "none") return info.zones[0];
      break;
    }
    int who = -1;
    if (qualifier == "actor") who = actor_;
    if (qualifier == "active") who = active_;
    if (qualifier == "left") who = (actor_ + p_->players - 1) % p_->players;
    if (qualifier == "right") who = (actor_ + 1) % p_->players;
    if (const int seat = position_of(p_->def.seats, qualifier); seat >= 0) who = seat;
    int number = 0;
    const auto parsed =
        std::from_chars(qualifier.data(), qualifier.data() + qualifier.size(), number);
    if (parsed.ec == std::errc{} && parsed.ptr == qualifier.data() + qualifier.size()) who = number;
    if (who >= 0 && who < std::ssize(info.zones)) return info.zones[who];
  }
  fail(Code::RUN_NAME_UNKNOWN, place, "no zone has this name", value_of_text(text));
  return {};
}

TokenId Evaluator::token(NodeId node) {
  const Value v = value(node);
  if (failed_) return {};
  if (v.is_token() && v.payload() < header().tokens) {
    const TokenId t = v.as_token();
    if (!memory_.zone_of(t).is_none()) return t;
    fail(Code::RUN_TOKEN, p_->nodes[node].place, "the token was destroyed", v);
    return {};
  }
  fail(Code::RUN_TYPE, p_->nodes[node].place, "a token is needed here", v);
  return {};
}

bool Evaluator::find_var(int scope, Value name, VarId& var, std::uint32_t place) {
  if (failed_) return false;
  const auto& vars = p_->vars(scope);
  const std::string other = name.is_symbol() ? std::string() : text_of(name);
  const std::string_view text = name.is_symbol() ? p_->name(name.index()) : std::string_view(other);
  var = vars.find(&VarInfo::name, text);
  if (!var.is_none()) return true;
  fail(Code::RUN_NAME_UNKNOWN, place, "no variable has this name", name);
  return false;
}

Value Evaluator::value_of_json(const Json& json) {
  if (json.is_number_integer()) return Value::integer(json.get<std::int64_t>());
  if (json.is_boolean()) return Value::boolean(json.get<bool>());
  return json.is_string() ? value_of_text(json.get<std::string>()) : Value{};
}

Value Evaluator::value_of_text(std::string_view text) {
  if (const Symbol found = p_->symbol_named(text); found >= 0) return Value::symbol(found);
  if (text.starts_with("tok_")) {
    const auto cut = text.rfind('_');
    int number = 0;
    const auto parsed = std::from_chars(text.data() + cut + 1, text.data() + text.size(), number);
    if (parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() &&
        std::cmp_less(number, header().tokens) && text_of(Value::token(TokenId(number))) == text)
      return Value::token(TokenId(number));
  }
  if (text.size() > most_text) return fail(Code::RUN_TOO_MANY, 0, "a text has grown too long");
  if (!take_arena(1 + (text.size() + 7) / 8)) return {};
  const auto handle = std::ssize(arena_);
  arena_.push_back(Value{text.size()});
  arena_.resize(arena_.size() + (text.size() + 7) / 8);
  if (!text.empty()) std::memcpy(static_cast<void*>(&arena_[handle + 1]), text.data(), text.size());
  return Value::make(Tag::text, handle);
}

bool Evaluator::is_unseen(Value v) const {
  return asker_ != nullptr && v.is_token() && v.payload() < memory_.header().tokens &&
         !asker_->see(memory_, v.as_token());
}

int Evaluator::place_in_zone(TokenId t) const {
  int place = 1;
  for (TokenId u = memory_.previous(t); !u.is_none(); u = memory_.previous(u)) ++place;
  return place;
}

bool Evaluator::equal_texts(Value a, Value b) const {
  return text_of(a) == text_of(b);
}

std::string Evaluator::text_of(Value v) const {
  switch (v.tag()) {
    case Tag::integer:
      return std::to_string(v.payload());
    case Tag::boolean:
      return v.payload() != 0 ? "true" : "false";
    case Tag::symbol:
      return p_->text(v.index());
    case Tag::token: {
      const TokenId t = v.as_token();
      if (v.payload() >= memory_.header().tokens) return "tok_?_" + std::to_string(t.value);
      if (is_unseen(v)) {
        const ZoneId z = memory_.zone_of(t);
        if (z.is_none()) return "out of play";
        std::string zone = p_->zones[z].id;
        if (zone.ends_with(":none")) zone.resize(zone.size() - 5);
        return zone + "#" + std::to_string(place_in_zone(t));
      }
      return "tok_" + p_->types[memory_.token(t).type].id + "_" + std::to_string(t.value);
    }
    case Tag::text: {
      if (v.payload() >= kept_text) return std::string(memory_.text_at(v.payload() - kept_text));
      if (v.handle() >= arena_.size()) return "…";  // made by an evaluation that is over
      const Value* const size = &arena_[v.handle()];
      return {reinterpret_cast<const char*>(size + 1), static_cast<std::size_t>(size->bits)};
    }
    case Tag::list: {
      if (v.payload() < constant_list && v.payload() >= std::ssize(arena_)) return "[…]";
      std::string out = "[";
      for (std::size_t i = 0; i < list_size(v); ++i)
        out += (i == 0 ? "" : ", ") + text_of(list_at(v, i));
      return out + "]";
    }
    case Tag::row:
      return p_->tables[v.payload() >> 24].id + "#" + std::to_string(v.payload() & 0xffffff);
    case Tag::none:
      break;
  }
  return "nothing";
}

Json Evaluator::json_of(Value v) const {
  switch (v.tag()) {
    case Tag::integer:
      return v.payload();
    case Tag::boolean:
      return v.payload() != 0;
    case Tag::none:
      return nullptr;
    case Tag::list: {
      Json out = Json::array();
      for (std::size_t i = 0; i < list_size(v); ++i) out.push_back(json_of(list_at(v, i)));
      return out;
    }
    case Tag::token:
      if (const auto t = v.as_token(); is_unseen(v) && !memory_.zone_of(t).is_none())
        return {{"zone", p_->zones[memory_.zone_of(t)].id}, {"place", place_in_zone(t)}};
      return text_of(v);
    default:
      return text_of(v);
  }
}

void Evaluator::make_room() {
  kept_room_ = p_->kept_sets;
  kept_.resize(kept_room_);
}

}  // namespace parlor::kernel
