#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "cli/opening.h"
#include "cli/request.h"
#include "game/streams.h"
#include "game/thinker.h"
#include "play/agent.h"

namespace parlor::cli {
namespace {

constexpr std::string_view help_text =
    "  a number or text   choose that option: 3, the words next to it, or their end\n"
    "  options            list all options again\n"
    "  board              show the state again\n"
    "  why ACTION         say why something is not legal now\n"
    "  undo               take back your last move and everything after it\n"
    "  help               show this\n"
    "  quit               stop\n";

struct PlayOptions {
  std::string seats = "0";      // --as
  std::string bots = "strong";  // --bots
  std::string moves;
};

enum class Answer { chosen, quit, again };

using Bots = std::vector<std::unique_ptr<play::Agent>>;  // one per seat

// One game at the terminal. People sit at the seats in `humans_`, bots at the others.
class Evening {
 public:
  Evening(Context& context, State state, std::set<std::size_t> humans, Bots bots, Seed seed)
      : context_(context),
        state_(std::move(state)),
        humans_(std::move(humans)),
        chance_(chance_stream(seed)),
        bots_(std::move(bots)),
        seed_(seed) {
    wake_bots();
  }

  int run() {
    while (!state_.finished()) {
      state_.list_options(options_);
      if (is_human(state_.decision())) {
        if (!ask_until_chosen()) return exit_fine;
      } else if (const auto done = move_by_itself(); !done) {
        return fail(context_, done.error());
      }
    }
    tell_outcome();
    return exit_fine;
  }

 private:
  bool is_human(const Decision& decision) const {
    return !decision.player.is_none() && humans_.contains(decision.player.index());
  }

  // What the person at the table may see: with several people the one who decides.
  Viewer viewer() const {
    if (humans_.empty()) return Viewer::everything();
    if (humans_.size() == 1) return Viewer::player(PlayerId{*humans_.begin()});
    const Decision decision = state_.decision();
    return is_human(decision) ? Viewer::player(decision.player) : Viewer::everything();
  }

  void wake_bots() {
    for (std::size_t i = 0; i < bots_.size(); ++i)
      bots_[i]->begin(state_, PlayerId{i}, play::derive_seed(seed_, i));
  }

  Applied move_by_itself() {
    const Decision decision = state_.decision();
    const std::size_t pick = decision.player.is_none()
                                 ? draw_option(options_, chance_)
                                 : bots_[decision.player.index()]->choose(state_, options_);
    const std::string text = state_.option_label(options_[pick], viewer());
    const Json chosen = context_.json ? state_.option_json(options_[pick], viewer()) : Json();
    auto done = apply(options_[pick]);
    if (context_.json)
      print_json(context_, {{"chosen", chosen},
                            {"decider", decision.player.is_none() ? Json("chance")
                                                                  : Json(decision.player.value)},
                            {"text", text}});
    else
      tell_choice(decision, text);
    tell_shown();
    return done;
  }

  // A whole move of somebody else stands on one line, with everything chosen on the way.
  void tell_choice(const Decision& decision, const std::string& text) {
    const std::string who = seat_name(state_.game(), decision.player);
    if (who != telling_) context_.out << (telling_.empty() ? "" : "\n") << who << ':';
    context_.out << ' ' << text;
    telling_ = who;
    const Decision next = state_.decision();
    const bool goes_on = next.kind != DecisionKind::finished && !next.starts_move &&
                         seat_name(state_.game(), next.player) == who;
    if (goes_on) {
      context_.out << ',';
      return;
    }
    context_.out << '\n';
    telling_.clear();
  }

  // Everybody at the table learns what was chosen.
  Applied apply(Option option) {
    auto done = state_.apply(option, &shown_);
    if (!done) shown_.zones.clear();  // it did not happen
    if (done)
      for (auto& bot : bots_) bot->observe(option, state_);
    return done;
  }

  // What was shown to all people at the table on the way to this decision, and may be hidden again.
  struct Shown : EventListener {
    std::vector<Json> zones;
    void on_event(const Event& event) override {
      if (event.kind == "revealed") zones.push_back(event.data);
    }
  };
  void tell_shown() {
    for (const Json& shown : std::exchange(shown_.zones, {})) {
      const Json& to = shown["to"];
      const bool ours = std::ranges::all_of(humans_, [&](std::size_t human) {
        return std::ranges::find(to, Json(human)) != to.end();
      });
      if (!ours || context_.json || shown["tokens"].empty()) continue;
      context_.out << state_.value_label(shown["zone"]) << ':';
      for (const Json& token : shown["tokens"]) context_.out << ' ' << state_.value_label(token);
      context_.out << '\n';
    }
  }

  // False when the person leaves.
  bool ask_until_chosen() {
    show_board();
    show_options();
    while (true) {
      if (!context_.json) {
        const std::string asked = state_.question();
        context_.out << seat_name(state_.game(), state_.decision().player)
                     << (asked.empty() ? "" : ", " + asked + "?") << "> " << std::flush;
      }
      std::string line;
      if (!std::getline(context_.in, line)) {
        if (!context_.json) context_.out << "\nGoodbye. The game was not finished.\n";
        return false;
      }
      switch (answer(trimmed(line))) {
        case Answer::chosen:
          return true;
        case Answer::quit:
          return false;
        case Answer::again:
          break;
      }
    }
  }

