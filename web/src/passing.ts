// What came to lie before everybody and was taken away by the same move, as the last card of a trick: the page shows it for a
// moment before it shows what is so now. Nobody has to wait for that: what can be chosen can be clicked meanwhile, and the next
// update ends it.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { GameEvent, Scene, Stage, Token, Zone } from './model.js';

export const held_for = 1000; // milliseconds

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

// How many of the events lead to that moment; 0: there is none.
export function untilPassed(scene: Scene, events: GameEvent[]): number {
  const open = new Set(scene.areas.filter((a) => a.owner === null && a.layout !== 'none' && a.visibility === 'public').map((a) => a.id));
  const came = new Map<string, number>();
  let until = 0;
  events.forEach((event, i) => {
    const { token, from, to } = event.data;
    if (event.kind !== 'tokenMoved' || event.settled || typeof token !== 'string') return;
    const arrived = came.get(`${token} ${text(from)}`);
    if (arrived !== undefined) until = Math.max(until, arrived + 1);
    if (open.has(text(to)) && from !== to) came.set(`${token} ${text(to)}`, i);
  });
  return until;
}

// The stage after some moves of things. Only what lies where is changed: the rest becomes true with the next stage. Null: these
// events do not go on from this stage, as when somebody steps back through a game.
export function moved(stage: Stage, events: GameEvent[]): Stage | null {
  const zones: Record<string, Zone> = { ...stage.zones };
  const change = (id: string, by: number, tokens: (old: Token[]) => Token[]): void => {
    const zone = zones[id];
    if (zone) zones[id] = { count: zone.count === null ? null : Math.max(0, zone.count + by), tokens: tokens(zone.tokens) };
  };
  for (const { kind, data } of events) {
    if (kind !== 'tokenMoved' || data['from'] === data['to']) continue;
    const from = text(data['from']), to = text(data['to']), known = zones[from]?.tokens.find((t) => t.id === data['token']);
    if (typeof data['token'] === 'string' && !known && zones[from] && zones[from].count === zones[from].tokens.length) return null;
    const token = (data['shown'] as Token | undefined) ?? known;
    change(from, -1, (old) => old.filter((t) => t !== known));
    change(to, 1, (old) => (token ? [...old, token] : old));
  }
  return { ...stage, zones };
}

export interface Shown { stage: Stage | null; events: GameEvent[] }
export function usePassing(scene: Scene | null, stage: Stage | null, events: GameEvent[]): Shown {
  const before = useRef<Shown>({ stage, events }), held = useRef<{ of: GameEvent[]; passed: number; stage: Stage } | null>(null);
  const [, wake] = useState<GameEvent[] | null>(null);
  if (events !== before.current.events && held.current?.of !== events) {
    const was = before.current.stage, passed = scene && was ? untilPassed(scene, events) : 0;
    const between = was && passed && moved(was, events) ? moved(was, events.slice(0, passed)) : null;
    held.current = between ? { of: events, passed, stage: between } : null;
  }
  const now = held.current;
  useLayoutEffect(() => { before.current = { stage, events }; }, [stage, events]);
  useEffect(() => {
    if (!now) return;
    const timer = setTimeout(() => { if (held.current === now) { held.current = null; wake(events); } }, held_for);
    return () => clearTimeout(timer);
  }, [now]);
  const parts = useRef<{ of: GameEvent[]; first: GameEvent[]; rest: GameEvent[] } | null>(null);
  if (now && parts.current?.of !== events) parts.current = { of: events, first: events.slice(0, now.passed), rest: events.slice(now.passed) };
  if (now) return { stage: now.stage, events: parts.current!.first };
  return { stage, events: parts.current?.of === events ? parts.current.rest : events };
}
