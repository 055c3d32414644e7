#include "kernel/printed/print.h"

#include <algorithm>
#include <cctype>

#include "base/hash.h"
#include "base/json.h"
#include "base/version.h"
#include "kernel/printed/printer.h"

namespace parlor::kernel {

std::string Printer::table(const std::string& name, const std::string& type,
                           const std::string& items) {
  tables_.emplace(name, fmt::format("constexpr {} {}[] = {{{}}};", type, name, items));
  return name;
}

std::string Printer::two_way_table(const std::string& name, const std::string& items) {
  tables_.emplace(name, fmt::format("constexpr std::int16_t {}[][2] = {{{}}};", name, items));
  return name;
}

void Printer::begin(int root) {
  out_.clear();
  next_ = 0;
  root_ = root;
  left_something_ = unprintable_ = false;
  why_.clear();
  bound_.clear();
  bindings_.clear();
  smooth_.clear();
  left_.clear();
}

std::string Printer::finish(const std::string& result) {
  for (const int slot : bindings_) line("v.slots[{}] = {{}};", slot);
  line("return {};", result);
  root_ = -1;
  return std::move(out_);
}

std::string Printer::truth_body(int index) {
  begin(index);
  const std::string holds = truth(index);
  return finish(fmt::format("{} ? yes : no", holds));
}

std::string Printer::value_body(int index) {
  begin(index);
  const Made made = value(index);
  line("out = {};", as_value(made));
  return finish("go_on");
}

std::string Printer::query_body(int index) {
  begin(index);
  const std::string r =
      loop(index, [&](const Made& item) { line("if (!visit({})) return stop;", as_value(item)); });
  return finish(r);
}

bool Printer::is_query(int index) const {
  return worthwhile(index) && gives(node(index).op) == Gives::query;
}

bool Printer::is_condition(int index) const {
  return worthwhile(index) && gives(node(index).op) == Gives::condition;
}

bool Printer::worthwhile(int index) const {
  return has(node(index).op, trait::printed);
}

namespace {

std::string identifier(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 && byte < 128)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out = "of_" + out;
  return out;
}

// Text in a comment: nothing in it ends the line or goes on behind it.
std::string remark(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\n' || c == '\r' || c == '\\' ? ' ' : c;
  return out;
}

std::string place_of(const Program& p, std::uint32_t place) {
  if (place == 0 || place >= p.def.places.size()) return "";
  const spec::PlaceRecord& at = p.def.places[place];
  if (at.line == 0) return remark(at.path);
  return remark(fmt::format("{}:{} {}", at.file, at.line, at.path));
}

// What the rules call the expressions that the machine asks for.
std::map<int, std::string> named_expressions(const Program& p) {
  std::map<int, std::string> out;
  const auto name = [&](NodeId node, const std::string& text) {
    if (!node.is_none()) out.emplace(node.value, identifier(text));
  };
  for (const ActionInfo& action : p.actions) {
    for (const Step& step : action.order) {
      if (step.ask == Ask::pre) name(step.what, "action_" + action.id + "_pre");
      if (step.ask == Ask::phase_pre) name(step.what, "phase_" + p.phases[step.phase].id + "_pre");
    }
    for (const ParamInfo& param : action.params)
      name(param.domain, "action_" + action.id + "_" + param.name);
  }
  for (const PipelineInfo& pipeline : p.pipelines) {
    name(pipeline.applicability, "pipeline_" + pipeline.id + "_applicability");
    name(pipeline.legality, "pipeline_" + pipeline.id + "_legality");
    name(pipeline.cost, "pipeline_" + pipeline.id + "_cost");
  }
  for (const TriggerInfo& trigger : p.triggers) {
    name(trigger.match, "trigger_" + trigger.id + "_match");
    name(trigger.when, "trigger_" + trigger.id + "_when");
  }
  for (const TerminalInfo& terminal : p.terminals) name(terminal.when, "end_" + terminal.id);
  for (const MarginInfo& margin : p.margins) name(margin.value, "margin_" + margin.seat);
  for (const MetricInfo& metric : p.metrics) name(metric.value, "metric_" + metric.id);
  for (const StandingInfo& standing : p.standings)
    name(standing.value, "standing_" + standing.seat);
  name(p.score, "score");
  for (const HookInfo& hook : p.hooks) name(hook.when, "hook_" + hook.id);
  for (const UnitInfo& unit : p.units)
    for (int pc = unit.entry; pc < unit.end; ++pc) {
      const Instr& i = p.code[pc];
      each_operand(p, i, [&](NodeId node) { name(node, unit.name + "_" + op_name(i.op)); });
    }
  return out;
}

// Everything that nothing else is made of, under the names of the rules where they have some.
std::vector<std::pair<int, std::string>> roots(const Program& p) {
  std::vector<bool> is_part(p.nodes.size(), false);
  for (const Node& n : p.nodes)
    each_operand(p, n, [&](NodeId part) { is_part[part.index()] = true; });
  std::map<int, std::string> found = named_expressions(p);
  for (std::size_t i = 0; i < p.nodes.size(); ++i)
    if (!is_part[i]) found.emplace(static_cast<int>(i), "expression");
  return {found.begin(), found.end()};
}

// Queries that the interpreter looks into, and not only for their results.
std::set<int> looked_into(const Program& p) {
  std::set<int> out;
  for (const NodeId i : p.nodes.ids()) {
    const Node& n = p.nodes[i];
    const bool keyed = p.zone_keys.has(i) && p.zone_keys[i].attribute >= 0;
    if ((n.op == Ex::count && n.b >= 0) || (n.op == Ex::exists && keyed)) out.insert(n.a);
  }
  return out;
}

// The functions of a Program: the roots that can be printed; where one cannot, its parts.
class Functions {
 public:
  explicit Functions(const Program& program)
      : p_(program), printer_(program), looked_into_(looked_into(program)) {
    for (const auto& [node, name] : roots(program)) add(node, name);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const auto [node, name] = wanted_[i];
      make(node, name);
    }
    for (const UnitInfo& unit : program.units) {
      add_subsets(unit);
      add_items(unit);
    }
    add_moves();
  }
  std::string tables() const {
    std::string out = shape_;
    for (const auto& [name, definition] : printer_.tables()) out += definition + "\n";
    return out;
  }
  std::string list() const {
    return "\n" + list_before_ + "\nconstexpr PrintedFunction functions[] = {\n" + list_ +
           (listed_ == 0 ? "  {},\n" : "") + "};\n";
  }
  std::string text() const {
    std::string out = tables() + units_;
    for (const PrintedPiece& piece : made_) out += piece.text;
    return out + list();
  }
  struct PrintedPiece {
    std::string declaration, text;
  };
  const std::vector<PrintedPiece>& pieces() const { return made_; }
  const std::string& units() const { return units_; }  // declared for everybody
  // For people: what the interpreter is left with.
  std::string remarks() const {
    std::string out;
    for (const std::string& line : printer_.remarks()) out += fmt::format("// {}\n", remark(line));
    return out.empty() ? out : "// Not compiled, but interpreted:\n" + out;
  }
  std::size_t count() const { return listed_; }

