// What a worker does before anybody asks, told by its name: messages reach it only when the page has time for that.
import { needsTexts, type GameSetup } from './requests.js';

// `texts`: it shall be able to read texts of games.
export interface ToDo { open: GameSetup | null; texts: boolean }
// Null: games that are not known yet.
export const toDo = (game: GameSetup | null): string => JSON.stringify({ open: game?.texts ? null : game, texts: !game || needsTexts(game) } satisfies ToDo);
