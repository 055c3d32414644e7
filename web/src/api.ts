// The server's REST interface, docs/server.md section 4.
const root = '/api/v1';
class Refused extends Error { constructor(readonly status: number, message: string) { super(message); } }
async function request(method: string, path: string, body?: unknown, token?: string | null, invite?: string | null): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token) headers['authorization'] = `Bearer ${token}`;
  if (invite) headers['parlor-invite'] = invite;
  const response = await fetch(root + path, { method, headers, ...(body !== undefined ? { body: JSON.stringify(body) } : {}) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok || answer['ok'] === false) throw new Refused(response.status, (answer['error'] as { message?: string } | undefined)?.message ?? `${response.status}`);
  return answer;
}
export interface TableFacts { id: string; game: string; players?: number; rules?: string[]; constants?: Record<string, unknown>; position?: string; layout?: string; modifiers?: unknown; claimAfter?: number; clock?: string }
export interface GameLine { id: string; name: string; description?: string; players: { min: number; max: number } }

export const api = {
  get: (path: string, token?: string | null, invite?: string | null) => request('GET', path, undefined, token, invite),
  post: (path: string, body: unknown, token?: string | null, invite?: string | null) => request('POST', path, body, token, invite),
  // For questions whose answer may be no.
  ask: async (path: string, body: unknown): Promise<Record<string, unknown>> => (await (await fetch(root + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()) as Record<string, unknown>,
  // Of a game as a table has it: with its players, rules, constants and set-up.
  async scene(table: TableFacts): Promise<unknown> {
    const { game, players, rules, constants, position, layout, modifiers } = table;
    return (await request('POST', `/games/${encodeURIComponent(game)}/options`, { ...(players ? { players } : {}), rules: rules ?? [], constants: constants ?? {}, position, layout, modifiers }))['scene'];
  },
  // Somebody's errand at the server. A handle is made once and kept; one that the server no longer knows is made anew.
  async asSomebody<T>(work: (handle: string) => Promise<T>): Promise<T> {
    const kept = localStorage.getItem('parlor.token');
    if (!kept) return work(await newHandle());
    return work(kept).catch(async (error: unknown) => {
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      return work(await newHandle());
    });
  },
};
async function newHandle(): Promise<string> {
  const made = await request('POST', '/handles', { name: localStorage.getItem('parlor.name') || 'guest' });
  localStorage.setItem('parlor.token', String(made['token']));
  return String(made['token']);
}
