// Everything but a table: the games there are, a new table with its rules, one game, settings.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, type GameLine } from './api.js';
import { TableDoor } from './door.js';
import { asset } from './files.js';
import { language, languageNames, words } from './words.js';

export interface Rule { id: string; name: string; description: string; category: string; requires: string[]; incompatibleWith: string[] }
interface LocalGame extends GameLine { rules: Rule[]; hidden?: boolean }
type Go = (path: string) => void;

async function localGames(): Promise<LocalGame[]> {
  const response = await fetch(asset('games/index.json'));
  return response.ok ? ((await response.json()) as LocalGame[]) : [];
}
async function hasServer(): Promise<boolean> {
  try { await api.get('/games'); return true; } catch { return false; }
}

export interface Started { path: string }
// /new?game=chess&rules=atomic&seats=human,bot makes a table at once and opens it.
export async function startFromLink(query: URLSearchParams): Promise<Started> {
  const seats = (query.get('seats') ?? 'human,bot').split(',').map((kind) => (kind === 'human' ? { kind: 'human' } : { kind: 'bot', agent: kind === 'bot' ? 'random' : kind }));
  const token = await api.handle(localStorage.getItem('parlor.name') ?? 'guest');
  const sit = seats.findIndex((s) => s.kind === 'human');
  const made = await api.post('/tables', {
    game: query.get('game'), players: seats.length, rules: (query.get('rules') ?? '').split(',').filter(Boolean), constants: {}, visibility: query.get('visibility') ?? 'public',
    clock: query.get('clock') ?? 'none', seats, ...(sit >= 0 ? { sit } : {}),
  }, token);
  const id = (made['table'] as { id: string }).id;
  if (typeof made['seatToken'] === 'string') {
    TableDoor.keep(id, made['seatToken']);
    await api.post(`/tables/${id}/ready`, {}, made['seatToken']);
  }
  return { path: `/t/${id}` };
}

export function Lobby({ go }: { go: Go }): JSX.Element {
  const [games, setGames] = useState<LocalGame[]>([]);
  const [online, setOnline] = useState(false);
  const [tables, setTables] = useState<Record<string, unknown>[]>([]);
  const [search, setSearch] = useState('');
  useEffect(() => {
    void localGames().then(setGames);
    void hasServer().then((yes) => {
      setOnline(yes);
      if (yes) void api.get('/tables?state=open').then((a) => setTables((a['tables'] as Record<string, unknown>[] | undefined) ?? []));
    });
  }, []);
  const seen = games.filter((g) => `${g.name} ${g.description ?? ''}`.toLowerCase().includes(search.toLowerCase()));
  return (
    <main class="plain">
      <h1>{words.lobby}</h1>
      {!online && <p class="hint">{words.noServer}</p>}
      <p><input type="search" aria-label={words.search} placeholder={words.search} value={search} onInput={(e) => setSearch(e.currentTarget.value)} /></p>
      <ul class="games">
        {seen.map((g) => (
          <li key={g.id}>
            <a href={`/g/${g.id}`} onClick={(e) => { e.preventDefault(); go(`/g/${g.id}`); }}><strong>{g.name}</strong></a>
            <p>{g.description}</p>
            <p class="row"><span class="hint">{g.players.min === g.players.max ? g.players.min : `${g.players.min}–${g.players.max}`} {words.players}</span>
              <button type="button" class="primary" onClick={() => go(quickLink(g, online))}>{words.play}</button></p>
          </li>
        ))}
      </ul>
      {online && <section><h2>{words.tables}</h2>
        {tables.length === 0 ? <p class="hint">{words.noTables}</p> : <ul class="tables">{tables.map((t) => <li key={String(t['id'])}><strong>{String(t['game'])}</strong> <button type="button" onClick={() => void sitDown(t, go)}>{words.join}</button> <button type="button" class="quiet" onClick={() => go(`/t/${String(t['id'])}`)}>{words.watch}</button></li>)}</ul>}
      </section>}
    </main>
  );
}
function quickLink(g: GameLine, online: boolean): string {
  const seats = ['human', ...Array.from({ length: g.players.min - 1 }, () => 'bot')].join(',');
  return `${online ? '/new' : '/local'}?game=${g.id}&seats=${seats}`;
}
async function sitDown(table: Record<string, unknown>, go: Go): Promise<void> {
  const token = await api.handle(localStorage.getItem('parlor.name') ?? 'guest');
  const id = String(table['id']);
  const seats = (table['seats'] as { kind: string; seat?: number }[] | undefined) ?? [];
  const open = seats.findIndex((s) => s.kind === 'open' || (s.kind === 'human' && !(s as Record<string, unknown>)['name']));
  const answer = await api.post(`/tables/${id}/sit`, { seat: Math.max(0, open) }, token);
  TableDoor.keep(id, String(answer['seatToken']));
  await api.post(`/tables/${id}/ready`, {}, String(answer['seatToken']));
  go(`/t/${id}`);
}

