// What the engine is asked to open. This runs in its worker, so that games of many hundred kilobytes never pass through the page.
import { textsOf, type Texts } from './texts.js';
import { built } from 'virtual:built';

export interface GameSetup { game: string; players: number; rules: string[]; layout?: string; constants?: Record<string, string>; texts?: Texts }

// A game as it was compiled when the page was built.
async function compiled(folder: URL, name: string): Promise<string | null> {
  const response = await fetch(new URL(`games/${name}.json`, folder));
  return response.ok ? response.text() : null;
}

// Who plays a game as it was compiled, or chess, needs an engine that plays; else one that reads texts, too.
export const needsTexts = (setup: GameSetup): boolean => !!setup.texts || Object.keys(setup.constants ?? {}).length > 0 || (setup.game !== 'chess' && setup.rules.length > 0);

// Chess is part of the engine. Other games are opened as they were compiled when the page was built, or, with rules and
// numbers of one's own, from their texts. `folder`: where the files of the page lie.
export async function openRequest(setup: GameSetup, folder: URL): Promise<string> {
  if (setup.game === 'chess' && !setup.texts) return JSON.stringify({ game: 'chess', rules: setup.rules, layout: setup.layout ?? '' });
  const usual = !setup.texts && Object.keys(setup.constants ?? {}).length === 0;
  if (usual && (setup.rules.length === 0 || !built.readsTexts)) {
    const def = await compiled(folder, [setup.game, ...setup.rules].map(encodeURIComponent).join('+'));
    if (def !== null) return `{"players":${setup.players},"def":${def}}`;
  }
  const texts = setup.texts ?? (needsTexts(setup) ? await textsOf(setup.game, folder) : null);
  if (!texts) throw new Error(`there is no game “${setup.game}”`); // as the engine would say it
  const { main, files, modules } = texts;
  return JSON.stringify({ main, files, modules: setup.rules.map((id) => modules?.[id] ?? id), constants: setup.constants ?? {}, players: setup.players });
}
