// The targets that read games being played; see targets.h.
#pragma once

#include "fuzz/targets.h"

namespace parlor::fuzz {

void run_fen(std::string_view text);
std::vector<std::string> fen_seeds();
void run_pgn(std::string_view text);
std::vector<std::string> pgn_seeds();
void run_uci(std::string_view text);
std::vector<std::string> uci_seeds();
void run_save(std::string_view text);
std::vector<std::string> save_seeds();
void run_trace(std::string_view text);
std::vector<std::string> trace_seeds();
void run_moves(std::string_view text);
std::vector<std::string> moves_seeds();
void run_session(std::string_view text);
std::vector<std::string> session_seeds();

}  // namespace parlor::fuzz
