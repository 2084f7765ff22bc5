import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { BrandRegistry } from '../brands/index.ts';
import type { SignalSender } from '../channels/index.ts';
import { transaction } from '../database/index.ts';
import { deleteEntries, eraseDerived, readLedgerEvent, withoutRebuilds } from '../derive/index.ts';
import type { Words } from '../language.ts';
import { type Erased, type Ledger, type LedgerEvent, playerHash } from '../ledger/index.ts';
import { closePlayer } from './close.ts';
import { eraseStages, eraseTables } from './erase-tables.ts';
import type { ClaimedErasure } from './erasure-store.ts';
import { claimMentions, redactMentions } from './quarantine-mentions.ts';
import { askAgainMs, type StepResult, settleMs } from './steps.ts';
import type { Subject } from './subject.ts';
import { vacuum } from './vacuum.ts';

export interface StepDeps {
  /** Connections without a statement timeout. */
  pool: Pool;
  ledger: Pick<Ledger, 'eraser'>;
  brands: Pick<BrandRegistry, 'byId'>;
  /** Sends hints for the sockets of the erased player; without them, the api processes find the signals by polling. */
  signals?: Pick<SignalSender, 'poke'> | undefined;
  signal?: AbortSignal;
}

const busy = (held_because: Words): StepResult => ({ held_because, again_in_ms: askAgainMs.busy });
const packing: Words = {
  en: 'days of the ledger are being packed or dropped',
  de: 'Tage des Ereignisbuchs werden gerade gepackt oder gelöscht',
};
const rebuilding: Words = { en: 'a rebuild is running', de: 'Eine Neuberechnung läuft' };

/** Carries out the current step of an erasure. Parts that are already done cost one query. */
export async function takeStep(deps: StepDeps, erasure: ClaimedErasure, now: Micros): Promise<StepResult> {
  const subject = subjectOf(erasure);
  switch (erasure.step) {
    case 'waiting':
      // If `closed_at` is set, a process died after the commit of this step, and before it stored the next one.
      return erasure.closed_at === null ? closePlayer(deps, erasure, subject, now) : { next: 'ledger' };
    case 'ledger':
      return eraseEvents(deps, subject);
    case 'rows':
      return eraseRows(deps, subject, (counts) => ({ next: 'settling', in_ms: settleMs, counts }));
    case 'settling':
      return eraseRows(deps, subject, () => ({ next: 'vacuum' }));
    case 'vacuum':
      await vacuum(deps.pool, deps.ledger);
      return { next: 'done' };
    case 'done':
    case 'cancelled':
      return { next: erasure.step };
    default:
      return erasure.step satisfies never;
  }
}

function subjectOf({ player_id, brand_id, user_id }: ClaimedErasure): Subject {
  return { player_id, brand_id, user_id, player_hash: playerHash(brand_id, user_id) };
}

async function eraseEvents({ pool, ledger, brands, signal }: StepDeps, subject: Subject): Promise<StepResult> {
  const { brand_id, player_hash, user_id } = subject;
  // An event that cannot be read is attributed to this player by its hash; the chance that it is another's is 1 in 10^12.
  const isTheirs = (event: LedgerEvent) => {
    const reading = readLedgerEvent(event, brands.byId(brand_id));
    return !reading.ok || reading.readable.event.user_id === user_id;
  };
  const erased = await withoutRebuilds(pool, async (): Promise<Erased | 'packing'> => {
    const player = { brand_id, player_hash, isTheirs };
    // Parked events have an entry without a player. It is deleted by its position, as long as the ledger has the event.
    const beforeErased = (events: readonly LedgerEvent[]) => transaction(pool, (tx) => deleteEntries(tx, events));
    const result = await ledger.eraser.erasePlayer(player, { beforeErased, ...(signal && { signal }) });
    return result === 'busy' ? 'packing' : result;
  });
  if (erased === 'busy') return busy(rebuilding);
  if (erased === 'packing') return busy(packing);
  return { next: 'rows', counts: prefixed('ledger', erased) };
}

async function eraseRows(
  { pool }: StepDeps,
  subject: Subject,
  result: (counts: Record<string, number>) => StepResult,
): Promise<StepResult> {
  const derived = await withoutRebuilds(pool, () => eraseDerived(pool, subject.player_id));
  if (derived === 'busy') return busy(rebuilding);
  await claimMentions(pool, subject);
  const own = await eraseTables(pool, subject);
  const redacted = await redactMentions(pool, subject);
  const counts = { ...derived, ...own, ...(redacted > 0 && { 'quarantine.redacted': redacted }) };
  const staged = await eraseStages(pool, subject.user_id);
  return result(staged === 0 ? counts : { ...counts, reconciliation_stage: staged });
}

function prefixed(prefix: string, counts: Erased): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [`${prefix}.${name}`, count as number]));
}
