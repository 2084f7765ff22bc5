import type { ClientBase } from 'pg';
import { awaitAll } from '../../../database/index.ts';
import type { Derivation } from '../../derivation.ts';
import { changeSessions, sessionTables } from '../sessions/index.ts';
import { type PlayerBatch, playerBatches } from './arrival.ts';
import { decide, type RoundDecision } from './decide.ts';
import type { HeldRound } from './round.ts';
import { loadRounds, lookupTable, roundTable, rowKeyOf, storedRound } from './store.ts';
import { casinoTotals } from './totals.ts';
import { furtherLookups, wantedBy } from './wanted.ts';

/** Rounds of casino games, from activities and game round messages: see README.md. */
export const rounds: Derivation = {
  family: 'rounds',
  kinds: ['casino', 'gameround'],
  tables: [
    { name: roundTable.name, ages_by: 'coalesce(held_to, last_at)', index_bound: 'first_at', kept_for: 'history' },
    {
      name: lookupTable.name,
      goes_with: { table: roundTable.name, by: ['player_id', 'round_key'], found_by: 'lookup' },
    },
    ...casinoTotals.tables,
    ...sessionTables,
  ],
  totals: [casinoTotals],
  async apply(tx, events, context) {
    const batches = playerBatches(events);
    const loaded = await load(tx, batches);
    const decision = decide(batches, (playerId) => loaded.get(playerId) ?? []);
    await awaitAll([
      save(tx, decision),
      decision.parts.length > 0 ? casinoTotals.change(tx, decision.parts, context) : undefined,
      changeSessions(tx, decision.changes.map(sessionChange)),
    ]);
    const resolved = decision.resolved.map((orphans) => ({ ...orphans, kind: 'casino' as const }));
    return { verdicts: decision.verdicts, resolved, oldest: oldestOf(loaded) };
  },
};

async function load(tx: ClientBase, batches: readonly PlayerBatch[]): Promise<Map<number, HeldRound[]>> {
  if (batches.length === 0) return new Map();
  const loaded = await loadRounds(tx, wantedBy(batches));
  const lookups = furtherLookups(batches, loaded);
  if (lookups.length === 0) return loaded;
  for (const [playerId, found] of await loadRounds(tx, { keys: [], lookups })) {
    const own = loaded.get(playerId) ?? [];
    const isKnown = ({ round, state }: HeldRound) =>
      own.some((held) => held.round.round_key === round.round_key && held.state.first_at === state.first_at);
    loaded.set(playerId, [...own, ...found.filter((round) => !isKnown(round))]);
  }
  return loaded;
}

/**
 * Returns, for each player, the time of the oldest round that was loaded. Most rounds are within 72 hours of an event, but
 * rounds found by activity may have any age.
 */
function oldestOf(loaded: ReadonlyMap<number, readonly HeldRound[]>): Map<number, number> {
  const oldest = new Map<number, number>();
  for (const [playerId, held] of loaded) {
    for (const { state } of held)
      oldest.set(playerId, Math.min(state.first_at, oldest.get(playerId) ?? state.first_at));
  }
  return oldest;
}

async function save(tx: ClientBase, { saved, gone, lookups }: RoundDecision): Promise<void> {
  await awaitAll([
    roundTable.remove(tx, gone.map(rowKeyOf)),
    roundTable.save(tx, saved.map(storedRound)),
    lookupTable.remove(tx, lookups.gone),
    lookupTable.save(tx, lookups.added),
  ]);
}

function sessionChange({ before, after, batch }: RoundDecision['changes'][number]) {
  return { before: sessionRound(before), after: sessionRound(after), settings: batch.settings };
}

function sessionRound(held: HeldRound | undefined) {
  if (held === undefined || !held.state.played) return undefined;
  const { player_id, vendor_id, game_id } = held.round;
  const { first_at, last_at, bet_count, bet_sum, win_sum } = held.state;
  return { player_id, vendor_id, game_id, first_at, last_at, bet_count, bet_sum, win_sum };
}

export { multiplierOf as roundMultiplier } from './amounts.ts';
export { type BiggestWin, biggestWinSql, readBiggestWin } from './biggest-win.ts';
export {
  type BrandRoundPage,
  countUnpriced,
  type ListedBrandRound,
  listBrandRounds,
  mostUnpriced,
} from './brand-list.ts';
export { endlessRound } from './endless.ts';
export {
  type ListedRound,
  listRounds,
  type RoundFilter,
  type RoundSource,
  type RoundStatus,
  roundSources,
  roundStatuses,
} from './list.ts';
export { type NamedRound, readNamedRounds } from './named.ts';
export { roundOfEvent } from './of-event.ts';
export { type Partners, roundPartners } from './partners.ts';
export { casinoTotals } from './totals.ts';
