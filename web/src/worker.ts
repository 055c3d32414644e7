// Owns one engine. A message is {n, call, args}; the answer {n, answer} or, after a trap, {n, broken}:
// then the page starts another worker from its last save.
import { Engine, type Answer } from './engine.js';
import { eyesOf } from './eyes.js';

let loading: Promise<Engine> | null = null;
function load(address: string): Promise<Engine> {
  return (loading ??= fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return Engine.load(response);
  }));
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
function begin(engine: Engine, request: string, seed: number, seats: string[]): Answer {
  const opened = engine.call('open', request);
  if (!opened.ok) return opened;
  const table = opened['table'] as number;
  const scene = engine.call('scene', table), started = engine.call('start', table, seed);
  if (!scene.ok || !started.ok) return scene.ok ? started : scene;
  return { ...look(engine, table, seats, -1), table, scene: scene['scene'] };
}

type Arguments = (number | string)[];
async function answered(call: string, args: Arguments): Promise<Answer> {
  if (call === 'engine') { await load(String(args[0])); return { ok: true }; }
  if (!loading) throw new Error('no engine');
  const engine = await loading;
  if (call === 'look') return look(engine, Number(args[0]), JSON.parse(String(args[1])) as string[], Number(args[2]));
  if (call === 'begin') return begin(engine, String(args[0]), Number(args[1]), JSON.parse(String(args[2])) as string[]);
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
