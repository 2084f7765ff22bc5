import { joinHash, type StateHash } from '../state-hash.ts';

/** A player whose live rows differ from what the ledger gives. */
export interface Difference {
  player_id: number;
  /** Tables whose rows differ. */
  tables: string[];
  live: string;
  rebuilt: string;
}

/** Compares two sides player by player, table by table. Pure; an empty list means no difference. */
export function differencesOf(
  playerIds: readonly number[],
  live: ReadonlyMap<number, StateHash>,
  rebuilt: ReadonlyMap<number, StateHash>,
): Difference[] {
  return playerIds.flatMap((player_id): Difference[] => {
    const [a, b] = [live.get(player_id), rebuilt.get(player_id)];
    const names = new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])]);
    const tables = [...names].filter((name) => a?.get(name) !== b?.get(name)).sort();
    return tables.length === 0 ? [] : [{ player_id, tables, live: joinHash(a), rebuilt: joinHash(b) }];
  });
}
