// The first thing that runs: where the address says that a game will be played in this browser, the engine and the game are
// fetched and made ready while the page itself is still being read.
import { EngineWorker } from './engine_worker.js';
import { built } from 'virtual:built';

const query = new URLSearchParams(location.search);
if (built.plays && location.pathname.endsWith('/local')) EngineWorker.prepare(query.get('game') ?? 'tic-tac-toe');
