// A new table: which game, by which rules, who plays. What is chosen here is a link, and the link is what starts it.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api } from './api.js';
import { TableDoor } from './door.js';
import { gameIndex, hasServer, obstacles, readRule, withNeeds, written, type Chosen, type LocalGame, type Rule } from './games.js';
import { constantsText, readConstants } from './links.js';
import { Preview } from './preview.js';
import { words } from './words.js';
import { built } from 'virtual:built';

type Go = (path: string) => void;

export interface Started { path: string }
// /new?game=chess&rules=atomic&seats=human,bot makes a table at once and opens it.
export async function startFromLink(query: URLSearchParams): Promise<Started> {
  const kinds = (query.get('seats') ?? 'human,bot').split(',').filter(Boolean);
  const game = query.get('game') ?? 'chess';
  const bot = game === 'chess' ? 'alphabeta:ms=400' : (await gameIndex()).games.find((g) => g.id === game)?.hidden ? 'ismcts:iters=300' : 'mcts:iters=400';
  const sit = kinds.indexOf('human');
  const seats = kinds.map((kind) => (kind === 'human' || kind === 'open' ? { kind: 'human' } : { kind: 'bot', agent: kind === 'bot' ? bot : kind }));
  const constants = Object.fromEntries(Object.entries(readConstants(query.get('set'))).map(([k, v]) => [k, /^-?\d+$/.test(v) ? Number(v) : v === 'true' ? true : v === 'false' ? false : v]));
  const made = await api.asSomebody((handle) => api.post('/tables', {
    game, players: seats.length, rules: (query.get('rules') ?? '').split(',').filter(Boolean), constants, visibility: query.get('visibility') ?? 'public',
    clock: (query.get('clock') ?? 'none').replace(' ', '+'), seats, // people write fischer:180+2, and + is a space in an address
    ...(query.get('layout') ? { layout: query.get('layout') } : {}), ...(sit >= 0 ? { sit } : {}),
  }, handle));
  const id = (made['table'] as { id: string }).id;
  if (typeof made['invite'] === 'string') TableDoor.invite(id, made['invite']);
  if (typeof made['seatToken'] === 'string') {
    TableDoor.keep(id, made['seatToken']);
    await api.post(`/tables/${id}/ready`, {}, made['seatToken']);
  }
  return { path: `/t/${id}` };
}

function RuleLine({ rule, game, chosen, choose }: { rule: Rule; game: LocalGame; chosen: Chosen[]; choose(rules: Chosen[]): void }): JSX.Element {
  const own = chosen.find((c) => c.id === rule.id), against = own ? [] : obstacles(rule, chosen, game.rules);
  const wantedBy = game.rules.filter((r) => chosen.some((c) => c.id === r.id) && r.requires.includes(rule.id));
  const change = (part: Partial<Chosen>) => choose(chosen.map((c) => (c.id === rule.id ? { ...c, ...part } : c)));
  const named = (ids: Rule[]) => ids.map((r) => r.name).join(', ');
  return (
    <li class={`rule ${own ? 'on' : ''} ${against.length ? 'off' : ''}`} data-rule={rule.id}>
      <label>
        <input type="checkbox" checked={own !== undefined} disabled={against.length > 0 || wantedBy.length > 0}
          onChange={() => choose(own ? chosen.filter((c) => c.id !== rule.id) : withNeeds(rule, chosen))} />
        <span><strong>{rule.name}</strong> <span class="rule-text">{rule.description}</span>
          {rule.requires.length > 0 && <em> {words.needs} {named(game.rules.filter((r) => rule.requires.includes(r.id)))}.</em>}
          {against.length > 0 && <em class="stop"> {words.excludes} {named(against)}.</em>}
          {wantedBy.length > 0 && <em class="stop"> {words.neededBy} {named(wantedBy)}.</em>}</span>
      </label>
      {own && <span class="rule-more">
        <label>{words.binds} <select value={own.side} onChange={(e) => change({ side: e.currentTarget.value })}><option value="">{words.everybody}</option>{(game.seats ?? []).map((s) => <option key={s} value={s}>{s}</option>)}</select></label>
        <label>{words.forTurns} <input type="number" min={0} max={999} placeholder="∞" value={own.turns || ''} onInput={(e) => change({ turns: Math.max(0, Number(e.currentTarget.value) || 0) })} /></label>
      </span>}
    </li>
  );
}

