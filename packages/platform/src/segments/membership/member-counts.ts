import type { Pool } from 'pg';

export interface MemberCount {
  members: number;
  protected: number;
}

/** A version with at least this many rows is large. Counting fewer rows costs less than the other statements of a list. */
const largeVersion = 10_000;
const reusedMs = 10_000;

/** The counts of large versions, by version. A process has one entry per large version that was listed in the last 10 s. */
const reusable = new WeakMap<Pool, Map<number, MemberCount & { at: number }>>();

/**
 * The number of members of each version, and of protected players who satisfy its rule. A version without either is not in the map.
 *
 * In a list, the count of a large version is up to 10 s old, because an open console reads the list of segments again whenever members
 * change, and PostgreSQL counts every row each time. Stored counts would be exact, but every change of a member would also write a count,
 * which transactions of the same bucket would wait for.
 *
 * The page of one segment shows its count beside its members. It reads both when members change, and not again until the next change, so
 * its count must be exact.
 *
 * @param options.isExact whether large versions are counted now, too. Default: false
 * @param options.now in milliseconds, of a clock that never goes back
 */
export async function countMembers(
  pool: Pool,
  versions: readonly number[],
  { isExact = false, now = performance.now() }: { isExact?: boolean; now?: number } = {},
): Promise<Map<number, MemberCount>> {
  const known = reusable.get(pool) ?? new Map<number, MemberCount & { at: number }>();
  reusable.set(pool, known);
  for (const [version, { at }] of known) if (now - at >= reusedMs) known.delete(version);
  if (isExact) for (const version of versions) known.delete(version);
  const counted = await readCounts(
    pool,
    versions.filter((version) => !known.has(version)),
  );
  const counts = new Map<number, MemberCount>();
  for (const version of versions) {
    const count = counted.get(version) ?? known.get(version);
    if (count !== undefined) counts.set(version, { members: count.members, protected: count.protected });
  }
  for (const [version, count] of counted)
    if (count.members + count.protected >= largeVersion) known.set(version, { ...count, at: now });
  return counts;
}

async function readCounts(pool: Pool, versions: readonly number[]): Promise<Map<number, MemberCount>> {
  if (versions.length === 0) return new Map();
  const { rows } = await pool.query<MemberCount & { version_id: number }>(
    `select version_id, (count(*) filter (where not protected))::int as members, (count(*) filter (where protected))::int as protected
       from segment_member where version_id = any($1::int[]) group by version_id`,
    [versions],
  );
  return new Map(rows.map(({ version_id, ...count }) => [version_id, count]));
}
