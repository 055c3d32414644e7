// The page: files of one folder, read when the server starts. Names that carry a hash never change
// and may be kept for ever; everything else is asked for again.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace parlor::server {

struct StaticFile {
  std::string body, type;
  std::string gzip;  // the same compressed, if NAME.gz lies beside it
  bool immutable = false;
  std::string etag;
};

class StaticFiles {
 public:
  // An empty path: no files.
  explicit StaticFiles(const std::filesystem::path& folder);
  bool empty() const { return files_.empty(); }
  // The file of a path such as "/app-3f2a9c1b.js". Addresses of the page itself ("/", "/t/ID",
  // "/g/NAME", "/edit" …) are its index.html.
  const StaticFile* find(std::string_view path) const;

 private:
  std::map<std::string, StaticFile, std::less<>> files_;
};

}  // namespace parlor::server
