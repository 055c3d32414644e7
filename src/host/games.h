// The games a host offers. Names only: nothing here opens a file somebody named.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <mutex>

#include "game/catalog.h"
#include "host/codes.h"
#include "host/contract.h"

namespace parlor::host {

// Games that people have sent are called by this and their id.
inline constexpr std::string_view upload_prefix = "u-";
inline bool is_upload(std::string_view game) {
  return game.starts_with(upload_prefix);
}

class Games {
 public:
  using OpenUpload = std::function<tl::expected<std::shared_ptr<const Game>, Rejection>(
      const std::string& name, const OpenOptions& options)>;
  // Without it there are none.
  void set_uploads(OpenUpload open) { open_upload_ = std::move(open); }
  void forget(const std::string& name);  // it is not opened again from here

  // The catalog must be one without files by path (open::Files::none).
  explicit Games(const Catalog& catalog, std::size_t kept = 64) : catalog_(catalog), kept_(kept) {}

  // Each (game, players, rules, constants …) is opened once; the ones not used lately go when there
  // are too many, and live on while tables play them.
  tl::expected<std::shared_ptr<const Game>, Rejection> open(const std::string& name,
                                                            const OpenOptions& options);
  // The same for somebody who wants a new table: constants only as far as the game declares.
  tl::expected<std::shared_ptr<const Game>, Rejection> open_as_asked(const std::string& name,
                                                                     const OpenOptions& options);
  // Made when first asked for, and kept as long as the game.
  ScenePtr scene(const std::shared_ptr<const Game>& game);
  std::vector<std::string> names() const { return catalog_.names(); }

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const Game>>;

  std::shared_ptr<const Game> find_opened(const std::string& key,
                                          std::uint64_t& forgotten);  // and used just now
  tl::expected<std::shared_ptr<const Game>, Rejection> open_new(const std::string& name,
                                                                const OpenOptions& options) const;

  const Catalog& catalog_;
  OpenUpload open_upload_;
  const std::size_t kept_;
  std::mutex mutex_;
  std::uint64_t forgotten_ = 0;  // how often something was
  std::list<Entry> latest_first_;
  std::map<std::string, std::list<Entry>::iterator> by_key_;
  std::map<const Game*, std::pair<std::weak_ptr<const Game>, ScenePtr>> scenes_;
};

}  // namespace parlor::host
