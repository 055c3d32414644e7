// The first view: games to play, games that were begun, tables that are open.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api } from './api.js';
import { TableDoor } from './door.js';
import { hasServer, localGames, quickLink, type LocalGame } from './games.js';
import { GameIcon } from './icons.js';
import { store, type KeptGame } from './store.js';
import { words } from './words.js';

type Go = (path: string) => void;
interface TableLine { id: string; game: string; state?: string; clock?: string; rules?: string[]; seats?: { kind: string; name?: string; handle?: string }[] }

export function Link({ to, go, children, kind }: { to: string; go: Go; children: JSX.Element | string | (JSX.Element | string)[]; kind?: string }): JSX.Element {
  return <a href={to} class={kind} onClick={(e) => { if (e.ctrlKey || e.metaKey || e.shiftKey) return; e.preventDefault(); go(to); }}>{children}</a>;
}

export function Lobby({ go }: { go: Go }): JSX.Element {
  const [games, setGames] = useState<LocalGame[]>([]);
  const [kept, setKept] = useState<KeptGame[]>([]);
  const [online, setOnline] = useState<boolean | null>(null);
  const [tables, setTables] = useState<TableLine[]>([]);
  const [search, setSearch] = useState('');
  useEffect(() => {
    void localGames().then(setGames);
    void store.all().then(setKept);
    void hasServer().then(setOnline);
  }, []);
  // Tables come and go while somebody looks.
  useEffect(() => {
    if (!online) return;
    const look = () => { if (!document.hidden) void api.get('/tables').then((a) => setTables(((a['tables'] as TableLine[] | undefined) ?? []).filter((t) => t.state === 'open' || t.state === 'playing')), () => undefined); };
    look();
    const timer = setInterval(look, 5000);
    return () => clearInterval(timer);
  }, [online]);
  const seen = games.filter((g) => `${g.id} ${g.name} ${g.description ?? ''}`.toLowerCase().includes(search.toLowerCase()));
  const name = (id: string) => games.find((g) => g.id === id)?.name ?? id;
  const begun = kept.filter((g) => g.acts.length > 0).slice(0, 6);
  return (
    <main class="plain lobby">
      <header class="hero">
        <h1>{words.lobby}</h1>
        <p>{words.heroText}</p>
        <p class="row"><button type="button" class="primary big" onClick={() => go(quickLink({ id: 'chess', players: { min: 2, max: 2 } }))}>{words.playChess}</button>
          <button type="button" onClick={() => go('/new?game=chess')}>{words.withHouseRules}…</button>
          <button type="button" onClick={() => go('/edit')}>{words.writeGame}…</button></p>
      </header>
      {begun.length > 0 && <section><h2>{words.yourGames}</h2>
        <ul class="kept">{begun.map((g) => (
          <li key={g.id}><GameIcon id={g.setup.game} /><Link to={g.over ? `/r/${g.id}` : `/local?id=${g.id}`} go={go}>{name(g.setup.game)}</Link>
            <span class="hint">{g.setup.rules.length ? `${g.setup.rules.join(', ')} · ` : ''}{g.over ? words.over : `${g.acts.length} ${words.decisions}`}</span>
            <button type="button" class="small quiet" aria-label={`${words.forget}: ${name(g.setup.game)}`} onClick={() => void store.forget(g.id).then(() => setKept(kept.filter((k) => k.id !== g.id)))}>×</button></li>
        ))}</ul></section>}
      {online && <section><h2>{words.tables}</h2>
        {tables.length === 0 ? <p class="hint">{words.noTables}</p> : <ul class="kept">{tables.map((t) => (
          <li key={t.id}><GameIcon id={t.game} /><strong>{name(t.game)}</strong> <span class="hint">{t.rules?.length ? `${t.rules.join(', ')} · ` : ''}{(t.seats ?? []).map((s) => (s.kind === 'open' ? words.openSeat : s.kind === 'bot' ? words.bot : s.handle ?? s.name ?? s.kind)).join(' · ')}{t.clock && t.clock !== 'none' ? ` · ${t.clock.replace(/^\w+:/, '')}` : ''}</span>
            {(t.seats ?? []).some((s) => s.kind === 'open') && <button type="button" onClick={() => void sitDown(t, () => go(`/t/${t.id}`)).catch(() => go(`/t/${t.id}`)) /* somebody else was faster: the table says so */}>{words.join}</button>} <button type="button" class="quiet" onClick={() => go(`/t/${t.id}`)}>{words.watch}</button></li>
        ))}</ul>}
      </section>}
      <section>
        <div class="row between"><h2>{words.allGames}</h2><input type="search" aria-label={words.search} placeholder={words.search} value={search} onInput={(e) => setSearch(e.currentTarget.value)} /></div>
        {online === false && <p class="hint">{words.noServer}</p>}
        <ul class="games">
          {seen.map((g) => (
            <li key={g.id}>
              <GameIcon id={g.id} />
              <div class="about"><Link to={`/g/${encodeURIComponent(g.id)}`} go={go}><strong>{g.name}</strong></Link>
                <p>{g.description}</p>
                <p class="row between"><span class="hint">{g.players.min === g.players.max ? g.players.min : `${g.players.min}–${g.players.max}`} {words.inPlayers}{g.rules.length ? ` · ${g.rules.length} ${g.rules.length === 1 ? words.oneRule : words.someRules}` : ''}</span>
                  <button type="button" class="primary" aria-label={`${words.play}: ${g.name.slice(0, 80)}`} onClick={() => go(quickLink(g))}>{words.play}</button></p></div>
            </li>
          ))}
        </ul>
      </section>
    </main>
  );
}

export async function sitDown(table: { id: string; seats?: { kind: string }[] }, then: () => void): Promise<void> {
  const open = (table.seats ?? []).findIndex((s) => s.kind === 'open');
  const answer = await api.asSomebody((handle) => api.post(`/tables/${table.id}/sit`, open >= 0 ? { seat: open } : {}, handle, TableDoor.invitation(table.id)));
  TableDoor.keep(table.id, String(answer['seatToken']));
  await api.post(`/tables/${table.id}/ready`, {}, String(answer['seatToken']));
  then();
}
