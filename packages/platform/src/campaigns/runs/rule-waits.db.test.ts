import type { Campaign } from '@croupier/campaigns';
import type { Rule, RuleNode } from '@croupier/rules';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { factMakers, makeMessage, makeOffer } from '../../../testing/segments/make-facts.ts';
import { applyIntentEvent } from '../../actions/index.ts';
import { recordActivities } from '../../channels/notifications/activity.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { insertRecordChanges } from '../../operator/protection/index.ts';
import { factReadings } from '../../segments/fields/facts/facts.ts';
import { tagPlayers } from '../../segments/membership/index.ts';
import { enterPlayer, readCampaigns } from '../index.ts';

/*
 * A wait for a rule ends when news makes the rule true, for every kind of news. It also ends at the time when the clock
 * alone makes the rule true.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, runs, follow, campaign } = setup;
const hour = 3_600_000_000;
const makers = factMakers(setup as never);
const facts = [...factReadings('EUR').keys()];
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const once = (field: `did.${string}`): RuleNode => ({ field, match: { mode: 'atLeast', threshold: 1 } });

/** Enters a player into a campaign that waits for the rule. The code of the campaign is also the `user_id`. */
async function waits(code: string, until: Rule): Promise<void> {
  const document: Campaign = {
    code,
    name: code,
    entry: { api: true },
    steps: [{ id: 'rest', wait: { rule: until, timeout: 'P30D' } }],
  };
  await campaign(document);
  const player_id = await setup.reader(code);
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code });
    if (own === undefined) throw new Error(`the campaign ${code} does not exist`);
    await enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  await follow();
  expect(await stateOf(code)).toEqual(['waiting']);
}
const stateOf = async (code: string) => (await runs(code)).map(({ state }) => state);

test.each(facts)('a fact of the kind %s ends the wait for it', async (kind) => {
  const code = `wait_${kind}`;
  await waits(code, rule(once(`did.${kind}`)));
  await makers[kind]?.(code);
  await follow();
  expect(await stateOf(code)).toEqual(['done']);
});

test("a player's action on a message ends a wait for it", async () => {
  await waits('wait_shown', rule({ field: 'trait.message_shown_count', operator: '>=', value: 1 }));
  const player_id = await setup.playerId('wait_shown');
  const message_id = await makeMessage(setup as never, 'wait_shown');
  await follow();
  expect(await stateOf('wait_shown')).toEqual(['waiting']);
  await transaction(pool, (tx) => recordActivities(tx, player_id, [{ message_id, activity: 'shown' }], clock.now()));
  await follow();
  expect(await stateOf('wait_shown')).toEqual(['done']);
});

test('a wait for an offer, or for the end of an offer, ends when that happens', async () => {
  await waits('wait_offer', rule({ field: 'trait.bonus_next_expiry_at', operator: 'notNull' }));
  const intent_id = await makeOffer(setup as never, 'wait_offer');
  await follow();
  expect(await stateOf('wait_offer')).toEqual(['done']);
  await campaign({
    code: 'wait_claim',
    name: 'wait_claim',
    entry: { api: true },
    steps: [
      { id: 'rest', wait: { rule: rule({ field: 'trait.bonus_next_expiry_at', operator: 'null' }), timeout: 'P30D' } },
    ],
  });
  const player_id = await setup.playerId('wait_offer');
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code: 'wait_claim' });
    if (own !== undefined) await enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  await follow();
  expect(await stateOf('wait_claim')).toEqual(['waiting']);
  await transaction(pool, (tx) =>
    applyIntentEvent(tx, intent_id, { type: 'claimed' }, { at: clock.now(), actor: 'player' }),
  );
  await follow();
  expect(await stateOf('wait_claim')).toEqual(['done']);
});

test('a message on which no wait depends creates no news', async () => {
  await pool.query(`update campaign_active set kinds = '{}'`);
  await makeMessage(setup as never, 'wait_shown');
  expect((await pool.query('select from campaign_news')).rowCount).toBe(0);
});

test('a wait for a rule that becomes true with time ends at that time, without any event', async () => {
  const quiet = rule({ field: 'did.login', match: { mode: 'exactly', threshold: 0 }, within: 'PT2H' });
  await campaign({
    code: 'wait_quiet',
    name: 'wait_quiet',
    entry: { api: true },
    steps: [{ id: 'rest', wait: { rule: quiet, timeout: 'P30D' } }],
  });
  const player_id = await setup.playerId('wait_login');
  const began = clock.now();
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code: 'wait_quiet' });
    if (own !== undefined) await enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: began });
  });
  await follow();
  const [run] = await runs('wait_quiet');
  expect(run).toMatchObject({ state: 'waiting', due_at: expect.any(Number) });
  const due = run?.due_at ?? 0;
  expect(due).toBeLessThanOrEqual(began + 2 * hour);
  clock.set(due - 1);
  await follow();
  expect(await stateOf('wait_quiet')).toEqual(['waiting']);
  clock.set(due);
  await follow();
  expect(await stateOf('wait_quiet')).toEqual(['done']);
});

