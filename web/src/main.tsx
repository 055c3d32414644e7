// The page: which view an address means, and the few things around it.
import { render, type FunctionComponent, type JSX } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { GamePage, Settings } from './game_page.js';
import { gameIn, seatsIn } from './links.js';
import { Link, Lobby } from './lobby.js';
import { LocalRoom } from './local_room.js';
import { NewTable, startFromLink, type Started } from './new_table.js';
import { SocketRoom } from './socket_room.js';
import { newId, store, type KeptGame, type LocalSetup } from './store.js';
import type { Room } from './room.js';
import { TableView } from './table.js';
import { TableDoor } from './door.js';
import type { Texts } from './engine_worker.js';
import { words, language } from './words.js';
import { built } from 'virtual:built';

export function go(path: string): void {
  history.pushState(null, '', path);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent('popstate'));
}

// What a link says, with its seats and seed. A game from the editor is kept in this browser and named by `text`.
async function setupOf(query: URLSearchParams): Promise<LocalSetup> {
  const seed = Number(query.get('seed')), texts = query.has('text') ? ((await store.text(query.get('text')!)) as Texts | undefined) : undefined;
  return { ...gameIn(query), seats: seatsIn(query), seed: Number.isSafeInteger(seed) && seed > 0 ? seed : 1 + Math.floor(Math.random() * 1e9), ...(texts ? { texts } : {}) };
}

function Local({ query }: { query: URLSearchParams }): JSX.Element {
  const key = query.toString();
  const [games, setGames] = useState(0);
  const [table, setTable] = useState<{ room: Room; id: string } | null>(null);
  useLayoutEffect(() => { // not only after something was painted
    let made: LocalRoom | null = null, gone = false;
    void (async () => {
      // A game goes on after a reload. A link that names a seed begins anew.
      const kept = games > 0 ? undefined : query.has('id') ? await store.find(query.get('id')!) : query.has('seed') ? undefined : await store.unfinished(key);
      const setup = kept?.setup ?? (await setupOf(query));
      if (gone) return;
      const id = kept?.id ?? newId();
      const keep = (acts: number[], over: boolean): void => { void store.keep({ id, key, setup, acts, over, at: Date.now() } satisfies KeptGame); };
      made = new LocalRoom(setup, keep, kept?.acts ?? []);
      setTable({ room: made, id });
    })();
    return () => { gone = true; made?.close(); };
  }, [key, games]);
  return table ? <TableView room={table.room} onAgain={() => setGames(games + 1)} onReplay={() => go(`/r/${table.id}`)} /> : <p class="status">{words.connecting}</p>;
}

function Online({ id }: { id: string }): JSX.Element {
  const [room, setRoom] = useState<{ room: Room } | { problem: string } | null>(null);
  const [seated, setSeated] = useState(0);
  useEffect(() => {
    let made: SocketRoom | null = null, gone = false;
    void TableDoor.enter(id).then(({ facts, token, invite }) => { if (gone) return; made = new SocketRoom(id, facts, token, invite); setRoom({ room: made }); },
      (error: unknown) => setRoom({ problem: error instanceof Error ? error.message : String(error) }));
    return () => { gone = true; made?.close(); };
  }, [id, seated]);
  if (!room) return <p class="status">{words.connecting}</p>;
  return 'problem' in room ? <Nothing said={room.problem} /> : <TableView room={room.room} onReplay={() => go(`/r/${id}`)} onSeat={() => setSeated(seated + 1)} />;
}

function Starting({ query }: { query: URLSearchParams }): JSX.Element {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => { void startFromLink(query).then((s: Started) => { history.replaceState(null, '', s.path); dispatchEvent(new PopStateEvent('popstate')); }, (e: unknown) => setProblem(e instanceof Error ? e.message : String(e))); }, []);
  return problem ? <Nothing said={problem} /> : <main class="plain"><p role="status">{words.connecting}</p></main>;
}

// What was asked for is not there: why, and the way home.
function Nothing({ said }: { said: string }): JSX.Element {
  return <main class="plain"><h1 role="alert" class="nothing-here">{said}</h1><p><Link to="/" go={go}>{words.allGames}</Link></p></main>;
}

// A view that is fetched when it is first wanted.
function Later<P extends object>({ load, with: props }: { load(): Promise<FunctionComponent<P>>; with: P }): JSX.Element {
  const [View, setView] = useState<FunctionComponent<P> | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => { void load().then((view) => setView(() => view), (e: unknown) => setProblem(String(e))); }, []);
  return View ? <View {...props} /> : <main class="plain"><p role="status">{problem || words.connecting}</p></main>;
}
const editor = async () => (await import('./editor.js')).Editor;
const replay = async () => (await import('./replay.js')).Replay;

function Page(): JSX.Element {
  const [address, setAddress] = useState(location.href);
  useEffect(() => {
    const onPop = () => setAddress(location.href);
    addEventListener('popstate', onPop);
    return () => removeEventListener('popstate', onPop);
  }, []);
  const url = new URL(address), path = url.pathname.replace(/\/index\.html$/, '/'), query = url.searchParams;
  let view: JSX.Element;
  const table = /\/t\/([^/]+)$/.exec(path), game = /\/g\/([^/]+)$/.exec(path), past = /\/r\/([^/]+)$/.exec(path);
  if (path.endsWith('/local') && built.plays) view = <Local query={query} />;
  else if (path.endsWith('/local') || (path.endsWith('/new') && query.has('game') && query.has('seats'))) view = <Starting key={address} query={query} />;
  else if (path.endsWith('/new')) view = <NewTable key={address} query={query} go={go} />;
  else if (table) view = <Online id={decodeURIComponent(table[1]!)} />;
  else if (past) view = <Later key={past[1]} load={replay} with={{ id: decodeURIComponent(past[1]!), query, go }} />;
  else if (game) view = <GamePage id={decodeURIComponent(game[1]!)} go={go} />;
  else if (path.endsWith('/edit')) view = <Later key="edit" load={editor} with={{ query, go }} />;
  else if (path.endsWith('/settings')) view = <Settings />;
  else if (path === '/' || path.endsWith('/')) view = <Lobby go={go} />;
  else view = <Nothing said={words.notFound} />;
  return (
    <>
      <header class="top"><Link to="/" go={go} kind="logo">Parlor</Link><nav aria-label="Parlor"><Link to="/" go={go}>{words.lobby}</Link><Link to="/new" go={go}>{words.newGame}</Link><Link to="/edit" go={go}>{words.editor}</Link><Link to="/settings" go={go}>{words.settings}</Link></nav></header>
      {view}
    </>
  );
}

document.documentElement.lang = language();
try { const theme = localStorage.getItem('parlor.theme'); if (theme) document.documentElement.dataset['theme'] = theme; } catch { /* no storage: as the system */ }
const home = document.getElementById('page')!;
home.replaceChildren();
render(<Page />, home);

// What can wait until the first board is there: a drawn icon is a document of its own, and takes as long as many pieces.
setTimeout(() => document.querySelector('link[rel="icon"]')?.setAttribute('href', '/icon.svg'), 2000);
// The page works without a net once it was there: its own files are kept, nothing else.
if ('serviceWorker' in navigator && (location.protocol === 'https:' || location.hostname === 'localhost' || location.hostname === '127.0.0.1'))
  setTimeout(() => void navigator.serviceWorker.register('/sw.js').catch(() => undefined), 2000);
