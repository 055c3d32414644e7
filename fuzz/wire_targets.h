// The targets that read what comes over a line (S-69); see targets.h.
#pragma once

#include "fuzz/targets.h"

namespace parlor::fuzz {

void run_frames(std::string_view text);
std::vector<std::string> frames_seeds();
void run_http(std::string_view text);
std::vector<std::string> http_seeds();

}  // namespace parlor::fuzz
