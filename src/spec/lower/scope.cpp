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

void Bindings::push(Binding binding) {
  by_name_[binding.name].push_back(list_.size());
  if (has_placeholder(binding.name)) patterns_.push_back(list_.size());
  list_.push_back(std::move(binding));
}

const Binding* Bindings::find(std::string_view name) const {
  if (has_placeholder(name)) {
    for (const Binding& binding : list_ | std::views::reverse)
      if (names_match(binding.name, name)) return &binding;
    return nullptr;
  }
  const auto exact = by_name_.find(name);
  const Binding* out =
      exact == by_name_.end() || exact->second.empty() ? nullptr : &list_[exact->second.back()];
  for (const std::size_t at : patterns_ | std::views::reverse) {
    if (out != nullptr && &list_[at] < out) break;
    if (names_match(list_[at].name, name)) return &list_[at];
  }
  return out;
}

std::vector<Binding> Bindings::take_from(std::size_t mark) {
  std::vector<Binding> out;
  for (std::size_t at = list_.size(); at > mark; --at) {
    by_name_.find(list_[at - 1].name)->second.pop_back();
    if (!patterns_.empty() && patterns_.back() == at - 1) patterns_.pop_back();
  }
  for (std::size_t at = mark; at < list_.size(); ++at) out.push_back(std::move(list_[at]));
  list_.resize(mark);
  return out;
}

const Binding* Scope::find(std::string_view name) const {
  if (const Binding* binding = bindings_.find(name)) return binding;
  for (const Question& question : recalled_ | std::views::reverse)
    if (const auto group = remembered_.find(question); group != remembered_.end())
      if (const Binding* binding = group->second.find(name)) return binding;
  return nullptr;
}

std::optional<Scope::Gone> Scope::find_gone(std::string_view name) const {
  const Binding* binding = gone_.find(name);
  if (binding == nullptr) return std::nullopt;
  return Gone{*binding, why_gone_[static_cast<std::size_t>(binding - gone_.list().data())]};
}

std::vector<std::string> Scope::visible_names() const {
  std::vector<std::string> out;
  for (const Binding& binding : bindings_.list())
    if (!binding.name.starts_with("$__") && !binding.name.starts_with("__"))
      out.push_back(binding.name);
  return out;
}

void Scope::forget(std::size_t mark, std::string_view why) {
  for (Binding& binding : leave(mark)) {
    if (binding.parameter) {
      declare(std::move(binding));
      continue;
    }
    gone_.push(std::move(binding));
    why_gone_.push_back(why);
  }
}

void Scope::join(const Node& when, std::vector<Binding> then, std::vector<Binding> otherwise) {
  std::map<std::string, Type> in_then, in_otherwise;
  for (const Binding& binding : then) in_then.try_emplace(binding.name, binding.type);
  for (const Binding& binding : otherwise) in_otherwise.try_emplace(binding.name, binding.type);
  for (const Binding& binding : then)
    if (const auto other = in_otherwise.find(binding.name); other != in_otherwise.end())
      declare(
          {binding.name, either(binding.type, other->second), binding.origin, binding.parameter});
  const auto keep = [&](std::vector<Binding>& list, const std::map<std::string, Type>& other,
                        bool branch) {
    for (Binding& binding : list) {
      if (other.contains(binding.name)) continue;
      gone_.push(binding);
      why_gone_.push_back(branch_reason);
      remembered_[{to_text(when), branch}].push(std::move(binding));
    }
  };
  keep(then, in_otherwise, true);
  keep(otherwise, in_then, false);
}

void Scope::enter_branch(const Node& when, bool then_branch) {
  recalled_.emplace_back(to_text(when), then_branch);
}

std::vector<Binding> Scope::ever() const {
  std::vector<Binding> out = bindings_.list();
  out.insert(out.end(), gone_.list().begin(), gone_.list().end());
  return out;
}

}  // namespace parlor::spec::lower
