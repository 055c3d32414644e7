// Things travel from where they were to where they are. Only places are animated, never the state: whatever happens to
// an animation, the page shows what the stage says. A newer update ends what still moves.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { GameEvent, Stage } from './model.js';

const travel = 250, longest = 1500, most_backs = 10; // milliseconds
const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

function homeOf(root: HTMLElement, zone: string): DOMRect | null {
  const at = root.querySelector(`[data-zone="${CSS.escape(zone)}"] .inside, [data-zone="${CSS.escape(zone)}"] .spot, [data-zone="${CSS.escape(zone)}"], [data-cell="${CSS.escape(zone)}"]`);
  const rect = at?.getBoundingClientRect();
  return rect && rect.width > 0 ? rect : null; // what is not shown now is nowhere
}

// Cards nobody here can see are backs, on their way from one place to another.
function sendBacks(root: HTMLElement, events: GameEvent[], seen: Map<string, DOMRect>): void {
  const unseen = events.filter((e) => e.kind === 'tokenMoved' && !(typeof e.data['token'] === 'string' && seen.has(e.data['token']))).slice(0, most_backs);
  const step = Math.min(70, (longest - travel) / Math.max(1, unseen.length));
  unseen.forEach((event, i) => {
    const from = homeOf(root, String(event.data['from'])), to = homeOf(root, String(event.data['to']));
    if (!from || !to || (from.x === to.x && from.y === to.y)) return;
    const back = document.createElement('span');
    back.className = 'card back flying';
    back.setAttribute('aria-hidden', 'true');
    document.body.append(back);
    const put = (rect: DOMRect) => `translate(${rect.left + rect.width / 2}px, ${rect.top + rect.height / 2}px) translate(-50%, -50%)`;
    back.animate([{ transform: put(from) }, { transform: put(to) }], { duration: travel, delay: i * step, easing: 'ease', fill: 'both' }).finished.finally(() => back.remove()).catch(() => undefined);
  });
}

export function useMotion(root: RefObject<HTMLElement>, stage: Stage | null, events: GameEvent[]): void {
  const places = useRef(new Map<string, DOMRect>()), told = useRef<GameEvent[]>([]);
  useLayoutEffect(() => {
    const table = root.current;
    if (!table) return;
    const before = places.current, after = new Map<string, DOMRect>();
    const elements = [...table.querySelectorAll<HTMLElement | SVGElement>('[data-token]')];
    for (const element of elements) {
      // What was not there before cannot be under way; asking would only make the first board come later.
      if (before.has(element.dataset['token']!)) for (const running of element.getAnimations?.() ?? []) if (!(running instanceof CSSTransition)) running.finish();
      after.set(element.dataset['token']!, element.getBoundingClientRect());
    }
    places.current = after;
    const fresh = events !== told.current;
    told.current = events;
    if (!fresh || before.size + after.size === 0 || still()) return;
    for (const element of elements) {
      const id = element.dataset['token']!, was = before.get(id), is = after.get(id)!;
      if (element instanceof SVGElement) {
        // On the board itself a style moves it; only what comes from beside the board is sent from there.
        const art = element.querySelector<SVGElement>('.token-art'), scale = (element as SVGGraphicsElement).getScreenCTM?.()?.a ?? 1;
        if (!was || !art || element.dataset['board'] === 'here') { element.dataset['board'] = 'here'; continue; }
        element.dataset['board'] = 'here';
        art.animate([{ transform: `translate(${(was.x - is.x) / scale}px, ${(was.y - is.y) / scale}px)` }, { transform: 'none' }], { duration: travel, easing: 'ease' });
      } else if (was && Math.hypot(was.x - is.x, was.y - is.y) > 4) {
        element.animate([{ transform: `translate(${was.x - is.x}px, ${was.y - is.y}px)` }, { transform: 'none' }], { duration: travel, easing: 'ease' });
      } else if (!was && element.querySelector('.card')) {
        element.animate([{ transform: 'rotateY(90deg)' }, { transform: 'none' }], { duration: travel, easing: 'ease-out' }); // turned over
      }
    }
    sendBacks(table, events, after);
  }, [stage, events]);
}
