import type { Campaign } from '@croupier/campaigns';
import { expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { writesOf } from '../../../testing/writes-of.ts';
import { writeTemplate } from '../../channels/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';

/*
 * Messages of one step that a round orders together: each player gets their own text, and an error in one message affects only
 * that run.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, publish, derive, lane, runs, messages } = setup;
await setup.siteTemplate('paid', 'Paid {{ event.payment_id }}');
await setup.siteTemplate('from', '{{ player.country }}');
const campaign = (code: string, template: string, more: Partial<Campaign> = {}) =>
  setup.campaign({
    code,
    name: code,
    entry: {
      event: 'payment',
      where: { combinator: 'and', rules: [{ field: 'vendor_id', operator: '=', value: code }] },
    },
    reentry: { times: 'unlimited', while_running: true },
    steps: [
      { id: 'hello', send: { channel: 'site', template } },
      { id: 'after', tag: code },
    ],
    ...more,
  });
type Payment = [user: string, payment: string];
async function pay(vendor_id: string, ...payments: Payment[]): Promise<void> {
  const timestamp = timestamptzText(clock.now());
  const bodies = payments.map(([user_id, payment_id]) => paymentBody({ user_id, payment_id, vendor_id, timestamp }));
  await publish(...bodies.map((body) => ({ kind: 'payment' as const, body })));
  await derive();
}
async function paid(vendor_id: string, ...payments: Payment[]): Promise<void> {
  await pay(vendor_id, ...payments);
  await lane.runOnce();
}
const outcomes = async (code: string) =>
  (await runs(code)).map(({ user_id, state, records }) => [
    user_id,
    state,
    records.map((one) => `${one.step} ${one.state}`),
  ]);

test('each player gets the text for their cause, and a player with two causes gets two messages', async () => {
  await campaign('own', 'paid');
  for (const user of ['ann', 'bob', 'cid']) await setup.reader(user);
  await paid('own', ['ann', 'a1'], ['bob', 'b1'], ['cid', 'c1'], ['ann', 'a2']);
  expect((await messages()).map(({ user_id, title }) => `${user_id}: ${title}`).toSorted()).toEqual([
    'ann: Paid a1',
    'ann: Paid a2',
    'bob: Paid b1',
    'cid: Paid c1',
  ]);
  const ended = ['done', ['hello done', 'after done']];
  expect((await outcomes('own')).toSorted()).toEqual(['ann', 'ann', 'bob', 'cid'].map((user) => [user, ...ended]));
});

test('a message that cannot be rendered fails its run, and the others are sent', async () => {
  await campaign('country', 'from');
  for (const user of ['mt', 'se', 'nowhere']) {
    const player = await setup.reader(user);
    if (user !== 'nowhere')
      await pool.query('update player_profile set country = $2 where player_id = $1', [player, user]);
  }
  await paid('country', ['mt', 'm1'], ['nowhere', 'n1'], ['se', 's1']);
  expect((await outcomes('country')).map((one) => one.slice(0, 2)).toSorted()).toEqual([
    ['mt', 'done'],
    ['nowhere', 'failed'],
    ['se', 'done'],
  ]);
  const titles = (await messages()).map(({ title }) => title);
  expect(titles.filter((title) => title.length === 2).toSorted()).toEqual(['mt', 'se']);
});

test('a message that the database refuses fails only its run', async () => {
  await campaign('refused', 'paid');
  for (const user of ['rae', 'sam', 'tom']) await setup.reader(user);
  await pool.query(
    `create function refuse() returns trigger language plpgsql as $$
       begin if new.title = 'Paid bad' then raise exception 'this one is refused'; end if; return new; end $$;
     create trigger refuse before insert on notification for each row execute function refuse()`,
  );
  await paid('refused', ['rae', 'good'], ['sam', 'bad'], ['tom', 'fine']);
  await pool.query('drop trigger refuse on notification');
  expect((await outcomes('refused')).map((one) => one.slice(0, 2)).toSorted()).toEqual([
    ['rae', 'done'],
    ['sam', 'failed'],
    ['tom', 'done'],
  ]);
  expect((await runs('refused')).find(({ user_id }) => user_id === 'sam')).toMatchObject({
    reason: 'this one is refused',
    records: [{ step: 'hello', state: 'failed', reason: 'this one is refused' }],
  });
});

test('a text of an event that PostgreSQL refuses fails only its run, and the other 63 are not ordered one by one', async () => {
  const content = { en: { list: 'calls', note: '{{ event.payment_id | url_decode }}' } };
  const template = { code: 'calls', name: 'calls', channel: 'telephone', purpose: 'service', content } as const;
  await transaction(pool, (tx) =>
    writeTemplate(tx, brand, template, { expected: undefined, by: 'a test', at: clock.now() }),
  );
  const steps: Campaign['steps'] = [{ id: 'call', call_list: { template: 'calls' } }];
  await campaign('noted', 'calls', { purpose: 'service', steps });
  const users = Array.from({ length: 64 }, (_, n) => `noted ${n}`);
  for (const user of users) await setup.reader(user);
  await pay('noted', ...users.map((user, n): Payment => [user, `first ${n}`]));
  const usual = await writesOf(() => lane.runOnce());
  // The URL code of NUL, which no text of PostgreSQL may contain.
  await pay('noted', ...users.map((user, n): Payment => [user, n === 40 ? 'second %00' : `second ${n}`]));
  const writes = await writesOf(() => lane.runOnce());
  const { rows: notes } = await pool.query<{ note: string }>(`select note from list_entry where list = 'calls'`);
  const wanted = users.flatMap((_, n) => (n === 40 ? [`first ${n}`] : [`first ${n}`, `second ${n}`]));
  expect(notes.map(({ note }) => note).toSorted()).toEqual(wanted.toSorted());
  const all = await runs('noted');
  const reason = 'cannot be processed: a text contains a character that cannot be stored (SQLSTATE 22P05)';
  expect(all.filter(({ state }) => state !== 'done')).toMatchObject([
    { user_id: 'noted 40', state: 'failed', reason, records: [{ step: 'call', state: 'failed', reason }] },
  ]);
  expect(all).toHaveLength(128);
  // Ordering 64 entries one by one takes about 250 further writes.
  expect(writes - usual).toBeLessThan(150);
  // The run has ended, so that nothing is left to do.
  expect(await lane.runOnce()).toMatchObject({ news: 0, moved: 0 });
});

test('effects of several campaigns are ordered together, and only the campaign whose template is gone fails', async () => {
  const entry: Campaign['entry'] = {
    event: 'payment',
    where: { combinator: 'and', rules: [{ field: 'vendor_id', operator: '=', value: 'many' }] },
  };
  await setup.siteTemplate('gone', 'Gone');
  await campaign('many_paid', 'paid', { entry, priority: 40 });
  await campaign('many_gone', 'gone', { entry });
  await campaign('many_tags', 'paid', { entry, steps: [{ id: 'mark', tag: 'many' }] });
  await campaign('many_marks', 'paid', { entry, steps: [{ id: 'mark', tag: 'many' }] });
  await campaign('many_gifts', 'paid', { entry, steps: [{ id: 'gift', credit: { bonus_code: 'TEN' } }] });
  for (const user of ['una', 'vic']) await setup.reader(user);
  await pool.query(`update template set deleted_at = now() where code = 'gone'`);
  await paid('many', ['una', 'u1'], ['vic', 'v1'], ['una', 'u2']);
  const statesOf = async (code: string) => (await runs(code)).map(({ user_id, state }) => `${user_id} ${state}`);
  const done = ['una done', 'una done', 'vic done'];
  for (const code of ['many_paid', 'many_tags', 'many_marks', 'many_gifts'])
    expect((await statesOf(code)).toSorted(), code).toEqual(done);
  expect((await statesOf('many_gone')).toSorted()).toEqual(['una failed', 'una failed', 'vic failed']);
  const { rows: tags } = await pool.query(
    `select count(*)::int as changes, count(distinct player_id)::int as players from player_tag_change where tag = 'many'`,
  );
  expect(tags).toEqual([{ changes: 2, players: 2 }]);
  const { rows: intents } = await pool.query(`select count(*)::int as n from bonus_intent where bonus_code = 'TEN'`);
  expect(intents).toEqual([{ n: 3 }]);
});
