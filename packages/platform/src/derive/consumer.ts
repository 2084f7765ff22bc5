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
  /** Every event that was read and is not parked, including repeats. Its verdict states whether it is a repeat. */
  applied: readonly ConsumedEvent[];
}

/** An event that was not applied, usually because it is too old. It may still mean that the protection of a known player changed. */
export interface TooOldUpdate {
  player_id: number;
  brand_id: number;
  kind: EventKind;
}

/**
 * A stage that follows derive. What it writes with `tx` is committed together with the derived rows and the cursor, so
 * its work is neither lost nor done twice (docs/reference/design.md 1). It must not make the transaction wait for
 * anything outside the database.
 *
 * If it throws an error about one event, that event is parked, just as for an error of derive itself. The other events
 * are then passed again without it, in smaller parts of the same transaction.
 */
export interface DeriveConsumer {
  onBatch(tx: PoolClient, batch: DerivedBatch): Promise<void>;
  /** Called before the batch of the same transaction, because the batch may contain newer information. */
  onTooOld?(tx: PoolClient, updates: readonly TooOldUpdate[]): Promise<void>;
  /**
   * Called after the commit, to wake the code that processes the rows. A crash can prevent this call, so the code that
   * processes the rows must also poll.
   */
  onCommitted?(): void;
}
