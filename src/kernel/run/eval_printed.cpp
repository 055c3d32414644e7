// Compiled code: how the machine asks it, and what it answers when compiled code asks back.
#include "kernel/printed/code.h"
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
    .test = [](PrintedView& v, int node) { return answer_of(machine_of(v).test(node)); },
    .value = [](PrintedView& v, int node) { return machine_of(v).value(node); },
    .player = [](PrintedView& v, int node) { return machine_of(v).player(node); },
    .zone = [](PrintedView& v, int node) { return machine_of(v).zone(node); },
    .filter = [](PrintedView& v, int node,
                 int token) { return answer_of(machine_of(v).filter(node, token)); },
    .set = [](PrintedView& v, int node,
              std::uint64_t* words) { return machine_of(v).zone_bits(node, words); },
    .each =
        [](PrintedView& v, int node, int (*body)(void*, Value), void* self) {
          int answer = go_on;
          Machine& machine = machine_of(v);
          machine.each(node, [&](Value item) { return (answer = body(self, item)) == go_on; });
          // A body that ends the loop knows why, also where it is a visitor's fault.
          return answer == go_on && machine.failed() ? trouble : answer;
        },
    .list =
        [](PrintedView& v, Value list) {
          Evaluator& machine = machine_of(v);
          if (!list.is_list()) return PrintedList{};
          const std::size_t size = machine.list_size(list);
          const auto handle = static_cast<std::size_t>(list.payload());
          if (list.payload() < constant_list) return PrintedList{&machine.arena_, handle + 1, size};
          return PrintedList{&machine.p_->lists[handle - constant_list], 0, size};
        },
};

PrintedView Evaluator::printed_view() {
  return {.base = reinterpret_cast<std::byte*>(&memory_.header()),
          .slots = &slot(0),
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
  for (int i = 0; i < function.bind_count; ++i) slot(function.binds[i]) = {};
  const Program* const running = p_;
  const auto node = &n - p_->nodes.data();
  p_ = p_->written.get();
  const auto result = f(p_->nodes[static_cast<std::size_t>(node)]);
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
    return n.d >= 0 ? compute_truth(written) : test(static_cast<int>(&written - p_->nodes.data()));
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
  const auto rest = [](void* self, Value item) {
    auto& h = *static_cast<Handed*>(self);
    return h.passed_over++ < h.count || h.visit(item);
  };
  return interpreted(n, work - handed.work, [&](const Node& written) {
    return query(static_cast<int>(&written - p_->nodes.data()), Visit{rest, &handed});
  });
}

// All subsets of an evaluateSubset at once, leaving behind what the loop leaves behind. False:
// nothing was done, and the loop goes through them one by one.
bool Statements::printed_subsets(const Instr& i) {
  // A trial may stop in the middle of the loop; a grant may take tokens for something else.
  if (until_ == Until::nothing_refuses || move_.grant != 0) return false;
  PrintedView view = printed_view();
  const PrintedList source = printed_calls.list(view, slot(i.a));
  const std::size_t size = list_size(slot(i.a + 1));
  if (source.size > most_subset_items) return false;
  const Instr& clear = p_->code[static_cast<std::size_t>(frames_.back().pc)];
  std::fill_n(&slot(clear.a), clear.b, Value{});
  const std::int64_t work = steps_left;
  PrintedBest best;
  const Value* const items = source.in->data() + source.first;
  if (p_->printed->functions[i.d].subsets(view, items, source.size, size, best) == trouble) {
    steps_left = work;
    return false;
  }
  slot(i.a + 2) = Value::integer(best.score);
  slot(i.a + 3) = make_blank_list(size);
  if (failed_) return true;
  slot(i.a + 4) = Value::boolean(true);
  slot(i.b) = slot(i.a + 5);
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t last = source.size - size + k;
    put_at(slot(i.a + 1), k, Value::integer(static_cast<std::int64_t>(last)));
    put_at(slot(i.a + 5), k, list_at(slot(i.a), last));
    put_at(slot(i.a + 3), k, list_at(slot(i.a), best.items[k]));
  }
  frames_.back().pc = i.c;
  return true;
}

