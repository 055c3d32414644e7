#include "spec/gamedef/language.h"

#include <algorithm>
#include <fmt/core.h>
#include <ranges>

#include "spec/gamedef/authored.h"
#include "spec/gamedef/forms.h"
#include "spec/gamedef/written.h"

namespace parlor::spec {
namespace {

std::vector<std::string_view> enumerators(const Form& form) {
  if (form.sort == Form::Sort::optional || form.sort == Form::Sort::list)
    return enumerators(form.inside());
  return {form.words.begin(), form.words.end()};
}

// The record that a member is, or has some of.
std::string_view record_name(const Form& form) {
  if (form.record == nullptr && form.inside != nullptr && form.sort != Form::Sort::box)
    return record_name(form.inside());
  return form.record == nullptr ? std::string_view{} : form.record->key;
}

FieldInfo& add_field(Construct& to, std::string_view name, FieldSpec spec,
                     std::vector<std::string_view> words, bool member) {
  FieldInfo field{.name = name,
                  .key = spec.itself        ? ""
                         : spec.key.empty() ? name
                                            : spec.key,
                  .inside = spec.under,
                  .spec = spec,
                  .member = member,
                  .words = std::move(words)};
  if (!spec.also.empty()) {
    field.words = words_of(spec.also);
    for (std::string_view& word : field.words) {
      const std::size_t sign = word.size() < 3 ? word.npos : word.find('=');  // `==` is a word
      field.meant.push_back(sign == word.npos ? word : word.substr(sign + 1));
      word = word.substr(0, sign);
    }
  }
  return to.fields.emplace_back(std::move(field));
}

// The fields of a record that stands for the whole construct become the construct's.
void add_members(Construct& to, const Form& form, std::size_t offset = 0,
                 std::string_view without = {}) {
  for (const Member& member : form.members) {
    const Form& inner = member.form();
    const FieldSpec& spec = has_word(without, member.name) ? is::derived : member.spec;
    if (spec.itself && spec.expects == Expects::record) {
      add_members(to, inner, offset + member.offset, spec.lacks);
      continue;
    }
    FieldInfo& field = add_field(to, member.name, spec, enumerators(inner), true);
    field.record = record_name(inner);
    field.form = &inner;
    field.offset = offset + member.offset;
    field.owner = &form;
    field.owner_offset = offset;
  }
}

bool in_a_block(const Construct& construct, const FieldInfo& field) {
  return std::ranges::any_of(construct.fields, [&](const FieldInfo& binder) {
    return has_word(binder.spec.visible, field.name);
  });
}

// The order of reading: first what sees no binding of the construct, each field after the one whose
// kind it has, what stands in one mapping together; then block by block the binders and who sees
// them.
class StepOrder {
 public:
  explicit StepOrder(Construct& construct) : to_(construct), done_(construct.fields.size()) {
    std::string_view mapping;
    for (auto next = plain_in(mapping); next; next = plain_in(mapping)) {
      mapping = to_.fields[*next].inside;
      add(*next);
    }
    for (std::size_t i = 0; i < done_.size(); ++i)
      if (!done_[i]) block(i);
  }

 private:
  // What can be read next: of this mapping, or else the first there is.
  std::optional<std::size_t> plain_in(std::string_view mapping) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < done_.size(); ++i) {
      const FieldInfo& field = to_.fields[i];
      if (done_[i] || !plain(field) || !ready(field)) continue;
      if (!mapping.empty() && field.inside == mapping) return i;
      if (!first) first = i;
    }
    return first;
  }
  bool plain(const FieldInfo& field) const {
    return !binds(field) && field.spec.ended.empty() && !field.spec.keeps &&
           !in_a_block(to_, field);
  }
  static bool binds(const FieldInfo& field) { return field.spec.binds(); }
  bool ready(const FieldInfo& field) const {
    for (std::size_t i = 0; i < done_.size(); ++i)
      if (!done_[i] && plain(to_.fields[i]) &&
          (to_.fields[i].name == field.spec.like || to_.fields[i].name == field.spec.later))
        return false;
    return true;
  }
  void add(std::size_t field, bool opens = false, bool closes = false) {
    done_[field] = true;
    if (to_.fields[field].spec.expects != Expects::derived)
      to_.steps.push_back({static_cast<std::uint8_t>(field), opens, closes});
  }
  void block(std::size_t first) {
    const std::string_view seen_by = to_.fields[first].spec.visible;
    if (seen_by.empty()) return add(first, !binds(to_.fields[first]), !binds(to_.fields[first]));
    const std::size_t begin = to_.steps.size();
    for (std::size_t i = first; i < done_.size(); ++i)
      if (!done_[i] && to_.fields[i].spec.visible == seen_by) add(i);
    for (std::size_t i = 0; i < done_.size(); ++i)
      if (!done_[i] && has_word(seen_by, to_.fields[i].name)) add(i);
    to_.steps[begin].opens = true;
    to_.steps.back().closes = true;
  }

  Construct& to_;
  std::vector<bool> done_;
};

Construct make_construct(Family family, const Form& form, const Tag& tag,
                         std::string_view without = {}) {
  Construct out{family, tag, {}, {}, form.gives, &form};
  add_members(out, form);
  for (FieldInfo& field : out.fields)
    if (has_word(without, field.name)) field.spec = is::derived;
  for (const WrittenKey& key : form.written) {
    FieldInfo& field = add_field(out, key.key, key.spec, {}, false);
    field.record = key.record;
    field.owner = &form;
  }
  const StepOrder order{out};
  return out;
}

