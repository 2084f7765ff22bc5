import { type EventKind, type EventOf, type Flag, fingerprint, type Micros } from '@croupier/contracts';
import type { BrandSettings } from '../brands/index.ts';
import type { LedgerPosition } from '../ledger/index.ts';

/** One event of the ledger, parsed and with its player known. Derivations work with these. */
export interface DerivedEvent<K extends EventKind = EventKind> {
  readonly brand_id: number;
  readonly player_id: number;
  readonly event: EventOf<K>;
  /** The parsed body as the operator sent it, needed for the fingerprint. */
  readonly body: unknown;
  readonly flags: readonly Flag[];
  readonly received_at: Micros;
  readonly position: LedgerPosition;
  /**
   * The brand's settings at the time the event is applied. A changed setting affects already applied events only after
   * a rebuild.
   */
  readonly settings: BrandSettings;
}

/**
 * The 128-bit fingerprint in hex (docs/reference/decisions.md 2.2). It costs several microseconds, so compute it only
 * if a rule needs it.
 */
export function fingerprintOf(event: DerivedEvent): string {
  return fingerprint(event.brand_id, event.event.kind, event.body);
}

/** Filters a batch for the kinds of one family. */
export function eventsOf<K extends EventKind>(
  events: readonly DerivedEvent[],
  kinds: readonly K[],
): readonly DerivedEvent<K>[] {
  const wanted: readonly EventKind[] = kinds;
  return events.filter((event): event is DerivedEvent<K> => wanted.includes(event.event.kind));
}
