// A table without a server: the rules run in one worker, bots think in another, so that the page
// stays quick. Every move is saved; when an engine breaks it is started again from there.
import type { Answer } from './engine.js';
import type { Decision, GameEvent, Outcome, Scene, Stage } from './model.js';
import { RoomBase, type Room, type SeatState, type WhyAnswer } from './room.js';
import { asset } from './files.js';

class EngineWorker {
  private worker: Worker;
  private waiting = new Map<number, { done(a: Answer): void; broken(e: Error): void }>();
  private next = 1;
  constructor() {
    this.worker = new Worker(asset('worker.js'), { type: 'module' });
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
  end(): void { this.worker.terminate(); }
}

export interface LocalSetup { game: string; players: number; rules: string[]; seats: string[]; seed: number; layout?: string }

export async function openRequest(setup: LocalSetup): Promise<string> {
  if (setup.game === 'chess') return JSON.stringify({ game: 'chess', rules: setup.rules, layout: setup.layout ?? '' });
  const name = [setup.game, ...setup.rules].join('+');
  const response = await fetch(asset(`games/${name}.json`));
  if (!response.ok) throw new Error(`${setup.game}: ${response.status}`);
  return `{"players":${setup.players},"def":${await response.text()}}`;
}

export interface Kept { setup: LocalSetup; acts: number[]; over?: boolean }

export class LocalRoom extends RoomBase implements Room {
  readonly local = true;
  private rules = new EngineWorker();
  private bots: EngineWorker | null = null;
  private table = 0;
  private botTable = 0;
  private closed = false;
  private acts: number[] = [];
  private lastSave: string | null = null;

  constructor(private setup: LocalSetup, private keep: (kept: Kept) => void = () => {}, private resume: number[] = []) {
    super();
    void this.open().catch((error: unknown) => this.set({ problem: String(error) }));
  }

  private viewer(): number {
    // People at one screen see what the one who decides may see.
    const humans = this.setup.seats.flatMap((s, i) => (s === 'human' ? [i] : []));
    if (humans.length === 1) return humans[0]!;
    const decider = this.decider;
    if (humans.includes(decider)) return decider;
    return humans.length ? this.lastHuman : -1;
  }
  private decider = 0;
  private lastHuman = 0;

  private async fresh(worker: EngineWorker): Promise<number> {
    await this.must(worker.call('engine', asset('parlor.wasm')));
    const opened = await this.must(worker.call('open', await openRequest(this.setup)));
    return opened['table'] as number;
  }
  private async must(answer: Promise<Answer>): Promise<Answer> {
    const got = await answer;
    if (!got.ok) throw new Error(got.error?.message ?? 'refused');
    return got;
  }

  private async open(): Promise<void> {
    this.table = await this.fresh(this.rules);
    const scene = (await this.must(this.rules.call('scene', this.table)))['scene'] as Scene;
    await this.must(this.rules.call('start', this.table, this.setup.seed));
    const seats: SeatState[] = scene.seats.map((s) => {
      const kind = this.setup.seats[s.seat] ?? 'bot';
      return { seat: s.seat, kind: kind === 'human' ? 'human' : 'bot', name: kind === 'human' ? '' : kind === 'bot' ? '' : kind, ready: true, connected: true };
    });
    this.setup.seats = seats.map((s, i) => (s.kind === 'human' ? 'human' : this.setup.seats[i] ?? 'bot'));
    this.lastHuman = Math.max(0, this.setup.seats.indexOf('human'));
    this.set({ scene, seats, link: 'live', state: 'playing' });
    await this.look();
    for (const option of this.resume) await this.apply(option);
    void this.goOn();
  }

  private async look(): Promise<void> {
    // Who decides is told to everybody.
    const outside = await this.must(this.rules.call('decision', this.table, -1, 0));
    const decision = outside['decision'] as Decision | null;
    this.decider = typeof decision?.decider === 'number' ? decision.decider : -1;
    const viewer = this.viewer();
    if (viewer >= 0) this.lastHuman = viewer;
    const seen = await this.must(this.rules.call('view', this.table, viewer));
    this.show(seen, viewer);
  }
  private show(seen: Answer, viewer: number): void {
    const outcome = seen['outcome'] as Outcome | null;
    this.set({
      stage: seen['stage'] as Stage, decision: seen['decision'] as Decision | null, outcome, you: viewer < 0 ? null : viewer,
      state: outcome ? 'over' : 'playing', pending: false,
    });
  }

