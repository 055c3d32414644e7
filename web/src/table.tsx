// A table: board, areas, seats, what can be chosen, what happened.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { About } from './about.js';
import { AreaView } from './areas.js';
import { useFitting } from './fitting.js';
import { useFresh } from './fresh.js';
import { useGathering } from './gathering.js';
import { sitDown } from './lobby.js';
import { BoardView } from './board.js';
import type { GameEvent, Option, Scene, Stage, Token, Variable } from './model.js';
import { beep } from './sound.js';
import { useMotion } from './motion.js';
import { spaced } from './names.js';
import { usePassing } from './passing.js';
import { Picker, Places } from './picking.js';
import type { Room, RoomState, WhyAnswer } from './room.js';
import { Talk } from './talk.js';
import { TableDoor } from './door.js';
import { Die } from './tokens.js';
import { words } from './words.js';

export function useRoom(room: Room): RoomState {
  const [state, setState] = useState(room.state);
  useEffect(() => {
    setState(room.state);
    return room.subscribe(() => setState(room.state));
  }, [room]);
  return state;
}

function zonesIn(events: GameEvent[]): Set<string> {
  const out = new Set<string>();
  for (const event of events) {
    if (event.settled || (event.kind !== 'tokenMoved' && event.kind !== 'tokenCreated')) continue;
    for (const end of ['from', 'to']) if (typeof event.data[end] === 'string') out.add(event.data[end] as string);
  }
  return out;
}

// Cells are called as the board calls them: "place cell_0_2" is "place 0,2".
export function inWords(scene: Scene | null, text: string): string {
  if (!scene || !/_n?\d/.test(text)) return text;
  return text.replace(/[\w-]+?(?:_n?\d+)+/g, (name) => cellNames(scene).get(name) ?? name);
}
// "play-two, 6, 1" is "play two: 6, 1".
function spoken(scene: Scene | null, label: string): string {
  const text = named(scene, inWords(scene, label)), action = scene?.actions.find((a) => text === a.label || text.startsWith(`${a.label},`) || text.startsWith(`${a.label} `));
  if (!action) return text;
  const rest = text.slice(action.label.length).replace(/^,\s*/, ': ');
  return spaced(action.label) + rest;
}
// Names of the text with hyphens in them, of places and of kinds of pieces, are read as words: "port-aurel" is "port aurel".
function named(scene: Scene | null, text: string): string {
  return scene && text.includes('-') ? text.replace(/[a-z\d]+(?:-[a-z\d]+)+/g, (name) => (name in scene.tokens || cellNames(scene).has(name) ? spaced(name) : name)) : text;
}
const known = new WeakMap<Scene, Map<string, string>>();
function cellNames(scene: Scene): Map<string, string> {
  let names = known.get(scene);
  if (!names) known.set(scene, (names = new Map(scene.boards.flatMap((b) => b.cells.map((c) => [c.zone.replace(/:none$/, ''), c.label] as const)))));
  return names;
}

const shown = (value: number | boolean | string | undefined): string => (value === undefined ? '?' : typeof value === 'boolean' ? (value ? '✓' : '–') : String(value).replace(/:none$/, ''));

function tokenCalled(stage: Stage, id: unknown): Token | undefined {
  if (typeof id !== 'string' || !/^tok_/.test(id)) return undefined;
  for (const zone of Object.values(stage.zones)) for (const token of zone.tokens) if (token.id === id) return token;
  return undefined;
}

function Numbers({ scene, stage, list, values }: { scene: Scene; stage: Stage; list: Variable[]; values: Record<string, number | boolean | string> }): JSX.Element | null {
  const seen = list.filter((v) => v.show && values[v.name] !== undefined && !(v.type === 'bool' && values[v.name] === false));
  if (!seen.length) return null;
  return <dl class="numbers">{seen.flatMap((v) => {
    // Of a piece that belongs to somebody the numbers it carries are shown, as what is in its pack.
    const token = tokenCalled(stage, values[v.name]), carried = Object.entries(token?.props ?? {}).filter(([name, n]) => typeof n === 'number' && name !== 'owner');
    if (carried.length) return carried.map(([name, n]) => <div key={`${v.name} ${name}`}><dt>{spaced(name)}</dt><dd>{String(n)}</dd></div>);
    return [<div key={v.name}><dt>{spaced(v.label)}</dt><dd>{token ? token.look.label : v.values?.[String(values[v.name])] ?? inWords(scene, shown(values[v.name]))}</dd></div>];
  })}</dl>;
}

