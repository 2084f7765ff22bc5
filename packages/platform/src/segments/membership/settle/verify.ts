import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import type { Clock } from '../../../clock.ts';
import { planForMany, timestamptzText, transaction } from '../../../database/index.ts';
import { needsOf } from '../active/active-version.ts';
import { lockVersion, readActive, readPhase } from '../active/store.ts';
import type { RuleReading } from '../rule-reading.ts';
import { readVersionById, type StoredSegment, type StoredVersion } from '../versions/store.ts';
import { nextRange } from './computation-store.ts';
import { judge } from './judge.ts';
import { scopeOf } from './players.ts';
import { withoutNews } from './settle.ts';

/** A player whose membership differs from a computation. */
export interface FoundDifference {
  code: string;
  version: number;
  player_id: number;
  user_id: string;
  /** The result of the computation. */
  expected: 'member' | 'protected' | 'none';
}

export interface Verified {
  versions: number;
  differences: FoundDifference[];
  /** Pairs of player and version that were compared. */
  compared: number;
  /** Pairs that were left out because the player has news, or something due, that will be processed shortly. */
  left_out: number;
}

/** Maximum number of differences reported for one version. */
const namedPerVersion = 1_000;
/** The number of players per comparison. Membership of the version does not change during it. */
const comparedPlayers = 20_000;

interface VerifyDeps {
  pool: Pool;
  brands: { byId(brandId: number): Brand | undefined };
  rules: RuleReading;
}

/**
 * Computes every version in force for all players, and compares the result with the stored members. It changes nothing. It
 * leaves out players with news, or with something due, because these will be processed shortly.
 *
 * @param at the clock of a running installation, or the fixed moment of a test. Each comparison reads the clock while
 * it holds the version exclusively. A moment that was read earlier would be older than what workers wrote after it
 */
export async function verifySegments(
  deps: VerifyDeps,
  at: Micros | Clock,
  only: (code: string, brandId: number) => boolean = () => true,
): Promise<Verified> {
  const { pool, brands } = deps;
  const clock = typeof at === 'number' ? () => at : at;
  const result: Verified = { versions: 0, differences: [], compared: 0, left_out: 0 };
  for (const { version_id, phase } of await readActive(pool)) {
    if (phase !== 'in_force') continue;
    const { version, segment } = await readVersionById(pool, version_id);
    const brand = brands.byId(segment.brand_id);
    if (brand === undefined || !only(segment.code, segment.brand_id)) continue;
    result.versions++;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      after = await transaction(pool, (tx) => compare(tx, deps, { version, segment, brand }, clock, from, result));
    }
  }
  return result;
}

/** Compares the players after `after`. @returns the last of them; undefined if there are no more */
async function compare(
  tx: ClientBase,
  { rules }: VerifyDeps,
  { version, segment, brand }: { version: StoredVersion; segment: StoredSegment; brand: Brand },
  clock: Clock,
  after: number,
  result: Verified,
): Promise<number | undefined> {
  await planForMany(tx);
  await lockVersion(tx, version.version_id);
  if ((await readPhase(tx, version.version_id)) !== 'in_force') return undefined;
  const range = await nextRange(tx, brand.brand_id, after, comparedPlayers);
  if (range === undefined) return undefined;
  const reading = await rules.of(brand, needsOf(version.rule).fields);
  const at = clock();
  const given = [version.version_id, timestamptzText(at), namedPerVersion];
  const { scope, values } = scopeOf({ after, through: range.through }, given);
  const judged = judge(version, { brand, rules: reading, at, scope, values, where: withoutNews });
  const { rows } = await tx.query<{
    compared: number;
    players: number;
    found: Omit<FoundDifference, 'code' | 'version'>[] | null;
  }>(
    `with judged as materialized (${judged.text}),
     standing as (
       select j.player_id, case when j.holds and j.protected then 'protected' when j.holds then 'member' else 'none' end as expected,
              case when m.protected then 'protected' when m.player_id is not null then 'member' else 'none' end as held
         from judged j left join segment_member m on m.player_id = j.player_id and m.version_id = $1),
     found as (
       select s.player_id, p.user_id, s.expected from standing s join player p using (player_id)
        where s.expected <> s.held order by s.player_id limit $3)
     select (select count(*)::int from judged) as compared,
            (select count(*)::int from player p where p.brand_id = ${brand.brand_id} and p.erased_at is null and ${scope('p.player_id')}) as players,
            (select json_agg(found) from found) as found`,
    judged.values,
  );
  const [row] = rows;
  if (row !== undefined) {
    result.compared += row.compared;
    result.left_out += row.players - row.compared;
    const { code } = segment;
    result.differences.push(...(row.found ?? []).map((one) => ({ code, version: version.version, ...one })));
  }
  return range.through;
}
