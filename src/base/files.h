// Reading files that come from somebody else: never more than a limit, so that a device or a file
// of many gigabytes is a refusal and not the end of the memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <istream>
#include <string>
#include <tl/expected.hpp>

namespace parlor {

// Saved games, traces, lists of moves, compiled games: far more than any of them has.
inline constexpr std::size_t max_file_bytes = std::size_t{64} << 20;

enum class FileProblem { missing, too_large };

tl::expected<std::string, FileProblem> read_file(const std::filesystem::path& path,
                                                 std::size_t most = max_file_bytes);
tl::expected<std::string, FileProblem> read_stream(std::istream& in,
                                                   std::size_t most = max_file_bytes);

}  // namespace parlor
