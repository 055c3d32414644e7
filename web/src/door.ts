// Which seat at which table this browser has.
import { api, type TableFacts } from './api.js';
export const TableDoor = {
  keep(table: string, seatToken: string): void { sessionStorage.setItem(`parlor.seat.${table}`, seatToken); localStorage.setItem(`parlor.seat.${table}`, seatToken); },
  invite(table: string, invite: string): void { localStorage.setItem(`parlor.invite.${table}`, invite); },
  invitation(table: string): string | null { return new URLSearchParams(location.search).get('invite') ?? localStorage.getItem(`parlor.invite.${table}`); },
  token(table: string): string | null { return sessionStorage.getItem(`parlor.seat.${table}`) ?? localStorage.getItem(`parlor.seat.${table}`); },
  async enter(table: string): Promise<{ facts: TableFacts; token: string | null }> {
    const facts = (await api.get(`/tables/${encodeURIComponent(table)}`))['table'] as TableFacts;
    return { facts, token: TableDoor.token(table) };
  },
};
