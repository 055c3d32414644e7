#include "spec/text/reader.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/expand/build.h"
#include "spec/text/lexer.h"
#include "spec/text/places.h"
#include "spec/text/walk.h"

namespace parlor::spec::text {
namespace {

void read_macros(const Sections& sections, Section section, auto& out) {
  const auto& list = sections[static_cast<std::size_t>(section)];
  if (!list) return;
  for (const Node& macro : list->items)
    if (const auto id = macro.find_string("id")) out.emplace(*id, declared_params(macro));
}

// Ids of a list of {id: …}.
void read_ids(const Node* list, std::set<std::string, std::less<>>& out) {
  if (list == nullptr) return;
  for (const Node& item : list->items)
    if (const auto id = item.find_string("id")) out.emplace(*id);
}

using Macros = std::map<std::string, std::vector<MacroParam>, std::less<>>;

// Where `{param: name}` stands says what a macro's parameter is when no type is declared.
std::string param_use(const Node& node, std::string_view name, std::string_view key,
                      const Macros& macros) {
  if (const Node* param = node.find("param"); param != nullptr && node.entries.size() == 1) {
    if (!param->is(name)) return {};
    for (const std::string_view zone : {"zone", "zoneCount", "space", "from", "to", "of"})
      if (key == zone) return "zoneSelector";
    if (key == "player" || key == "owner" || key == "chooser") return "playerSelector";
    if (key == "token" || key == "row") return "tokenSelector";
    return "value";
  }
  // What is handed on to another macro is what that one takes.
  const auto called = macros.find(node.find_string("conditionMacro").value_or(""));
  if (const Node* args = node.find("args"); args != nullptr && called != macros.end()) {
    for (const MacroParam& param : called->second) {
      const Node* arg = args->find(param.name);
      const Node* handed = arg != nullptr ? arg->find("param") : nullptr;
      if (handed != nullptr && handed->is(name)) return param.type;
    }
  }
  for (const Node& item : node.items)
    if (std::string use = param_use(item, name, key, macros); !use.empty()) return use;
  for (const Entry& entry : node.entries)
    if (std::string use = param_use(entry.value, name, entry.key, macros); !use.empty()) return use;
  return {};
}

class Reader : Walk<Reader> {
  friend Walk<Reader>;

 public:
  Reader(GameSpecDoc& doc, const SourceTexts& texts, Report& report, Names names)
      : Walk<Reader>(names_, params_),
        doc_(doc),
        report_(report),
        places_(texts, doc.source),
        names_(std::move(names)) {}

  const Names& names() const { return names_; }

  void visit_all() {
    for (const Section section : all_sections()) visit_section(section);
  }

  void run() {
    // Bodies of condition and value macros first: how they use a parameter says how its arguments
    // are read.
    visit_section(Section::conditionMacros);
    visit_section(Section::valueMacros);
    infer_params(Section::conditionMacros, "condition", names_.condition_macros);
    infer_params(Section::valueMacros, "value", names_.value_macros);
    for (const Section section : all_sections())
      if (section != Section::conditionMacros && section != Section::valueMacros)
        visit_section(section);
  }

 private:
  void visit_section(Section which) {
    if (Node* node = doc_.find(which)) section(section_name(which), *node);
  }

  void infer_params(Section section, std::string_view what, auto& known) {
    const Node* macros = doc_.find(section);
    if (macros == nullptr) return;
    // A macro may use one that stands below it, and that another one.
    bool changed = true;
    for (std::size_t round = 0; changed && round < macros->items.size() + 2; ++round) {
      changed = false;
      for (const Node& macro : macros->items) {
        const auto id = macro.find_string("id");
        const Node* body = macro.find(what);
        if (!id || body == nullptr) continue;
        for (MacroParam& param : known[std::string{*id}])
          if (param.type.empty() || param.type == "value") {
            const std::string before = param.type;
            param.type = param_use(*body, param.name, "", names_.condition_macros);
            changed = changed || param.type != before;
          }
      }
    }
  }

