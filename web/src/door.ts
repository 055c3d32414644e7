// Which seat at which table this browser has.
import { api } from './api.js';
export const TableDoor = {
  keep(table: string, seatToken: string): void { sessionStorage.setItem(`parlor.seat.${table}`, seatToken); localStorage.setItem(`parlor.seat.${table}`, seatToken); },
  token(table: string): string | null { return sessionStorage.getItem(`parlor.seat.${table}`) ?? localStorage.getItem(`parlor.seat.${table}`); },
  async enter(table: string): Promise<{ game: string; token: string | null }> {
    const facts = (await api.get(`/tables/${encodeURIComponent(table)}`))['table'] as { game: string };
    return { game: facts.game, token: TableDoor.token(table) };
  },
};
