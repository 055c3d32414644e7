#include "play/report.h"

#include <fmt/core.h>

#include "play/plot.h"

namespace parlor::play {
namespace {

constexpr std::string_view style = R"css(
:root{--page:#f6f7f9;--card:#fff;--ink:#1c2430;--quiet:#5d6b7e;--line:#e3e7ee;--accent:#2f6fde;--soft:#d5e2f9;
--bad:#b3261e;--badsoft:#fdecea;--good:#1b7f4d;--goodsoft:#e6f5ec;--s1:#d9730d;--s2:#1b9e77;--s3:#b5348f;--s4:#8a6d00;--s5:#6b57c9}
@media(prefers-color-scheme:dark){:root{--page:#12161c;--card:#1a2029;--ink:#e8edf4;--quiet:#97a4b6;--line:#2b3441;
--accent:#6da2ff;--soft:#28405f;--bad:#ff8a80;--badsoft:#3a2022;--good:#6fd6a0;--goodsoft:#173326;--s1:#ff9f4a;--s2:#4fd1a5;--s3:#f07cc8;--s4:#dcc04b;--s5:#a99bff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main{max-width:1180px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:28px;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:16px;margin:0 0 2px}
.lead{color:var(--quiet);margin:0 0 24px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(165px,1fr));gap:12px;margin:0 0 24px}
.tile,.card,.flag{background:var(--card);border:1px solid var(--line);border-radius:12px}
.tile{padding:14px 16px}
.tile b{display:block;font-size:23px;font-variant-numeric:tabular-nums;letter-spacing:-.01em}
.tile span{color:var(--quiet);font-size:13px}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(440px,1fr));gap:16px}
.card{padding:18px 20px;overflow:hidden}
.card p{color:var(--quiet);margin:0 0 10px;font-size:13px}
.wide{grid-column:1/-1}
.flag{padding:14px 18px;margin:0 0 10px;border-left:5px solid var(--bad);background:var(--badsoft)}
.flag.none{border-left-color:var(--good);background:var(--goodsoft)}
.flag b{color:var(--bad);font-size:13px;letter-spacing:.04em}
.flag.none b{color:var(--good)}
.flag p{margin:2px 0 0}.flag .help{color:var(--quiet);font-size:13px}
details{margin-top:6px;font-size:13px}summary{cursor:pointer;color:var(--quiet)}
pre{overflow:auto;background:var(--page);border-radius:8px;padding:10px;font-size:12px;margin:8px 0 0}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}
th{color:var(--quiet);font-weight:500;text-align:left;font-size:13px}
td,th{padding:6px 10px 6px 0;border-bottom:1px solid var(--line)}
td.n,th.n{text-align:right}
svg{width:100%;height:auto;display:block}
svg text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--quiet)}
svg .name{fill:var(--ink);font-size:13px}svg .value{fill:var(--ink);font-variant-numeric:tabular-nums}
.end{text-anchor:end}.middle{text-anchor:middle}
.grid-line,.grid line{stroke-width:1}
line.grid{stroke:var(--line)}line.axis{stroke:var(--quiet);stroke-width:1}
line.reference{stroke:var(--quiet);stroke-dasharray:4 4}
line.whisker{stroke:var(--accent);stroke-width:3;stroke-linecap:round;opacity:.45}
.fill{fill:var(--accent)}.soft{fill:var(--soft)}.dot{fill:var(--accent);stroke:var(--card);stroke-width:2}
.dot.best{stroke:var(--ink)}
.band{fill:var(--soft);opacity:.8}.curve{fill:none;stroke:var(--accent);stroke-width:2.5;stroke-linejoin:round}
polyline.s1{stroke:var(--s1)}polyline.s2{stroke:var(--s2)}polyline.s3{stroke:var(--s3)}
polyline.s4{stroke:var(--s4)}polyline.s5{stroke:var(--s5)}
.legend{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:13px;margin:0 0 6px}
.legend i{display:inline-block;width:14px;height:4px;border-radius:2px;margin-right:6px;vertical-align:middle;background:var(--accent)}
.legend i.s1{background:var(--s1)}.legend i.s2{background:var(--s2)}.legend i.s3{background:var(--s3)}
.legend i.s4{background:var(--s4)}.legend i.s5{background:var(--s5)}
.hover{fill:transparent}.hover:hover{fill:var(--accent)}
.empty{font-style:italic}
footer{color:var(--quiet);font-size:13px;margin-top:28px}
@media print{body{background:#fff}.card,.flag,.tile{break-inside:avoid}}
)css";

std::string tile(std::string_view value, std::string_view label, std::string_view tip) {
  return fmt::format("<div class=\"tile\" title=\"{}\"><b>{}</b><span>{}</span></div>",
                     escape_html(tip), escape_html(value), escape_html(label));
}

std::string card(std::string_view title, std::string_view caption, std::string_view content,
                 std::string_view kind = "") {
  return fmt::format("<section class=\"card {}\"><h2>{}</h2><p>{}</p>{}</section>", kind,
                     escape_html(title), escape_html(caption), content);
}

std::string flags_part(const Evaluation& evaluation) {
  if (evaluation.flags.empty())
    return "<div class=\"flag none\"><b>NO FLAGS</b><p>Nothing suspicious was found.</p></div>";
  std::string out;
  for (const Flag& flag : evaluation.flags)
    out += fmt::format(
        "<div class=\"flag\"><b>{}</b><p>{}</p><p "
        "class=\"help\">{}</p><details><summary>Evidence</summary>"
        "<pre>{}</pre></details></div>",
        code_name(flag.code), escape_html(flag.message), escape_html(code_help(flag.code)),
        escape_html(canonical_pretty(flag.evidence)));
  return out;
}

std::string interval_text(const Interval& interval, fmt::format_string<double&> form) {
  double low = interval.low, high = interval.high;
  return fmt::format("95% interval {} to {}", fmt::format(form, low), fmt::format(form, high));
}

std::string tiles_part(const Evaluation& evaluation) {
  const Metrics& metrics = evaluation.metrics;
  std::string out = "<div class=\"tiles\">";
  // A number, and how far it can be trusted.
  const auto number = [&](double value, const char* name, std::string_view label,
                          std::string_view tip) {
    out += tile(fmt::format("{:.1f}", value), label,
                fmt::format("{}; {}", tip, interval_text(metrics.intervals.at(name), "{:.1f}")));
  };
  const auto share = [&](double value, const char* name, std::string_view label,
                         std::string_view tip) {
    const Interval& interval = metrics.intervals.at(name);
    out += tile(percent(value), label,
                fmt::format("{}; 95% interval {} to {}", tip, percent(interval.low),
                            percent(interval.high)));
  };
  number(metrics.length.mean, "length", "decisions in a game",
         "mean over the finished games of the main agents");
  number(metrics.branching.mean, "branching", "options per decision", "mean");
  share(metrics.decisive, "decisive", "games with one winner", "of the finished games");
  share(metrics.draws, "draws", "draws", "nobody, or everybody, wins");
  number(metrics.lead_changes, "leadChanges", "lead changes per game", "drama");
  share(metrics.comebacks, "comebacks", "comebacks",
        "the winner was behind after half of the game");
  share(metrics.decided_at, "decidedAt", "of the game until it is decided",
        "after this share the later winner stays ahead");
  const Evenness even = evenness(evaluation);
  out += tile(fmt::format("{:.2f}", even.value), fmt::format("evenness of {}", even.of),
              fmt::format("normalised entropy: 1 all equally often, 0 only one; {}",
                          interval_text(even.interval, "{:.2f}")));
  share(metrics.turnover, "interaction", "options change between turns",
        "a measure of interaction");
  share(metrics.distinct_games, "distinctGames", "games unlike all others",
        "distinct sequences of choices");
  if (!evaluation.skill.empty())
    out += tile(percent(evaluation.skill.front().tally.score()), "score against random play",
                "skill matters");
  share(metrics.finished, "finished", "games finished", "within the limit of decisions");
  return out + "</div>";
}

std::vector<double> lengths(const Study& study) {
  std::vector<double> out;
  for (const GameSample& game : study.games)
    if (game.finished) out.push_back(game.decisions);
  return out;
}

std::string seat_label(const Evaluation& evaluation, std::size_t seat) {
  const std::vector<std::string>& names = evaluation.info.seats;
  const bool named =
      names.size() > seat && names[seat].find_first_not_of("0123456789") != std::string::npos;
  return named ? names[seat] : fmt::format("player {}", seat);
}

std::string seats_plot(const Evaluation& evaluation) {
  std::vector<IntervalRow> rows;
  const Metrics& metrics = evaluation.metrics;
  for (std::size_t i = 0; i < metrics.seat_scores.size(); ++i)
    rows.push_back({seat_label(evaluation, i), metrics.seat_scores[i],
                    metrics.seat_intervals[i].low, metrics.seat_intervals[i].high,
                    fmt::format("{} games", evaluation.main.result.seats[i].games)});
  return interval_plot(rows, 1.0 / static_cast<double>(std::max<std::size_t>(rows.size(), 1)),
                       "fair share");
}

std::string skill_plot(const Evaluation& evaluation) {
  std::vector<IntervalRow> rows;
  for (const SkillRow& row : evaluation.skill)
    rows.push_back({fmt::format("against {}", row.weaker), row.tally.score(), row.interval.low,
                    row.interval.high, fmt::format("{} games", row.tally.games)});
  for (const Specialist& row : evaluation.specialists)
    rows.push_back({fmt::format("only “{}”", row.action), row.tally.score(), row.interval.low,
                    row.interval.high, "always this action when possible, against random play"});
  if (rows.empty()) return "<p class=\"empty\">Not measured.</p>";
  return interval_plot(rows, 1.0 / static_cast<double>(evaluation.info.players), "fair share");
}

std::string usage_plot(const UsageTable& table, std::size_t most) {
  std::vector<BarRow> rows;
  for (const auto& [name, usage] : table)
    rows.push_back(
        {name, static_cast<double>(usage.chosen), static_cast<double>(usage.offered),
         fmt::format("chosen {} of {} times it was possible", usage.chosen, usage.offered)});
  std::ranges::stable_sort(rows,
                           [](const BarRow& a, const BarRow& b) { return a.value > b.value; });
  const std::size_t more = rows.size() > most ? rows.size() - most : 0;
  if (more != 0) rows.resize(most);
  std::string out = bar_plot(rows);
  if (more != 0) out += fmt::format("<p>… and {} more, in the JSON</p>", more);
  return out;
}

// Games won by players who chose something, those farthest from fair first.
std::string wins_plot(const FortuneTable& table, std::size_t players, std::size_t most) {
  std::vector<IntervalRow> rows;
  std::vector<WinRate> rates = win_rates(table, players);
  const std::size_t more = rates.size() > most ? rates.size() - most : 0;
  rates.resize(rates.size() - more);
  for (const WinRate& row : rates)
    rows.push_back({row.name, row.rate, row.interval.low, row.interval.high,
                    fmt::format("{} games of a player", row.fortune.games)});
  if (rows.empty()) return "<p class=\"empty\">Nothing was chosen.</p>";
  std::string out = interval_plot(
      rows, 1.0 / static_cast<double>(std::max<std::size_t>(players, 1)), "fair share");
  if (more != 0) out += fmt::format("<p>… and {} more, in the JSON</p>", more);
  return out;
}

std::vector<double> final_scores(const Study& study) {
  std::vector<double> out;
  for (const GameSample& game : study.games)
    out.insert(out.end(), game.scores.begin(), game.scores.end());
  return out;
}

constexpr std::size_t steps = 20;  // of the course of a game in plots over time

// The mean score of every seat over the course of the games.
std::string score_plot(const Evaluation& evaluation) {
  std::vector<LineSeries> series(evaluation.info.players);
  double games = 0;
  for (const GameSample& game : evaluation.main.games) games += game.moments.size() < 2 ? 0 : 1;
  for (std::size_t seat = 0; seat < series.size(); ++seat) {
    series[seat].name = seat_label(evaluation, seat);
    for (std::size_t step = 0; step <= steps && games > 0; ++step) {
      double sum = 0;
      for (const GameSample& game : evaluation.main.games)
        if (game.moments.size() >= 2)
          sum += game.moments[step * (game.moments.size() - 1) / steps].worth[seat];
      series[seat].points.emplace_back(static_cast<double>(step) / steps, sum / games);
    }
  }
  return line_plot(series, "share of the game", "score");
}

// How far ahead the later winner was, over the course of decisive games.
std::string advantage_plot(const Evaluation& evaluation) {
  std::array<std::vector<double>, steps + 1> at;
  for (const GameSample& game : evaluation.main.games) {
    if (game.winners.size() != 1 || game.moments.size() < 2) continue;
    for (std::size_t step = 0; step <= steps; ++step) {
      const std::size_t index = step * (game.moments.size() - 1) / steps;
      at[step].push_back(game.moments[index].advantage[game.winners[0]]);
    }
  }
  std::vector<BandPoint> points;
  for (std::size_t step = 0; step <= steps; ++step) {
    if (at[step].empty()) continue;
    const Summary summary = summarise(at[step]);
    points.push_back({static_cast<double>(step) / steps, summary.quarter, summary.median,
                      summary.three_quarters});
  }
  return band_plot(points, {.x = "share of the game",
                            .y = "advantage of the later winner",
                            .zero_line = true,
                            .x_percent = true});
}

std::string branching_plot(const Evaluation& evaluation) {
  std::vector<std::vector<double>> at;
  for (const GameSample& game : evaluation.main.games)
    for (std::size_t i = 0; i < game.branching.size(); ++i) {
      if (at.size() <= i) at.emplace_back();
      at[i].push_back(game.branching[i]);
    }
  std::vector<BandPoint> points;
  const std::size_t stride = at.size() / 120 + 1;
  for (std::size_t i = 0; i < at.size(); i += stride) {
    // The few longest games would only draw noise.
    if (at[i].size() * 10 < evaluation.main.games.size()) break;
    const Summary summary = summarise(at[i]);
    points.push_back(
        {static_cast<double>(i + 1), summary.quarter, summary.median, summary.three_quarters});
  }
  return band_plot(points, {.x = "decision number", .y = "options", .whole = true});
}

std::string table_part(const Evaluation& evaluation) {
  std::string out =
      "<table><tr><th></th><th class=\"n\">good play</th><th class=\"n\">random play</th></tr>";
  const Metrics& good = evaluation.metrics;
  const Metrics& random = evaluation.random_metrics;
  const auto row = [&out](std::string_view name, const std::string& a, const std::string& b) {
    out += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>", name,
                       a, b);
  };
  const auto range = [](const Summary& s) {
    return fmt::format("{:.1f} ({} to {})", s.mean, tidy_number(s.least), tidy_number(s.most));
  };
  row("games", tidy_number(static_cast<double>(evaluation.main.result.games)),
      tidy_number(static_cast<double>(evaluation.random.result.games)));
  row("length, mean (least to most)", range(good.length), range(random.length));
  row("whole moves, mean (least to most)", range(good.moves), range(random.moves));
  row("options per decision", range(good.branching), range(random.branching));
  row("finished", percent(good.finished), percent(random.finished));
  row("one winner", percent(good.decisive), percent(random.decisive));
  row("draws", percent(good.draws), percent(random.draws));
  for (std::size_t i = 0; i < good.seat_scores.size(); ++i)
    row(fmt::format("score of {}", escape_html(seat_label(evaluation, i))),
        percent(good.seat_scores[i]), percent(random.seat_scores[i]));
  row("different openings", percent(good.distinct_openings), percent(random.distinct_openings));
  return out + "</table>";
}

