import type { Campaign } from '@croupier/campaigns';
import type { EventKind } from '@croupier/contracts';
import { readDuration } from '@croupier/rules';
import { expect, test } from 'vitest';
import { testVault } from '../../testing/brand.ts';
import { setupCampaigns } from '../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../testing/derive/stage.ts';
import { testLog } from '../../testing/log.ts';
import { pause, readCampaigns, resume } from '../campaigns/index.ts';
import { timestamptzText, transaction } from '../database/index.ts';
import { runScenario } from './index.ts';
import { answerLookUps, setPlayer, usualConsents } from './player.ts';
import type { ScenarioStep } from './scenario.ts';
import type { TimelineEntry } from './timeline.ts';
import { TimelineReader } from './timeline-reader.ts';

/*
 * Each scenario runs twice: first in the runner, which rolls everything back, and then in the stages as the platform runs
 * them, with the ledger and the leases of PostgreSQL, committed transactions, and a lane that owns its buckets.
 */
const live = await setupCampaigns();
const { pool, brand, clock, publish, derive, follow } = live;
const template = {
  code: 'hello',
  name: 'hello',
  channel: 'site',
  purpose: 'marketing',
  content: { en: { title: 'Hello', message: 'Hello' } },
} as const;
await live.siteTemplate('hello', 'Hello');

const hello = { id: 'hello', send: { channel: 'site' as const, template: 'hello' } };
const pay = (payment_id: string, more = {}): ScenarioStep => ({ event: 'payment', body: bodyOf(payment_id, more) });
function bodyOf(payment_id: string, more: object): Record<string, unknown> {
  const { timestamp: _now, ...body } = paymentBody({ user_id: 'x', payment_id, ...more });
  return body;
}
const betInAnHour = { event: 'bet', within: 'PT1H' };
const bet: ScenarioStep = {
  event: 'sports',
  body: {
    activity_id: 'b1',
    origin: 'www.example.com',
    type: 'Bet',
    bet_type: 'Single',
    bets: [{ sports_name: 'Football', odds: 2, is_live: true }],
    amount: 5,
    currency: 'EUR',
    exchange_rate: 1,
  },
};
const wait = { id: 'w', wait: { for: 'PT1H' } };
const depositedTwice = {
  combinator: 'and' as const,
  rules: [{ field: 'trait.deposit_count' as const, operator: '>=' as const, value: 2 }],
};
const approved = {
  combinator: 'and' as const,
  rules: [{ field: 'status' as const, operator: '=' as const, value: 'Approved' }],
};

