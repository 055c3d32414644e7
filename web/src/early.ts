// The first thing that runs, before styles and the page itself are read: where the address says that a game will be played in
// this browser, its engine is started and the game opened meanwhile, and how it looks at its beginning is fetched.
import { gameIn, keyOf } from './links.js';
import type { FirstLook } from './engine_worker.js';
import { toDo } from './to_do.js';
import { built } from 'virtual:built';

// `worker` and `first` are for whoever comes first and asks for this game.
export interface Early { worker: Worker; key: string; game: string; first: Promise<FirstLook | null>; look?: FirstLook | null }
declare global { interface Window { parlorEarly?: Early } }

const query = new URLSearchParams(location.search);
if (built.plays && location.pathname.endsWith('/local')) {
  const folder = new URL('.', (document.currentScript as HTMLScriptElement).src), setup = gameIn(query), { game } = setup;
  const known = query.has('text') || query.has('id') ? null : setup; // else what is kept in this browser says which game it is
  const worker = new Worker(new URL(built.worker, folder), { name: toDo(known) });
  worker.onerror = () => delete window.parlorEarly; // the page tries again, and says what is wrong
  const first = built.firsts.includes(game) ? fetch(new URL(`games/${encodeURIComponent(game)}.first.json`, folder)).then((response) => (response.ok ? (response.json() as Promise<FirstLook>) : null)) : Promise.resolve(null);
  const early: Early = { worker, key: known ? keyOf(known) : '', game, first };
  window.parlorEarly = early;
  first.then((look) => { early.look = look; }, () => undefined);
}
