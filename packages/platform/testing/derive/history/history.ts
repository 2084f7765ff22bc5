import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../../src/database/index.ts';
import type { DeriveConsumer } from '../../../src/derive/consumer.ts';
import type { OnRemoved } from '../../../src/derive/history/prune.ts';
import { day } from '../../../src/derive/history/too-old.ts';
import { type HistoryRound, HistoryUpkeep } from '../../../src/derive/history/upkeep.ts';
import { rebuild } from '../../../src/derive/rebuild/index.ts';
import { DeriveUpkeep } from '../../../src/derive/upkeep.ts';
import { LedgerUpkeep } from '../../../src/ledger/postgres.ts';
import { noon, testClock } from '../../clock.ts';
import { testLog } from '../../log.ts';
import { type Publication, paymentBody, setupStage } from '../stage.ts';

const at = (micros: Micros) => timestamptzText(micros);

/** A ledger with a clock that the test holds, so that days become old; it keeps two days of history. */
export async function setupHistory(
  historyDays = 2,
  { consumers = [], onRemoved = async () => {} }: { consumers?: readonly DeriveConsumer[]; onRemoved?: OnRemoved } = {},
) {
  const poisoned = new Set<string>();
  const stage = await setupStage({
    brand: { history_days: historyDays },
    clock: testClock(noon),
    consumers: [
      ...consumers,
      {
        async onBatch(tx, { applied }) {
          if (applied.some(({ user_id }) => poisoned.has(user_id))) await tx.query('select 1 / 0');
        },
      },
    ],
  });
  const { pool, ledger, history, brands, clock } = stage;
  const chores = [
    new LedgerUpkeep({ pool, now: clock.now, log: testLog }),
    new DeriveUpkeep({ pool, clock: clock.now, log: testLog }),
  ];
  const options = { pool, ledger, history, brands, clock: clock.now, log: testLog, onRemoved };
  const upkeep = new HistoryUpkeep({ ...options, paced: false });
  return {
    ...stage,
    upkeep,
    poisoned,
    options,
    /** Publishes and derives. */
    async tell(...events: Publication[]): Promise<void> {
      if (events.length > 0) await stage.publish(...events);
      await stage.derive();
      // A worker stores its cursors every five seconds. Only stored cursors show that a day is derived.
      await stage.leases.storeIdleCursors([...stage.leases.owned().keys()]);
    },
    /** Moves the clock to noon of a later day, and runs the nightly chores. */
    async nextDay(days = 1): Promise<HistoryRound> {
      clock.advance(days * day);
      for (const chore of chores) await chore.runOnce();
      return upkeep.runOnce();
    },
    async keptDays(): Promise<string[]> {
      return (await history.days()).filter(({ state }) => state !== 'open').map((retained) => retained.day);
    },
    /** The differences that a rebuild of everything finds. */
    async differences() {
      const { differences, failures, rollup_differences } = await rebuild({ ...options, scope: { of: 'everything' } });
      return { differences, failures, rollup_differences };
    },
  };
}

/** No difference at all. */
export const none = { differences: [], failures: [], rollup_differences: [] };

export const deposit = (user_id: string, payment_id: string, moment: Micros, fields: Record<string, unknown> = {}) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: at(moment), ...fields }),
});

export const casino = (user_id: string, round_id: string, moment: Micros, fields: Record<string, unknown> = {}) => ({
  kind: 'casino' as const,
  body: {
    user_id,
    round_id,
    activity_id: `${round_id}-bet`,
    type: 'Bet',
    status: 'Approved',
    amount: 1,
    currency: 'EUR',
    exchange_rate: 1,
    game_id: 'g1',
    vendor_id: 'v1',
    origin: 'www.example.com',
    is_round_end: false,
    timestamp: at(moment),
    ...fields,
  },
});

export const custom = (user_id: string, moment: Micros) => ({
  kind: 'custom' as const,
  body: { user_id, notification_type: 'vip', origin: 'www.example.com', timestamp: at(moment), data: { level: 3 } },
});