test.each([
  ['before the end of the wait ends it', 'wait_in_time', 'PT5H', null],
  ['after the end of the wait does not end it', 'wait_too_late', 'PT1H', 'timeout'],
])('while the worker was down, a rule that became true %s', async (_name, code, timeout, reason) => {
  const quiet = rule({ field: 'did.login', match: { mode: 'exactly', threshold: 0 }, within: 'PT2H' });
  const rest = { id: 'rest', wait: { rule: quiet, timeout } };
  await campaign({ code, name: code, entry: { api: true }, steps: [rest] });
  await setup.reader(code);
  await makers.login?.(code);
  const player_id = await setup.playerId(code);
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code });
    if (own !== undefined) await enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  await follow();
  expect(await stateOf(code)).toEqual(['waiting']);
  clock.advance(6 * hour);
  await follow();
  const [run] = await runs(code);
  expect(run?.records.at(-1)).toMatchObject({ step: 'rest', state: 'done', reason });
});

test('while the worker was down, an event ends the wait in which it happened', async () => {
  await campaign({
    code: 'wait_twice',
    name: 'wait_twice',
    entry: { api: true },
    steps: [
      { id: 'first', wait: { event: 'login', timeout: 'PT1H' } },
      { id: 'second', wait: { event: 'login', timeout: 'P1D' } },
    ],
  });
  const player_id = await setup.reader('wait_twice');
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code: 'wait_twice' });
    if (own !== undefined) await enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  await follow();
  clock.advance(2 * hour);
  await makers.login?.('wait_twice');
  await follow();
  const [run] = await runs('wait_twice');
  expect(run?.records).toMatchObject([
    { step: 'first', state: 'waiting' },
    { step: 'first', state: 'done', reason: 'timeout' },
    { step: 'second', state: 'waiting' },
    { step: 'second', state: 'done', reason: null },
  ]);
});

test('a wait for a segment ends when the player enters it, and when the player leaves it because time passes', async () => {
  const rich = rule({ field: 'trait.deposit_count_24h', operator: '>=', value: 1 });
  await setup.segment('rich', rich);
  await waits('wait_enter', rule({ field: 'segment.rich', operator: '=', value: true }));
  await makers.payment?.('wait_enter');
  await follow();
  expect(await stateOf('wait_enter')).toEqual(['done']);
  const left: Campaign = {
    code: 'wait_leave',
    name: 'wait_leave',
    entry: { api: true },
    steps: [
      { id: 'rest', wait: { rule: rule({ field: 'segment.rich', operator: '=', value: false }), timeout: 'P30D' } },
    ],
  };
  await campaign(left);
  const player_id = await setup.playerId('wait_enter');
  await transaction(pool, async (tx) => {
    const [own] = await readCampaigns(tx, brand.brand_id, { code: 'wait_leave' });
    if (own !== undefined) await enterPlayer(tx, own, { player_id, key: 'once', data: {}, at: clock.now() });
  });
  await follow();
  expect(await stateOf('wait_leave')).toEqual(['waiting']);
  clock.advance(25 * hour);
  await follow();
  expect(await stateOf('wait_leave')).toEqual(['done']);
});

test('adding or removing a tag ends a wait for it', async () => {
  await waits('wait_tag', rule({ field: 'tag.vip', operator: '=', value: true }));
  const player_id = await setup.playerId('wait_tag');
  const tag = { player_id, brand_id: brand.brand_id, tag: 'vip', action: 'add' as const, actor: 'staff' };
  await transaction(pool, (tx) => tagPlayers(tx, [tag], clock.now()));
  await follow();
  expect(await stateOf('wait_tag')).toEqual(['done']);
});

test('a wait for a consent or a detail ends when the operator reports it', async () => {
  await waits('wait_consent', rule({ field: 'consent.PostMail', operator: '=', value: true }));
  await waits('wait_country', rule({ field: 'profile.country', operator: '=', value: 'SE' }));
  const [consent, country] = [await setup.playerId('wait_consent'), await setup.playerId('wait_country')];
  const at = clock.now();
  await transaction(pool, async (tx) => {
    await tx.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
       values ($1, 'postmail', 'PostMail', 'PostMail', true, 'look_up', $2)`,
      [consent, timestamptzText(at)],
    );
    await tx.query("update player_profile set country = 'SE' where player_id = $1", [country]);
    await insertRecordChanges(tx, [consent, country], { source: 'look_up', at }, new Set());
  });
  await follow();
  expect(await stateOf('wait_consent')).toEqual(['done']);
  expect(await stateOf('wait_country')).toEqual(['done']);
});
