// How single tokens are drawn, on boards (SVG) and beside them (DOM).
import type { JSX } from 'preact';
import type { Scene, Seat, Token } from './model.js';
import { spaced } from './names.js';
import { pieceDrawing } from './pieces.js';

export function colorsOf(scene: Scene, token: Token): { fill: string; ink: string } {
  const seat: Seat | undefined = token.look.seat === null ? undefined : scene.seats[token.look.seat];
  if (token.look.color) return { fill: token.look.color, ink: inkOn(token.look.color) };
  return seat ? { fill: seat.color, ink: seat.ink } : { fill: '#b9a276', ink: '#22201c' };
}

// Black or white, whichever is read better on a colour.
export function inkOn(color: string): string {
  const hex = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (!hex) return '#22201c';
  const [r, g, b] = [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)) as [number, number, number];
  return 0.299 * r + 0.587 * g + 0.114 * b > 140 ? '#22201c' : '#ffffff';
}

const pips: Record<number, [number, number][]> = {
  1: [[0, 0]], 2: [[-1, -1], [1, 1]], 3: [[-1, -1], [0, 0], [1, 1]], 4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]], 6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

// What a die shows: its pips, else the one number it has.
export function shownBy(die: Token): number {
  const numbers = [die.props['pips'], ...Object.values(die.props), die.look.label].map(Number).filter((n) => Number.isFinite(n));
  return numbers[0] ?? 0;
}

// Null: nobody here may see it.
export function Die({ value, size }: { value: number | null; size: number }): JSX.Element {
  const dots = value === null ? [] : pips[value];
  return (
    <g class="die">
      <rect x={-size} y={-size} width={2 * size} height={2 * size} rx={size * 0.35} class="die-body" />
      {dots ? dots.map(([x, y]) => <circle cx={x * size * 0.55} cy={y * size * 0.55} r={size * 0.18} class="pip" />)
        : <text y={size * 0.4} font-size={size * 1.1} text-anchor="middle" class="pip">{value}</text>}
    </g>
  );
}

function Mark({ face, size, color }: { face: string; size: number; color: string }): JSX.Element {
  const s = size * 0.7;
  if (face.toLowerCase() === 'x')
    return <path d={`M${-s} ${-s}L${s} ${s}M${s} ${-s}L${-s} ${s}`} stroke={color} stroke-width={size * 0.34} stroke-linecap="round" fill="none" />;
  if (face.toLowerCase() === 'o') return <circle r={s} stroke={color} stroke-width={size * 0.34} fill="none" />;
  return <text y={size * 0.4} font-size={size * 1.3} text-anchor="middle" fill={color}>{face}</text>;
}

