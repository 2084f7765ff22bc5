import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import { timestamptzText, transaction } from '../../../database/index.ts';
import { readActive } from '../active/store.ts';
import type { RuleReading } from '../rule-reading.ts';
import { readVersionById } from '../versions/store.ts';
import { judge } from './judge.ts';
import { type Players, scopeOf } from './players.ts';
import { withoutNews } from './settle.ts';

/** A player whose membership is not what a computation gives. */
export interface FoundDifference {
  code: string;
  version: number;
  player_id: number;
  user_id: string;
  /** What the computation says. */
  expected: 'member' | 'protected' | 'none';
}

const everybody: Players = { after: 0, through: Number.MAX_SAFE_INTEGER };
/** The most differences that are named for one version. */
const namedPerVersion = 1_000;

/**
 * Computes every version in force for all players and compares; changes nothing. Players about whom there is news, or something due, are left
 * out: they are about to be looked at.
 */
export async function verifySegments(
  deps: { pool: Pool; brands: { byId(brandId: number): Brand | undefined }; rules: RuleReading },
  at: Micros,
  only: (code: string, brandId: number) => boolean = () => true,
): Promise<{ versions: number; differences: FoundDifference[] }> {
  const { pool, brands, rules } = deps;
  const result: { versions: number; differences: FoundDifference[] } = { versions: 0, differences: [] };
  for (const { version_id, phase } of await readActive(pool)) {
    if (phase !== 'in_force') continue;
    const { version, segment } = await readVersionById(pool, version_id);
    const brand = brands.byId(segment.brand_id);
    if (brand === undefined || !only(segment.code, segment.brand_id)) continue;
    const reading = await rules.of(brand);
    const { scope, values } = scopeOf(everybody, [version_id, timestamptzText(at), namedPerVersion]);
    const judged = judge(version, { brand, rules: reading, at, scope, values, where: withoutNews });
    const found = await transaction(pool, async (tx) => {
      await tx.query('set local search_path = live, public');
      const { rows } = await tx.query<Omit<FoundDifference, 'code' | 'version'>>(
        `with judged as materialized (${judged.text}),
         standing as (
           select j.player_id, case when j.holds and j.protected then 'protected' when j.holds then 'member' else 'none' end as expected,
                  case when m.protected then 'protected' when m.player_id is not null then 'member' else 'none' end as held
             from judged j left join segment_member m on m.player_id = j.player_id and m.version_id = $1)
         select s.player_id, p.user_id, s.expected from standing s join player p using (player_id)
          where s.expected <> s.held order by s.player_id limit $3`,
        judged.values,
      );
      return rows;
    });
    result.versions++;
    result.differences.push(...found.map((row) => ({ code: segment.code, version: version.version, ...row })));
  }
  return result;
}
