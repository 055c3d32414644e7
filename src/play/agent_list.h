// How each kind of agent is made; the table in agent.cpp names them. Private to src/play.
#pragma once

#include "play/agent.h"

namespace parlor::play {

using PreparedAgent = tl::expected<AgentMaker, std::string>;

PreparedAgent prepare_random(const Game& game, const AgentSettings& settings);
PreparedAgent prepare_greedy(const Game& game, const AgentSettings& settings);
PreparedAgent prepare_flat(const Game& game, const AgentSettings& settings);
PreparedAgent prepare_mcts(const Game& game, const AgentSettings& settings);
PreparedAgent prepare_ismcts(const Game& game, const AgentSettings& settings);
PreparedAgent prepare_alphabeta(const Game& game, const AgentSettings& settings);
PreparedAgent prepare_cfr(const Game& game, const AgentSettings& settings);

}  // namespace parlor::play
