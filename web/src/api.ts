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
export interface GameLine { id: string; name: string; description?: string; players: { min: number; max: number } }

export const api = {
  get: (path: string, token?: string | null) => request('GET', path, undefined, token),
  post: (path: string, body: unknown, token?: string | null) => request('POST', path, body, token),
  async scene(game: string): Promise<unknown> {
    const answer = await request('GET', `/games/${encodeURIComponent(game)}`);
    return answer['scene'] ?? (answer['game'] as Record<string, unknown> | undefined)?.['scene'];
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
