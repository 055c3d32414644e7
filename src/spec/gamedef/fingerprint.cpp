// What the rules of a game are, as one number.
#include <map>

#include "base/hash.h"
#include "base/json.h"
#include "spec/gamedef/forms.h"

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

  void add(Part part);

  std::uint64_t value() const { return hash_; }

 private:
  void fields(Part part) {
    for (const Member& member : part.form->members) {
      const Part inner = part.member(member);
      if (member.beside || inner.empty()) continue;
      word(member.name);
      add(inner);
    }
    word("");
  }
  void items(Part list) {
    number(list.count());
    for (std::size_t i = 0; i < list.count(); ++i) add(list.item(i));
  }
  void named(Part things) {
    number(things.count());
    for (std::size_t i = 0; i < things.count(); ++i) {
      text(things.name(i));
      add(things.item(i));
    }
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
    items(Part::of(sel.expr));
  }
  void filter(const TokenFilter& filter) {
    number(static_cast<std::uint64_t>(filter.kind));
    if (filter.kind == TokenFilter::Kind::test)
      fields(Part::of(filter.test));
    else
      items(Part::of(filter.args));
  }
  void direction(const DirectionSel& sel) {
    number(static_cast<std::uint64_t>(sel.kind));
    number(sel.names.size());
    for (const std::string& name : sel.names) add(Part::of(name));
    text(sel.binding);
    if (sel.kind == DirectionSel::Kind::expression) items(Part::of(sel.expr));
  }
  void truths(const std::vector<bool>& list) {
    number(list.size());
    for (const bool truth : list) word(truth ? "true" : "false");
  }
  void node(Part part) {
    const Part chosen = part.chosen();
    if (chosen.as<ListLiteral>() != nullptr) word("list");
    if (chosen.as<ConcatValue>() != nullptr) word("concat");
    if (const Tag* tag = part.alternative().tag) {
      word(tag->key);
      word(tag->value);
    }
    add(chosen);
  }

  std::uint64_t hash_ = 0;
  std::map<std::string, std::size_t> made_up_;
};

void RulesHash::add(Part part) {
  switch (part.form->sort) {
    case Form::Sort::number:
      word("number");
      return number(static_cast<std::uint64_t>(*part.as<Int>()));
    case Form::Sort::truth:
      return word(*part.as<bool>() ? "true" : "false");
    case Form::Sort::truths:
      return truths(*part.as<std::vector<bool>>());
    case Form::Sort::text:
      word("text");
      return text(*part.as<std::string>());
    case Form::Sort::word:
      return word(part.form->words[part.form->which(part.at)]);
    case Form::Sort::place:
      return;  // where it stands is no rule
    case Form::Sort::data:
      return data(*part.as<Json>());
    case Form::Sort::player:
      return player(*part.as<PlayerSel>());
    case Form::Sort::zone:
      return zone(*part.as<ZoneSel>());
    case Form::Sort::name:
      number(static_cast<std::uint64_t>(part.as<Name>()->kind));
      return text(part.as<Name>()->text);
    case Form::Sort::direction:
      return direction(*part.as<DirectionSel>());
    case Form::Sort::filter:
      return filter(*part.as<TokenFilter>());
    case Form::Sort::optional:
    case Form::Sort::box:
      return add(part.item(0));
    case Form::Sort::list:
      return items(part);
    case Form::Sort::named:
      return named(part);
    case Form::Sort::record:
      return fields(part);
    case Form::Sort::choice:
      return add(part.chosen());
    case Form::Sort::node:
      return node(part);
  }
}

}  // namespace

std::uint64_t rules_hash(const GameDef& game) {
  RulesHash hash;
  hash.add(Part::of(game));
  // Whom bots take after changes no rule.
  for (const auto& [name, section] : game.sections.items()) {
    if (name == "agents") continue;
    hash.word(name);
    hash.data(section);
  }
  return hash.value();
}

}  // namespace parlor::spec
