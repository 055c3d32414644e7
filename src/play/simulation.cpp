#include "play/simulation.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/core.h>
#include <thread>

#include "play/trace.h"

namespace parlor::play {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Why a game was not played to its end.
std::string reason_of(const GameRecord& record) {
  if (record.fault) return "error:" + record.fault->code;
  return record.stuck ? "no-legal-options" : "unfinished";
}

void count_fault(SimulationResult& result, const Rejection& fault, std::uint64_t game, Seed seed,
                 std::uint64_t decisions) {
  const std::string place =
      fmt::format("{} {}:{} {}", fault.code, fault.details.value("file", ""),
                  fault.details.value("line", 0), fault.details.value("path", ""));
  result.faults[place].add({1, game, seed, decisions, parlor::to_json(fault)});
}

SimulationResult empty_result(const Game& game) {
  SimulationResult result;
  result.seats.resize(game.info().players);
  result.agents.resize(game.info().players);
  return result;
}

// The sum over all games of a hash of number, length and last state. Where games give the words of
// these hashes they are collected, and many hashes computed together, which is faster (TellsEnds).
class Checksum {
 public:
  explicit Checksum(const Game& game)
      : game_(game), ends_(dynamic_cast<const TellsEnds*>(&game)), rows_(most_words) {}

  // The game that was played last at the table.
  void add(const GameTable& table) {
    const std::uint64_t beginning = hash_combine(table.record().index, table.record().decisions);
    const StateBlock& last = table.last_state();
    if (ends_ == nullptr) return take_in(beginning, game_.hash(last));
    std::size_t words = ends_->hash_words(last, HashLane(rows_, count_));
    if (words > most_words) return take_in(beginning, game_.hash(last));
    if (words != words_) [[unlikely]] {  // hashes of the same length go together
      take_in_all();
      words_ = ends_->hash_words(last, HashLane(rows_, 0));
    }
    beginnings_[count_] = beginning;
    if (++count_ == hash_lanes) take_in_all();
  }
  std::uint64_t sum() {
    take_in_all();
    return sum_;
  }

 private:
  static constexpr std::size_t most_words = 128;

  void take_in(std::uint64_t beginning, std::uint64_t hash) {
    sum_ += hash_combine(beginning, hash);
  }
  void take_in_all() {
    if (count_ == 0) return;
    HashRow hashes;
    hash_chains(std::span{rows_}.first(words_), hashes);
    for (std::size_t i = 0; i < count_; ++i) take_in(beginnings_[i], hashes[i]);
    count_ = 0;
  }

  const Game& game_;
  const TellsEnds* ends_;  // null: the game hashes one at a time
  std::vector<HashRow> rows_;
  std::size_t words_ = 0;  // of each hash that waits
  HashRow beginnings_{};
  std::size_t count_ = 0;  // that wait
  std::uint64_t sum_ = 0;
};

// What one thread counts of its games. Of those that end in one of a few ways only how many there
// were is counted while playing, and what that means for seats and agents at the end.
class Counter {
 public:
  Counter(const Game& game, GameTable& table, bool rotate)
      : table_(table),
        checksum_(game),
        result_(empty_result(game)),
        rotations_(rotate ? game.info().players : 1) {}

  // The game that was played last at the table.
  void count_game() {
    const GameRecord& record = table_.record();
    const std::uint64_t length = record.decisions;
    result_.shortest = result_.games == 0 ? length : std::min(result_.shortest, length);
    result_.longest = std::max(result_.longest, length);
    ++result_.games;
    result_.decisions += length;
    result_.draws_of_chance += record.draws_of_chance;
    if (record.finished && record.ending != TellsEnds::no_ending)
      ++games_ending(record.ending, rotations_ == 1 ? 0 : record.index % rotations_);
    else
      count_end(record);
    checksum_.add(table_);
  }
  // A game whose set-up failed.
  void count_failure(std::uint64_t index, const Rejection& rejection) {
    ++result_.games;
    ++result_.failed;
    ++result_.outcomes["error:" + rejection.code];
    count_fault(result_, rejection, index, table_.record().seed, 0);
  }
  SimulationResult finish() {
    const auto endings = table_.endings();
    for (std::uint32_t ending = 0; ending < endings.size(); ++ending)
      for (std::uint64_t rotation = 0; endings[ending] != nullptr && rotation < rotations_;
           ++rotation)
        if (const std::uint64_t times = games_ending(ending, rotation); times != 0)
          count_outcome(*endings[ending], rotation, times);
    result_.checksum = checksum_.sum();
    result_.skipped = std::move(table_.remarks().skipped);
    result_.cut_off = std::move(table_.remarks().cut_off);
    result_.undecided = table_.remarks().undecided;
    return std::move(result_);
  }

