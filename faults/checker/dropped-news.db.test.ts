import { createSimulation, type Quirks } from '@croupier/sandbox';
import { expect, test } from 'vitest';
import { verifySegments } from '../../packages/platform/src/segments/membership/index.ts';
import type { Publication } from '../../packages/platform/testing/derive/stage.ts';
import { setupSegments } from '../../packages/platform/testing/segments/setup-segments.ts';
import { segmentRules } from '../load/segment-life.ts';

/*
 * The segments of the fault runs detect lost news. If the news of one kind of event is dropped, the comparison that checks P16
 * finds differences, even an hour after the last event. If no news is dropped, it finds none.
 */
const hour = 3_600_000_000;
const batchSize = 50;
const known = 800;
let dropped: string | undefined;
const stage = await setupSegments({ dropsNewsOf: ({ event }) => event.kind === dropped });
const { pool, brand, brands, rules, clock, publish, derive, follow, segment } = stage;

/**
 * Kinds of events that some rule reads and the simulation publishes. Registrations are missing because every rule reads new
 * players anyway.
 */
const kinds = [
  'login',
  'logout',
  'payment',
  'casino',
  'gameround',
  'sports',
  'lottery',
  'lottery_purchase',
  'bonus',
  'cart',
  'balances',
  'custom',
];

/**
 * Both kinds of events describe rounds, so news of one kind makes up for lost news of the other. So in this test, only one kind
 * describes some of the rounds.
 */
const rounds: Record<string, Partial<Quirks>> = { casino: { raw_only: 0.6 }, gameround: { gameround_only: 0.6 } };

async function tell(events: readonly Publication[]): Promise<void> {
  await publish(...events);
  await derive();
  await follow();
}

async function play(kind: string | undefined): Promise<number> {
  dropped = undefined;
  const prefix = `${kind ?? 'none'}-`;
  const simulation = createSimulation({
    seed: prefix,
    players: 24,
    visitsPerDay: 24,
    idPrefix: prefix,
    brand: { brand_id: brand.brand_id },
    start: clock.now() - 6 * hour,
    quirks: { late: 0, unregistered: 0, ...rounds[kind ?? ''] },
  });
  const messages = [...simulation.take(2_400)].filter(({ label, at }) => label !== 'invalid' && at <= clock.now());
  const told = messages.map(({ kind, body, at }) => ({ kind, body: JSON.parse(body), received_at: at }));
  // Every rule reads the events that create players, so only later news is dropped. The batches are small, because news of another
  // kind in the same batch would make up for the lost news.
  await tell(told.slice(0, known));
  dropped = kind;
  for (let from = known; from < told.length; from += batchSize) await tell(told.slice(from, from + batchSize));
  clock.advance(hour);
  await follow();
  const { differences } = await verifySegments({ pool, brands, rules }, clock.now());
  return differences.filter((one) => JSON.stringify(one).includes(prefix)).length;
}

test('the segments are created', async () => {
  for (const [code, rule] of Object.entries(segmentRules)) await segment(code, rule as never);
});

test('without lost news, there are no differences', async () => {
  expect(await play(undefined)).toBe(0);
});

test.each(kinds)('lost news of the kind %s is found', async (kind) => {
  expect(await play(kind)).toBeGreaterThan(0);
});
