#include "games/hidden_games.h"

#include <filesystem>
#include <stdexcept>

#include "source_dir.h"

namespace parlor::games {

std::vector<std::string> hidden_test_games() {
  std::vector<std::string> out;
  const auto folder = std::filesystem::path(test::source_dir()) / "tests/games/hidden";
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    if (entry.path().extension() == ".md")
      out.push_back("../tests/games/hidden/" + entry.path().stem().string());
  std::ranges::sort(out);
  constexpr std::size_t known = 12;
  if (out.size() < known) throw std::runtime_error("games that hide something are missing");
  return out;
}

std::vector<std::string> all_games() {
  std::vector<std::string> out = shipped_with_modules();
  constexpr std::size_t shipped = 28 + 1;  // games, and one of them with a module
  if (out.size() < shipped) throw std::runtime_error("shipped games are missing");
  for (std::string& name : hidden_test_games()) out.push_back(std::move(name));
  return out;
}

bool has_explicit_form(const std::string& game) {
  const std::string name = file_name(game);
  return name != "marked_deck" && name != "pairs" && name != "thief" && name != "old_maid" &&
         name != "salt_charter" && name != "salt-charter";
}

std::vector<std::string> hiding_games() {
  std::vector<std::string> out{"auction",      "coalition+economy", "hearts",      "kuhn-poker",
                               "leduc-poker",  "liars-dice",        "love-letter", "market",
                               "salt-charter", "texas-holdem"};
  for (std::string& name : hidden_test_games()) out.push_back(std::move(name));
  return out;
}

std::string file_name(const std::string& game) {
  std::string name = game.substr(game.rfind('/') + 1);
  for (char& c : name)
    if (c == '-' || c == '+') c = '_';
  return name;
}

}  // namespace parlor::games
