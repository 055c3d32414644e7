#include "games/histories.h"

#include <algorithm>
#include <numeric>

#include "base/hash.h"
#include "game/streams.h"

namespace parlor::games {
namespace {

double share_of(const OptionList& options, std::size_t i) {
  if (options.weights().empty()) return 1.0 / static_cast<double>(options.size());
  const auto& weights = options.weights();
  return static_cast<double>(weights[i]) /
         static_cast<double>(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}));
}

// Equal states, reached in several ways, are one with the sum of the weights.
void merge(std::vector<History>& all) {
  std::ranges::stable_sort(all, {}, [](const History& h) { return h.state.hash(); });
  std::vector<History> out;
  for (History& h : all)
    if (!out.empty() && out.back().state == h.state)
      out.back().weight += h.weight;
    else
      out.push_back(std::move(h));
  all = std::move(out);
}

// Some of them, spread evenly.
void thin_out(std::vector<History>& all, std::size_t most) {
  if (most == 0 || all.size() <= most) return;
  for (std::size_t k = 0; k < most; ++k) all[k] = all[k * all.size() / most];
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(most), all.end());
}

}  // namespace

std::string told_at(const State& state, const Viewer& viewer) {
  return canonical({{"view", state.view(viewer)},
                    {"decision", decision_to_json(state, viewer)},
                    {"question", state.question(viewer)}});
}

std::vector<History> histories_like(const State& start, const std::vector<Option>& options,
                                    const Viewer& viewer, std::size_t most) {
  std::vector<History> all{{{}, start, 1}};
  State real = start;
  OptionList list;
  for (const Option taken : options) {
    const bool own = viewer.is(real.decision().player);
    if (!real.apply(taken)) return {};
    const std::string told = told_at(real, viewer);
    std::vector<History> next;
    for (const History& h : all) {
      h.state.list_options(list);
      for (std::size_t i = 0; i < list.size(); ++i) {
        if (own && list[i] != taken) continue;
        History longer = h;
        if (!longer.state.apply(list[i]) || told_at(longer.state, viewer) != told) continue;
        longer.options.push_back(list[i]);
        if (!own) longer.weight *= share_of(list, i);
        next.push_back(std::move(longer));
      }
    }
    merge(next);
    thin_out(next, most);
    all = std::move(next);
  }
  return all;
}

std::string world_of(const State& state) {
  Json view = state.view();
  for (auto& [id, tokens] : view["zones"].items()) {
    if (!tokens.is_array()) continue;
    std::vector<std::string> faces;
    for (const Json& token : tokens) faces.push_back(canonical(token["props"]));
    std::ranges::sort(faces);
    tokens = faces;
  }
  return canonical({{"zones", view["zones"]},
                    {"players", view["players"]},
                    {"globals", view["globals"]},
                    {"submissions", view.value("submissions", Json())}});
}

Worlds worlds_of(const std::vector<History>& histories) {
  double sum = 0;
  for (const History& h : histories) sum += h.weight;
  Worlds out;
  for (const History& h : histories) out[world_of(h.state)] += h.weight / sum;
  return out;
}

Worlds resampled_worlds(const State& state, const Viewer& viewer, int times, Seed seed) {
  Worlds out;
  Rng rng(seed);
  for (int i = 0; i < times; ++i) {
    State world = state;
    world.game().resample_hidden(world.block(), viewer, rng);
    out[world_of(world)] += 1.0 / times;
  }
  return out;
}

}  // namespace parlor::games
