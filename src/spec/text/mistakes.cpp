#include "spec/text/mistakes.h"

#include <algorithm>
#include <fmt/core.h>

#include "spec/text/phrases.h"

namespace parlor::spec::text {
namespace {

struct Slip {
  std::string_view written, message, suggestion;
};

// Signs and words of other languages, where one of ours was expected.
constexpr Slip signs[] = {
    {"&&", "`&&` is written `and` here", "write `a and b`"},
    {"&", "`&` is written `and` here", "write `a and b`"},
    {"||", "`||` is written `or` here", "write `a or b`"},
    {"|", "`|` is written `or` here", "write `a or b`"},
    {"!", "`!` is written `not` here", "write `not x`"},
    {"<>", "`<>` is written `!=` here", "write `a != b`"},
    {"===", "`===` is written `==` here", "write `a == b`"},
    {"!==", "`!==` is written `!=` here", "write `a != b`"},
    {"=>", "`=>` is no comparison", "write `>=`"},
    {"?", "`?` is no operator here", "write `if CONDITION then A else B`"},
    {"^", "`^` is no operator here", "multiply with `*`"},
    {";", "one text is one statement", "begin a new list item with `- `"},
    {"++", "`++` does not exist here", "write `x += 1`"},
    {"--", "`--` does not exist here", "write `x -= 1`"},
    {"*=", "`*=` does not exist here", "write `x = x * 2`"},
    {"/=", "`/=` does not exist here", "write `x = x / 2`"},
    {"is", "`is` is written `==` here", "write `a == b`"},
    {"equals", "`equals` is written `==` here", "write `a == b`"},
    {"isnt", "`isnt` is written `!=` here", "write `a != b`"},
    {"AND", "words are written in small letters", "write `and`"},
    {"OR", "words are written in small letters", "write `or`"},
    {"NOT", "words are written in small letters", "write `not`"},
    {"xor", "`xor` does not exist here", "write `a != b`"},
    {"mod", "`mod` is written `%` here", "write `a % b`"},
    {"div", "`div` is written `//` here", "write `a // b`"},
    {"has", "`has` is no word of conditions", "write `any tokens in ZONE where …`"},
    {"contains", "`contains` is no word of conditions",
     "write `x in [a, b]`, or `$space.attribute includes x`"},
    {"when", "`when` is no word of queries", "write `where`"},
    {"with", "`with` does not belong here", "narrow a query with `where`"},
    {"such", "`such that` is written `where` here", "write `where`"},
    {"whose", "`whose` is written `where` here", "write `where`"},
    {"having", "`having` is written `where` here", "write `where`"},
    {"unless", "`unless` does not exist here", "write `and not …`"},
    {"between", "`between` does not exist here", "write `low <= x and x <= high`"},
    {"at", "`at least` and `at most` are comparisons here", "write `>=` or `<=`"},
    {"adjacent", "`adjacent to` is written `next to` here", "write `$a next to $b`"},
    {"beside", "`beside` is written `next to` here", "write `$a next to $b`"},
    {"≥", "`≥` is written `>=` here", "write `a >= b`"},
    {"≤", "`≤` is written `<=` here", "write `a <= b`"},
    {"≠", "`≠` is written `!=` here", "write `a != b`"},
    {"..", "a range stands in queries, not in conditions", "write `low <= x and x <= high`"},
    {"elif", "`elif` does not exist here", "write `else if … then … else …`"},
};

constexpr Slip functions[] = {
    {"len", "", "write `size of ZONE` or `count(QUERY)`"},
    {"length", "", "write `size of ZONE` or `count(QUERY)`"},
    {"count", "", "write `size of ZONE` or `count(QUERY)`"},
    {"number", "", "write `size of ZONE` or `count(QUERY)`"},
    {"there", "", "write `any QUERY`"},
    {"roll", "", "roll first: `roll 1..6 as $die`, then use `$die`"},
    {"size", "", "write `size of ZONE`"},
    {"card", "", "write `size of ZONE` or `count(QUERY)`"},
    {"floor", "", "write `a // b`, which rounds down"},
    {"round", "", "write `a / b`, `a // b` or `ceil(a / b)`"},
    {"exists", "", "write `any QUERY`"},
    {"forall", "", "write `all QUERY: CONDITION`"},
    {"not", "", "write `not` without parentheses"},
    {"random", "", "roll first: `roll 1..6 as $die`"},
    {"range", "", "write `1..6`"},
    {"str", "", "write a text with braces: \"{gold} gold\""},
    {"print", "", "rules print nothing; an event card has a `text`"},
    {"adjacent", "", "write `$a next to $b`"},
    {"neighbours", "", "write `neighbours of $cell`"},
    {"connected", "", "write `$a connected to $b`"},
};

constexpr Slip verbs[] = {
    {"if", "", "an `if` is a block: `- if: CONDITION` with `then:` and `else:` below it"},
    {"for", "", "a loop is a block: `- for: $x in QUERY` with `do:` below it"},
    {"foreach", "", "a loop is a block: `- for: $x in QUERY` with `do:` below it"},
    {"forEach", "", "a loop is a block: `- for: $x in QUERY` with `do:` below it"},
    {"while", "", "a loop is a block: `- while: CONDITION` with `limit:` and `do:` below it"},
    {"set", "", "write `pot = 3`"},
    {"add", "", "write `pot += 3`"},
    {"increment", "", "write `pot += 1`"},
    {"decrement", "", "write `pot -= 1`"},
    {"var", "", "write `let $x = …`"},
    {"transfer", "", "write `pay 3 gold to pot`"},
    {"give", "", "write `pay 3 gold to left`, or `move $card to hand:left`"},
    {"remove", "", "write `destroy $token`, or `move $token to ZONE`"},
    {"delete", "", "write `destroy $token`"},
    {"place", "", "write `create TYPE in ZONE`, or `move $token to ZONE`"},
    {"put", "", "write `create TYPE in ZONE`, or `move $token to ZONE`"},
    {"pass", "", "write `end phase`"},
    {"goto", "", "write `go to PHASE`"},
    {"win", "", "a game ends when a condition of `terminal` holds; set a variable"},
    {"return", "", "effects return nothing; bind a value with `let $x = …`"},
    {"pick", "", "write `choose $x from QUERY`"},
    {"select", "", "write `choose $x from QUERY`"},
    {"increase", "", "write `pot += 1`"},
    {"decrease", "", "write `pot -= 1`"},
    {"take", "", "write `pay 3 left.gold to gold`, or `move $card to hand:actor`"},
    {"play", "", "write `move $card to ZONE`"},
    {"show", "", "write `reveal ZONE to PLAYER`"},
    {"say", "", "what is said is a mapping: `- say: \"{actor} passes\"`"},
    {"next", "", "write `end phase` or `end turn`; who comes next is `active = next`"},
    {"each", "", "a loop is a block: `- for: $p in players` with `do:` below it"},
};

std::string_view told(const auto& list, std::string_view written, std::string_view Slip::*what) {
  const auto found = std::ranges::find(list, written, &Slip::written);
  return found == std::end(list) ? std::string_view{} : (*found).*what;
}

std::string wanted_list(const std::vector<std::string_view>& wanted) {
  std::string out;
  for (std::size_t i = 0; i < wanted.size() && i < 5; ++i) {
    const bool plain = wanted[i].find_first_of(" `") == std::string_view::npos;
    out += fmt::format("{}{}{}{}",
                       i == 0                                             ? ""
                       : i + 1 == std::min<std::size_t>(wanted.size(), 5) ? " or "
                                                                          : ", ",
                       plain ? "`" : "", wanted[i], plain ? "`" : "");
  }
  return out;
}

std::string what_a(Expect expect) {
  switch (expect) {
    case Expect::condition:
      return "the condition";
    case Expect::statement:
      return "the statement";
    case Expect::query:
      return "the query";
    default:
      return "the text";
  }
}

// What a field of a sentence is called when somebody is shown how to write it.
std::string_view placeholder(FieldKind kind) {
  switch (kind) {
    case FieldKind::condition:
    case FieldKind::filter:
      return "CONDITION";
    case FieldKind::query:
      return "QUERY";
    case FieldKind::zone:
      return "ZONE";
    case FieldKind::player:
      return "PLAYER";
    case FieldKind::binding:
      return "$NAME";
    case FieldKind::token:
      return "$TOKEN";
    case FieldKind::cell:
      return "VARIABLE";
    case FieldKind::props:
      return "PROPERTY = VALUE";
    case FieldKind::value:
    case FieldKind::amount:
      return "VALUE";
    default:
      return "NAME";
  }
}

// Those that explain more than that a word does not belong somewhere.
std::string explained_by_words(const std::vector<Token>& tokens, std::size_t at) {
  const Token& token = tokens[at];
  if (at == 0) return {};
  const Token& before = tokens[at - 1];
  const std::string_view after = at + 1 < tokens.size() ? tokens[at + 1].text : std::string_view{};
  if (token.is("is") && (after == "empty" || after == "occupied"))
    return fmt::format("write `{}({})`", after, before.text);
  if (token.is("is") && after == "not") {
    const bool full = at + 2 < tokens.size() && tokens[at + 2].is("empty");
    return full ? fmt::format("write `not empty({})`", before.text) : "write `a != b`";
  }
  if (token.is("of") && before.is_word() && told(functions, before.text, &Slip::suggestion).empty())
    return fmt::format("what belongs to something is read with a dot: `{}.{}`", after, before.text);
  if (token.is_word() && (before.is("actor") || before.is("active") || before.is("left") ||
                          before.is("right") || before.is("opponent")))
    return fmt::format("what belongs to a player is read with a dot: `{}.{}`", before.text,
                       token.text);
  if (token.text == "'" && before.is_word())
    return fmt::format("what belongs to something is read with a dot: `{}.NAME`", before.text);
  if (token.is("game") && before.is("end"))
    return "a game ends when a condition of `terminal` holds; set a variable";
  if (before.is_word() && !before.is("card") && !token.is("("))
    return std::string{told(functions, before.text, &Slip::suggestion)};
  return {};
}

}  // namespace

std::string sentence_shapes(std::string_view verb) {
  std::string out;
  std::size_t shown = 0;
  for (const Phrase* phrase : phrases_of(Family::effect, verb)) {
    std::string sentence;
    for (const Part& part : phrase->parts) {
      if (part.kind == Part::Kind::optional || part.kind == Part::Kind::set) continue;
      sentence += fmt::format("{}{}", sentence.empty() ? "" : " ",
                              part.kind == Part::Kind::word ? part.word : placeholder(part.field));
    }
    if (out.find(fmt::format("`{}`", sentence)) != std::string::npos || ++shown > 4) continue;
    out += fmt::format("{}`{}`", out.empty() ? "write " : " or ", sentence);
  }
  return out;
}

TextError explain_mistake(const std::vector<Token>& tokens, std::size_t at,
                          const std::vector<std::string_view>& wanted, Expect expect) {
  const Token& token = tokens[at];
  TextError out;
  const std::string list = wanted_list(wanted);
  const auto ternary =
      std::ranges::find_if(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens.end(),
                           [](const Token& later) { return later.is("?"); });
  if (ternary != tokens.end()) {
    out.message = told(signs, "?", &Slip::message);
    out.suggestion = told(signs, "?", &Slip::suggestion);
  } else if (token.is("=") && expect != Expect::statement) {
    out.message = "`=` assigns; a comparison is written `==`";
    out.suggestion = "write `==`";
  } else if (token.is("==") && expect == Expect::statement) {
    out.message = "`==` compares; a statement assigns with `=`";
    out.suggestion = "write `=`";
  } else if (token.kind == Token::Kind::symbol || token.kind == Token::Kind::word) {
    out.message = told(signs, token.text, &Slip::message);
    out.suggestion = told(signs, token.text, &Slip::suggestion);
  }
  if (token.kind == Token::Kind::unknown && (token.text == "\"" || token.text == "'")) {
    out.message = "this text has no end";
    out.suggestion = fmt::format("add a {} after it", token.text);
  }
  if (std::string words = explained_by_words(tokens, at); !words.empty()) {
    out.suggestion = std::move(words);
    if (token.is("is")) out.message = "`is` does not belong here";
  }
  if (!out.message.empty()) return out;
  if (token.kind == Token::Kind::end)
    out.message = fmt::format("{} ends too early", what_a(expect));
  else if (at > 0 && tokens[at - 1].kind == Token::Kind::word && token.kind == Token::Kind::binding)
    out.message = fmt::format("`{}` does not belong after `{}`", token.text, tokens[at - 1].text);
  else
    out.message = fmt::format("`{}` does not belong here", token.text);
  if (!list.empty())
    out.message += fmt::format(": expected {}", list);
  else if (at > 0 && out.suggestion.empty())
    out.suggestion =
        expect == Expect::statement
            ? "the statement could end before it; every statement is a list item of its own"
            : fmt::format("{} could end before it; join conditions with `and` or `or`",
                          what_a(expect));
  if (expect == Expect::loop && out.suggestion.empty()) out.suggestion = "write `$x in QUERY`";
  return out;
}

std::string explain_function(std::string_view name) {
  return std::string{told(functions, name, &Slip::suggestion)};
}

std::string explain_verb(std::string_view verb, bool is_macro) {
  if (is_macro) return fmt::format("a macro is used with `call {}(…)`", verb);
  return std::string{told(verbs, verb, &Slip::suggestion)};
}

}  // namespace parlor::spec::text
