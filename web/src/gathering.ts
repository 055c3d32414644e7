// A set put together on the page, in any order, before any of it is sent: clicks toggle, a button confirms. The engine
// offers sets in one order only, so that none is met twice; so what was put together is sent in that order.
import { useLayoutEffect, useState } from 'preact/hooks';
import { useFresh } from './fresh.js';
import type { Decision, Option, Place } from './model.js';
import type { Picking, Places } from './picking.js';
import type { Room, RoomState } from './room.js';

export interface Gathering { labels: Map<string, string>; chosen: string[]; min: number; max: number }

// Null: not a set, or one of things that have no place of their own; then each choice is sent as it is made.
export function gatheringOf(decision: Decision | null, places: Places): Gathering | null {
  if (decision?.kind !== 'chooseN' || !decision.candidates?.length) return null;
  const keyOf = (ref: Place): string => (ref.zone === undefined && ref.player === undefined ? '' : places.keyOf(ref));
  const labels = new Map(decision.candidates.map((c) => [keyOf(c as Place), c.label ?? '']));
  if (labels.size < decision.candidates.length || labels.has('')) return null;
  return { labels, chosen: (decision.chosen ?? []).map((c) => keyOf(c as Place)), min: decision.min ?? 0, max: decision.max ?? labels.size };
}

// What is sent next towards the set `wanted`: a choice, the confirmation, or null where the rules do not lead there.
export function nextOf(decision: Decision, places: Places, wanted: string[]): Option | null {
  const { chosen } = gatheringOf(decision, places) ?? { chosen: [] as string[] };
  const left = wanted.filter((key) => !chosen.includes(key));
  return decision.options?.find((o) => (left.length ? left.includes(places.way(o)[0] ?? '') : o.confirm)) ?? null;
}

export interface Gathered { picking: Picking; count: number; labels: string[]; able: boolean; toggle(key: string): void; stepBack(): void; confirm(): void }

export function useGathering(room: Room, state: RoomState, places: Places | null, mine: boolean): { now: Gathered | null; sending: boolean } {
  const { decision } = state;
  const [wanted, setWanted] = useFresh<string[]>(decision, () => []);
  const [sent, setSent] = useState<string[] | null>(null);
  useLayoutEffect(() => {
    if (!sent || !places || state.pending) return;
    const option = decision?.kind === 'chooseN' && decision.options ? nextOf(decision, places, sent) : null;
    if (option) room.act(option.index);
    if (!option || option.confirm) setSent(null);
  }, [sent, decision, state.pending]);
  const gathering = mine && !sent && places ? gatheringOf(decision, places) : null;
  if (!gathering) return { now: null, sending: sent !== null };
  const all = [...gathering.chosen, ...wanted], full = all.length >= gathering.max;
  const can = new Set([...gathering.labels.keys()].filter((key) => wanted.includes(key) || (!full && !gathering.chosen.includes(key))));
  return {
    sending: false,
    now: {
      picking: { chosen: all, can, next: new Set([...can].filter((key) => !wanted.includes(key))), buttons: [], menu: [] },
      count: all.length, labels: all.map((key) => gathering.labels.get(key) ?? key), able: all.length >= gathering.min && all.length <= gathering.max,
      toggle: (key) => setWanted(wanted.includes(key) ? wanted.filter((other) => other !== key) : [...wanted, key]),
      stepBack: () => setWanted(wanted.slice(0, -1)), confirm: () => setSent(all),
    },
  };
}
