// Where the tokens of a cell stand, and how large: alone, side by side, along a spike, in groups, scattered in a pit.
import type { Board, Cell, Scene, Token } from './model.js';

export const hexPoints = (w: number): string => [[0, -577], [500, -289], [500, 289], [0, 577], [-500, 289], [-500, -289]].map(([x, y]) => `${x! * w},${y! * w}`).join(' ');

export function sizeOf(board: Board, cell: Cell): [number, number] {
  if (cell.size) return cell.size;
  if (cell.form?.startsWith('spike')) return [1000, 5000];
  if (cell.form === 'circle') return [960, 960];
  if (board.shape === 'graph') return [1760, 1320];
  return [1000, 1000];
}

// Grooves between squares are narrow.
export const isGroove = (cell: Cell): boolean => cell.row !== undefined && cell.size !== undefined && Math.min(...cell.size) < 500;
// What belongs to nobody lies in a pit as it fell.
export const isLoose = (cell: Cell, tokens: Token[]): boolean => (cell.form === 'circle' || cell.form === 'tray') && tokens.length > 0 && tokens.every((t) => t.look.seat === null);

// `bar`: the token fills this much, as a wall does. `under`: others stand on its lower half.
export interface Standing { token: Token; x: number; y: number; size: number; count: number; bar?: [number, number]; under?: boolean }
const golden = 2.399963; // radians: seeds of a sunflower lie so, and never upon one another
function scattered(tokens: Token[], [w, h]: [number, number]): Standing[] {
  const most = Math.max(tokens.length, 8);
  return tokens.map((token, i) => {
    const far = Math.sqrt((i + 0.5) / most), turn = i * golden;
    return { token, x: Math.round(far * Math.cos(turn) * (w / 2 - 190)), y: Math.round(far * Math.sin(turn) * (h / 2 - 190)), size: 105, count: 1 };
  });
}
export function standing(board: Board, cell: Cell, tokens: Token[], scene: Scene): Standing[] {
  const [w, h] = sizeOf(board, cell);
  if (isLoose(cell, tokens)) return scattered(tokens, [w, h]);
  if (isGroove(cell)) return tokens.slice(-1).map((token) => ({ token, x: 0, y: 0, size: Math.min(w, h) / 2, count: 1, bar: [w, h] }));
  if (cell.form?.startsWith('spike') || cell.form === 'tray') {
    const room = h - 2 * 460, step = tokens.length > 1 ? Math.min(900, room / (tokens.length - 1)) : 0;
    const up = cell.form !== 'spike-down';
    return tokens.map((token, i) => ({ token, x: 0, y: (up ? h / 2 - 480 : -h / 2 + 480) + (up ? -1 : 1) * i * step, size: 440, count: 1 }));
  }
  const ground = tokens.filter((t) => scene.tokens[t.type]?.shape === 'tile');
  const pieces = tokens.filter((t) => scene.tokens[t.type]?.shape !== 'tile');
  const out: Standing[] = ground.slice(-1).map((token) => ({ token, x: 0, y: 0, size: board.shape === 'hex' ? 400 : 430, count: 1, under: pieces.length > 0 }));
  if (board.shape === 'graph') {
    const groups = groupsOf(tokens), columns = Math.min(4, Math.max(1, groups.length)), under = namesOf(cell).details.length ? h / 2 - 350 : 60;
    return groups.map((group, i) => ({
      token: group[0]!, count: group.length, size: groups.length > 4 ? 165 : 205,
      x: ((i % columns) - (Math.min(columns, groups.length) - 1) / 2) * 450, y: under + Math.floor(i / columns) * 390 - (groups.length > columns ? 170 : 0),
    }));
  }
  const big = board.shape === 'hex' ? 370 : board.style === 'lines' && board.shape !== 'points' ? 470 : 405;
  if (pieces.length === 1 && ground.length === 0) return [{ token: pieces[0]!, x: 0, y: 0, size: big, count: 1 }];
  const groups = groupsOf(pieces), size = ground.length ? 150 : groups.length > 2 ? 190 : 230;
  const columns = Math.ceil(Math.sqrt(groups.length)), rows = Math.ceil(groups.length / columns);
  groups.forEach((group, i) => out.push({
    token: group[0]!, count: group.length, size,
    x: ((i % columns) - (columns - 1) / 2) * size * 2.15, y: (ground.length ? 200 : 0) + (Math.floor(i / columns) - (rows - 1) / 2) * size * 2.15,
  }));
  return out;
}

// "sawmill (3 wood for 4 points)" is a name and, in lines that fit, what there is to know about it.
export function namesOf(cell: Cell): { name: string; details: string[] } {
  const [, name = cell.label, more = ''] = /^(.*?)\s*\((.*)\)$/.exec(cell.label) ?? [];
  const details: string[] = [];
  for (const word of more.split(' ').filter(Boolean)) {
    const last = details[details.length - 1];
    if (last !== undefined && last.length + word.length < 19) details[details.length - 1] = `${last} ${word}`;
    else details.push(word);
  }
  return { name, details };
}

// Those that look alike are one with a number.
export function groupsOf(tokens: Token[]): Token[][] {
  const groups = new Map<string, Token[]>();
  for (const token of tokens) {
    const key = `${token.type}|${token.look.label}|${token.look.seat}|${token.look.badges.join()}|${token.look.color ?? ''}`;
    const group = groups.get(key);
    if (group) group.push(token);
    else groups.set(key, [token]);
  }
  return [...groups.values()];
}