 private:
  void add(int node, const std::string& name) {
    if (known_.insert(node).second) wanted_.emplace_back(node, name);
  }
  void make(int node, const std::string& name) {
    if (printer_.worthwhile(node) && !looked_into_.contains(node) && print(node, name)) {
      for (const int left : std::set<int>(printer_.left())) add(left, name);
      return;
    }
    each_operand(p_, p_.nodes[NodeId(node)],
                 [&, name = name](NodeId part) { add(part.value, name); });
  }
  bool print(int node, const std::string& name) {
    const bool condition = printer_.is_condition(node), query = printer_.is_query(node);
    const std::string body = condition ? printer_.truth_body(node)
                             : query   ? printer_.query_body(node)
                                       : printer_.value_body(node);
    if (printer_.left().contains(node) || body.size() > longest) return false;
    keep(name, node, p_.nodes[NodeId(node)].place, body, condition ? 0 : query ? 2 : 1);
    return true;
  }
  // Loops of evaluateSubset, as far as their bodies can be printed.
  void add_subsets(const UnitInfo& unit) {
    for (int pc = unit.entry; pc < unit.end; ++pc) {
      const Instr& i = p_.code[pc];
      if (i.op != Op::subset_next) continue;
      const std::string body = printer_.subsets_body(pc);
      if (!body.empty() && body.size() <= longest)
        keep(identifier(unit.name + "_subsets"), pc, i.place, body, 3);
    }
  }
  // What loops go through and choices are made from, where a function for the query would have to
  // ask the machine for parts of it.
  void add_items(const UnitInfo& unit) {
    if (!printer_.lists_are_plain()) return;
    for (int pc = unit.entry; pc < unit.end; ++pc) {
      const Instr& i = p_.code[static_cast<std::size_t>(pc)];
      if (i.op != Op::loop_begin && i.op != Op::choose_one && i.op != Op::choose_n) continue;
      static_cast<void>(printer_.query_body(i.b));
      if (printer_.left_nothing()) continue;
      const std::string body = printer_.items_body(i.b);
      if (!body.empty() && body.size() <= longest)
        keep(identifier(unit.name + "_items"), pc, i.place, body, 7);
    }
  }
  void add_moves() {
    add_trials();
    for (std::size_t k = 0; k < p_.actions.size(); ++k) {
      const std::string body = printer_.move_body(static_cast<int>(k));
      if (body.empty() || body.size() > longest) {
        left_off_.insert(p_.actions[k].unit);
        continue;
      }
      if (printer_.leaves_off()) left_off_.insert(p_.actions[k].unit);
      shape_ = printer_.shape();
      keep(identifier("move_" + p_.actions[k].id), static_cast<int>(k), p_.actions[k].place, body,
           4);
    }
    add_units();
    for (std::size_t k = 0; k < p_.phases.size(); ++k) {
      const std::string body = printer_.listing_body(static_cast<int>(k));
      if (body.empty() || body.size() > longest) continue;
      keep(identifier("options_of_" + p_.phases[k].id), static_cast<int>(k), 0, body, 5);
    }
    add_stretches();
  }
  // Where all moves are made without the machine there is nothing for it to run.
  void add_stretches() {
    std::set<UnitId> whole;
    for (const ActionInfo& action : p_.actions)
      if (!left_off_.contains(action.unit) &&
          (!action.look_ahead || printer_.has_trial(action.unit)))
        whole.insert(action.unit);
    if (left_off_.empty() && whole.size() == p_.actions.size()) return;
    for (const ActionInfo& action : p_.actions)  // whose pipelines are run instead
      if (!action.pipelines.empty()) whole.insert(action.unit);
    if (const std::string settle = printer_.settle_body(); !settle.empty()) {
      const std::string head = "int settle_here([[maybe_unused]] PrintedView& v, Stretch& at)";
      units_ += head + ";\n";
      made_.push_back(
          {"", fmt::format("\n// The way to the next decision.\n{} {{\n{}}}\n", head, settle)});
    }
    for (const UnitId unit : p_.units.ids()) {
      if (unit == p_.setup_unit || whole.contains(unit)) continue;
      const std::string body = printer_.stretch_body(unit);
      if (body.empty() || body.size() > longest) continue;
      shape_ = printer_.shape();
      const UnitInfo& info = p_.units[unit];
      keep(identifier("stretch_" + info.name), unit.value, p_.code[info.entry].place, body, 8);
    }
  }
  void add_trials() {
    for (std::size_t k = 0; k < p_.actions.size(); ++k) {
      const std::string body = printer_.trial_body(static_cast<int>(k));
      if (body.empty() || body.size() > longest) continue;
      shape_ = printer_.shape();
      const UnitId unit = p_.actions[k].unit;
      const std::string name = identifier("trial_" + p_.actions[k].id);
      keep(name, unit.value, p_.actions[k].place, body, 6);
      printer_.has_trial(unit, fmt::format("{}_{}", name, unit.value));
      units_ += made_.back().declaration;  // lists and moves ask it
    }
  }
  // Units that moves call, and those that these call.
  void add_units() {
    std::set<UnitId> made;
    for (bool more = true; more;) {
      more = false;
      for (const UnitId unit : std::set<UnitId>(printer_.called())) {
        if (!made.insert(unit).second) continue;
        more = true;
        const std::string head = fmt::format("int unit_{}(PrintedView& view)", unit.value);
        units_ += head + ";\n";
        const std::string body = printer_.unit_body(unit);
        if (body == Printer::nothing_printed || printer_.leaves_off()) left_off_.insert(unit);
        made_.push_back(
            {"", fmt::format("\n// {}\n{} {{\n{}}}\n", remark(p_.units[unit].name), head, body)});
      }
    }
  }
  // One more function, and its line in the table: `form` is the number of its pointer there.
  void keep(const std::string& name, int at, std::uint32_t place, const std::string& body,
            std::size_t form) {
    static constexpr const char* arguments[] = {
        "",
        ", Value& out",
        ", PrintedVisit visit",
        ", const Value* items, std::size_t count, std::size_t size, PrintedBest& best",
        ", [[maybe_unused]] std::uint64_t option",
        ", PrintedOptions& options",
        ", [[maybe_unused]] std::uint64_t option, int answered, [[maybe_unused]] Value answer",
        ", PrintedVisit visit",
        ", Stretch& at"};
    constexpr std::size_t move_form = 4, list_form = 5, trial_form = 6, stretch_form = 8;
    const std::string function = fmt::format("{}_{}", name, at), where = place_of(p_, place);
    const std::string head =
        fmt::format("int {}([[maybe_unused]] PrintedView& {}{})", function,
                    form == move_form || form == trial_form ? "view" : "v", arguments[form]);
    std::string slots, pointers;
    const std::vector<int> bound =
        form == stretch_form ? printer_.stretch_bindings() : printer_.bindings();
    for (const int number : bound) slots += fmt::format("{}, ", number);
    if (!slots.empty())
      list_before_ += fmt::format("constexpr std::int32_t {}_binds[] = {{{}}};\n", function, slots);
    for (std::size_t k = 0; k < std::size(arguments); ++k)
      pointers += (k == form ? function : std::string("nullptr")) + ", ";
    std::string entries;
    if (form == stretch_form)
      entries = fmt::format(", {}_entries, {}", function, printer_.entries().size());
    if (!entries.empty())
      list_before_ += fmt::format("constexpr std::int32_t {}_entries[] = {{{}}};\n", function,
                                  fmt::join(printer_.entries(), ", "));
    list_ += fmt::format(
        "  {{{}, {}{}, {}, {}, {}{}}},\n", at, pointers, form == move_form && printer_.late(),
        (form == move_form || form == list_form || form == stretch_form) && printer_.helped(),
        slots.empty() ? "nullptr" : function + "_binds", bound.size(), entries);
    ++listed_;
    made_.push_back(
        {head + ";\n", fmt::format("\n// {}\n{} {{\n{}}}\n",
                                   where.empty() ? "made by the linker" : where, head, body)});
  }

