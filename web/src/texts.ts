// The texts of a game, by name; `modules` are house rules, each the name of a file.
export interface Texts { main: string; files: Record<string, string>; modules?: Record<string, string> }

export async function textsOf(game: string, folder: URL): Promise<Texts | null> {
  const response = await fetch(new URL(`games/${encodeURIComponent(game)}.texts.json`, folder));
  return response.ok ? ((await response.json()) as Texts) : null;
}