// `alone`: one person at this screen, who is spoken to.
function resultWords(state: RoomState, alone: boolean): string {
  const { outcome, scene, you } = state;
  if (!outcome || !scene) return words.over;
  const winners = outcome.winners;
  if (winners.length === 0) return words.draw;
  if (winners.length === scene.players) return words.shared;
  if (you !== null && alone) return winners.includes(you) ? words.youWin : words.youLose;
  return `${winners.map((w) => scene.seats[w]?.name ?? w).join(', ')} ${winners.length > 1 ? words.win : words.wins}`;
}

// What the end was worth to each, where it was more than winning or losing.
function scoreWords({ outcome, scene }: RoomState): JSX.Element | null {
  if (!outcome || !scene || outcome.returns.every((worth) => Math.abs(worth) <= 1)) return null;
  return <span class="worth">{outcome.returns.map((worth, i) => <span key={i}><span class="seat-dot" style={{ background: scene.seats[i]?.color ?? 'gray' }} />{spaced(scene.seats[i]?.name ?? '')} {worth}</span>)}</span>;
}

// What just happened, and what was rolled.
function LastMove({ state }: { state: RoomState }): JSX.Element | null {
  const line = [...state.log].reverse().find((l) => l.by !== state.you) ?? state.log[state.log.length - 1];
  if (!line || !state.scene) return null;
  const seat = line.by === null ? undefined : state.scene.seats[line.by];
  const more = line.events.filter((e) => e.label && (e.kind === 'note' || (e.kind === 'rolled' && e.data['result'] !== undefined && e.data['result'] !== null))).map((e) => inWords(state.scene, e.label!));
  const text = `${seat ? `${spaced(seat.name)}: ` : ''}${[spoken(state.scene, line.label), ...more].filter(Boolean).join(' · ')}`;
  return <span class="last" title={text}>{seat && <span class="seat-dot" style={{ background: seat.color }} />}<span class="said">{text}</span></span>;
}

// Dice that the rules roll and nobody keeps: they lie on the table until the next move.
function Rolled({ state }: { state: RoomState }): JSX.Element | null {
  const line = state.log[state.log.length - 1];
  const rolls = (line?.events ?? []).filter((e) => e.kind === 'rolled' && !e.settled && typeof e.data['result'] === 'number');
  if (!line || !rolls.length || rolls.length > 8 || rolls.some((e) => e.data['min'] !== 1 || e.data['max'] !== 6)) return null;
  return <p class="rolled" aria-hidden="true">{rolls.map((e, i) => <svg key={`${line.rev} ${i}`} class="chip die-chip" viewBox="-500 -500 1000 1000"><Die value={e.data['result'] as number} size={430} /></svg>)}</p>;
}

