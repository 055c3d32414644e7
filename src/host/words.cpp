#include "host/words.h"

#include <cstdlib>
#include <memory>
#include <utf8proc.h>

namespace parlor::host {
namespace {

constexpr std::size_t longest_name = 24;

// Controls, and marks that turn the direction of whatever is shown beside them.
bool disturbs(utf8proc_int32_t point) {
  const auto category = utf8proc_category(point);
  return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CS ||
         category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP || category == UTF8PROC_CATEGORY_CN;
}

struct Read {
  std::string kept;
  std::size_t characters = 0, dropped = 0;
};

std::optional<Read> read(std::string_view text) {
  utf8proc_uint8_t* raw = nullptr;
  const auto length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &raw,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length < 0) return std::nullopt;
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> normal{raw, &std::free};
  Read out;
  for (utf8proc_ssize_t at = 0; at < length;) {
    utf8proc_int32_t point = 0;
    const auto size = utf8proc_iterate(normal.get() + at, length - at, &point);
    if (size <= 0) return std::nullopt;
    if (disturbs(point)) {
      ++out.dropped;
    } else {
      out.kept.append(reinterpret_cast<const char*>(normal.get()) + at,
                      static_cast<std::size_t>(size));
      ++out.characters;
    }
    at += size;
  }
  return out;
}

}  // namespace

std::optional<std::string> clean_name(std::string_view text) {
  if (text.size() > 8 * longest_name) return std::nullopt;
  auto name = read(text);
  if (!name || name->dropped > 0 || name->characters == 0 || name->characters > longest_name)
    return std::nullopt;
  if (name->kept.front() == ' ' || name->kept.back() == ' ') return std::nullopt;
  return std::move(name->kept);
}

std::optional<std::string> clean_chat(std::string_view text) {
  if (text.size() > 8 * longest_chat) return std::nullopt;
  auto chat = read(text);
  if (!chat || chat->characters == 0 || chat->characters > longest_chat) return std::nullopt;
  return std::move(chat->kept);
}

}  // namespace parlor::host