  act(option: number): void {
    if (this.state.pending || this.closed) return;
    this.set({ pending: true, problem: null });
    void this.apply(option).then(() => this.goOn()).catch((error: unknown) => this.recover(error));
  }

  private async apply(option: number): Promise<void> {
    const viewer = this.viewer();
    const done = await this.rules.call('apply', this.table, viewer, option);
    if (!done.ok) {
      this.set({ pending: false, problem: done.error?.message ?? 'refused' });
      return;
    }
    this.acts.push(option);
    const rev = this.state.rev + 1;
    const label = String(done['label'] ?? '');
    const events = done['events'] as GameEvent[];
    const by = done['by'] as number | null;
    // A whole move is one line: choices inside it are added to the action they belong to.
    const log = [...this.state.log];
    const last = log[log.length - 1];
    if (!done['starts'] && last && last.by === by) log[log.length - 1] = { ...last, rev, label: `${last.label}, ${label}`, events: [...last.events, ...events] };
    else log.push({ rev, by, label, events });
    this.state = { ...this.state, rev, log, lastEvents: events };
    await this.look();
    this.keep({ setup: this.setup, acts: this.acts, over: this.state.state === 'over' });
    const line = this.state.log[this.state.log.length - 1];
    if (line) line.stage = this.state.stage;
  }

  // Bots and chance, until a person is asked.
  private async goOn(): Promise<void> {
    while (!this.closed && this.state.state === 'playing' && this.state.decision) {
      const decider = this.state.decision.decider;
      const seat = typeof decider === 'number' ? this.setup.seats[decider] ?? 'bot' : 'chance';
      if (seat === 'human') return;
      try {
        await this.apply(await this.think(seat));
      } catch (error) {
        await this.recover(error);
        return;
      }
    }
  }

  private async think(seat: string): Promise<number> {
    const seed = this.setup.seed * 1009 + this.acts.length;
    if (seat === 'chance' || seat === 'random')
      return (await this.must(this.rules.call('bot', this.table, 'random', seed)))['option'] as number;
    if (!this.bots) {
      this.bots = new EngineWorker();
      this.botTable = await this.fresh(this.bots);
    }
    const save = JSON.stringify((await this.must(this.rules.call('save', this.table)))['state']);
    this.lastSave = save;
    await this.must(this.bots.call('load', this.botTable, save));
    const agent = seat === 'bot' ? this.usualAgent() : seat;
    const answer = await this.bots.call('bot', this.botTable, agent, seed);
    if (answer.ok) return answer['option'] as number;
    return (await this.must(this.bots.call('bot', this.botTable, 'random', seed)))['option'] as number;
  }
  private usualAgent(): string {
    if (this.setup.game === 'chess') return 'alphabeta:ms=400';
    const hidden = this.state.scene?.areas.some((a) => a.visibility !== 'public');
    return hidden ? 'ismcts:iters=300' : 'mcts:iters=400';
  }

  private async recover(error: unknown): Promise<void> {
    if (this.closed) return;
    this.bots?.end();
    this.bots = null;
    this.rules.end();
    this.rules = new EngineWorker();
    try {
      this.table = await this.fresh(this.rules);
      await this.must(this.rules.call('start', this.table, this.setup.seed));
      for (const option of this.acts) await this.must(this.rules.call('apply', this.table, -2, option));
      await this.look();
      void this.goOn();
    } catch {
      this.set({ problem: String(error), pending: false });
    }
  }

  async why(request: unknown): Promise<WhyAnswer> {
    const answer = await this.rules.call('why', this.table, this.viewer(), JSON.stringify(request));
    return whyAnswer(answer);
  }
  ready(): void {}
  resign(): void {}
  offer(): void {}
  answer(): void {}
  say(): void {}
  close(): void {
    this.closed = true;
    this.rules.end();
    this.bots?.end();
    void this.lastSave;
  }
}

export function whyAnswer(answer: { [more: string]: unknown }): WhyAnswer {
  if (answer['legal'] === true) return { legal: true, message: '' };
  const reason = (answer['reason'] ?? answer['error']) as { message?: string; details?: Record<string, unknown> } | undefined;
  const details = reason?.details ?? {};
  const rule = [details['condition'], details['of']].find((d) => typeof d === 'string');
  return { legal: false, message: reason?.message ?? '', ...(typeof rule === 'string' ? { rule } : {}) };
}