const cases: [name: string, parts: Partial<Campaign> & Pick<Campaign, 'steps'>, steps: ScenarioStep[]][] = [
  ['a message', { steps: [hello] }, [pay('p1')]],
  ['a wait', { steps: [wait, hello] }, [pay('p1'), { after: 'PT2H' }]],
  [
    'a wait for an event',
    { steps: [{ id: 'w', wait: { event: 'payment', timeout: 'P1D' } }, hello] },
    [pay('p1'), { after: 'PT1M' }, pay('p2')],
  ],
  [
    'a timeout',
    { steps: [{ id: 'w', wait: { event: 'login', timeout: 'PT1H' } }, hello] },
    [pay('p1'), { after: 'PT1H' }],
  ],
  [
    'a wait for a rule',
    { steps: [{ id: 'w', wait: { rule: depositedTwice, timeout: 'P1D' } }, hello] },
    [pay('p1'), pay('p2')],
  ],
  [
    'a branch',
    {
      steps: [
        { id: 'b', branch: [{ when: depositedTwice, steps: [hello] }, { otherwise: [{ id: 't', tag: 'new' }] }] },
      ],
    },
    [pay('p1')],
  ],
  ['a bonus', { steps: [{ id: 'g', credit: { bonus_code: 'B1' } }] }, [pay('p1')]],
  [
    'a rollback',
    { entry: { event: 'payment', where: approved }, steps: [wait, hello] },
    [pay('p1'), pay('p1', { status: 'Rollback' }), { after: 'PT2H' }],
  ],
  [
    'an exclusion',
    { steps: [hello, wait, { ...hello, id: 'again' }] },
    [pay('p1'), { player: { excluded: true } }, { after: 'PT2H' }],
  ],
  ['no consent', { steps: [hello] }, [{ player: { consents: { SiteNotification: false } } }, pay('p1')]],
  [
    'a goal',
    { goal: { event: 'payment' }, entry: { event: 'payment', where: approved }, steps: [wait, hello] },
    [pay('p1'), { after: 'PT1M' }, pay('p2'), { after: 'PT2H' }],
  ],
  ['a goal after the end', { goal: betInAnHour, steps: [hello] }, [pay('p1'), { after: 'PT30M' }, bet]],
  [
    'a goal in a control arm',
    { goal: betInAnHour, steps: [{ id: 's', split: [{ name: 'none', share: 100, control: true }] }] },
    [pay('p1'), { after: 'PT30M' }, bet],
  ],
  ['a goal at the end of its window', { goal: betInAnHour, steps: [hello] }, [pay('p1'), { after: 'PT1H' }, bet]],
  ['a goal after its window', { goal: betInAnHour, steps: [hello] }, [pay('p1'), { after: 'PT1H1S' }, bet]],
  ['a goal after an exit', { goal: betInAnHour, steps: [{ id: 'e', exit: {} }] }, [pay('p1'), { after: 'PT1M' }, bet]],
  [
    'a goal after an exclusion',
    { goal: betInAnHour, steps: [hello] },
    [pay('p1'), { after: 'PT1M' }, { player: { excluded: true } }, bet],
  ],
  [
    'a second entry while the first run watches for its goal',
    { goal: betInAnHour, reentry: { times: 'unlimited' }, steps: [hello] },
    [pay('p1'), { after: 'PT10M' }, pay('p2'), { after: 'PT55M' }, bet],
  ],
  [
    'tags that a pause holds',
    { steps: [wait, { id: 't', tag: 'vip' }, { id: 'u', untag: 'vip' }, hello] },
    [pay('p1'), { pause: 'it' }, { after: 'PT2H' }, { resume: 'it' }],
  ],
];

test.each(cases)('%s', async (name, parts, given) => {
  const code = `both_${cases.findIndex(([one]) => one === name)}`;
  const steps = given.map((step) => ('pause' in step ? { pause: code } : 'resume' in step ? { resume: code } : step));
  const campaign: Campaign = { code, name, entry: { event: 'payment' }, ...parts };
  const at = timestamptzText(clock.now()).replace(' ', 'T');
  const { lines, failures } = await runScenario(
    { pool, vault: testVault, log: testLog },
    { name, at, campaigns: [campaign], templates: [template as never], steps },
  );
  expect(failures).toEqual([]);
  const inRunner = lines.flatMap((line) => (line.kind === 'came' ? [line.entry] : []));
  expect(inRunner.length).toBeGreaterThan(1);
  await live.campaign(campaign);
  expect(await inPlatform(code, steps)).toEqual(inRunner);
  await transaction(pool, (tx) => tx.query('delete from campaign_active'));
});

async function inPlatform(userId: string, steps: readonly ScenarioStep[]): Promise<TimelineEntry[]> {
  const playerId = await live.reader(userId);
  await setPlayer(pool, brand, playerId, { consents: usualConsents }, clock.now());
  const reader = new TimelineReader({ pool, playerId });
  const came: TimelineEntry[] = [];
  const look = async () => {
    await answerLookUps(pool, brand, playerId, clock.now());
    await derive();
    await follow();
    came.push(...(await reader.next(clock.now(), brand.brand_id)));
  };
  for (const step of steps) {
    if ('event' in step) {
      const body = { ...step.body, user_id: userId, timestamp: timestamptzText(clock.now()) };
      await publish({ kind: step.event as EventKind, body });
    } else if ('player' in step) await setPlayer(pool, brand, playerId, step.player, clock.now());
    else if ('pause' in step || 'resume' in step)
      await transaction(pool, async (tx) => {
        const [campaign] = await readCampaigns(tx, brand.brand_id, { code: userId, lock: true });
        if (campaign === undefined) throw new Error('the campaign does not exist');
        if ('pause' in step) await pause(tx, campaign);
        else await resume(tx, campaign, { at: clock.now(), actor: 'a test' });
      });
    else if ('after' in step) {
      const end = clock.now() + (readDuration(step.after) ?? 0);
      for (; clock.now() < end; clock.set(Math.min(end, clock.now() + 30 * 60_000_000))) await look();
    }
    await look();
  }
  return came;
}
