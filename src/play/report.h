// The evaluation, and the archive of a tuning, as one self-contained page: no scripts, no fonts, no
// pictures from elsewhere.
#pragma once

#include <string>

#include "play/evaluation.h"

namespace parlor::play {

std::string html_report(const Evaluation& evaluation);

// A page in the house style; `body` is HTML.
std::string html_page(std::string_view title, std::string_view body);

}  // namespace parlor::play
