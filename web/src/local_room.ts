// A table without a server: the rules run in one worker, bots think in another, so that the page
// stays quick. What was chosen is kept; when an engine breaks it is started again from there.
import { EngineWorker, firstLook, type FirstLook } from './engine_worker.js';
import type { Answer } from './engine.js';
import { eyesOf } from './eyes.js';
import { constantsText } from './links.js';
import type { Decision, GameEvent, Outcome, Scene, Stage } from './model.js';
import { held_for, untilPassed } from './passing.js';
import { RoomBase, told, whyAnswer, type Played, type Room, type RoomState, type SeatState, type WhyAnswer } from './room.js';
import type { LocalSetup } from './store.js';

const bot_pace = 420; // milliseconds: what a bot does can be seen before the next one acts

export class LocalRoom extends RoomBase implements Room {
  readonly local = true;
  private rules: EngineWorker;
  private bots: EngineWorker | null = null;
  private table = 0;
  private botTable = 0;
  private closed = false;
  private acts: number[] = [];
  private latest = 0;
  private decider = 0;
  private lastHuman = -1;

  constructor(readonly setup: LocalSetup, private keep: (acts: number[], over: boolean) => void = () => {}, private resume: number[] = []) {
    super();
    this.showFirst(); // before the engine is taken: what came early comes with it
    this.rules = EngineWorker.take(this.setup);
    void this.open().catch((error: unknown) => this.set({ problem: message(error) }));
  }

  // The link has no seed: others get cards of their own.
  get about(): Played {
    const { game, rules, seats, layout, constants, texts } = this.setup;
    if (texts) return { game: null, rules, link: null };
    const link = `${location.origin}/local?game=${encodeURIComponent(game)}${rules.length ? `&rules=${rules.join(',')}` : ''}${layout ? `&layout=${encodeURIComponent(layout)}` : ''}${constants && Object.keys(constants).length ? `&set=${constantsText(constants as Record<string, string>)}` : ''}&seats=${seats.join(',')}`;
    return { game, rules, link };
  }

  private viewer(): number { return eyesOf(this.setup.seats, this.decider, this.lastHuman); }

  private seatsOf(scene: Scene): SeatState[] {
    return scene.seats.map((s) => {
      const kind = this.setup.seats[s.seat] ?? 'bot';
      return { seat: s.seat, kind: kind === 'human' ? 'human' : 'bot', name: kind === 'human' || kind === 'bot' ? '' : kind, ready: true, connected: true };
    });
  }
  // A usual game from its beginning can be looked at before the engine is ready.
  private showFirst(): void {
    const { game, rules, constants, texts, layout, players } = this.setup;
    if (texts || layout || rules.length || Object.keys(constants ?? {}).length || this.resume.length) return;
    const show = (first: FirstLook | null): void => {
      if (!first || this.state.stage || this.closed || (players && players !== first.scene.players)) return;
      const you = eyesOf(this.setup.seats, -1, -1);
      this.set({ ...first, seats: this.seatsOf(first.scene), you: you < 0 ? null : you });
    };
    const first = firstLook(game);
    if (first instanceof Promise) first.then(show, () => undefined);
    else show(first);
  }

  private async open(): Promise<void> {
    const begun = await this.rules.begin(this.setup, this.setup.seed, this.setup.seats);
    this.table = begun['table'] as number;
    // What is shown already stays the same object: nothing of it is drawn anew then.
    const told = begun['scene'] as Scene, scene = JSON.stringify(told) === JSON.stringify(this.state.scene) ? this.state.scene! : told, seats = this.seatsOf(scene);
    this.setup.seats = seats.map((s, i) => (s.kind === 'human' ? 'human' : this.setup.seats[i] ?? 'bot'));
    this.show(begun, { scene, seats, link: 'live' });
    for (const option of this.resume) await this.apply(option);
    void this.goOn();
  }