  static constexpr std::size_t longest = 200'000;  // bytes; what is larger is printed in parts
  const Program& p_;
  Printer printer_;
  std::set<int> looked_into_;
  std::set<int> known_;
  std::vector<std::pair<int, std::string>> wanted_;
  std::vector<PrintedPiece> made_;
  std::set<UnitId> left_off_;  // not printed as a whole
  std::string list_before_, list_, shape_, units_;
  std::size_t listed_ = 0;
};

}  // namespace

namespace {

// Of everything but remarks: where the rules lie does not matter.
std::uint64_t print_of(std::string_view body) {
  std::uint64_t out = printed_interface;
  while (!body.empty()) {
    const std::string_view line = body.substr(0, body.find('\n'));
    if (!line.starts_with("//")) out = hash_text(line, out);
    body.remove_prefix(std::min(body.size(), line.size() + 1));
  }
  return out;
}

constexpr std::size_t part_bytes = 100'000;

// What every printed source begins with, and these headers besides.
std::string prologue(const Program& program, const std::vector<std::string>& headers) {
  std::string out = fmt::format(
      "// {} for {} players, printed by Parlor {} from rules {:016x}.\n"
      "// Each function is an expression of the rules, a move, a list of options or what is run "
      "of\n"
      "// them in one go; the line above it says where it stands.\n",
      remark(program.def.metadata.id), program.players, parlor_version(), program.fingerprint);
  std::string installed, in_tree;
  for (const std::string& header : headers) {
    installed += fmt::format("#include <parlor/{}>\n", header);
    in_tree += fmt::format("#include \"{}\"\n", header);
  }
  return out + fmt::format(
                   "#if __has_include(<parlor/kernel/printed/code_moves.h>)\n{}#else\n{}#endif\n\n"
                   "#pragma GCC diagnostic ignored \"-Wunused-variable\"\n"
                   "#pragma GCC diagnostic ignored \"-Wunused-const-variable\"\n"
                   "#pragma GCC diagnostic ignored \"-Wunused-but-set-variable\"\n\n"
                   "namespace {{\n\nusing namespace parlor::kernel;\n\n",
                   installed, in_tree);
}

}  // namespace

