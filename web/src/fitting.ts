// Keeps one's own seat on the screen: where what stands around a board leaves too little room, the board gives way. It does not
// grow again while one plays, so that it stands still from one turn to the next.
import { useEffect } from 'preact/hooks';
import type { RefObject } from 'preact';

const wide = '(min-width: 901px)', edge = 12; // a narrow page is scrolled; CSS pixels below the seat

export function useFitting(root: RefObject<HTMLElement>, drawn: boolean): void {
  useEffect(() => {
    const stage = root.current?.querySelector<HTMLElement>('.stage');
    if (!drawn || !stage || typeof ResizeObserver === 'undefined') return;
    let height = innerHeight;
    const fit = (): void => {
      const center = stage.querySelector<HTMLElement>('.center'), frame = center?.querySelector('.board-frame .board'), seat = stage.querySelector(':scope > .seat');
      if (!center || !frame || !seat) return;
      if (innerHeight !== height || !matchMedia(wide).matches) { height = innerHeight; center.style.removeProperty('--taken'); }
      const over = seat.getBoundingClientRect().bottom + scrollY - (innerHeight - edge);
      if (over > 0.5 && matchMedia(wide).matches) center.style.setProperty('--taken', `${Math.ceil(innerHeight - frame.getBoundingClientRect().height + over)}px`);
    };
    const watch = new ResizeObserver(fit);
    watch.observe(stage);
    addEventListener('resize', fit);
    return () => { watch.disconnect(); removeEventListener('resize', fit); };
  }, [drawn]);
}
