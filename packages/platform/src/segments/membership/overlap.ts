import type { Pool } from 'pg';
import { protectedPlayers } from '../fields/index.ts';
import { type ListedMember, versionWithMembers } from './reading.ts';

/*
 * The members of one segment who are, or are not, members of another one.
 *
 * Two segments with a million members each may share a few players, or none. Filling a page could then require reading all
 * members. So a page reads at most `readPerPage` members, and may be short or empty although there are more. The
 * statements read only the index of both versions, ordered by player_id. For two segments of a million members each, a
 * page of 50 took 14 to 85 ms on two busy processor cores.
 */

/** Maximum number of members read per page. */
const readPerPage = 50_000;

/** Above every id: ids of players are below 2^53. */
const noEnd = Number.MAX_SAFE_INTEGER;

interface Page {
  /** `next` of the previous page. Undefined: the first page. */
  after: number | undefined;
  limit: number;
}

interface VersionPage extends Page {
  /** The version whose members are listed. */
  version: number;
  /** The version of the other segment. Undefined: it has no members. */
  other: number | undefined;
  /** True: those who are members of both. False: those who are not members of the other one. */
  isInOther: boolean;
  /** Maximum number of members to read. Default: 50,000. */
  portion?: number;
}

interface Overlap {
  members: ListedMember[];
  /** The player_id after which the next page begins. Null: there are no more members. */
  next: number | null;
}

/**
 * One page of the members of a segment who are, or are not, members of another one. They are ordered by player_id, without
 * excluded, blocked and erased players.
 *
 * @returns `missing`: the code of a segment that does not exist
 */
export async function listOverlap(
  pool: Pool,
  brandId: number,
  { code, other, ...page }: Page & { code: string; other: string; isInOther: boolean },
): Promise<Overlap | { missing: string }> {
  const [version, compared] = await Promise.all([
    versionWithMembers(pool, brandId, code),
    versionWithMembers(pool, brandId, other),
  ]);
  if (version === undefined) return { missing: code };
  if (compared === undefined) return { missing: other };
  if (version === null) return { members: [], next: null };
  return overlapOfVersions(pool, { version: version.version_id, other: compared?.version_id, ...page });
}

/** The same as `listOverlap`, for two versions. */
export async function overlapOfVersions(
  pool: Pool,
  { version, other, isInOther, after = 0, limit, portion = readPerPage }: VersionPage,
): Promise<Overlap> {
  const through = await lastOfPortion(pool, version, after, portion);
  // The range is a condition on both versions, so that no plan reads all members of the other one.
  const { rows } = await pool.query<ListedMember & { isShown: boolean }>(
    `with chosen as (
       select m.player_id from segment_member m
        where m.version_id = $1 and not m.protected and m.player_id > $2 and m.player_id <= $3
          and ${isInOther ? '' : 'not '}exists (
            select from segment_member o
             where o.version_id = $4 and o.player_id = m.player_id and not o.protected
               and o.player_id > $2 and o.player_id <= $3)
        order by m.player_id limit $5)
     select m.player_id, p.user_id, m.since, m.protected, p.erased_at is null and x.player_id is null as "isShown"
       from chosen c join player p using (player_id) join segment_member m on m.player_id = c.player_id and m.version_id = $1
       left join ${protectedPlayers((column) => `${column} in (select player_id from chosen)`)} x on x.player_id = c.player_id
      order by m.player_id`,
    [version, after, through ?? noEnd, other ?? 0, limit + 1],
  );
  const page = rows.slice(0, limit);
  const members = page.filter(({ isShown }) => isShown).map(({ isShown: _, ...member }) => member);
  return { members, next: rows.length > limit ? (page.at(-1)?.player_id ?? null) : through };
}

/** The last player_id of the members that a page may read. Null if fewer members are left. */
async function lastOfPortion(pool: Pool, version: number, after: number, portion: number): Promise<number | null> {
  const { rows } = await pool.query<{ player_id: number }>(
    `select player_id from segment_member where version_id = $1 and not protected and player_id > $2
      order by player_id offset $3 limit 1`,
    [version, after, portion - 1],
  );
  return rows[0]?.player_id ?? null;
}
