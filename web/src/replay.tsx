// A game that was played, looked at again: from this browser, from a link that holds all of it, or from a server.
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { EngineWorker, type GameSetup } from './engine_worker.js';
import { constantsText, readConstants } from './links.js';
import type { GameEvent, Outcome, Scene, Stage } from './model.js';
import { RoomBase, told, type LogLine, type Room, type WhyAnswer } from './room.js';
import { store } from './store.js';
import { TableView } from './table.js';
import { words } from './words.js';

export interface Played { setup: GameSetup & { seed: number; seats?: string[] }; acts: number[]; tags?: Record<string, string> }

// The whole game as one viewer lived through it; any moment of it can be shown.
export class ReplayRoom extends RoomBase implements Room {
  readonly local = true;
  private moments: { stage: Stage; events: GameEvent[]; log: LogLine[] }[] = [];
  private outcome: Outcome | null = null;
  private engine: EngineWorker;
  private table = 0;
  constructor(private game: Played) { super(); this.engine = new EngineWorker(game.setup); }

  async read(viewer: number): Promise<number> {
    if (!this.table) this.table = await this.engine.open(this.game.setup);
    const scene = (await this.engine.must('scene', this.table))['scene'] as Scene;
    await this.engine.must('start', this.table, this.game.setup.seed);
    const first = await this.engine.must('view', this.table, viewer);
    let log: LogLine[] = [], rev = 0;
    const moments: typeof this.moments = [{ stage: first['stage'] as Stage, events: [], log }];
    for (const act of this.game.acts) {
      const done = await this.engine.must('apply', this.table, viewer, act);
      const events = done['events'] as GameEvent[];
      log = told(log, { rev: ++rev, by: done['by'] as number | null, label: String(done['label'] ?? ''), hidden: done['hidden'] === true, events }, done['starts'] === true);
      moments.push({ stage: done['stage'] as Stage, events, log });
      this.outcome = done['outcome'] as Outcome | null;
    }
    this.moments = moments;
    this.set({ scene, link: 'live', you: viewer >= 0 ? viewer : null, seats: scene.seats.map((s) => ({ seat: s.seat, kind: 'human', name: '', ready: true, connected: true })) });
    return moments.length - 1;
  }
  show(at: number): void {
    const moment = this.moments[Math.max(0, Math.min(at, this.moments.length - 1))];
    if (!moment) return;
    const last = at >= this.moments.length - 1;
    this.set({ stage: moment.stage, lastEvents: moment.events, log: moment.log, rev: at, decision: null, outcome: last ? this.outcome : null, state: last && this.outcome ? 'over' : 'playing' });
  }
  // For `parlor replay`: every decision with its options, and how the game was opened.
  async trace(): Promise<string> {
    const { game, rules, layout, constants, seed } = this.game.setup;
    const made = await this.engine.must('trace', this.table, seed, JSON.stringify(this.game.acts));
    const opened = { game, seed, ...(rules.length ? { rules } : {}), ...(layout ? { layout } : {}), ...(constants && Object.keys(constants).length ? { set: constants } : {}) };
    return `${String(made['lines'])}${JSON.stringify({ ...(made['end'] as object), ...opened })}\n`;
  }
  // The engine stands at the end of the game: that is what is written.
  async pgn(): Promise<string> { return String((await this.engine.must('pgn', this.table))['pgn']); }
  act(): void {}
  why(): Promise<WhyAnswer> { return Promise.resolve({ legal: false, message: '' }); }
  ready(): void {}
  resign(): void {}
  offer(): void {}
  answer(): void {}
  say(): void {}
  close(): void { this.engine.end(); }
}

const fromLink = (query: URLSearchParams): Played => ({
  setup: { game: query.get('game') ?? '', players: Number(query.get('players')) || 0, rules: (query.get('rules') ?? '').split(',').filter(Boolean), seed: Number(query.get('seed')) || 1, ...(query.get('layout') ? { layout: query.get('layout')! } : {}), constants: readConstants(query.get('set')) },
  acts: (query.get('acts') ?? '').split('.').filter(Boolean).map((n) => parseInt(n, 36)),
});
const linkOf = ({ setup, acts }: Played, at: number): string =>
  `/r/link?game=${encodeURIComponent(setup.game)}&players=${setup.players}${setup.rules.length ? `&rules=${setup.rules.join(',')}` : ''}${setup.layout ? `&layout=${encodeURIComponent(setup.layout)}` : ''}${setup.constants && Object.keys(setup.constants).length ? `&set=${constantsText(setup.constants)}` : ''}&seed=${setup.seed}&acts=${acts.map((n) => n.toString(36)).join('.')}#${at}`;

