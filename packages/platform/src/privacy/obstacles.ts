import type { ClientBase, Pool } from 'pg';
import { joinWords, type Words } from '../language.ts';

/** Open money and open consents of a player, for which an erasure waits. */
export interface Obstacles {
  /** Open bonus calls. Not even a forced erasure skips them, because they end within seconds. */
  calls: number;
  /** Intents that may or may not have been credited. */
  unknown: string[];
  /** Intents that wait for a call, or are offered. The erasure cancels them. */
  waiting: string[];
  /** Changes of consents or blocks that the operator has not stored. */
  writes: number;
}

export async function readObstacles(db: Pool | ClientBase, playerId: number): Promise<Obstacles> {
  const { rows: intents } = await db.query<{ intent_id: string; state: string; open: boolean }>(
    `select intent_id, state, open_attempt is not null as open from bonus_intent
     where player_id = $1 and (state not in ('credited', 'rejected') or open_attempt is not null) order by intent_id`,
    [playerId],
  );
  const { rows } = await db.query<{ writes: number }>(
    `select count(*) as writes from write_back_item
     where player_id = $1 and latest and state in ('pending', 'sending')`,
    [playerId],
  );
  const of = (...states: string[]) =>
    intents.filter(({ state }) => states.includes(state)).map(({ intent_id }) => intent_id);
  return {
    calls: intents.filter(({ open }) => open).length,
    unknown: of('unknown', 'needs_person'),
    waiting: of('offered', 'pending', 'retry'),
    writes: rows[0]?.writes ?? 0,
  };
}

/** Why the erasure has to wait; undefined if it does not. Money and consents come first, unless a person forces the erasure. */
export function heldBecause({ calls, unknown, writes }: Obstacles, forced: boolean): Words | undefined {
  if (calls > 0) return { en: `bonus calls in progress: ${calls}`, de: `Laufende Aufrufe für Boni: ${calls}` };
  if (forced) return undefined;
  const open: Words[] = [];
  if (unknown.length > 0)
    open.push({
      en: `bonus intents that are neither credited nor rejected: ${unknown.length}`,
      de: `Boni, die weder gutgeschrieben noch abgelehnt sind: ${unknown.length}`,
    });
  if (writes > 0)
    open.push({
      en: `changes of consents or blocks that the operator has not stored yet: ${writes}`,
      de: `Änderungen von Einwilligungen oder Sperren, die der Betreiber noch nicht gespeichert hat: ${writes}`,
    });
  return open.length === 0 ? undefined : joinWords(open, '; ');
}