function RulePicker({ game, chosen, choose }: { game: LocalGame; chosen: Chosen[]; choose(rules: Chosen[]): void }): JSX.Element {
  const [search, setSearch] = useState('');
  const [category, setCategory] = useState('');
  const categories = useMemo(() => [...new Set(game.rules.map((r) => r.category || 'rules'))], [game]);
  const seen = game.rules.filter((r) => (!category || (r.category || 'rules') === category) && `${r.id} ${r.name} ${r.description}`.toLowerCase().includes(search.toLowerCase()));
  return (
    <fieldset class="rules"><legend>{words.rules} <small>{game.rules.length}</small></legend>
      <div class="row"><input type="search" aria-label={words.search} placeholder={words.search} value={search} onInput={(e) => setSearch(e.currentTarget.value)} />
        {categories.length > 1 && <div class="tabs" role="group" aria-label={words.category}>{['', ...categories].map((c) => <button key={c} type="button" class="small" aria-pressed={category === c} onClick={() => setCategory(c)}>{c || words.all}</button>)}</div>}</div>
      <p class="chips" aria-live="polite">{chosen.length === 0 ? <span class="hint">{words.noRules}</span> : chosen.map((c) => <button key={c.id} type="button" class="chip-button" onClick={() => choose(chosen.filter((o) => o.id !== c.id))} aria-label={`${words.remove} ${c.id}`}>{written(c)} ×</button>)}</p>
      <ul class="rule-list">{seen.map((rule) => <RuleLine key={rule.id} rule={rule} game={game} chosen={chosen} choose={choose} />)}
        {seen.length === 0 && <li class="hint">{words.nothingFound}</li>}</ul>
    </fieldset>
  );
}

function Constants({ game, set, change }: { game: LocalGame; set: Record<string, string>; change(set: Record<string, string>): void }): JSX.Element | null {
  // Those whose range the game declares: a server takes no others.
  const numbers = Object.entries(game.ranges ?? {});
  if (!numbers.length) return null;
  return (
    <fieldset class="constants"><legend>{words.constants}</legend>
      {numbers.map(([name, { min, max }]) => {
        const usual = Number(game.constants[name]), now = Number(set[name] ?? usual);
        const put = (value: string) => { const { [name]: _old, ...rest } = set; change(Number(value) === usual ? rest : { ...rest, [name]: value }); };
        return <label key={name}><span>{spaced(name)}</span><input type="range" min={min} max={max} value={now} onInput={(e) => put(e.currentTarget.value)} /><output class={now === usual ? '' : 'changed'}>{now}</output></label>;
      })}
    </fieldset>
  );
}
const spaced = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();

