// The fixed forms of data assets: which keys an object has, which are required and what they hold.
// Unknown keys are errors.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "spec/document.h"
#include "spec/keys.h"

namespace parlor::spec {

enum class Holds : std::uint8_t { text, integer, boolean, scalar, texts, list, map, anything };

struct FieldRule {
  std::string_view key;
  Holds holds;
  bool required = false;
};

// True when the object is of its form; otherwise everything that is wrong has been reported.
bool check_object(const Node& node, std::span<const FieldRule> rules, std::string_view what,
                  const std::string& path, Report& report);

// Every asset: {id, kind, payload}, unique ids, and the payload's own form for the fixed kinds.
void check_assets(const GameSpecDoc& doc, Report& report);

}  // namespace parlor::spec
