import type { DecimalText } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';

export interface PlayerCurrency {
  player_id: number;
  currency: string;
}

/**
 * The rates of currencies, by `player_id:currency`: the rate of the player's own latest payment, bonus or balance in that
 * currency (docs/decisions/1022). Currencies that the player has never had are missing.
 *
 * It uses the player's own rate for two reasons. An index finds it, so the size of the brand does not matter. And it is usually known,
 * because a player with a wallet in a currency has usually paid in that currency.
 */
export async function latestRates(
  db: Pool | ClientBase,
  wanted: readonly PlayerCurrency[],
): Promise<Map<string, DecimalText>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await db.query<PlayerCurrency & { exchange_rate: DecimalText }>({
    name: 'latest_rates',
    text: `select k.player_id, k.currency, r.exchange_rate
           from unnest($1::bigint[], $2::text[]) k(player_id, currency)
           cross join lateral (
             select exchange_rate, at from (
               (select exchange_rate, at from payment p
                where p.player_id = k.player_id and p.currency = k.currency order by at desc limit 1)
               union all
               (select exchange_rate, at from bonus b
                where b.player_id = k.player_id and b.currency = k.currency order by at desc limit 1)
               union all
               (select exchange_rate, at from balance a
                where a.player_id = k.player_id and a.currency = k.currency order by at desc limit 1)
             ) known order by at desc, exchange_rate desc limit 1
           ) r`,
    values: [wanted.map(({ player_id }) => player_id), wanted.map(({ currency }) => currency)],
  });
  return new Map(rows.map(({ player_id, currency, exchange_rate }) => [`${player_id}:${currency}`, exchange_rate]));
}
