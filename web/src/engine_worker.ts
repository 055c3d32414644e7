// An engine in a worker of its own.
import type { Answer } from './engine.js';
import type {} from './early.js';
import { asset, folder } from './files.js';
import { keyOf } from './links.js';
import type { Scene, Stage } from './model.js';
import type { GameSetup } from './requests.js';
import { toDo } from './to_do.js';
import { built } from 'virtual:built';
export type { GameSetup } from './requests.js';
export type { Texts } from './texts.js';

// How a game looks before anything happened, where it looks the same whenever it is begun.
export interface FirstLook { scene: Scene; stage: Stage }

export class EngineWorker {
  private worker: Worker;
  private waiting = new Map<number, { done(a: Answer): void; broken(e: Error): void }>();
  private next = 1;
  // For one game, or for any (null).
  constructor(game: GameSetup | null, worker: Worker = new Worker(asset(built.worker), { name: toDo(game) })) {
    this.worker = worker;
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
  // The one that was begun with the page (early.ts), where it is for this game and nobody has it yet.
  static take(game: GameSetup): EngineWorker {
    const early = window.parlorEarly;
    delete window.parlorEarly;
    if (early && early.key !== keyOf(game)) early.worker.terminate();
    return new EngineWorker(game, early?.key === keyOf(game) ? early.worker : undefined);
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
  ready(): Promise<Answer> { return this.must('ready'); }
  // The handle of a game that was opened.
  async open(setup: GameSetup): Promise<number> { return (await this.must('openGame', JSON.stringify(setup)))['table'] as number; }
  // A game from its beginning: the handle, the scene and what is seen, in one answer.
  begin(setup: GameSetup, seed: number, seats: string[]): Promise<Answer> { return this.must('begin', JSON.stringify(setup), seed, JSON.stringify(seats)); }
  end(): void { this.worker.terminate(); }
}

// At once where the page was opened for this game and it has arrived; else it is fetched.
export function firstLook(game: string): FirstLook | null | Promise<FirstLook | null> {
  if (!built.firsts.includes(game)) return null;
  const early = window.parlorEarly;
  if (early?.game === game) return early.look === undefined ? early.first : early.look;
  return fetch(new URL(`games/${encodeURIComponent(game)}.first.json`, folder)).then((response) => (response.ok ? (response.json() as Promise<FirstLook>) : null));
}
