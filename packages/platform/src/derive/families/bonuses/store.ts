import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { nameOf } from './decide.ts';
import type { Bonus, BonusIdentity } from './fact.ts';

/** The bonuses that a batch may change, by `nameOf`; those that are not there yet are missing. */
export async function loadBonuses(tx: ClientBase, identities: readonly BonusIdentity[]): Promise<Map<string, Bonus>> {
  // `offset 0` keeps the planner from joining whole tables: each key is a step in the index.
  const { rows } = await tx.query<Bonus>({
    name: 'load_bonuses',
    text: `select b.player_id, b.user_bonus_id, bonus_id, bonus_code, product, type, status, status_at, status_day, granted,
                  at, day, amount, currency, exchange_rate, base_amount, base_turned_real, turned_real_at,
                  turned_real_day, base_locked_amount, base_required_wagering, crm_references, origin, conflicts, events
           from unnest($1::bigint[], $2::text[]) as k(player_id, user_bonus_id)
           cross join lateral (
             select * from bonus where player_id = k.player_id and user_bonus_id = k.user_bonus_id offset 0
           ) b`,
    values: [identities.map((i) => i.player_id), identities.map((i) => i.user_bonus_id)],
  });
  return new Map(rows.map((row) => [nameOf(row), row]));
}

export async function saveBonuses(tx: ClientBase, bonuses: readonly Bonus[]): Promise<void> {
  await tx.query({
    name: 'save_bonuses',
    text: `insert into bonus
             (player_id, user_bonus_id, bonus_id, bonus_code, product, type, status, status_at, status_day, granted, at,
              day, amount, currency, exchange_rate, base_amount, base_turned_real, turned_real_at, turned_real_day,
              base_locked_amount, base_required_wagering, crm_references, origin, conflicts, events)
           select player_id, user_bonus_id, bonus_id, bonus_code, product, type, status, status_at, status_day, granted,
                  at, day, amount, currency, exchange_rate, base_amount, base_turned_real, turned_real_at,
                  turned_real_day, base_locked_amount, base_required_wagering, crm_references, origin, conflicts, events
           from jsonb_to_recordset($1::jsonb)
             as b(player_id bigint, user_bonus_id text, bonus_id text, bonus_code text, product text, type text,
                  status text, status_at timestamptz, status_day date, granted boolean, at timestamptz, day date,
                  amount numeric, currency text, exchange_rate numeric, base_amount numeric, base_turned_real numeric,
                  turned_real_at timestamptz, turned_real_day date, base_locked_amount numeric,
                  base_required_wagering numeric, crm_references jsonb, origin text, conflicts int, events jsonb)
           on conflict (player_id, user_bonus_id) do update set
             bonus_id = excluded.bonus_id, bonus_code = excluded.bonus_code, product = excluded.product,
             type = excluded.type, status = excluded.status, status_at = excluded.status_at,
             status_day = excluded.status_day, granted = excluded.granted, at = excluded.at, day = excluded.day,
             amount = excluded.amount, currency = excluded.currency, exchange_rate = excluded.exchange_rate,
             base_amount = excluded.base_amount, base_turned_real = excluded.base_turned_real,
             turned_real_at = excluded.turned_real_at, turned_real_day = excluded.turned_real_day,
             base_locked_amount = excluded.base_locked_amount,
             base_required_wagering = excluded.base_required_wagering, crm_references = excluded.crm_references,
             origin = excluded.origin, conflicts = excluded.conflicts, events = excluded.events`,
    values: [
      JSON.stringify(
        bonuses.map((bonus) => ({
          ...bonus,
          status_at: timestamptzText(bonus.status_at),
          at: timestamptzText(bonus.at),
          turned_real_at: bonus.turned_real_at === null ? null : timestamptzText(bonus.turned_real_at),
        })),
      ),
    ],
  });
}

/** One row per bonus that is granted, as `TotalsSpec.facts` wants it: the only extremes are the dates of grants. */
export const grantedBonuses = `
  select player_id, at, day, product, at as granted_at
  from bonus
  where granted`;
