#include "spec/lower/scope.h"

#include <algorithm>
#include <ranges>

namespace parlor::spec::lower {
namespace {

// A name with placeholders stands for every name they may become.
bool names_match(std::string_view declared, std::string_view used) {
  if (declared == used) return true;
  if (!has_placeholder(declared) && !has_placeholder(used)) return false;
  const std::string_view a = fixed_part(declared), b = fixed_part(used);
  if (has_placeholder(declared) && has_placeholder(used))
    return a.starts_with(b) || b.starts_with(a);
  return has_placeholder(declared) ? used.starts_with(a) : declared.starts_with(b);
}

constexpr std::string_view branch_reason =
    "it is made only in one branch of an `if`, so it may be missing here";

}  // namespace

std::string_view fixed_part(std::string_view name) {
  return name.substr(0, name.find('{'));
}

void Scope::declare(Binding binding) {
  bindings_.push_back(std::move(binding));
}

const Binding* Scope::find(std::string_view name) const {
  for (const Binding& binding : bindings_ | std::views::reverse)
    if (names_match(binding.name, name)) return &binding;
  return nullptr;
}

const Scope::Gone* Scope::find_gone(std::string_view name) const {
  for (const Gone& gone : gone_ | std::views::reverse)
    if (names_match(gone.binding.name, name)) return &gone;
  return nullptr;
}

std::vector<std::string> Scope::visible_names() const {
  std::vector<std::string> out;
  for (const Binding& binding : bindings_)
    if (!binding.name.starts_with("$__") && !binding.name.starts_with("__"))
      out.push_back(binding.name);
  return out;
}

std::vector<Binding> Scope::leave(std::size_t mark) {
  std::vector<Binding> out{std::make_move_iterator(bindings_.begin() + static_cast<long>(mark)),
                           std::make_move_iterator(bindings_.end())};
  bindings_.resize(mark);
  return out;
}

void Scope::forget(std::size_t mark, std::string_view why) {
  for (Binding& binding : leave(mark)) gone_.push_back({std::move(binding), why});
}

void Scope::join(const Node& when, std::vector<Binding> then, std::vector<Binding> otherwise) {
  const auto in = [](const std::vector<Binding>& list, const std::string& name) {
    return std::ranges::find(list, name, &Binding::name);
  };
  for (const Binding& binding : then)
    if (const auto other = in(otherwise, binding.name); other != otherwise.end())
      declare({binding.name, either(binding.type, other->type), binding.origin});
  const auto keep = [&](std::vector<Binding>& list, const std::vector<Binding>& other,
                        bool branch) {
    std::erase_if(list, [&](const Binding& b) { return in(other, b.name) != other.end(); });
    for (const Binding& binding : list) gone_.push_back({binding, branch_reason});
    if (!list.empty()) remembered_.push_back({&when, branch, list});
  };
  const std::vector<Binding> all_then = then;
  keep(then, otherwise, true);
  keep(otherwise, all_then, false);
}

void Scope::recall(const Node& when, bool then_branch) {
  for (const Remembered& entry : remembered_)
    if (entry.then_branch == then_branch && same_value(*entry.when, when))
      for (const Binding& binding : entry.bindings)
        if (find(binding.name) == nullptr) declare(binding);
}

std::vector<Binding> Scope::ever() const {
  std::vector<Binding> out = bindings_;
  for (const Gone& gone : gone_) out.push_back(gone.binding);
  return out;
}

}  // namespace parlor::spec::lower
