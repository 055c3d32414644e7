// Which of a game's data assets are in force: the scenario, and through it the map, the piece
// catalog and the seat catalog.
#pragma once

#include <string>
#include <vector>

#include "spec/document.h"
#include "spec/report.h"

namespace parlor::spec {

struct SelectedAsset {
  Node* payload = nullptr;
  std::string id;
  std::size_t index = 0;  // in dataAssets

  explicit operator bool() const { return payload != nullptr; }
  std::string path() const;  // "dataAssets.2.payload"
};

struct Selection {
  SelectedAsset scenario, map, pieces, seats;
};

// Without a report nothing is said about what is missing or ambiguous.
Selection select_assets(GameSpecDoc& doc, Report* report);

// Seat ids of the selected seat catalog, in player order; empty without one.
std::vector<std::string> seat_ids(const Selection& selection);

}  // namespace parlor::spec
