// Games played in this browser, kept in IndexedDB: what they were opened with and what was chosen, which is enough to
// go on after a reload, to look at them again, and to play them on any machine (parlor trace --picks).
import type { GameSetup } from './engine_worker.js';

export interface LocalSetup extends GameSetup { seats: string[]; seed: number }
export interface KeptGame { id: string; key: string; setup: LocalSetup; acts: number[]; over: boolean; result?: string; at: number }

let opening: Promise<IDBDatabase> | null = null;
function database(): Promise<IDBDatabase> {
  return (opening ??= new Promise((done, failed) => {
    const request = indexedDB.open('parlor', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('games', { keyPath: 'id' });
      request.result.createObjectStore('texts', { keyPath: 'name' });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  }));
}
function asked<T>(store: string, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  return database().then((db) => new Promise<T>((done, failed) => {
    const request = work(db.transaction(store, mode).objectStore(store));
    request.onsuccess = () => done(request.result as T);
    request.onerror = () => failed(request.error);
  }));
}
// A browser that keeps nothing (private windows) plays all the same.
const quietly = <T>(work: Promise<T>, otherwise: T): Promise<T> => work.catch(() => otherwise);

const most = 100;
export const store = {
  keep: (game: KeptGame): Promise<unknown> => quietly(asked<unknown>('games', 'readwrite', (s) => s.put(game)), null),
  find: (id: string): Promise<KeptGame | undefined> => quietly(asked<KeptGame | undefined>('games', 'readonly', (s) => s.get(id)), undefined),
  forget: (id: string): Promise<unknown> => quietly(asked<unknown>('games', 'readwrite', (s) => s.delete(id)), null),
  // The latest first; of very many the oldest are forgotten.
  async all(): Promise<KeptGame[]> {
    const games = await quietly(asked<KeptGame[]>('games', 'readonly', (s) => s.getAll()), []);
    games.sort((a, b) => b.at - a.at);
    for (const old of games.slice(most)) void store.forget(old.id);
    return games.slice(0, most);
  },
  async unfinished(key: string): Promise<KeptGame | undefined> { return (await store.all()).find((g) => g.key === key && !g.over); },
  keepText: (name: string, value: unknown): Promise<unknown> => quietly(asked<unknown>('texts', 'readwrite', (s) => s.put({ name, value })), null),
  text: async (name: string): Promise<unknown> => (await quietly(asked<{ value: unknown } | undefined>('texts', 'readonly', (s) => s.get(name)), undefined))?.value,
};
export const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(36).padStart(2, '0')).join('').slice(0, 12);
