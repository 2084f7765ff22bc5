import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../database/index.ts';
import type { ImageType } from './image.ts';

/** Every statement on media_file. */
export interface MediaFile {
  digest: string;
  name: string;
  type: ImageType;
  width: number;
  height: number;
  bytes: number;
  created_at: Micros;
  created_by: string;
}

const columns = 'digest, name, type, width, height, bytes, created_at, created_by';

export async function readMedia(
  db: Pool | ClientBase,
  brandId: number,
  digest: string,
): Promise<{ type: ImageType; content: Buffer } | null> {
  const { rows } = await db.query<{ type: ImageType; content: Buffer }>({
    name: 'read_media',
    text: 'select type, content from media_file where brand_id = $1 and digest = $2',
    values: [brandId, digest],
  });
  return rows[0] ?? null;
}

/** Lists images, newest first. @param before the last one of the previous page */
export async function listMedia(
  pool: Pool,
  brandId: number,
  { search, before, limit }: { search: string; before?: { at: Micros; digest: string } | undefined; limit: number },
): Promise<MediaFile[]> {
  const { rows } = await pool.query<MediaFile>(
    `select ${columns} from media_file
      where brand_id = $1 and position(lower($2) in lower(name)) > 0
        and ($3::timestamptz is null or (created_at, digest) < ($3::timestamptz, $4::text))
      order by created_at desc, digest desc limit $5`,
    [brandId, search, before === undefined ? null : timestamptzText(before.at), before?.digest ?? '', limit],
  );
  return rows;
}

export async function findMedia(db: Pool | ClientBase, brandId: number, digest: string): Promise<MediaFile | null> {
  const { rows } = await db.query<MediaFile>(`select ${columns} from media_file where brand_id = $1 and digest = $2`, [
    brandId,
    digest,
  ]);
  return rows[0] ?? null;
}

/** How much of its budget the brand uses. */
export async function mediaUsed(db: Pool | ClientBase, brandId: number): Promise<{ files: number; bytes: number }> {
  const { rows } = await db.query<{ files: number; bytes: number }>(
    'select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from media_file where brand_id = $1',
    [brandId],
  );
  return rows[0] ?? { files: 0, bytes: 0 };
}

/** Prevents other transactions from adding files to this brand until the transaction ends. */
export async function lockMedia(tx: ClientBase, brandId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('media_file'), $1)`, [brandId]);
}

export async function insertMedia(
  tx: ClientBase,
  brandId: number,
  { digest, name, type, width, height, bytes, created_at, created_by }: MediaFile,
  content: Uint8Array,
): Promise<void> {
  await tx.query(
    `insert into media_file (brand_id, digest, name, type, width, height, bytes, content, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [brandId, digest, name, type, width, height, bytes, content, timestamptzText(created_at), created_by],
  );
}

export async function deleteMedia(tx: ClientBase, brandId: number, digest: string): Promise<void> {
  await tx.query('delete from media_file where brand_id = $1 and digest = $2', [brandId, digest]);
}
