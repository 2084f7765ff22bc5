import type { ClientBase, Pool } from 'pg';

/*
 * The players that a bulk action on a segment reaches: the members of the version in force. It reads only tables of the
 * cell, so a worker that processes an action touches no control tables.
 */
export interface Audience {
  version_id: number;
}

/**
 * @returns undefined while no version is followed: the segment is a draft, is being computed for the first time, is
 *   paused, or failed
 */
export async function audienceOf(db: Pool | ClientBase, segmentId: number): Promise<Audience | undefined> {
  const { rows } = await db.query<Audience>(
    `select version_id from segment_active where segment_id = $1 and phase = 'in_force'`,
    [segmentId],
  );
  return rows[0];
}

/** Returns the same as `audienceOf`, for the segment with this code. */
export async function audienceNamed(
  db: Pool | ClientBase,
  brandId: number,
  code: string,
): Promise<Audience | undefined> {
  const { rows } = await db.query<Audience>(
    `select version_id from segment_active where brand_id = $1 and code = $2 and phase = 'in_force'`,
    [brandId, code],
  );
  return rows[0];
}

export async function countAudience(db: Pool | ClientBase, { version_id }: Audience): Promise<number> {
  const { rows } = await db.query<{ members: number }>(
    'select count(*)::int as members from segment_member where version_id = $1 and not protected',
    [version_id],
  );
  return rows[0]?.members ?? 0;
}

/** A random sample of the members. It is the same each time while the members stay the same. */
export async function sampleAudience(
  db: Pool | ClientBase,
  { version_id }: Audience,
  limit: number,
): Promise<number[]> {
  const { rows } = await db.query<{ player_id: number }>(
    `select player_id from segment_member where version_id = $1 and not protected
      order by hashint8(player_id) limit $2`,
    [version_id, limit],
  );
  return rows.map(({ player_id }) => player_id);
}

/** Members ordered by player_id. */
export async function listAudience(
  db: Pool | ClientBase,
  { version_id }: Audience,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ player_id: number }>(
    `select player_id from segment_member where version_id = $1 and player_id > $2 and not protected
      order by player_id limit $3`,
    [version_id, after, limit],
  );
  return rows.map(({ player_id }) => player_id);
}

/**
 * Returns those of the given players who still satisfy the rule. Players who became protected in the meantime are
 * included, because the gate then refuses them with a reason.
 */
export async function stillIn(
  db: Pool | ClientBase,
  { version_id }: Audience,
  playerIds: readonly number[],
): Promise<Set<number>> {
  const { rows } = await db.query<{ player_id: number }>(
    'select player_id from segment_member where version_id = $1 and player_id = any($2::bigint[])',
    [version_id, playerIds],
  );
  return new Set(rows.map(({ player_id }) => player_id));
}
