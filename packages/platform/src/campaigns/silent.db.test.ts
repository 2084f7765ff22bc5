import type { Campaign } from '@croupier/campaigns';
import type { Rule } from '@croupier/rules';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../testing/derive/stage.ts';
import { testLog } from '../../testing/log.ts';
import { timestamptzText } from '../database/index.ts';
import { rebuild } from '../derive/index.ts';
import { noteReplacedOrRemoved } from '../segments/membership/index.ts';

/*
 * Three things must start no run while campaigns for an event and for both transitions of a segment are live. They are an
 * import of old events, a replay of events that were already derived, and a rebuild that replaces the state.
 *
 * SILENT_PLAYERS sets the number of imported players; default 400. With a million, see bench/README.md.
 */
const players = Number(process.env.SILENT_PLAYERS ?? 400);
const timeout = 60_000 + 10 * players;
/** Events published before the stages follow. With a million players, each stage has a backlog, as during a real import. */
const portionEvents = Math.max(2_500, players / 50);
const setup = await setupCampaigns();
const { publish, derive, follow, pool, clock, ledger, history, brands } = setup;
const now = clock.now();
const day = 86_400_000_000;
const userOf = (player: number) => `player ${player}`;
/** The first players, who have current events, which start runs. Their runs wait for a login, or watch for one as their goal. */
const current = 200;
const atLeast = (count: number): Rule => ({
  combinator: 'and',
  rules: [{ field: 'trait.deposit_count', operator: '>=', value: count }],
});
const deposit = (user_id: string, payment_id: string, ago = 0) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: timestamptzText(now - ago) }),
});
const login = (user_id: string, ago: number) => ({
  kind: 'login' as const,
  body: { user_id, origin: 'www.example.com', timestamp: timestamptzText(now - ago) },
});
const campaign = (code: string, entry: Campaign['entry'], parts: Partial<Campaign> = {}) =>
  setup.campaign({
    code,
    name: code,
    entry,
    reentry: { times: 'unlimited', while_running: true },
    steps: [{ id: 'mark', tag: code }],
    ...parts,
  });
await setup.segment('depositors', atLeast(1));
await setup.segment('twice', atLeast(2));
await campaign('paid', { event: 'payment' }, { goal: { event: 'login' } });
await campaign('waits', { event: 'payment' }, { steps: [{ id: 'answer', wait: { event: 'login', timeout: 'P30D' } }] });
await campaign('entered', { segment: 'depositors', on: 'entered' });
await campaign('entered_twice', { segment: 'twice', on: 'entered' });
await campaign('left', { segment: 'twice', on: 'left' });

const currentEvents = Array.from({ length: current }, (_, player) => deposit(userOf(player), `${player} now`));
const hasTwo = (player: number) => player < current || player % 10 === 0;
const withTwo = Array.from({ length: players }, (_, player) => player).filter(hasTwo).length;
/** Each player has an event from 40 days ago. Every tenth player also has one from yesterday. */
function* oldEvents() {
  for (let player = 0; player < players; player++) {
    yield deposit(userOf(player), `${player} 40`, 40 * day);
    if (player < current) yield login(userOf(player), 30 * day);
    if (player % 10 === 0) yield deposit(userOf(player), `${player} 1`, day);
  }
}

type PlayedEvent = ReturnType<typeof deposit> | ReturnType<typeof login>;
/** The runs that a login would move. */
const open = { waiting: current, watching: current };

/** Publishes events and lets every stage follow, in portions as they would arrive. */
async function play(events: Iterable<PlayedEvent>): Promise<void> {
  let portion: PlayedEvent[] = [];
  const end = async () => {
    await publish(...portion);
    await derive();
    await follow();
    portion = [];
  };
  for (const event of events) if (portion.push(event) >= portionEvents) await end();
  await end();
}

async function counts() {
  const { rows } = await pool.query(
    `select (select count(*)::int from campaign_run) as runs,
            (select count(*)::int from campaign_run where state = 'waiting') as waiting,
            (select count(*)::int from campaign_run where goal_until is not null) as watching, (select count(*)::int from campaign_news) as news,
            (select count(*)::int from segment_transition) as transitions,
            (select count(*)::int from segment_member) as members`,
  );
  return rows[0];
}

test('current events start a run for each campaign, which shows that the other tests would notice a run', async () => {
  await play(currentEvents);
  expect(await counts()).toMatchObject({ runs: 3 * current, ...open, news: 0, members: current });
});

test('an import of old events starts no run and moves none, neither for known players nor for those whom it creates', {
  timeout,
}, async () => {
  const before = await counts();
  await play(oldEvents());
  expect(await counts()).toMatchObject({ runs: before.runs, ...open, news: 0, members: players + withTwo });
});

test('a replay of events that were already derived starts no run', { timeout }, async () => {
  const before = await counts();
  await play(currentEvents);
  await play(oldEvents());
  expect(await counts()).toEqual(before);
});

test('a rebuild that replaces the state starts no run', { timeout }, async () => {
  const before = await counts();
  const { rows } = await pool.query<{ version_id: number }>(
    `select version_id from segment_active where code in ('depositors', 'twice')`,
  );
  await pool.query('delete from segment_member where version_id = any($1::int[])', [
    rows.map(({ version_id }) => version_id),
  ]);
  await pool.query('update live.payment_total set deposit_count = 0');
  const { swapped, failures } = await rebuild({
    pool,
    ledger,
    history,
    brands,
    log: testLog,
    clock: clock.now,
    scope: { of: 'everything' },
    swap: true,
    onExchanged: noteReplacedOrRemoved,
  });
  expect({ swapped, failures }).toEqual({ swapped: players, failures: [] });
  await follow();
  const after = await counts();
  expect(after).toMatchObject({ runs: before.runs, ...open, news: 0, members: before.members });
  expect(after.transitions).toBeGreaterThan(before.transitions);
});
