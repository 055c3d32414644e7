// An engine in a worker of its own, and what it is asked to open.
import type { Answer } from './engine.js';
import { asset } from './files.js';
import type { Scene, Stage } from './model.js';
import { built } from 'virtual:built';

export class EngineWorker {
  // Begun before anybody asked, because the address says that a game will be played here (early.ts).
  private static early: EngineWorker | null = null;
  static prepare(game: string): void {
    EngineWorker.early = new EngineWorker();
    void EngineWorker.early.ready().catch(() => undefined);
    void firstLook(game).catch(() => undefined);
    if (game !== 'chess') void compiled(game).catch(() => undefined);
  }
  static take(): EngineWorker { const made = EngineWorker.early ?? new EngineWorker(); EngineWorker.early = null; return made; }

  private worker: Worker;
  private waiting = new Map<number, { done(a: Answer): void; broken(e: Error): void }>();
  private next = 1;
  constructor() {
    this.worker = new Worker(asset(built.worker), { type: 'module' });
    this.worker.onmessage = (event: MessageEvent<{ n: number; answer?: Answer; broken?: string }>) => {
      const { n, answer, broken } = event.data;
      const who = this.waiting.get(n);
      this.waiting.delete(n);
      if (answer) who?.done(answer);
      else who?.broken(new Error(broken));
    };
    this.worker.onerror = (event) => {
      for (const who of this.waiting.values()) who.broken(new Error(event.message));
      this.waiting.clear();
    };
  }
  call(call: string, ...args: (number | string)[]): Promise<Answer> {
    const n = this.next++;
    return new Promise((done, broken) => {
      this.waiting.set(n, { done, broken });
      this.worker.postMessage({ n, call, args });
    });
  }
  async must(call: string, ...args: (number | string)[]): Promise<Answer> {
    const got = await this.call(call, ...args);
    if (!got.ok) throw new Error(got.error?.message ?? 'refused');
    return got;
  }
  ready(): Promise<Answer> { return this.must('engine', asset(built.engine)); }
  // The handle of a game that was opened.
  async open(setup: GameSetup): Promise<number> {
    const ready = this.ready(), request = openRequest(setup); // side by side
    await ready;
    return (await this.must('open', await request))['table'] as number;
  }
  // A game from its beginning: the handle, the scene and what is seen, in one answer.
  async begin(setup: GameSetup, seed: number, seats: string[]): Promise<Answer> {
    const ready = this.ready(), request = openRequest(setup);
    await ready;
    return this.must('begin', await request, seed, JSON.stringify(seats));
  }
  end(): void { this.worker.terminate(); }
}

// The texts of a game, by name; `modules` are house rules, each the name of a file.
export interface Texts { main: string; files: Record<string, string>; modules?: Record<string, string> }
export interface GameSetup { game: string; players: number; rules: string[]; layout?: string; constants?: Record<string, string>; texts?: Texts }

export async function textsOf(game: string): Promise<Texts | null> {
  const response = await fetch(asset(`games/${encodeURIComponent(game)}.texts.json`));
  return response.ok ? ((await response.json()) as Texts) : null;
}

// Files of games, each asked for once.
const fetched = new Map<string, Promise<string | null>>();
function file(name: string): Promise<string | null> {
  let text = fetched.get(name);
  if (!text) {
    fetched.set(name, (text = fetch(asset(`games/${name}`)).then((response) => (response.ok ? response.text() : null))));
    text.catch(() => fetched.delete(name)); // without a net: perhaps later
  }
  return text;
}
// A game as it was compiled when the page was built.
const compiled = (name: string): Promise<string | null> => file(`${name}.json`);
// How a game looks before anything happened, where it looks the same whenever it is begun.
export async function firstLook(game: string): Promise<{ scene: Scene; stage: Stage } | null> {
  const text = await file(`${encodeURIComponent(game)}.first.json`);
  return text === null ? null : (JSON.parse(text) as { scene: Scene; stage: Stage });
}

// Chess is part of the engine. Other games are opened as they were compiled when the page was built, or, with rules and
// numbers of one's own, from their texts.
function openRequest(setup: GameSetup): Promise<string> {
  const request = requestOf(setup);
  request.catch(() => undefined); // it is waited for later
  return request;
}
async function requestOf(setup: GameSetup): Promise<string> {
  if (setup.game === 'chess' && !setup.texts) return JSON.stringify({ game: 'chess', rules: setup.rules, layout: setup.layout ?? '' });
  const usual = !setup.texts && Object.keys(setup.constants ?? {}).length === 0;
  if (usual && (setup.rules.length === 0 || !built.readsTexts)) {
    const def = await compiled([setup.game, ...setup.rules].map(encodeURIComponent).join('+'));
    if (def !== null) return `{"players":${setup.players},"def":${def}}`;
  }
  const texts = setup.texts ?? (await textsOf(setup.game));
  if (!texts) throw new Error(`there is no game “${setup.game}”`); // as the engine would say it
  const { main, files, modules } = texts;
  return JSON.stringify({ main, files, modules: setup.rules.map((id) => modules?.[id] ?? id), constants: setup.constants ?? {}, players: setup.players });
}