std::string endings_plot(const Evaluation& evaluation) {
  std::vector<BarRow> rows;
  for (const auto& [reason, count] : evaluation.main.result.outcomes)
    rows.push_back({reason.empty() ? "end" : reason, static_cast<double>(count), 0,
                    fmt::format("{} games", count)});
  return bar_plot(rows);
}

std::string unused_part(const Evaluation& evaluation) {
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < 40; ++i)
      text += fmt::format("{}{}", i != 0 ? ", " : "", escape_html(names[i]));
    if (names.size() > 40) text += fmt::format(" and {} more", names.size() - 40);
    return text.empty() ? std::string("none") : text;
  };
  return fmt::format(
      "<table><tr><td>Actions never possible</td><td>{}</td></tr><tr><td>Actions possible, never "
      "chosen</td><td>{}</td></tr>"
      "<tr><td>Values possible, never chosen</td><td>{}</td></tr><tr><td>Actions chosen nearly "
      "always</td><td>{}</td></tr></table>",
      list(evaluation.unreachable_actions), list(evaluation.unused_actions),
      list(evaluation.unused_values), list(evaluation.dominant_actions));
}

// What is chosen, and who wins by it.
std::string use_cards(const Evaluation& evaluation) {
  std::string body = card("Actions", "How often each is chosen; pale: how often it was possible",
                          usage_plot(evaluation.main.actions, 20));
  if (!evaluation.main.values.empty())
    body += card("Values and cards", "What actions are used on; pale: how often it was possible",
                 usage_plot(evaluation.main.values, 20));
  body += card("Winning by opening", "Share of games won by players who began like this",
               wins_plot(evaluation.main.opening_wins, evaluation.info.players, 12));
  body += card("Winning by action", "Share of games won by players who ever did it",
               wins_plot(evaluation.main.action_wins, evaluation.info.players, 12));
  if (!evaluation.main.values.empty())
    body += card("Winning by card and place",
                 "Share of games won by players who ever chose it: cards, spaces, pieces",
                 wins_plot(evaluation.main.value_wins, evaluation.info.players, 20));
  return body;
}

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{}</style></"
      "head><body><main>{}</main></body></html>\n",
      escape_html(title), style, body);
}

