#include "spec/read/loader.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>

#include "spec/read/fences.h"
#include "spec/read/yaml.h"

namespace parlor::spec {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_bare_yaml(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml");
}

std::string chain_text(const std::vector<std::string>& chain) {
  std::string out;
  for (const std::string& file : chain) out += fmt::format("{}{}", out.empty() ? "" : " -> ", file);
  return out;
}

}  // namespace

bool Loader::load(const std::string& entry, Sections& sections) {
  home_ = fs::path{entry}.parent_path();
  return visit(entry, nullptr, sections);
}

bool Loader::load_alone(const std::string& entry, Sections& sections) {
  std::optional<Fragment> fragment = read_file(entry, nullptr);
  if (!fragment) return false;
  merge_fragment(std::move(*fragment), sections, Code::IMPORT_SINGLETON_CONFLICT, report_);
  return true;
}

void Loader::load_folder(const std::vector<std::string>& entries, Sections& sections) {
  // A module is chosen when a game is opened; lying next to the game does not switch it on.
  std::vector<std::pair<std::string, Fragment>> parts;
  for (const std::string& entry : entries) {
    auto fragment = read_file(entry, nullptr);
    if (!fragment || (*fragment)[static_cast<std::size_t>(Section::module)]) continue;
    done_.insert(entry);
    parts.emplace_back(entry, std::move(*fragment));
  }
  for (auto& [entry, fragment] : parts) {
    chain_.push_back(entry);
    if (const auto& imports = fragment[static_cast<std::size_t>(Section::imports)])
      import_all(entry, *imports, sections);
    chain_.pop_back();
    merge_fragment(std::move(fragment), sections, Code::SECTION_DUPLICATE, report_);
  }
}

bool Loader::visit(const std::string& path, const Node* import, Sections& into) {
  if (std::ranges::find(chain_, path) != chain_.end()) {
    report_cycle(path, *import);
    return true;
  }
  if (!done_.insert(path).second) return true;
  std::optional<Fragment> fragment = read_file(path, import);
  if (!fragment) return false;
  chain_.push_back(path);
  if (const auto& imports = (*fragment)[static_cast<std::size_t>(Section::imports)])
    import_all(path, *imports, into);
  chain_.pop_back();
  merge_fragment(std::move(*fragment), into, Code::IMPORT_SINGLETON_CONFLICT, report_);
  return true;
}

void Loader::import_all(const std::string& path, const Node& imports, Sections& into) {
  for (std::size_t i = 0; i < imports.items.size(); ++i) {
    const Node& item = imports.items[i];
    if (!item.is_string() || item.text.empty()) {
      report_
          .error(Code::IMPORT_INVALID, item.origin,
                 fmt::format("an import is the path of a file, not {}", describe(item)),
                 fmt::format("imports.{}", i))
          .suggestion = "write the path as text: `- rules/actions.md`";
      continue;
    }
    import_file(path, item, fmt::format("imports.{}", i), into);
  }
}

// A text may name only files that were meant to be part of it: those beside it, and those in
// folders whoever opens the game has added.
bool Loader::may_import(const fs::path& path) const {
  const auto inside = [&](const fs::path& folder) {
    const fs::path way = path.lexically_relative(folder.empty() ? fs::path{"."} : folder);
    return !way.empty() && *way.begin() != "..";
  };
  return inside(home_) || std::ranges::any_of(include_, inside);
}

void Loader::import_file(const std::string& path, const Node& import, const std::string& at,
                         Sections& into) {
  const fs::path target{import.text};
  if (target.is_absolute()) {
    report_.error(Code::IMPORT_INVALID, import.origin, "an import must be a relative path", at)
        .suggestion = "paths are relative to the file that imports";
    return;
  }
  const fs::path beside = (fs::path{path}.parent_path() / target).lexically_normal();
  std::vector<fs::path> places;
  if (may_import(beside)) places.push_back(beside);
  for (const fs::path& folder : include_)
    if (const fs::path place = (folder / target).lexically_normal(); may_import(place))
      places.push_back(place);
  if (places.empty()) {
    report_
        .error(Code::IMPORT_OUTSIDE, import.origin,
               fmt::format("`{}` is outside the game's folder", import.text), at)
        .suggestion =
        "move the file into the folder, or open the game with --include and the "
        "folder that holds it";
    return;
  }
  const auto found = std::ranges::find_if(
      places, [&](const fs::path& place) { return files_(place.generic_string()).has_value(); });
  visit((found != places.end() ? *found : places.front()).generic_string(), &import, into);
}

