#include "table/sqlite_files.h"

#include <array>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <stdlib.h>
#include <vector>

namespace parlor::table {
namespace {

namespace fs = std::filesystem;

fs::path journal_of(const fs::path& file) {
  return file.string() + "-wal";
}

std::string uri_of(const fs::path& file, std::string_view query) {
  std::string out = "file:";
  for (const char c : fs::absolute(file).string()) {
    if (c == '%' || c == '?' || c == '#')
      out += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return fmt::format("{}?{}", out, query);
}

std::unique_ptr<SQLite::Database> open_to_read(const fs::path& file, std::string_view query) {
  auto out = std::make_unique<SQLite::Database>(uri_of(file, query),
                                                SQLite::OPEN_READONLY | SQLite::OPEN_URI);
  out->setBusyTimeout(5000);
  (void)out->execAndGet("SELECT COUNT(*) FROM sqlite_master");  // only now files are looked at
  return out;
}

// ---- The journal, as https://www.sqlite.org/fileformat2.html#walformat describes it.

constexpr std::size_t header_size = 32, frame_header_size = 24;

class Journal {
 public:
  explicit Journal(std::string bytes) : bytes_(std::move(bytes)) {}

  struct Frames {
    std::size_t good = 0;          // up to the first that is not as it was written
    std::size_t commits_lost = 0;  // transactions that end behind that point
  };
  Frames look() const {
    Frames out;
    if (bytes_.size() < header_size + frame_header_size) return out;
    const std::size_t page = word(8);
    if (page < 512 || page > 65536 || (page & (page - 1)) != 0) return {0, 2};  // lost as a whole
    const std::size_t stride = frame_header_size + page;
    const std::size_t count = (bytes_.size() - header_size) / stride;
    Sum sum{};
    add(sum, 0, 24);
    const bool header_good = sum == Sum{word(24), word(28)} && (word(0) & ~1u) == 0x377f0682;
    bool good = header_good;
    const std::size_t salts = header_good ? 16 : header_size + 8;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = header_size + i * stride;
      const bool current = word(at + 8) == word(salts) && word(at + 12) == word(salts + 4);
      if (good) {
        add(sum, at, 8);
        add(sum, at + frame_header_size, page);
        good = current && sum == Sum{word(at + 16), word(at + 20)};
        if (good) ++out.good;
      }
      if (!good && current && word(at + 4) != 0) ++out.commits_lost;
    }
    // The header is on the disk before anything else.
    if (!header_good && out.commits_lost > 0) ++out.commits_lost;
    return out;
  }

 private:
  using Sum = std::array<std::uint32_t, 2>;

  std::uint32_t word(std::size_t at) const {  // big endian
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < 4; ++i) out = out << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return out;
  }
  void add(Sum& sum, std::size_t at, std::size_t size) const {
    const bool big_endian = (word(0) & 1) != 0;
    const auto next = [&](std::size_t place) {
      const std::uint32_t value = word(place);
      return big_endian ? value : __builtin_bswap32(value);
    };
    for (const std::size_t end = at + size; at < end; at += 8) {
      sum[0] += next(at) + sum[1];
      sum[1] += next(at + 4) + sum[0];
    }
  }

  std::string bytes_;
};

std::string read_all(const fs::path& file) {
  std::ifstream in{file, std::ios::binary};
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

}  // namespace

TemporaryCopy::TemporaryCopy(const fs::path& original) {
  std::string folder = (fs::temp_directory_path() / "parlor-store-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder for a copy");
  folder_ = folder;
  fs::copy_file(original, file());
  if (fs::exists(journal_of(original))) fs::copy_file(journal_of(original), journal_of(file()));
}

TemporaryCopy::~TemporaryCopy() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

ReadOnlyDatabase::ReadOnlyDatabase(const fs::path& file) {
  try {
    database = open_to_read(file, "mode=ro");
    return;
  } catch (const SQLite::Exception&) {
    // A journal needs a file beside the store that all readers share, and there is no writing here.
  }
  std::error_code ignored;
  if (!fs::exists(journal_of(file), ignored) || fs::file_size(journal_of(file), ignored) == 0) {
    database = open_to_read(file, "mode=ro&immutable=1");
    return;
  }
  copy = std::make_unique<TemporaryCopy>(file);
  database = std::make_unique<SQLite::Database>(copy->file().string(), SQLite::OPEN_READWRITE);
}

std::optional<std::string> find_journal_damage(const fs::path& file) {
  std::string before;
  // A process that writes right now may be seen halfway: damage stays, that does not.
  for (int look = 0; look < 3; ++look) {
    std::string bytes = read_all(journal_of(file));
    const bool same = look > 0 && bytes == before;
    if (!same && look > 0) return std::nullopt;
    before = std::move(bytes);
    const Journal::Frames frames = Journal{before}.look();
    if (frames.commits_lost < 2) return std::nullopt;
    if (look == 2)
      return fmt::format(
          "{} is damaged after {} good pages, and what follows was acknowledged; move it away to "
          "go on with what is before",
          journal_of(file).string(), frames.good);
    const timespec pause{0, 3'000'000};
    nanosleep(&pause, nullptr);
  }
  return std::nullopt;
}

FileSizeErrors::FileSizeErrors() {
  sigset_t only, pending;
  sigemptyset(&only);
  sigaddset(&only, SIGXFSZ);
  sigpending(&pending);
  pending_before_ = sigismember(&pending, SIGXFSZ) == 1;
  pthread_sigmask(SIG_BLOCK, &only, &before_);
}

FileSizeErrors::~FileSizeErrors() {
  sigset_t only, pending;
  sigemptyset(&only);
  sigaddset(&only, SIGXFSZ);
  sigpending(&pending);
  const timespec now{0, 0};
  if (!pending_before_ && sigismember(&pending, SIGXFSZ) == 1) sigtimedwait(&only, nullptr, &now);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace parlor::table
