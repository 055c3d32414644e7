// One game: what it is about, how it is played, where to begin; and what the page itself can be set to.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { folder } from './files.js';
import { textsOf, type Texts } from './texts.js';
import { hasServer, localGames, quickLink, type LocalGame } from './games.js';
import { GameIcon } from './icons.js';
import { Report } from './report.js';
import { language, languageNames, words } from './words.js';
import { built } from 'virtual:built';

// The rules of a game as a reader sees them: what stands between its blocks of code.
export const prose = (text: string): string => text.replace(/```[\s\S]*?```/g, '').replace(/\n{3,}/g, '\n\n').trim();

function Prose({ text }: { text: string }): JSX.Element {
  const parts = prose(text).split(/\n\n+/), isHeading = (part: string | undefined) => part === undefined || part.startsWith('#');
  return <section class="rules-text">{parts.map((part, i) => {
    if (isHeading(part) && isHeading(parts[i + 1])) return null; // there was only code under it
    if (part.startsWith('# ')) return null;
    if (part.startsWith('#')) return <h2 key={i}>{part.replace(/^#+\s*/, '')}</h2>;
    if (/^[-*] /.test(part)) return <ul key={i}>{part.split(/\n(?=[-*] )/).map((line, j) => <li key={j}>{spans(line.slice(2))}</li>)}</ul>;
    return <p key={i}>{spans(part)}</p>;
  })}</section>;
}
// `code`, *emphasis*, **stress** and [links](to other files) of Markdown; everything is text.
function spans(text: string): (JSX.Element | string)[] {
  return text.replace(/\[([^\]]+)\]\([^)\s]*\)/g, '$1').split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/).map((part, i) => {
    if (part.startsWith('`')) return <code key={i}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={i}>{part.slice(2, -2)}</strong>;
    return part.startsWith('*') && part.length > 2 ? <em key={i}>{part.slice(1, -1)}</em> : part;
  });
}

export function GamePage({ id, go }: { id: string; go(path: string): void }): JSX.Element {
  const [game, setGame] = useState<LocalGame | null | undefined>(null);
  const [texts, setTexts] = useState<Texts | null>(null);
  const [online, setOnline] = useState(false);
  useEffect(() => {
    void localGames().then((all) => setGame(all.find((g) => g.id === id)));
    void textsOf(id, folder).then(setTexts);
    void hasServer().then(setOnline);
  }, [id]);
  if (game === undefined) return <main class="plain"><p>{words.notFound}</p></main>;
  if (game === null) return <main class="plain"><p role="status">{words.connecting}</p></main>;
  return (
    <main class="plain">
      <div class="row"><GameIcon id={id} /><h1>{game.name}</h1></div>
      <p>{game.description}</p>
      <p class="row"><button type="button" class="primary big" onClick={() => go(quickLink(game))}>{words.play}</button>
        {online && built.plays && <button type="button" onClick={() => go(quickLink(game, true))}>{words.startServer}</button>}
        <button type="button" onClick={() => go(`/new?game=${encodeURIComponent(game.id)}`)}>{words.newGame}…</button>
        {texts && <button type="button" onClick={() => go(`/edit?game=${encodeURIComponent(game.id)}`)}>{words.editCopy}</button>}</p>
      {texts && <Prose text={texts.files[texts.main] ?? ''} />}
      {game.rules.length > 0 && <section><h2>{words.rules}</h2><dl class="rule-names">{game.rules.map((r) => <div key={r.id}><dt>{r.name}</dt><dd>{r.description}</dd></div>)}</dl></section>}
      {built.plays && <Report setup={{ game: id, players: game.players.min, rules: [] }} />}
    </main>
  );
}

export function Settings(): JSX.Element {
  const kept = (key: string): string => { try { return localStorage.getItem(key) ?? ''; } catch { return ''; } };
  const [theme, setTheme] = useState(document.documentElement.dataset['theme'] ?? 'system');
  const [sound, setSound] = useState(kept('parlor.sound') === 'on');
  const change = (value: string) => {
    setTheme(value);
    if (value === 'system') { delete document.documentElement.dataset['theme']; localStorage.removeItem('parlor.theme'); }
    else { document.documentElement.dataset['theme'] = value; localStorage.setItem('parlor.theme', value); }
  };
  return (
    <main class="plain settings">
      <h1>{words.settings}</h1>
      <p><label>{words.theme} <select value={theme} onChange={(e) => change(e.currentTarget.value)}><option value="system">{words.system}</option><option value="light">{words.light}</option><option value="dark">{words.dark}</option></select></label></p>
      <p><label>{words.language} <select value={language()} onChange={(e) => { localStorage.setItem('parlor.language', e.currentTarget.value); location.reload(); }}>{Object.entries(languageNames).map(([k, v]) => <option key={k} value={k}>{v}</option>)}</select></label></p>
      <p><label>{words.name} <input maxLength={24} value={kept('parlor.name')} onInput={(e) => { localStorage.setItem('parlor.name', e.currentTarget.value); localStorage.removeItem('parlor.token'); }} /></label></p>
      <p><label><input type="checkbox" checked={sound} onChange={() => { setSound(!sound); localStorage.setItem('parlor.sound', sound ? 'off' : 'on'); }} /> {words.sound}</label></p>
    </main>
  );
}
