#include "server/rules_text.h"

#include <cmark.h>
#include <memory>

#include "base/files.h"
#include "open/open.h"

namespace parlor::server {

Json rules_html(const std::string& game) {
  const auto files = open::shipped_games();
  const auto found = files.find(game);
  if (found == files.end()) return nullptr;
  const auto text = read_file(found->second);
  if (!text) return nullptr;
  // Safe mode, the default: raw HTML and dangerous links are left out.
  const std::unique_ptr<char, decltype(&std::free)> html{
      cmark_markdown_to_html(text->data(), text->size(), CMARK_OPT_DEFAULT), &std::free};
  return std::string{html.get()};
}

}  // namespace parlor::server
