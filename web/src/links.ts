// What links say about a game: its name, rules, numbers, set-up and seats.
import type { GameSetup } from './requests.js';

export const constantsText = (set: Record<string, string>): string => Object.entries(set).map(([k, v]) => `${k}:${v}`).join(',');
export const readConstants = (text: string | null): Record<string, string> =>
  Object.fromEntries((text ?? '').split(',').filter(Boolean).map((part) => { const at = part.indexOf(':'); return [part.slice(0, at), part.slice(at + 1)]; }));

export const seatsIn = (query: URLSearchParams): string[] => (query.get('seats') ?? 'human,bot').split(',').filter(Boolean);
export function gameIn(query: URLSearchParams): GameSetup {
  const seats = seatsIn(query), constants = readConstants(query.get('set'));
  return {
    game: query.get('game') ?? 'tic-tac-toe', players: Number(query.get('players')) || (seats.length > 1 ? seats.length : 0), rules: (query.get('rules') ?? '').split(',').filter(Boolean),
    ...(query.get('layout') ? { layout: query.get('layout')! } : {}), ...(Object.keys(constants).length ? { constants } : {}),
  };
}
// The same game, however its setup was put together.
export const keyOf = ({ game, players, rules, layout, constants, texts }: GameSetup): string => JSON.stringify([game, players, rules, layout ?? '', constants ?? {}, texts ?? null]);
