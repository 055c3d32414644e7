// A table at a server: docs/server.md, sections 4 and 5.
import { patched, type Decision, type GameEvent, type Outcome, type Scene, type Stage } from './model.js';
import { RoomBase, told, whyAnswer, type Clock, type LogLine, type Played, type Room, type SeatState, type WhyAnswer } from './room.js';
import { api, type TableFacts } from './api.js';
import { TableDoor } from './door.js';

interface LogEntry { revision: number; actor: number | null; label?: string; hidden?: boolean; starts?: boolean }
type Frame = { t: string; [more: string]: unknown };

export class SocketRoom extends RoomBase implements Room {
  readonly local = false;
  private socket: WebSocket | null = null;
  private tries = 0;
  private closed = false;
  private seq = 0;
  private calls = new Map<string, (frame: Frame) => void>();
  private next = 1;
  private offset = 0;
  private offsets: number[] = [];
  private pings: number | undefined;
  private heard = 0;

  readonly claimAfter: number;

  constructor(private id: string, private table: TableFacts, private token: string | null, private invite: string | null = null) {
    super();
    this.claimAfter = 1000 * (table.claimAfter ?? (table.clock?.startsWith('days') ? 600 : 60));
    void api.scene(table).then((scene) => this.set({ scene: scene as Scene })).catch((e: unknown) => this.set({ problem: String(e) }));
    this.connect(); // side by side; nothing is drawn before both are there
  }

