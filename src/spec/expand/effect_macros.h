// Declarations of effect macros and the uses of them (K-20 to K-25).
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "spec/expand/hygiene.h"
#include "spec/expand/macro_types.h"
#include "spec/expand/macros.h"

namespace parlor::spec {

inline bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

struct MacroParam {
  std::string name;
  ParamType type;
};

struct EffectMacro {
  std::string id;
  Place place;
  std::string path;  // of the declaration
  std::vector<MacroParam> params;
  std::vector<std::string> exports;
  Node effects;                       // list
  std::vector<std::string> bindings;  // made by the body, exports of macros it uses included
  bool used = false;
};

class EffectMacros {
 public:
  explicit EffectMacros(Expander& expander);

  // Expands one element of the document (an action, a trigger, a phase, …).
  void expand_element(Node& node, Path& path);
  void check_unused();
  std::vector<std::string> ids() const;

 private:
  // One use that is being expanded; uses nest.
  struct Frame {
    const EffectMacro* macro;
    const Renaming* renaming;
    const Frame* outer;
    std::size_t depth;  // 1 for a use in the document itself
  };
  // A name that a macro used in the current element keeps to itself.
  struct Local {
    const EffectMacro* macro;
    Place use;
  };

  void declare(const std::string& id, const Node& item, const std::string& path);
  bool declare_params(const Node& item, EffectMacro& macro);
  void declare_exports(const Node& item, EffectMacro& macro);
  void check_body(const Node& node, const EffectMacro& macro, Path& path);
  void collect_bindings();
  void check_exports(const Node& item, const EffectMacro& macro);

  void expand(Node& node, Path& path, const Frame* frame);
  void expand_list(std::vector<Node>& items, Path& path, const Frame* frame);
  std::vector<Node> expand_use(Node use, Path& path, const Frame* frame);
  EffectMacro* lookup(const std::string& id);
  EffectMacro* find(const Node& name, const Path& path);
  bool may_enter(const EffectMacro& macro, const Node& name, const Path& path, const Frame* frame);
  bool bind(const Node& use, const EffectMacro& macro, const Path& path, Arguments& args);
  bool check_types(const Node& use, const EffectMacro& macro, const Path& path,
                   const Arguments& args);
  void note_traits(const Node& value, std::string_view name, const ParamType& type,
                   const Path& path);
  void expand_arguments(Node& use, const EffectMacro& macro, Path& path, const Frame* frame);
  Renaming rename_locals(const EffectMacro& macro, const Node& use, const Path& path,
                         const Frame* frame);
  void check_leaks(const Node& node, const std::vector<std::string>& known, Path& path);
  void misplaced_use(const Node& node, const Path& path);

  Expander& expander_;
  std::vector<EffectMacro> macros_;
  std::unordered_map<std::string, std::size_t> by_id_;  // only asked, never gone through
  std::vector<std::string> broken_;
  std::set<std::string> taken_;  // local names handed out
  std::set<std::vector<std::string>> cycles_;
  std::map<std::string, Local, std::less<>> locals_;  // of the current element
};

}  // namespace parlor::spec
