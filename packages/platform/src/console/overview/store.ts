import type { Pool } from 'pg';
import { type Bucket, bucketCount, type Cursor } from '../../ledger/index.ts';

/** How far derive has come in each bucket; a bucket that was never read stands at the beginning. */
export async function readCursors(pool: Pool, beginning: Cursor): Promise<Map<Bucket, Cursor>> {
  const { rows } = await pool.query<{ bucket: Bucket; cursor: Cursor | null }>('select bucket, cursor from bucket');
  const known = new Map(rows.map(({ bucket, cursor }) => [bucket, cursor]));
  return new Map(Array.from({ length: bucketCount }, (_, bucket) => [bucket, known.get(bucket) ?? beginning]));
}
