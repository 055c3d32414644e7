// A board as SVG. Tokens keep their element from one state to the next, so a move is an animation of
// its place (style.css) and always ends where the state says.
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { Board, Cell, Scene, Stage, Token } from './model.js';
import { TokenArt, colorsOf } from './tokens.js';
import { words } from './words.js';

interface Props {
  scene: Scene; stage: Stage; board: Board; you: number | null;
  can: Set<string>; next: Set<string>; chosen: string[]; recent: Set<string>;
  onPlace(zone: string): void; onWhy(zone: string): void;
}

const hexPoints = (w: number) => [[0, -577], [500, -289], [500, 289], [0, 577], [-500, 289], [-500, -289]].map(([x, y]) => `${x! * w},${y! * w}`).join(' ');

function sizeOf(board: Board, cell: Cell): [number, number] {
  if (cell.size) return cell.size;
  if (cell.form?.startsWith('spike')) return [1000, 5000];
  if (board.shape === 'graph') return [1760, 1320];
  return [1000, 1000];
}

function CellShape({ board, cell }: { board: Board; cell: Cell }): JSX.Element {
  const [w, h] = sizeOf(board, cell);
  const shade = `shade-${cell.shade}`;
  const paint = cell.color ? { fill: cell.color } : {};
  if (cell.polygon) return <polygon points={cell.polygon.map((p) => p.join(',')).join(' ')} class={`cell area ${shade}`} {...paint} />;
  if (cell.form === 'spike-up' || cell.form === 'spike-down') {
    const tip = cell.form === 'spike-up' ? -h / 2 + 300 : h / 2 - 300, foot = cell.form === 'spike-up' ? h / 2 : -h / 2;
    return <g><rect x={-w / 2} y={-h / 2} width={w} height={h} class="cell clear" /><polygon points={`${-w / 2 + 40},${foot} ${w / 2 - 40},${foot} 0,${tip}`} class={`spike ${cell.color ? '' : shade}`} {...paint} /></g>;
  }
  if (board.shape === 'hex' && cell.form !== 'circle') return <polygon points={hexPoints(0.985)} class={`cell hex ${shade}`} {...paint} />;
  if (board.shape === 'graph' || cell.form === 'tray') return <rect x={-w / 2} y={-h / 2} width={w} height={h} rx={cell.tags.includes('city') || cell.form === 'town' ? h / 2.2 : 160} class={`cell node ${cell.tags.join(' ')}`} {...paint} />;
  if (board.shape === 'points') return <g><circle r={430} class="cell clear" /><circle r={130} class="dot" /></g>;
  if (board.style === 'lines') return <rect x={-500} y={-500} width={1000} height={1000} class="cell clear" />;
  if (board.style === 'holes') return <g><rect x={-500} y={-500} width={1000} height={1000} class="cell panel" /><circle r={410} class="hole" /></g>;
  return <rect x={-w / 2} y={-h / 2} width={w} height={h} class={`cell ${board.style} ${shade}`} {...paint} />;
}

// Where the tokens of a cell stand, and how large: alone, side by side, along a spike, in groups.
interface Standing { token: Token; x: number; y: number; size: number; count: number }
function standing(board: Board, cell: Cell, tokens: Token[], scene: Scene): Standing[] {
  const [, h] = sizeOf(board, cell);
  if (cell.form?.startsWith('spike') || cell.form === 'tray') {
    const room = h - 2 * 460, step = tokens.length > 1 ? Math.min(900, room / (tokens.length - 1)) : 0;
    const up = cell.form !== 'spike-down';
    return tokens.map((token, i) => ({ token, x: 0, y: (up ? h / 2 - 480 : -h / 2 + 480) + (up ? -1 : 1) * i * step, size: 440, count: 1 }));
  }
  const ground = tokens.filter((t) => scene.tokens[t.type]?.shape === 'tile');
  const pieces = tokens.filter((t) => scene.tokens[t.type]?.shape !== 'tile');
  const out: Standing[] = ground.slice(-1).map((token) => ({ token, x: 0, y: 0, size: board.shape === 'hex' ? 400 : 430, count: 1 }));
  if (board.shape === 'graph') {
    const groups = groupsOf(tokens);
    const columns = Math.min(4, Math.max(1, groups.length)), wide = 430;
    return groups.map((group, i) => ({
      token: group[0]!, count: group.length, size: groups.length > 4 ? 160 : 195,
      x: ((i % columns) - (Math.min(columns, groups.length) - 1) / 2) * wide, y: 30 + Math.floor(i / columns) * 380 - (groups.length > columns ? 170 : 0),
    }));
  }
  const big = board.shape === 'hex' ? 370 : board.style === 'lines' && board.shape !== 'points' ? 470 : board.shape === 'points' ? 400 : 400;
  if (pieces.length === 1 && ground.length === 0) return [{ token: pieces[0]!, x: 0, y: 0, size: big, count: 1 }];
  const groups = groupsOf(pieces), size = ground.length ? 150 : groups.length > 2 ? 190 : 230;
  const columns = Math.ceil(Math.sqrt(groups.length)), rows = Math.ceil(groups.length / columns);
  groups.forEach((group, i) => out.push({
    token: group[0]!, count: group.length, size,
    x: ((i % columns) - (columns - 1) / 2) * size * 2.15, y: (ground.length ? 200 : 0) + (Math.floor(i / columns) - (rows - 1) / 2) * size * 2.15,
  }));
  return out;
}
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

