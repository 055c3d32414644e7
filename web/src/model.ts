// What the engine tells about a game: docs/scene.schema.json, as types. Fields that are not named
// here are ignored, so that a newer engine may say more.

export interface Seat { seat: number; name: string; color: string; ink: string }
export interface Cell {
  zone: string; x: number; y: number; label: string; shade: number; tags: string[];
  row?: number; col?: number; q?: number; r?: number;
  form?: string; size?: [number, number]; polygon?: [number, number][]; color?: string;
}
export interface Board {
  id: string; shape: 'square' | 'hex' | 'points' | 'graph'; style: string; orientation?: string;
  flipFor: number[]; cells: Cell[]; edges: [string, string][];
  coordinates: { columns: string[]; rows: string[] }; background: string | null;
  sides?: Partial<Record<'top' | 'bottom' | 'left' | 'right', number>>; // whose they are
}
export interface Area {
  id: string; title: string; name: string; layout: string; owner: number | null;
  visibility: string; order: string; place: 'center' | 'side' | 'seat';
}
export interface TokenType { shape: string; label: string; glyph: string | null; back: string | null; z: number }
export interface Variable { name: string; label: string; type: string; min: number; max: number; show: boolean; values?: Record<string, string> }
export interface Marker { id: string; label: string; states: string[]; on: 'zone' | 'game'; colors?: Record<string, string> }
export interface Scene {
  format: string; unit: number; game: string; name: string; description: string; players: number;
  seats: Seat[]; boards: Board[]; areas: Area[]; tokens: Record<string, TokenType>;
  variables: { globals: Variable[]; players: Variable[]; zones: Variable[] };
  markers: Marker[]; actions: { id: string; label: string }[]; phases: { id: string; label: string }[];
}

export interface Look {
  label: string; face: string | null; seat: number | null; badges: string[];
  by?: number; // who last had to do with it, e.g. played the card
  asset?: string; color?: string; card?: Record<string, string>;
}
export interface Token { id: string; type: string; props: Record<string, unknown>; look: Look }
export interface Zone { count: number | null; tokens: Token[] }
type Values = Record<string, number | boolean | string>;
export interface Stage {
  phase: string | null; turn: number; round: number; active: number | null;
  globals: Values; players: Values[]; zones: Record<string, Zone>; zoneVars: Record<string, Values>;
  markers: Record<string, Record<string, string>>; globalMarkers: Record<string, string>;
  effects: unknown[]; lines?: string[][]; // rows of cells that ended the game
  [more: string]: unknown;
}

export interface Place { zone?: string; token?: string; place?: number; type?: string; player?: number }
export interface Ref { p?: string; kind: string; zone?: string; token?: string; label?: string; [more: string]: unknown }
export interface Option {
  index: number; id: string; label: string; text: string; action: string | null; refs: Ref[];
  from?: Place; to?: Place; at?: Place; confirm?: boolean; weight?: number;
}
export interface Decision {
  kind: string; decider: number | 'chance'; starts: boolean; question: string | null;
  pending?: number[]; min?: number; max?: number; chosen?: Ref[]; candidates?: Ref[]; options?: Option[];
}
export interface GameEvent { kind: string; data: Record<string, unknown>; label?: string; settled?: boolean }
export interface Outcome { returns: number[]; winners: number[]; reason: string }

// Puts the changed parts into a stage (docs/server.md): of objects the entries that are named, of
// anything else the whole; "-" lists what is gone. The old stage stays as it was.
export function patched(stage: Stage, patch: Record<string, unknown>): Stage {
  const out: Record<string, unknown> = { ...stage };
  const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value);
  for (const path of (patch['-'] as string[][] | undefined) ?? []) {
    const [key, inside] = path as [string, string | undefined];
    if (inside === undefined) delete out[key];
    else if (isObject(out[key])) { const { [inside]: _gone, ...rest } = out[key] as Record<string, unknown>; out[key] = rest; }
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === '-') continue;
    out[key] = isObject(out[key]) && isObject(value) ? { ...(out[key] as object), ...value } : value;
  }
  return out as Stage;
}
