import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { KeySeen } from './seen.ts';
import type { SeenKind } from './value.ts';

/** A row of segmentation_key: a kind of value that was seen under a key of a brand. */
export interface KeyRow {
  brand_id: number;
  key: string;
  kind: SeenKind;
  sample: KeySeen['sample'];
  first_seen_at: Micros;
  last_seen_at: Micros;
}

/** All rows of these brands, in the order of brand, key and kind. */
export async function readKeys(db: Pool | ClientBase, brandIds: readonly number[]): Promise<KeyRow[]> {
  const { rows } = await db.query<KeyRow>({
    name: 'read_segmentation_keys',
    text: `select brand_id, key, kind, sample, first_seen_at, last_seen_at
           from segmentation_key where brand_id = any($1::int[]) order by brand_id, key, kind`,
    values: [brandIds],
  });
  return rows;
}

/** @param seen at most one entry per brand, key and kind; sorted, so that two transactions never deadlock */
export async function writeKeys(tx: ClientBase, seen: readonly KeySeen[]): Promise<void> {
  await tx.query({
    name: 'write_segmentation_keys',
    text: `insert into segmentation_key as t (brand_id, key, kind, sample, first_seen_at, last_seen_at)
           select brand_id, key, kind, sample, at, at
           from unnest($1::int[], $2::text[], $3::text[], $4::jsonb[], $5::timestamptz[]) as s(brand_id, key, kind, sample, at)
           on conflict (brand_id, key, kind) do update set last_seen_at = greatest(t.last_seen_at, excluded.last_seen_at)`,
    values: [
      seen.map((one) => one.brand_id),
      seen.map((one) => one.key),
      seen.map((one) => one.kind),
      seen.map((one) => JSON.stringify(one.sample)),
      seen.map((one) => timestamptzText(one.at)),
    ],
  });
}