PrintedSource print_source(const Program& program) {
  const Functions functions(program);
  const std::string start =
      functions.remarks() +
      prologue(program, {"kernel/printed/code_moves.h", "kernel/printed/code_stretches.h"});
  PrintedSource out;
  out.functions = functions.count();
  out.print = print_of(functions.text());
  // The functions of a large game are spread over several sources, which see each other's names.
  const std::string end_unnamed = "\n}  // namespace\n\nnamespace parlor_printed {\n\n",
                    end = "\n}  // namespace parlor_printed\n",
                    open = start + functions.tables() + end_unnamed + functions.units();
  std::string declarations, part;
  for (const auto& piece : functions.pieces()) {
    declarations += piece.declaration;
    part += piece.text;
    if (part.size() > part_bytes || &piece == &functions.pieces().back()) {
      out.parts.push_back(open + part + end);
      part.clear();
    }
  }
  out.parts.push_back(start + end_unnamed + declarations + functions.list() + end +
                      fmt::format("\nextern \"C\" [[gnu::visibility(\"default\")]] const "
                                  "parlor::kernel::PrintedCode {} = {{\n"
                                  "    parlor::kernel::printed_interface, {}u, "
                                  "parlor_printed::functions, {}}};\n",
                                  printed_symbol, out.print, out.functions));
  return out;
}