// A token around the origin, about 2 × `size` wide.
export function TokenArt({ scene, token, size, plain, bar, under }: { scene: Scene; token: Token; size: number; plain?: boolean; bar?: [number, number] | undefined; under?: boolean | undefined }): JSX.Element {
  const kind = scene.tokens[token.type];
  const { fill, ink } = colorsOf(scene, token);
  if (bar) return <rect x={-bar[0] / 2} y={-bar[1] / 2} width={bar[0]} height={bar[1]} fill={fill} class="wall" />;
  const shape = kind?.shape ?? 'disc';
  const face = kind?.glyph ?? token.look.face ?? '';
  // A letter that only repeats the owner says nothing that the colour does not say; but colour alone
  // must not carry it, so it is there for those who ask for it (settings, high contrast).
  const owner = token.look.seat === null ? '' : scene.seats[token.look.seat]?.name ?? '';
  const repeats = owner !== '' && face.toLowerCase() === owner[0]?.toLowerCase();
  const label = (text: string, scale = 0.9, up = 0) => (
    <text y={size * (scale * 0.36 - up)} font-size={size * scale} text-anchor="middle" fill={ink} class="face">{text}</text>
  );
  if (shape === 'piece' && token.look.asset) {
    const drawing = pieceDrawing(token.look.asset);
    return (
      <g>
        {drawing ? <g transform={`scale(${(size * 2.36) / 45}) translate(-22.5 -22.5)`} dangerouslySetInnerHTML={{ __html: drawing }} /> : <text y={size * 0.6} font-size={size * 1.9} text-anchor="middle">{face}</text>}
        {!plain && token.look.badges.map((badge, i) => (
          <g transform={`translate(${size * 0.72} ${-size * 0.8 + i * size * 0.55})`}>
            <circle r={size * 0.32} class="badge" />
            <text y={size * 0.13} font-size={size * 0.38} text-anchor="middle" class="badge-text">{badge.replace(/^[^\d-]* /, '')}</text>
          </g>
        ))}
      </g>
    );
  }
  if (shape === 'die') return <Die value={shownBy(token)} size={size * 0.8} />;
  // Players who are called X and O write their names.
  if (shape === 'disc' && repeats && /^[xo]$/i.test(owner)) return <Mark face={owner} size={size} color={fill} />;
  if (shape === 'mark') return <Mark face={face} size={size} color={fill} />;
  if (shape === 'cube') return <g><rect x={-size * 0.8} y={-size * 0.8} width={size * 1.6} height={size * 1.6} rx={size * 0.15} fill={fill} class="edge" />{label(face)}</g>;
  if (shape === 'tile') {
    return <g><rect x={-size} y={-size} width={size * 2} height={size * 2} rx={size * 0.25} fill={fill} class="edge" />{under ? label(face, 0.55, 0.48) : label(face, face.length > 3 ? 0.55 : 0.8)}</g>;
  }
  if (shape === 'card') return <g><rect x={-size * 0.7} y={-size} width={size * 1.4} height={size * 2} rx={size * 0.14} class="card-body" /><text y={size * 0.25} font-size={size * 0.6} text-anchor="middle" class="card-ink">{face}</text></g>;
  if (shape === 'ring') return <circle r={size * 0.75} fill="none" stroke={fill} stroke-width={size * 0.3} />;
  const crown = token.look.badges.length > 0;
  return (
    <g>
      <circle r={size} fill={fill} class={shape === 'stone' ? 'stone' : 'edge'} />
      {shape === 'stone' ? <circle cx={-size * 0.3} cy={-size * 0.35} r={size * 0.3} class="shine" /> : <circle r={size * 0.72} fill="none" stroke={ink} stroke-opacity="0.35" stroke-width={size * 0.08} />}
      {crown ? <path d={`M${-size * 0.42} ${size * 0.28}L${-size * 0.5} ${-size * 0.25}L${-size * 0.2} ${size * 0.02}L0 ${-size * 0.4}L${size * 0.2} ${size * 0.02}L${size * 0.5} ${-size * 0.25}L${size * 0.42} ${size * 0.28}Z`} fill={ink} />
        : repeats || plain || (shape === 'stone' && owner === '') ? null : label(face)}
    </g>
  );
}

const redSuits = /[♥♦]/;
// A name of the text is read as one, whatever else is written stays as it is.
const titled = (title: string): string => (/^[a-z\d]+(-[a-z\d]+)+$/.test(title) ? spaced(title) : title);

// A card beside the board.
export function Card({ scene, token }: { scene: Scene; token: Token }): JSX.Element {
  const kind = scene.tokens[token.type];
  const shape = kind?.shape ?? 'card';
  if (shape !== 'card')
    return <svg class="chip" viewBox="-550 -550 1100 1100" aria-hidden="true"><TokenArt scene={scene} token={token} size={470} /></svg>;
  const card = token.look.card;
  const label = token.look.label;
  const suit = /[♣♦♥♠]/.exec(label)?.[0];
  if (suit && !card) {
    const rank = label.replace(suit, '');
    return (
      <span class={`card playing ${redSuits.test(suit) ? 'red' : ''}`} aria-hidden="true">
        <span class="corner">{rank}<br />{suit}</span><span class="pip-large">{suit}</span>
      </span>
    );
  }
  const price = card?.['cost'] ?? card?.['corner'];
  const numbers = Object.entries(token.props).filter(([k, v]) => typeof v === 'number' && v !== 0 && !(price !== undefined && (k === 'cost' || String(v) === price)));
  if (!card && label.length <= 2) return <span class="card letter" aria-hidden="true"><span class="title">{label}</span></span>;
  return (
    <span class="card text" aria-hidden="true">
      {price ? <span class="cost">{price}</span> : null}
      <span class="title">{titled(card?.['title'] ?? label)}</span>
      {card?.['body'] ? <span class="body">{card['body']}</span> : <span class="body">{numbers.map(([k, v]) => `${k} ${v}`).join(' · ')}</span>}
    </span>
  );
}

export function CardBack(): JSX.Element {
  return <span class="card back" aria-hidden="true" />;
}
