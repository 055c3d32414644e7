// How each kind of agent is made; the table in agent.cpp names them. Private to src/play.
#pragma once

#include "play/agent.h"

namespace parlor::play {

AgentMaker prepare_random(const Game& game, const AgentSettings& settings);
AgentMaker prepare_greedy(const Game& game, const AgentSettings& settings);
AgentMaker prepare_flat(const Game& game, const AgentSettings& settings);
AgentMaker prepare_mcts(const Game& game, const AgentSettings& settings);
AgentMaker prepare_ismcts(const Game& game, const AgentSettings& settings);
AgentMaker prepare_alphabeta(const Game& game, const AgentSettings& settings);
AgentMaker prepare_cfr(const Game& game, const AgentSettings& settings);

}  // namespace parlor::play
