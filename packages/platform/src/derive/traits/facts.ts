import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { listBalances } from '../families/balances/index.ts';
import { type ActiveBonuses, readActiveBonuses } from '../families/bonuses/index.ts';
import { readLastCart } from '../families/carts/index.ts';
import { type NamedKind, readNamedCounts } from '../families/named-events/index.ts';
import { readOutermostPayments } from '../families/payments/index.ts';
import { readBiggestWin } from '../families/rounds/index.ts';
import type { MessageCounts, PlayerFacts, ReportName } from './trait.ts';

/** The player whose traits are read. */
export interface TraitPlayer {
  player_id: number;
  time_zone: string;
  /**
   * From the operator's details; null or absent if they have none. It is used if no event contained a registration
   * (docs/decisions/0802). The caller provides it, because this stage does not know the operator's details.
   */
  registration_date?: Micros | null;
  /** From the operator's details, like the registration date. */
  birth_date?: string | null;
  /** The next expiry of an offer that the player may claim; null or absent if there is none. */
  offer_expires_at?: Micros | null;
  /** Events of the platform's messages, by campaign; '' means no campaign. */
  messages?: ReadonlyMap<string, MessageCounts>;
}

/** What is known about a player besides totals. */
export async function readFacts(
  db: Pool | ClientBase,
  { player_id, registration_date = null, birth_date = null, offer_expires_at = null, messages }: TraitPlayer,
  now: Micros,
): Promise<PlayerFacts> {
  const [{ facts, reports }, payments, activeBonuses, lastCart, biggestWin, balances, custom, site_event] =
    await Promise.all([
      readReported(db, player_id),
      readOutermostPayments(db, player_id),
      readActiveBonuses(db, player_id, now),
      readLastCart(db, player_id),
      readBiggestWin(db, player_id),
      listBalances(db, player_id),
      countsByName(db, 'custom', player_id),
      countsByName(db, 'site_event', player_id),
    ]);
  return {
    facts: { ...facts, registered_at: facts.registered_at ?? registration_date },
    birth_date,
    messages,
    reports,
    payments,
    activeBonuses: activeBonuses && withOffer(activeBonuses, offer_expires_at),
    lastCart,
    biggestWin,
    balances: new Map(balances.map(({ key, base_amount, at }) => [key, { value: base_amount, at }])),
    namedEvents: { custom, site_event },
  };
}

function withOffer(bonuses: ActiveBonuses, offer: Micros | null): ActiveBonuses {
  const { next_expiry_at } = bonuses;
  if (offer === null || (next_expiry_at !== null && next_expiry_at <= offer)) return bonuses;
  return { ...bonuses, next_expiry_at: offer };
}

async function readReported(db: Pool | ClientBase, playerId: number): Promise<Pick<PlayerFacts, 'facts' | 'reports'>> {
  const { rows } = await db.query<{
    registered_at: Micros | null;
    first_event_at: Micros | null;
    last_event_at: Micros | null;
    name: ReportName | null;
    value: number | null;
    at: Micros | null;
  }>({
    name: 'read_player_facts',
    text: `select r.at as registered_at, a.first_event_at, a.last_event_at, p.name, p.value, p.at
           from (select $1::bigint as player_id) k
           left join registration r using (player_id)
           left join player_activity a using (player_id)
           left join payment_report p using (player_id)`,
    values: [playerId],
  });
  const [first] = rows;
  return {
    facts: {
      registered_at: first?.registered_at ?? null,
      first_event_at: first?.first_event_at ?? null,
      last_event_at: first?.last_event_at ?? null,
    },
    reports: new Map(
      rows.flatMap(({ name, value, at }) =>
        name === null || value === null || at === null ? [] : [[name, { value, at }] as const],
      ),
    ),
  };
}

async function countsByName(db: Pool | ClientBase, kind: NamedKind, playerId: number): Promise<Map<string, number>> {
  const counts = await readNamedCounts(db, kind, playerId);
  return new Map(counts.map(({ name, event_count }) => [name, event_count]));
}
