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
function sendBacks(root: HTMLElement, events: GameEvent[], seen: Seen): void {
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

// Where everything is, and whether it is on a board.
type Seen = Map<string, { rect: DOMRect; onBoard: boolean }>;
const tokensIn = (table: HTMLElement): (HTMLElement | SVGElement)[] => [...table.querySelectorAll<HTMLElement | SVGElement>('[data-token]')];
const seenIn = (elements: (HTMLElement | SVGElement)[]): Seen => new Map(elements.map((element) => [element.dataset['token']!, { rect: element.getBoundingClientRect(), onBoard: element instanceof SVGElement }]));

function move(element: HTMLElement | SVGElement, was: { rect: DOMRect; onBoard: boolean } | undefined, is: DOMRect): void {
  const dx = was ? was.rect.x - is.x : 0, dy = was ? was.rect.y - is.y : 0;
  if (element instanceof SVGElement) {
    // On the board itself a style moves it; only what comes from beside the board is sent from there.
    const art = element.querySelector<SVGElement>('.token-art'), scale = (element as SVGGraphicsElement).getScreenCTM?.()?.a ?? 1;
    if (was?.onBoard) return;
    art?.animate(was ? [{ transform: `translate(${dx / scale}px, ${dy / scale}px)` }, { transform: 'none' }] : [{ opacity: 0 }, { opacity: 1 }], { duration: travel, easing: 'ease' });
  } else if (was && Math.hypot(dx, dy) > 4) element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: 'none' }], { duration: travel, easing: 'ease' });
  else if (!was && element.querySelector('.card')) element.animate([{ transform: 'rotateY(90deg)' }, { transform: 'none' }], { duration: travel, easing: 'ease-out' }); // turned over
}

// Places are looked up only where something happened, before and after: the first board need not wait for that.
export function useMotion(root: RefObject<HTMLElement>, stage: Stage | null, events: GameEvent[]): void {
  const told = useRef(events), before = useRef<Seen | null>(null);
  const fresh = events !== told.current;
  if (fresh && !before.current && root.current && !still()) before.current = seenIn(tokensIn(root.current)); // the document is as it was
  useLayoutEffect(() => {
    const table = root.current, was = before.current;
    told.current = events;
    before.current = null;
    if (!table || !was) return;
    const elements = tokensIn(table);
    for (const element of elements)
      if (was.has(element.dataset['token']!)) for (const running of element.getAnimations?.() ?? []) if (!(running instanceof CSSTransition)) running.finish();
    const after = seenIn(elements);
    for (const element of elements) move(element, was.get(element.dataset['token']!), after.get(element.dataset['token']!)!.rect);
    sendBacks(table, events, after);
  }, [stage, events]);
}
