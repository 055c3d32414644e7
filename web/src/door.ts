// Which seat at which table this browser has, and what lets it into private ones. An invitation stands behind the # of a link, which
// browsers send to nobody; once read it is kept here and leaves the address.
import { api, type TableFacts } from './api.js';

const kept = (kind: string, table: string): string | null => localStorage.getItem(`parlor.${kind}.${table}`);
export const TableDoor = {
  keep(table: string, seatToken: string): void { sessionStorage.setItem(`parlor.seat.${table}`, seatToken); localStorage.setItem(`parlor.seat.${table}`, seatToken); },
  invite(table: string, invite: string): void { localStorage.setItem(`parlor.invite.${table}`, invite); },
  invitation(table: string): string | null {
    const told = /^#invite=([\w-]+)$/.exec(location.hash)?.[1];
    if (told && location.pathname.endsWith(`/t/${table}`)) { TableDoor.invite(table, told); history.replaceState(null, '', location.pathname); }
    return kept('invite', table);
  },
  // The address to send to whoever shall come.
  link(table: string): string { const invite = kept('invite', table); return `${location.origin}/t/${table}${invite ? `#invite=${invite}` : ''}`; },
  token(table: string): string | null { return sessionStorage.getItem(`parlor.seat.${table}`) ?? kept('seat', table); },
  async enter(table: string): Promise<{ facts: TableFacts; token: string | null; invite: string | null }> {
    const invite = TableDoor.invitation(table), token = TableDoor.token(table);
    const facts = (await api.get(`/tables/${encodeURIComponent(table)}`, token, invite))['table'] as TableFacts;
    return { facts, token, invite };
  },
};