function Status({ state, step, gathered, alone, local }: { state: RoomState; step: boolean; gathered: number | null; alone: boolean; local: boolean }): JSX.Element {
  const { decision, scene, you } = state;
  if (!scene) return <p class="status">{words.connecting}</p>;
  if (state.state === 'over') return <p class="status over"><strong>{resultWords(state, alone)}</strong> <span>{state.outcome?.reason.replace(/-/g, ' ')}</span>{scoreWords(state)}</p>;
  if (state.state === 'waiting') return <p class="status">{state.problem ?? (state.link === 'live' ? words.waitingForPlayers : local ? words.preparing : words.connecting)}</p>;
  const decider = decision?.decider;
  if (decider === 'chance') return <p class="status">{words.chance}…</p>;
  const seat = typeof decider === 'number' ? scene.seats[decider] : undefined;
  const mine = decision?.options !== undefined && (you === decider || decision.pending?.includes(you ?? -1));
  return (
    <p class={`status ${mine ? 'mine' : ''}`}>
      {seat && <span class="seat-dot" style={{ background: seat.color }} />}
      {mine ? <strong>{alone || !seat ? words.yourTurn : spaced(seat.name)}</strong> : <span>{seat ? spaced(seat.name) : ''} {words.thinking}</span>}
      {mine && decision?.question ? <span class="question">{words.choose}: {spaced(decision.question)}</span> : null}
      {mine && decision?.kind === 'chooseN' ? <span class="question">{gathered ?? decision.chosen?.length ?? 0} {words.of} {decision.min === decision.max ? decision.max : `${decision.min}–${decision.max}`}</span> : null}
      {mine && step ? <span class="hint">{matchMedia('(pointer: coarse)').matches ? words.stepTouch : words.step}</span> : null}
      {!step && <LastMove state={state} />}
    </p>
  );
}

// Each action's options as people count: a2 before a11. Actions keep the order of the rules. (Intl.Collator could do this too, but it
// takes longer to make one than to draw a board.)
const counted = (label: string): string => label.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(9, '0'));
function inOrder(options: Option[]): Option[] {
  const actions = new Map<string, { option: Option; key: string }[]>();
  for (const option of options) { const action = option.action ?? '', line = { option, key: counted(option.label) }, list = actions.get(action); if (list) list.push(line); else actions.set(action, [line]); }
  return [...actions.values()].flatMap((list) => (list.some((o) => o.option.confirm) ? list : list.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))).map((o) => o.option));
}

// The options as a list one can type into: keyboard, screen readers, games without a board.
function Command({ scene, options, act, why }: { scene: Scene; options: Option[]; act(o: Option): void; why(text: string): void }): JSX.Element {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const fit = useMemo(() => {
    const parts = wanted.split(/\s+/).filter(Boolean);
    return inOrder(options).filter((o) => parts.every((part) => inWords(scene, o.label).toLowerCase().includes(part) || o.text.toLowerCase().includes(part)));
  }, [wanted, options]);
  const [at, setAt] = useFresh(fit, () => 0);
  const exact = options.find((o) => o.text.toLowerCase() === wanted || o.label.toLowerCase() === wanted);
  const submit = () => {
    if (wanted.startsWith('why ')) why(text.trim().slice(4));
    else if (exact) act(exact);
    else if (fit[at]) act(fit[at]!);
    else if (wanted) why(text.trim());
    setText('');
  };
  const onKey = (event: JSX.TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') { event.preventDefault(); setAt(Math.min(at + 1, fit.length - 1)); }
    if (event.key === 'ArrowUp') { event.preventDefault(); setAt(Math.max(at - 1, 0)); }
    if (event.key === 'Enter') { event.preventDefault(); submit(); }
  };
  const first = Math.max(0, Math.min(at - 40, fit.length - 80));
  return (
    <section class="command" aria-label={words.options}>
      <h3><label for="command">{words.options} <small>{options.length || ''}</small></label></h3>
      <input id="command" type="text" autocomplete="off" spellcheck={false} placeholder={words.command} title={words.commandHelp} value={text}
        role="combobox" aria-expanded={fit.length > 0} aria-controls="option-list" aria-activedescendant={fit[at] ? `option-${fit[at]!.index}` : undefined}
        onInput={(e) => setText(e.currentTarget.value)} onKeyDown={onKey} />
      <ul id="option-list" role="listbox" aria-label={words.options} tabIndex={-1}>
        {fit.slice(first, first + 80).map((o, i) => (
          <li key={o.index} id={`option-${o.index}`} role="option" aria-selected={first + i === at} class={first + i === at ? 'at' : ''} data-list-option={o.index} onClick={() => act(o)}>{spoken(scene, o.label)}</li>
        ))}
        {options.length === 0 && <li class="nothing" role="option" aria-disabled="true" aria-selected="false">{words.noOptions}</li>}
      </ul>
    </section>
  );
}

