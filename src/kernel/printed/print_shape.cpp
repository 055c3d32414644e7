// What state/writes.h asks of a game, as constants.
#include "kernel/printed/move_parts.h"

namespace parlor::kernel {

// What state/writes.h asks, as constants.
std::string Printer::shape() const {
  const Layout& at = p_.layout;
  std::string tests, all;
  for (std::size_t type = 0; type < p_.types.size(); ++type) {
    std::string lines;
    for (const TypeInfo::FeatureTest& test : p_.types[type].feature_tests) {
      std::string when;
      if (test.column >= 0) when = fmt::format("own[{}] == {}", test.column, test.cell);
      if (test.more)
        for (const auto& [prop, cell] : p_.features[test.feature].cells)
          when += fmt::format("{}own[{}] == {}", when.empty() ? "" : " && ",
                              p_.types[type].column[prop], cell);
      lines += fmt::format("        {}f(&ref<std::uint64_t>({}));\n",
                           when.empty() ? "" : "if (" + when + ") ", test.offset);
    }
    if (!lines.empty()) tests += fmt::format("      case {}:\n{}        break;\n", type, lines);
  }
  for (std::size_t k = 0; k < p_.features.size(); ++k)
    all += fmt::format("    f(&ref<std::uint64_t>({}));\n", at.features + 8 * k * p_.words);
  return fmt::format(
      "struct Shape : StateBytes {{\n"
      "  using StateBytes::StateBytes;\n"
      "  static constexpr std::size_t token_count = {0}, tokens = {1}, token_size = {2};\n"
      "  std::uint64_t& hash() const {{ return ref<std::uint64_t>({3}); }}\n"
      "  ZoneRecord& zone(int z) const {{ return ref<ZoneRecord>({4} + place(z) * 6); }}\n"
      "  TokenRecord& token(int t) const {{ return ref<TokenRecord>(tokens + place(t) * "
      "token_size); }}\n"
      "  ZoneRecord& zone(ZoneId z) const {{ return zone(z.value); }}\n"
      "  TokenRecord& token(TokenId t) const {{ return token(t.value); }}\n"
      "  static constexpr int columns() {{ return {5}; }}\n"
      "  std::uint64_t key(TokenId t, int part) const {{\n"
      "    return token_key(token_keys, token_key_count, t.index() * {6} + place(part));\n"
      "  }}\n"
      "  static constexpr bool has_features() {{ return {7}; }}\n"
      "  template <class F>\n"
      "  [[gnu::always_inline]] void each_feature(TokenId t, F&& f) const {{\n"
      "    TokenRecord& record = token(t);\n"
      "    const std::int32_t* own = cells_of(record);\n"
      "    switch (record.type) {{\n{8}      default:\n        break;\n    }}\n"
      "  }}\n"
      "  template <class F>\n"
      "  void every_feature(F&& f) const {{\n{9}  }}\n"
      "{10}{11}{12}}};\n"
      "struct TrialShape : Shape {{\n"
      "  mutable std::uint64_t unused = 0;\n"
      "  explicit TrialShape(const PrintedView& view) : Shape{{view}} {{}}\n"
      "  std::uint64_t& hash() const {{ return unused; }}\n"
      "}};\n",
      tokens_offset(), at.tokens, at.token_size, offset_in_header(&Header::hash), at.zones,
      p_.columns, p_.columns + 2, !p_.features.empty(), tests, all, kept_numbers(), sights(),
      arrivals());
}

// What zones do to tokens that come into them.
std::string Printer::arrivals() const {
  std::string cases;
  for (std::size_t type = 0; type < p_.types.size(); ++type) {
    const TypeInfo& info = p_.types[type];
    std::string lines;
    for (std::size_t k = 0; k < info.entry.size(); ++k) {
      const EntryRule& rule = info.entry[k];
      std::string holds, writes;
      for (const ZoneInfo& zone : p_.zones)
        holds += (!rule.kind || *rule.kind == zone.kind) &&
                         (rule.category < 0 || rule.category == zone.category)
                     ? "true, "
                     : "false, ";
      for (const auto& [prop, value] : rule.set)
        if (info.column[prop] >= 0)
          writes += fmt::format("          writes.write_cell(t, {}, {}, false);\n",
                                info.column[prop], Memory::encode_cell(info.cell[prop], value));
      lines += fmt::format(
          "        static constexpr bool rule_{0}[] = {{{1}}};\n"
          "        if (rule_{0}[z.index()]) {{\n{2}        }}\n",
          k, holds, writes);
    }
    if (!lines.empty())
      cases += fmt::format("      case {}: {{\n{}        break;\n      }}\n", type, lines);
  }
  if (cases.empty()) return "  static constexpr bool changes_arrivals = false;\n";
  return fmt::format(
      "  static constexpr bool changes_arrivals = true;\n"
      "  void arrive(TokenId t, ZoneId z) const {{\n"
      "    Writes<Shape> writes(*this);\n"
      "    switch (token(t).type) {{\n{}      default:\n        break;\n    }}\n"
      "  }}\n",
      cases);
}

// Who sees what, where tokens are hidden.
std::string Printer::sights() const {
  const Secrets& secrets = p_.secrets;
  if (!secrets.tokens) return "  static constexpr bool hides = false;\n";
  std::string seen_by, places, hidden, zones;
  for (const ZoneInfo& zone : p_.zones) {
    seen_by += fmt::format("{}u, ", Memory::narrow(p_.players, zone.sight));
    places += fmt::format("{}, ", zone.place);
    hidden += zone.count_hidden ? "true, " : "false, ";
  }
  for (std::size_t place = 0; place < secrets.zones_of_place.size(); ++place) {
    zones += fmt::format("      case {}:", place);
    for (const ZoneId z : secrets.zones_of_place[place]) zones += fmt::format(" f(ZoneId({}));", z);
    zones += " break;\n";
  }
  return fmt::format(
      "  static constexpr bool hides = true;\n"
      "  static constexpr int viewers() {{ return {0}; }}\n"
      "  static constexpr int set_bytes() {{ return {1}; }}\n"
      "  static constexpr std::uint32_t mask_bytes() {{ return {2}; }}\n"
      "  static constexpr std::uint32_t bit_of(int viewer) {{\n"
      "    return 1u << (viewer < {3} ? viewer : {4});\n"
      "  }}\n"
      "  std::uint32_t made() const {{ return at<std::uint32_t>(token_count); }}\n"
      "  std::uint8_t* sight_bytes(TokenId t) const {{\n"
      "    return reinterpret_cast<std::uint8_t*>(base) + tokens + t.index() * token_size + "
      "{5};\n"
      "  }}\n"
      "  static constexpr std::size_t sight_size() {{ return token_size - {5}; }}\n"
      "  static constexpr std::size_t token_bytes() {{ return token_size; }}\n"
      "  std::uint32_t sees(ZoneId z) const {{\n"
      "    static constexpr std::uint32_t seen_by[] = {{{6}}};\n"
      "    return z.is_none() ? 0 : seen_by[z.index()];\n"
      "  }}\n"
      "  int place_of(ZoneId z) const {{\n"
      "    static constexpr std::int16_t places[] = {{{7}}};\n"
      "    return z.is_none() ? {8} : places[z.index()];\n"
      "  }}\n"
      "  bool hides_count(ZoneId z) const {{\n"
      "    static constexpr bool hidden[] = {{{9}}};\n"
      "    return hidden[z.index()];\n"
      "  }}\n"
      "  template <class F>\n"
      "  [[gnu::always_inline]] void each_zone_of(int place, F&& f) const {{\n"
      "    switch (place) {{\n{10}      default: break;\n    }}\n"
      "  }}\n",
      secrets.viewers, secrets.set_bytes, p_.layout.mask_bytes, p_.players,
      p_.players > 13 ? static_cast<int>(max_players) : p_.players + 1, p_.layout.masks, seen_by,
      places, secrets.places - 1, hidden, zones);
}

namespace {

// The column of a number by the type of a token; -1: it has none.
std::string columns_of(const Program& p, int prop) {
  std::string out;
  for (const TypeInfo& type : p.types) {
    const auto at = static_cast<std::size_t>(prop);
    const bool has = type.column[at] >= 0 && type.cell[at] == CellType::integer;
    out += fmt::format("{}, ", has ? type.column[at] : -1);
  }
  return out;
}

std::string counting(const Program& p, std::size_t sum) {
  const KeptSum& def = p.sums[sum];
  std::string out = "    {\n      static constexpr std::int64_t weights[] = {";
  for (const std::int64_t weight : def.weights) out += fmt::format("{}, ", weight);
  out += "};\n";
  if (def.prop >= 0)
    out += fmt::format("      static constexpr int columns[] = {{{}}};\n", columns_of(p, def.prop));
  return out + fmt::format(
                   "      if (const std::int64_t weight = weights[z.index()]; weight >= 0)\n"
                   "        count_number(ref<SumRecord>({}), {}, {}, weight, {}, sign);\n    }}\n",
                   p.layout.sums + sum * sizeof(SumRecord),
                   def.prop < 0 ? "0" : "number(t, columns)", def.addend, def.modulus);
}

// A function that sets the bit of a token.
std::string marking(const Program& p, std::size_t seen) {
  std::string out = fmt::format("  void mark_{}(TokenId t) const {{\n", seen), numbers;
  const std::vector<int>& props = p.seen[seen].props;
  for (std::size_t k = 0; k < props.size(); ++k) {
    out += fmt::format(
        "    static constexpr int columns_{0}[] = {{{1}}};\n"
        "    const std::int32_t cell_{0} = number(t, columns_{0});\n"
        "    if (cell_{0} == missing_cell) return;\n",
        k, columns_of(p, props[k]));
    numbers += fmt::format("cell_{}, ", k);
  }
  return out +
         fmt::format(
             "    const std::int64_t numbers[] = {{{}}};\n"
             "    const std::size_t bit = seen_bit(numbers);\n"
             "    ref<std::uint64_t>({} + bit / 64 * 8) |= std::uint64_t{{1}} << (bit % 64);\n"
             "  }}\n",
             numbers, p.layout.seen + seen * seen_words * 8);
}

}  // namespace

// Sums that are kept of tokens, and what zones may hold.
std::string Printer::kept_numbers() const {
  std::string count, marks, note, refresh;
  for (std::size_t s = 0; s < p_.sums.size(); ++s) count += counting(p_, s);
  for (std::size_t s = 0; s < p_.seen.size(); ++s) {
    marks += marking(p_, s);
    note += fmt::format("    if (z.value == {}) mark_{}(t);\n", p_.seen[s].zone, s);
    refresh += fmt::format(
        "    if (z.value == {0}) {{\n"
        "      std::memset(&ref<std::uint64_t>({1}), 0, seen_words * 8);\n"
        "      for (TokenId t = linked(zone(z).head); !t.is_none(); t = linked(token(t).next))\n"
        "        mark_{2}(t);\n"
        "    }}\n",
        p_.seen[s].zone, p_.layout.seen + s * seen_words * 8, s);
  }
  return fmt::format(
      "  static constexpr bool keeps_more() {{ return {}; }}\n"
      "  std::int32_t number(TokenId t, const int* columns) const {{\n"
      "    const int column = columns[token(t).type];\n"
      "    return column < 0 ? missing_cell : cells_of(token(t))[column];\n"
      "  }}\n"
      "{}"
      "  void count([[maybe_unused]] TokenId t, [[maybe_unused]] ZoneId z, "
      "[[maybe_unused]] int sign) const {{\n{}  }}\n"
      "  void note([[maybe_unused]] TokenId t, [[maybe_unused]] ZoneId z) const {{\n{}  }}\n"
      "  void refresh([[maybe_unused]] ZoneId z) const {{\n{}  }}\n",
      p_.keeps_more, marks, count, note, refresh);
}

}  // namespace parlor::kernel
