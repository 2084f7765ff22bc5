import type { Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand, BrandRegistry } from '../../src/brands/index.ts';
import type { BucketLeases } from '../../src/buckets/index.ts';
import type { Clock } from '../../src/clock.ts';
import { transaction } from '../../src/database/index.ts';
import {
  type Content,
  DueSweeper,
  PlatformRules,
  publish,
  SegmentComputer,
  SegmentLane,
  saveContent,
} from '../../src/segments/membership/index.ts';
import { insertSegment, readSegments } from '../../src/segments/membership/versions/store.ts';
import { testLog } from '../log.ts';

/** The stage `segments` behind a derive that feeds a `SegmentConsumer`. Nothing runs in the background: the test calls each step. */
export function segmentsOn(of: {
  pool: Pool;
  brands: BrandRegistry;
  brand: Brand;
  leases: BucketLeases;
  clock: Clock;
  portionPlayers?: number | undefined;
}) {
  const { pool, brands, brand, leases, clock, portionPlayers } = of;
  const rules = new PlatformRules({ pool });
  const deps = { pool, brands, rules, clock, log: testLog };
  const sweeper = new DueSweeper(deps);
  const lane = new SegmentLane({ ...deps, leases, onMass: sweeper.want });
  const computer = new SegmentComputer({ ...deps, ...(portionPlayers !== undefined && { portionPlayers }) });
  const by = () => ({ at: clock(), actor: 'a test' });

  async function draft(code: string, content: Content, { include_protected = false } = {}) {
    const { brand_id } = brand;
    rules.forget();
    return transaction(pool, async (tx) => {
      await insertSegment(tx, { brand_id, code, name: code }, by());
      const [segment] = await readSegments(tx, brand_id, { code });
      if (segment === undefined) throw new Error('the segment was not made');
      await saveContent(tx, { brand, rules, segment, content, include_protected }, by());
      return segment;
    });
  }

  /** Processes everything that is due at this time. */
  async function follow() {
    for (;;) {
      const { news, players, transitions, more, mass } = await lane.runOnce();
      const { swept } = mass.length > 0 ? await sweeper.runOnce() : { swept: 0 };
      if (news + players + transitions + swept === 0 && !more) return;
    }
  }

  return {
    rules,
    lane,
    computer,
    sweeper,
    draft,
    follow,
    /** Drafts, publishes and computes a segment. */
    async segment(code: string, rule: Rule, more: { include_protected?: boolean } = {}) {
      const segment = await draft(code, { rule }, more);
      await transaction(pool, (tx) => publish(tx, rules, segment, by()));
      await computer.runOnce();
      await follow();
      return segment;
    },
  };
}
