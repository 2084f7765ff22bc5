import type { Micros } from '@croupier/contracts';
import type { Rule } from '@croupier/rules';
import type { ClientBase } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import { timestamptzText } from '../../../database/index.ts';
import type { Cause } from '../cause.ts';
import type { BrandRules } from '../rule-reading.ts';
import { judge } from './judge.ts';
import { type Players, scopeOf } from './players.ts';

export interface SettledVersion {
  version_id: number;
  segment_id: number;
  version: number;
  rule: Rule | null;
  include_protected: boolean;
}

export interface Settlement {
  readonly brand: Brand;
  readonly rules: BrandRules;
  readonly at: Micros;
  readonly players: Players;
  /**
   * The cause that transitions get. If undefined, no transitions are written. `due` means the cause `time`, at the moment at which each
   * player was due.
   */
  readonly cause?: { cause: Cause | 'due'; silent: boolean };
  /** Leaves out players with news, or with something due: the lane evaluates them, with the right cause. */
  readonly settledOnly: boolean;
  /** If true, keeps existing due times, because they are exact. If false, replaces each with the early bound from SQL. */
  readonly keepsDue: boolean;
}

export interface Settled {
  players: number;
  entered: number[];
  left: number[];
}

/**
 * Updates many players of one version in one statement: the set-based counterpart of live/player.ts. The caller holds
 * the version exclusively (`lockVersion`), so it reads every change that was committed.
 */
export async function settle(tx: ClientBase, version: SettledVersion, settlement: Settlement): Promise<Settled> {
  const { brand, rules, at, players, cause, settledOnly, keepsDue } = settlement;
  const { version_id, segment_id } = version;
  const given = [
    version_id,
    timestamptzText(at),
    segment_id,
    version.version,
    cause === undefined ? null : JSON.stringify(cause.cause === 'due' ? { type: 'time', at } : cause.cause),
    cause?.silent ?? true,
    brand.brand_id,
  ];
  const { scope, values } = scopeOf(players, given);
  const where = settledOnly ? withoutNews : '';
  const judged = judge(version, { brand, rules, at, scope, values, where, onlyHolding: true });
  const { rows } = await tx.query<{ players: number; entered: number[] | null; gone: number[] | null }>(
    `with judged as materialized (${judged.text}),
     everybody as materialized (${judged.everybody}),
     held as (select player_id, protected from segment_member 
       where version_id = $1 and ${scope('player_id')} and player_id in (select player_id from everybody)),
     changed as materialized (
       select player_id, coalesce(j.holds, false) as holds, coalesce(j.protected, false) as protected,
              h.player_id is not null and not h.protected as was_member,
              coalesce(j.holds, false) and not coalesce(j.protected, false) as is_member
         from judged j full join held h using (player_id)
        where coalesce(j.holds, false) is distinct from (h.player_id is not null) or (h.player_id is not null and h.protected <> j.protected)),
     gone as (delete from segment_member m using changed c 
       where m.player_id = c.player_id and ${scope('m.player_id')} and m.version_id = $1 and not c.holds),
     come as (
       insert into segment_member (player_id, version_id, protected, since)
       select player_id, $1::int, protected, $2::timestamptz from changed where holds
       on conflict (player_id, version_id) do update set protected = excluded.protected, since = excluded.since),
     undue as (
       delete from segment_due d where d.version_id = $1 and not ${keepsDue} and ${scope('d.player_id')}
          and d.player_id = any (array(select player_id from judged where due_at is null))),
     due as (
       insert into segment_due as d (player_id, version_id, due_at, rough)
       select player_id, $1::int, due_at, true from judged where due_at is not null
       on conflict (player_id, version_id) do update set due_at = excluded.due_at, rough = true where not ${keepsDue}),
     noted as (
       insert into segment_transition (brand_id, player_id, segment_id, version, transition, at, cause, silent)
       select $7::int, c.player_id, $3::int, $4::int, case when is_member then 'entered' else 'left' end, $2::timestamptz,
              ${cause?.cause === 'due' ? `$5::jsonb || ${dueMoment}` : '$5::jsonb'}, $6::boolean
         from changed c where is_member <> was_member and $5::jsonb is not null)
     select (select count(*)::int from everybody) as players,
            (select array_agg(player_id) from changed where is_member and not was_member) as entered,
            (select array_agg(player_id) from changed where was_member and not is_member) as gone`,
    judged.values,
  );
  const [row] = rows;
  return { players: row?.players ?? 0, entered: row?.entered ?? [], left: row?.gone ?? [] };
}

/** The row of `segment_due` before the statement. */
const dueMoment = `(select coalesce(jsonb_object_agg('at', (extract(epoch from o.due_at) * 1000000)::bigint), '{}')
  from segment_due o where o.player_id = c.player_id and o.version_id = $1)`;

/** A condition on the player `p`; $2 is the moment of reading. */
export const withoutNews = `and not exists (select from segment_news n where n.player_id = p.player_id)
  and not exists (select from record_change n where n.player_id = p.player_id)
  and not exists (select from segment_due n where n.player_id = p.player_id and n.due_at <= $2::timestamptz)`;
