#include <CLI/App.hpp>
#include <filesystem>
#include <fmt/core.h>
#include <iostream>

#include "cli/opening.h"
#include "open/open.h"
#include "server/check.h"
#include "server/server.h"

namespace parlor::cli {
namespace {

struct ServeOptions {
  std::string listen, admin, store, web, config;
  std::vector<std::string> origins, proxies;
  std::string bundle;  // what is to be done with one
};

// What the child that compiles a stranger's game does.
int run_bundle(Context& context, const std::string& work) {
  server::limit_this_process();
  const auto text = read_text(context, "-");
  if (!text) return fail(context, text.error());
  const auto json = parse_json(*text);
  if (!json || !json->is_object()) return exit_input;
  const auto bundle = server::read_bundle(*json);
  if (!bundle) return exit_input;
  print_line(context, work == "evaluate"  ? server::evaluate_here(*bundle, server::time_is_short())
                      : work == "compile" ? server::compile_here(*bundle)
                                          : server::check_here(*bundle));
  return exit_fine;
}

// The page that was built or installed beside the games; empty: there is none.
std::string page_folder() {
  const auto games = open::games_folder();
  if (!games) return {};
  std::error_code ignored;
  for (const char* place : {"web/dist", "web"})
    if (const auto folder = games->parent_path() / place;
        std::filesystem::is_regular_file(folder / "index.html", ignored))
      return folder.string();
  return {};
}

int run_serve(Context& context, const ServeOptions& options) {
  if (!options.bundle.empty()) return run_bundle(context, options.bundle);
  server::ServerSettings settings;
  if (!options.config.empty()) {
    const auto text = read_text(context, options.config);
    if (!text) return fail(context, text.error());
    const auto json = parse_json(*text);
    if (!json)
      return fail(context, Rejection{Code::JSON_INVALID, options.config + ": " + json.error()});
    if (const auto read = server::read_settings(*json, settings); !read)
      return fail(context, Rejection{Code::JSON_INVALID, options.config + ": " + read.error()});
  }
  if (!options.listen.empty()) settings.listen = options.listen;
  if (!options.admin.empty()) settings.admin = options.admin;
  if (!options.store.empty()) settings.store = options.store;
  if (!options.web.empty()) settings.web = options.web;
  if (settings.web.empty()) settings.web = page_folder();
  settings.origins.insert(settings.origins.end(), options.origins.begin(), options.origins.end());
  settings.proxies.insert(settings.proxies.end(), options.proxies.begin(), options.proxies.end());
  // Strangers name games: never files.
  const Catalog catalog = open::catalog(open::Files::none);
  server::Server server{catalog, settings, context.err};
  if (auto started = server.start(); !started) return fail(context, started.error());
  if (context.json)
    print_json(context,
               {{"ok", true}, {"port", server.port()}, {"adminPort", server.admin_port()}});
  else
    context.out << fmt::format(
        "Parlor is at http://{}:{} (Ctrl-C ends it){}\n",
        settings.listen.substr(0, settings.listen.rfind(':')), server.port(),
        settings.web.empty() ? "; there is no page: `make web` builds it" : "");
  context.out << std::flush;
  server.run(true);
  return exit_fine;
}

}  // namespace

CommandSpec serve_command() {
  return {
      .name = "serve",
      .summary = "Host games for others: HTTP for the lobby, a WebSocket for each table",
      .example = "parlor serve --listen 127.0.0.1:8080 --store sqlite:parlor.db",
      .declare = [](CLI::App& app) -> Run {
        auto options = std::make_shared<ServeOptions>();
        app.add_option("--listen", options->listen, "where to listen (127.0.0.1:8080)")
            ->type_name("ADDRESS:PORT");
        app.add_option(
               "--store", options->store,
               "where tables are kept: sqlite:FILE (sqlite:parlor.db), postgres:CONNINFO or memory")
            ->type_name("STORE");
        app.add_option("--web", options->web,
                       "a folder with the page to serve (the one that was built)")
            ->type_name("DIR");
        app.add_option("--config", options->config, "settings as a JSON file; see docs/server.md")
            ->type_name("FILE");
        app.add_option("--admin", options->admin, "where /metrics is to be had")
            ->type_name("ADDRESS:PORT");
        app.add_option("--origin", options->origins,
                       "a page of another host that may use this server, e.g. https://example.org")
            ->type_name("ORIGIN");
        app.add_option("--proxy", options->proxies,
                       "address of a proxy whose X-Forwarded-For is believed")
            ->type_name("ADDRESS");
        app.add_option("--bundle", options->bundle)->group("");
        return [=](Context& context) { return run_serve(context, *options); };
      },
      .json_help = "print the port as JSON once the server listens"};
}

}  // namespace parlor::cli