function Log({ state, shown, show, undo }: { state: RoomState; shown: number | null; show(rev: number | null): void; undo: (() => void) | null }): JSX.Element {
  const [filter, setFilter] = useState('');
  const end = useRef<HTMLOListElement>(null);
  useEffect(() => { if (end.current) end.current.scrollTop = end.current.scrollHeight; }, [state.rev]);
  const lines = state.log.filter((line) => !filter || line.label.toLowerCase().includes(filter.toLowerCase()) || line.events.some((e) => e.label?.toLowerCase().includes(filter.toLowerCase())));
  const text = () => state.log.map((l) => `${l.rev}. ${l.by === null ? '' : state.scene?.seats[l.by]?.name ?? ''} ${l.label}`).join('\n');
  return (
    <section class="log" aria-label={words.log}>
      <h3>{words.log} <input type="search" placeholder={words.filter} aria-label={words.filter} value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
        <button type="button" class="small" onClick={() => void navigator.clipboard?.writeText(text())}>{words.copyLog}</button>{undo && <button type="button" class="small" onClick={undo}>{words.takeBack}</button>}</h3>
      <LookBack state={state} shown={shown} show={show} />
      <ol ref={end} tabIndex={0} aria-label={words.log}>
        {lines.slice(-200).map((line) => {
          const more = line.events.filter((e) => e.label && !e.settled);
          return (
            <li key={line.rev} class={shown === line.rev ? 'at' : ''}>
              <button type="button" class="line" disabled={!line.stage} onClick={() => show(line.rev)} title={words.position}><span class="rev">{line.rev}</span>{line.by !== null && state.scene?.seats[line.by] ? <span class="seat-dot" style={{ background: state.scene.seats[line.by]!.color }} /> : <span class="seat-dot none" />}{spoken(state.scene, line.label) || '…'}</button>
              {more.length > 1 && <details><summary title={words.moves}>{more.length}</summary><ul>{more.slice(0, 60).map((e, i) => <li key={i}>{inWords(state.scene, e.label!)}</li>)}</ul></details>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

// Back to any position of this game, to look at; the game goes on meanwhile.
function LookBack({ state, shown, show }: { state: RoomState; shown: number | null; show(rev: number | null): void }): JSX.Element | null {
  const lines = state.log.filter((l) => l.stage);
  if (lines.length < 2) return null;
  const at = shown === null ? lines.length - 1 : lines.findIndex((l) => l.rev === shown);
  const to = (i: number) => show(i >= lines.length - 1 ? null : lines[Math.max(0, i)]!.rev);
  return (
    <p class="look-back">
      <button type="button" class="small" aria-label={words.stepBack} disabled={at <= 0} onClick={() => to(at - 1)}>◀</button>
      <input type="range" min={0} max={lines.length - 1} value={at} aria-label={words.position} onInput={(e) => to(Number(e.currentTarget.value))} />
      <button type="button" class="small" aria-label={words.stepOn} disabled={shown === null} onClick={() => to(at + 1)}>▶</button>
      {shown !== null && <button type="button" class="small" onClick={() => show(null)}>{words.now}</button>}
    </p>
  );
}

// Options without a place. Many that differ in one number are a slider; all of them are in the list beside the board too.
function Buttons({ scene, options, alone, act }: { scene: Scene; options: Option[]; alone: boolean; act(o: Option): void }): JSX.Element {
  const groups = new Map<string, Option[]>();
  for (const o of options) { const key = o.confirm ? '' : o.action ?? ''; groups.set(key, [...(groups.get(key) ?? []), o]); }
  const numberOf = (o: Option): number | null => { const ints = o.refs.filter((r) => r.kind === 'int'); return ints.length === 1 && o.refs.length === 1 && typeof ints[0]!['value'] === 'number' ? (ints[0]!['value'] as number) : null; };
  return (
    <div class="buttons">{[...groups].map(([key, group]) => {
      if (group.length > 8 && group.every((o) => numberOf(o) !== null)) return <Amount key={`amount ${key}`} scene={scene} options={group} act={act} />;
      return group.map((o) => <button key={o.index} type="button" class={o.confirm || alone ? 'primary' : ''} data-can="" data-option={o.index} onClick={() => act(o)}>{o.confirm ? words.confirm : spoken(scene, o.label)}</button>);
    })}</div>
  );
}
function Amount({ scene, options, act }: { scene: Scene; options: Option[]; act(o: Option): void }): JSX.Element {
  const [at, setAt] = useFresh(`${options.length} ${options[0]?.id}`, () => 0);
  const chosen = options[Math.min(at, options.length - 1)]!;
  return (
    <span class="amount"><button type="button" data-can="" data-option={chosen.index} onClick={() => act(chosen)}>{spoken(scene, chosen.label)}</button>
      <input type="range" min={0} max={options.length - 1} value={at} aria-label={spaced(chosen.action ?? words.choose)} aria-valuetext={chosen.label} onInput={(e) => setAt(Number(e.currentTarget.value))} /></span>
  );
}

function Menu({ scene, options, act, close }: { scene: Scene; options: Option[]; act(o: Option): void; close(): void }): JSX.Element {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), [options]);
  return (
    <div class="menu" role="group" aria-label={words.choose}>
      {options.map((o, i) => <button key={o.index} ref={i === 0 ? first : undefined} type="button" data-can="" data-option={o.index} onClick={() => act(o)}>{spoken(scene, o.label)}</button>)}
      <button type="button" class="quiet" onClick={close}>{words.back}</button>
    </div>
  );
}

// A computer is called by how well it plays where it is one of those the page offers, else as somebody wrote it.
const usual_bots = ['', 'bot', 'alphabeta:ms=400', 'mcts:iters=400', 'ismcts:iters=300'], strong_bots = ['alphabeta:ms=2000', 'mcts:iters=2500', 'ismcts:iters=2000'];
function botWords(name: string): string {
  if (usual_bots.includes(name)) return words.bot;
  return `${words.bot} (${name === 'random' ? words.weak : strong_bots.includes(name) ? words.strong : name})`;
}

function SeatPanel({ index, state, areaProps, can, onPlace }: { index: number; state: RoomState; areaProps: Parameters<typeof AreaView>[0] extends infer P ? Omit<P & object, 'area'> : never; can: boolean; onPlace(p: string): void }): JSX.Element {
  const scene = state.scene!, stage = (areaProps as { stage: Stage }).stage, seat = scene.seats[index]!, who = state.seats[index];
  const active = state.state === 'playing' && (state.decision?.decider === index || !!state.decision?.pending?.includes(index));
  const areas = scene.areas.filter((a) => a.owner === index && a.place === 'seat');
  const won = state.outcome?.winners.includes(index);
  return (
    <section class={`seat ${active ? 'active' : ''} ${state.you === index ? 'own' : ''}`} aria-label={seat.name}>
      <header {...(can ? { 'data-can': '', 'data-place': `seat:${index}`, role: 'button', tabIndex: 0, onClick: () => onPlace(`seat:${index}`), onKeyDown: (e: KeyboardEvent) => { if (e.key === 'Enter') onPlace(`seat:${index}`); } } : {})} class={can ? 'can' : ''}>
        <span class="seat-dot" style={{ background: seat.color }} />
        <strong>{spaced(seat.name)}</strong>
        <span class="who">{who ? (who.kind === 'bot' ? botWords(who.name) : state.you === index ? words.you : who.name || words.human) : ''}</span>
        {active && <span class="turn-mark" aria-hidden="true" />}
        {who && !who.connected && <span class="away">{who.standIn ? words.standIn : words.away}</span>}
        {won ? <span class="won">★ {words.wins}</span> : null}
        {state.clock && state.clock.left[index] != null ? <ClockFace left={state.clock.left[index]!} at={state.clock.at} running={state.clock.running.includes(index)} /> : null}
      </header>
      <Numbers scene={scene} stage={stage} list={scene.variables.players} values={stage.players[index] ?? {}} />
      <div class="seat-areas">{areas.map((area) => <AreaView key={area.id} area={area} {...(areaProps as object as Omit<Parameters<typeof AreaView>[0], 'area'>)} />)}</div>
    </section>
  );
}

function ClockFace({ left, at, running }: { left: number; at: number; running: boolean }): JSX.Element {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick((n) => n + 1), 200);
    return () => clearInterval(timer);
  }, [running]);
  const now = Math.max(0, running ? left - (Date.now() - at) : left);
  const seconds = Math.ceil(now / 1000), short = now < 10000;
  useEffect(() => { if (running && short && seconds > 0) beep(); }, [seconds, short, running]);
  return <time class={`clock ${short ? 'short' : ''} ${running ? 'running' : ''}`}>{Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}</time>;
}

// What can wait until something has been drawn: false in the first frame.
function useAfterwards(begun: boolean): boolean {
  const [whole, setWhole] = useState(false);
  useEffect(() => {
    if (!begun || whole) return;
    const timer = setTimeout(() => setWhole(true)); // effects run after a frame
    return () => clearTimeout(timer);
  }, [begun]);
  return whole;
}

// What an option means when it is asked about: the words a person typed, or a click on a place.
// `inside`: it is a part of another view.
export function TableView({ room, onAgain, onReplay, onSeat, inside }: { room: Room; onAgain?: () => void; onReplay?: () => void; onSeat?: () => void; inside?: boolean }): JSX.Element {
  const Root = inside ? 'section' : 'main';
  const state = useRoom(room);
  const { scene, decision } = state;
  const [shown, setShown] = useState<number | null>(null);
  const past = shown === null ? null : state.log.find((l) => l.rev === shown)?.stage ?? null;
  const stage = past ?? state.stage;
  const [why, setWhy] = useFresh<WhyAnswer | null>(state.rev, () => null);
  const places = useMemo(() => (scene && stage ? new Places(scene, stage) : null), [scene, stage]);
  const asked = past === null && state.state === 'playing' && state.link === 'live' && !state.pending && decision?.options !== undefined;
  const { now: gathered, sending } = useGathering(room, state, places, asked);
  const mine = asked && !sending;
  const picker = useMemo(() => new Picker(mine ? decision : null, places ?? new Places(emptyScene, emptyStage)), [decision, mine, places]);
  const [chosen, setChosen] = useFresh(picker, () => picker.start());
  const recent = useMemo(() => zonesIn(state.lastEvents), [state.lastEvents]);
  const root = useRef<HTMLElement>(null);
  const whole = useAfterwards(stage !== null);
  useFitting(root, stage !== null && !inside);
  const passing = usePassing(scene, state.stage, state.lastEvents), seen = past ?? passing.stage;
  useMotion(root, seen, passing.events);
  const picking = gathered?.picking ?? picker.look(chosen);
  const lastLine = state.log[state.log.length - 1];
  const heard = lastLine ? `${lastLine.by === null ? '' : `${scene?.seats[lastLine.by]?.name ?? ''}: `}${spoken(scene, lastLine.label)}` : '';

  const act = (option: Option) => { setChosen(picker.start()); room.act(option.index); };
  const onPlace = (place: string) => {
    if (!mine) return;
    if (gathered && picking.can.has(place)) { gathered.toggle(place); return; }
    if (!picking.can.has(place)) {
      if (chosen.length > picker.given) setChosen(picker.start());
      else if (!picking.menu.length) askPlace(place);
      return;
    }
    const next = picker.click(picking.chosen, place);
    if ('option' in next) { act(next.option); return; }
    const then = picker.look(next.chosen), meant = then.next.size ? [] : places?.distinct(then.menu) ?? [];
    if (meant.length === 1) act(meant[0]!);
    else setChosen(next.chosen);
  };
  const ask = (request: unknown) => void room.why(request).then(setWhy);
  const askPlace = (place: string) => {
    if (!mine || !scene || !decision) return;
    // What somebody meant who clicks here: the usual action with this place in it.
    const model = picker.ways.find((w) => w.way.length > 0)?.option;
    if (!model) return;
    const params: Record<string, unknown> = {};
    const free = model.refs.filter((r) => r.kind === 'zone' || r.kind === 'token');
    const given = picking.chosen.slice(picker.given);
    free.forEach((r, i) => { const v = [...given, place][i]; if (r.p && v !== undefined) params[r.p] = v; });
    ask(model.action ? { action: model.action, params } : { value: place });
  };
  const stepBack = () => { if (gathered) gathered.stepBack(); else setChosen(chosen.length > picker.given ? chosen.slice(0, -1) : chosen); };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => { if (event.key === 'Escape') { stepBack(); setWhy(null); } };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  if (scene && !stage && state.state === 'waiting' && state.link === 'live' && room.served) return <WaitingRoom room={room} state={state} onSeat={onSeat ?? (() => {})} />;
  if (!scene || !stage || !seen || !places)
    return <Root class="table" data-state="waiting" data-rev={state.rev}><p class="status">{state.problem ?? words.connecting}</p></Root>;
  const props = { scene, stage: seen, places, can: picking.can, chosen: picking.chosen, onPlace, onWhy: askPlace };
  const told = gathered?.labels ?? (decision?.chosen ?? []).map((c) => c.label ?? String(c.zone ?? c.token ?? c['value']));
  const areasAt = (place: string) => scene.areas.filter((a) => a.place === place && a.layout !== 'none' && stage.zones[a.id]);
  // What is empty and cannot be clicked takes no room beside the board.
  const sideAreas = areasAt('side').filter((a) => places.layoutOf(a.id) === 'pile' || stage.zones[a.id]!.count !== 0 || picking.can.has(a.id));
  const order = scene.seats.map((s) => s.seat);
  const own = state.you ?? 0;
  const others = [...order.slice(own + 1), ...order.slice(0, own)];
  const seat = (index: number) => <SeatPanel key={index} index={index} state={state} areaProps={props} can={picking.can.has(`seat:${index}`)} onPlace={onPlace} />;
  return (
    <Root ref={root as never} class={`table ${scene.boards.length ? 'with-board' : 'without-board'} players-${scene.players}`} data-state={state.state} data-rev={state.rev} data-you={state.you ?? ''} data-decider={decision ? String(decision.decider) : ''} data-pending={state.pending ? '' : undefined}>
      <a class="skip" href="#command" onClick={(e) => { e.preventDefault(); document.getElementById('command')?.focus(); }}>{words.options}</a>
      {state.link !== 'live' && !room.local && <p class="banner" role="alert">{state.link === 'lost' ? words.lost : words.connecting}</p>}
      <div class="stage">
        <div class="others">{others.map(seat)}</div>
        {past ? <p class="status past"><strong>{words.lookingBack}</strong> <button type="button" class="small" onClick={() => setShown(null)}>{words.now}</button></p> : <Status state={state} step={chosen.length > picker.given} gathered={gathered?.count ?? null} local={room.local} alone={!room.local || state.seats.filter((s) => s.kind === 'human').length === 1} />}
        <div class="center">
          {!scene.boards.length && !past && <Rolled state={state} />}
          {areasAt('center').map((area) => <AreaView key={area.id} area={area} {...props} />)}
          {scene.boards.map((board) => <BoardView key={board.id} scene={scene} stage={seen} board={board} you={state.you} can={picking.can} next={picking.next} chosen={picking.chosen} recent={recent} onPlace={onPlace} onWhy={askPlace} />)}
        </div>
        <div class="choices" role="group" aria-label={words.choose}>
          {mine && told.length > 0 ? <p class="picked-list">{told.map((label, i) => <span key={i} data-chosen="" class="picked-item">{label}</span>)}</p> : null}
          {gathered?.able ? <div class="buttons"><button type="button" class="primary" data-can="" data-option="confirm" onClick={gathered.confirm}>{words.confirm}</button></div> : null}
          {picking.menu.length ? <Menu scene={scene} options={places.distinct(picking.menu)} act={act} close={stepBack} /> : null}
          {mine && picking.buttons.length > 0 && <Buttons scene={scene} options={picking.buttons} alone={decision?.options?.length === 1} act={act} />}
          {state.next && <div class="buttons"><a class="primary" href={`/t/${state.next}`}>{words.again}</a></div>}
          {state.state === 'over' && <div class="buttons">
            {!room.local && state.you !== null && !state.next && <button type="button" class="primary" onClick={() => room.offer('rematch')}>{words.again}</button>}
            {onAgain && <button type="button" class="primary" onClick={onAgain}>{words.again}</button>}{onReplay && <button type="button" data-replay="" onClick={onReplay}>{words.replay}</button>}
          </div>}
          {why && <div class="why" role="status"><strong>{why.legal ? words.canChoose : words.wasRefused}</strong> {why.message}{why.rule ? <code>{why.rule}</code> : null} <button type="button" class="small" onClick={() => setWhy(null)}>{words.close}</button></div>}
          {state.problem && <p class="problem" role="alert">{state.problem}</p>}
        </div>
        {seat(own)}
      </div>
      <aside class="side">{whole && <>
        {room.about && !inside && <About played={room.about} name={scene.name} />}
        <Numbers scene={scene} stage={stage} list={scene.variables.globals} values={stage.globals} />
        {Object.entries(stage.globalMarkers).length > 0 && <dl class="numbers">{Object.entries(stage.globalMarkers).map(([k, v]) => <div key={k}><dt>{spaced(k)}</dt><dd>{spaced(v)}</dd></div>)}</dl>}
        {sideAreas.length > 0 && <section class="side-areas">{sideAreas.map((area) => <AreaView key={area.id} area={area} {...props} />)}</section>}
        <Log state={state} shown={past ? shown : null} show={setShown} undo={room.undo && state.rev > 0 && !state.pending ? () => void room.undo!() : null} />
        <Command scene={scene} options={mine ? decision!.options! : []} act={act} why={(text) => ask(text)} />
        {!room.local && <Talk room={room} state={state} />}
      </>}</aside>
      <div class="live" aria-live="polite">{heard}</div>
    </Root>
  );
}

// Before it begins: who is there, and who may still come.
function WaitingRoom({ room, state, onSeat }: { room: Room; state: RoomState; onSeat(): void }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const [problem, setProblem] = useState('');
  const sit = () => void sitDown({ id: room.served!, seats: state.seats }, onSeat).catch((e: unknown) => setProblem(e instanceof Error ? e.message : String(e)));
  return (
    <main class="table waiting-room" data-state="waiting" data-rev={state.rev} data-you={state.you ?? ''} data-decider="">
      <h1>{state.scene?.name}</h1>
      <p class="status">{words.waitingForPlayers}</p>
      <ul class="kept">{state.seats.map((s) => (
        <li key={s.seat}><span class="seat-dot" style={{ background: state.scene?.seats[s.seat]?.color ?? 'gray' }} /><strong>{spaced(state.scene?.seats[s.seat]?.name ?? '')}</strong>
          <span class="hint">{s.kind === 'open' ? words.openSeat : `${s.name || s.kind}${s.seat === state.you ? ` (${words.you})` : ''} · ${s.ready ? words.ready : '…'}`}</span>
          {s.kind === 'open' && state.you === null && <button type="button" class="primary" data-can="" data-place={`seat:${s.seat}`} onClick={sit}>{words.sit}</button>}</li>
      ))}</ul>
      {state.you !== null && state.seats[state.you] && !state.seats[state.you]!.ready && <button type="button" class="primary" onClick={() => room.ready()}>{words.ready}</button>}
      <p class="hint">{words.waitingHint}</p>
      <button type="button" onClick={() => { void navigator.clipboard?.writeText(TableDoor.link(room.served!)); setCopied(true); }}>{copied ? words.copied : words.share}</button>
      {(state.problem || problem) && <p class="problem" role="alert">{state.problem || problem}</p>}
    </main>
  );
}

const emptyScene = { boards: [], areas: [] } as unknown as Scene;
const emptyStage = { zones: {} } as unknown as Stage;
