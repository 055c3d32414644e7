// Conditions and faults put into words, with the values they saw: for refusals that say why.
#pragma once

#include "kernel/tell/wording.h"

namespace parlor::kernel {

// Writes expressions back as people would say them, with what they are worth now.
class Explainer {
 public:
  explicit Explainer(Machine& machine)
      : m_(machine), p_(machine.program().as_written()), wording_(*machine.program().wording) {}

  // The part of a condition that made it fail, and where it stands.
  std::string failed_part(NodeId node, std::uint32_t& place);
  std::string text(NodeId node);
  std::string asked_of_many(NodeId node);
  // A value by the name it has on the screen. A token that not everybody sees is only called by its
  // type.
  std::string say(Value value);

 private:
  Truth truth(NodeId node);
  Value value(NodeId node);
  std::string operands(const Node& n, const char* op);
  std::string joined(const Node& n, const char* word);
  std::string zone_text(NodeId node);
  std::string query_text(NodeId node);
  std::string shown(NodeId node);  // what it is worth, if whoever asks may know it
  std::string valued(NodeId node);
  std::string name_of(const Node& n);
  std::string said(const Node& n, const char* word);

  Machine& m_;
  const Program& p_;
  const Wording& wording_;
  std::string last_fault_;
};

// A rejection that names a place of the rules. Where the author says there why a condition does not
// hold, in words of the game (`reason`), players need nothing else: they are the detail `reason`.
Rejection at_place(const Program& program, Code code, const std::string& message,
                   std::uint32_t place, Json details = Json::object());
// What stopped the machine, in words. The machine can be asked further afterwards.
Rejection rejection_of(Machine& machine);
// The same for an option that was being made. One that was listed fails only where the rules go
// wrong.
Rejection refusal(Machine& machine);

}  // namespace parlor::kernel
