import type { Gate } from '../../gate/index.ts';
import type { ReceiveDeps } from '../../ingest/index.ts';

/** What the calls of a player need beside what the site API is made of. */
export interface PlayerDeps {
  gate: Pick<Gate, 'mayContact'>;
  /** The way of an event into the ledger. */
  ingest: Pick<ReceiveDeps, 'committer' | 'late'>;
}
