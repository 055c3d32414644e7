// Compiled code: how the machine asks it, and what it answers when compiled code asks back.
#include "kernel/legal/trials.h"
#include "kernel/printed/code.h"
#include "kernel/program/params.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

namespace {

Machine& machine_of(PrintedView& v) {
  return *static_cast<Machine*>(v.machine);
}

int answer_of(Truth truth) {
  return truth == Truth::fault ? trouble : truth == Truth::yes ? yes : no;
}

}  // namespace

const PrintedCalls Evaluator::printed_calls = {
    .test = [](PrintedView& v, int node) { return answer_of(machine_of(v).test(NodeId(node))); },
    .value = [](PrintedView& v, int node) { return machine_of(v).value(NodeId(node)); },
    .player = [](PrintedView& v, int node) { return machine_of(v).player(NodeId(node)); },
    .zone = [](PrintedView& v, int node) { return machine_of(v).zone(NodeId(node)).value; },
    .filter =
        [](PrintedView& v, int node, int token) {
          return answer_of(machine_of(v).filter(NodeId(node), TokenId(token)));
        },
    .set = [](PrintedView& v, int node,
              std::uint64_t* words) { return machine_of(v).zone_bits(NodeId(node), words); },
    .each =
        [](PrintedView& v, int node, int (*body)(void*, Value), void* self) {
          int answer = go_on;
          Machine& machine = machine_of(v);
          machine.each(NodeId(node),
                       [&](Value item) { return (answer = body(self, item)) == go_on; });
          // A body that ends the loop knows why, also where it is a visitor's fault.
          return answer == go_on && machine.failed() ? trouble : answer;
        },
    .list =
        [](PrintedView& v, Value list) {
          Evaluator& machine = machine_of(v);
          if (!list.is_list()) return PrintedList{};
          const std::size_t size = machine.list_size(list);
          if (list.payload() < constant_list)
            return PrintedList{&machine.arena_, list.handle() + 1, size};
          return PrintedList{&machine.p_->constant_items(list), 0, size};
        },
    .names = [](PrintedView& v) { return std::int64_t{std::ssize(machine_of(v).templates_)}; },
    .step = [](PrintedView& v, int pc) { return machine_of(v).step_in_place(pc); },
    .note = [](PrintedView& v,
               int pc) { machine_of(v).note_binding(machine_of(v).program().instr(pc)); },
    .wrote =
        [](PrintedView& v) {
          machine_of(v).memory().rebase();
          machine_of(v).memory().touch();
        },
    .notice_end = [](PrintedView& v, Value list) { machine_of(v).notice_end(list); },
    .pickers =
        [](PrintedView& v, int token) {
          Machine& machine = machine_of(v);
          return Memory::narrow(machine.program().players, machine.pickers_of(NodeId(token)));
        },
    .changed =
        [](PrintedView& v, int scope, int owner, int var, std::int64_t before, std::int64_t now) {
          machine_of(v).tell_variable(scope, owner, VarId(var), before, now);
        },
    .entered = [](PrintedView& v, int zone) { machine_of(v).tell_arrival(ZoneId(zone)); },
};

// The same for moves and lists, which have no machine: each question leases one, and finds the
// bindings of the unit that asks where the view has them.
struct Question {
  explicit Question(PrintedView& view)
      : v(view),
        lease(*static_cast<const Program*>(view.help->program)),
        machine(attached()),
        scratch(machine, UnitId(view.help->unit), view.active, view.actor) {
    std::copy_n(v.slots, v.help->slot_count, &machine.slot(SlotId(0)));
  }
  ~Question() { *v.work = machine.steps_left; }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

  Machine& attached() {
    lease.machine().attach(*v.block);
    lease.machine().steps_left = *v.work;
    return lease.machine();
  }
  PrintedView& v;
  Lease lease;
  Machine& machine;
  Machine::Scratch scratch;
};

const PrintedCalls Evaluator::leasing_calls = {
    .test = [](PrintedView& v,
               int node) { return answer_of(Question(v).machine.test(NodeId(node))); },
    .value =
        [](PrintedView& v, int node) {
          const Value found = Question(v).machine.value(NodeId(node));
          // A list, or a text made while playing, ends with the machine's lease.
          const bool kept = (!found.is_list() || found.payload() >= constant_list) &&
                            (found.tag() != Tag::text || found.payload() >= kept_text);
          return kept ? found : Value{};
        },
    .player = [](PrintedView& v, int node) { return Question(v).machine.player(NodeId(node)); },
    .zone = [](PrintedView& v, int node) { return Question(v).machine.zone(NodeId(node)).value; },
    .filter =
        [](PrintedView& v, int node, int token) {
          return answer_of(Question(v).machine.filter(NodeId(node), TokenId(token)));
        },
    .set = [](PrintedView& v, int node,
              std::uint64_t* words) { return Question(v).machine.zone_bits(NodeId(node), words); },
    .each =
        [](PrintedView& v, int node, int (*body)(void*, Value), void* self) {
          int answer = go_on;
          Question question(v);
          question.machine.each(NodeId(node), [&](Value item) {
            const bool kept = !item.is_list() && item.tag() != Tag::text;
            return (answer = kept ? body(self, item) : trouble) == go_on;
          });
          return answer == go_on && question.machine.failed() ? trouble : answer;
        },
    .list =
        [](PrintedView& v, Value list) {
          const Program& p = *static_cast<const Program*>(v.help->program);
          if (!list.is_list() || list.payload() < constant_list) return PrintedList{};
          const auto& items = p.lists[static_cast<std::size_t>(list.payload() - constant_list)];
          return PrintedList{&items, 0, items.size()};
        },
};

