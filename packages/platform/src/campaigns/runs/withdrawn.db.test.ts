import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { testLog } from '../../../testing/log.ts';
import { timestamptzText } from '../../database/index.ts';
import { CampaignUpkeep } from '../index.ts';

/*
 * A withdrawn cause ends its run before the first effect, but not after it. If one round has several inputs for a run, all of
 * them are processed.
 */
const setup = await setupCampaigns();
const { pool, clock, publish, derive, follow, campaign, runs, reader } = setup;
const hour = 3_600_000_000;
await setup.siteTemplate('hello', 'Hello');
const rest: Campaign['steps'][number] = { id: 'rest', wait: { for: 'PT1H' } };
const hello: Campaign['steps'][number] = { id: 'hello', send: { channel: 'site', template: 'hello' } };
const after: Campaign['steps'][number] = { id: 'after', tag: 'after' };
const approved = (event: string): Campaign['entry'] => ({
  event,
  where: { combinator: 'and', rules: [{ field: 'status', operator: '=', value: 'Approved' }] },
});

const payment = (user_id: string, status: string, number = 1) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, status, payment_id: `${user_id} ${number}`, timestamp: timestamptzText(clock.now()) }),
});
const bet = (user_id: string, status: string) => ({
  kind: 'sports' as const,
  body: {
    user_id,
    status,
    activity_id: `${user_id} 1`,
    activity_id_reference: '',
    type: 'Bet',
    bet_type: 'Single',
    bets: [{ odds: 2 }],
    amount: 10,
    currency: 'EUR',
    exchange_rate: 1,
    origin: 'www.example.com',
    timestamp: timestamptzText(clock.now()),
  },
});
async function happened(...events: (ReturnType<typeof payment> | ReturnType<typeof bet>)[]): Promise<void> {
  await publish(...events);
  await derive();
  await follow();
}
async function outcomes(code: string): Promise<unknown[]> {
  return (await runs(code)).map(({ user_id, state, reason }) => [user_id, state, reason]);
}

test.each([
  ['payment', 'Rollback', payment],
  ['payment', 'Cancelled', payment],
  ['bet', 'Rollback', bet],
] as const)('a %s that ends as %s ends its run before the first effect', async (event, status, make) => {
  const code = `${event}_${status.toLowerCase()}`;
  await campaign({ code, name: code, entry: approved(event), steps: [rest, hello] });
  await reader(`${code}_rest`);
  await happened(make(`${code}_rest`, 'Approved'));
  await reader(`${code}_other`);
  await happened(make(`${code}_other`, 'Approved'));
  await happened(make(`${code}_rest`, status));
  expect(await outcomes(code)).toEqual([
    [`${code}_rest`, 'exited', 'cause_withdrawn'],
    [`${code}_other`, 'waiting', null],
  ]);
  clock.advance(hour);
  await follow();
  expect(await outcomes(code)).toEqual([
    [`${code}_rest`, 'exited', 'cause_withdrawn'],
    [`${code}_other`, 'done', null],
  ]);
});

test.each([
  ['message', 'late', [hello, rest, after]],
  ['tag', 'tagged', [after, rest, hello]],
] as const)('a withdrawn cause does not end its run after the first effect, a %s', async (_, code, steps) => {
  await campaign({ code, name: code, entry: approved('payment'), steps: [...steps] });
  await reader(code);
  await happened(payment(code, 'Approved'));
  await happened(payment(code, 'Rollback'));
  expect(await outcomes(code)).toEqual([[code, 'waiting', null]]);
  clock.advance(hour);
  await follow();
  expect(await outcomes(code)).toEqual([[code, 'done', null]]);
});

test('if a payment was rolled back before it is processed, its run ends without sending anything', async () => {
  await campaign({ code: 'both', name: 'both', entry: approved('payment'), steps: [rest, hello] });
  await reader('both');
  await happened(payment('both', 'Approved'), payment('both', 'Rollback'));
  expect(await outcomes('both')).toEqual([['both', 'exited', 'cause_withdrawn']]);
});

