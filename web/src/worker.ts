// Owns one engine. A message is {n, call, args}; the answer {n, answer} or, after a trap, {n, broken}:
// then the page starts another worker from its last save.
import { Engine, type Answer } from './engine.js';
import { eyesOf } from './eyes.js';
import { keyOf } from './links.js';
import { openRequest, type GameSetup } from './requests.js';
import type { ToDo } from './to_do.js';
import { built } from 'virtual:built';

const toDo = JSON.parse(self.name) as ToDo;
const folder = new URL('.', self.location.href);
const quietly = <T>(work: Promise<T>): Promise<T> => { work.catch(() => undefined); return work; }; // it is waited for later
async function load(): Promise<Engine> {
  const file = toDo.texts ? built.engine : built.player;
  const response = await fetch(new URL(file, folder));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
  return Engine.load(response);
}
const loading = quietly(load());

// A game with its scene, which is always wanted too. The engine and what it shall open arrive side by side.
async function openNow(setup: GameSetup): Promise<Answer> {
  const request = quietly(openRequest(setup, folder)), engine = await loading;
  const opened = engine.call('open', await request);
  if (!opened.ok) return opened;
  const scene = engine.call('scene', opened['table'] as number);
  return scene.ok ? { ...opened, scene: scene['scene'] } : scene;
}
// What the name of this worker says is begun before anybody asks; it is for the first who does.
let prepared = toDo.open ? { key: keyOf(toDo.open), answer: quietly(openNow(toDo.open)) } : null;
function open(setup: GameSetup): Promise<Answer> {
  if (prepared?.key !== keyOf(setup)) return openNow(setup);
  const { answer } = prepared;
  prepared = null;
  return answer;
}

// Several questions that always come together are one message: each way between page and worker takes its time.
function look(engine: Engine, table: number, seats: string[], last: number): Answer {
  const outside = engine.call('decision', table, -1, 0); // who decides is told to everybody
  if (!outside.ok) return outside;
  const decision = outside['decision'] as { decider: unknown } | null;
  const decider = typeof decision?.decider === 'number' ? decision.decider : -1, viewer = eyesOf(seats, decider, last);
  const seen = engine.call('view', table, viewer);
  // Where several hand in moves at once the engine asks one after the other; who has done so may not choose anew meanwhile.
  return { ...seen, decider, viewer, ...(seen.ok && viewer !== decider ? { decision } : {}) };
}
async function begin(engine: Engine, setup: GameSetup, seed: number, seats: string[]): Promise<Answer> {
  const opened = await open(setup);
  if (!opened.ok) return opened;
  const started = engine.call('start', opened['table'] as number, seed);
  return started.ok ? { ...look(engine, opened['table'] as number, seats, -1), table: opened['table'], scene: opened['scene'] } : started;
}

type Arguments = (number | string)[];
async function answered(call: string, args: Arguments): Promise<Answer> {
  const engine = await loading;
  if (call === 'ready') return { ok: true };
  if (call === 'openGame') return open(JSON.parse(String(args[0])) as GameSetup);
  if (call === 'look') return look(engine, Number(args[0]), JSON.parse(String(args[1])) as string[], Number(args[2]));
  if (call === 'begin') return begin(engine, JSON.parse(String(args[0])) as GameSetup, Number(args[1]), JSON.parse(String(args[2])) as string[]);
  return engine.call(call, ...args);
}
self.onmessage = async (event: MessageEvent<{ n: number; call: string; args: Arguments }>) => {
  const { n, call, args } = event.data;
  try {
    self.postMessage({ n, answer: await answered(call, args) });
  } catch (error) {
    self.postMessage({ n, broken: String(error) });
  }
};
