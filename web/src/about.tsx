// What is played at a table: the game, its house rules in words, and the link that brings others here.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { gameIndex, readRule, type Rule } from './games.js';
import type { Played } from './room.js';
import { words } from './words.js';

export function About({ played, name }: { played: Played; name: string }): JSX.Element {
  const [offered, setOffered] = useState<Rule[]>([]);
  const [copied, setCopied] = useState(false);
  const { game, rules, link } = played;
  useEffect(() => { if (rules.length) void gameIndex().then(({ games }) => setOffered(games.find((g) => g.id === game)?.rules ?? [])); }, [game, rules.join()]);
  const copy = () => { void navigator.clipboard?.writeText(link ?? ''); setCopied(true); setTimeout(() => setCopied(false), 2000); };
  return (
    <section class="about-table" aria-label={words.game}>
      <p class="row between"><strong>{game ? <a href={`/g/${encodeURIComponent(game)}`}>{name}</a> : name}</strong>
        {link && <button type="button" class="small" data-share="" onClick={copy}>{copied ? words.copied : words.share}</button>}</p>
      {rules.length > 0 && <ul aria-label={words.rules}>{rules.map((text) => {
        const { id, side, turns } = readRule(text), rule = offered.find((r) => r.id === id);
        const bound = [side && `${words.binds} ${side}`, turns > 0 && `${turns} ${words.forTurns}`].filter(Boolean).join(', ');
        return <li key={text} data-rule={text}><details><summary>{rule?.name ?? id}{bound && <small> {bound}</small>}</summary>{rule?.description ?? id}</details></li>;
      })}</ul>}
    </section>
  );
}
