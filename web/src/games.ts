// What games there are: those the page was built with, and whether there is a server behind it.
import { api, type GameLine } from './api.js';
import { asset } from './files.js';
import { built } from 'virtual:built';

export interface Rule { id: string; name: string; description: string; category: string; requires: string[]; incompatibleWith: string[]; layout?: string }
export interface LocalGame extends GameLine { rules: Rule[]; hidden?: boolean; chance?: boolean; seats?: string[]; constants: Record<string, number | string | boolean>; ranges: Record<string, { min: number; max: number }> }
interface Index { games: LocalGame[] }

let index: Promise<Index> | null = null;
export function gameIndex(): Promise<Index> {
  return (index ??= fetch(asset('games/index.json')).then(async (r) => (r.ok ? ((await r.json()) as Index) : { games: [] })));
}
export const localGames = async (): Promise<LocalGame[]> => (await gameIndex()).games;

let server: Promise<boolean> | null = null;
export function hasServer(): Promise<boolean> { return (server ??= api.get('/games').then(() => true, () => false)); }

// A person against the usual bots, at once: here, where the page has the engine.
export function quickLink(game: Pick<GameLine, 'id' | 'players'>, online = !built.plays): string {
  const seats = ['human', ...Array.from({ length: Math.max(0, game.players.min - 1) }, () => 'bot')].join(',');
  return `${online ? '/new' : '/local'}?game=${encodeURIComponent(game.id)}&seats=${seats}`;
}

// A rule as it is chosen, and as links and the command line write it: id[:side][@turns].
export interface Chosen { id: string; side: string; turns: number }
export const written = (rule: Chosen): string => `${rule.id}${rule.side ? `:${rule.side}` : ''}${rule.turns > 0 ? `@${rule.turns}` : ''}`;
export function readRule(text: string): Chosen {
  const [, id = text, side = '', turns = '0'] = /^([^:@]+)(?::([^@]+))?(?:@(\d+))?$/.exec(text) ?? [];
  return { id, side, turns: Number(turns) };
}
// Which chosen rules a rule does not go with; none: it can be added.
export function obstacles(rule: Rule, chosen: Chosen[], all: Rule[]): Rule[] {
  return all.filter((other) => chosen.some((c) => c.id === other.id) && (rule.incompatibleWith.includes(other.id) || other.incompatibleWith.includes(rule.id)));
}
export function withNeeds(rule: Rule, chosen: Chosen[]): Chosen[] {
  const missing = rule.requires.filter((id) => !chosen.some((c) => c.id === id));
  return [...chosen, ...missing.map((id) => ({ id, side: '', turns: 0 })), { id: rule.id, side: '', turns: 0 }];
}
