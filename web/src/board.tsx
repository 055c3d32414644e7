// A board as SVG. Tokens keep their element from one state to the next, so a move is an animation of
// its place (style.css) and always ends where the state says.
import { Component, type JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { useGestures } from './gestures.js';
import { Land, MapLabels } from './land.js';
import type { Board, Cell, Scene, Stage } from './model.js';
import { groupsOf, hexPoints, isGroove, isLoose, namesOf, sizeOf, standing, type Standing } from './standing.js';
import { inkOn, TokenArt } from './tokens.js';
import { words } from './words.js';

interface Props {
  scene: Scene; stage: Stage; board: Board; you: number | null;
  can: Set<string>; next: Set<string>; chosen: string[]; recent: Set<string>;
  onPlace(zone: string): void; onWhy(zone: string): void;
}

function CellShape({ board, cell }: { board: Board; cell: Cell }): JSX.Element {
  const [w, h] = sizeOf(board, cell);
  const shade = `shade-${cell.shade}${cell.color ? ' painted' : ''}`;
  const paint = cell.color ? { style: { '--paint': cell.color } } : {};
  if (cell.polygon) return <polygon points={cell.polygon.map((p) => p.join(',')).join(' ')} class={`cell area ${shade}`} {...paint} />;
  if (cell.form === 'spike-up' || cell.form === 'spike-down') {
    const tip = cell.form === 'spike-up' ? -h / 2 + 300 : h / 2 - 300, foot = cell.form === 'spike-up' ? h / 2 : -h / 2;
    return <g><rect x={-w / 2} y={-h / 2} width={w} height={h} class="cell clear" /><polygon points={`${-w / 2 + 40},${foot} ${w / 2 - 40},${foot} 0,${tip}`} class={`spike ${shade}`} {...paint} /></g>;
  }
  if (cell.form === 'circle') return <circle r={w / 2} class={`cell pit ${shade}`} {...paint} />;
  if (cell.form === 'tray') return <rect x={-w / 2} y={-h / 2} width={w} height={h} rx="160" class={`cell tray ${shade}`} {...paint} />;
  if (isGroove(cell)) return <rect x={-w / 2} y={-h / 2} width={w} height={h} class="cell groove" />;
  if (board.shape === 'hex') return <polygon points={hexPoints(0.985)} class={`cell hex ${shade}`} {...paint} />;
  if (board.shape === 'graph') return <rect x={-w / 2} y={-h / 2} width={w} height={h} rx={roundOf(cell, h)} class={`cell node ${cell.form === 'town' ? 'city' : ''} ${cell.tags.join(' ')} ${shade}`} {...paint} />;
  if (board.shape === 'points') return <g><circle r={430} class="cell clear" /><circle r={130} class="dot" /></g>;
  if (board.style === 'lines') return <rect x={-500} y={-500} width={1000} height={1000} class="cell clear" />;
  if (board.style === 'holes') return <g><rect x={-500} y={-500} width={1000} height={1000} class="cell panel" /><circle r={410} class="hole" /></g>;
  return <rect x={-w / 2} y={-h / 2} width={w} height={h} class={`cell ${board.style} ${shade}`} {...paint} />;
}

// Places on a map are round; those with something to read in them have room for it in their corners.
const roundOf = (cell: Cell, h: number): number => (namesOf(cell).details.length ? 300 : h / 2.2);

// What is done at cells. It stays one object while what it does changes, so that cells need not be drawn anew for it.
interface Hands { click(event: MouseEvent, cell: Cell): void; key(event: KeyboardEvent, cell: Cell): void; why(cell: Cell): void }
interface SpotProps { board: Board; cell: Cell; x: number; y: number; able: boolean; picked: boolean; recent: boolean; grid: boolean; first: boolean; label: string; hands: { current: Hands } }

// A cell, drawn anew only when something about it changed: of 361 points a move of Go changes a few.
class Spot extends Component<SpotProps> {
  override shouldComponentUpdate(next: SpotProps): boolean {
    return (Object.keys(next) as (keyof SpotProps)[]).some((key) => next[key] !== this.props[key]);
  }
  override render({ board, cell, x, y, able, picked, recent, grid, first, label, hands }: SpotProps): JSX.Element {
    return (
      <g transform={`translate(${x} ${y})`} data-cell={cell.zone} data-place={cell.zone} {...(able ? { 'data-can': '' } : {})} {...(picked ? { 'data-chosen': '' } : {})}
        class={`place ${able ? 'can' : ''} ${picked ? 'picked' : ''} ${recent ? 'recent' : ''}`}
        role={grid ? 'gridcell' : 'button'} {...{ tabindex: first ? 0 : -1 } /* SVG knows only this spelling */} aria-label={label} {...(grid ? { 'aria-selected': picked } : { 'aria-pressed': picked })}
        aria-disabled={!able && !picked} onClick={(e) => hands.current.click(e as unknown as MouseEvent, cell)} onKeyDown={(e) => hands.current.key(e as unknown as KeyboardEvent, cell)}
        onContextMenu={(e) => { e.preventDefault(); hands.current.why(cell); }}>
        <CellShape board={board} cell={cell} />
      </g>
    );
  }
}

const near_groove = 280; // thousandths of a cell

// What columns and rows are called, and where they are. Squares with grooves between them are called by their names alone.
interface Named { name: string; along: number }
function coordinatesOf(board: Board, gaps: boolean): { columns: Named[]; rows: Named[] } {
  if (!gaps) return { columns: board.coordinates.columns.map((name, i) => ({ name, along: i * 1000 })), rows: board.coordinates.rows.map((name, i) => ({ name, along: i * 1000 })) };
  const squares = board.cells.filter((c) => !isGroove(c) && /^[a-z]\d+$/.test(c.label));
  const left = Math.min(...squares.map((c) => c.x)), low = Math.max(...squares.map((c) => c.y));
  return { columns: squares.filter((c) => c.y === low).map((c) => ({ name: c.label[0]!, along: c.x })), rows: squares.filter((c) => c.x === left).map((c) => ({ name: c.label.slice(1), along: c.y })) };
}

export function contentWords(stage: Stage, cell: Cell): string {
  const zone = stage.zones[cell.zone];
  if (!zone?.tokens.length && !stage.markers[cell.zone]) return `${cell.label}, ${words.empty}`;
  const inside = groupsOf(zone?.tokens ?? []).map((g) => (g.length > 1 ? `${g.length} ${g[0]!.look.label}` : g[0]!.look.label));
  const markers = Object.entries(stage.markers[cell.zone] ?? {}).map(([k, v]) => `${k} ${v}`);
  return [cell.label, ...inside, ...markers].join(', ') + (inside.length ? '' : `, ${words.empty}`);
}

// Cells in rows, as a grid is read; a board that has none is one group.
function rowsOf(board: Board): Cell[][] {
  const row = (c: Cell) => (board.shape === 'square' ? c.row : board.shape === 'hex' ? c.r : undefined);
  if (!board.cells.every((c) => row(c) !== undefined)) return [board.cells];
  const rows = new Map<number, Cell[]>();
  for (const cell of board.cells) rows.set(row(cell)!, [...(rows.get(row(cell)!) ?? []), cell]);
  return [...rows.entries()].sort((a, b) => a[0] - b[0]).map(([, cells]) => cells);
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
  const gaps = useMemo(() => board.cells.some(isGroove), [board]);
  const { columns, rows: lines } = useMemo(() => coordinatesOf(board, gaps), [board]);
  const names = columns.length > 0 && board.shape !== 'points' && board.shape !== 'graph';
  const inside = names && board.style === 'checker'; // written into the cells at the edge
  const spikes = board.cells.some((c) => c.form?.startsWith('spike'));
  const margin = inside ? 90 : names ? 420 : spikes ? 300 : board.style === 'map' ? 520 : board.cells.some((c) => c.form === 'circle') ? 330 : 160;
  const root = useRef<SVGSVGElement>(null);
  const zoneAt = useMemo(() => new Map(board.cells.map((c) => [c.zone, c])), [board]);
  const rows = useMemo(() => rowsOf(board), [board]);
  const whole = { x: box.left - margin, y: box.top - margin, w: box.right - box.left + 2 * margin, h: box.bottom - box.top + 2 * margin };
  const gestures = useGestures(root, whole, { least: gaps ? 2 * near_groove : 1000, can, chosen, onPlace, onWhy, holds: (zone) => (stage.zones[zone]?.tokens.length ?? 0) > 0 });

  // A groove is hard to hit: beside one that can be chosen it is what was meant.
  const meant = (event: MouseEvent, cell: Cell): string => {
    const to = gaps ? root.current?.getScreenCTM()?.inverse() : undefined;
    if (!to) return cell.zone;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(to);
    const near = board.cells.find((c) => isGroove(c) && can.has(c.zone) && Math.hypot(at(c)[0] - point.x, at(c)[1] - point.y) < near_groove);
    return near?.zone ?? cell.zone;
  };

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
  const focusable = board.cells.find((c) => can.has(c.zone)) ?? board.cells[0];
  const grid = rows.length > 1;
  const hands = useRef<Hands>({ click: () => {}, key: () => {}, why: () => {} });
  hands.current = { click: (e, cell) => { if (!gestures.swallows(e)) onPlace(meant(e, cell)); }, key: onKey, why: (cell) => onWhy(cell.zone) };
  const cellView = (cell: Cell) => {
    const [x, y] = at(cell), able = can.has(cell.zone);
    return <Spot key={cell.zone} board={board} cell={cell} x={x} y={y} able={able} picked={chosen.includes(cell.zone)} recent={recent.has(cell.zone)} grid={grid}
      first={cell === focusable} label={contentWords(stage, cell) + (able ? `, ${words.canChoose}` : '')} hands={hands} />;
  };

  return (
    <div class="board-frame" style={{ '--ratio': String(whole.w / whole.h), '--units': String(Math.round(whole.w / 1000)), '--most': `${Math.round(whole.w / 1000 * (board.shape === 'graph' ? 120 : 92))}px` }}>
    <svg ref={root} class={`board ${board.shape} style-${board.style} ${board.background && !board.background.startsWith('#') ? `ground-${board.background}` : ''} ${gestures.zoomed ? 'zoomed' : ''}`}
      {...(board.background?.startsWith('#') ? { style: { '--coordinate': inkOn(board.background) } } : {})} viewBox={gestures.viewBox} role={grid ? 'grid' : 'group'} aria-label={`${scene.name}: ${words.board}`} {...gestures.handlers}>
      <rect x={whole.x + 10} y={whole.y + 10} width={whole.w - 20} height={whole.h - 20} rx={inside ? 70 : 180} {...(board.background?.startsWith('#') ? { class: 'ground painted', style: { '--paint': board.background } } : { class: 'ground' })} />
      {board.style === 'map' && board.shape === 'graph' && <Land board={board} at={at} />}
      {names && !inside && columns.map(({ name, along }) => {
        const [x] = at({ x: along, y: 0 });
        return <text x={x} y={box.bottom + margin * 0.62} class="coordinate" text-anchor="middle" aria-hidden="true">{name}</text>;
      })}
      {names && !inside && lines.map(({ name, along }) => {
        const [, y] = at({ x: 0, y: along });
        return <text x={box.left - margin * 0.5} y={y + 90} class="coordinate" text-anchor="middle" aria-hidden="true">{name}</text>;
      })}
      {spikes && board.cells.filter((c) => c.form?.startsWith('spike')).map((cell) => { // points are called by their numbers, written at their feet
        const [x, y] = at(cell), below = (cell.form === 'spike-up') !== flipped;
        return <text x={x} y={y + (below ? 1 : -1) * (sizeOf(board, cell)[1] / 2 + 150) + 75} class="coordinate point-name" text-anchor="middle" aria-hidden="true">{cell.label}</text>;
      })}
      {board.style === 'lines' && board.shape === 'square' && <Lines board={board} at={at} />}
      {board.edges.map(([a, b]) => {
        const from = zoneAt.get(a), to = zoneAt.get(b);
        if (!from || !to) return null;
        const [x1, y1] = at(from), [x2, y2] = at(to);
        return <line x1={x1} y1={y1} x2={x2} y2={y2} class="edge-line" />;
      })}
      {board.sides && <Sides scene={scene} board={board} at={at} flipped={flipped} />}
      {grid ? rows.map((cells, i) => <g key={i} role="row">{cells.map(cellView)}</g>) : board.cells.map(cellView)}
      {inside && <g class="inner-names" aria-hidden="true">
        {board.coordinates.columns.map((name, i) => { const [x] = at({ x: i * 1000, y: 0 }); return <text x={x + 440} y={box.bottom - 60} text-anchor="end" class={`inner shade-${shadeAt(board, flipped ? 0 : board.coordinates.rows.length - 1, i)}`}>{name}</text>; })}
        {board.coordinates.rows.map((name, i) => { const [, y] = at({ x: 0, y: i * 1000 }); return <text x={box.left + 55} y={y - 270} class={`inner shade-${shadeAt(board, i, flipped ? board.coordinates.columns.length - 1 : 0)}`}>{name}</text>; })}
      </g>}
      {board.shape === 'graph' && <MapLabels scene={scene} stage={stage} board={board} at={at} />}
      <g class="tokens" aria-hidden="true">
        {tokens.map(({ cell, standing: s }) => {
          const [x, y] = at(cell), dy = flipped && cell.form ? -s.y : s.y;
          const held = gestures.held === cell.zone && s === lastOf(tokens, cell);
          return (
            <g key={s.token.id} class={`token ${held ? 'held' : ''}`} data-token={s.token.id} style={{ transform: `translate(${x + s.x + (held ? gestures.by[0] : 0)}px, ${y + dy + (held ? gestures.by[1] : 0)}px)` }}>
              <g class="token-art"><TokenArt scene={scene} token={s.token} size={s.size} bar={s.bar} under={s.under} />
                {s.count > 1 && <g transform={`translate(${s.size * 0.8} ${s.size * 0.75})`}><circle r={Math.max(95, s.size * 0.42)} class="badge" /><text y={Math.max(38, s.size * 0.16)} font-size={Math.max(120, s.size * 0.5)} text-anchor="middle" class="badge-text">{s.count}</text></g>}</g>
            </g>
          );
        })}
      </g>
      <g class="ending" aria-hidden="true">
        {(stage.lines ?? []).map((row) => { // drawn from the middle of the first cell to that of the last, and a little beyond
          const first = zoneAt.get(row[0]!), last = zoneAt.get(row[row.length - 1]!);
          if (!first || !last) return null;
          const [x1, y1] = at(first), [x2, y2] = at(last), far = Math.hypot(x2 - x1, y2 - y1) || 1, dx = ((x2 - x1) / far) * 330, dy = ((y2 - y1) / far) * 330;
          return ['ending-edge', 'ending-line'].map((kind) => <line key={row.join() + kind} x1={x1 - dx} y1={y1 - dy} x2={x2 + dx} y2={y2 + dy} class={kind} />);
        })}
      </g>
      <g class="counts" aria-hidden="true">
        {board.cells.filter((c) => isLoose(c, stage.zones[c.zone]?.tokens ?? [])).map((cell) => {
          const [x, y] = at(cell), [w, h] = sizeOf(board, cell), many = stage.zones[cell.zone]!.count ?? '?';
          return <g key={cell.zone} transform={cell.form === 'circle' ? `translate(${x + w * 0.37} ${y + h * 0.37})` : `translate(${x} ${y - h / 2 + 60})`}><circle r="165" class="badge" /><text y="66" font-size="190" text-anchor="middle" class="badge-text">{many}</text></g>;
        })}
      </g>
      <g class={`marks ${next.size * 2 > board.cells.length ? 'many' : ''}`} aria-hidden="true">
        {board.cells.filter((c) => next.has(c.zone)).map((cell) => {
          const [x, y] = at(cell), [w, h] = sizeOf(board, cell);
          const empty = !stage.zones[cell.zone]?.tokens.length;
          if (cell.form === 'circle') return <circle cx={x} cy={y} r={w / 2 - 20} class="can-frame" />;
          if (board.shape === 'graph' || cell.form) return <rect x={x - w / 2 + 20} y={y - h / 2 + 20} width={w - 40} height={h - 40} rx={board.shape === 'graph' && cell.form !== 'tray' ? roundOf(cell, h) : 160} class="can-frame" />;
          if (board.shape === 'hex') return empty ? <circle cx={x} cy={y} r="130" class="can-dot" /> : <polygon transform={`translate(${x} ${y})`} points={hexPoints(0.9)} class="can-frame" />;
          if (isGroove(cell)) return <circle cx={x} cy={y} r={Math.min(w, h) * 0.36} class="can-dot groove-dot" />;
          if (empty) return <circle cx={x} cy={y} r="150" class="can-dot" />;
          return chosen.length ? <circle cx={x} cy={y} r="440" class="can-frame take" /> : <rect x={x - 455} y={y - 455} width="910" height="910" rx="120" class="can-frame" />;
        })}
      </g>
    </svg>
    {gestures.controls}
    </div>
  );
}
const lastOf = (tokens: { cell: Cell; standing: Standing }[], cell: Cell): Standing | undefined => tokens.filter((t) => t.cell === cell).pop()?.standing;
const shadeAt = (board: Board, row: number, col: number): number => board.cells.find((c) => c.row === row && c.col === col)?.shade ?? 0;

// Sides that belong to somebody have their colour: a band along the outer edges of the cells there.
const hex_edges = { top: '-500,-289 0,-577 500,-289', bottom: '-500,289 0,577 500,289', left: '-500,-289 -500,289 0,577', right: '500,289 500,-289 0,-577' };
const square_edges = { top: '-500,-500 500,-500', bottom: '-500,500 500,500', left: '-500,-500 -500,500', right: '500,-500 500,500' };
function Sides({ scene, board, at, flipped }: { scene: Scene; board: Board; at(p: { x: number; y: number }): [number, number]; flipped: boolean }): JSX.Element {
  const edges = board.shape === 'hex' ? hex_edges : square_edges;
  const row = (c: Cell) => (board.shape === 'hex' ? c.r : c.row) ?? 0, col = (c: Cell) => (board.shape === 'hex' ? c.q : c.col) ?? 0;
  const [lastRow, lastCol] = [Math.max(...board.cells.map(row)), Math.max(...board.cells.map(col))];
  const there = { top: (c: Cell) => row(c) === 0, bottom: (c: Cell) => row(c) === lastRow, left: (c: Cell) => col(c) === 0, right: (c: Cell) => col(c) === lastCol };
  return (
    <g class="sides" aria-hidden="true">
      {(['top', 'bottom', 'left', 'right'] as const).flatMap((side) => {
        const seat = scene.seats[board.sides?.[side] ?? -1];
        if (!seat) return [];
        return board.cells.filter(there[side]).map((c) => { const [x, y] = at(c); return <polyline key={side + c.zone} points={edges[side]} transform={`translate(${x} ${y})${flipped ? ' rotate(180)' : ''}`} stroke={seat.color} class="side-band" />; });
      })}
    </g>
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
