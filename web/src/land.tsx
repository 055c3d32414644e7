// A graph drawn as a map: land where places and the ways between them are, a coast around it, water elsewhere.
import type { JSX } from 'preact';
import type { Board, Scene, Stage } from './model.js';
import { namesOf, sizeOf } from './standing.js';
import { spaced } from './names.js';
import { inkOn } from './tokens.js';

type At = (p: { x: number; y: number }) => [number, number];

export function Land({ board, at }: { board: Board; at: At }): JSX.Element {
  const places = new Map(board.cells.map((c) => [c.zone, at(c)]));
  // The same shapes three times, each a little smaller: shallow water, beach, land.
  const layer = (name: string, wider: number) => (
    <g class={name}>
      {board.edges.map(([a, b]) => { const from = places.get(a), to = places.get(b); return from && to ? <line x1={from[0]} y1={from[1]} x2={to[0]} y2={to[1]} stroke-width={1150 + wider} /> : null; })}
      {board.cells.map((cell) => { const [x, y] = at(cell), [w, h] = sizeOf(board, cell); return <ellipse cx={x} cy={y} rx={w * 0.62 + wider / 2} ry={h * 0.66 + wider / 2} />; })}
    </g>
  );
  return <g class="island" aria-hidden="true">{layer('shallow', 560)}{layer('beach', 220)}{layer('land', 80)}</g>;
}

export function MapLabels({ scene, stage, board, at }: { scene: Scene; stage: Stage; board: Board; at: At }): JSX.Element {
  const markers = scene.markers.filter((m) => m.on === 'zone');
  return (
    <g class="names" aria-hidden="true">
      {board.cells.map((cell) => {
        const [x, y] = at(cell), { name, details } = namesOf(cell), [, h] = sizeOf(board, cell);
        // Pits and stores have their names beneath them, for what lies in them fills them.
        const ink = cell.color ? { style: { fill: inkOn(cell.color), stroke: 'none' } } : {};
        const beneath = cell.form === 'circle' || cell.form === 'tray';
        return (
          <g key={cell.zone} transform={`translate(${x} ${y})`}>
            <text y={beneath ? h / 2 + 210 : details.length ? 280 - h / 2 : -330} class={`node-name ${beneath ? 'beneath' : ''}`} text-anchor="middle" {...(beneath ? {} : ink)}>{spaced(name)}</text>
            {details.map((line, i) => <text y={450 - h / 2 + i * 165} class="node-detail" text-anchor="middle" {...ink}>{line}</text>)}
            {markers.map((m, i) => {
              const state = stage.markers[cell.zone]?.[m.id];
              return state ? <g transform={`translate(0 ${545 - i * 190})`}><rect x={-state.length * 40 - 80} y="-115" width={state.length * 80 + 160} height="165" rx="80" class={`marker-box marker-${m.states.indexOf(state)}`} {...(m.colors?.[state] ? { fill: m.colors[state] } : {})} /><text y="8" class="marker" text-anchor="middle">{spaced(state)}</text></g> : null;
            })}
          </g>
        );
      })}
    </g>
  );
}