  void condition(Node& node, std::string_view element) {
    if (node.is_string()) return read(node, Expect::condition, element);
    if (node.is_map()) into_condition(node, element);
  }

  // A leading `=` says the same where a number is expected anyway.
  void number(Node& node, std::string_view element) {
    if (node.is_string())
      return read(node, is_computed(node) ? Expect::value : Expect::number, element);
    value(node);
  }

  static bool is_computed(const Node& node) {
    return node.text.size() > 1 && node.text.front() == '=' && node.text[1] != '=';
  }

  void value(Node& node) {
    if (node.is_string() && is_computed(node)) return read(node, Expect::value, {});
    if (node.is_map()) into_value(node);
  }

  void query(Node& node) {
    if (node.is_string()) return read(node, Expect::query, {});
    if (node.is_list() && !node.items.empty()) {
      const Build b{node.origin};
      const bool truth = std::ranges::all_of(node.items, &Node::is_boolean);
      if (truth || std::ranges::all_of(node.items, &Node::is_string)) {
        node =
            b.map({{"query", b.text(truth ? "booleans" : "enums")}, {"values", std::move(node)}});
        return;
      }
    }
    into_query(node);
  }

  void filter(Node& node) {
    if (node.is_string()) return read(node, Expect::filter, "$token");
    into_filter(node);
  }

  void rows(Node& node) {
    if (node.is_string()) return read(node, Expect::rows, "$row");
    each_item(node, [&](Node& test) { into_filter(test); });
  }

  // "{actor} draws {size of deck} cards": names stay in the text, what is computed becomes a part
  // of its own between texts.
  void spoken(Node& node) {
    if (node.is_list()) return each_item(node, [&](Node& part) { value(part); });
    if (!node.is_string()) return;
    const Node string = node;
    Node parts = Node::of_list(string.origin);
    std::size_t told = 0;  // so far
    for (std::size_t open = string.text.find('{'); open != std::string::npos;
         open = string.text.find('{', open + 1)) {
      const std::size_t close = string.text.find('}', open);
      if (close == std::string::npos) break;
      // What a macro is given is put in later, and only into what is computed.
      const std::string name = string.text.substr(open + 1, close - open - 1);
      if (is_spoken_name(name) && !params_.contains(name)) continue;
      if (open > told)
        parts.items.push_back(Node::of_string(string.text.substr(told, open - told), node.origin));
      parts.items.push_back(inside(string, open + 1, close));
      told = close + 1;
      open = close;
    }
    if (parts.items.empty()) return;
    if (told < string.text.size())
      parts.items.push_back(Node::of_string(string.text.substr(told), node.origin));
    node = std::move(parts);
  }

  static bool is_spoken_name(std::string_view text) {
    if (text.starts_with('$')) text.remove_prefix(1);
    return std::ranges::all_of(text, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '_' || c == '-';
    });
  }

  // The value that a part of a text says.
  Node inside(const Node& string, std::size_t begin, std::size_t end) {
    places_.forget();
    ParseResult result = parse({std::string_view{string.text}.substr(begin, end - begin),
                                Expect::value,
                                names_,
                                params_,
                                {},
                                [&](std::size_t from, std::size_t to) {
                                  return places_.of(string, begin + from, begin + to);
                                }});
    if (result.node) return std::move(*result.node);
    result.error.begin += begin;
    result.error.end += begin;
    fail(string, result.error);
    return Node::of_string("", string.origin);
  }

  void effects(Node& node) {
    if (node.is_string() && is_placeholder(node.text)) return;
    if (node.is_string()) {
      Node list = Node::of_list(node.origin);
      list.items.push_back(std::move(node));
      node = std::move(list);
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const auto step = path_.index(i);
      effect(node.items[i]);
      // A roll is visible to what follows: that is the roll's own list of effects.
      Node* roll = node.items[i].find("rollRandom");
      if (roll == nullptr || !roll->is_map() || roll->has("in") || !rolled_) continue;
      rolled_ = false;
      Node rest = Node::of_list(node.items[i].origin);
      rest.items.assign(
          std::make_move_iterator(node.items.begin() + static_cast<std::ptrdiff_t>(i) + 1),
          std::make_move_iterator(node.items.end()));
      node.items.resize(i + 1);
      effects(rest);
      node.items[i].find("rollRandom")->set("in", std::move(rest));
    }
  }

