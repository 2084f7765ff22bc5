import { type EventKind, type EventOf, type Flag, fingerprint, type Micros } from '@croupier/contracts';
import type { BrandSettings } from '../brands/index.ts';
import type { LedgerPosition } from '../ledger/index.ts';

/** One event of the ledger, read and with its player known: what derivations work with. */
export interface DerivedEvent<K extends EventKind = EventKind> {
  readonly brand_id: number;
  readonly player_id: number;
  readonly event: EventOf<K>;
  /** The parsed body as the operator sent it, for the fingerprint. */
  readonly body: unknown;
  readonly flags: readonly Flag[];
  readonly received_at: Micros;
  readonly position: LedgerPosition;
  /** The brand's, as they are when the event is applied; for what was applied before, a change needs a rebuild. */
  readonly settings: BrandSettings;
}

/** Hex of the 128-bit fingerprint (docs/reference/decisions.md 2.2). It costs several microseconds: ask only where a rule needs it. */
export function fingerprintOf(event: DerivedEvent): string {
  return fingerprint(event.brand_id, event.event.kind, event.body).toString('hex');
}

/** Narrows a batch to the kinds of one family. */
export function eventsOf<K extends EventKind>(
  events: readonly DerivedEvent[],
  kinds: readonly K[],
): readonly DerivedEvent<K>[] {
  const wanted: readonly EventKind[] = kinds;
  return events.filter((event): event is DerivedEvent<K> => wanted.includes(event.event.kind));
}