void Loader::report_cycle(const std::string& path, const Node& import) {
  std::vector<std::string> cycle(std::ranges::find(chain_, path), chain_.end());
  cycle.push_back(path);
  Diagnostic& d =
      report_.error(Code::IMPORT_CYCLE, import.origin,
                    fmt::format("files import each other: {}", chain_text(cycle)), "imports");
  d.suggestion = "move what both need into a third file";
}

std::optional<Fragment> Loader::read_file(const std::string& path, const Node* import) {
  std::optional<std::string> text = files_(path);
  const Origin origin = import != nullptr ? import->origin : Origin{};
  if (!text) {
    Diagnostic& d = report_.error(Code::IMPORT_NOT_FOUND, origin,
                                  fmt::format("the file `{}` cannot be read", path), "imports");
    if (import != nullptr) {
      d.suggestion = "paths are relative to the file that imports";
      if (chain_.size() > 1) d.suggestion += fmt::format("; imported by {}", chain_text(chain_));
    }
    return std::nullopt;
  }
  constexpr std::size_t most_files = 1'000;
  if (report_.source().file_count() >= most_files) {
    if (report_.source().file_count() == most_files)
      report_.error(Code::LIMIT_FILES, origin,
                    fmt::format("a game may have at most {} files", most_files), "imports");
    report_.source().add_file(path);  // said once
    return std::nullopt;
  }
  texts_.add(path, *text);
  const TextFile& file = read_.emplace_back(report_.source().add_file(path), std::move(*text));
  if (file.text().size() > limits_.file_bytes) {
    report_
        .error(Code::LIMIT_FILE_SIZE, {file.place(0)},
               fmt::format("the file has {} bytes; at most {} are read", file.text().size(),
                           limits_.file_bytes))
        .suggestion = "split the game into several files with `imports`";
    return std::nullopt;
  }
  if (!check_encoding(file, report_)) return std::nullopt;
  Fragment fragment;
  if (is_bare_yaml(path)) {
    YamlLimits limits{limits_.nesting, limits_.alias_nodes};
    const std::size_t begin = file.text().starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    if (auto root = parse_yaml({&file, begin, file.text().size()}, limits, report_))
      add_block(std::move(*root), true, fragment, report_);
  } else {
    read_markdown(file, fragment);
  }
  return fragment;
}

void Loader::read_markdown(const TextFile& file, Fragment& fragment) {
  YamlLimits limits{limits_.nesting, limits_.alias_nodes};
  std::size_t used = 0;
  for (const Fence& fence : find_fences(file, report_)) {
    if (used == limits_.blocks_per_file) {
      report_
          .warning(
              Code::LIMIT_BLOCKS, {file.place(fence.open, fence.begin)},
              fmt::format("only the first {} blocks of a file are read", limits_.blocks_per_file))
          .suggestion = "join blocks, or split the game into several files with `imports`";
      return;
    }
    const YamlBlock block{&file, fence.begin, fence.end};
    if (fence.end - fence.begin > limits_.block_bytes) {
      report_
          .error(Code::LIMIT_BLOCK_SIZE, {file.place(fence.open, fence.begin)},
                 fmt::format("this block has {} bytes; at most {} are read",
                             fence.end - fence.begin, limits_.block_bytes))
          .suggestion = "split the block: lists from several blocks are joined";
      continue;
    }
    if (!fence.labelled && !is_yaml_mapping(block)) continue;
    ++used;
    if (auto root = parse_yaml(block, limits, report_))
      add_block(std::move(*root), fence.labelled, fragment, report_);
  }
}

}  // namespace parlor::spec
