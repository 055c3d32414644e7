// What people at a table say to each other besides their moves: offers, claims, giving up, talk.
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { spaced } from './names.js';
import type { Room, RoomState } from './room.js';
import { words } from './words.js';

const asked = (kind: string): string => words.asked[kind as keyof typeof words.asked] ?? kind;

function Offers({ room, state }: { room: Room; state: RoomState }): JSX.Element {
  return (
    <>{state.offers.map((o) => (
      <p key={o.kind} class="offer">
        <strong>{o.by === state.you ? words.you : spaced(state.scene?.seats[o.by]?.name ?? '')}:</strong> {asked(o.kind)}{' '}
        {o.by === state.you ? <button type="button" class="small" onClick={() => room.answer(o.kind, false)}>{words.withdraw}</button>
          : state.you !== null && <><button type="button" class="small primary" onClick={() => room.answer(o.kind, true)}>{words.accept}</button> <button type="button" class="small" onClick={() => room.answer(o.kind, false)}>{words.refuse}</button></>}
      </p>
    ))}</>
  );
}

// Who has been away for long enough loses what the others claim.
function Away({ room, state }: { room: Room; state: RoomState }): JSX.Element | null {
  const absent = state.seats.find((s) => s.kind === 'human' && s.seat !== state.you && !s.connected && !s.standIn);
  const [, tick] = useState(0);
  useEffect(() => {
    if (!absent) return;
    const timer = setInterval(() => tick((n) => n + 1), 1000);
    return () => clearInterval(timer);
  }, [absent?.seat, absent?.awaySince]);
  if (!absent || !room.claim || state.you === null || state.state !== 'playing') return null;
  const left = Math.ceil(((absent.awaySince ?? Date.now()) + (room.claimAfter ?? 0) - Date.now()) / 1000);
  const name = spaced(state.scene?.seats[absent.seat]?.name ?? '');
  return (
    <p class="offer" role="status"><strong>{name}</strong> {words.isAway}. {left > 0 ? <span class="hint">{words.claimIn} {left} s</span>
      : (['win', 'draw', 'bot'] as const).map((what) => <button key={what} type="button" class="small" onClick={() => room.claim!(what, absent.seat)}>{words.claims[what]}</button>)}</p>
  );
}

// Giving up cannot be taken back, so it is asked twice.
function Resign({ room }: { room: Room }): JSX.Element {
  const [sure, setSure] = useState(false);
  if (!sure) return <button type="button" class="small" onClick={() => setSure(true)}>{words.resign}</button>;
  return <><button type="button" class="small primary" onClick={() => room.resign()}>{words.reallyResign}</button> <button type="button" class="small" onClick={() => setSure(false)}>{words.back}</button></>;
}

export function Talk({ room, state }: { room: Room; state: RoomState }): JSX.Element {
  const [text, setText] = useState('');
  return (
    <section class="talk" aria-label={words.chat}>
      <Offers room={room} state={state} />
      <Away room={room} state={state} />
      {state.you !== null && state.state === 'playing' && (
        <p class="offers">
          <button type="button" class="small" onClick={() => room.offer('undo')}>{words.undo}</button>
          <button type="button" class="small" onClick={() => room.offer('draw')}>{words.offerDraw}</button>
          <Resign room={room} />
        </p>
      )}
      <ul>{state.chat.slice(-50).map((c, i) => <li key={i}><strong>{c.from}</strong> {c.text}</li>)}</ul>
      <form onSubmit={(e) => { e.preventDefault(); if (text.trim()) room.say(text.trim()); setText(''); }}>
        <input aria-label={words.chat} placeholder={words.chat} value={text} maxLength={500} onInput={(e) => setText(e.currentTarget.value)} /><button type="submit" class="small">{words.send}</button>
      </form>
    </section>
  );
}
