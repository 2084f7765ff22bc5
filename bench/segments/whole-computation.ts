import type { Rule } from '@croupier/rules';
import type { Pool } from 'pg';
import { pino } from 'pino';
import type { Brand, BrandRegistry } from '../../packages/platform/src/brands/index.ts';
import { transaction } from '../../packages/platform/src/database/index.ts';
import {
  insertSegment,
  PlatformRules,
  publish,
  readSegments,
  SegmentComputer,
  saveContent,
} from '../../packages/platform/src/segments/membership/index.ts';
import { report } from '../figure.ts';

interface WholeComputation {
  pool: Pool;
  brands: BrandRegistry;
  brand: Brand;
  name: string;
  rule: Rule;
  /** `select count(*) as members from ...`: the same members with hand-written SQL. */
  byHand: string;
}

let segments = 0;

/**
 * Computes a new segment as the platform does, without the pauses between two portions, and inserts the members that hand-written SQL
 * selects into a table with the same keys. Reports both times; the platform's also includes the time at which members leave automatically.
 */
export async function computeWhole({ pool, brands, brand, name, rule, byHand }: WholeComputation): Promise<void> {
  const rules = new PlatformRules({ pool });
  const clock = () => Date.now() * 1000;
  const code = `whole_${++segments}`;
  const actor = { actor: 'bench', at: clock() };
  await transaction(pool, async (tx) => {
    await insertSegment(tx, { brand_id: brand.brand_id, code, name: code }, actor);
    const [segment] = await readSegments(tx, brand.brand_id, { code });
    if (segment === undefined) throw new Error('the segment was not created');
    await saveContent(tx, { brand, rules, segment, content: { rule }, include_protected: false }, actor);
    await publish(tx, rules, segment, actor);
  });
  const computer = new SegmentComputer({ pool, brands, rules, clock, log: pino({ level: 'warn' }) });
  const value = await timed(() => computer.runOnce());
  await pool.query(
    `drop table if exists bench_member; create table bench_member (like segment_member including indexes)`,
  );
  const inserted = byHand.replace('count(*) as members', 'player_id, 1, false, now()');
  const reference = await timed(() =>
    transaction(pool, (tx) =>
      tx.query(
        `set local max_parallel_workers_per_gather = 0; insert into bench_member (player_id, version_id, protected, since) ${inserted}`,
      ),
    ),
  );
  report({
    bench: 'segments-preview',
    figure: `membership written: ${name}`,
    value,
    unit: 'ms',
    reference: { name: 'one INSERT of a hand-written SELECT', value: reference },
  });
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await action();
  return performance.now() - began;
}
