import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { listBalances } from '../families/balances/index.ts';
import { readLastCart } from '../families/carts/index.ts';
import { type NamedKind, readNamedCounts } from '../families/named-events/index.ts';
import { readOutermostPayments } from '../families/payments/index.ts';
import { readBiggestWin } from '../families/rounds/index.ts';
import type { PlayerFacts, ReportName } from './trait.ts';

/**
 * What is known of a player beside totals.
 *
 * @param registration_date of the operator's details: stands where no event told of a registration
 * @param birth_date of the operator's details
 */
export async function readFacts(
  db: Pool | ClientBase,
  {
    player_id,
    registration_date = null,
    birth_date = null,
  }: { player_id: number; registration_date?: Micros | null; birth_date?: string | null },
): Promise<PlayerFacts> {
  const [{ facts, reports }, payments, lastCart, biggestWin, balances, custom, site_event] = await Promise.all([
    readReported(db, player_id),
    readOutermostPayments(db, player_id),
    readLastCart(db, player_id),
    readBiggestWin(db, player_id),
    listBalances(db, player_id),
    countsByName(db, 'custom', player_id),
    countsByName(db, 'site_event', player_id),
  ]);
  return {
    facts: { ...facts, registered_at: facts.registered_at ?? registration_date },
    birth_date,
    reports,
    payments,
    lastCart,
    biggestWin,
    balances: new Map(balances.map(({ key, base_amount, at }) => [key, { value: base_amount, at }])),
    namedEvents: { custom, site_event },
  };
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