// ---- Moves

namespace {

// What is remarked is told once it is certain that the move is made.
struct KeptRemarks final : EventListener {
  std::vector<Event> events;
  void on_event(const Event& event) override { events.push_back(event); }
  bool only_remarks() const override { return true; }
};

// Where compiled code leaves off the machine goes on as if it had come there itself.
bool go_on_behind(const Program& p, const PrintedView& view, int unit, StateBlock& block,
                  EventListener* remarks) {
  Lease lease(p);
  Machine& machine = lease.machine();
  KeptRemarks kept;
  machine.attach(block, remarks == nullptr ? nullptr : &kept);
  machine.steps_left = *view.work;
  if (!machine.go_on_at(unit, view) || machine.run(Until::decision) == Run::failed) return false;
  machine.detach();
  for (const Event& event : kept.events) remarks->on_event(event);
  return true;
}

}  // namespace

bool Statements::go_on_at(int unit, const PrintedView& view) {
  push_frame(unit, view.active, view.actor);
  if (failed_) return false;
  std::copy_n(view.slots, p_->units[static_cast<std::size_t>(unit)].slots, &slot(0));
  frames_.back().pc = view.left_at;
  return true;
}

namespace {

bool step_by_machine(PrintedView& v, int unit, int pc, int acting) {
  Lease lease(*static_cast<const Program*>(v.program));
  Machine& machine = lease.machine();
  machine.attach(*v.block);
  machine.steps_left = *v.work;
  const bool done = machine.do_one(unit, pc, acting, v.slots);
  *v.work = machine.steps_left;
  v.base = v.block->data();
  // A text that is kept would have to be tidied away at the end of the move.
  return done && machine.header().text_bytes == 0;
}

}  // namespace

bool make_printed(const Program& p, StateBlock& block, Option option, EventListener* remarks) {
  const auto action = static_cast<std::size_t>(option.id & ((std::uint64_t{1} << action_bits) - 1));
  if (action >= p.printed_moves.size() || (option.id & faulted_option) != 0) return false;
  const PrintedFunction* const function = p.printed_moves[action];
  const Header& h = block.as<Header>();
  if (function == nullptr || h.vm_bytes != 0 || h.text_bytes != 0) return false;
  std::int64_t work = work_of_instruction * p.options.budget;
  std::uint64_t slots[most_move_slots];  // written where the code leaves off
  PrintedView view{.base = block.data(),
                   .slots = reinterpret_cast<Value*>(slots),
                   .work = &work,
                   .block = &block,
                   .var_keys = p.var_keys.data(),
                   .token_keys = p.token_keys.data(),
                   .token_key_count = p.token_keys.size(),
                   .step = step_by_machine,
                   .program = &p};
  if (!function->late) return function->move(view, option.id) == done;
  Lease lease(p);
  lease.block() = block;  // to go back to
  const int answer = function->move(view, option.id);
  if (answer == done) return true;
  if (answer == left_off && go_on_behind(p, view, p.actions[action].unit, block, remarks))
    return true;
  block = lease.block();
  return false;
}

bool list_printed(const Program& p, const StateBlock& block, OptionList& out) {
  const Header& h = block.as<Header>();
  const PrintedFunction* const function = p.printed_lists[static_cast<std::size_t>(h.phase)];
  if (function == nullptr) return false;
  std::int64_t work = work_of_instruction * p.options.listing;
  PrintedView view{
      .base = readable(block).data(), .work = &work, .active = h.active, .actor = h.active};
  PrintedOptions options{.list = &out,
                         .grow =
                             [](void* list, std::size_t count) {
                               return &static_cast<OptionList*>(list)->grow(count).data()->id;
                             },
                         .give_back =
                             [](void* list, std::size_t count) {
                               auto& all = *static_cast<OptionList*>(list);
                               all.shrink(all.size() - count);
                             },
                         .left = most_options - 1};
  const std::size_t before = out.size();
  if (function->listing(view, options) == done) return true;
  out.shrink(before);
  return false;
}

}  // namespace parlor::kernel
