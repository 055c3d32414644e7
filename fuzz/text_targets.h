// The targets that read rules; see targets.h.
#pragma once

#include "fuzz/targets.h"

namespace parlor::fuzz {

void run_game_text(std::string_view text);
void run_sentence(std::string_view text);
std::vector<std::string> sentence_seeds();
void run_module(std::string_view text);
void run_gamedef(std::string_view text);
std::vector<std::string> gamedef_seeds();
void run_modifiers(std::string_view text);
void run_rules(std::string_view text);
std::vector<std::string> rules_seeds();

}  // namespace parlor::fuzz
