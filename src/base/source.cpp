#include "base/source.h"

namespace parlor {

void SourceTexts::add(std::string file, std::string text) {
  texts_.insert_or_assign(std::move(file), std::move(text));
}

std::string_view SourceTexts::text(std::string_view file) const {
  const auto found = texts_.find(file);
  return found == texts_.end() ? std::string_view{} : std::string_view{found->second};
}

std::string_view SourceTexts::line(std::string_view file, std::uint32_t number) const {
  auto found = texts_.find(file);
  if (found == texts_.end() || number == 0) return {};
  std::string_view rest = found->second;
  for (std::uint32_t current = 1; current < number; ++current) {
    const auto end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  auto result = rest.substr(0, rest.find('\n'));
  if (result.ends_with('\r')) result.remove_suffix(1);
  return result;
}

}  // namespace parlor
