import type { Gate } from '../../gate/index.ts';
import type { ReceiveDeps } from '../../ingest/index.ts';

/** Additional dependencies of a player's calls. */
export interface PlayerDeps {
  gate: Pick<Gate, 'mayContact'>;
  /** Writes an event to the ledger. */
  ingest: Pick<ReceiveDeps, 'committer' | 'late'>;
}