test('if a payment was rolled back before it is processed, also an effect that is the first step is not ordered', async () => {
  await campaign({ code: 'first', name: 'first', entry: approved('payment'), steps: [after, hello, rest] });
  await reader('first');
  await happened(payment('first', 'Approved'), payment('first', 'Rollback'));
  expect(await outcomes('first')).toEqual([['first', 'exited', 'cause_withdrawn']]);
});

test('a rollback that is derived before its payment ends the run of the payment before its first effect', async () => {
  await campaign({ code: 'early', name: 'early', entry: approved('payment'), steps: [after, hello] });
  for (const user of ['early_apart', 'early_together', 'early_again']) await reader(user);
  await happened(payment('early_apart', 'Rollback'));
  await happened(payment('early_apart', 'Approved'));
  await happened(payment('early_together', 'Rollback'), payment('early_together', 'Approved'));
  // The player tries again, and the payment succeeds.
  await happened(payment('early_again', 'Rejected'));
  clock.advance(1_000_000);
  await happened(payment('early_again', 'Approved'));
  expect(await outcomes('early')).toEqual([
    ['early_apart', 'exited', 'cause_withdrawn'],
    ['early_together', 'exited', 'cause_withdrawn'],
    ['early_again', 'done', null],
  ]);
});

test.each(['apart', 'together'] as const)(
  'after a deposit that was rolled back, the next one starts a run: %s',
  async (how) => {
    const code = `next_${how}`;
    await campaign({ code, name: code, entry: approved('payment'), steps: [rest, after] });
    await reader(code);
    const next = payment(code, 'Approved', 2);
    if (how === 'together') await happened(payment(code, 'Approved'), payment(code, 'Rollback'), next);
    else for (const one of [payment(code, 'Approved'), payment(code, 'Rollback'), next]) await happened(one);
    expect(await outcomes(code)).toEqual([
      [code, 'exited', 'cause_withdrawn'],
      [code, 'waiting', null],
    ]);
  },
);

test('withdrawals are kept for a day', async () => {
  const kept = async () => (await pool.query(`select from campaign_withdrawal where thing like '%kept%'`)).rowCount;
  const upkeep = new CampaignUpkeep({ pool, clock: clock.now, log: testLog });
  await reader('kept');
  await happened(payment('kept', 'Rollback'));
  clock.advance(24 * hour);
  await upkeep.runOnce();
  expect(await kept()).toBe(1);
  clock.advance(1);
  await upkeep.runOnce();
  expect(await kept()).toBe(0);
});

test('a run that starts with a rejected payment does not end because of the rejection', async () => {
  const entry: Campaign['entry'] = {
    event: 'payment',
    where: { combinator: 'and', rules: [{ field: 'status', operator: '=', value: 'Rejected' }] },
  };
  await campaign({ code: 'rescue', name: 'rescue', entry, steps: [rest, hello] });
  await reader('rescue');
  await happened(payment('rescue', 'Rejected'));
  await happened(payment('rescue', 'Cancelled'));
  expect(await outcomes('rescue')).toEqual([['rescue', 'waiting', null]]);
});

test('a run that is due continues in a round that also has news of the player', async () => {
  await campaign({ code: 'due', name: 'due', entry: approved('payment'), steps: [rest, after] });
  await reader('due');
  await happened(payment('due', 'Approved'));
  clock.advance(hour);
  await publish(payment('due', 'Requested'));
  await derive();
  await setup.lane.runOnce();
  expect(await outcomes('due')).toEqual([['due', 'done', null]]);
});

test('if the awaited event arrives in the round in which the wait is due, the wait after it keeps its whole time', async () => {
  const awaited: Campaign['steps'][number] = { id: 'awaited', wait: { event: 'payment', timeout: 'PT1H' } };
  const day: Campaign['steps'][number] = { id: 'day', wait: { for: 'P1D' } };
  await campaign({ code: 'two', name: 'two', entry: approved('payment'), steps: [awaited, day, after] });
  await reader('two');
  await happened(payment('two', 'Approved'));
  clock.advance(hour);
  await publish(payment('two', 'Requested'));
  await derive();
  await setup.lane.runOnce();
  expect(await outcomes('two')).toEqual([['two', 'waiting', null]]);
  clock.advance(24 * hour);
  await follow();
  expect(await outcomes('two')).toEqual([['two', 'done', null]]);
});
