import type { Micros } from '@croupier/contracts';
import { compileToSql, type Rule } from '@croupier/rules';
import type { ClientBase, Pool } from 'pg';
import { transaction } from '../../database/index.ts';
import { protectedPlayers, type RuleCatalog, sqlSource } from '../fields/index.ts';
import { sampleSize } from './count.ts';
import { addChanges, type ChangeName, type CountedChanges, changeNames, type EstimatedChanges } from './estimate.ts';
import type { Counting } from './look.ts';

/*
 * What would change if a draft came into force now: compares the players who satisfy it with the members of the version
 * in force.
 */

export interface DraftComparison {
  catalog: RuleCatalog;
  draft: { version_id: number; rule: Rule | null; include_protected: boolean };
  /** The version in force; null: there is none, so every player who satisfies the draft enters. */
  inForce: { version_id: number } | null;
  at: Micros;
}

export type DraftCompared = EstimatedChanges & { took_ms: number };

type Condition = (column: string) => string;

/**
 * Rows: player_id, user_id, enters, leaves, stays; for the players of the scope. The parameters from $2 on are the
 * caller's.
 */
function changesOf({ catalog, draft, inForce, at }: DraftComparison, scope: Condition, given: readonly unknown[]) {
  const { brand_id, settings } = catalog.brand;
  const values = [brand_id, ...given];
  const listed = `left join segment_listed l on l.player_id = p.player_id and l.version_id = ${draft.version_id}`;
  const compiled =
    draft.rule === null
      ? { joins: listed, condition: 'l.player_id is not null', values }
      : compileToSql(draft.rule, {
          catalog,
          source: sqlSource(catalog, scope),
          at,
          zone: settings.time_zone,
          values,
        });
  const isProtected = draft.include_protected ? 'false' : '(x.player_id is not null)';
  const text = `
    select player_id, user_id, will and not was as enters, was and not will as leaves, was and will as stays
    from (
      select p.player_id, p.user_id, ${compiled.condition} and not ${isProtected} as will, m.player_id is not null as was
      from player p left join ${protectedPlayers(scope)} x on x.player_id = p.player_id
      left join segment_member m on m.player_id = p.player_id and m.version_id = ${inForce?.version_id ?? 0} and not m.protected
      ${compiled.joins}
      where p.brand_id = $1 and p.erased_at is null and ${scope('p.player_id')}
    ) r`;
  return { text, values: compiled.values };
}

export function countingChanges(comparison: DraftComparison): Counting<CountedChanges> {
  return {
    async count(db, players) {
      const scope: Condition =
        players === undefined ? () => '$2::bigint[] is not null' : (c) => `${c} = any($2::bigint[])`;
      const { text, values } = changesOf(comparison, scope, [players ?? []]);
      const columns = changeNames.map(
        (name) => `, count(*) filter (where ${name})::int as ${name},
          (array_agg(player_id) filter (where ${name}))[1:${sampleSize}] as of_${name}`,
      );
      const { rows } = await db.query<Record<string, number & (number[] | null)>>(
        `select count(*)::int as players${columns.join('')} from (${text}) c`,
        values,
      );
      const [row] = rows;
      const each = <T>(value: (name: ChangeName) => T) =>
        Object.fromEntries(changeNames.map((name) => [name, value(name)])) as Record<ChangeName, T>;
      return {
        players: row?.players ?? 0,
        counts: each((name) => row?.[name] ?? 0),
        samples: each((name): number[] => row?.[`of_${name}`] ?? []),
      };
    },
    add: (a, b) => addChanges(a, b, sampleSize),
    complete: (all) => all,
  };
}

export interface Change {
  user_id: string;
  change: 'enters' | 'leaves';
}

/** The number of players per statement of an export. */
const exportedAtOnce = 20_000;

/** All players who would enter or leave, in portions, so that a brand of any size needs the memory of one portion. */
export async function* eachChange(pool: Pool, comparison: DraftComparison): AsyncGenerator<Change[]> {
  const { brand_id } = comparison.catalog.brand;
  for (let after = 0; ; ) {
    const through = await lastOfPortion(pool, brand_id, after);
    if (through === null) return;
    const scope: Condition = (column) => `${column} > $2::bigint and ${column} <= $3::bigint`;
    const { text, values } = changesOf(comparison, scope, [after, through]);
    yield await readOnly(pool, async (db) => {
      const { rows } = await db.query<Change>(
        `select user_id, case when enters then 'enters' else 'leaves' end as change from (${text}) c
          where enters or leaves order by player_id`,
        values,
      );
      return rows;
    });
    after = through;
  }
}

async function lastOfPortion(pool: Pool, brandId: number, after: number): Promise<number | null> {
  const { rows } = await pool.query<{ through: number | null }>(
    `select max(player_id) as through
       from (select player_id from player where brand_id = $1 and player_id > $2 order by player_id limit ${exportedAtOnce}) p`,
    [brandId, after],
  );
  return rows[0]?.through ?? null;
}

function readOnly<T>(pool: Pool, work: (db: ClientBase) => Promise<T>): Promise<T> {
  return transaction(pool, async (tx) => {
    await tx.query('set local max_parallel_workers_per_gather = 0; set local jit = off');
    return work(tx);
  });
}