void add_family(std::vector<Construct>& to, Family family, const Form& node) {
  for (const Alternative& alternative : node.alternatives) {
    const Form& form = alternative.form();
    if (alternative.tag != nullptr) to.push_back(make_construct(family, form, *alternative.tag));
    for (const Variant& variant : alternative.variants)
      to.push_back(make_construct(family, form, variant.tag, variant.without));
  }
}

// Records are found by going through everything a game is made of.
void add_records(std::vector<Construct>& to, const Form& form) {
  if (form.inside != nullptr && form.sort != Form::Sort::box) return add_records(to, form.inside());
  if (form.record != nullptr) {
    const auto known = [&](const Construct& construct) {
      return construct.family == Family::record && construct.tag.key == form.record->key;
    };
    if (std::ranges::any_of(to, known)) return;
    to.push_back(make_construct(Family::record, form, *form.record));
  }
  for (const Member& member : form.members) add_records(to, member.form());
}

// What has no struct of its own, and what others have besides their members.
void add_written(std::vector<Construct>& to, const WrittenConstruct& written) {
  auto found = std::ranges::find_if(to, [&](const Construct& construct) {
    return construct.family == written.family && construct.name() == written.name;
  });
  if (found == to.end()) {
    const Tag tag{.key = written.name, .value = {}, .about = written.about};
    found = to.insert(to.end(), Construct{written.family, tag, {}, {}, std::nullopt, nullptr});
  }
  for (const WrittenKey& key : written.fields)
    add_field(*found, key.key, key.spec, {}, false).record = key.record;
}

std::vector<Construct> make_language() {
  std::vector<Construct> out;
  add_family(out, Family::effect, form_of<Effect>());
  add_family(out, Family::condition, form_of<Condition>());
  add_family(out, Family::value, form_of<Value>());
  add_family(out, Family::query, form_of<Query>());
  add_records(out, form_of<GameDef>());
  for (const FormOf form :
       {&form_of<RemovalGroup>, &form_of<VarCell>, &form_of<Neighbour>, &form_of<SpaceFilter>,
        &form_of<PieceFilter>, &form_of<std::vector<AuthoredMetric>>, &form_of<AuthoredStandings>,
        &form_of<std::vector<CoupPhase>>, &form_of<std::vector<PhaseBoundary>>, &form_of<PropsFrom>,
        &form_of<Reasoned>})
    add_records(out, form());
  for (const WrittenConstruct& written : written_constructs()) add_written(out, written);
  return out;
}

}  // namespace

std::string_view expects_name(Expects expects) {
  static constexpr std::string_view names[] = {
#define PARLOR_EXPECT(name, text) text,
      PARLOR_EXPECTS(PARLOR_EXPECT)
#undef PARLOR_EXPECT
  };
  return names[static_cast<std::size_t>(expects)];
}

std::string_view family_name(Family family) {
  static constexpr std::string_view names[] = {"effect", "condition", "value", "query", "record"};
  return names[static_cast<std::size_t>(family)];
}

bool has_word(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = words_of(list);
  return !word.empty() && std::ranges::find(words, word) != words.end();
}

std::vector<std::string_view> words_of(std::string_view list) {
  std::vector<std::string_view> out;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (end > 0) out.push_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

const FieldInfo* Construct::find(std::string_view key, std::string_view inside) const {
  const auto found = std::ranges::find_if(fields, [&](const FieldInfo& field) {
    return field.key == key && field.inside == inside && field.spec.expects != Expects::derived;
  });
  return found == fields.end() ? nullptr : &*found;
}

const FieldInfo* Construct::field(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &FieldInfo::name);
  return found == fields.end() ? nullptr : &*found;
}

std::string_view Construct::key_of(std::string_view name) const {
  const FieldInfo* found = field(name);
  return found != nullptr ? found->key : name;
}

std::span<const Construct> language() {
  static const std::vector<Construct> all = make_language();
  return all;
}

const Construct* find_construct(Family family, std::string_view name) {
  for (const Construct& construct : language())
    if (construct.family == family && construct.name() == name) return &construct;
  return nullptr;
}

std::string plural(std::string_view noun) {
  return fmt::format("{}{}", noun, noun.ends_with('s') ? "es" : "s");
}

std::string list_of_records(std::string_view record) {
  if (const std::size_t blank = record.find(' '); blank < 3) record.remove_prefix(blank + 1);
  return fmt::format("a list of {}", plural(record));
}

std::optional<Expects> expected(Family family, std::string_view construct, std::string_view key) {
  const Construct* found = find_construct(family, construct);
  const FieldInfo* field = found != nullptr ? found->find(key) : nullptr;
  return field != nullptr ? std::optional{field->spec.expects} : std::nullopt;
}

std::string only_where(const Construct& construct, const FieldInfo& field) {
  const FieldSpec& spec = field.spec;
  if (!spec.instead.empty())
    return fmt::format("unless `{}` is given", construct.key_of(spec.instead));
  const std::vector<std::string_view> words = words_of(spec.on_words);
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  return out.empty() ? out : fmt::format("where `{}` is {}", construct.key_of(spec.depends), out);
}

std::vector<std::string> construct_names(Family family, std::string_view key) {
  std::vector<std::string> out;
  for (const Construct& construct : language())
    if (construct.family == family && (key.empty() || construct.tag.key == key))
      out.emplace_back(construct.name());
  return out;
}

std::vector<std::string> constructs_called(Family family, std::string_view name,
                                           std::string_view key) {
  std::vector<std::string> out;
  for (const Construct& construct : language())
    if (construct.family == family && (key.empty() || construct.tag.key == key) &&
        has_word(construct.tag.also, name))
      out.emplace_back(construct.name());
  return out;
}

}  // namespace parlor::spec
