#include <CLI/App.hpp>
#include <algorithm>
#include <fmt/core.h>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "cli/choosing.h"
#include "cli/opening.h"
#include "cli/prompt.h"
#include "cli/request.h"
#include "cli/sessions.h"
#include "cli/sitting.h"
#include "cli/told.h"
#include "game/switches_rules.h"
#include "play/agent.h"
#include "rules/rules.h"

namespace parlor::cli {
namespace {

constexpr std::string_view help_text =
    "  #3, or the words   choose that option; a part of the words will do if only one has it.\n"
    "                     3 alone is #3, unless options have numbers in them: then it is that\n"
    "  options            list all options again\n"
    "  board              show the state again\n"
    "  hint               what a bot would do\n"
    "  why ACTION         say why something is not legal now\n"
    "  undo [N]           take back your last move, or your last N, and everything after\n"
    "  log                what has happened so far\n"
    "  save FILE          keep the game in a file from now on; `parlor play --resume FILE` goes "
    "on\n"
    "  resume FILE        leave this game and go on with the one in the file\n"
    "  resign             give up\n"
    "  rules              say which house rules are in force\n"
    "  rules add RULE     put another in force from here on (rules drop RULE: no longer)\n"
    "  help               show this\n"
    "  quit               stop\n";

enum class Answer { chosen, quit, again, leave };

// One game at the terminal. People sit at the seats in `humans_`, bots at the others.
class Evening {
 public:
  Evening(Context& context, Sitting& sitting, std::set<std::size_t> humans, Bots bots)
      : context_(context),
        sitting_(sitting),
        session_(*sitting.session),
        prompt_(context),
        telling_of_(context, session_.game()),
        choosing_(context, [this](const std::string& text) { say(text); }),
        state_(session_.state()),
        humans_(std::move(humans)),
        bots_(std::move(bots)) {
    telling_of_.listen_as(listener());
    wake_bots();
  }
  // A file to go on with, when the person asked for another game.
  const std::string& wanted_file() const { return wanted_file_; }