std::string html_report(const Evaluation& evaluation) {
  const GameInfo& info = evaluation.info;
  const std::string name = info.name.empty() ? info.id : info.name;
  std::string body = fmt::format(
      "<h1>{}</h1><p class=\"lead\">{}{} players · {} games by {} · {} random games · seed {}</p>",
      escape_html(name),
      info.description.empty() ? std::string()
                               : fmt::format("{}<br>", escape_html(info.description)),
      info.players, evaluation.main.result.games, escape_html(evaluation.main.agents),
      evaluation.random.result.games, evaluation.seed);
  for (const std::string& guess : guesses(evaluation))
    body += fmt::format("<p class=\"lead\">{}</p>", escape_html(guess));
  body += flags_part(evaluation) + tiles_part(evaluation) + "<div class=\"grid\">";
  body += card("Who wins", "Share of wins by seat when all play equally well, with 95% intervals",
               seats_plot(evaluation));
  body += card("Does skill pay",
               fmt::format("Share of wins of {}, changing seats", evaluation.main.agents),
               skill_plot(evaluation));
  body += card("Length", "Decisions per finished game",
               histogram(lengths(evaluation.main), "decisions"));
  body += card("Scores", "What finished games were worth to players, all seats together",
               histogram(final_scores(evaluation.main), "score"));
  body += card("Options over time",
               "How many options a decision has: middle and middle half of the games",
               branching_plot(evaluation));
  body += card("Score over time",
               evaluation.main.has_standing
                   ? "Mean of every seat over the course of a game, by the game's own measure"
                   : "Mean expected result of every seat over the course of a game, estimated by "
                     "random games",
               score_plot(evaluation));
  body +=
      card("When it is decided",
           evaluation.main.has_standing
               ? "Score of the later winner minus the mean of the others, by the game's own measure"
               : "Expected result of the later winner minus the mean of the others, estimated by "
                 "random games",
           advantage_plot(evaluation));
  body += card("How games end", "Reasons, in games of the main agents", endings_plot(evaluation));
  body += use_cards(evaluation);
  body += card("Good and random play compared", "The same measures", table_part(evaluation),
               evaluation.main.values.empty() ? "wide" : "");
  body += card("Never and always", "In the simulated games", unused_part(evaluation), "wide");
  body += fmt::format(
      "</div><footer>Evaluated in {:.1f} s. docs/evaluation.md explains every measure and "
      "flag.{}</footer>",
      evaluation.seconds, evaluation.complete ? "" : " Stopped early: the numbers are partial.");
  return html_page(fmt::format("{} – evaluation", name), body);
}

}  // namespace parlor::play