  Answer answer(const std::string& line) {
    if (line.empty()) return Answer::again;
    if (line == "quit" || line == "exit" || line == "q") {
      if (!context_.json) context_.out << "Goodbye.\n";
      return Answer::quit;
    }
    if (line == "help" || line == "?")
      context_.out << help_text;
    else if (line == "board" || line == "b")
      show_board();
    else if (line == "options" || line == "o")
      show_options(true);
    else if (line == "undo" || line == "u")
      return undo();
    else if (line.starts_with("why "))
      tell_why(line.substr(4));
    else
      return choose(line);
    return Answer::again;
  }

  // The option a line means: as in scripts; or the words on the screen, where options that look
  // alike are as good as each other; or the end of those words, if only one option ends so.
  std::optional<Option> find_meant(const std::string& line) const {
    if (const auto option = find_option(state_, request_of(state_, line))) return *option;
    std::map<std::string, Option> ending;
    for (const Option option : options_) {
      const std::string shown = state_.option_label(option);
      if (shown == line) return option;
      if (shown.ends_with(' ' + line) || state_.option_text(option).ends_with(' ' + line))
        ending.emplace(shown, option);
    }
    if (ending.size() == 1) return ending.begin()->second;
    return std::nullopt;
  }

  Answer choose(const std::string& line) {
    const auto option = find_meant(line);
    if (!option) {
      tell_why(line);
      return Answer::again;
    }
    State before = state_;
    if (const auto done = apply(*option); !done) {
      say(reason_text(done.error()));
      return Answer::again;
    }
    history_.push_back(std::move(before));
    tell_shown();
    return Answer::chosen;
  }

  Answer undo() {
    if (history_.empty()) {
      say("There is nothing to take back.\n");
      return Answer::again;
    }
    // Back to where the person's last whole move began, not into its middle.
    do {
      state_ = history_.back();
      history_.pop_back();
    } while (!history_.empty() && !state_.decision().starts_move);
    wake_bots();
    return Answer::chosen;
  }

  void tell_why(const std::string& text) {
    const Json request = request_of(state_, text);
    const auto reason = state_.why_not(request);
    if (!reason)
      say(fmt::format("{} is legal now.\n", text));
    else
      say(fmt::format("Not possible: {}", reason_text(*reason)));
  }

  void say(const std::string& text) {
    if (context_.json)
      print_json(context_, {{"message", text}});
    else
      context_.out << text;
  }

  void show_board() {
    if (context_.json) return;
    context_.out << '\n' << state_.describe(viewer());
  }

  void show_options(bool all = false) {
    if (context_.json) {
      print_json(context_, {{"decision", decision_to_json(state_)},
                            {"hash", hash_hex(state_.hash())},
                            {"seed", seed_}});
      return;
    }
    constexpr std::size_t most = 40, columns_wide = 78;
    struct Cell {
      std::size_t index, alike;
      std::string text;
    };
    std::vector<Cell> cells;
    std::map<std::string, std::size_t> seen;  // those that look alike are shown once
    for (std::size_t i = 0; i < options_.size(); ++i) {
      const std::string text = state_.option_label(options_[i]);
      const auto [at, fresh] = seen.emplace(text, cells.size());
      if (fresh) cells.push_back({i, 0, text});
      ++cells[at->second].alike;
    }
    const std::size_t shown = all ? cells.size() : std::min(cells.size(), most);
    std::size_t widest = 0, left = columns_wide;
    for (std::size_t i = 0; i < shown; ++i) {
      Cell& cell = cells[i];
      cell.text = fmt::format("{:>3} {}", cell.index, cell.text);
      if (cell.alike > 1) cell.text += fmt::format(" (×{})", cell.alike);
      widest = std::max(widest, width_of(cell.text) + 2);
    }
    for (std::size_t i = 0; i < shown; ++i) {
      const bool ends = left < 2 * widest || i + 1 == shown;
      context_.out << cells[i].text
                   << (ends ? "\n" : std::string(widest - width_of(cells[i].text), ' '));
      left = ends ? columns_wide : left - widest;
    }
    if (shown < cells.size())
      context_.out << fmt::format("… {} more; `options` lists all\n", cells.size() - shown);
  }

  static std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
  }

  void tell_outcome() {
    const Outcome outcome = state_.outcome();
    if (context_.json) {
      print_json(context_, {{"outcome", to_json(outcome)}, {"hash", hash_hex(state_.hash())}});
      return;
    }
    context_.out << '\n' << state_.describe(Viewer::everything()) << "\nThe game is over";
    if (!outcome.reason.empty()) context_.out << " (" << outcome.reason << ')';
    std::string winners;
    for (const PlayerId winner : outcome.winners)
      winners += (winners.empty() ? "" : ", ") + seat_name(state_.game(), winner);
    const bool shared =
        outcome.winners.size() == state_.game().info().players && outcome.winners.size() > 1;
    if (winners.empty() || shared)
      context_.out << ": nobody wins alone.\n";
    else
      context_.out << fmt::format(": {} win{}.\n", winners, outcome.winners.size() == 1 ? "s" : "");
    for (std::size_t i = 0; i < outcome.returns.size(); ++i)
      context_.out << fmt::format("  {:<12} {:+}\n", seat_name(state_.game(), PlayerId{i}),
                                  outcome.returns[i]);
  }