// Why a rule cannot be added to those that are chosen; empty: it can.
export function obstacle(rule: Rule, chosen: string[], all: Rule[]): string {
  const against = chosen.filter((id) => rule.incompatibleWith.includes(id) || all.find((r) => r.id === id)?.incompatibleWith.includes(rule.id));
  return against.length ? `${words.excludes} ${against.join(', ')}` : '';
}
export function withNeeds(rule: Rule, chosen: string[]): string[] {
  return [...chosen, ...rule.requires.filter((id) => !chosen.includes(id)), rule.id];
}

function RulePicker({ rules, chosen, choose }: { rules: Rule[]; chosen: string[]; choose(ids: string[]): void }): JSX.Element {
  const [search, setSearch] = useState('');
  const categories = useMemo(() => {
    const out = new Map<string, Rule[]>();
    for (const rule of rules) if (`${rule.id} ${rule.name} ${rule.description}`.toLowerCase().includes(search.toLowerCase())) out.set(rule.category || '·', [...(out.get(rule.category || '·') ?? []), rule]);
    return [...out];
  }, [rules, search]);
  return (
    <fieldset class="rules"><legend>{words.rules}</legend>
      <p><input type="search" aria-label={words.search} placeholder={words.search} value={search} onInput={(e) => setSearch(e.currentTarget.value)} /> <span class="hint">{words.chosenRules}: {chosen.length ? chosen.join(', ') : words.none}</span></p>
      {categories.map(([category, list]) => (
        <details key={category} open={list.some((r) => chosen.includes(r.id)) || search !== ''}>
          <summary>{category} <small>{list.length}</small></summary>
          {list.map((rule) => {
            const on = chosen.includes(rule.id), stop = on ? '' : obstacle(rule, chosen, rules);
            const wantedBy = chosen.filter((id) => rules.find((r) => r.id === id)?.requires.includes(rule.id));
            return (
              <label key={rule.id} class={stop ? 'off' : ''}>
                <input type="checkbox" checked={on} disabled={stop !== '' || (on && wantedBy.length > 0)} onChange={() => choose(on ? chosen.filter((id) => id !== rule.id) : withNeeds(rule, chosen))} />
                <span><strong>{rule.name}</strong> {rule.description}{rule.requires.length ? <em> {words.needs} {rule.requires.join(', ')}</em> : null}{stop ? <em class="stop"> {stop}</em> : null}</span>
              </label>
            );
          })}
        </details>
      ))}
    </fieldset>
  );
}