 private:
  std::uint64_t& games_ending(std::uint32_t ending, std::uint64_t rotation) {
    const std::size_t at = ending * rotations_ + rotation;
    if (at >= games_ending_.size()) games_ending_.resize(at + 1);
    return games_ending_[at];
  }
  void count_end(const GameRecord& record) {
    if (record.finished) return count_outcome(*record.outcome, record.index, 1);
    ++result_.outcomes[reason_of(record)];
    ++(record.stuck ? result_.stuck : record.fault ? result_.failed : result_.unfinished);
    if (record.fault)
      count_fault(result_, *record.fault, record.index, record.seed, record.decisions);
  }
  // So many games with this outcome, in all of which agents sat as in the game of this number.
  void count_outcome(const Outcome& outcome, std::uint64_t index, std::uint64_t times) {
    if (auto known = result_.outcomes.find(outcome.reason); known != result_.outcomes.end())
      known->second += times;
    else
      result_.outcomes.emplace(outcome.reason, times);
    const std::size_t players = result_.seats.size();
    for (std::size_t seat = 0; seat < players; ++seat) {
      result_.seats[seat].count(outcome, seat, players, times);
      result_.agents[table_.agent_of_seat(seat, index)].count(outcome, seat, players, times);
    }
  }

  GameTable& table_;
  Checksum checksum_;
  SimulationResult result_;
  std::uint64_t rotations_;                  // ways in which agents sit
  std::vector<std::uint64_t> games_ending_;  // by ending and by how agents sit
};

constexpr std::size_t cache_line = 64;

// How far one thread is, for whoever shows progress. Each thread has a cache line of its own to
// write to, twice a game.
struct alignas(cache_line) Pace {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> decisions{0};

  // Only its own thread writes: no need to lock the bus.
  void count(std::uint64_t more_decisions) {
    done.store(done.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    decisions.store(decisions.load(std::memory_order_relaxed) + more_decisions,
                    std::memory_order_relaxed);
  }
};

struct Handful {
  std::uint64_t first = 0, end = 0;
};

// What the threads share. Only `next` is written to while they play, and it is apart from what they
// read.
struct Run {
  const Game& game;
  const SimulationOptions& options;
  const std::vector<AgentMaker>& makers;
  std::vector<Pace> paces;  // one for each thread
  alignas(cache_line) std::atomic<std::uint64_t> next{0};
  alignas(cache_line) std::atomic<unsigned> working{0};
  std::atomic<bool> cancelled{false};

  SimulationProgress progress(double seconds) const {
    SimulationProgress out{0, options.games, 0, seconds};
    for (const Pace& pace : paces) {
      out.done += pace.done.load(std::memory_order_relaxed);
      out.decisions += pace.decisions.load(std::memory_order_relaxed);
    }
    return out;
  }

  bool stop() {
    if (options.cancel == nullptr || !options.cancel->load(std::memory_order_relaxed)) return false;
    cancelled.store(true, std::memory_order_relaxed);
    return true;
  }

