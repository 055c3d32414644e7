// A table as the page sees it, wherever the rules run: behind a socket or in this browser.
import type { Decision, GameEvent, Outcome, Scene, Stage } from './model.js';

export interface SeatState { seat: number; kind: 'open' | 'human' | 'bot'; name: string; ready: boolean; connected: boolean; awaySince?: number | null; standIn?: boolean }
// `stage` is how the table looked afterwards.
// `steps` is how many decisions the line stands for.
// `hidden`: something of it is kept from whoever looks.
export interface LogLine { rev: number; by: number | null; label: string; hidden?: boolean; events: GameEvent[]; stage?: Stage | null; steps?: number }
export interface Clock { running: number[]; left: (number | null)[]; at: number; kind: string }
export interface ChatLine { from: string; text: string }

export interface RoomState {
  link: 'connecting' | 'live' | 'lost';
  state: 'waiting' | 'playing' | 'over';
  scene: Scene | null;
  stage: Stage | null;
  decision: Decision | null;
  rev: number;
  you: number | null;
  seats: SeatState[];
  clock: Clock | null;
  outcome: Outcome | null;
  log: LogLine[];
  chat: ChatLine[];
  offers: { kind: string; by: number }[];
  lastEvents: GameEvent[];
  pending: boolean;       // an act is on its way
  problem: string | null; // what was refused last, for people
  next: string | null;    // the table where it goes on
}

export interface WhyAnswer { legal: boolean; message: string; rule?: string }

// Which of the games there are (a text of the editor is none), by which house rules, as links write them, and the address to send to others.
export interface Played { game: string | null; rules: string[]; link: string | null }

export interface Room {
  readonly state: RoomState;
  subscribe(listener: () => void): () => void;
  act(option: number): void;
  why(request: unknown): Promise<WhyAnswer>;
  ready(): void;
  resign(): void;
  offer(kind: string): void;
  answer(kind: string, yes: boolean): void;
  say(text: string): void;
  claim?(what: string, seat: number): void; // of somebody who has been away for `claimAfter` milliseconds
  readonly claimAfter?: number;
  undo?(): Promise<void>;
  close(): void;
  readonly local: boolean;
  readonly served?: string; // its name at the server
  readonly about?: Played;
}

// A whole move is one line: choices inside it are added to the action they belong to.
export function told(log: LogLine[], line: LogLine, starts: boolean): LogLine[] {
  const last = log[log.length - 1];
  if (starts || !last || last.by !== line.by) return [...log, { ...line, steps: 1 }];
  // What nobody here may know is said once.
  const label = [last.label, line.hidden && last.hidden && last.label.endsWith(line.label) ? '' : line.label].filter(Boolean).join(', ');
  return [...log.slice(0, -1), { ...line, label, events: [...last.events, ...line.events], steps: (last.steps ?? 1) + 1 }];
}

export function whyAnswer(answer: { [more: string]: unknown }): WhyAnswer {
  if (answer['legal'] === true) return { legal: true, message: '' };
  const reason = (answer['reason'] ?? answer['error']) as { message?: string; details?: Record<string, unknown> } | undefined;
  const details = reason?.details ?? {};
  const rule = [details['condition'], details['of']].find((d) => typeof d === 'string');
  return { legal: false, message: reason?.message ?? '', ...(typeof rule === 'string' ? { rule } : {}) };
}

export const nobody: RoomState = {
  link: 'connecting', state: 'waiting', scene: null, stage: null, decision: null, rev: 0, you: null,
  seats: [], clock: null, outcome: null, log: [], chat: [], offers: [], lastEvents: [], pending: false, problem: null, next: null,
};

export abstract class RoomBase {
  state: RoomState = nobody;
  private listeners = new Set<() => void>();
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  protected set(change: Partial<RoomState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}
