// The readers of the language's constructs, from selectors to effects. Each checks its node
// completely, reports every mistake at the node that has it, and always answers with something:
// after a mistake the answer's type is unknown, which fits everywhere, so one mistake is reported
// once.
#pragma once

#include "spec/lower/shape.h"

namespace parlor::spec::lower {

struct TypedValue {
  Value value;
  Type type;
};
struct TypedQuery {
  Query query;
  Type item;  // what its results are
};
enum class Many : std::uint8_t { no, yes };

// ---- Bindings
// Declares the binding a binder field names; answers the name.
std::string declare_binding(Context& cx, const Node& node, const Type& type);
// The same for what somebody chooses: under a templated name that is a parameter of the move.
std::string declare_choice(Context& cx, const Node& node, const Type& type);
// Mentions a binding. `lenient`: one that may have been made on another path is accepted.
enum class Strictness : std::uint8_t { strict, lenient };
Type use_binding(Context& cx, const Node& node, std::string_view name, Strictness strictness);
// A field that names a token (or a row) by a binding.
std::string read_token(Context& cx, const Node& node);
std::string read_row(Context& cx, const Node& node, std::string_view table);
// The id of a table; `row` becomes what its rows are.
std::string read_table(Context& cx, const Node& node, Type* row);

// ---- Selectors
PlayerSel read_player(Context& cx, const Node& node, Many many = Many::no);
ZoneSel read_zone(Context& cx, const Node& node);
ZoneSel read_space(Context& cx, const Node& node);        // one space: a full id or a binding
std::string read_zone_id(Context& cx, const Node& node);  // declared, unowned; gives the full id
DirectionSel read_directions(Context& cx, const Node& node);
Name read_var_name(Context& cx, const Node& node, const Table<VarType>& declared,
                   std::string_view what, std::optional<VarType>* type = nullptr);
Name read_key(Context& cx, const Node& node);  // of captured zones: text or a reference
// A name the game declares: of an action, a phase, a token type, a marker …
std::string read_declared(Context& cx, const Node& node, Expects expects);
// A key of a mapping from names.
void check_name(Context& cx, const Node& name, const FieldSpec& spec);
std::string read_seat(Context& cx, const Node& node);

// A name that is known only while playing: what it can be, if that is known, must be declared.
void check_computed(Context& cx, const Node& node, const Type& type, Code code,
                    std::string_view what, const std::vector<std::string>& names);

// ---- Expressions
TypedValue read_value(Context& cx, const Node& node);
Value read_number(Context& cx, const Node& node);
Value read_typed(Context& cx, const Node& node, const Type& wanted);
// Text where something else is needed is often a name or a number written without its clothes:
// adds how it is written to a diagnostic.
void explain_text(Context& cx, const Node& node, Diagnostic& diagnostic);
Value read_marker_state(Context& cx, const Node& node, std::string_view marker, bool global);
Condition read_condition(Context& cx, const Node& node);
// A condition with `$zone` (or another implicit binding) in scope.
Condition read_condition_with(Context& cx, const Node& node, std::string_view bind,
                              const Type& type);
TokenFilter read_token_filter(Context& cx, const Node& node);
std::vector<RowTest> read_row_filter(Context& cx, const Node& node, std::string_view table);
TypedQuery read_query(Context& cx, const Node& node);
Query read_token_query(Context& cx, const Node& node);  // must give tokens

// ---- Effects
Effects read_effects(Context& cx, const Node& node);
Type type_of_var(const std::optional<VarType>& type);
// The declared variable that a value reads, if that is all it does.
const VarDef* variable_read(const Context& cx, const Value& value);
// The same for the text of a variable that holds one of declared texts; `place` reads its number.
struct EnumRead {
  const VarDef* var = nullptr;
  const Value* place = nullptr;
};
EnumRead enum_read(const Context& cx, const Value& value);
// That the variable never holds this text.
void report_text_of(Context& cx, const Node& text, const VarDef& var);
void needs_number(Context& cx, const Node& node, const Type& type);  // no true or false

}  // namespace parlor::spec::lower
