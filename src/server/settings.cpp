#include "server/settings.h"

#include <fmt/core.h>

namespace parlor::server {
namespace {

class SettingsReader {
 public:
  explicit SettingsReader(const Json& json) : json_(json) {}

  void text(const char* key, std::string& out) {
    take(key, "a text", [&](const Json& value) {
      if (!value.is_string()) return false;
      out = value;
      return true;
    });
  }
  void texts(const char* key, std::vector<std::string>& out) {
    take(key, "a list of texts", [&](const Json& value) {
      if (!value.is_array()) return false;
      out.clear();
      for (const Json& one : value) {
        if (!one.is_string()) return false;
        out.push_back(one);
      }
      return true;
    });
  }
  template <class Number>
  void number(const char* key, Number& out) {
    take(key, "a whole number from 0 to 1000000000", [&](const Json& value) {
      const auto read = integer_in(value, 0, 1'000'000'000);
      if (read) out = static_cast<Number>(*read);
      return read.has_value();
    });
  }
  void flag(const char* key, bool& out) {
    take(key, "true or false", [&](const Json& value) {
      if (value.is_boolean()) out = value.get<bool>();
      return value.is_boolean();
    });
  }
  void nothing_else() {
    for (const auto& [key, value] : json_.items())
      if (std::ranges::find(known_, key) == known_.end() && error.empty())
        error = fmt::format("there is no setting `{}`", key);
  }
  const Json* object(const char* key) {
    const Json* out = nullptr;
    take(key, "an object", [&](const Json& value) {
      out = &value;
      return value.is_object();
    });
    return out != nullptr && out->is_object() ? out : nullptr;
  }

  std::string error;

 private:
  template <class Read>
  void take(const char* key, std::string_view form, const Read& read) {
    known_.emplace_back(key);
    const auto found = json_.find(key);
    if (found != json_.end() && !read(*found) && error.empty())
      error = fmt::format("`{}` must be {}", key, form);
  }

  const Json& json_;
  std::vector<std::string> known_;
};

std::string read_limits(const Json& json, Limits& limits) {
  SettingsReader in{json};
  in.number("requestsPerSecond", limits.requests.most);
  in.number("handlesPerHour", limits.handles.most);
  in.number("tablesPerHour", limits.tables.most);
  in.number("actsPerSecond", limits.acts.most);
  in.number("whyPerSecond", limits.why.most);
  in.number("socketsPerAddress", limits.sockets_per_address);
  in.number("sockets", limits.sockets);
  in.number("helloWithinMs", limits.hello_within);
  in.number("headerWithinMs", limits.header_within);
  in.number("pingEveryMs", limits.ping_every);
  in.nothing_else();
  return in.error;
}

}  // namespace

tl::expected<void, std::string> read_settings(const Json& json, ServerSettings& settings) {
  if (!json.is_object()) return tl::unexpected(std::string{"must be a JSON object"});
  SettingsReader in{json};
  in.text("listen", settings.listen);
  in.text("admin", settings.admin);
  in.text("store", settings.store);
  in.text("node", settings.node);
  in.text("peer", settings.peer);
  in.number("leaseSeconds", settings.lease_seconds);
  in.text("web", settings.web);
  in.texts("origins", settings.origins);
  in.texts("proxies", settings.proxies);
  in.number("tableThreads", settings.table_threads);
  in.number("botThreads", settings.bot_threads);
  in.number("botDelayMs", settings.host.bot_delay);
  in.flag("uploads", settings.uploads);
  if (const Json* limits = in.object("limits"))
    if (auto error = read_limits(*limits, settings.limits); !error.empty()) in.error = error;
  in.nothing_else();
  if (!in.error.empty()) return tl::unexpected(in.error);
  return {};
}

}  // namespace parlor::server