// What a server gives for `parlor replay`: lines of a trace, the last with what the game was opened with.
export function fromTrace(text: string): Played {
  const lines = text.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
  const end = lines[lines.length - 1] ?? {};
  return {
    setup: { game: String(end['game']), players: Number(end['players']) || 0, rules: (end['rules'] as string[] | undefined) ?? [], seed: Number(end['seed']) || 1, ...(end['layout'] ? { layout: String(end['layout']) } : {}), constants: Object.fromEntries(Object.entries((end['set'] as object | undefined) ?? {}).map(([k, v]) => [k, String(v)])) },
    acts: lines.slice(0, -1).map((line) => Number(line['picked'])),
  };
}
async function find(id: string, query: URLSearchParams): Promise<Played> {
  if (id === 'link') return fromLink(query);
  const kept = await store.find(id);
  if (kept) return { setup: kept.setup, acts: kept.acts };
  const response = await fetch(`/api/v1/tables/${encodeURIComponent(id)}/replay`);
  if (!response.ok) throw new Error(response.status === 404 ? words.notKept : words.notOver);
  return fromTrace(await response.text());
}

function saved(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function Replay({ id, query, go }: { id: string; query: URLSearchParams; go(path: string): void }): JSX.Element {
  const [game, setGame] = useState<Played | null>(null);
  const [room, setRoom] = useState<ReplayRoom | null>(null);
  const [length, setLength] = useState(0);
  const [at, setAt] = useState(Number(location.hash.slice(1)) || 0);
  const [viewer, setViewer] = useState(-2);
  const [running, setRunning] = useState(false);
  const [speed, setSpeed] = useState(800);
  const [problem, setProblem] = useState('');
  const [copied, setCopied] = useState(false);
  const wanted = useRef(at);
  useEffect(() => {
    let made: ReplayRoom | null = null;
    void find(id, query).then(async (played) => {
      made = new ReplayRoom(played);
      const most = await made.read(viewer);
      setGame(played);
      setLength(most);
      setRoom(made);
      made.show(Math.min(wanted.current, most));
    }).catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)));
    return () => made?.close();
  }, [id]);
  const show = (n: number) => {
    const to = Math.max(0, Math.min(n, length));
    wanted.current = to;
    setAt(to);
    room?.show(to);
    history.replaceState(null, '', `${location.pathname}${location.search}#${to}`);
  };
  useEffect(() => {
    if (!running) return;
    if (at >= length) { setRunning(false); return; }
    const timer = setTimeout(() => show(at + 1), speed);
    return () => clearTimeout(timer);
  }, [running, at, length, speed]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.target instanceof SVGElement) return;
      if (event.key === 'ArrowLeft') show(at - 1);
      if (event.key === 'ArrowRight') show(at + 1);
      if (event.key === 'Home') show(0);
      if (event.key === 'End') show(length);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
  if (problem) return <main class="plain"><p role="alert">{problem}</p></main>;
  if (!room || !game) return <main class="plain"><p role="status">{words.connecting}</p></main>;
  const seats = room.state.scene?.seats ?? [];
  const look = (v: number) => { setViewer(v); void room.read(v).then(() => room.show(at)); };
  const trace = async () => saved(`${game.setup.game}.jsonl`, await room.trace(), 'application/jsonl');
  const pgn = async () => saved(`${game.setup.game}.pgn`, await room.pgn(), 'application/x-chess-pgn');
  return (
    <div class="replaying">
      <div class="replay-bar" role="group" aria-label={words.replayTitle}>
        <button type="button" class="small" aria-label={words.stepBack} disabled={at <= 0} onClick={() => show(at - 1)}>◀</button>
        <button type="button" class="small" onClick={() => { if (at >= length) show(0); setRunning(!running); }}>{running ? words.pause : words.playOn}</button>
        <button type="button" class="small" data-step="on" aria-label={words.stepOn} disabled={at >= length} onClick={() => show(at + 1)}>▶</button>
        <input type="range" min={0} max={length} value={at} aria-label={words.position} onInput={(e) => show(Number(e.currentTarget.value))} /><output>{at}/{length}</output>
        <label>{words.speed} <select value={speed} onChange={(e) => setSpeed(Number(e.currentTarget.value))}><option value={1600}>½×</option><option value={800}>1×</option><option value={400}>2×</option><option value={150}>5×</option></select></label>
        <label>{words.eyes} <select value={viewer} onChange={(e) => look(Number(e.currentTarget.value))}><option value={-2}>{words.everything}</option><option value={-1}>{words.spectator}</option>{seats.map((s) => <option key={s.seat} value={s.seat}>{s.name}</option>)}</select></label>
        <button type="button" class="small" onClick={() => { void navigator.clipboard?.writeText(new URL(linkOf(game, at), location.href).href); setCopied(true); setTimeout(() => setCopied(false), 2000); }}>{copied ? words.copied : words.copyLink}</button>
        <button type="button" class="small" data-export="trace" onClick={() => void trace()}>{words.exportTrace}</button>
        {game.setup.game === 'chess' && <button type="button" class="small" data-export="pgn" onClick={() => void pgn()}>{words.exportPgn}</button>}
        <button type="button" class="small quiet" onClick={() => go('/')}>{words.lobby}</button>
      </div>
      <TableView room={room} />
    </div>
  );
}
