// A block of YAML in the tree notation to the text notation: every node that can be said in text is
// replaced by the text, and declarations that say no more than a short one become short.
#pragma once

#include "spec/node.h"
#include "spec/text/printer.h"

namespace parlor::spec::text {

// `root` is a whole block: a mapping from section names to sections.
void write_as_text(Node& root, const PrintContext& context);

}  // namespace parlor::spec::text
