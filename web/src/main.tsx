// The page: which view an address means, and the few things around it.
import { render, type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { GamePage, Lobby, NewTable, Settings, startFromLink, type Started } from './views.js';
import { LocalRoom, type Kept, type LocalSetup } from './local_room.js';
import { SocketRoom } from './socket_room.js';
import type { Room } from './room.js';
import { TableView } from './table.js';
import { TableDoor } from './door.js';
import { words, language } from './words.js';

export function go(path: string): void {
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

function setupOf(query: URLSearchParams): LocalSetup {
  const seats = (query.get('seats') ?? 'human,bot').split(',').filter(Boolean);
  const seed = Number(query.get('seed'));
  return {
    game: query.get('game') ?? 'tic-tac-toe', players: Number(query.get('players')) || 0, rules: (query.get('rules') ?? '').split(',').filter(Boolean), seats,
    seed: Number.isSafeInteger(seed) && seed > 0 ? seed : 1 + Math.floor(Math.random() * 1e9), ...(query.get('layout') ? { layout: query.get('layout')! } : {}),
  };
}

function keptGame(key: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem('parlor.local') ?? 'null') as (Kept & { key?: string }) | null;
    return kept && kept.key === key && !kept.over ? kept : null;
  } catch { return null; }
}

function Local({ query }: { query: URLSearchParams }): JSX.Element {
  const key = query.toString();
  const [games, setGames] = useState(0);
  const [room, setRoom] = useState<Room | null>(null);
  useEffect(() => {
    const setup = setupOf(query);
    if (!setup.players) setup.players = setup.seats.length > 1 ? setup.seats.length : 0;
    // The last game is kept, as what was chosen: enough to go on after a reload, and to play it again
    // anywhere (parlor trace --picks). A link that names a seed begins anew.
    const kept = query.has('seed') || games > 0 ? null : keptGame(key);
    const made = new LocalRoom(kept?.setup ?? setup, (now) => { try { localStorage.setItem('parlor.local', JSON.stringify({ ...now, key })); } catch { /* full or forbidden */ } }, kept?.acts ?? []);
    setRoom(made);
    return () => made.close();
  }, [key, games]);
  return room ? <TableView room={room} onAgain={() => setGames(games + 1)} /> : <p>{words.connecting}</p>;
}

function Online({ id }: { id: string }): JSX.Element {
  const [room, setRoom] = useState<{ room: Room } | { problem: string } | null>(null);
  useEffect(() => {
    let made: SocketRoom | null = null;
    void TableDoor.enter(id).then(({ facts, token }) => { made = new SocketRoom(id, facts, token); setRoom({ room: made }); },
      (error: unknown) => setRoom({ problem: String(error) }));
    return () => made?.close();
  }, [id]);
  if (!room) return <p class="status">{words.connecting}</p>;
  return 'problem' in room ? <main class="plain"><p role="alert">{room.problem}</p></main> : <TableView room={room.room} />;
}

function Starting({ query }: { query: URLSearchParams }): JSX.Element {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => { void startFromLink(query).then((s: Started) => { history.replaceState(null, '', s.path); dispatchEvent(new PopStateEvent('popstate')); }, (e: unknown) => setProblem(String(e))); }, []);
  return <main class="plain"><p role="status">{problem ?? words.connecting}</p></main>;
}

function Page(): JSX.Element {
  const [address, setAddress] = useState(location.href);
  useEffect(() => {
    const onPop = () => setAddress(location.href);
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  const url = new URL(address), path = url.pathname.replace(/\/index\.html$/, '/'), query = url.searchParams;
  let view: JSX.Element;
  const table = /\/t\/([^/]+)$/.exec(path), game = /\/g\/([^/]+)$/.exec(path);
  if (path.endsWith('/local')) view = <Local query={query} />;
  else if (path.endsWith('/new') && query.has('game') && query.has('seats')) view = <Starting query={query} />;
  else if (path.endsWith('/new')) view = <NewTable query={query} go={go} />;
  else if (table) view = <Online id={decodeURIComponent(table[1]!)} />;
  else if (game) view = <GamePage id={decodeURIComponent(game[1]!)} go={go} />;
  else if (path.endsWith('/settings')) view = <Settings />;
  else if (path === '/' || path.endsWith('/')) view = <Lobby go={go} />;
  else view = <main class="plain"><p>{words.notFound}</p></main>;
  const link = (to: string, text: string) => <a href={to} onClick={(e) => { e.preventDefault(); go(to); }}>{text}</a>;
  return (
    <>
      <header class="top"><a class="logo" href="/" onClick={(e) => { e.preventDefault(); go('/'); }}>Parlor</a><nav aria-label="Parlor">{link('/', words.lobby)}{link('/new', words.newGame)}{link('/settings', words.settings)}</nav></header>
      {view}
    </>
  );
}

document.documentElement.lang = language();
try { const theme = localStorage.getItem('parlor.theme'); if (theme) document.documentElement.dataset['theme'] = theme; } catch { /* no storage: as the system */ }
const home = document.getElementById("page")!;
home.replaceChildren();
render(<Page />, home);

// The page works without a net once it was there: its own files are kept, nothing else.
if ('serviceWorker' in navigator && (location.protocol === 'https:' || location.hostname === 'localhost' || location.hostname === '127.0.0.1'))
  void navigator.serviceWorker.register('/sw.js').catch(() => undefined);
