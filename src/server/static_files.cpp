#include "server/static_files.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/files.h"
#include "host/secrets.h"

namespace parlor::server {
namespace {

namespace fs = std::filesystem;

struct Type {
  std::string_view ending, type;
};
constexpr std::array types{Type{".html", "text/html; charset=utf-8"},
                           Type{".js", "text/javascript; charset=utf-8"},
                           Type{".mjs", "text/javascript; charset=utf-8"},
                           Type{".css", "text/css; charset=utf-8"},
                           Type{".json", "application/json"},
                           Type{".webmanifest", "application/manifest+json"},
                           Type{".svg", "image/svg+xml"},
                           Type{".png", "image/png"},
                           Type{".ico", "image/x-icon"},
                           Type{".wasm", "application/wasm"},
                           Type{".woff2", "font/woff2"},
                           Type{".txt", "text/plain; charset=utf-8"}};

std::string_view type_of(std::string_view name) {
  for (const Type& type : types)
    if (name.ends_with(type.ending)) return type.type;
  return "application/octet-stream";
}

// "app-3F2A9C1B.js" or "app.3f2a9c1b.js": eight letters and digits, at least one of them a digit,
// before the ending.
bool has_hash(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return false;
  const auto before = name.substr(0, dot).find_last_of("-.");
  if (before == std::string_view::npos) return false;
  const std::string_view hash = name.substr(before + 1, dot - before - 1);
  const auto is_letter = [](unsigned char c) { return std::isalnum(c) != 0; };
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return hash.size() >= 8 && std::ranges::all_of(hash, is_letter) &&
         std::ranges::any_of(hash, is_digit);
}

// Addresses inside the page.
constexpr std::array<std::string_view, 8> page_addresses{"/t/",  "/g/",    "/r/",       "/edit",
                                                         "/new", "/local", "/settings", "/lobby"};

}  // namespace

StaticFiles::StaticFiles(const fs::path& folder) {
  if (folder.empty()) return;
  std::error_code ignored;
  for (auto entry = fs::recursive_directory_iterator{folder, ignored};
       !ignored && entry != fs::recursive_directory_iterator{}; entry.increment(ignored)) {
    if (!entry->is_regular_file() || entry->path().extension() == ".gz") continue;
    auto text = read_file(entry->path());
    if (!text) continue;
    const std::string name = "/" + fs::relative(entry->path(), folder).generic_string();
    StaticFile& file = files_[name];
    file.body = std::move(*text);
    file.type = type_of(name);
    file.immutable = has_hash(name);
    file.etag = "\"" + host::sha256_hex(file.body).substr(0, 32) + "\"";
    fs::path packed = entry->path();
    packed += ".gz";
    if (auto gzip = read_file(packed)) file.gzip = std::move(*gzip);
  }
}

const StaticFile* StaticFiles::find(std::string_view path) const {
  if (const auto found = files_.find(path); found != files_.end()) return &found->second;
  const bool page =
      path == "/" || std::ranges::any_of(page_addresses, [&](std::string_view address) {
        return path.starts_with(address);
      });
  if (!page) return nullptr;
  const auto index = files_.find("/index.html");
  return index == files_.end() ? nullptr : &index->second;
}

}  // namespace parlor::server
