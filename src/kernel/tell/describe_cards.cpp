// What people need to know of the card in play, and of markers, beside the board.
#include <fmt/format.h>

#include "kernel/tell/draw.h"
#include "kernel/tell/wording.h"

namespace parlor::kernel {

namespace {

const spec::EventCardDef* card_def(const Program& p, int card) {
  int index = 0;
  for (const spec::EventDeckDef& deck : p.def.event_decks)
    for (const spec::EventCardDef& def : deck.cards)
      if (index++ == card) return &def;
  return nullptr;
}

std::string seats_text(const Program& p, unsigned set) {
  std::string out;
  for (int player = 0; player < p.players; ++player)
    if ((set >> player & 1) != 0) out += (out.empty() ? "" : ", ") + seat_label(p, player);
  return out;
}

void add_sides(const spec::EventCardDef& card, std::string& out) {
  const auto side = [&](const char* name, const std::optional<spec::EventSide>& def) {
    if (!def) return;
    const char* mark = card.unshaded && card.shaded ? name : "event";
    if (!def->part.text.empty()) add_words(fmt::format("    {}:", mark), def->part.text, out);
    for (const spec::EventPart& branch : def->branches)
      if (!branch.text.empty())
        add_words(fmt::format("    {}, {}:", mark, branch.id), branch.text, out);
  };
  side("unshaded", card.unshaded);
  side("shaded", card.shaded);
}

std::string_view class_words(ActionClass action_class) {
  switch (action_class) {
    case ActionClass::limited_operation:
      return "limited operation";
    case ActionClass::operation_plus_special_activity:
      return "operation with special activity";
    case ActionClass::special_activity:
      return "special activity";
    default:
      return class_name(action_class);
  }
}

std::string grant_text(Machine& machine, const Wording& wording, int k) {
  const Program& p = machine.program();
  const GrantRecord& record = machine.memory().grant(k);
  const GrantInfo& info = p.flow.grants[record.def];
  std::string actions;
  for (std::size_t a = 0; a < info.actions.size(); ++a)
    if (info.actions[a])
      actions += (actions.empty() ? "" : " or ") + label(wording, p.actions[a].id);
  std::string out = fmt::format("{}: {}", seat_label(p, record.seat), actions);
  if (record.as != record.seat) out += fmt::format(" as {}", seat_label(p, record.as));
  if (record.uses > 1) out += fmt::format(" ×{}", record.uses);
  if (!machine.grant_ready(k)) return out + " (later)";
  return out + (info.blocks() ? " (now)" : " (whenever it is their turn)");
}

}  // namespace

std::string cards_text(Machine& machine, const Wording& wording) {
  const Program& p = machine.program();
  const FlowRecord& f = machine.flow();
  std::string out;
  const TokenId top = p.flow.course ? machine.memory().first(p.flow.played) : TokenId::none();
  const spec::EventCardDef* card = top.is_none() ? nullptr : card_def(p, machine.card_of(top));
  if (card != nullptr) {
    out += fmt::format("  card: {}{}\n", card->title, machine.is_coup(top) ? " (coup)" : "");
    add_sides(*card, out);
  }
  std::string order;
  for (int k = 0; k < f.seats; ++k) order += (k == 0 ? "" : ", ") + seat_label(p, f.order[k]);
  out += fmt::format("  order: {}\n", order);
  const auto add = [&](const char* what, const std::string& who) {
    if (!who.empty()) out += fmt::format("  {}: {}\n", what, who);
  };
  add("eligible", seats_text(p, f.eligible & ~f.acted));
  add("acted", seats_text(p, f.acted & ~f.passed));
  add("passed", seats_text(p, f.passed));
  if (const auto* row = machine.row()) {
    std::string classes;
    for (const ActionClass c : *row)
      classes += (classes.empty() ? "" : ", ") + std::string(class_words(c));
    add("second may", classes.empty() ? "pass" : classes + ", pass");
  }
  for (int k = 0; k < f.lasting; ++k)
    add("lasting", p.flow.lasting[machine.memory().lasting(k).def].id);
  for (int k = 0; k < f.grants; ++k) add("free operation", grant_text(machine, wording, k));
  return out;
}

// Each kind of marker on one line: where it is not what it is everywhere at first.
std::string markers_text(Machine& machine, const Wording& wording) {
  const Program& p = machine.program();
  std::string out;
  for (std::size_t l = 0; l < p.lattices.size(); ++l) {
    const LatticeInfo& lattice = p.lattices[l];
    std::vector<std::string> items;
    for (const ZoneId z : p.zones.ids()) {
      const int state = machine.memory().marker(z, l);
      if (state < 0 || state == lattice.initial) continue;
      const std::string& word = p.text(lattice.states[state]);
      items.push_back(
          fmt::format("{}: {}", zone_label(p, wording, z), variable_label(wording, word)));
    }
    if (!items.empty())
      add_list(fmt::format("  {}:", variable_label(wording, lattice.id)), items, ",", out);
  }
  return out;
}

}  // namespace parlor::kernel
