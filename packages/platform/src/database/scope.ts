/*
 * The players of a round: all players of the buckets that it has locked. If such a round fails because of the data of one player,
 * the next rounds cover only some of the players (campaigns/runs/isolate.ts, segments/membership/live/isolate.ts).
 */
export type Scope =
  /** `except`: players of these buckets that are left out. Only statements that use `leavesOut` support it. */
  { buckets: readonly number[]; except?: readonly number[] } | { players: readonly number[] };

/** Pure. @param buckets that the transaction has locked @param players default: all */
export function scopeOf(buckets: readonly number[], players?: readonly number[]): Scope {
  if (players === undefined) return { buckets };
  const locked = new Set(buckets);
  return { players: players.filter((id) => locked.has(id % 64)) };
}

/**
 * SQL for statements that read the rows of these players. The low 6 bits of an id are its bucket. A prepared statement for single
 * players has another name than the one for whole buckets.
 */
export function scoped(scope: Scope) {
  const isOfPlayers = 'players' in scope;
  return {
    named: (name: string) => (isOfPlayers ? `${name}_of_players` : name),
    /** @param place the position of `ids` among the values of the statement, counted from 1 */
    has: (column: string, place: number) =>
      isOfPlayers ? `${column} = any($${place}::bigint[])` : `(${column} & 63) = any($${place}::int[])`,
    ids: isOfPlayers ? scope.players : scope.buckets,
    /** @param place the position of `except` among the values of the statement */
    leavesOut: (column: string, place: number) => `${column} <> all($${place}::bigint[])`,
    except: isOfPlayers ? [] : (scope.except ?? []),
  };
}
