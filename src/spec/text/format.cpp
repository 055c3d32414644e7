#include "spec/text/format.h"

#include <algorithm>
#include <map>

#include "spec/lower/lower.h"
#include "spec/read/fences.h"
#include "spec/read/loader.h"
#include "spec/read/yaml.h"
#include "spec/text/layout.h"
#include "spec/text/printer.h"
#include "spec/text/reader.h"
#include "spec/text/rewrite.h"
#include "spec/text/short_forms.h"

namespace parlor::spec {
namespace {

namespace fs = std::filesystem;

// What words of a file mean, by line and column.
using Meanings = std::map<std::pair<std::uint32_t, std::uint64_t>, Node>;

std::pair<std::uint32_t, std::uint64_t> where(const Place& place) {
  return {place.line, (std::uint64_t{place.column} << 32) | place.end_column};
}

// Bindings as the file writes them, the longest first.
struct LongestFirst {
  bool operator()(const std::string& a, const std::string& b) const {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  }
};
using BindingNames = std::set<std::string, LongestFirst>;

void collect_bindings(const Node& node, BindingNames& out) {
  if (node.is_string() && node.text.starts_with('$')) out.insert(node.text);
  for (const Node& item : node.items) collect_bindings(item, out);
  for (const Entry& entry : node.entries) collect_bindings(entry.value, out);
}

// What is found out about a macro's body is found out where it is used, and there its bindings have
// names of their own that end in those it gave them.
void give_back_names(Node& node, const BindingNames& names) {
  if (node.is_string() && node.text.starts_with("$__")) {
    const auto own = std::ranges::find_if(
        names, [&](const std::string& name) { return node.text.ends_with("_" + name.substr(1)); });
    if (own != names.end()) node.text = *own;
  }
  for (Node& item : node.items) give_back_names(item, names);
  for (Entry& entry : node.entries) give_back_names(entry.value, names);
}

// A word means the same wherever its macro is used, or it stays a word.
Meanings meanings_of(const std::multimap<Place, Node>& resolved, std::uint16_t file,
                     const BindingNames& names) {
  Meanings out;
  std::set<std::pair<std::uint32_t, std::uint64_t>> unclear;
  for (const auto& [place, node] : resolved) {
    if (place.file != file) continue;
    Node meant = node;
    give_back_names(meant, names);
    const auto [entry, added] = out.emplace(where(place), meant);
    if (!added && !same_value(entry->second, meant)) unclear.insert(entry->first);
  }
  for (const auto& place : unclear) out.erase(place);
  return out;
}

// What is assigned stays as it is written: its own words are looked up one by one, and macros in it
// are not taken apart.
void keep_value(Node& effect, const Node& written) {
  if (effect.entries.size() != 1 || written.entries.size() != 1) return;
  const Node& said = written.entries.front().value;
  for (const std::string_view from : {"value", "delta"})
    if (const Node* value = said.find(from))
      for (const std::string_view to : {"value", "delta", "state"})
        if (Node* meant = effect.entries.front().value.find(to)) *meant = *value;
}

void put_meanings(Node& node, const Meanings& meanings, bool lifted = false) {
  const Node* ref = node.find("ref");
  const bool word = ref != nullptr && (ref->is("name") || ref->is("field"));
  // What a question of tokens became stands where the question stood, with all its parts.
  const bool may = word || (!lifted && (node.has("set") || node.has("add") || node.has("op")));
  if (may && node.origin.place.known())
    if (const auto found = meanings.find(where(node.origin.place)); found != meanings.end()) {
      const bool effect = node.has("set") || node.has("add");
      if (word || effect || found->second.has("op")) {
        lifted = lifted || !effect;
        const Node written = std::exchange(node, found->second);
        if (effect) keep_value(node, written);
        // Rules name a table by its path in the asset.
        if (Node* table = node.find("tableId"); table != nullptr && table->is_string())
          if (const std::size_t asset = table->text.find("::"); asset != std::string::npos)
            table->text.erase(0, asset + 2);
        if (word && !node.has("op")) return;
      }
    }
  for (Node& item : node.items) put_meanings(item, meanings, lifted);
  for (Entry& entry : node.entries) put_meanings(entry.value, meanings, lifted);
}

// Lists, mappings and keys are the same; what stands in them may differ.
bool same_shape(const Node& a, const Node& b) {
  if (a.is_scalar() != b.is_scalar() || a.is_list() != b.is_list() ||
      a.items.size() != b.items.size() || a.entries.size() != b.entries.size())
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same_shape(a.items[i], b.items[i])) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    if (a.entries[i].key != b.entries[i].key || !same_shape(a.entries[i].value, b.entries[i].value))
      return false;
  return true;
}

class Formatter {
 public:
  Formatter(Notation notation, const text::Names& names, const text::Claims& claims,
            const Meanings& meanings)
      : notation_(notation), names_(names), claims_(claims), meanings_(meanings) {}