export function contentWords(stage: Stage, cell: Cell): string {
  const zone = stage.zones[cell.zone];
  const inside = groupsOf(zone?.tokens ?? []).map((g) => (g.length > 1 ? `${g.length} ${g[0]!.look.label}` : g[0]!.look.label));
  const markers = Object.entries(stage.markers[cell.zone] ?? {}).map(([k, v]) => `${k} ${v}`);
  return [cell.label, ...inside, ...markers].join(', ') + (inside.length ? '' : `, ${words.empty}`);
}

export function BoardView({ scene, stage, board, you, can, next, chosen, recent, onPlace, onWhy }: Props): JSX.Element {
  const flipped = you !== null && board.flipFor.includes(you);
  const at = (cell: { x: number; y: number }): [number, number] => (flipped ? [-cell.x, -cell.y] : [cell.x, cell.y]);
  const box = useMemo(() => {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const cell of board.cells) {
      const [x, y] = at(cell), [w, h] = sizeOf(board, cell);
      const tall = board.shape === 'hex' ? 577 : h / 2;
      left = Math.min(left, x - w / 2); right = Math.max(right, x + w / 2);
      top = Math.min(top, y - tall); bottom = Math.max(bottom, y + tall);
    }
    return { left, top, right, bottom };
  }, [board, flipped]);
  const names = board.coordinates.columns.length > 0 && board.shape !== 'points';
  const margin = names ? 420 : 160;
  const root = useRef<SVGSVGElement>(null);
  const zoneAt = useMemo(() => new Map(board.cells.map((c) => [c.zone, c])), [board]);

  // Arrow keys go to the nearest cell in their direction.
  const onKey = (event: KeyboardEvent, cell: Cell) => {
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); onPlace(cell.zone); return; }
    if (event.key === '?') { onWhy(cell.zone); return; }
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way) return;
    event.preventDefault();
    const [x, y] = at(cell);
    let best: Cell | null = null, least = Infinity;
    for (const other of board.cells) {
      const [ox, oy] = at(other), along = (ox - x) * way[0]! + (oy - y) * way[1]!, aside = Math.abs((ox - x) * way[1]!) + Math.abs((oy - y) * way[0]!);
      if (along <= 10) continue;
      const far = along + 3 * aside;
      if (far < least) { least = far; best = other; }
    }
    if (best) (root.current?.querySelector(`[data-cell="${CSS.escape(best.zone)}"]`) as SVGElement | null)?.focus();
  };

  const tokens: { cell: Cell; standing: Standing }[] = [];
  for (const cell of board.cells)
    for (const s of standing(board, cell, stage.zones[cell.zone]?.tokens ?? [], scene)) tokens.push({ cell, standing: s });
  // In a fixed order, so that elements keep their place in the document.
  tokens.sort((a, b) => (scene.tokens[a.standing.token.type]?.z ?? 1) - (scene.tokens[b.standing.token.type]?.z ?? 1) || (a.standing.token.id < b.standing.token.id ? -1 : 1));
  const wide = box.right - box.left + 2 * margin, tall = box.bottom - box.top + 2 * margin;
  const focusable = board.cells.find((c) => can.has(c.zone)) ?? board.cells[0];
  const marker = scene.markers.filter((m) => m.on === 'zone');

  return (
    <svg ref={root} class={`board ${board.shape} style-${board.style} ${board.background && !board.background.startsWith('#') ? `ground-${board.background}` : ''}`}
      viewBox={`${box.left - margin} ${box.top - margin} ${wide} ${tall}`} role="group" aria-label={`${scene.name}: ${words.board}`}
      style={{ '--ratio': String(wide / tall), maxWidth: `${Math.round(wide / 1000 * (board.shape === 'graph' ? 105 : 90))}px` }}>
      <rect x={box.left - margin * 0.9} y={box.top - margin * 0.9} width={wide - margin * 0.2} height={tall - margin * 0.2} rx="180" class="ground" {...(board.background?.startsWith('#') ? { fill: board.background } : {})} />
      {names && board.coordinates.columns.map((name, i) => {
        const [x] = at({ x: i * 1000, y: 0 });
        return <text x={x} y={box.bottom + margin * 0.62} class="coordinate" text-anchor="middle" aria-hidden="true">{name}</text>;
      })}
      {names && board.coordinates.rows.map((name, i) => {
        const [, y] = at({ x: 0, y: i * 1000 });
        return <text x={box.left - margin * 0.5} y={y + 90} class="coordinate" text-anchor="middle" aria-hidden="true">{name}</text>;
      })}
      {board.style === 'lines' && board.shape === 'square' && <Lines board={board} at={at} />}
      {board.edges.map(([a, b]) => {
        const from = zoneAt.get(a), to = zoneAt.get(b);
        if (!from || !to) return null;
        const [x1, y1] = at(from), [x2, y2] = at(to);
        return <line x1={x1} y1={y1} x2={x2} y2={y2} class="edge-line" />;
      })}
      {board.cells.map((cell) => {
        const [x, y] = at(cell);
        const able = can.has(cell.zone), picked = chosen.includes(cell.zone);
        return (
          <g key={cell.zone} transform={`translate(${x} ${y})`} data-cell={cell.zone} data-place={cell.zone} {...(able ? { 'data-can': '' } : {})} {...(picked ? { 'data-chosen': '' } : {})}
            class={`place ${able ? 'can' : ''} ${picked ? 'picked' : ''} ${recent.has(cell.zone) ? 'recent' : ''}`}
            role="button" {...{ tabindex: cell === focusable ? 0 : -1 } /* SVG knows only this spelling */} aria-label={contentWords(stage, cell) + (able ? `, ${words.canChoose}` : '')} aria-pressed={picked}
            aria-disabled={!able && !picked} onClick={() => onPlace(cell.zone)} onKeyDown={(e) => onKey(e as unknown as KeyboardEvent, cell)}
            onContextMenu={(e) => { e.preventDefault(); onWhy(cell.zone); }}>
            <CellShape board={board} cell={cell} />
            {board.shape === 'graph' && <text y={-430} class="node-name" text-anchor="middle" aria-hidden="true">{cell.label}</text>}
            {board.shape === 'graph' && marker.map((m, i) => {
              const state = stage.markers[cell.zone]?.[m.id];
              return state ? <text y={580 - i * 150} class={`marker marker-${m.states.indexOf(state)}`} text-anchor="middle" aria-hidden="true">{state}</text> : null;
            })}
          </g>
        );
      })}
      <g class="tokens" aria-hidden="true">
        {tokens.map(({ cell, standing: s }) => {
          const [x, y] = at(cell), dy = flipped && cell.form ? -s.y : s.y;
          return (
            <g key={s.token.id} class="token" data-token={s.token.id} style={{ transform: `translate(${x + s.x}px, ${y + dy}px)` }}>
              <TokenArt scene={scene} token={s.token} size={s.size} plain={board.shape === 'graph' && false} />
              {s.count > 1 && <g transform={`translate(${s.size * 0.8} ${s.size * 0.75})`}><circle r={Math.max(95, s.size * 0.42)} class="badge" /><text y={Math.max(38, s.size * 0.16)} font-size={Math.max(120, s.size * 0.5)} text-anchor="middle" class="badge-text">{s.count}</text></g>}
            </g>
          );
        })}
      </g>
      <g class={`marks ${next.size * 2 > board.cells.length ? 'many' : ''}`} aria-hidden="true">
        {board.cells.filter((c) => next.has(c.zone)).map((cell) => {
          const [x, y] = at(cell), [w, h] = sizeOf(board, cell);
          const empty = !stage.zones[cell.zone]?.tokens.length;
          if (board.shape === 'graph' || cell.form) return <rect x={x - w / 2} y={y - h / 2} width={w} height={h} rx="160" class="can-frame" />;
          if (board.shape === 'hex') return empty ? <circle cx={x} cy={y} r="130" class="can-dot" /> : <polygon transform={`translate(${x} ${y})`} points={hexPoints(0.9)} class="can-frame" />;
          return empty ? <circle cx={x} cy={y} r="150" class="can-dot" /> : <circle cx={x} cy={y} r="455" class="can-frame" />;
        })}
      </g>
    </svg>
  );
}

// Go: stones stand where lines cross.
function Lines({ board, at }: { board: Board; at(p: { x: number; y: number }): [number, number] }): JSX.Element {
  const columns = board.coordinates.columns.length, rows = board.coordinates.rows.length;
  const line = (x1: number, y1: number, x2: number, y2: number) => {
    const [a, b] = at({ x: x1, y: y1 }), [c, d] = at({ x: x2, y: y2 });
    return <line x1={a} y1={b} x2={c} y2={d} class="grid-line" />;
  };
  const stars = columns === rows && columns % 2 === 1 && columns >= 9
    ? (columns >= 13 ? [3, (columns - 1) / 2, columns - 4] : [2, (columns - 1) / 2, columns - 3]) : [];
  return (
    <g aria-hidden="true">
      {Array.from({ length: columns }, (_, i) => line(i * 1000, 0, i * 1000, (rows - 1) * 1000))}
      {Array.from({ length: rows }, (_, i) => line(0, i * 1000, (columns - 1) * 1000, i * 1000))}
      {stars.flatMap((c) => stars.map((r) => { const [x, y] = at({ x: c * 1000, y: r * 1000 }); return <circle cx={x} cy={y} r="75" class="star" />; }))}
    </g>
  );
}

export { colorsOf };