  // The numbers of the next games for one thread; none: it is done. Where there are many games
  // several are taken at once: a processor that takes a number waits until everything it has begun
  // is done.
  Handful take() {
    constexpr std::uint64_t most = 64, handfuls = 256;
    const std::uint64_t some =
        std::clamp<std::uint64_t>(options.games / (handfuls * paces.size()), 1, most);
    if (stop()) return {};
    const std::uint64_t first = next.fetch_add(some, std::memory_order_relaxed);
    return {std::min(first, options.games), std::min(first + some, options.games)};
  }
};

// A trace and the caller's observer at the same time.
class Both final : public GameObserver {
 public:
  Both(TraceWriter* trace, GameObserver* other) : trace_(trace), other_(other) {}
  void on_start(const State& state) override {
    if (other_) other_->on_start(state);
  }
  void on_decision(const State& state, const OptionList& options, std::size_t picked) override {
    trace_->on_decision(state, options, picked);
    if (other_) other_->on_decision(state, options, picked);
  }
  void on_end(const State& state, const GameRecord& record) override {
    trace_->on_end(state, record);
    if (other_) other_->on_end(state, record);
  }
  EventListener* listener() override { return other_ ? other_->listener() : nullptr; }

 private:
  TraceWriter* trace_;
  GameObserver* other_;
};

void work(Run& run, unsigned thread, SimulationResult& out) {
  GameTable table(run.game, run.makers, run.options.rotate);
  Counter counter(run.game, table, run.options.rotate);  // apart from those of other threads
  GameObserver* observer = run.options.observer ? run.options.observer(thread) : nullptr;
  TraceWriter trace(run.options.traces, run.options.opening);
  Both both(&trace, observer);
  const bool tracing = !run.options.traces.empty();
  if (tracing) observer = &both;
  for (Handful numbers = run.take(); numbers.first != numbers.end; numbers = run.take())
    for (; numbers.first != numbers.end && !run.stop(); ++numbers.first) {
      const std::uint64_t index = run.options.first_game + numbers.first * run.options.stride;
      if (tracing) trace.open(index);
      const auto record = table.play(index, run.options.seed, run.options.max_decisions, observer);
      if (record)
        counter.count_game();
      else
        counter.count_failure(index, record.error());
      run.paces[thread].count(record ? (*record)->decisions : 0);
    }
  out = counter.finish();
  run.working.fetch_sub(1);
  run.working.notify_all();
}

// Tells about progress until all threads are done.
void report_progress(const Run& run, Clock::time_point begin) {
  while (run.working.load() != 0) {
    run.options.progress(run.progress(seconds_since(begin)));
    for (int i = 0; i < 10 && run.working.load() != 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  run.options.progress(run.progress(seconds_since(begin)));
}

Json to_json(const Tally& tally) {
  return {{"games", tally.games},   {"wins", tally.wins},       {"shared", tally.shared},
          {"losses", tally.losses}, {"returns", tally.returns}, {"meanReturn", tally.mean_return()},
          {"score", tally.score()}};
}

// The numbers a tally and a result consist of, in one fixed order.
template <class T>
auto numbers_of(T& tally)
  requires std::same_as<std::remove_const_t<T>, Tally>
{
  return std::tie(tally.games, tally.wins, tally.shared, tally.losses, tally.returns,
                  tally.returns_squared, tally.points);
}
template <class T>
auto numbers_of(T& result)
  requires std::same_as<std::remove_const_t<T>, SimulationResult>
{
  return std::tie(result.games, result.decisions, result.draws_of_chance, result.unfinished,
                  result.stuck, result.failed, result.undecided, result.shortest, result.longest,
                  result.checksum, result.seconds, result.complete);
}

Json write_numbers(const auto& from) {
  return std::apply([](const auto&... number) { return Json::array({number...}); },
                    numbers_of(from));
}

void read_numbers(const Json& from, auto& to) {
  std::size_t i = 0;
  std::apply([&](auto&... number) { (from.at(i++).get_to(number), ...); }, numbers_of(to));
}

Json to_json(const FaultTally& fault) {
  Json out = fault.rejection;
  out.erase("fault");
  out.update({{"games", fault.games},
              {"game", fault.first_game},
              {"seed", fault.seed},
              {"decisions", fault.decisions}});
  return out;
}

Json to_json(const SkipTally& skip) {
  Json out = skip.event;
  out.update({{"times", skip.times}, {"game", skip.first_game}, {"seed", skip.seed}});
  return out;
}

double per_second(std::uint64_t count, double seconds) {
  return seconds <= 0 ? 0 : static_cast<double>(count) / seconds;
}

}  // namespace

void Tally::count(const Outcome& outcome, std::size_t player, std::size_t players,
                  std::uint64_t times) {
  games += times;
  const std::size_t winners = outcome.winners.size();
  const bool won = std::ranges::find(outcome.winners, PlayerId{player}) != outcome.winners.end();
  (won && winners == 1 ? wins : won || winners == 0 ? shared : losses) += times;
  if (won) points += times * (points_of_win / winners);
  if (winners == 0) points += times * (points_of_win / players);
  const std::int64_t gain = player < outcome.returns.size() ? outcome.returns[player] : 0;
  returns += static_cast<std::int64_t>(times) * gain;
  returns_squared += times * static_cast<std::uint64_t>(gain * gain);
}

void FaultTally::add(const FaultTally& other) {
  if (games == 0 || other.first_game < first_game) {
    const std::uint64_t before = games;
    *this = other;
    games = before;
  }
  games += other.games;
}

void SkipTally::add(const SkipTally& other) {
  if (times == 0 || other.first_game < first_game) {
    const std::uint64_t before = times;
    *this = other;
    times = before;
  }
  times += other.times;
}

void Tally::add(const Tally& other) {
  points += other.points;
  games += other.games;
  wins += other.wins;
  shared += other.shared;
  losses += other.losses;
  returns += other.returns;
  returns_squared += other.returns_squared;
}

void SimulationResult::add(const SimulationResult& other) {
  if (other.games != 0) {
    shortest = games == 0 ? other.shortest : std::min(shortest, other.shortest);
    longest = std::max(longest, other.longest);
  }
  games += other.games;
  decisions += other.decisions;
  draws_of_chance += other.draws_of_chance;
  unfinished += other.unfinished;
  stuck += other.stuck;
  failed += other.failed;
  checksum += other.checksum;
  seats.resize(std::max(seats.size(), other.seats.size()));
  agents.resize(std::max(agents.size(), other.agents.size()));
  for (std::size_t i = 0; i < other.seats.size(); ++i) seats[i].add(other.seats[i]);
  for (std::size_t i = 0; i < other.agents.size(); ++i) agents[i].add(other.agents[i]);
  for (const auto& [reason, count] : other.outcomes) outcomes[reason] += count;
  for (const auto& [place, fault] : other.faults) faults[place].add(fault);
  for (const auto& [phase, skip] : other.skipped) skipped[phase].add(skip);
  for (const auto& [trigger, cut] : other.cut_off) cut_off[trigger].add(cut);
  undecided += other.undecided;
  seconds = std::max(seconds, other.seconds);
  complete = complete && other.complete;
}

Json to_json(const SimulationResult& result) {
  Json seats = Json::array();
  Json agents = Json::array();
  for (const Tally& tally : result.seats) seats.push_back(to_json(tally));
  for (const Tally& tally : result.agents) agents.push_back(to_json(tally));
  Json faults = Json::array();
  for (const auto& [place, fault] : result.faults) faults.push_back(to_json(fault));
  Json skipped = Json::array();
  for (const auto& [phase, skip] : result.skipped) skipped.push_back(to_json(skip));
  Json cut_off = Json::array();
  for (const auto& [trigger, cut] : result.cut_off) cut_off.push_back(to_json(cut));
  return {{"games", result.games},
          {"decisions", result.decisions},
          {"chance", result.draws_of_chance},
          {"seconds", result.seconds},
          {"gamesPerSecond", per_second(result.games, result.seconds)},
          {"decisionsPerSecond", per_second(result.decisions, result.seconds)},
          {"outcomes", result.outcomes},
          {"unfinished", result.unfinished},
          {"stuck", result.stuck},
          {"failed", result.failed},
          {"faults", faults},
          {"skippedPhases", skipped},
          {"cutOffTriggers", cut_off},
          {"undecided", result.undecided},
          {"shortest", result.shortest},
          {"longest", result.longest},
          {"meanLength", per_second(result.decisions, static_cast<double>(result.games))},
          {"checksum", fmt::format("{:016x}", result.checksum)},
          {"seats", seats},
          {"agents", agents},
          {"complete", result.complete}};
}

Json record(const SimulationResult& result) {
  Json seats = Json::array(), agents = Json::array();
  for (const Tally& tally : result.seats) seats.push_back(write_numbers(tally));
  for (const Tally& tally : result.agents) agents.push_back(write_numbers(tally));
  Json faults = Json::object();
  for (const auto& [place, fault] : result.faults)
    faults[place] = {fault.games, fault.first_game, fault.seed, fault.decisions, fault.rejection};
  const auto tallies = [](const std::map<std::string, SkipTally>& all) {
    Json out = Json::object();
    for (const auto& [what, tally] : all)
      out[what] = {tally.times, tally.first_game, tally.seed, tally.event};
    return out;
  };
  return {
      {"numbers", write_numbers(result)}, {"seats", seats},   {"agents", agents},
      {"outcomes", result.outcomes},      {"faults", faults}, {"skipped", tallies(result.skipped)},
      {"cutOff", tallies(result.cut_off)}};
}

SimulationResult restore(const Json& recorded) {
  SimulationResult result;
  read_numbers(recorded.at("numbers"), result);
  for (const Json& tally : recorded.at("seats")) read_numbers(tally, result.seats.emplace_back());
  for (const Json& tally : recorded.at("agents")) read_numbers(tally, result.agents.emplace_back());
  for (const auto& [reason, count] : recorded.at("outcomes").items())
    result.outcomes[reason] = count.get<std::uint64_t>();
  for (const auto& [place, fault] : recorded.at("faults").items())
    result.faults[place] = {fault.at(0).get<std::uint64_t>(), fault.at(1).get<std::uint64_t>(),
                            fault.at(2).get<Seed>(), fault.at(3).get<std::uint64_t>(), fault.at(4)};
  const auto tallies = [&](const char* key, std::map<std::string, SkipTally>& out) {
    for (const auto& [what, tally] : recorded.at(key).items())
      out[what] = {tally.at(0).get<std::uint64_t>(), tally.at(1).get<std::uint64_t>(),
                   tally.at(2).get<Seed>(), tally.at(3)};
  };
  tallies("skipped", result.skipped);
  tallies("cutOff", result.cut_off);
  return result;
}

tl::expected<SimulationResult, Diagnostic> simulate(const Game& game,
                                                    const SimulationOptions& options) {
  auto makers = find_agents(options.agents, game);
  if (!makers) return tl::unexpected(makers.error());
  if (!options.traces.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(options.traces, failed);
    if (failed)
      return tl::unexpected(
          Diagnostic{.code = Code::FILE_NOT_FOUND,
                     .message = fmt::format("cannot make the folder {} for traces: {}",
                                            options.traces.string(), failed.message())});
  }
  const auto begin = Clock::now();
  unsigned threads = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
  threads = static_cast<unsigned>(
      std::min<std::uint64_t>(std::max(threads, 1U), std::max<std::uint64_t>(options.games, 1)));
  Run run{game, options, *makers, std::vector<Pace>(threads)};
  run.working = threads;
  std::vector<SimulationResult> parts(threads);
  {
    std::vector<std::jthread> pool;
    const bool alone = threads == 1 && !options.progress;
    for (unsigned i = 0; i < threads && !alone; ++i)
      pool.emplace_back([&run, &parts, i] { work(run, i, parts[i]); });
    if (alone) work(run, 0, parts[0]);
    if (options.progress) report_progress(run, begin);
  }
  SimulationResult result = empty_result(game);
  for (const SimulationResult& part : parts) result.add(part);
  result.seconds = seconds_since(begin);
  result.complete = !run.cancelled;
  return result;
}

}  // namespace parlor::play
