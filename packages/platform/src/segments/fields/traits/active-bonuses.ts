import { momentText } from '@croupier/rules';
import { isActiveBonus, type TraitSource } from '../../../derive/index.ts';
import type { Joins } from '../joins.ts';
import { readSince } from '../load-plan.ts';
import type { FieldReading } from '../reading.ts';

type Show = Extract<TraitSource, { from: 'active_bonuses' }>['show'];
type Reading = Omit<FieldReading, 'field'>;

/** A value of the bonuses that a player has now (derive/families/bonuses/active.ts). */
export function activeBonusesReading(show: Show): Reading {
  switch (show) {
    case 'count':
      return { sql: (joins) => `coalesce(${activeSql(joins, 'count(*)')}, 0)::numeric` };
    case 'base_amount':
      return { sql: (joins) => `coalesce(${activeSql(joins, 'trim_scale(sum(base_amount))')}, 0)` };
    case 'base_required_wagering':
      return { sql: (joins) => activeSql(joins, 'trim_scale(sum(base_required_wagering))') };
    case 'oldest_at':
      return { sql: (joins) => activeSql(joins, 'min(at)') };
    case 'next_expiry_at':
      return nextExpiry;
    default:
      return show satisfies never;
  }
}

function activeSql(joins: Joins, sum: string): string {
  const active = `(select player_id, at, base_amount, base_required_wagering from bonus where ${isActiveBonus})`;
  return joins.aggregate('active bonuses', active).column(sum, () => sum);
}

/** Bonuses of the player, and offers that the player has not claimed. */
const expiring = `(
  select player_id, expires_at from bonus where ${isActiveBonus} and expires_at is not null
  union all
  select player_id, expires_at from bonus_intent where offered and state = 'offered' and expires_at is not null)`;

/** A past expiry is not the next one, so the value changes with the clock. */
const nextExpiry: Reading = {
  sql: nextExpirySql,
  changesSql: nextExpirySql,
  timed: (loads) => {
    const loaded = loads.rows(expiring, ['expires_at']);
    readSince(loaded, { column: 'expires_at', type: 'timestamptz', after: momentText(loads.at) });
    return (rows) => {
      const moments = rows.rows(loaded).map(({ expires_at }) => Number(expires_at));
      const next = (at: number) => {
        const ahead = moments.filter((moment) => moment > at);
        return ahead.length === 0 ? undefined : Math.min(...ahead);
      };
      return { value: (at) => next(at) ?? null, changesAfter: next };
    };
  },
};

function nextExpirySql(joins: Joins): string {
  const { writer } = joins;
  const alias = joins.query('next expiry of a bonus', (where) => {
    const ahead = where('player_id', `expires_at > ${writer.moment(writer.reading.at)}`);
    return `select player_id, min(expires_at) as at from ${expiring} e ${ahead} group by player_id`;
  });
  return `${alias}.at`;
}
