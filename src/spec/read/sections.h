// Which sections a block of a game's text holds, and how the sections of several blocks become one.
#pragma once

#include <array>
#include <optional>

#include "spec/document.h"
#include "spec/report.h"

namespace parlor::spec {

// What one file contributes.
using Fragment = Sections;

// Adds a block to the fragment of its file. A block finds its sections in one of three ways: by a
// `section:` key, by canonical keys, or, failing both, by its shape. `labelled` is false for
// blocks that did not say they are YAML: those may be anything, and are left alone if so.
void add_block(Node root, bool labelled, Fragment& fragment, Report& report);

// Appends a fragment to the document: lists are joined, event decks of one id merged; a singleton
// that is there already is a conflict.
void merge_fragment(Fragment&& fragment, Sections& into, Code conflict, Report& report);

}  // namespace parlor::spec
