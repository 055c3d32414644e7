#include "server/uploads.h"

#include <fmt/core.h>

#include "host/secrets.h"
#include "kernel/kernel.h"
#include "spec/spec.h"

namespace parlor::server {

tl::expected<host::UploadRow, Rejection> make_upload(const Bundle& bundle,
                                                     const std::string& program,
                                                     const std::string& owner,
                                                     const host::Random& random, host::Time now) {
  Json said = do_apart(Apart::compile, bundle, program);
  if (!said.value("ok", false) || !said.contains("game"))
    return tl::unexpected(Rejection{Code::JSON_INVALID,
                                    "this does not compile to a game",
                                    {{"diagnostics", said.value("diagnostics", Json::array())}}});
  return host::UploadRow{.id = std::string{host::upload_prefix} + host::new_id(random),
                         .owner = owner,
                         .files = to_json(bundle),
                         .compiled = std::move(said["game"]),
                         .fingerprint = host::sha256(canonical(to_json(bundle))),
                         .created = now};
}

host::Games::OpenUpload upload_opener(const host::Archive& archive) {
  return [&archive](
             const std::string& name,
             const OpenOptions& options) -> tl::expected<std::shared_ptr<const Game>, Rejection> {
    const auto row = archive.upload(name);
    if (!row) return tl::unexpected(row.error());
    if (!*row)
      return tl::unexpected(
          Rejection{Code::GAME_UNKNOWN, fmt::format("there is no game `{}`", name)});
    if ((*row)->suspended)
      return tl::unexpected(Rejection{
          Code::RUN_BUDGET, "this game ran for too long and is suspended", {{"game", name}}});
    auto def = spec::gamedef_from_json((*row)->compiled);
    if (!def)
      return tl::unexpected(
          Rejection{Code::STORE_DAMAGED, "the game was kept badly: " + def.error()});
    // A table finds it again by the name it has here, whatever its author calls it.
    def->metadata.id = name;
    kernel::KernelOptions kernel_options;
    kernel_options.players = options.players;
    kernel_options.explicit_chance = options.explicit_chance;
    // Much less than a game of our own may take: others wait for the same thread.
    kernel_options.budget = 1'000'000;
    kernel_options.look_ahead = 100'000;
    auto game = kernel::open_game(std::move(*def), kernel_options);
    if (!game)
      return tl::unexpected(Rejection{game.error().all().front().code,
                                      game.error().all().front().message,
                                      {{"diagnostics", parlor::to_json(game.error())}}});
    return std::shared_ptr<const Game>{std::move(*game)};
  };
}

}  // namespace parlor::server