  private async look(): Promise<void> { this.show(await this.rules.must('look', this.table, JSON.stringify(this.setup.seats), this.lastHuman)); }
  private show(seen: Answer, more: Partial<RoomState> = {}): void {
    const outcome = seen['outcome'] as Outcome | null, viewer = seen['viewer'] as number;
    this.decider = seen['decider'] as number;
    if (viewer >= 0) this.lastHuman = viewer;
    const line = this.state.log[this.state.log.length - 1];
    if (line) line.stage ??= seen['stage'] as Stage;
    this.set({
      stage: seen['stage'] as Stage, decision: seen['decision'] as Decision | null, outcome, you: viewer < 0 ? null : viewer,
      state: outcome ? 'over' : 'playing', pending: false, ...more,
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
    this.latest = Date.now();
    const rev = this.state.rev + 1, events = done['events'] as GameEvent[];
    const log = told(this.state.log, { rev, by: done['by'] as number | null, label: String(done['label'] ?? ''), hidden: done['hidden'] === true, events }, done['starts'] === true);
    this.state = { ...this.state, rev, log, lastEvents: events };
    await this.look();
    this.keep(this.acts, this.state.state === 'over');
  }

  // Bots and chance, until a person is asked.
  private async goOn(): Promise<void> {
    while (!this.closed && this.state.state === 'playing' && this.state.decision) {
      const seat = this.decider >= 0 ? this.setup.seats[this.decider] ?? 'bot' : 'chance';
      if (seat === 'human') return;
      try {
        const option = await this.think(seat);
        const wait = still() ? 0 : this.latest + this.pause(seat) - Date.now();
        if (wait > 0) await new Promise((done) => setTimeout(done, wait));
        if (this.closed) return;
        await this.apply(option);
      } catch (error) {
        await this.recover(error);
        return;
      }
    }
  }

  // What lies before everybody only for a moment is looked at first.
  private pause(seat: string): number {
    const { scene, lastEvents } = this.state;
    if (scene && untilPassed(scene, lastEvents)) return held_for;
    return seat === 'chance' || seat === 'random' ? 0 : bot_pace;
  }

  private async think(seat: string): Promise<number> {
    const seed = this.setup.seed * 1009 + this.acts.length;
    if (seat === 'chance' || seat === 'random')
      return (await this.rules.must('bot', this.table, 'random', seed))['option'] as number;
    if (!this.bots) {
      this.bots = new EngineWorker(this.setup);
      this.botTable = await this.bots.open(this.setup);
    }
    await this.bots.must('load', this.botTable, JSON.stringify((await this.rules.must('save', this.table))['state']));
    const answer = await this.bots.call('bot', this.botTable, seat === 'bot' ? this.usualAgent() : seat, seed);
    if (answer.ok) return answer['option'] as number;
    return (await this.bots.must('bot', this.botTable, 'random', seed))['option'] as number;
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
    this.rules = new EngineWorker(this.setup);
    try {
      this.table = await this.rules.open(this.setup);
      await this.rules.must('start', this.table, this.setup.seed);
      for (const option of this.acts) await this.rules.must('apply', this.table, -2, option);
      await this.look();
      this.set({ problem: message(error), pending: false });
    } catch {
      this.set({ problem: message(error), pending: false });
    }
  }

  async why(request: unknown): Promise<WhyAnswer> {
    return whyAnswer(await this.rules.call('why', this.table, this.viewer(), JSON.stringify(request)));
  }
  // Taking back goes to the last decision of a person; where chance or hidden cards would tell something, they stay the same.
  get canUndo(): boolean { return this.state.rev > 0 && this.setup.seats.includes('human'); }
  async undo(): Promise<void> {
    if (this.state.pending || !this.canUndo) return;
    this.set({ pending: true });
    const acts = [...this.acts];
    const byHuman = [...this.state.log].reverse().find((l) => l.by !== null && this.setup.seats[l.by] === 'human');
    const keepFirst = byHuman ? byHuman.rev - (byHuman.steps ?? 1) : 0;
    this.acts = [];
    this.state = { ...this.state, rev: 0, log: [], lastEvents: [] };
    await this.rules.must('start', this.table, this.setup.seed);
    await this.look();
    this.set({ pending: true });
    for (const option of acts.slice(0, keepFirst)) await this.apply(option);
    this.set({ pending: false });
    void this.goOn();
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
  }
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
