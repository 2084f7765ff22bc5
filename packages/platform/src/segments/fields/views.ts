import type { Micros } from '@croupier/contracts';
import { type FactRow, momentText, type PlayerView } from '@croupier/rules';
import type { ClientBase, Pool } from 'pg';
import type { RuleCatalog } from './catalog.ts';
import { type LoadedRows, type LoadedValue, LoadPlan, type PlayerRows, readSince } from './load-plan.ts';
import type { RuleNeeds } from './needs.ts';
import { protectedSql } from './protection.ts';
import type { TimedValue } from './reading.ts';

/** A player as rules see it, limited to what was requested. */
export interface LoadedPlayer extends PlayerView {
  readonly player_id: number;
  /** Excluded or blocked: never a member of an ordinary segment. */
  readonly protected: boolean;
}

export interface LoadOptions {
  readonly players: readonly number[];
  /** What to load: `needsOf` the rules. */
  readonly needs: RuleNeeds;
  /** The moment of reading. Views can evaluate it and later moments. */
  readonly at: Micros;
  /** For rules that are evaluated repeatedly on the same connections, in transactions: their statements are prepared. */
  readonly prepared?: boolean;
}

/**
 * Loads what rules need to know about any number of players. The number of statements depends only on the rules: one
 * for all values that do not change with the clock, one per table of windows, one per kind of fact.
 *
 * @param db a client, in a transaction, if the statements must see one snapshot
 * @returns views by player_id; players that do not exist, or were erased, are missing
 */
export async function loadPlayerViews(
  db: Pool | ClientBase,
  catalog: RuleCatalog,
  { players, needs, at, prepared = false }: LoadOptions,
): Promise<Map<number, LoadedPlayer>> {
  if (players.length === 0) return new Map();
  const loads = new LoadPlan({ at, zone: catalog.brand.settings.time_zone, prepared });
  const isProtected = loads.value('protected', protectedSql);
  const { still, timed } = planFields(needs.fields, catalog, loads);
  const facts = new Map([...needs.facts].map(([kind, need]) => [kind, planFacts(kind, need, catalog, loads)]));
  const rowsOf = await loads.load(db, players);
  const views = new Map<number, LoadedPlayer>();
  for (const player_id of players) {
    const rows = rowsOf(player_id);
    if (rows === undefined) continue;
    views.set(player_id, viewOf(player_id, rows.value(isProtected) === true, rows, { still, timed, facts }));
  }
  return views;
}

interface PlannedFields {
  /** Values that do not change with the clock. */
  readonly still: ReadonlyMap<string, LoadedValue>;
  readonly timed: ReadonlyMap<string, (rows: PlayerRows) => TimedValue>;
}

function planFields(names: Iterable<string>, catalog: RuleCatalog, loads: LoadPlan): PlannedFields {
  const still = new Map<string, LoadedValue>();
  const timed = new Map<string, (rows: PlayerRows) => TimedValue>();
  for (const name of names) {
    const reading = catalog.reading(name);
    if (reading === undefined) throw new Error(`unknown field ${name}`);
    if (reading.timed) timed.set(name, reading.timed(loads));
    else {
      still.set(
        name,
        loads.value(name, (joins) => reading.sql(joins)),
      );
    }
  }
  return { still, timed };
}

function planFacts(
  kind: string,
  { fields, within }: RuleNeeds['facts'] extends ReadonlyMap<string, infer N> ? N : never,
  catalog: RuleCatalog,
  loads: LoadPlan,
): LoadedRows {
  const fact = catalog.facts.get(kind);
  if (fact === undefined) throw new Error(`unknown fact ${kind}`);
  const rows = loads.rows(`(${fact.rows((_, ...more) => `where ${more.join(' and ')}`)})`);
  for (const field of ['at', ...fields]) rows.columns.set(field, `t."${field}"`);
  readSince(
    rows,
    within === undefined
      ? 'the beginning'
      : { column: 'at', type: 'timestamptz', after: momentText(loads.at - within) },
  );
  return rows;
}

function viewOf(
  player_id: number,
  isProtected: boolean,
  rows: PlayerRows,
  { still, timed, facts }: PlannedFields & { facts: ReadonlyMap<string, LoadedRows> },
): LoadedPlayer {
  // Readings are created when they are needed, because an event needs the fields of only a few rules.
  const made = new Map<string, TimedValue>();
  const timedValue = (name: string): TimedValue | undefined => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const value = timed.get(name)?.(rows);
    if (value !== undefined) made.set(name, value);
    return value;
  };
  return {
    player_id,
    protected: isProtected,
    value: (name, at) => {
      const loaded = still.get(name);
      if (loaded !== undefined) return rows.value(loaded);
      const value = timedValue(name);
      if (value === undefined) throw new Error(`${name} was not loaded`);
      return value.value(at);
    },
    changesAfter: (name, at) => timedValue(name)?.changesAfter(at),
    facts: (kind) => {
      const loaded = facts.get(kind);
      if (loaded === undefined) throw new Error(`did.${kind} was not loaded`);
      return rows.rows(loaded) as readonly FactRow[];
    },
  };
}
