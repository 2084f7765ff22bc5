import type { TotalsSpec } from './spec.ts';

/*
 * The floor stores the dates of removed facts: the first and last date of each name of `TotalsSpec.dated`, in one row
 * per player and group.
 *
 *   create table live.toy_floor (
 *     player_id     bigint not null,
 *     vendor_id     text not null,          -- the columns of `by`, if any
 *     toy_first_at  timestamptz,            -- a pair per name of `dated`
 *     toy_last_at   timestamptz,
 *     primary key (player_id, vendor_id)
 *   );
 */

export function floorTable({ family }: TotalsSpec): string {
  return `${family}_floor`;
}

/**
 * SQL that copies the dates of facts that are about to be removed to the floor of a schema.
 *
 * @param going a `with` list that provides the rows to be removed under the names of their tables, so that the SQL `spec.facts` reads these
 *   rows
 * @param players the parameter with the players' numbers
 */
export function foldStatement(spec: TotalsSpec, schema: string, going: string, players: string): string {
  const { by = [], dated } = spec;
  const keys = ['player_id', ...by];
  const columns = dated.flatMap((name) => [`${name}_first_at`, `${name}_last_at`]);
  const extremes = dated.flatMap((name) => [`min(f.${name}_at)`, `max(f.${name}_at)`]);
  const merged = dated.flatMap((name) => [
    `${name}_first_at = least(t.${name}_first_at, excluded.${name}_first_at)`,
    `${name}_last_at = greatest(t.${name}_last_at, excluded.${name}_last_at)`,
  ]);
  return `with ${going}
    insert into ${schema}.${floorTable(spec)} as t (${[...keys, ...columns].join(', ')})
    select ${[...keys.map((key) => `f.${key}`), ...extremes].join(', ')}
    from (${spec.facts}) f where f.player_id = any (${players})
    group by ${keys.map((key) => `f.${key}`).join(', ')}
    having ${dated.map((name) => `count(f.${name}_at) > 0`).join(' or ')}
    on conflict (${keys.join(', ')}) do update set ${merged.join(', ')}`;
}
