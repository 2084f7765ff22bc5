import type { ClientBase } from 'pg';
import { awaitAll } from '../../database/index.ts';
import type { BatchContext, Derivation, DerivedTable, Outcome } from '../derivation.ts';
import type { DerivedEvent } from '../event.ts';
import { players } from '../players/index.ts';
import type { Totals } from '../totals/index.ts';
import type { Verdict } from '../verdict.ts';
import { balances } from './balances/index.ts';
import { bonuses } from './bonuses/index.ts';
import { carts } from './carts/index.ts';
import { funds } from './funds/index.ts';
import { games } from './games/index.ts';
import { logins } from './logins/index.ts';
import { draws, lotteryPurchases, lotteryTickets } from './lottery/index.ts';
import { messageEvents } from './message-events/index.ts';
import { customEvents, siteEvents } from './named-events/index.ts';
import { paymentReports, payments } from './payments/index.ts';
import { registrations } from './registrations/index.ts';
import { rounds } from './rounds/index.ts';
import { sports } from './sports/index.ts';

/**
 * All families of facts. Events of a kind that only `players` handles are journaled, but make no facts until a family for that kind is
 * added here.
 */
export const families: readonly Derivation[] = [
  players,
  registrations,
  logins,
  payments,
  paymentReports,
  bonuses,
  carts,
  games,
  balances,
  customEvents,
  siteEvents,
  messageEvents,
  rounds,
  sports,
  lotteryPurchases,
  lotteryTickets,
  draws,
  funds,
];

/**
 * All tables of derived state, each once even if two families share totals. They are hashed, recomputed and swapped
 * together.
 */
export const derivedTables: readonly DerivedTable[] = [...new Set(families.flatMap((family) => family.tables))];

/**
 * All totals with a roll-up per brand and day. Roll-ups belong to no player: they are written and recomputed, but not
 * hashed.
 */
export const allTotals: readonly Totals[] = [...new Set(families.flatMap((family) => family.totals ?? []))];
export const rollupTables: readonly string[] = allTotals.map(({ rollup }) => rollup.name);

/** Applies a batch to the derived state of players, in the schema of the connection's search_path. */
export async function deriveState(
  tx: ClientBase,
  events: readonly DerivedEvent[],
  context: BatchContext,
): Promise<Outcome> {
  const verdicts = new Map<DerivedEvent, Verdict>();
  const resolved: NonNullable<Outcome['resolved']>[number][] = [];
  const merged = new Map<number, number>();
  const eventsOf = byFamily(events);
  const applyGroup = async (group: readonly Derivation[]) => {
    const outcomes: Outcome[] = [];
    for (const family of group) {
      const own = eventsOf.get(family);
      if (own !== undefined) outcomes.push(await family.apply(tx, own, context));
    }
    return outcomes;
  };
  for (const outcome of (await awaitAll(groups.map(applyGroup))).flat()) {
    for (const [event, verdict] of outcome.verdicts) verdicts.set(event, verdict);
    resolved.push(...(outcome.resolved ?? []));
    for (const [player, at] of outcome.oldest ?? []) merged.set(player, Math.min(at, merged.get(player) ?? at));
  }
  return { verdicts, resolved, oldest: merged };
}

/**
 * Applies a batch to the state that belongs to no player. Call it as late as possible before the commit. When this ran together with the
 * other families, the second of two lanes waited 170 ms per batch for a row of `draw` that the first lane had written (at 4,000 events/s).
 */
export async function deriveShared(
  tx: ClientBase,
  events: readonly DerivedEvent[],
  context: BatchContext,
): Promise<void> {
  const eventsOf = byFamily(events);
  await awaitAll(
    families.map((family) => {
      const own = family.isShared ? eventsOf.get(family) : undefined;
      return own && family.apply(tx, own, context);
    }),
  );
}

/**
 * Groups of families. The groups are applied concurrently, so that their statements share round trips. Families that share totals are in
 * one group and are applied one after the other, because a family deletes rows of the totals whose counts and sums have become zero.
 */
const groups: readonly (readonly Derivation[])[] = families.reduce<Derivation[][]>((groups, family) => {
  if (family.isShared) return groups;
  const shared = groups.find((group) =>
    group.some(({ totals }) => totals?.some((one) => family.totals?.includes(one) === true)),
  );
  if (shared === undefined) groups.push([family]);
  else shared.push(family);
  return groups;
}, []);

const familiesOf = new Map(
  families.flatMap(({ kinds }) => kinds).map((kind) => [kind, families.filter(({ kinds }) => kinds.includes(kind))]),
);

/** Groups events by family, in their order of arrival. */
function byFamily(events: readonly DerivedEvent[]): Map<Derivation, DerivedEvent[]> {
  const found = new Map<Derivation, DerivedEvent[]>();
  for (const event of events) {
    for (const family of familiesOf.get(event.event.kind) ?? []) {
      const own = found.get(family);
      if (own === undefined) found.set(family, [event]);
      else own.push(event);
    }
  }
  return found;
}