export function NewTable({ query, go }: { query: URLSearchParams; go: Go }): JSX.Element {
  const [games, setGames] = useState<LocalGame[]>([]);
  const [id, setId] = useState(query.get('game') ?? 'chess');
  const [rules, setRules] = useState<string[]>((query.get('rules') ?? '').split(',').filter(Boolean));
  const [players, setPlayers] = useState(0);
  const [seats, setSeats] = useState<string[]>([]);
  const [online, setOnline] = useState(false);
  const [copied, setCopied] = useState(false);
  useEffect(() => { void localGames().then(setGames); void hasServer().then(setOnline); }, []);
  const game = games.find((g) => g.id === id);
  const count = Math.max(game?.players.min ?? 2, Math.min(game?.players.max ?? 2, players || (game?.players.min ?? 2)));
  const kinds = Array.from({ length: count }, (_, i) => seats[i] ?? (i === 0 ? 'human' : 'bot'));
  const link = (where: string) => `${where}?game=${id}${rules.length ? `&rules=${rules.join(',')}` : ''}&seats=${kinds.join(',')}`;
  return (
    <main class="plain new">
      <h1>{words.newGame}</h1>
      <p><label>{words.game} <select value={id} onChange={(e) => { setId(e.currentTarget.value); setRules([]); }}>{games.map((g) => <option key={g.id} value={g.id}>{g.name}</option>)}</select></label>
        {game && game.players.max > game.players.min && <label> {words.players} <input type="number" min={game.players.min} max={game.players.max} value={count} onInput={(e) => setPlayers(Number(e.currentTarget.value))} /></label>}</p>
      <fieldset><legend>{words.seats}</legend>
        {kinds.map((kind, i) => <label key={i} class="seat-choice">{i + 1} <select aria-label={`${words.seats} ${i + 1}`} value={kind} onChange={(e) => setSeats(kinds.map((k, j) => (j === i ? e.currentTarget.value : k)))}><option value="human">{words.human}</option><option value="bot">{words.bot}</option><option value="random">{words.bot} (random)</option></select></label>)}
      </fieldset>
      {game?.rules.length ? <RulePicker rules={game.rules} chosen={rules} choose={setRules} /> : null}
      <p class="row">
        {online && <button type="button" class="primary" onClick={() => go(link('/new'))}>{words.start}</button>}
        <button type="button" class={online ? '' : 'primary'} onClick={() => go(link('/local'))}>{online ? words.startLocal : words.start}</button>
        <button type="button" class="quiet" onClick={() => { void navigator.clipboard?.writeText(new URL(link(online ? '/new' : '/local'), location.href).href); setCopied(true); }}>{copied ? words.copied : words.share}</button>
      </p>
    </main>
  );
}

export function GamePage({ id, go }: { id: string; go: Go }): JSX.Element {
  const [game, setGame] = useState<LocalGame | null | undefined>(null);
  const [text, setText] = useState('');
  const [online, setOnline] = useState(false);
  useEffect(() => {
    void localGames().then((all) => setGame(all.find((g) => g.id === id)));
    void fetch(asset(`games/${id}.txt`)).then(async (r) => { if (r.ok) setText(await r.text()); });
    void hasServer().then(setOnline);
  }, [id]);
  if (game === undefined) return <main class="plain"><p>{words.notFound}</p></main>;
  if (game === null) return <main class="plain"><p role="status">{words.connecting}</p></main>;
  return (
    <main class="plain">
      <h1>{game.name}</h1>
      <p>{game.description}</p>
      <p class="row"><button type="button" class="primary" onClick={() => go(quickLink(game, online))}>{words.play}</button><button type="button" onClick={() => go(`/new?game=${game.id}`)}>{words.newGame}…</button></p>
      {text && <section class="rules-text">{text.split(/\n\n+/).map((part, i) => (part.startsWith('# ') ? null : part.startsWith('## ') ? <h2 key={i}>{part.slice(3)}</h2> : <p key={i}>{part}</p>))}</section>}
    </main>
  );
}

export function Settings(): JSX.Element {
  const [theme, setTheme] = useState(document.documentElement.dataset['theme'] ?? 'system');
  const change = (value: string) => {
    setTheme(value);
    if (value === 'system') { delete document.documentElement.dataset['theme']; localStorage.removeItem('parlor.theme'); }
    else { document.documentElement.dataset['theme'] = value; localStorage.setItem('parlor.theme', value); }
  };
  return (
    <main class="plain">
      <h1>{words.settings}</h1>
      <p><label>{words.theme} <select value={theme} onChange={(e) => change(e.currentTarget.value)}><option value="system">{words.system}</option><option value="light">{words.light}</option><option value="dark">{words.dark}</option></select></label></p>
      <p><label>{words.language} <select value={language()} onChange={(e) => { localStorage.setItem('parlor.language', e.currentTarget.value); location.reload(); }}>{Object.entries(languageNames).map(([k, v]) => <option key={k} value={k}>{v}</option>)}</select></label></p>
      <p><label>{words.name} <input maxLength={24} value={localStorage.getItem('parlor.name') ?? ''} onInput={(e) => { localStorage.setItem('parlor.name', e.currentTarget.value); localStorage.removeItem('parlor.token'); }} /></label></p>
    </main>
  );
}
