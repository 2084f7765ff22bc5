import type { Pool } from 'pg';
import { profileFields } from '../../operator/judging/index.ts';

/** A variable without a value for some players: a message to them would have a gap. */
export interface Gap {
  variable: string;
  players: number;
}

/**
 * Which players to check: SQL about `player p`, whose parameters follow the given ones. `lacks`: for each of the named variables
 * that it can read, SQL that is true if the player has no value.
 */
export type Audience = (
  values: unknown[],
  names: readonly string[],
) => { joins: string; condition: string; values: readonly unknown[]; lacks: ReadonlyMap<string, string> };

/**
 * How many players of an audience lack each of these variables. It counts only variables that are fields of the operator's details,
 * and variables that the audience can read. One pass over the details takes about a second for a million players. Players who were
 * never looked up lack all fields.
 */
export async function findGaps(
  pool: Pool,
  brandId: number,
  names: readonly string[],
  audience: Audience,
): Promise<{ players: number; gaps: Gap[] }> {
  const ofProfile = names.flatMap((variable) => {
    const lacks = lacking(variable);
    return lacks === null ? [] : [{ variable, ...lacks }];
  });
  // Column names come from the list of fields; keys are parameters.
  const keys = ofProfile.map(({ key }) => key);
  const { joins, condition, values, lacks } = audience([brandId, keys], names);
  const wanted = [
    ...ofProfile.map(({ variable, sql }, n) => ({ variable, isMissing: sql(`$2::text[]`, n + 1) })),
    ...[...lacks].map(([variable, isMissing]) => ({ variable, isMissing })),
  ];
  const counts = wanted.map(({ isMissing }, n) => `count(*) filter (where ${isMissing})::int as "${n}"`);
  const { rows } = await pool.query<Record<string, number>>(
    `select ${['count(*)::int as players', ...counts].join(', ')}
       from player p left join player_profile details on details.player_id = p.player_id ${joins}
      where p.brand_id = $1 and p.erased_at is null and $2::text[] is not null and ${condition}`,
    [...values],
  );
  const [row] = rows;
  const gaps = wanted.map(({ variable }, n) => ({ variable, players: row?.[String(n)] ?? 0 }));
  return { players: row?.players ?? 0, gaps: gaps.filter(({ players }) => players > 0) };
}

type Lack = { key: string; sql(keys: string, place: number): string };

/** Null if it is not a field of the details. Then gaps are found only when the message is rendered. */
function lacking(variable: string): Lack | null {
  const match = /^player\.(?:(segmentation|extra)\.)?([A-Za-z0-9_]+)$/.exec(variable);
  if (match === null) return null;
  const [, object, name = ''] = match;
  if (object !== undefined)
    return { key: name, sql: (keys, place) => `coalesce(details.${object} ->> (${keys})[${place}], '') = ''` };
  const isField = profileFields.some((field) => field === name);
  return isField ? { key: name, sql: () => `coalesce(details.${name}::text, '') = ''` } : null;
}
