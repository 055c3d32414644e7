// The course of play, in games whose players pick tokens they do not see. What is remembered of
// every token (knowledge.h) says where it may be, not how likely that is, nor what goes together:
// whoever drew a queen from a hand knows that the other one was not in it, or the pair would have
// been laid down. So such states also remember what happened to tokens since play began: which went
// from where to where, and who could tell. past.h makes of it, for one viewer, everything that can
// have happened.
//
// There is room for so many events. When it is used up, what is known then is where a new course
// begins: from there on everything is counted again, what came before only as far as places go.
#pragma once

#include <vector>

#include "kernel/state/memory.h"

namespace parlor::kernel {

class Course {
 public:
  explicit Course(const Memory& memory)
      : m_(memory), p_(memory.program()), record_(memory.course()) {}

  // Play begins, at a decision, or here once more.
  void begin(bool at_decision) const;
  void reached_decision() const;

  // Called by Knowledge, when it has taken note itself.
  void moved(TokenId token, ZoneId from, std::uint32_t known, std::uint32_t traced) const;
  void created(TokenId token, std::uint32_t known) const;
  void shuffled(ZoneId zone, std::uint32_t losers) const;
  void revealed(TokenId token, std::uint32_t news) const;
  void blurred(TokenId token, std::uint32_t losers) const;

  // As far as this viewer knows of it.
  struct Told {
    bool settled = false;  // it began at a decision
    std::vector<CourseEvent> events;
  };
  Told told_to(int viewer) const;
  // In a world made up for this viewer: what the viewer knows of the course, and nothing else. For
  // all others it begins now.
  void keep_for(int viewer) const;

 private:
  bool open(ZoneId zone) const { return !zone.is_none() && p_.zones[zone].place < 0; }
  void add(const CourseEvent& event) const;
  void begin_for(int viewer) const;

  const Memory& m_;
  const Program& p_;
  CourseRecord& record_;
};

}  // namespace parlor::kernel
