// Text to nodes, before anything is expanded: every string that stands where a condition, a number,
// a query or an effect is expected becomes the nodes it says, and so do blocks with a text for a
// head.
#pragma once

#include "base/source.h"
#include "spec/document.h"
#include "spec/report.h"
#include "spec/text/parser.h"

namespace parlor::spec::text {

// What the parser has to know of a document.
Names names_of_document(const Sections& sections);

// The whole document. Answers what the parser knew in the end.
Names read_text(GameSpecDoc& doc, const SourceTexts& texts, Report& report);
// A part of a document whose names are known.
void read_text(GameSpecDoc& part, const SourceTexts& texts, Report& report, const Names& names);

}  // namespace parlor::spec::text