  std::string run(const TextFile& file, Report& report, const SourceTexts& texts) {
    std::string out;
    std::size_t done = 0;
    std::vector<Fence> fences;
    const std::string_view name = report.source().file(file.index());
    if (name.ends_with(".yaml") || name.ends_with(".yml"))
      fences.push_back({0, 0, file.text().size(), "yaml", true});
    else
      fences = find_fences(file, report);
    for (const Fence& fence : fences) {
      YamlLimits limits;
      const YamlBlock block{&file, fence.begin, fence.end};
      if (!fence.labelled && !is_yaml_mapping(block)) continue;
      std::optional<Node> root = parse_yaml(block, limits, report);
      if (!root || !root->is_map() || !has_sections(*root)) continue;
      const std::string_view source = file.text().substr(fence.begin, fence.end - fence.begin);
      if (source.find('&') != std::string_view::npos && has_aliases(source)) continue;
      const Node before = *root;
      rewrite(*root, report, texts);
      const auto breaks = same_shape(before, *root) ? text::Breaks::written : text::Breaks::ruled;
      out += file.text().substr(done, fence.begin - done);
      out += text::lay_out(*root, source, file.place(fence.begin).line, breaks);
      done = fence.end;
    }
    return out + std::string{file.text().substr(done)};
  }

 private:
  static bool has_sections(const Node& root) {
    return std::ranges::any_of(root.entries, [](const Entry& entry) {
      return find_section(entry.key).has_value() || entry.key == "seats";
    });
  }
  // A block that repeats itself with anchors stays as it is.
  static bool has_aliases(std::string_view source) {
    return source.find(": &") != std::string_view::npos ||
           source.find("- &") != std::string_view::npos;
  }

  void rewrite(Node& root, Report& report, const SourceTexts& texts) {
    if (notation_ == Notation::text) return text::write_as_text(root, {names_, claims_});
    std::vector<Entry> out;
    for (Entry& entry : root.entries) {
      if (entry.key == "seats") {
        Node list = Node::of_list(entry.value.origin);
        list.items.push_back(text::seat_catalog(std::move(entry.value)));
        entry.key = "dataAssets";
        entry.value = std::move(list);
      }
      const auto section = find_section(entry.key);
      if (section) {
        GameSpecDoc doc;
        doc.source = report.source();
        doc.need(*section) = text::long_form(*section, std::move(entry.value));
        text::read_text(doc, texts, report, names_);
        entry.value = std::move(*doc.find(*section));
        put_meanings(entry.value, meanings_);
      }
      const auto same = std::ranges::find(out, entry.key, &Entry::key);
      if (same != out.end() && entry.value.is_list())
        std::ranges::move(entry.value.items, std::back_inserter(same->value.items));
      else
        out.push_back(std::move(entry));
    }
    root.entries = std::move(out);
  }

  Notation notation_;
  const text::Names& names_;
  const text::Claims& claims_;
  const Meanings& meanings_;
};

FormatResult format(const std::string& wanted, const std::string& entry, const FileLoader& files,
                    Notation notation) {
  FormatResult result;
  FrontOptions options;
  // The whole game, for what its words mean.
  FrontResult front = read_game(entry, files, options);
  Diagnostics diagnostics = front.diagnostics;
  std::multimap<Place, Node> resolved;
  if (!diagnostics.has_errors())
    lower_document(front.doc, diagnostics, Completeness::whole, &resolved);
  std::uint16_t index = 0;
  for (std::uint16_t i = 0; i < front.doc.source.file_count(); ++i)
    if (front.doc.source.file(i) == wanted) index = i;
  result.texts = front.texts;
  if (notation == Notation::tree && diagnostics.has_errors()) {
    result.diagnostics = finish(std::move(diagnostics), options.limits.diagnostics);
    return result;
  }
  // The same once more as it is written.
  GameSpecDoc written;
  Diagnostics problems;
  Report report{written.source, problems};
  Loader loader{files, options, report, result.texts};
  if (loader.load(entry, written.sections)) {
    const text::Claims claims = text::claims_of(written.sections);
    const text::Names names = text::read_text(written, result.texts, report);
    const auto text = files(wanted);
    if (text) {
      const TextFile file{written.source.add_file(wanted), *text};
      result.texts.add(wanted, *text);
      BindingNames bindings;
      for (const auto& section : written.sections)
        if (section) collect_bindings(*section, bindings);
      const Meanings meanings = meanings_of(resolved, index, bindings);
      result.text = Formatter{notation, names, claims, meanings}.run(file, report, result.texts);
    } else {
      report.error(Code::FILE_NOT_FOUND, {}, "the file cannot be read");
    }
  }
  if (problems.has_errors()) result.text.reset();
  result.diagnostics = finish(std::move(problems), options.limits.diagnostics);
  return result;
}

}  // namespace

FormatResult format_file(const fs::path& path, const fs::path& game, Notation notation,
                         const FileReader& read) {
  const fs::path base = game.parent_path();
  const FileLoader files = [&](std::string_view name) { return read(base / fs::path{name}); };
  std::error_code error;
  const fs::path wanted =
      fs::absolute(path, error)
          .lexically_normal()
          .lexically_relative(fs::absolute(base.empty() ? "." : base, error).lexically_normal());
  return format(wanted.generic_string(), game.filename().generic_string(), files, notation);
}

FormatResult format_files(std::string_view path, std::string_view game, const FileLoader& files,
                          Notation notation) {
  return format(std::string{path}, std::string{game}, files, notation);
}

FormatResult format_text(std::string_view text, Notation notation, std::string_view name) {
  const FileLoader files = [&](std::string_view wanted) -> std::optional<std::string> {
    if (wanted != name) return std::nullopt;
    return std::string{text};
  };
  return format(std::string{name}, std::string{name}, files, notation);
}

}  // namespace parlor::spec