  void effect(Node& node) {
    if (node.is_string()) {
      read(node, Expect::statement, {});
      rolled_ = node.has("rollRandom");
      return;
    }
    if (!node.is_map()) return;
    if (!node.has("macro")) block(node);
    into_effect(node);
  }

  // A block with a text for a head: `if: pot > 10` beside `then` and `else`.
  void block(Node& node) {
    if (node.entries.empty() || !node.entries.front().value.is_string()) return;
    const std::string key = node.entries.front().key;
    const Build b{node.origin};
    Node inner = b.map({});
    Node head = std::move(node.entries.front().value);
    if (key == "if" || key == "while") {
      inner.set("when", std::move(head));
    } else if (key == "for" || key == "let" || key == "roll") {
      const bool loop = key == "for";
      if (!loop) {
        head.text = fmt::format("{} {}", key, head.text);
        shift_ = key.size() + 1;
      }
      if (!read_head(head, loop, inner)) return;
    } else {
      node.entries.front().value = std::move(head);
      return;
    }
    for (std::size_t i = 1; i < node.entries.size(); ++i) {
      Entry& entry = node.entries[i];
      if (entry.key == "do" && key != "if") entry.key = "effects";
      if (entry.key == "count" && key == "for") entry.key = "countBind";
      inner.entries.push_back(std::move(entry));
    }
    const std::string name = key == "for" ? "forEach" : key == "roll" ? "rollRandom" : key;
    node.entries.resize(1);
    node.entries.front().key = name;
    node.entries.front().value = std::move(inner);
  }

  // `$p in players where inHand`, `$x = pot * 2`, `1..6 as $die`
  bool read_head(Node& head, bool loop, Node& inner) {
    if (!loop) {
      read(head, Expect::statement, {});
      shift_ = 0;
      if (!head.is_map() || head.entries.empty()) return false;
      inner.entries = std::move(head.entries.front().value.entries);
      return true;
    }
    read(head, Expect::loop, {});
    if (!head.is_map()) return false;
    inner.entries = std::move(head.entries);
    return true;
  }

  // What a phase template is given, whatever it is, is put in as a whole.
  static bool is_placeholder(const std::string& text) {
    return text.size() > 2 && text.front() == '{' && text.find('}') == text.size() - 1;
  }

  void read(Node& node, Expect expect, std::string_view element) {
    if (is_placeholder(node.text)) return;
    const Node string = std::move(node);
    places_.forget();
    const std::size_t skip = expect == Expect::value ? 1 : 0;
    const std::size_t shift = shift_;
    ParseRequest request{std::string_view{string.text}.substr(skip),
                         expect,
                         names_,
                         params_,
                         element,
                         [&](std::size_t begin, std::size_t end) {
                           return origin(string, begin, end, skip, shift);
                         }};
    ParseResult result = parse(request);
    if (result.node) {
      node = std::move(*result.node);
      return;
    }
    result.error.begin += skip;
    result.error.end += skip;
    fail(string, result.error);
    // Something of the right kind, so that one mistake is reported once.
    node = Node::of_boolean(true, string.origin);
  }

  // A head that lost its key (`let`) was given it back; its characters stand `shift` further left.
  Origin origin(const Node& string, std::size_t begin, std::size_t end, std::size_t skip,
                std::size_t shift) {
    if (shift == 0) return places_.of(string, begin + skip, end + skip);
    Node written = string;
    written.text = string.text.substr(shift);
    places_.forget();
    const auto back = [&](std::size_t at) { return at > shift ? at - shift : 0; };
    const Origin out = places_.of(written, back(begin), std::max(back(end), back(begin) + 1));
    places_.forget();
    return out;
  }