  private connect(): void {
    if (this.closed) return;
    const url = new URL(`/api/v1/tables/${encodeURIComponent(this.id)}/ws`, location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(url, 'parlor.1');
    this.socket = socket;
    socket.onopen = () => {
      const hello: Frame = { t: 'hello', as: this.token ? 'seat' : 'watch' };
      if (this.token) hello['token'] = this.token;
      if (this.seq > 0) hello['since'] = { rev: this.state.rev, seq: this.seq };
      if (this.invite) hello['invite'] = this.invite;
      socket.send(JSON.stringify(hello));
      this.heard = Date.now();
      this.pings = setInterval(() => this.ping(), 700) as unknown as number;
    };
    socket.onmessage = (event) => { this.heard = Date.now(); this.take(JSON.parse(String(event.data)) as Frame); };
    socket.onclose = () => this.again(socket);
    socket.onerror = () => socket.close();
  }
  // 0.5, 1, 2, 4 … 15 seconds, each a little different.
  private again(socket: WebSocket): void {
    if (this.socket !== socket || this.closed) return;
    clearInterval(this.pings);
    this.socket = null;
    this.set({ link: 'lost', pending: false });
    const wait = Math.min(15000, 500 * 2 ** this.tries++) * (0.8 + 0.4 * Math.random());
    setTimeout(() => this.connect(), wait);
  }
  private ping(): void {
    // With the time between pings a silent line is shown within three seconds.
    if (Date.now() - this.heard > 2200) { const dead = this.socket; dead?.close(); if (dead) this.again(dead); return; }
    this.send({ t: 'ping', c: Date.now() });
  }
  private send(frame: Frame): boolean {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  private take(frame: Frame): void {
    if (typeof frame['seq'] === 'number') this.seq = frame['seq'];
    switch (frame.t) {
      case 'welcome': this.tries = 0; this.set({ you: typeof frame['you'] === 'number' ? frame['you'] : null, link: 'live' }); break;
      case 'sync': this.sync(frame); break;
      case 'update': this.update(frame); break;
      case 'pong': this.measure(frame); break;
      case 'ack': this.set({ pending: false }); break;
      case 'reject': this.set({ pending: false, problem: (frame['error'] as { message?: string } | undefined)?.message ?? 'refused' }); break;
      case 'why': this.calls.get(String(frame['id']))?.(frame); this.calls.delete(String(frame['id'])); break;
      case 'chat': this.set({ chat: [...this.state.chat, { from: String(frame['from'] ?? frame['author'] ?? ''), text: String(frame['text'] ?? '') }] }); break;
      case 'presence': this.set({ seats: this.state.seats.map((s) => (s.seat === frame['seat'] ? { ...s, connected: frame['on'] === true, awaySince: frame['on'] === true ? null : Date.now() } : s)) }); break;
      case 'offer': case 'offers': this.set({ offers: (frame['offers'] as { kind: string; by: number }[] | undefined) ?? this.state.offers }); break;
      case 'over': this.set({ state: 'over', outcome: frame['outcome'] as Outcome, decision: null }); break;
      case 'seats': this.set({ seats: this.seatsOf(frame['seats']) }); break;
      case 'rematch': this.again_at(frame); break;
      case 'clock': this.set({ clock: this.clockOf(frame['clock']) }); break;
      case 'bye': this.socket?.close(); break;
    }
  }
  private again_at(frame: Frame): void {
    const table = String(frame['table']);
    if (typeof frame['seatToken'] === 'string') TableDoor.keep(table, frame['seatToken']);
    this.set({ next: table });
  }
  private seatsOf(list: unknown): SeatState[] {
    if (!Array.isArray(list)) return this.state.seats;
    return list.map((s: Record<string, unknown>, i) => {
      // Computers are always there, and so is whoever reads this.
      const connected = s['kind'] !== 'human' || i === this.state.you || s['connected'] !== false;
      return {
        seat: typeof s['seat'] === 'number' ? s['seat'] : i, kind: (s['kind'] as SeatState['kind'] | undefined) ?? 'open', name: String(s['handle'] || s['agent'] || ''), ready: s['ready'] === true,
        connected, awaySince: connected ? null : this.state.seats[i]?.awaySince ?? Date.now(), standIn: s['standIn'] === true,
      };
    });
  }
  private clockOf(clock: unknown): Clock | null {
    if (!clock || typeof clock !== 'object') return null;
    const c = clock as Record<string, unknown>;
    if (!Array.isArray(c['left'])) return null;
    return { kind: String(c['rule'] ?? ''), left: c['left'] as (number | null)[], running: (c['running'] as number[] | undefined) ?? [], at: Number(c['now'] ?? Date.now() + this.offset) - this.offset };
  }
  private sync(frame: Frame): void {
    const outcome = (frame['outcome'] ?? null) as Outcome | null;
    const state = frame['state'] as Stage | null;
    this.set({
      stage: state, lastEvents: [], decision: (frame['decision'] ?? null) as Decision | null, rev: Number(frame['rev'] ?? 0), seats: this.seatsOf(frame['seats']),
      chat: ((frame['chat'] as { author?: string; text?: string }[] | undefined) ?? []).map((c) => ({ from: String(c.author ?? ''), text: String(c.text ?? '') })),
      clock: this.clockOf(frame['clock']), offers: (frame['offers'] as { kind: string; by: number }[] | undefined) ?? [], outcome,
      state: outcome || frame['tableState'] === 'finished' ? 'over' : state ? 'playing' : 'waiting', link: 'live', pending: false,
    });
    const known = this.state.log[this.state.log.length - 1]?.rev ?? 0;
    if (state && known < this.state.rev) void this.readLog(this.state.rev);
  }
  // What was done before one came, or while one was away: labels only, positions are told as they happen.
  private async readLog(until: number): Promise<void> {
    const known = new Map(this.state.log.map((l) => [l.rev, l]));
    let log: LogLine[] = [];
    for (let from: number | null = 1; from !== null && from <= until;) {
      const answer: { [more: string]: unknown } | null = await api.get(`/tables/${encodeURIComponent(this.id)}/log?from=${from}`, this.token, this.invite).catch(() => null);
      for (const e of (answer?.['entries'] ?? []) as LogEntry[]) {
        if (e.label === undefined || e.revision > until) continue;
        log = told(log, { rev: e.revision, by: e.actor, label: e.label, hidden: e.hidden === true, events: [] }, e.starts === true);
      }
      from = (answer?.['next'] as number | null | undefined) ?? null;
    }
    if (log.length) this.set({ log: [...log.map((l) => known.get(l.rev) ?? l), ...this.state.log.filter((l) => l.rev > until)] });
  }
  private update(frame: Frame): void {
    const events = (frame['events'] ?? []) as GameEvent[];
    const by = typeof frame['by'] === 'number' ? frame['by'] : null;
    const rev = Number(frame['rev']), starts = this.state.decision?.starts !== false;
    const stage = frame['state'] ? (frame['state'] as Stage) : this.state.stage ? patched(this.state.stage, (frame['patch'] ?? {}) as Record<string, unknown>) : null;
    this.set({
      stage, decision: (frame['decision'] ?? null) as Decision | null, rev, lastEvents: events, pending: false, problem: null,
      log: told(this.state.log, { rev, by, label: String(frame['label'] ?? ''), hidden: frame['hidden'] === true, events, stage }, starts),
      ...(frame['clock'] ? { clock: this.clockOf(frame['clock']) } : {}),
    });
  }
  // The server's time, by the median of five answers.
  private measure(frame: Frame): void {
    const sent = Number(frame['c']), now = Number(frame['now']);
    if (!Number.isFinite(sent) || !Number.isFinite(now)) return;
    this.offsets = [...this.offsets.slice(-4), now - (sent + Date.now()) / 2];
    this.offset = [...this.offsets].sort((a, b) => a - b)[Math.floor(this.offsets.length / 2)] ?? 0;
  }

  act(option: number): void {
    if (this.state.pending) return;
    if (this.send({ t: 'act', id: `c${Date.now()}-${this.next++}`, rev: this.state.rev, option })) this.set({ pending: true, problem: null });
  }
  why(request: unknown): Promise<WhyAnswer> {
    const id = `w${this.next++}`;
    return new Promise((done) => {
      this.calls.set(id, (frame) => done(whyAnswer(frame)));
      this.send({ t: 'why', id, rev: this.state.rev, request });
    });
  }
  get served(): string { return this.id; }
  get about(): Played { return { game: this.table.game, rules: this.table.rules ?? [], link: TableDoor.link(this.id) }; }
  ready(): void { if (this.token) void api.post(`/tables/${this.id}/ready`, {}, this.token); }
  resign(): void { this.send({ t: 'resign', id: `r${this.next++}` }); }
  offer(kind: string): void { this.send({ t: 'offer', kind }); }
  answer(kind: string, yes: boolean): void { this.send({ t: 'answer', kind, yes }); }
  claim(what: string, seat: number): void { this.send({ t: 'claim', what, seat }); }
  say(text: string): void { this.send({ t: 'chat', text }); }
  close(): void { this.closed = true; clearInterval(this.pings); this.socket?.close(); void this.seq; }
}