export function NewTable({ query, go }: { query: URLSearchParams; go: Go }): JSX.Element {
  const [games, setGames] = useState<LocalGame[]>([]);
  const [id, setId] = useState(query.get('game') ?? 'chess');
  const [rules, setRules] = useState<Chosen[]>((query.get('rules') ?? '').split(',').filter(Boolean).map(readRule));
  const [set, setSet] = useState<Record<string, string>>(readConstants(query.get('set')));
  const [layout, setLayout] = useState(query.get('layout') ?? '');
  const [players, setPlayers] = useState(0);
  const [seats, setSeats] = useState<string[]>([]);
  const [online, setOnline] = useState(false);
  const [clock, setClock] = useState('none');
  const [visibility, setVisibility] = useState('public');
  const [copied, setCopied] = useState(false);
  useEffect(() => { void gameIndex().then((index) => setGames(index.games)); void hasServer().then(setOnline); }, []);
  const game = games.find((g) => g.id === id);
  const count = Math.max(game?.players.min ?? 2, Math.min(game?.players.max ?? 2, players || (game?.players.min ?? 2)));
  const kinds = Array.from({ length: count }, (_, i) => seats[i] ?? (i === 0 ? 'human' : 'bot'));
  const people = kinds.filter((k) => k === 'human' || k === 'open').length;
  const link = (where: string) => `${where}?game=${encodeURIComponent(id)}${rules.length ? `&rules=${rules.map(written).join(',')}` : ''}${layout ? `&layout=${encodeURIComponent(layout)}` : ''}${Object.keys(set).length ? `&set=${constantsText(set)}` : ''}&seats=${kinds.join(',')}`
    + (where === '/new' ? `${clock !== 'none' ? `&clock=${encodeURIComponent(clock)}` : ''}${visibility !== 'public' ? `&visibility=${visibility}` : ''}` : '');
  // What is chosen stands in the address, so that coming back finds it. Seats do not: a link with seats begins at once.
  useEffect(() => { if (game) history.replaceState(null, '', link('/new').replace(/&seats=[^&]*/, '')); }, [game, rules, set, layout]);
  const atServer = online && (people > 1 || !built.plays);
  const setup = { game: id, players: count, rules: rules.map(written), constants: set, ...(layout ? { layout } : {}) };
  const start = <p class="row start">
    <button type="button" class="primary big" onClick={() => go(link(atServer ? '/new' : '/local'))}>{words.start}</button>
    {online && built.plays && <button type="button" onClick={() => go(link(atServer ? '/local' : '/new'))}>{atServer ? words.startLocal : words.startServer}</button>}
    <button type="button" class="quiet" onClick={() => { void navigator.clipboard?.writeText(new URL(link(online ? '/new' : '/local'), location.href).href); setCopied(true); setTimeout(() => setCopied(false), 2000); }}>{copied ? words.copied : words.share}</button>
  </p>;
  return (
    <main class="plain wide new">
      <h1>{words.newGame}</h1>
      <div class="new-columns">
        <div class="new-choices">
          <p class="row"><label>{words.game} <select value={id} onChange={(e) => { setId(e.currentTarget.value); setRules([]); setSet({}); setLayout(''); }}>{games.map((g) => <option key={g.id} value={g.id}>{g.name}</option>)}</select></label>
            {game && game.players.max > game.players.min && <label>{words.players} <input type="number" min={game.players.min} max={game.players.max} value={count} onInput={(e) => setPlayers(Number(e.currentTarget.value))} /></label>}
            {id === 'chess' && <label>{words.layout} <select value={layout} onChange={(e) => setLayout(e.currentTarget.value)}><option value="">{words.usual}</option><option value={layout.startsWith('chess960') ? layout : `chess960:${Math.floor(Math.random() * 960)}`}>Chess960</option></select></label>}</p>
          <fieldset><legend>{words.seats}</legend>
            {kinds.map((kind, i) => <label key={i} class="seat-choice">{game?.seats?.[i] ?? i + 1} <select value={kind} onChange={(e) => setSeats(kinds.map((k, j) => (j === i ? e.currentTarget.value : k)))}>
              <option value="human">{words.human}</option>{online && <option value="open">{words.openSeat}</option>}<option value="bot">{words.bot}</option><option value="random">{words.bot} ({words.weak})</option><option value={id === 'chess' ? 'alphabeta:ms=2000' : game?.hidden ? 'ismcts:iters=2000' : 'mcts:iters=2500'}>{words.bot} ({words.strong})</option></select></label>)}
          </fieldset>
          {online && <p class="row"><label>{words.clock} <select value={clock} onChange={(e) => setClock(e.currentTarget.value)}><option value="none">{words.none}</option><option value="fischer:180+2">3+2</option><option value="fischer:600+5">10+5</option><option value="fischer:1800+20">30+20</option><option value="days:3">3 {words.days}</option></select></label>
            <label>{words.visibility} <select value={visibility} onChange={(e) => setVisibility(e.currentTarget.value)}><option value="public">{words.isPublic}</option><option value="unlisted">{words.unlisted}</option><option value="private">{words.isPrivate}</option></select></label></p>}
          {start}
          {game && built.readsTexts && <Constants game={game} set={set} change={setSet} />}
          {game?.rules.length ? <RulePicker game={game} chosen={rules} choose={setRules} /> : null}
        </div>
        {game && built.plays && <div class="new-preview"><Preview setup={setup} /></div>}
      </div>
    </main>
  );
}
