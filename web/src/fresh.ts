// A value that belongs to something (a decision, a list of options) and begins anew with the next one, at once: an effect
// would come only after a frame has been drawn, and whatever was clicked meanwhile would be lost or mean something else.
import { useState } from 'preact/hooks';

export function useFresh<V>(owner: unknown, begin: () => V): [V, (value: V) => void] {
  const [held, hold] = useState<{ owner: unknown; value: V }>({ owner, value: begin() });
  return [held.owner === owner ? held.value : begin(), (value) => hold({ owner, value })];
}