  // A zone with a blank in its id is one mistake, however often it is mentioned.
  bool names_blank_zone(const Node& string) {
    const Node* zones = doc_.find(Section::zones);
    if (zones == nullptr) return false;
    for (const Node& zone : zones->items) {
      const Node* id = zone.find("id");
      if (id == nullptr || !id->is_string() || id->text.find(' ') == std::string::npos ||
          string.text.find(id->text) == std::string::npos)
        continue;
      if (!blank_zones_.insert(id->text).second) return true;
      std::string joined = id->text;
      std::ranges::replace(joined, ' ', '-');
      report_
          .error(Code::ZONE_ID_BLANK, id->origin,
                 fmt::format("a zone called `{}` cannot be named in a text: there is a blank in it",
                             id->text),
                 "zones")
          .suggestion = fmt::format("call it `{}` everywhere", joined);
      return true;
    }
    return false;
  }

  void fail(const Node& string, const TextError& error) {
    if (names_blank_zone(string)) return;
    const Origin at = shift_ > 0 ? origin(string, error.begin, error.end, 0, shift_)
                                 : places_.of(string, error.begin, error.end);
    Diagnostic& d = report_.error(Code::TEXT_SYNTAX, at, error.message, path_.text());
    d.suggestion = error.suggestion;
    d.alternatives = error.alternatives;
  }

  GameSpecDoc& doc_;
  Report& report_;
  Places places_;
  Names names_;
  Params params_;
  bool rolled_ = false;
  std::size_t shift_ = 0;
  std::set<std::string, std::less<>> blank_zones_;  // told of
};

}  // namespace

Names names_of_document(const Sections& sections) {
  Names out;
  read_macros(sections, Section::conditionMacros, out.condition_macros);
  read_macros(sections, Section::valueMacros, out.value_macros);
  read_macros(sections, Section::effectMacros, out.effect_macros);
  const auto section = [&](Section which) -> const Node* {
    const auto& node = sections[static_cast<std::size_t>(which)];
    return node ? &*node : nullptr;
  };
  read_ids(section(Section::tokenTypes), out.token_types);
  if (const Node* constants = section(Section::constants))
    for (const Entry& entry : constants->entries) out.constants.insert(entry.key);
  for (const Section variables : {Section::globalVars, Section::perPlayerVars})
    if (const Node* list = section(variables))
      for (const Node& variable : list->items)
        if (const auto name = variable.find_string("name")) out.constants.erase(std::string{*name});
  if (const Node* assets = section(Section::dataAssets))
    for (const Node& asset : assets->items) {
      const Node* payload = asset.find("payload");
      if (payload == nullptr) continue;
      read_ids(payload->find("pieceTypes"), out.token_types);
      read_ids(payload->find("seats"), out.seats);
    }
  for (const Section declares : {Section::globalVars, Section::perPlayerVars, Section::zoneVars,
                                 Section::zones, Section::globalMarkerLattices})
    if (const Node* list = section(declares))
      for (const Node& item : list->items)
        for (const char* key : {"name", "id"})
          if (const auto name = item.find_string(key); name && is_turn_word(*name))
            out.taken_words.insert(std::string{*name});
  for (const std::string& constant : out.constants)
    if (is_turn_word(constant)) out.taken_words.insert(constant);
  if (const Node* turn = section(Section::turnStructure))
    if (const Node* phases = turn->find("phases"); phases != nullptr && phases->items.size() == 1)
      out.only_phase = phases->items.front().find_string("id").value_or("");
  return out;
}

Names read_text(GameSpecDoc& doc, const SourceTexts& texts, Report& report) {
  Reader reader{doc, texts, report, names_of_document(doc.sections)};
  reader.run();
  return reader.names();
}

void read_text(GameSpecDoc& part, const SourceTexts& texts, Report& report, const Names& names) {
  Reader{part, texts, report, names}.visit_all();
}

}  // namespace parlor::spec::text
