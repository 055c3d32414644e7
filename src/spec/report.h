// Where the stages of the front half put their diagnostics: places and expansion stories are
// filled in here, and a runaway text cannot fill the memory with complaints.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "spec/node.h"
#include "spec/place.h"

namespace parlor::spec {

class Report {
 public:
  Report(SourceMap& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  Diagnostic& error(Code code, const Origin& origin, std::string message, std::string path = {});
  Diagnostic& warning(Code code, const Origin& origin, std::string message, std::string path = {});
  std::size_t errors() const { return errors_; }
  // Nobody will read more: whoever finds a further mistake need not look for what was meant.
  bool flooded() const { return errors_ > 1'000; }

  SourceMap& source() { return source_; }
  const SourceMap& source() const { return source_; }

 private:
  Diagnostic& add(Diagnostic diagnostic);

  SourceMap& source_;
  Diagnostics& diagnostics_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  Diagnostic overflow_{.code = Code::DIAGNOSTICS_TRUNCATED, .message = {}};
};

// Sorted, and no more than anybody wants to read: if something is left out, the last one says so.
Diagnostics finish(Diagnostics diagnostics, std::size_t most);

// Names for did-you-mean from a list of string-like things.
std::vector<std::string> nearest(std::string_view name,
                                 std::span<const std::string_view> candidates);
std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

// "`a`, `b` and `c`"
std::string name_list(std::span<const std::string> names, std::string_view last_word = "and");

// A note that shows a second place.
void relate(Diagnostic& diagnostic, const SourceMap& source, std::string message,
            const Place& place);

// The path of the node being visited ("actions.3.pre"). Every node is visited and hardly any is
// complained about, so the text is put together only when somebody asks for it. Keys are not
// copied: they must outlive their step.
class Path {
 public:
  explicit Path(std::string root) : root_(std::move(root)) {}

  class Step {
   public:
    explicit Step(Path& path) : path_(path) {}
    ~Step() { path_.pieces_.pop_back(); }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    Path& path_;
  };

  [[nodiscard]] Step key(std::string_view name) {
    pieces_.push_back({name, 0});
    return Step{*this};
  }
  [[nodiscard]] Step index(std::size_t i) {
    pieces_.push_back({{}, i});
    return Step{*this};
  }
  std::string text() const;

 private:
  struct Piece {
    std::string_view key;  // empty: an index
    std::size_t index;
  };

  std::string root_;
  std::vector<Piece> pieces_;
};

// Keys that change nothing: marks that compilers of this language leave in the text, and
// remarks for people, which the construct has no place for but which do no harm.
bool is_compiler_mark(std::string_view key);
bool is_prose(const Entry& entry);
std::string prose_message(std::string_view what, std::string_view key);

}  // namespace parlor::spec
