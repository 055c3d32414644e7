// The section `verbalization`: what things are called. Other programs write much into it that means
// nothing here, so that entries of the wrong shape are as good as none.
#include "spec/gamedef/forms.h"
#include "spec/lower/sections.h"

namespace parlor::spec::lower {
namespace {

bool fits(const Node& node, const Form& form) {
  if (form.sort == Form::Sort::text) return node.is_scalar() && !node.is_null();
  return form.sort == Form::Sort::list ? node.is_list() : node.is_map();
}

void take(const Node& node, const Form& form, void* to) {
  if (form.sort == Form::Sort::text)
    *static_cast<std::string*>(to) = node.is_string() ? node.text : to_text(node);
  for (const Node& item : node.items)
    if (fits(item, form.inside())) take(item, form.inside(), form.add(to));
  if (form.sort == Form::Sort::named)
    for (const Entry& entry : node.entries)
      if (fits(entry.value, form.inside()))
        take(entry.value, form.inside(), form.add_named(to, entry.key));
  for (const Member& member : form.members)
    if (const Node* part = node.find(member.name); part != nullptr && fits(*part, member.form()))
      take(*part, member.form(), static_cast<char*>(to) + member.offset);
}

}  // namespace

void lower_verbalization(Context& cx) {
  const Node* node = cx.doc.find(Section::verbalization);
  if (node == nullptr || !node->is_map() || node->entries.empty()) return;
  take(*node, form_of<Verbalization>(), &cx.game.verbalization.emplace());
}

}  // namespace parlor::spec::lower
