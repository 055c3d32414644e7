// Fingers and mouse on a board: dragging a piece, pinching and panning, double taps, long presses that ask why.
import type { JSX, RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { words } from './words.js';

interface Box { x: number; y: number; w: number; h: number }
interface Ask { least: number; can: Set<string>; chosen: string[]; holds(zone: string): boolean; onPlace(zone: string): void; onWhy(zone: string): void }
export interface Gestures {
  viewBox: string; zoomed: boolean; held: string | null; by: [number, number]; controls: JSX.Element | null;
  handlers: Record<string, (event: never) => void>;
  swallows(event: MouseEvent): boolean; // a click that belongs to a gesture
}

const long_press = 550, wide_enough = 8, comfortable = 44, too_small = 32; // milliseconds and CSS pixels

export function useGestures(root: RefObject<SVGSVGElement>, whole: Box, ask: Ask): Gestures {
  const [view, setView] = useState<{ k: number; x: number; y: number }>({ k: 1, x: 0, y: 0 });
  const [held, setHeld] = useState<{ zone: string; by: [number, number] } | null>(null);
  const [small, setSmall] = useState(false);
  const now = useRef({ pointers: new Map<number, { x: number; y: number }>(), start: null as { x: number; y: number; zone: string | null; kind: string } | null, moved: false, swallow: false, timer: 0, tapped: 0, pinch: 0 });
  const key = `${whole.x} ${whole.y} ${whole.w} ${whole.h}`;
  useEffect(() => setView({ k: 1, x: 0, y: 0 }), [key]);
  // How large a cell is decides whether a closer look is offered.
  useEffect(() => {
    const svg = root.current;
    if (!svg || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(() => setSmall((svg.clientWidth / whole.w) * (matchMedia('(pointer: coarse)').matches ? ask.least : 1000) < 38));
    watch.observe(svg);
    return () => watch.disconnect();
  }, [key]);

  const clamped = (v: { k: number; x: number; y: number }) => {
    const k = Math.max(1, Math.min(6, v.k));
    return { k, x: Math.max(0, Math.min(v.x, whole.w * (1 - 1 / k))), y: Math.max(0, Math.min(v.y, whole.h * (1 - 1 / k))) };
  };
  const unit = () => (root.current ? root.current.clientWidth / (whole.w / view.k) : 1); // CSS pixels in a unit
  const zoomAt = (k: number, clientX: number, clientY: number) => {
    const rect = root.current?.getBoundingClientRect();
    if (!rect) return;
    const fx = (clientX - rect.left) / rect.width, fy = (clientY - rect.top) / rect.height;
    const px = view.x + (fx * whole.w) / view.k, py = view.y + (fy * whole.h) / view.k, to = Math.max(1, Math.min(6, k));
    setView(clamped({ k: to, x: px - (fx * whole.w) / to, y: py - (fy * whole.h) / to }));
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
    if (g.pointers.size === 2) { const [a, b] = [...g.pointers.values()]; g.pinch = Math.hypot(a!.x - b!.x, a!.y - b!.y); g.swallow = true; return; }
    if (zone && event.pointerType !== 'mouse') g.timer = setTimeout(() => { g.swallow = true; ask.onWhy(zone); }, long_press) as unknown as number;
  };
  const onPointerMove = (event: PointerEvent) => {
    const g = now.current, before = g.pointers.get(event.pointerId);
    if (!before || !g.start) return;
    g.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (g.pointers.size === 2) {
      const [a, b] = [...g.pointers.values()], far = Math.hypot(a!.x - b!.x, a!.y - b!.y);
      if (g.pinch > 0) zoomAt(view.k * (far / g.pinch), (a!.x + b!.x) / 2, (a!.y + b!.y) / 2);
      g.pinch = far;
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
    else if (view.k > 1) setView(clamped({ k: view.k, x: view.x - (event.clientX - before.x) / unit(), y: view.y - (event.clientY - before.y) / unit() }));
  };
  const onPointerUp = (event: PointerEvent) => {
    const g = now.current;
    endPress();
    g.pointers.delete(event.pointerId);
    if (held) {
      setHeld(null);
      const target = zoneUnder(event.clientX, event.clientY);
      if (target && target !== held.zone && ask.can.has(target)) ask.onPlace(target);
    } else if (event.pointerType === 'touch' && !g.moved && g.start) {
      const again = event.timeStamp - g.tapped < 320;
      g.tapped = event.timeStamp;
      const cell = unit() * ask.least;
      // On a board of very small cells the first tap comes closer, the second one chooses; a double tap shows all again.
      if (view.k === 1 && cell < too_small) { g.swallow = true; zoomAt(comfortable / cell, event.clientX, event.clientY); }
      else if (again && view.k > 1) { g.swallow = true; setView({ k: 1, x: 0, y: 0 }); }
    }
    g.start = null;
  };
  const onWheel = (event: WheelEvent) => { if (!event.ctrlKey) return; event.preventDefault(); zoomAt(view.k * (event.deltaY < 0 ? 1.2 : 1 / 1.2), event.clientX, event.clientY); };
  const centre = (k: number) => { const rect = root.current?.getBoundingClientRect(); if (rect) zoomAt(k, rect.left + rect.width / 2, rect.top + rect.height / 2); };

  const controls = small || view.k > 1 ? (
    <div class="zoom" role="group" aria-label={words.zoomIn}>
      <button type="button" class="small" aria-label={words.zoomIn} onClick={() => centre(view.k * 1.6)}>+</button>
      <button type="button" class="small" aria-label={words.zoomOut} disabled={view.k === 1} onClick={() => centre(view.k / 1.6)}>−</button>
      {view.k > 1 && <button type="button" class="small" aria-label={words.zoomAll} onClick={() => setView({ k: 1, x: 0, y: 0 })}>⤢</button>}
    </div>
  ) : null;
  return {
    viewBox: `${whole.x + view.x} ${whole.y + view.y} ${whole.w / view.k} ${whole.h / view.k}`, zoomed: view.k > 1, held: held?.zone ?? null, by: held?.by ?? [0, 0], controls,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp, onWheel } as unknown as Gestures['handlers'],
    swallows: () => { const g = now.current, yes = g.swallow; g.swallow = false; return yes; },
  };
}
