// Names with placeholders: `$moved@{$space}` means the binding whose name it becomes when what
// `$space` holds is put in. Bindings are compared by pattern and keys; only names of different
// patterns, which rarely meet, are written out.
#include "kernel/run/machine.h"

namespace parlor::kernel {

// What the extra table says about a templated name is written down at Linker::template_of. A
// placeholder without a value, or with a list, stays as it is written.
bool Evaluator::template_keys(int extra, TemplateBinding& out) {
  out.pattern = p_->extra[extra];
  for (int i = 0; i < p_->extra[extra + 1] && i < 2; ++i) {
    const Operand* key = &p_->extra[extra + 2 + 2 * i];
    out.keys[i] = value(key[0]);
    const bool missing = failed_ && fault_.code == Code::RUN_BINDING_MISSING;
    if (failed_ && !missing) return false;
    if (missing) clear_fault();
    if (missing || out.keys[i].is_list() || out.keys[i].tag() == Tag::row)
      out.keys[i] = Value::symbol(key[1]);
  }
  return true;
}

bool Evaluator::same_key(Value a, Value b) const {
  if (a == b) return true;
  if (a.is_none() || b.is_none()) return false;
  return (a.tag() != b.tag() || a.tag() == Tag::text) && text_of(a) == text_of(b);
}

std::string Evaluator::name_of(const TemplateBinding& binding) const {
  std::string out = p_->text(binding.pattern);
  std::size_t at = 0;
  for (const Value key : binding.keys) {
    at = key.is_none() ? std::string::npos : out.find("{}", at);
    if (at == std::string::npos) break;
    const std::string text = text_of(key);
    out.replace(at, 2, text);
    at += text.size();
  }
  return out;
}

bool Evaluator::same_name(const TemplateBinding& a, const TemplateBinding& b) const {
  if (a.pattern == b.pattern)
    return same_key(a.keys[0], b.keys[0]) && same_key(a.keys[1], b.keys[1]);
  const auto front = [&](const TemplateBinding& binding) {
    const std::string pattern(p_->text(binding.pattern));
    return pattern.substr(0, pattern.find("{}"));
  };
  const std::string first = front(a), second = front(b);
  return (first.starts_with(second) || second.starts_with(first)) && name_of(a) == name_of(b);
}

Value Evaluator::find_template(int extra, std::uint32_t place) {
  TemplateBinding wanted;
  if (!template_keys(extra, wanted)) return {};
  if (!spend(templates_.size() / 4, place)) return {};
  const std::size_t first = frames_.empty() ? 0 : top().template_mark.value;
  const auto latest = [&](bool parameters) {
    for (std::size_t i = templates_.size(); i > first; --i) {
      const TemplateBinding& made = templates_[i - 1];
      if ((made.source == TemplateBinding::parameter) != parameters || !same_name(made, wanted))
        continue;
      return made.source >= 0 ? slots_[made.source] : made.value;
    }
    return Value{};
  };
  if (const Value own = latest(false); !own.is_none()) return own;
  const Operand* plain = &p_->extra[extra + 2 + 2 * p_->extra[extra + 1]];
  if (const int count = *plain++; count > 0) {
    const std::string name = name_of(wanted);
    for (int i = 0; i < count; ++i, plain += 2)
      if (p_->text(plain[0]) == name && !slot(plain[1]).is_none()) return slot(plain[1]);
  }
  return latest(true);
}

Value Evaluator::template_value(int extra, std::uint32_t place) {
  const Value found = find_template(extra, place);
  if (failed_ || !found.is_none()) return found;
  TemplateBinding wanted;
  template_keys(extra, wanted);
  return fail(Code::RUN_BINDING_MISSING, place, "nothing is bound under this name for",
              wanted.keys[0], wanted.keys[1]);
}

// A block ends: what it made is gone, but its choices stay parameters of the move.
void Statements::keep_parameters(std::size_t mark) {
  std::size_t kept = mark;
  for (std::size_t i = mark; i < templates_.size(); ++i) {
    if (templates_[i].source != TemplateBinding::chosen &&
        templates_[i].source != TemplateBinding::parameter)
      continue;
    templates_[kept] = templates_[i];
    templates_[kept++].source = TemplateBinding::parameter;
  }
  templates_.resize(kept);
}

// An expression binds a templated name: it stands for the slot until the expression is done.
bool Evaluator::open_name(const Node& n) {
  TemplateBinding made;
  if (!template_keys(n.a, made)) return false;
  made.source = base_ + n.b;
  templates_.push_back(made);
  return true;
}

bool Statements::step_names(const Instr& i) {
  const auto mark = [&] { return slot(i.a).payload(); };
  switch (i.op) {
    case Op::open_names:
      slot(i.a) = Value::integer(std::ssize(templates_));
      return true;
    case Op::close_names:
      close_names(mark());
      return true;
    case Op::drop_name:
      if (mark() >= 0 && mark() < std::ssize(templates_))
        templates_.erase(templates_.begin() + mark());
      return true;
    case Op::recall_template:
      slot(i.b) = find_template(i.a, i.place);
      return !failed_;
    default: {
      TemplateBinding made;
      if (!template_keys(i.a, made)) return false;
      if (i.op == Op::alias_template)
        made.source = base_ + i.b;
      else
        made.value = value(i.b);
      if (i.x == 1) made.source = TemplateBinding::chosen;
      templates_.push_back(made);
      return !failed_;
    }
  }
}

}  // namespace parlor::kernel
