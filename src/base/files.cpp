#include "base/files.h"

#include <fstream>
#include <system_error>

namespace parlor {

tl::expected<std::string, FileProblem> read_stream(std::istream& in, std::size_t most) {
  std::string out;
  constexpr std::size_t chunk = 1 << 16;
  for (std::size_t size = 0; in; out.resize(size)) {
    if (size > most) return tl::unexpected(FileProblem::too_large);
    out.resize(size + chunk);
    in.read(out.data() + size, chunk);
    size += static_cast<std::size_t>(in.gcount());
  }
  if (out.size() > most) return tl::unexpected(FileProblem::too_large);
  return out;
}

tl::expected<std::string, FileProblem> read_file(const std::filesystem::path& path,
                                                 std::size_t most) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return tl::unexpected(FileProblem::missing);
  std::ifstream in{path, std::ios::binary};
  if (!in) return tl::unexpected(FileProblem::missing);
  return read_stream(in, most);
}

}  // namespace parlor
