// What lies beside the board: hands, piles, markets, dice, pieces in reserve.
import type { JSX } from 'preact';
import type { Area, Scene, Stage, Token } from './model.js';
import type { Places } from './picking.js';
import { groupsOf } from './standing.js';
import { Card, CardBack, Die, shownBy } from './tokens.js';
import { spaced } from './names.js';
import { words } from './words.js';

export interface AreaProps {
  scene: Scene; stage: Stage; places: Places; can: Set<string>; chosen: string[];
  onPlace(place: string): void; onWhy(place: string): void;
}

function Clickable({ place, label, props, children, kind, token }: { place: string; label: string; props: AreaProps; children: JSX.Element; kind?: string; token?: string }): JSX.Element {
  const able = props.can.has(place), picked = props.chosen.includes(place);
  return (
    <button type="button" class={`spot ${kind ?? ''} ${able ? 'can' : ''} ${picked ? 'picked' : ''}`} data-place={place} {...(token ? { 'data-token': token } : {})} {...(able ? { 'data-can': '' } : {})} {...(picked ? { 'data-chosen': '' } : {})}
      aria-label={label + (able ? `, ${words.canChoose}` : '')} aria-pressed={picked} tabIndex={able || picked ? 0 : -1}
      onClick={() => props.onPlace(place)} onContextMenu={(e) => { e.preventDefault(); props.onWhy(place); }}>
      {children}
    </button>
  );
}

// What lies at a seat needs no word whose it is; of the rest the game may say what it is called.
const headingOf = (area: Area) => spaced(area.owner === null ? area.title : area.name);
const isDie = (scene: Scene, token: Token) => scene.tokens[token.type]?.shape === 'die';

export function AreaView({ area, ...props }: AreaProps & { area: Area }): JSX.Element | null {
  const zone = props.stage.zones[area.id];
  if (!zone || area.layout === 'none') return null;
  const { scene } = props;
  const layout = props.places.layoutOf(area.id);
  const count = zone.count ?? zone.tokens.length;
  const unseen = Math.max(0, count - zone.tokens.length);
  const title = `${area.title}${zone.count === null ? '' : ` (${zone.count})`}`;
  const able = props.can.has(area.id);
  let inside: JSX.Element[];
  if (layout === 'pile') {
    const top = zone.tokens[0];
    inside = count === 0 ? [<span class="card none" aria-hidden="true" />]
      : [<span class="pile" key={`pile${Math.min(count, 3)}`} data-deep={Math.min(count, 4)}>{top && unseen === 0 ? <Card scene={scene} token={top} /> : <CardBack />}</span>];
    return <section class={`area lay-pile ${able ? 'can' : ''} ${count === 0 ? 'hollow' : ''}`} data-zone={area.id} aria-label={title}><h3>{headingOf(area)}{count > 0 ? <small> {zone.count ?? '?'}</small> : null}</h3><Clickable place={area.id} label={title} props={props}>{inside[0]!}</Clickable></section>;
  }
  if (layout === 'tray' || layout === 'list') {
    inside = groupsOf(zone.tokens).map((group) => {
      const token = group[0]!;
      return (
        <Clickable key={token.type + token.look.label} place={`${area.id}/${token.type}`} label={`${group.length} × ${token.look.label}`} props={props} kind="tray-item">
          <span class="tray-group" aria-hidden="true"><Card scene={scene} token={token} />{group.length > 1 && <span class="times" aria-hidden="true" data-times={`×${group.length}`} />}</span>
        </Clickable>
      );
    });
  } else {
    inside = zone.tokens.map((token) => {
      // On the table of all it is said who played what.
      const seat = area.owner === null && token.look.by !== undefined ? scene.seats[token.look.by] : undefined, art = isDie(scene, token)
        ? <svg class="chip die-chip" key={`${token.id}${shownBy(token)}`} viewBox="-500 -500 1000 1000" aria-hidden="true"><Die value={shownBy(token)} size={430} /></svg>
        : <Card scene={scene} token={token} />;
      return (
        <Clickable key={token.id} place={token.id} token={token.id} label={seat ? `${token.look.label}, ${spaced(seat.name)}` : token.look.label} props={props} kind={isDie(scene, token) ? 'die-spot' : 'card-spot'}>
          {seat ? <span class="played">{art}<span class="played-by" aria-hidden="true"><span class="seat-dot" style={{ background: seat.color }} />{spaced(seat.name)}</span></span> : art}
        </Clickable>
      );
    });
    for (let i = 0; i < Math.min(unseen, 24); ++i) {
      const place = `${area.id}#${zone.tokens.length + i + 1}`;
      inside.push(<Clickable key={place} place={place} label={words.hidden} props={props} kind={layout === 'dice' ? 'die-spot' : 'card-spot'}>{layout === 'dice' ? <svg class="chip die-chip" viewBox="-500 -500 1000 1000" aria-hidden="true"><Die value={null} size={430} /></svg> : <CardBack />}</Clickable>);
    }
  }
  return (
    <section class={`area lay-${layout} ${able ? 'can' : ''} ${inside.length ? '' : 'empty'}`} data-zone={area.id} aria-label={title} {...(able ? { 'data-can': '', 'data-place': area.id, onClick: () => props.onPlace(area.id) } : {})}>
      <h3>{headingOf(area)}{count > 0 && layout !== 'fan' && layout !== 'dice' ? <small> {zone.count}</small> : null}</h3>
      <div class="inside">{inside.length ? inside : <span class="nothing">{words.empty}</span>}</div>
    </section>
  );
}
