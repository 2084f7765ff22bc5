import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { Bonus } from './fact.ts';

/** One bonus as shown to people. Times are Micros, `base_` amounts are in the brand's base currency. */
export type ListedBonus = Omit<Bonus, 'player_id'>;

export interface BonusFilter {
  status?: string;
  product?: string;
  /** Selects one bonus. */
  user_bonus_id?: string;
  /** Only bonuses with conflicting versions. */
  conflicting?: boolean;
  /** Bounds of the time of the grant, both inclusive. */
  from?: Micros;
  to?: Micros;
}

/** The last bonus of a page. The next page starts after it. */
export type BonusPlace = Pick<Bonus, 'at' | 'user_bonus_id'>;

/** The player's bonuses, the latest grant first. The filters for status and product ignore upper and lower case. */
export async function listBonuses(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
  filter: BonusFilter,
  limit: number,
  after?: BonusPlace,
): Promise<ListedBonus[]> {
  const { rows } = await db.query<ListedBonus>(
    `select user_bonus_id, bonus_id, bonus_code, product, type, status, status_at, status_day, granted, at, day, amount,
            currency, exchange_rate, base_amount, base_turned_real, turned_real_at, turned_real_day, base_locked_amount,
            base_required_wagering, expires_at, crm_references, origin, conflicts, events
     from bonus
     where player_id = $1
       and ($2::text is null or lower(status) = lower($2))
       and ($3::text is null or lower(product) = lower($3))
       and ($4::boolean is null or (conflicts > 0) = $4)
       and at >= coalesce($5::timestamptz, '-infinity')
       and at <= least($6::timestamptz, $7::timestamptz, 'infinity')
       and ($7::timestamptz is null or (at, user_bonus_id) < ($7, $8))
       ${filter.user_bonus_id === undefined ? '' : 'and user_bonus_id = $10'}
     order by at desc, user_bonus_id desc
     limit $9`,
    [
      playerId,
      filter.status ?? null,
      filter.product ?? null,
      filter.conflicting ?? null,
      textOf(filter.from),
      textOf(filter.to),
      textOf(after?.at),
      after?.user_bonus_id ?? null,
      limit,
      ...(filter.user_bonus_id === undefined ? [] : [filter.user_bonus_id]),
    ],
  );
  return rows;
}

function textOf(at: Micros | undefined): string | null {
  return at === undefined ? null : timestamptzText(at);
}
