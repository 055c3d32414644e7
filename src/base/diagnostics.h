// What Parlor tells an author about a mistake: a stable code, where it is, what is wrong, how to
// fix it. Collected in a Diagnostics list, rendered for people (with a code frame) or as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace parlor {

// All codes live in codes.def, the one list.
enum class Code : std::uint16_t {
#define CODE(name, help) name,
#include "base/codes.def"
#undef CODE
};

std::string_view code_name(Code code);
std::string_view code_help(Code code);
std::optional<Code> find_code(std::string_view name);
std::span<const Code> all_codes();  // in the order of the list

enum class Severity : std::uint8_t { error, warning, info };
std::string_view severity_name(Severity severity);

// A further place that explains a diagnostic, e.g. "in the expansion of macro `pay`".
struct RelatedPlace {
  std::string message;
  SourceSpan span;
};

struct Diagnostic {
  Code code;
  Severity severity = Severity::error;
  std::string message;
  std::string path = {};  // in the document, e.g. "actions.3.pre.args.0"
  SourceSpan span = {};
  std::string suggestion = {};  // what to do about it; may be empty
  std::vector<std::string> alternatives =
      {};  // names or shapes that would have been right, best first
  std::vector<RelatedPlace> related = {};
};

// Diagnostics in the order they are reported; `sort` brings them into source order.
class Diagnostics {
 public:
  Diagnostic& add(Diagnostic diagnostic);
  void append(const Diagnostics& other);
  // Source order (file, line, column), then path, severity, code, message; exact duplicates go.
  void sort();

  bool has_errors() const;
  bool empty() const { return list_.empty(); }
  std::span<const Diagnostic> all() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
};

// Up to `most` candidates nearest to `name` by edit distance (transpositions count once), nearest
// first; names too far away to be a slip of the pen are left out.
std::vector<std::string> did_you_mean(std::string_view name,
                                      std::span<const std::string> candidates,
                                      std::size_t most = 3);
std::size_t edit_distance(std::string_view a, std::string_view b);

enum class Colour : std::uint8_t { never, always };
// Colour only when the stream is a terminal and NO_COLOR is unset.
Colour colour_for(int file_descriptor);

std::string render(const Diagnostic& diagnostic, const SourceTexts& texts, Colour colour);
std::string render(const Diagnostics& diagnostics, const SourceTexts& texts, Colour colour);
nlohmann::json to_json(const Diagnostic& diagnostic);
nlohmann::json to_json(const Diagnostics& diagnostics);

}  // namespace parlor
