import type { ClientBase } from 'pg';
import type { LedgerEvent } from '../../ledger/index.ts';

/**
 * Records blocks that contain events of erased players. They come from api processes that did not know of the erasure
 * yet. privacy/ removes them.
 */
export async function noteLeftovers(tx: ClientBase, events: readonly { source: LedgerEvent }[]): Promise<void> {
  if (events.length === 0) return;
  await tx.query(
    `insert into erasure_leftover (writer_id, seq, bucket)
     select distinct * from unnest($1::int[], $2::bigint[], $3::smallint[]) on conflict do nothing`,
    [
      events.map(({ source }) => source.position.writer_id),
      events.map(({ source }) => source.position.seq),
      events.map(({ source }) => source.bucket),
    ],
  );
}
