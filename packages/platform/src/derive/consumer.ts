import type { EventKind, Micros, PlatformEvent } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { LedgerPosition } from '../ledger/index.ts';
import type { Verdict } from './verdict.ts';

/** One event of a batch as the following stages see it. */
export interface ConsumedEvent {
  player_id: number;
  brand_id: number;
  user_id: string;
  event: PlatformEvent;
  received_at: Micros;
  verdict: Verdict;
  position: LedgerPosition;
}

export interface DerivedBatch {
  /** Every event that was read and is not parked, repeats included: the verdict tells which. */
  applied: readonly ConsumedEvent[];
}

/** An event that is not applied, most often as it is too old, and says all the same that the protection of a known player may have changed. */
export interface TooOldUpdate {
  player_id: number;
  brand_id: number;
  kind: EventKind;
}

/**
 * A stage that follows derive. What it writes with `tx` is committed together with the derived rows and the cursor, so a
 * hand-off is neither lost nor made twice (docs/reference/design.md 1). It must not keep the transaction waiting for anything outside
 * the database.
 *
 * An error that is about one event gets that event parked, exactly as an error of derive itself: the others are then given
 * again without it, in smaller parts of the same transaction.
 */
export interface DeriveConsumer {
  onBatch(tx: PoolClient, batch: DerivedBatch): Promise<void>;
  /** Before the batch of the same transaction, which may know more. */
  onTooOld?(tx: PoolClient, updates: readonly TooOldUpdate[]): Promise<void>;
  /** Called after the commit, to wake whoever works on the rows. A hint: it is lost in a crash, so also poll. */
  onCommitted?(): void;
}
