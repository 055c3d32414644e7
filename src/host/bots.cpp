#include "host/bots.h"

#include <chrono>
#include <fmt/core.h>

namespace parlor::host {
namespace {

// The settings of an agent's text, "name:key=value,…".
struct AgentText {
  std::string name;
  std::vector<std::pair<std::string, double>> settings;

  const double* find(std::string_view key) const {
    for (const auto& [name_, value] : settings)
      if (name_ == key) return &value;
    return nullptr;
  }
};

AgentText read_agent(const std::string& text) {
  AgentText out;
  const auto colon = text.find(':');
  out.name = text.substr(0, colon);
  if (colon == std::string::npos) return out;
  std::string rest = text.substr(colon + 1);
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string one = rest.substr(0, comma);
    rest.erase(0, comma + 1);
    if (const auto equals = one.find('='); equals != std::string::npos)
      out.settings.emplace_back(one.substr(0, equals), std::atof(one.c_str() + equals + 1));
  }
  return out;
}

bool has_parameter(std::string_view kind, std::string_view parameter) {
  for (const play::AgentKind& known : play::agent_kinds())
    if (known.name == kind)
      for (const play::AgentParameter& one : known.parameters)
        if (one.name == parameter) return true;
  return false;
}

Time elapsed_since(std::chrono::steady_clock::time_point began) {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now() - began).count();
}

constexpr const char* fallback_agent = "random";

}  // namespace

tl::expected<std::string, Rejection> limited_agent(const std::string& text, const Game& game,
                                                   const BotLimits& limits) {
  if (const auto maker = play::find_agent(text, game); !maker)
    return tl::unexpected(Rejection{
        maker.error().code, maker.error().message, {{"alternatives", maker.error().alternatives}}});
  const AgentText agent = read_agent(text);
  const auto too_much = [&](std::string_view name, double most) -> std::optional<Rejection> {
    const double* const value = agent.find(name);
    if (value == nullptr || *value <= most) return std::nullopt;
    return Rejection{Code::AGENT_PARAMETER, fmt::format("`{}` may be at most {} here", name, most)};
  };
  for (const auto& [name, most] :
       {std::pair{"ms", limits.milliseconds}, std::pair{"iters", limits.iterations},
        std::pair{"playouts", limits.iterations / 10}, std::pair{"samples", 100.0},
        std::pair{"threads", 1.0}, std::pair{"table", 20.0}, std::pair{"nodes", 2e6}})
    if (auto refused = too_much(name, most)) return tl::unexpected(std::move(*refused));
  // Without a limit on time a few thousand iterations of a long game would block a thread.
  const double* const ms = agent.find("ms");
  if (!has_parameter(agent.name, "ms") || (ms != nullptr && *ms > 0)) return text;
  const char separator = text.find(':') == std::string::npos ? ':' : ',';
  std::string limited = fmt::format("{}{}ms={}", text, separator, limits.milliseconds);
  if (ms != nullptr)
    return tl::unexpected(Rejection{Code::AGENT_PARAMETER, "`ms` must not be 0 here"});
  return limited;
}

void Bots::choose(Search search, std::function<void(Choice)> then) {
  ++waiting_;
  const bool apart = search.one_by_one;
  Task task = [this, search = std::move(search), then = std::move(then)] {
    --waiting_;
    if (!*search.wanted) return;
    const Choice choice = think(search);
    if (*search.wanted) then(choice);
  };
  if (apart)
    one_by_one_->post(std::move(task));
  else
    executor_.post(std::move(task));
}

play::AgentMaker Bots::maker(const Search& search) {
  const std::lock_guard lock{mutex_};
  const auto key = std::pair{search.game.get(), search.agent};
  if (const auto found = prepared_.find(key); found != prepared_.end()) return found->second;
  auto made = play::find_agent(search.agent, *search.game);
  if (!made) made = play::find_agent(fallback_agent, *search.game);
  // Only what is expensive to prepare is worth keeping, and not for everything that strangers can
  // ask for; the game must outlive it.
  constexpr std::size_t most = 16;
  if (prepared_.size() >= most) prepared_.clear();
  if (search.agent.starts_with("cfr"))
    prepared_[key] = [game = search.game, inner = *made] { return inner(); };
  return *made;
}

Bots::Choice Bots::think(const Search& search) {
  const auto began = std::chrono::steady_clock::now();
  OptionList options;
  search.state.list_options(options);
  const auto agent = maker(search)();
  agent->begin(search.state, search.seat, search.seed);
  agent->think_while(search.wanted.get());
  const std::size_t option = options.size() == 1 ? 0 : agent->choose(search.state, options);
  return {option, elapsed_since(began)};
}

void Bots::judge_draw(Search search, std::function<void(bool)> then) {
  constexpr int games = 32;
  constexpr int longest = 2000;
  ++waiting_;
  executor_.post([this, search = std::move(search), then = std::move(then)] {
    --waiting_;
    if (!*search.wanted) return;
    Rng rng{search.seed};
    OptionList options;
    std::int64_t sum = 0;
    for (int n = 0; n < games && *search.wanted; ++n) {
      State state = search.state;
      state.game().resample_hidden(state.block(), Viewer::player(search.seat), rng);
      for (int made = 0; made < longest && !state.finished(); ++made) {
        state.list_options(options);
        if (options.empty() || !state.apply(options[draw_option(options, rng)])) break;
      }
      if (state.finished()) sum += state.outcome().returns[search.seat.index()];
    }
    then(sum <= 0);
  });
}

}  // namespace parlor::host
