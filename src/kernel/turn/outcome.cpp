// How a game ends, and what that is worth to whom.
#include "kernel/turn/outcome.h"

#include "kernel/program/ways.h"
#include "kernel/run/machine.h"

namespace parlor::kernel {

// The seat that leads by its margin; ties by the declared order, then by name.
int leading_player(Machine& machine) {
  const Program& p = machine.program();
  const auto& order = p.def.terminal.tie_break_order;
  const MarginInfo* best = nullptr;
  std::int64_t best_margin = 0;
  std::ptrdiff_t best_rank = 0;
  for (const MarginInfo& info : p.margins) {
    std::int64_t margin = 0;
    if (!machine.integer(info.value, margin)) return -1;
    if (!p.def.terminal.ranking_ascending) margin = -margin;
    const auto rank = std::find(order.begin(), order.end(), info.seat) - order.begin();
    if (best != nullptr &&
        std::tie(margin, rank, info.seat) >= std::tie(best_margin, best_rank, best->seat))
      continue;
    best = &info;
    best_margin = margin;
    best_rank = rank;
  }
  return best == nullptr ? -1 : best->player;
}

// Players of one team have what all of them have.
static void share(const Program& p, std::span<std::int64_t> out) {
  for (const spec::TeamDef& team : p.def.teams) {
    std::int64_t sum = 0;
    for (const spec::Int player : team.players)
      if (player < p.players) sum += out[player];
    for (const spec::Int player : team.players)
      if (player < p.players) out[player] = sum;
  }
}

// Who has won: those the rules name, and who is in a team with them.
static bool find_winners(Machine& machine, const TerminalInfo& terminal, int winner,
                         std::span<std::int64_t> won) {
  const Program& p = machine.program();
  std::fill(won.begin(), won.end(), 0);
  if (winner >= 0 && winner < p.players) won[winner] = 1;
  for (int i = 0; !terminal.winners.is_none() && i < p.players; ++i) {
    Machine::Scratch scratch(machine, p.terminal_unit, machine.header().active, i);
    const Truth wins = machine.test(terminal.winners);
    if (wins == Truth::fault) return false;
    won[i] = wins == Truth::yes ? 1 : 0;
  }
  share(p, won);
  return true;
}

// Where the score is a variable of the players.
static bool read_scores(const Memory& memory, std::span<std::int64_t> out) {
  const Program& p = memory.program();
  if (p.score_var.is_none()) return false;
  const std::int64_t sign = p.def.terminal.scoring->highest ? 1 : -1;
  for (int i = 0; i < p.players; ++i) out[i] = sign * memory.pvar(i, p.score_var);
  share(p, out);
  return true;
}

bool scores(Machine& machine, std::span<std::int64_t> out) {
  const Program& p = machine.program();
  if (p.score.is_none()) return false;
  if (read_scores(machine.memory(), out)) return true;
  for (int i = 0; i < p.players; ++i) {
    Machine::Scratch scratch(machine, p.terminal_unit, machine.header().active, i);
    std::int64_t score = 0;
    if (!machine.integer(p.score, score)) return false;
    out[i] = p.def.terminal.scoring->highest ? score : -score;
  }
  share(p, out);
  return true;
}

bool Turns::check_terminal() {
  Header& h = header();
  Scratch scratch(*this, p_->terminal_unit, h.active, h.active);
  for (const TerminalInfo& terminal : p_->terminals) {
    if (!terminal.in_any_phase && !terminal.in_phase[h.phase]) continue;
    const Truth over = test(terminal.when);
    if (over == Truth::no) continue;
    if (over == Truth::fault) return false;
    int winner = terminal.seat_player;
    if (terminal.by_margins) winner = leading_player(whole());
    if (!terminal.player.is_none()) winner = player(terminal.player);
    // What the end is worth is asked now, so that a finished game never fails to say it.
    std::int64_t worth[max_players];
    if (terminal.result == spec::ResultKind::score) scores(whole(), std::span(worth, p_->players));
    if (!terminal.winners.is_none())
      find_winners(whole(), terminal, winner, std::span(worth, p_->players));
    if (failed_) return false;
    h.decision = DecisionKind::finished;
    h.ended_by = &terminal - p_->terminals.data();
    h.winner = winner < 0 ? 0xff : winner;
    if (listener_ != nullptr) {
      Json data{{"reason", terminal.id}};
      if (winner >= 0) data["winner"] = winner;
      report("finished", std::move(data));
    }
    return true;
  }
  return false;
}

bool Turns::would_end() {
  const Header& h = header();
  Scratch scratch(*this, p_->terminal_unit, h.active, h.active);
  for (const TerminalInfo& terminal : p_->terminals) {
    if (!terminal.in_any_phase && !terminal.in_phase[h.phase]) continue;
    const Truth over = test(terminal.when);
    clear_fault();
    if (over == Truth::yes) return true;
  }
  return false;
}

bool plain_returns(const Program& p, const StateBlock& block, std::span<std::int64_t> out) {
  const Header& h = block.as<Header>();
  std::fill(out.begin(), out.end(), 0);
  if (h.decision != DecisionKind::finished || h.ended_by < 0) return true;
  const TerminalInfo& terminal = p.terminals[h.ended_by];
  switch (terminal.result) {
    case spec::ResultKind::draw:
      return true;
    case spec::ResultKind::loss_all:
      std::fill(out.begin(), out.end(), -1);
      return true;
    case spec::ResultKind::score:
      return read_scores(Memory(p, readable(block)), out);
    case spec::ResultKind::win:
      break;
  }
  if (!terminal.winners.is_none()) return false;
  if (h.winner < p.players) out[h.winner] = 1;
  share(p, out);
  for (std::int64_t& worth : out) worth = worth > 0 ? 1 : -1;
  return true;
}

void final_returns(Machine& machine, std::span<std::int64_t> out) {
  const Program& p = machine.program();
  const Header& h = machine.header();
  if (plain_returns(p, machine.memory().block(), out)) return;
  const TerminalInfo& terminal = p.terminals[h.ended_by];
  const bool known =
      terminal.result == spec::ResultKind::score
          ? scores(machine, out)
          : find_winners(machine, terminal, h.winner == 0xff ? -1 : int{h.winner}, out);
  if (!known) return std::fill(out.begin(), out.end(), 0);
  if (terminal.result == spec::ResultKind::score) return;
  for (std::int64_t& worth : out) worth = worth > 0 ? 1 : -1;
}

// What decides between players, the score first, and who has which place by it: 1 for whom nobody
// comes before; equals share theirs.
static std::vector<int> place_players(Machine& machine, const std::vector<std::int64_t>& returns) {
  const Program& p = machine.program();
  const std::size_t players = p.players;
  std::vector<std::vector<std::int64_t>> worth(players);
  for (std::size_t i = 0; i < players; ++i) worth[i].push_back(returns[i]);
  for (const auto& [value, highest] : p.tie_breaks) {
    std::vector<std::int64_t> next(players);
    for (std::size_t i = 0; i < players; ++i) {
      Machine::Scratch scratch(machine, p.terminal_unit, machine.header().active, i);
      if (!machine.integer(value, next[i])) break;
      if (!highest) next[i] = -next[i];
    }
    if (machine.failed()) {
      machine.clear_fault();
      break;
    }
    share(p, next);
    for (std::size_t i = 0; i < players; ++i) worth[i].push_back(next[i]);
  }
  std::vector<int> places;
  for (const auto& own : worth)
    places.push_back(1 +
                     std::ranges::count_if(worth, [&](const auto& other) { return other > own; }));
  return places;
}

void final_outcome(Machine& machine, Outcome& outcome) {
  const Program& p = machine.program();
  const Header& h = machine.header();
  outcome.returns.resize(p.players);
  outcome.winners.clear();
  outcome.places.clear();
  final_returns(machine, outcome.returns);
  if (h.ended_by < 0) {
    outcome.reason = "noLegalMoves";
    return;
  }
  const TerminalInfo& terminal = p.terminals[h.ended_by];
  outcome.reason = terminal.id;
  for (int i = 0; terminal.result == spec::ResultKind::win && i < p.players; ++i)
    if (outcome.returns[i] > 0) outcome.winners.push_back(PlayerId{i});
  if (terminal.result == spec::ResultKind::score) {
    outcome.places = place_players(machine, outcome.returns);
    for (int i = 0; i < p.players; ++i)
      if (outcome.places[i] == 1) outcome.winners.push_back(PlayerId{i});
  }
}

std::uint32_t fixed_ending(const Program& p, const Header& h) {
  if (h.ended_by >= 0) {
    const TerminalInfo& terminal = p.terminals[h.ended_by];
    if (terminal.result == spec::ResultKind::score || !terminal.winners.is_none())
      return TellsEnds::no_ending;
  }
  const int winner = h.winner == 0xff ? p.players : int{h.winner};
  return (h.ended_by + 1) * (p.players + 1) + winner;
}

namespace {

// Names under which games keep what players collect, the most telling first.
constexpr std::string_view telling_vars[] = {"score", "points", "victoryPoints", "vp",
                                             "net",   "chips",  "money",         "gold",
                                             "coins", "lives",  "health",        "life"};

// Whether pieces can be lost: destroyed, or taken to a zone beside the board. Where they cannot,
// their number says nothing.
bool pieces_get_lost(const Program& p) {
  const auto on_board = [&](ZoneId z) { return p.zones[z].kind == spec::ZoneKind::board; };
  bool out = std::ranges::any_of(p.code, [](const Instr& i) { return i.op == Op::destroy_token; });
  each_way(p, [&](const std::vector<ZoneId>& from, const std::vector<ZoneId>& to) {
    out = out || (to.size() == 1 && !on_board(to.front()) && std::ranges::any_of(from, on_board));
  });
  return out;
}

// Pieces on the board by owner.
void count_pieces(Machine& machine, int owner_prop, std::span<std::int64_t> out) {
  const Program& p = machine.program();
  const Memory& memory = machine.memory();
  std::fill(out.begin(), out.end(), 0);
  for (const TokenId t : memory.tokens()) {
    const ZoneId z = memory.zone_of(t);
    if (z.is_none() || p.zones[z].kind != spec::ZoneKind::board) continue;
    const Value owner = memory.prop(t, owner_prop);
    if (!owner.is_int() || owner.payload() < 0) continue;
    if (const std::int64_t seat = owner.payload(); seat < std::ssize(out)) ++out[seat];
  }
}

}  // namespace

Lead find_lead(const Program& p) {
  Lead lead;
  if (!p.margins.empty() || !p.score.is_none()) return lead;
  for (const std::string_view name : telling_vars)
    if (const VarId var = p.pvars.find(&VarInfo::name, name);
        lead.var.is_none() && !var.is_none() && !p.pvars[var].boolean)
      lead.var = var;
  const bool board = std::ranges::any_of(
      p.zones, [](const ZoneInfo& zone) { return zone.kind == spec::ZoneKind::board; });
  if (!lead.var.is_none() || !board || !pieces_get_lost(p)) return lead;
  for (std::size_t prop = 0; prop < p.props.size(); ++prop)
    if (p.props[prop] == "owner" || p.props[prop] == "player") lead.owner_prop = prop;
  return lead;
}

namespace {

// What each player has, as the values in `shown` say.
template <class Info, class Worth>
bool worth_of_seats(Machine& machine, UnitId unit, const std::vector<Info>& shown, Worth worth,
                    std::span<std::int64_t> out) {
  std::fill(out.begin(), out.end(), 0);
  const int active = machine.header().active;
  const Machine::Scratch scratch(machine, unit, active, active);
  for (const Info& info : shown) {
    std::int64_t number = 0;
    if (!machine.integer(info.value, number)) return false;
    if (info.player >= 0 && info.player < machine.program().players)
      out[info.player] = worth(info, number);
  }
  return true;
}

}  // namespace

// How players stand while the game goes on: their margins, what the final scoring would give, what
// the game shows as standings, or what find_lead found.
bool standing(Machine& machine, const Lead& lead, std::span<std::int64_t> out) {
  const Program& p = machine.program();
  if (!p.margins.empty())
    return worth_of_seats(
        machine, p.terminal_unit, p.margins,
        [&](const MarginInfo&, std::int64_t margin) {
          return p.def.terminal.ranking_ascending ? -margin : margin;
        },
        out);
  if (scores(machine, out)) return true;
  if (!p.standings.empty())
    return worth_of_seats(
        machine, p.shown_unit, p.standings,
        [](const StandingInfo& info, std::int64_t score) { return score - info.threshold; }, out);
  if (lead.owner_prop >= 0) count_pieces(machine, lead.owner_prop, out);
  for (std::size_t i = 0; !lead.var.is_none() && i < out.size(); ++i)
    out[i] = machine.memory().pvar(i, lead.var);
  return lead.owner_prop >= 0 || !lead.var.is_none();
}

}  // namespace parlor::kernel
