import type { Rule } from '@croupier/rules';
import { transaction } from '../../src/database/index.ts';
import type { ConsumedEvent, DeriveConsumer } from '../../src/derive/consumer.ts';
import type { Cause } from '../../src/segments/membership/cause.ts';
import {
  type Content,
  DueSweeper,
  PlatformRules,
  publish,
  SegmentComputer,
  SegmentConsumer,
  SegmentLane,
  saveContent,
} from '../../src/segments/membership/index.ts';
import { insertSegment, readSegments } from '../../src/segments/membership/versions/store.ts';
import { setupStage } from '../derive/stage.ts';
import { testLog } from '../log.ts';

/** A ledger with derive and segments. Nothing happens except what the test calls, at the time of its clock. */
export async function setupSegments(
  options: {
    brand?: Record<string, unknown>;
    portionPlayers?: number;
    consumers?: readonly DeriveConsumer[];
    /** Events that create no news although they should. */
    dropsNewsOf?: (event: ConsumedEvent) => boolean;
  } = {},
) {
  const consumer = new SegmentConsumer({ wake: () => {}, triggerAge: () => 30 * 60_000_000 });
  const { dropsNewsOf } = options;
  const follower: DeriveConsumer = dropsNewsOf
    ? { onBatch: (tx, { applied }) => consumer.onBatch(tx, { applied: applied.filter((one) => !dropsNewsOf(one)) }) }
    : consumer;
  const stage = await setupStage({
    consumers: [...(options.consumers ?? []), follower],
    ...(options.brand && { brand: options.brand }),
  });
  const { pool, brand, brands, clock, leases } = stage;
  const rules = new PlatformRules({ pool });
  const { portionPlayers } = options;
  const deps = { pool, brands, rules, clock: clock.now, log: testLog };
  const sweeper = new DueSweeper(deps);
  const lane = new SegmentLane({ ...deps, leases, onMass: sweeper.want });
  const computer = new SegmentComputer({ ...deps, ...(portionPlayers !== undefined && { portionPlayers }) });
  const by = () => ({ at: clock.now(), actor: 'a test' });

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
    ...stage,
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
    async members(code: string): Promise<string[]> {
      const { rows } = await pool.query<{ user_id: string }>(
        `select p.user_id from segment_active a join segment_member m using (version_id) join player p using (player_id)
          where a.code = $1 and a.phase = 'in_force' and a.brand_id = $2 and not m.protected order by 1`,
        [code, brand.brand_id],
      );
      return rows.map(({ user_id }) => user_id);
    },
    async transitions(code: string) {
      const { rows } = await pool.query<{
        user_id: string;
        transition: string;
        cause: Cause;
        silent: boolean;
        version: number;
        at: number;
      }>(
        `select p.user_id, t.transition, t.cause, t.silent, t.version, t.at from segment_transition t join segment s using (segment_id)
           join player p on p.player_id = t.player_id where s.code = $1 and s.brand_id = $2 order by t.transition_id`,
        [code, brand.brand_id],
      );
      return rows;
    },
  };
}
