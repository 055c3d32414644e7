#include "spec/derive/select.h"

#include <algorithm>
#include <fmt/core.h>

namespace parlor::spec {
namespace {

std::vector<SelectedAsset> assets_of_kind(GameSpecDoc& doc, std::string_view kind) {
  std::vector<SelectedAsset> out;
  Node* assets = doc.find(Section::dataAssets);
  if (assets == nullptr) return out;
  for (std::size_t i = 0; i < assets->items.size(); ++i) {
    Node& asset = assets->items[i];
    Node* payload = asset.find("payload");
    const auto id = asset.find_string("id");
    if (asset.find_string("kind") == kind && payload != nullptr && payload->is_map() && id)
      out.push_back({payload, std::string{*id}, i});
  }
  return out;
}

std::vector<std::string> ids_of(const std::vector<SelectedAsset>& assets) {
  std::vector<std::string> out;
  for (const SelectedAsset& asset : assets) out.push_back(asset.id);
  return out;
}

// The asset `reference` names, or the only one of the kind.
SelectedAsset pick(GameSpecDoc& doc, std::string_view kind, const Node* reference,
                   const std::string& reference_path, Code ambiguous, std::string_view how,
                   Report* report) {
  const std::vector<SelectedAsset> assets = assets_of_kind(doc, kind);
  if (reference != nullptr && reference->is_string()) {
    const auto found = std::ranges::find(assets, reference->text, &SelectedAsset::id);
    if (found != assets.end()) return *found;
    if (report != nullptr) {
      Diagnostic& d = report->error(Code::ASSET_UNKNOWN, reference->origin,
                                    fmt::format("there is no {} asset `{}`", kind, reference->text),
                                    reference_path);
      d.alternatives = did_you_mean(reference->text, ids_of(assets));
      if (d.alternatives.empty() && !assets.empty())
        d.suggestion = fmt::format("the {} assets are {}", kind, name_list(ids_of(assets)));
    }
    return {};
  }
  if (assets.size() == 1) return assets.front();
  if (assets.size() > 1 && report != nullptr) {
    Diagnostic& d = report->error(
        ambiguous, assets[1].payload->origin,
        fmt::format("there are several {} assets: {}", kind, name_list(ids_of(assets))),
        fmt::format("dataAssets.{}", assets[1].index));
    d.suggestion = std::string{how};
    relate(d, report->source(), "the first is here", assets[0].payload->origin.place);
  }
  return {};
}

}  // namespace

std::string SelectedAsset::path() const {
  return fmt::format("dataAssets.{}.payload", index);
}

Selection select_assets(GameSpecDoc& doc, Report* report) {
  Selection out;
  const Node* metadata = doc.find(Section::metadata);
  const Node* wanted = metadata != nullptr ? metadata->find("defaultScenarioAssetId") : nullptr;
  out.scenario =
      pick(doc, "scenario", wanted, "metadata.defaultScenarioAssetId", Code::SCENARIO_AMBIGUOUS,
           "choose one with `metadata.defaultScenarioAssetId`", report);
  const auto linked = [&](std::string_view kind, std::string_view key) {
    const Node* reference = out.scenario ? out.scenario.payload->find(key) : nullptr;
    const std::string path = out.scenario ? fmt::format("{}.{}", out.scenario.path(), key) : "";
    return pick(doc, kind, reference, path, Code::ASSET_AMBIGUOUS,
                fmt::format("choose one with `{}` in the scenario", key), report);
  };
  out.map = linked("map", "mapAssetId");
  out.pieces = linked("pieceCatalog", "pieceCatalogAssetId");
  out.seats = linked("seatCatalog", "seatCatalogAssetId");
  return out;
}

std::vector<std::string> seat_ids(const Selection& selection) {
  std::vector<std::string> out;
  const Node* seats = selection.seats ? selection.seats.payload->find("seats") : nullptr;
  if (seats == nullptr || !seats->is_list()) return out;
  for (const Node& seat : seats->items)
    if (const auto id = seat.find_string("id")) out.emplace_back(*id);
  return out;
}

}  // namespace parlor::spec