  static std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  }

  Context& context_;
  State state_;
  std::set<std::size_t> humans_;
  Rng chance_;
  Bots bots_;
  Seed seed_;
  OptionList options_;
  Shown shown_;
  std::vector<State> history_;  // before each choice of a person
  std::string telling_;         // whose move is on the line that is not finished
};

// --as: seats by number or name, comma-separated; "all" or "none".
tl::expected<std::set<std::size_t>, int> human_seats(Context& context, const Game& game,
                                                     const std::string& text) {
  const GameInfo& info = game.info();
  std::set<std::size_t> humans;
  if (text == "none") return humans;
  std::vector<std::string> names = info.seats;
  for (std::size_t i = 0; i < info.players; ++i) names.push_back(std::to_string(i));
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, comma - begin);
    begin = comma + 1;
    if (word == "all") {
      for (std::size_t i = 0; i < info.players; ++i) humans.insert(i);
      continue;
    }
    const auto found = std::ranges::find(names, word);
    if (found == names.end())
      return tl::unexpected(fail_usage(context, fmt::format("--as: there is no seat `{}`", word),
                                       did_you_mean(word, names)));
    const auto index = static_cast<std::size_t>(found - names.begin());
    humans.insert(index < info.seats.size() ? index : index - info.seats.size());
  }
  return humans;
}

// --bots: agents as in `parlor sim`, or "strong": the best kind that fits the game and answers
// soon.
tl::expected<Bots, int> make_bots(Context& context, const Game& game, const std::string& text) {
  std::vector<std::string> texts = play::split_agents(text);
  if (text == "strong") {
    texts = {"random"};
    for (const char* kind : {"mcts:iters=400,depth=300", "ismcts:iters=400,depth=300"})
      if (play::find_agent(kind, game)) texts = {kind};
    // A game that knows how it is played well.
    if (game.thinker(1) != nullptr) texts = {"alphabeta:depth=60,nodes=30000"};
  }
  auto makers = play::find_agents(texts, game);
  if (!makers) {
    OpenFailure failure;
    failure.diagnostics.add(std::move(makers.error()));
    return tl::unexpected(fail(context, failure));
  }
  Bots bots;
  for (const play::AgentMaker& make : *makers) bots.push_back(make());
  return bots;
}

// Who plays what, and the seed with which the same dice, cards and bots come again.
void greet(Context& context, const Game& game, const std::set<std::size_t>& humans, Seed seed) {
  if (context.json) return;
  const std::string seat = humans.size() == 1 ? seat_name(game, PlayerId{*humans.begin()})
                                              : std::string("several players");
  context.out << fmt::format("{}. {}Seed {}.{}\n", game.info().name,
                             humans.empty() ? "" : fmt::format("You are {}. ", seat), seed,
                             humans.empty() ? "" : " `help` shows what you can type.");
}

// Short enough to be typed again.
Seed new_seed() {
  return std::random_device{}();
}

int run_play(Context& context, const GameChoice& choice, const PlayOptions& options) {
  const auto game = open_game(context, choice);
  if (!game) return game.error();
  const auto humans = human_seats(context, **game, options.seats);
  if (!humans) return humans.error();
  auto bots = make_bots(context, **game, options.bots);
  if (!bots) return bots.error();
  auto state = start_game(context, **game, choice.seed);
  if (!state) return state.error();
  const auto moves = read_moves(context, options.moves);
  if (!moves) return moves.error();
  if (const auto done = apply_moves(context, *state, *moves); !done) return done.error();
  greet(context, **game, *humans, choice.seed);
  return Evening{context, std::move(*state), *humans, std::move(*bots), choice.seed}.run();
}

}  // namespace

CommandSpec play_command() {
  return {.name = "play",
          .summary = "Play a game at the terminal, against bots or with friends at one keyboard",
          .example = "parlor play tic-tac-toe --as 0",
          .declare = [](CLI::App& app) -> Run {
            auto choice = add_game_options(app);
            auto options = std::make_shared<PlayOptions>();
            app.add_option("--as", options->seats,
                           "your seat: number, name, a comma list, all or none")
                ->capture_default_str();
            app.add_option("--bots", options->bots,
                           "agents for the other seats, as in `parlor sim --agents`")
                ->capture_default_str();
            app.add_option("--moves", options->moves, "JSON list of moves to make first");
            // Unlike simulations, an evening at the table is a new one every time (T-03).
            CLI::Option* seed = app.get_option("--seed");
            seed->description("seed of everything random (default: a new one, which is printed)");
            return [=](Context& context) {
              if (seed->count() == 0) choice->seed = new_seed();
              return run_play(context, *choice, *options);
            };
          },
          .json_help = "one JSON line per decision and message; answers are read as lines"};
}

}  // namespace parlor::cli
