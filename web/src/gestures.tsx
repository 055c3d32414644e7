// Fingers and mouse on a board: dragging a piece, pinching and panning, double taps, long presses that ask why.
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from './words.js';

interface Point { x: number; y: number }
interface View { k: number; x: number; y: number }
const all: View = { k: 1, x: 0, y: 0 };
interface Box { x: number; y: number; w: number; h: number }
interface Ask { least: number; can: Set<string>; chosen: string[]; holds(zone: string): boolean; onPlace(zone: string): void; onWhy(zone: string): void }
export interface Gestures {
  viewBox: string; zoomed: boolean; held: string | null; by: [number, number]; controls: JSX.Element | null;
  handlers: Record<string, (event: never) => void>;
  swallows(event: MouseEvent): boolean; // a click that belongs to a gesture
}

const long_press = 550, wide_enough = 8, comfortable = 44, too_small = 32; // milliseconds and CSS pixels

function pinchOf(pointers: Map<number, Point>): { far: number; middle: Point } {
  const [a, b] = [...pointers.values()];
  return { far: Math.hypot(a!.x - b!.x, a!.y - b!.y), middle: { x: (a!.x + b!.x) / 2, y: (a!.y + b!.y) / 2 } };
}

export function useGestures(root: RefObject<SVGSVGElement>, whole: Box, ask: Ask): Gestures {
  // Fingers move more often than the page is drawn: what they change is kept here, and drawn when there is time.
  const looked = useRef<View>(all), [, draw] = useState<View>(all);
  const view = looked.current;
  const setView = (next: View) => { looked.current = next; draw(next); };
  const [held, setHeld] = useState<{ zone: string; by: [number, number] } | null>(null);
  const [small, setSmall] = useState(false);
  const now = useRef({ pointers: new Map<number, Point>(), start: null as { x: number; y: number; zone: string | null; kind: string } | null, moved: false, swallow: false, timer: 0, tapped: 0, pinch: null as { far: number; middle: Point } | null });
  const key = `${whole.x} ${whole.y} ${whole.w} ${whole.h}`;
  useEffect(() => setView(all), [key]);
  // Two fingers are ours; with one the page is scrolled while the whole board is to be seen. Of a board that is moved by
  // one finger the browser is told that the movement was not its own: else it takes the next tap for one that stops a page
  // which still rolls, and sends no click.
  useEffect(() => {
    const svg = root.current, ours = (event: TouchEvent) => { if ((event.touches.length > 1 || (event.type === 'touchmove' && looked.current.k > 1)) && event.cancelable) event.preventDefault(); };
    svg?.addEventListener('touchstart', ours, { passive: false });
    svg?.addEventListener('touchmove', ours, { passive: false });
    return () => { svg?.removeEventListener('touchstart', ours); svg?.removeEventListener('touchmove', ours); };
  }, []);
  // How large a cell is decides whether a closer look is offered.
  useEffect(() => {
    const svg = root.current;
    if (!svg || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(() => setSmall((svg.clientWidth / whole.w) * (matchMedia('(pointer: coarse)').matches ? ask.least : 1000) < 38));
    watch.observe(svg);
    return () => watch.disconnect();
  }, [key]);

  const clamped = (v: View): View => {
    const k = Math.max(1, Math.min(6, v.k));
    return { k, x: Math.max(0, Math.min(v.x, whole.w * (1 - 1 / k))), y: Math.max(0, Math.min(v.y, whole.h * (1 - 1 / k))) };
  };
  const unit = () => (root.current ? root.current.clientWidth / (whole.w / looked.current.k) : 1); // CSS pixels in a unit
  // What was under `from` is under `to` afterwards, `k` times as large as on the whole board.
  const zoomAt = (wanted: number, from: Point, to: Point = from) => {
    const rect = root.current?.getBoundingClientRect();
    if (!rect) return;
    const across = (p: Point) => ((p.x - rect.left) / rect.width) * whole.w, down = (p: Point) => ((p.y - rect.top) / rect.height) * whole.h;
    const { k: old, x, y } = looked.current, k = Math.max(1, Math.min(6, wanted));
    setView(clamped({ k, x: x + across(from) / old - across(to) / k, y: y + down(from) / old - down(to) / k }));
  };
  const zoneUnder = (x: number, y: number): string | null => (document.elementFromPoint(x, y)?.closest('[data-cell]') as SVGElement | null)?.dataset['cell'] ?? null;
  const endPress = () => { clearTimeout(now.current.timer); now.current.timer = 0; };

  const onPointerDown = (event: PointerEvent) => {
    const g = now.current;
    g.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    g.swallow = false;
    g.moved = false;
    const zone = (event.target as Element).closest('[data-cell]')?.getAttribute('data-cell') ?? null;
    g.start = { x: event.clientX, y: event.clientY, zone, kind: event.pointerType };
    endPress();
    if (g.pointers.size === 2) { g.pinch = pinchOf(g.pointers); g.moved = g.swallow = true; return; }
    if (zone && event.pointerType !== 'mouse') g.timer = setTimeout(() => { g.swallow = true; ask.onWhy(zone); }, long_press) as unknown as number;
  };
  const onPointerMove = (event: PointerEvent) => {
    const g = now.current, before = g.pointers.get(event.pointerId);
    if (!before || !g.start) return;
    g.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (g.pointers.size === 2) {
      const pinch = pinchOf(g.pointers);
      if (g.pinch && g.pinch.far > 0) zoomAt(looked.current.k * (pinch.far / g.pinch.far), g.pinch.middle, pinch.middle);
      g.pinch = pinch;
      return;
    }
    const dx = event.clientX - g.start.x, dy = event.clientY - g.start.y;
    if (!g.moved && Math.hypot(dx, dy) < wide_enough) return;
    endPress();
    const { zone, kind } = g.start;
    if (!g.moved) {
      g.moved = true;
      g.swallow = true;
      if (kind !== 'touch' && zone && ask.can.has(zone) && ask.holds(zone)) {
        if (!ask.chosen.includes(zone)) ask.onPlace(zone);
        root.current?.setPointerCapture(event.pointerId);
        setHeld({ zone, by: [0, 0] });
      }
    }
    if (held || (kind !== 'touch' && zone && ask.holds(zone) && root.current?.hasPointerCapture(event.pointerId))) setHeld({ zone: zone!, by: [dx / unit(), dy / unit()] });
    else if (looked.current.k > 1) zoomAt(looked.current.k, before, { x: event.clientX, y: event.clientY });
  };
  const onPointerUp = (event: PointerEvent) => {
    const g = now.current;
    endPress();
    g.pointers.delete(event.pointerId);
    if (g.pinch) {  // the finger that stays does not choose, nor does it drag what is under it
      g.pinch = g.pointers.size > 1 ? pinchOf(g.pointers) : null;
      if (g.pointers.size === 1) { const [left] = [...g.pointers.values()]; g.start = { ...left!, zone: null, kind: event.pointerType }; g.moved = true; }
      return;
    }
    if (held) {
      setHeld(null);
      const target = zoneUnder(event.clientX, event.clientY);
      if (event.type !== 'pointercancel' && target && target !== held.zone && ask.can.has(target)) ask.onPlace(target);
    } else if (event.type !== 'pointercancel' && event.pointerType === 'touch' && !g.moved && g.start) {
      const again = event.timeStamp - g.tapped < 320;
      g.tapped = event.timeStamp;
      const cell = unit() * ask.least;
      // On a board of very small cells the first tap comes closer, the second one chooses; a double tap shows all again.
      if (view.k === 1 && cell < too_small) { g.swallow = true; zoomAt(comfortable / cell, { x: event.clientX, y: event.clientY }); }
      else if (again && view.k > 1) { g.swallow = true; setView(all); }
    }
    g.start = null;
  };
  const onWheel = (event: WheelEvent) => { if (!event.ctrlKey) return; event.preventDefault(); zoomAt(looked.current.k * (event.deltaY < 0 ? 1.2 : 1 / 1.2), { x: event.clientX, y: event.clientY }); };
  const centre = (k: number) => { const rect = root.current?.getBoundingClientRect(); if (rect) zoomAt(k, { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 }); };

  const controls = small || view.k > 1 ? (
    <div class="zoom" role="group" aria-label={words.zoomIn}>
      <button type="button" class="small" aria-label={words.zoomIn} onClick={() => centre(view.k * 1.6)}>+</button>
      <button type="button" class="small" aria-label={words.zoomOut} disabled={view.k === 1} onClick={() => centre(view.k / 1.6)}>−</button>
      {view.k > 1 && <button type="button" class="small" aria-label={words.zoomAll} onClick={() => setView(all)}>⤢</button>}
    </div>
  ) : null;
  return {
    viewBox: `${whole.x + view.x} ${whole.y + view.y} ${whole.w / view.k} ${whole.h / view.k}`, zoomed: view.k > 1, held: held?.zone ?? null, by: held?.by ?? [0, 0], controls,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onWheel } as unknown as Gestures['handlers'],
    swallows: () => { const g = now.current, yes = g.swallow; g.swallow = false; return yes; },
  };
}
