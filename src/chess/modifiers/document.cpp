#include "chess/modifiers/document.h"

#include "spec/read/yaml.h"
#include "spec/report.h"

namespace parlor::chess {

ModifierDocument::ModifierDocument() = default;
ModifierDocument::~ModifierDocument() = default;

std::unique_ptr<ModifierDocument> ModifierDocument::read(const std::string& text,
                                                         const std::string& file,
                                                         Diagnostics& problems) {
  auto out = std::make_unique<ModifierDocument>();
  const spec::TextFile source(out->doc.source.add_file(file), text);
  spec::Report report(out->doc.source, problems);
  spec::YamlLimits limits;
  if (!check_encoding(source, report)) return nullptr;
  auto root = parse_yaml({&source, 0, text.size()}, limits, report);
  if (!root && report.errors() == 0)
    report.error(Code::MODIFIER_INVALID, {source.place(0)}, "the file is empty");
  if (!root || report.errors() != 0) return nullptr;
  out->root = std::move(*root);
  return out;
}

}  // namespace parlor::chess
