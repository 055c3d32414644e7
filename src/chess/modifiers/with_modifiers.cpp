// A rulebook with one more rule, and the kinds of pieces it brings.
#include <fmt/core.h>

#include "base/hash.h"
#include "chess/modifiers/descriptor.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {
tl::expected<std::shared_ptr<const Rulebook>, Diagnostics> with_modifiers(const Rulebook& book,
                                                                          const std::string& text,
                                                                          const std::string& file,
                                                                          const std::string& id,
                                                                          Diagnostics* hints) {
  Parsed parsed = parse(text, file, book);
  if (parsed.diagnostics.has_errors()) return tl::unexpected(std::move(parsed.diagnostics));
  if (hints != nullptr) hints->append(parsed.diagnostics);
  Preset preset = make_preset(std::move(parsed.descriptors), id);
  // Other data, other rules; comments and spelling are neither.
  preset.module.version = fmt::format("{:016x}", hash_text(canonical(parsed.data)));
  preset.source = std::move(parsed.data);
  Diagnostics problems = parsed.book->add(std::move(preset));
  if (problems.has_errors()) return tl::unexpected(std::move(problems));
  return parsed.book;
}

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
