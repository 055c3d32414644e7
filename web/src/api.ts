// The server's REST interface, docs/server.md section 4.
const root = '/api/v1';
async function request(method: string, path: string, body?: unknown, token?: string | null): Promise<Record<string, unknown>> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (token) headers['authorization'] = `Bearer ${token}`;
  const response = await fetch(root + path, { method, headers, ...(body !== undefined ? { body: JSON.stringify(body) } : {}) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok || answer['ok'] === false) throw new Error((answer['error'] as { message?: string } | undefined)?.message ?? `${response.status}`);
  return answer;
}
export interface TableFacts { id: string; game: string; players?: number; rules?: string[]; constants?: Record<string, unknown>; position?: string; layout?: string; modifiers?: unknown }
export interface GameLine { id: string; name: string; description?: string; players: { min: number; max: number } }

export const api = {
  get: (path: string, token?: string | null) => request('GET', path, undefined, token),
  post: (path: string, body: unknown, token?: string | null) => request('POST', path, body, token),
  // Of a game as a table has it: with its players, rules, constants and set-up.
  async scene(table: TableFacts): Promise<unknown> {
    const { game, players, rules, constants, position, layout, modifiers } = table;
    return (await request('POST', `/games/${encodeURIComponent(game)}/options`, { ...(players ? { players } : {}), rules: rules ?? [], constants: constants ?? {}, position, layout, modifiers }))['scene'];
  },
  // A handle is made once and kept.
  async handle(name: string): Promise<string> {
    const kept = localStorage.getItem('parlor.token');
    if (kept) return kept;
    const made = await request('POST', '/handles', { name });
    localStorage.setItem('parlor.token', String(made['token']));
    localStorage.setItem('parlor.name', name);
    return String(made['token']);
  },
};