PrintedView Evaluator::printed_view() {
  return {.base = reinterpret_cast<std::byte*>(&memory_.header()),
          .slots = &slot(SlotId(0)),
          .work = &steps_left,
          .calls = &printed_calls,
          .machine = &whole(),
          .active = active_,
          .actor = actor_};
}

// The expression as it was written, and everything in it, as if nobody had tried before.
template <class F>
auto Evaluator::interpreted(const Node& n, std::int64_t work, F&& f) {
  if (failed_) clear_fault();
  steps_left = work;
  const PrintedFunction& function = p_->printed->functions[n.a];
  for (int i = 0; i < function.bind_count; ++i) slot(SlotId(function.binds[i])) = {};
  const Program* const running = p_;
  const NodeId node = p_->nodes.id_of(n);
  p_ = p_->written.get();
  const auto result = f(p_->nodes[node]);
  p_ = running;
  return result;
}

Truth Evaluator::printed_truth(const Node& n) {
  const std::int64_t work = steps_left;
  if (move_.grant == 0) {  // a grant may take tokens for something else
    PrintedView view = printed_view();
    if (const int answer = p_->printed->functions[n.a].truth(view); answer != trouble)
      return answer == yes ? Truth::yes : Truth::no;
  }
  return interpreted(n, work, [&](const Node& written) {
    return n.d >= 0 ? compute_truth(written) : test(p_->nodes.id_of(written));
  });
}

Value Evaluator::printed_value(const Node& n) {
  const std::int64_t work = steps_left;
  if (move_.grant == 0) {
    PrintedView view = printed_view();
    Value out;
    if (p_->printed->functions[n.a].value(view, out) != trouble) return out;
  }
  return interpreted(n, work, [&](const Node& written) {
    if (n.d < 0) return value_of(written);
    return written.op == Ex::fold ? fold(written) : count(written);
  });
}

// Results are handed on as they are found. Where the code gives up after some, the interpreter goes
// through the query from its beginning, and those that were handed on are passed over.
bool Evaluator::printed_query(const Node& n, Visit visit) {
  const std::int64_t work = steps_left;
  struct Handed {
    Evaluator* machine;
    Visit visit;
    std::int64_t count, passed_over, work;  // of visitors
  } handed{this, visit, 0, 0, 0};
  const auto call = [](void* self, Value item) {
    auto& h = *static_cast<Handed*>(self);
    ++h.count;
    const std::int64_t before = h.machine->steps_left;
    const bool more = h.visit(item);
    h.work += before - h.machine->steps_left;
    return more;
  };
  if (move_.grant == 0) {
    PrintedView view = printed_view();
    const int answer = p_->printed->functions[n.a].query(view, PrintedVisit{call, &handed});
    if (answer != trouble) return answer == go_on;
  }
  const auto rest = [&](Value item) { return handed.passed_over++ < handed.count || visit(item); };
  return interpreted(n, work - handed.work,
                     [&](const Node& written) { return query(p_->nodes.id_of(written), rest); });
}

// What a statement goes through or lets choose from, as a list; none: failed.
Value Statements::all_results(const Instr& i) {
  Value list;
  if (whole().asks_compiled() && compiled_results(i, list)) return list;
  return i.op == Op::loop_begin ? items_of(i.b) : collect(i.b);
}

// The same by compiled code. It counts more work than the interpreter, which remembers parts of it.
// False: there is none, or it gave up.
bool Statements::compiled_results(const Instr& i, Value& list) {
  const int pc = place_in(p_->code, i);
  const PrintedFunction* const function =
      p_->printed_items.empty() ? nullptr : p_->printed_items[pc];
  if (function == nullptr) return false;
  const std::int64_t work = steps_left;
  const std::size_t begin = pile_.size();
  PrintedView view = printed_view();
  const auto take = [](void* pile, Value item) {
    static_cast<std::vector<Value>*>(pile)->push_back(item);
    return true;
  };
  const int answer = function->items(view, PrintedVisit{take, &pile_});
  const std::size_t count = pile_.size() - begin;
  if (answer != go_on || count > max_results) {
    steps_left = work;
  } else {
    whole().count_compiled();
    list = make_list(std::span<const Value>(pile_).subspan(begin));
  }
  pile_.resize(begin);
  return answer == go_on && count <= max_results;
}

// All subsets of an evaluateSubset at once, leaving behind what the loop leaves behind. False:
// nothing was done, and the loop goes through them one by one.
bool Statements::printed_subsets(const Instr& i) {
  // A trial may stop in the middle of the loop; a grant may take tokens for something else.
  if (until_ == Until::nothing_refuses || move_.grant != 0) return false;
  PrintedView view = printed_view();
  const PrintedList source = printed_calls.list(view, slot(i.a));
  const std::size_t size = list_size(slot(i.a, 1));
  if (source.size > most_subset_items) return false;
  const Instr& clear = p_->code[frames_.back().pc];
  std::fill_n(&slot(clear.a), clear.b, Value{});
  const std::int64_t work = steps_left;
  PrintedBest best;
  const Value* const items = source.in->data() + source.first;
  if (p_->printed->functions[i.d].subsets(view, items, source.size, size, best) == trouble) {
    steps_left = work;
    return false;
  }
  slot(i.a, 2) = Value::integer(best.score);
  slot(i.a, 3) = make_blank_list(size);
  if (failed_) return true;
  slot(i.a, 4) = Value::boolean(true);
  slot(i.b) = slot(i.a, 5);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t last = source.size - size + k;
    put_at(slot(i.a, 1), k, Value::integer(last));
    put_at(slot(i.a, 5), k, list_at(slot(i.a), last));
    put_at(slot(i.a, 3), k, list_at(slot(i.a), best.items[k]));
  }
  frames_.back().pc = i.c;
  return true;
}

}  // namespace parlor::kernel
