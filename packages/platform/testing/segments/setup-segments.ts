import type { ConsumedEvent, DeriveConsumer } from '../../src/derive/consumer.ts';
import type { Cause } from '../../src/segments/membership/cause.ts';
import { SegmentConsumer } from '../../src/segments/membership/index.ts';
import { setupStage } from '../derive/stage.ts';
import { segmentsOn } from './segments-on.ts';

/** A ledger with derive and segments. Nothing runs in the background: the test calls each step, and sets the clock. */
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
  const segments = segmentsOn({
    pool,
    brand,
    brands,
    leases,
    clock: clock.now,
    portionPlayers: options.portionPlayers,
  });

  return {
    ...stage,
    ...segments,
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