std::string print_library(const Program& program) {
  const Functions functions(program);
  const std::string body = functions.text();
  std::string out = functions.remarks() +
                    prologue(program, {"kernel/kernel.h", "kernel/printed/code_moves.h",
                                       "kernel/printed/code_stretches.h"}) +
                    body;
  out += fmt::format(
      "\nconstexpr PrintedCode code = {{printed_interface, {}u, functions, {}}};\n\n"
      "// The compiled rules.\nconstexpr const char* rules =",
      print_of(body), functions.count());
  // In pieces: compilers need not take a literal of any length.
  const std::string rules = canonical(spec::to_json(program.def));
  for (std::size_t at = 0, end = 0; at < rules.size(); at = end) {
    end = std::min(rules.size(), at + 16'000);
    while (end < rules.size() && (static_cast<unsigned char>(rules[end]) & 0xc0) == 0x80) ++end;
    out += fmt::format("\n    R\"PARLOR({})PARLOR\"", rules.substr(at, end - at));
  }
  out += fmt::format(
      ";\n\n}}  // namespace\n\n"
      "namespace parlor_games::{} {{\n\n"
      "// The game, running the code above. `modules`: C++ modules that were in force when it was "
      "printed.\n"
      "std::shared_ptr<const parlor::Game> open(const parlor::kernel::NativeModules& modules = "
      "{{}}) "
      "{{\n"
      "  auto def = parlor::spec::gamedef_from_json(parlor::parse_json(rules).value());\n"
      "  if (!def) return nullptr;\n"
      "  auto game = parlor::kernel::open_game(\n"
      "      std::move(*def), {{.players = {}, .explicit_chance = {}, .modules = modules}});\n"
      "  if (!game) return nullptr;\n"
      "  auto native = parlor::kernel::run_printed(**game, code);\n"
      "  if (native) return *native;\n"
      "  return *game;  // another Parlor than the one that printed this: the interpreter plays\n"
      "}}\n\n}}  // namespace parlor_games::{}\n",
      identifier(program.def.metadata.id), program.players, program.options.explicit_chance,
      identifier(program.def.metadata.id));
  return out;
}

tl::expected<std::shared_ptr<const Program>, std::string> attach(
    std::shared_ptr<const Program> program, const PrintedCode& code) {
  if (code.interface != printed_interface)
    return tl::unexpected(
        fmt::format("it was made for interface {} of printed code, and this is {}", code.interface,
                    printed_interface));
  if (code.print != print_source(*program).print)
    return tl::unexpected(std::string("it was printed from other rules, or by another Parlor"));
  auto out = std::make_shared<Program>(*program);
  for (std::size_t i = 0; i < code.count; ++i) {
    const PrintedFunction& function = code.functions[i];
    const auto at = static_cast<std::size_t>(function.at);
    if (function.move != nullptr) {
      out->printed_moves.resize(out->actions.size(), nullptr);
      out->printed_moves[at] = &function;
      continue;
    }
    if (function.trial != nullptr) {
      out->printed_trials.resize(out->units.size(), nullptr);
      out->printed_trials[UnitId(at)] = &function;
      continue;
    }
    if (function.items != nullptr) {
      out->printed_items.resize(out->code.size(), nullptr);
      out->printed_items[at] = &function;
      continue;
    }
    if (function.listing != nullptr) {
      out->printed_lists.resize(out->phases.size(), nullptr);
      out->printed_lists[at] = &function;
      continue;
    }
    if (function.stretch != nullptr) {
      out->printed_stretches.resize(out->code.size(), nullptr);
      for (int k = 0; k < function.entry_count; ++k)
        out->printed_stretches[function.entries[k]] = &function;
      continue;
    }
    if (function.subsets != nullptr) {
      out->code[at].d = i;
      continue;
    }
    Node& n = out->nodes[NodeId(at)];
    n = {.op = function.truth != nullptr   ? Ex::printed_truth
               : function.query != nullptr ? Ex::printed_query
                                           : Ex::printed_value,
         .a = i,
         .d = Printer::has_memo(n) ? n.d.value : -1,
         .place = n.place};
  }
  out->printed = &code;
  out->written = std::move(program);
  return out;
}

}  // namespace parlor::kernel
