import type { Campaign } from '@croupier/campaigns';
import { beforeEach, expect, test, vi } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { fewestWritesOf } from '../../../testing/writes-of.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { enterPlayer, pause, readCampaigns, resume, stop } from '../index.ts';

/* A lane that finds nothing stops making whole rounds. It must still find whatever becomes work. */
const setup = await setupCampaigns();
const { pool, brand, clock, lane, leases, runs } = setup;
const hour = 3_600_000_000;
type Step = Campaign['steps'][number];
const rest: Step = { id: 'rest', wait: { for: 'PT1H' } };
const tag = (name: string): Step => ({ id: name, tag: name });
const player = await setup.reader('ann');

const change = (code: string, work: typeof resume) =>
  transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code });
    if (own !== undefined) await work(tx, own, setup.by());
  });

let number = 0;
let waiting: Campaign;
/** Each test has a campaign in which a player waits for an hour, and a lane that has found nothing for some rounds. */
beforeEach(async () => {
  const code = `waiting_${number++}`;
  waiting = { code, name: code, entry: { api: true }, steps: [rest, tag('late')] };
  await setup.campaign(waiting);
  await enter();
  await setup.follow();
  await becomeIdle();
});

async function becomeIdle(): Promise<void> {
  for (let i = 0; i < 3; i++) await lane.runOnce();
  expect(await fewestWritesOf(() => lane.runOnce())).toBe(1);
}

async function enter(): Promise<void> {
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code: waiting.code });
    if (own === undefined) throw new Error('the campaign does not exist');
    await enterPlayer(tx, own, { player_id: player, key: `${number}`, data: {}, at: clock.now() });
  });
}

const recordsOf = async (code: string) =>
  (await runs(code)).flatMap(({ state, records }) => [...records.map((one) => `${one.step} ${one.state}`), state]);

test('an idle lane processes a new event', async () => {
  await setup.campaign({ code: 'payers', name: 'Payers', entry: { event: 'payment' }, steps: [tag('paid')] });
  await becomeIdle();
  const timestamp = timestamptzText(clock.now());
  await setup.publish({ kind: 'payment', body: paymentBody({ user_id: 'ann', payment_id: 'first', timestamp }) });
  await setup.derive();
  while ((await setup.segments.runOnce()).news > 0);
  expect(await lane.runOnce()).toMatchObject({ entered: 1 });
  expect(await recordsOf('payers')).toEqual(['paid done', 'done']);
});

test('an idle lane processes an entry by the API', async () => {
  const code = 'another';
  waiting = { code, name: code, entry: { api: true }, steps: [tag('entered')] };
  await setup.campaign(waiting);
  await becomeIdle();
  await enter();
  await lane.runOnce();
  expect(await recordsOf(code)).toEqual(['entered done', 'done']);
});

test('an idle lane continues a run whose wait is over', async () => {
  clock.advance(hour);
  await lane.runOnce();
  expect(await recordsOf(waiting.code)).toEqual(['rest waiting', 'rest done', 'late done', 'done']);
});

test('an idle lane begins runs that a schedule created', async () => {
  const at = timestamptzText(clock.now() + hour).slice(0, 16);
  const entry = { schedule: { at, zone: 'brand' as const }, to: 'everybody' };
  await setup.segment('everybody', {
    combinator: 'and',
    rules: [{ field: 'trait.deposit_count', operator: '>=', value: 0 }],
  });
  await setup.campaign({ code: 'scheduled', name: 'Scheduled', entry, steps: [tag('told')] });
  clock.advance(hour);
  await setup.follow();
  await becomeIdle();
  expect(await recordsOf('scheduled')).toEqual(['told done', 'done']);
});

test('an idle lane continues a held run when a pause ends', async () => {
  await change(waiting.code, pause);
  clock.advance(hour);
  await setup.follow();
  await becomeIdle();
  expect(await recordsOf(waiting.code)).toEqual(['rest waiting', 'rest done', 'late held', 'held']);
  await change(waiting.code, resume);
  await lane.runOnce();
  expect((await recordsOf(waiting.code)).at(-1)).toBe('done');
});

test('an idle lane ends the runs of a stopped campaign', async () => {
  await change(waiting.code, stop);
  await lane.runOnce();
  expect((await recordsOf(waiting.code)).at(-1)).toBe('exited');
});

test('an idle lane moves runs to a new version', async () => {
  await setup.republish({ ...waiting, steps: [...waiting.steps, tag('more')] }, { movesRuns: true });
  await lane.runOnce();
  expect(await recordsOf(waiting.code)).toEqual(['rest waiting', 'rest moved', 'waiting']);
});

test('an idle lane finds work in a bucket that its worker gets later', async () => {
  const owned = vi.spyOn(leases, 'owned').mockReturnValue(new Map());
  await setup.republish({ ...waiting, steps: [...waiting.steps, tag('more')] }, { movesRuns: true });
  await becomeIdle();
  expect(await recordsOf(waiting.code)).toEqual(['rest waiting', 'waiting']);
  owned.mockRestore();
  await lane.runOnce();
  expect(await recordsOf(waiting.code)).toEqual(['rest waiting', 'rest moved', 'waiting']);
});
