// From clicks to an option. Every option is a way of places (from, to) or one place, or none: then it
// is a button. A click goes one place further along all ways that have it there.
import type { Decision, Option, Place, Scene, Stage } from './model.js';

// What one can click has a key: a cell or area by its zone, a card by its token, one of several
// alike by zone and kind, an unseen card by its place, a seat by its number.
export class Places {
  private cells = new Set<string>();
  private layouts = new Map<string, string>();
  constructor(private scene: Scene, private stage: Stage) {
    for (const board of scene.boards) for (const cell of board.cells) this.cells.add(cell.zone);
    for (const area of scene.areas) this.layouts.set(area.id, area.layout);
  }
  layoutOf(zone: string): string {
    const layout = this.layouts.get(zone) ?? 'none';
    if (layout !== 'spread') return layout;
    const inside = this.stage.zones[zone], tokens = inside?.tokens ?? [];
    if (tokens.length > 0 && tokens.every((t) => this.scene.tokens?.[t.type]?.shape === 'die')) return 'dice';
    return (inside?.count ?? 0) > 12 ? 'tray' : layout;
  }
  keyOf(place: Place): string {
    if (place.player !== undefined) return `seat:${place.player}`;
    const zone = place.zone ?? '';
    if (this.cells.has(zone)) return zone;
    const layout = this.layoutOf(zone);
    if (layout === 'none' || layout === 'pile') return zone;
    if (place.type !== undefined) return `${zone}/${place.type}`;
    if (place.token !== undefined) {
      if (layout !== 'tray') return place.token;
      const token = this.stage.zones[zone]?.tokens.find((t) => t.id === place.token);
      return token ? `${zone}/${token.type}` : zone;
    }
    return place.place !== undefined ? `${zone}#${place.place}` : zone;
  }
  // Of options that differ only in which of several like things they mean, the first: nobody could say which is which.
  distinct(options: Option[]): Option[] {
    const seen = new Set<string>();
    return options.filter((o) => {
      const things = o.refs.map((r) => { const token = r.token && r.zone ? this.stage.zones[r.zone]?.tokens.find((t) => t.id === r.token) : undefined; return token ? [r.zone, token.type, token.props, token.look] : r; });
      const key = JSON.stringify([o.action, o.label, things]);
      return !seen.has(key) && !!seen.add(key);
    });
  }
  way(option: Option): string[] {
    if (option.from && option.to) return [this.keyOf(option.from), this.keyOf(option.to)];
    if (option.from) return [this.keyOf(option.from)];
    if (option.at) return [this.keyOf(option.at)];
    return option.to ? [this.keyOf(option.to)] : [];
  }
}

export interface Picking {
  chosen: string[];          // places that were clicked, or follow
  can: Set<string>;          // places that can be clicked now
  next: Set<string>;         // those that go on from what is chosen: only these are marked
  buttons: Option[];         // options without a place, while nothing is chosen
  menu: Option[];            // options that all these places mean
}

export class Picker {
  readonly ways: { option: Option; way: string[] }[];
  // What all options have in common needs no click.
  readonly given: number;
  constructor(decision: Decision | null, places: Places) {
    this.ways = (decision?.options ?? []).map((option) => ({ option, way: places.way(option) }));
    const placed = this.ways.filter((w) => w.way.length > 0);
    const first = placed[0]?.way[0];
    const shared = placed.length > 1 && placed.every((w) => w.way.length > 1 && w.way[0] === first);
    this.given = shared ? 1 : 0;
  }
  start(): string[] {
    const placed = this.ways.find((w) => w.way.length > 0);
    return this.given && placed ? [placed.way[0]!] : [];
  }
  private fitting(chosen: string[]) {
    return this.ways.filter((w) => w.way.length > 0 && chosen.every((place, i) => w.way[i] === place));
  }
  look(chosen: string[]): Picking {
    const fit = this.fitting(chosen);
    const can = new Set<string>();
    const menu: Option[] = [];
    for (const { option, way } of fit)
      if (way.length === chosen.length) menu.push(option);
      else can.add(way[chosen.length]!);
    const next = new Set(can);
    // Another piece may be taken up at any time.
    if (chosen.length > this.given)
      for (const { way } of this.ways) if (way.length > this.given) can.add(way[this.given]!);
    const buttons = chosen.length <= this.given ? this.ways.filter((w) => w.way.length === 0).map((w) => w.option) : [];
    return { chosen, can, next, buttons, menu: chosen.length > 0 ? menu : [] };
  }
  // A click: the option it decides on, or what is chosen from now on.
  click(chosen: string[], place: string): { option: Option } | { chosen: string[] } {
    const further = [...chosen, place];
    const fit = this.fitting(further);
    if (fit.length > 0) {
      const whole = fit.filter((w) => w.way.length === further.length);
      if (whole.length === 1 && fit.length === 1) return { option: whole[0]!.option };
      return { chosen: further };
    }
    if (chosen.length > this.given) {
      if (chosen[chosen.length - 1] === place) return { chosen: chosen.slice(0, -1) };
      return this.click(this.start(), place);
    }
    return { chosen };
  }
}
