// The first thing that runs, before styles and the page itself are read: where the address says that a game will be played in
// this browser, its engine is started and the game opened meanwhile, and how it looks at its beginning is fetched.
import { gameIn } from './links.js';
import type { FirstLook, ToDo } from './engine_worker.js';
import { built } from 'virtual:built';

// `worker` and `first` are for whoever comes first and asks for this game.
export interface Early { worker: Worker; game: string; first: Promise<FirstLook | null>; look?: FirstLook | null }
declare global { interface Window { parlorEarly?: Early } }

const query = new URLSearchParams(location.search);
if (built.plays && location.pathname.endsWith('/local')) {
  const folder = new URL('.', (document.currentScript as HTMLScriptElement).src), setup = gameIn(query), { game } = setup;
  const toDo: ToDo = { open: query.has('text') || query.has('id') ? null : setup };
  const worker = new Worker(new URL(built.worker, folder), { name: JSON.stringify(toDo) });
  worker.onerror = () => delete window.parlorEarly; // the page tries again, and says what is wrong
  const first = built.firsts.includes(game) ? fetch(new URL(`games/${encodeURIComponent(game)}.first.json`, folder)).then((response) => (response.ok ? (response.json() as Promise<FirstLook>) : null)) : Promise.resolve(null);
  const early: Early = { worker, game, first };
  window.parlorEarly = early;
  first.then((look) => { early.look = look; }, () => undefined);
}
