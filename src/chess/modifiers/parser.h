// From the tree of a modifier file to descriptors. The parts: parse.cpp (the document, attachments,
// triggers, targets), parse_effects.cpp (what each effect says), parse_conditions.cpp.
#pragma once

#include <initializer_list>

#include "chess/modifiers/reader.h"
#include "chess/modifiers/words.h"

namespace parlor::chess::inline PARLOR_BOARD::modifiers {

class Parser : private Reader {
 public:
  using Reader::Reader;
  Descriptor descriptor(const Node& node);
  // The kinds of pieces a descriptor brings: they must be known before the rest is read.
  void add_pieces(const Node& node, Rulebook& book);

 private:
  void add_piece(const Node& node, Rulebook& book);
  void attribute_declaration(const Node& node);
  Attachment attachment(const Node& node);
  void attached_to(const Node& node, Attachment& out);
  std::vector<Primitive> list(const Node& node, int depth, Trigger inherited);
  Primitive primitive(const Node& node, int depth, Trigger inherited);
  bool trigger(const Node& node, Primitive& out);
  void moved_onto(const Node* details, const Node& on, Primitive& out);
  void check_moment(const Node& node, const Primitive& p);
  Target target(const Node& node, Trigger moment);
  void around(const Node& node, Target& out);

  // ---- parse_effects.cpp
  void effect(Fields& fields, int depth, Primitive& out);
  void numbers_of(Fields& fields, Primitive& out);
  void attribute(Fields& fields, Primitive& out, std::optional<std::string> otherwise = {});
  bool known_attribute(const std::string& name);
  void seeded_value(Fields& fields, Primitive& out);
  void need_frozen_attribute();
  void aura(Fields& fields, int depth, Primitive& out);
  void pattern(Fields& fields, Primitive& out);
  void add_steps(Fields& fields, std::string_view key, Way::Mode mode, int most, Ways& out);
  void add_betza(const Node& node, Ways& out);
  void move_mode(Fields& fields, Primitive& out);
  void branches(Fields& fields, int depth, Primitive& out);

  // ---- parse_conditions.cpp
  Condition condition(const Node& node, int depth = 0);
  Condition operation(const Node& node, const Node& op, int depth);
  Condition old_test(const Node& node);
  Condition old_joint(const Node& node, const spec::Entry& entry, int depth);
  std::optional<Comparison> comparison(const Node& op);
  void joined(const Node& args, int depth, Condition& out);
  Operand operand(const Node& node);
  Condition noun(const Node& node);

  Descriptor* descriptor_ = nullptr;
  std::size_t count_ = 0;
  bool in_aura_ = false;
};

}  // namespace parlor::chess::inline PARLOR_BOARD::modifiers