  int run() {
    while (!session_.over()) {
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

  // What the person at the table may see: with several people the one who decides, and what all may
  // see while nobody does.
  Viewer viewer() const {
    if (humans_.size() == 1) return Viewer::player(PlayerId{*humans_.begin()});
    const Decision decision = state_.decision();
    return is_human(decision) ? Viewer::player(decision.player) : Viewer::observer();
  }
  // What is said aloud: with several people, or none, what everybody may know.
  Viewer listener() const {
    return humans_.size() == 1 ? Viewer::player(PlayerId{*humans_.begin()}) : Viewer::observer();
  }

  void wake_bots() {
    for (std::size_t i = 0; i < bots_.size(); ++i)
      bots_[i]->begin(state_, PlayerId{i}, play::derive_seed(session_.config().seed, i));
  }

  Applied move_by_itself() {
    const PlayerId player = state_.decision().player;
    return apply(options_[thought(player)], Telling::all);
  }

  // What the bot of this seat would choose. Who waits at a terminal sees that it thinks.
  std::size_t thought(PlayerId player) {
    const bool seen = context_.interactive && !context_.json && telling_.empty();
    if (seen) context_.out << seat_name(state_.game(), player) << " thinks …" << std::flush;
    const std::size_t pick = bots_[player.index()]->choose(state_, options_);
    if (seen) context_.out << "\r\033[K" << std::flush;
    return pick;
  }

  // A whole move of somebody else stands on one line, with everything chosen on the way.
  void tell_choice(const Decision& decision, const Json& chosen, const std::string& text,
                   bool hidden) {
    if (context_.json) {
      const Json decider = decision.player.is_none() ? Json("chance") : Json(decision.player.value);
      print_json(context_, {{"chosen", chosen}, {"decider", decider}, {"text", text}});
      context_.out.flush();  // whoever reads a pipe follows the game, too
      return;
    }
    const std::string who = seat_name(state_.game(), decision.player);
    // What is hidden is hidden once, however many things are handed in.
    const bool again = who == telling_ && text == told_ && hidden;
    if (who != telling_) context_.out << (telling_.empty() ? "" : "\n") << who << ':';
    if (!again && !text.empty()) context_.out << (who == telling_ ? ", " : " ") << text;
    telling_ = who;
    told_ = text;
    const Decision next = state_.decision();
    const bool goes_on = next.kind != DecisionKind::finished && !next.starts_move &&
                         seat_name(state_.game(), next.player) == who;
    if (goes_on) return;
    context_.out << std::endl;
    telling_.clear();
  }

  // Whether the choice itself is told too, or only what chance made of it.
  enum class Telling { all, chance };

  // The session decides, and draws what chance has to; then everybody at the table learns it.
  Applied apply(Option option, Telling telling) {
    const auto index = std::ranges::find(options_, option) - options_.begin();
    if (auto done = send(table::Deed::act, Json{{"index", index}}); !done) return done;
    std::string& kept = in_words_[session_.revision()];
    for (const Option applied : session_.log().back().options) {
      const State before = state_;
      const Decision decision = before.decision();
      const bool told = telling == Telling::all || decision.player.is_none();
      if (auto done = state_.apply(applied, &telling_of_); !done) return done;
      const auto [words, hidden] =
          state_.game().choice_told(before.block(), applied, state_.block(), listener());
      const std::string text = told ? words : "";
      if (!words.empty()) kept += (kept.empty() ? "" : ", ") + words;
      const Json chosen = told && context_.json && (!text.empty() || !hidden)
                              ? before.option_json(applied, listener())
                              : Json(nullptr);
      telling_of_.name(before, state_);
      for (auto& bot : bots_) bot->observe(applied, state_);
      if (told) tell_choice(decision, chosen, text, hidden);
      if (telling_.empty()) telling_of_.tell();
    }
    state_ = session_.state();
    return {};
  }

  Applied send(table::Deed deed, Json content) {
    const auto answer =
        sitting_.table->act(session_, {.session = session_.config().id,
                                       .action_id = std::to_string(session_.revision() + 1),
                                       .actor = state_.decision().player,
                                       .deed = deed,
                                       .content = std::move(content)});
    if (answer) return {};
    Rejection refused = answer.error();
    if (refused.code == code_name(Code::REVISION_CONFLICT))
      refused.message += "; `quit` and take the game up again with --resume";
    return tl::unexpected(std::move(refused));
  }

  // False when the person leaves.
  bool ask_until_chosen() {
    const Decision decision = state_.decision();
    const std::string asked = state_.question(viewer());
    choosing_.offer(state_, options_, viewer(), asked);
    show_board();
    show_options();
    while (true) {
      const std::string seat = seat_name(state_.game(), decision.player);
      const auto line =
          prompt_.ask(seat + (asked.empty() ? "" : ", " + asked + "?") + "> ", completions());
      if (!line) {
        if (!context_.json) context_.out << '\n' << goodbye(" The game was not finished.");
        return false;
      }
      switch (answer(*line)) {
        case Answer::chosen:
          return true;
        case Answer::quit:
        case Answer::leave:
          return false;
        case Answer::again:
          break;
      }
    }
  }

  std::vector<std::string> completions() const {
    std::vector<std::string> out = choosing_.words();
    for (const char* word : {"options", "board", "hint", "why ", "undo", "log", "save ", "resume ",
                             "resign", "rules", "help", "quit"})
      out.emplace_back(word);
    return out;
  }

  Answer answer(const std::string& line) {
    if (line.empty()) return Answer::again;
    if (line == "quit" || line == "exit" || line == "q") {
      if (!context_.json) context_.out << goodbye();
      return Answer::quit;
    }
    // A game's own words come first (T-38); the letters are always ours.
    const bool ours = !is_option(line);
    if (line == "help" || line == "?")
      context_.out << help_text;
    else if ((line == "board" && ours) || line == "b")
      show_board();
    else if ((line == "options" && ours) || line == "o")
      show_options(true);
    else if (ours && (line == "undo" || line.starts_with("undo ")))
      return undo(line.substr(4));
    else if (line == "u")
      return undo("");
    else if (line == "hint" && ours)
      hint();
    else if (line == "log" && ours)
      tell_log();
    else if (ours && (line == "save" || line.starts_with("save ")))
      save(trimmed(line.substr(4)));
    else if (ours && (line == "resume" || line.starts_with("resume ")))
      return resume(trimmed(line.substr(6)));
    else if (line == "resign" && ours)
      return resign();
    else if (ours && (line == "rules" || line.starts_with("rules ")))
      return rules(trimmed(line.substr(5)));
    else if (line.starts_with("why "))
      choosing_.tell_why(line.substr(4));
    else
      return choose(line);
    return Answer::again;
  }

  bool is_option(const std::string& line) const {
    return std::ranges::any_of(options_, [&](Option option) {
      return state_.option_text(option) == line || state_.option_label(option) == line;
    });
  }

  Answer choose(const std::string& line) {
    const std::vector<Option> steps = choosing_.read(line);
    for (const Option step : steps) {
      state_.list_options(options_);
      if (const Applied done = apply(step, Telling::chance); !done) return done_or_said(done);
    }
    return steps.empty() ? Answer::again : Answer::chosen;
  }

  Answer done_or_said(const Applied& done) {
    if (done) return Answer::chosen;
    say(reason_text(state_, done.error(), viewer()));
    return Answer::again;
  }

  // Back to where one of a person's last whole moves began, as many as they say.
  Answer undo(const std::string& how_many) {
    const std::string text = trimmed(how_many);
    if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 4) {
      say("Write `undo` or `undo N`, N being how many of your moves.\n");
      return Answer::again;
    }
    if (text.empty() && choosing_.put_back()) return Answer::again;
    int moves = text.empty() ? 1 : std::stoi(text);
    Answer answer = Answer::again;
    for (; moves > 0; --moves) {
      const Answer one = undo_one(answer == Answer::again);
      if (one != Answer::chosen) break;
      answer = one;
    }
    return answer;
  }

  // At one's own table everybody agrees to that.
  Answer undo_one(bool first) {
    std::optional<std::uint64_t> to;
    for (const std::size_t human : humans_)
      to = std::max(to, session_.before_last_move_of(PlayerId{human}));
    if (!to) {
      if (first) say("There is nothing to take back.\n");
      return Answer::again;
    }
    Json everybody = Json::array();
    for (std::size_t i = 0; i < state_.game().info().players; ++i) everybody.push_back(i);
    const auto done = send(table::Deed::undo, Json{{"to", *to}, {"agreed", everybody}});
    if (done) {
      state_ = session_.state();
      wake_bots();
    }
    return done_or_said(done);
  }

  void hint() {
    const std::size_t pick = thought(state_.decision().player);
    say(fmt::format("A bot would choose: {}\n", choosing_.advice(options_[pick])));
  }

  void tell_log() {
    const auto entries = session_.in_force();
    if (context_.json) {
      Json out = Json::array();
      for (const table::LogEntry* entry : entries)
        out.push_back(session_.entry_for(*entry, listener()));
      return print_json(context_, {{"log", out}});
    }
    if (entries.empty()) context_.out << "Nothing has happened yet.\n";
    for (const table::LogEntry* entry : entries)
      context_.out << fmt::format(
          "{:>5}  {:<12} {}\n", entry->revision,
          entry->actor.is_none() ? "the table" : seat_name(session_.game(), entry->actor),
          in_words(*entry));
  }

  // What was done as it was told here; what was done before this evening, as logs keep it.
  std::string in_words(const table::LogEntry& entry) const {
    const auto found = in_words_.find(entry.revision);
    return found != in_words_.end() ? found->second : deed_text(session_, entry, listener());
  }

  // The whole session goes into the file, and everything from here on.
  void save(const std::string& file) {
    if (file.empty()) return say("Write `save FILE`.\n");
    auto store = open_store(context_, file, table::Access::create);
    if (!store) return;
    if (const auto kept = (*store)->create(session_.record()); !kept)
      return say(reason_text(state_, kept.error(), viewer()));
    sitting_.file = file;
    sitting_.table.reset();
    sitting_.store = std::move(*store);
    sitting_.table =
        std::make_unique<table::Table>(context_.catalog, *sitting_.store, system_clock());
    say(fmt::format("Kept in {0} from now on; `parlor play --resume {0}` goes on with it.\n",
                    file));
  }

  Answer resume(const std::string& file) {
    if (file.empty()) {
      say("Write `resume FILE`.\n");
      return Answer::again;
    }
    if (!table::sqlite_store(file, table::Access::read)) {
      say(fmt::format("There is no game kept in {}.\n", file));
      return Answer::again;
    }
    wanted_file_ = file;
    return Answer::leave;
  }

  Answer resign() { return done_or_said(send(table::Deed::resign, Json::object())); }

  // `rules`, `rules add RULE`, `rules drop RULE`: at one's own table everybody agrees to that.
  Answer rules(const std::string& order) {
    const SwitchesRules* game = switches_rules(state_.game());
    std::vector<std::string> set =
        game != nullptr ? game->rules_in_force(state_.block()) : state_.game().info().rules;
    const auto space = order.find(' ');
    const std::string verb = order.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : trimmed(order.substr(space));
    if (verb == "add" && !rest.empty()) {
      for (std::string& rule : rules::split_rules(rest)) set.push_back(std::move(rule));
    } else if (verb == "drop" && !rest.empty()) {
      const auto is_it = [&](const std::string& rule) {
        return rule == rest || rule.substr(0, rule.find_first_of("{:@")) == rest;
      };
      if (std::erase_if(set, is_it) == 0) {
        say(fmt::format("{} is not in force.\n", rest));
        return Answer::again;
      }
    } else {
      if (!order.empty()) say("Write `rules`, `rules add RULE` or `rules drop RULE`.\n");
      tell_rules();
      return Answer::again;
    }
    Json everybody = Json::array();
    for (std::size_t i = 0; i < state_.game().info().players; ++i) everybody.push_back(i);
    const auto done = send(table::Deed::rules, Json{{"rules", set}, {"agreed", everybody}});
    if (done) {
      state_ = session_.state();
      wake_bots();
      tell_rules();
    }
    return done_or_said(done);
  }

  void tell_rules() {
    const SwitchesRules* game = switches_rules(state_.game());
    const std::vector<std::string> set =
        game != nullptr ? game->rules_in_force(state_.block()) : state_.game().info().rules;
    if (context_.json) return print_json(context_, {{"rules", set}});
    context_.out << (set.empty() ? "No house rules are in force." : "In force:");
    for (const std::string& rule : set) context_.out << ' ' << rule;
    context_.out << '\n';
  }

  std::string goodbye(std::string_view unkept = "") const {
    if (sitting_.file.empty()) return fmt::format("Goodbye.{}\n", unkept);
    return fmt::format("Goodbye. `parlor play --resume {}` goes on with the game.\n",
                       sitting_.file);
  }

  void say(const std::string& text) {
    if (context_.json)
      print_json(context_, {{"message", text}});
    else
      context_.out << text;
  }

  void show_board() {
    if (context_.json) return;
    context_.out << '\n' << telling_of_.painted(state_.describe(viewer()));
  }

  void show_options(bool all = false) {
    if (context_.json) {
      print_json(context_, with_hash({{"decision", decision_to_json(state_, viewer())},
                                      {"seed", session_.config().seed}}));
      return;
    }
    choosing_.show(all);
  }

  // The hash of the view, and that of the state only where it tells nothing more.
  Json with_hash(Json line) const {
    line["viewHash"] = hash_hex(state_.view_hash(viewer()));
    if (!state_.game().info().hidden_information) line["hash"] = hash_hex(state_.hash());
    return line;
  }

  void tell_outcome() {
    const table::Ending ending = *session_.ending();
    const Outcome& outcome = ending.outcome;
    if (context_.json) {
      print_json(context_, with_hash({{"outcome", table::to_json(ending)}}));
      return;
    }
    context_.out << '\n' << telling_of_.painted(state_.describe(viewer())) << "\nThe game is over";
    std::string reason = state_.value_label(Json(outcome.reason), viewer());
    if (reason == outcome.reason) std::ranges::replace(reason, '-', ' ');
    if (!reason.empty()) context_.out << " (" << reason << ')';
    std::string winners;
    for (std::size_t i = 0; i < outcome.winners.size(); ++i)
      winners += (i == 0                            ? ""
                  : i + 1 == outcome.winners.size() ? " and "
                                                    : ", ") +
                 seat_name(state_.game(), outcome.winners[i]);
    const bool shared =
        outcome.winners.size() == state_.game().info().players && outcome.winners.size() > 1;
    const bool even = std::ranges::all_of(outcome.returns, [](auto points) { return points == 0; });
    if (winners.empty() || shared)
      context_.out << (winners.empty() && !even ? ": nobody wins.\n" : ": a draw.\n");
    else
      context_.out << fmt::format(": {} win{}.\n", winners, outcome.winners.size() == 1 ? "s" : "");
    // Those with a place in its order.
    std::vector<std::size_t> seats(outcome.returns.size());
    std::iota(seats.begin(), seats.end(), std::size_t{0});
    if (!outcome.places.empty())
      std::ranges::stable_sort(seats, {}, [&](std::size_t i) { return outcome.places[i]; });
    for (const std::size_t i : seats)
      context_.out << fmt::format(
          "  {}{:<12} {:+}\n", outcome.places.empty() ? "" : fmt::format("{}. ", outcome.places[i]),
          seat_name(state_.game(), PlayerId{i}), outcome.returns[i]);
  }

  Context& context_;
  Sitting& sitting_;
  table::Session& session_;
  Prompt prompt_;
  Told telling_of_;
  Choosing choosing_;
  std::string wanted_file_;                        // `resume`
  std::map<std::uint64_t, std::string> in_words_;  // by revision: what was chosen, as it was told
  State state_;  // the session's, or on the way to it while a move is told
  std::set<std::size_t> humans_;
  Bots bots_;
  OptionList options_;
  std::string telling_;  // whose move is on the line that is not finished
  std::string told_;     // what stands on it last
};

// Who plays what, and the seed with which the same dice, cards and bots come again.
void greet(Context& context, const table::Session& session, const std::set<std::size_t>& humans) {
  if (context.json) return;
  const Game& game = session.game();
  const std::string seat = humans.size() == 1 ? seat_name(game, PlayerId{*humans.begin()})
                                              : std::string("several players");
  context.out << fmt::format("{}. {}Seed {}.{}\n", game.info().name,
                             humans.empty() ? "" : fmt::format("You are {}. ", seat),
                             session.config().seed,
                             humans.empty() ? "" : " `help` shows what you can type.");
  if (session.revision() > 0)
    context.out << fmt::format("Taken up after {} actions, {}.\n", session.in_force().size(),
                               time_text(session.updated()));
}

int run_play(Context& context, const GameChoice& choice, PlayOptions options) {
  const bool resumed = !options.resume.empty();
  if (resumed && (!choice.game.empty() || says_how_to_open(choice) || choice.seed_given ||
                  !options.save.empty() || !options.load.empty() || !options.moves.empty()))
    return fail_usage(context,
                      "--resume takes up a game as it is: only --id, --migrate, --as and --bots "
                      "go with it");
  if (options.migrate && !resumed) return fail_usage(context, "--migrate goes with --resume");
  if (!options.id.empty() && !resumed && options.save.empty())
    return fail_usage(context, "--id goes with --save or --resume");
  auto sitting = resumed ? resume_sitting(context, options, choice.include)
                         : begin_sitting(context, choice, options);
  if (!sitting) return sitting.error();
  const table::Session& session = *sitting->session;
  recall_seats(session, options);
  const auto seats = read_seats(context, session.game(), "--as", options.seats);
  if (!seats) return seats.error();
  std::set<std::size_t> humans;
  for (const PlayerId seat : *seats) humans.insert(seat.index());
  auto bots = make_bots(context, session.game(), options.bots);
  if (!bots) return bots.error();
  greet(context, session, humans);
  Evening evening{context, *sitting, humans, std::move(*bots)};
  const int code = evening.run();
  if (evening.wanted_file().empty()) return code;
  PlayOptions other;
  other.resume = evening.wanted_file();
  return run_play(context, GameChoice{}, other);
}

// A sitting opens its game by itself, also when it is taken up again: with --native from a catalog
// that compiles what it opens.
int run_play_natively(Context& context, GameChoice choice, const PlayOptions& options) {
  const bool native = native_of(choice.native) == Native::yes;
  choice.native = "no";
  if (!native) return run_play(context, choice, options);
  const Catalog catalog = native_catalog(context);
  Context inner{.catalog = catalog,
                .in = context.in,
                .out = context.out,
                .err = context.err,
                .out_colour = context.out_colour,
                .err_colour = context.err_colour,
                .interactive = context.interactive,
                .json = context.json,
                .command = context.command};
  return run_play(inner, choice, options);
}

}  // namespace

CommandSpec play_command() {
  return {
      .name = "play",
      .summary = "Play a game at the terminal, against bots or with friends at one keyboard",
      .example = "parlor play tic-tac-toe --as 0",
      .declare = [](CLI::App& app) -> Run {
        auto choice = add_game_options(app, GameArgument::optional);
        auto options = std::make_shared<PlayOptions>();
        const auto given = [](bool& flag) { return [&flag](const std::string&) { flag = true; }; };
        app.add_option("--as", options->seats, "your seat: number, name, a comma list, all or none")
            ->capture_default_str()
            ->each(given(options->seats_given));
        app.add_option("--bots", options->bots,
                       "agents for the other seats, as in `parlor sim --agents`")
            ->capture_default_str()
            ->each(given(options->bots_given));
        app.add_option("--moves", options->moves, "JSON list of moves to make first");
        add_load_option(app, options->load);
        app.add_option("--save", options->save, "keep the game in this file, move by move")
            ->type_name("FILE");
        app.add_option("--resume", options->resume, "go on with the last game kept in this file")
            ->type_name("FILE");
        app.add_option("--id", options->id, "which session of the file")->type_name("ID");
        app.add_flag("--migrate", options->migrate,
                     "with --resume: go on by the rules of now if they have changed");
        app.get_option("--seed")->description(
            "seed of everything random (default: a new one, which is printed)");
        add_native_option(app, choice->native);
        return [=](Context& context) { return run_play_natively(context, *choice, *options); };
      },
      .json_help = "one JSON line per decision and message; answers are read as lines"};
}

}  // namespace parlor::cli
