// The picture of a game: assets/icons has drawings of the shipped ones, and one for any other.
import type { JSX } from 'preact';
import { asset } from './files.js';

export function GameIcon({ id }: { id: string }): JSX.Element {
  return <img class="game-icon" src={asset(`icons/${encodeURIComponent(id)}.svg`)} alt="" width={48} height={48} loading="lazy"
    onError={(e) => { const any = asset('icons/any.svg'); if (e.currentTarget.src !== any) e.currentTarget.src = any; }} />;
}
