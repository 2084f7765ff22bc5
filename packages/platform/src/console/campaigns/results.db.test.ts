import { beforeAll, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { paymentBody } from '../../../testing/derive/stage.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import {
  CampaignLane,
  listOutcomes,
  outcomes,
  readCampaigns,
  readCreditCosts,
  type StoredCampaign,
} from '../../campaigns/index.ts';
import { messageCounts, messagesWith } from '../../channels/index.ts';
import { timestamptzText } from '../../database/index.ts';
import { Gate } from '../../gate/index.ts';
import { PlatformRules } from '../../segments/membership/index.ts';

const console = await setupConsole();
const { pool, brand, brands, clock, ledger, links, signals } = console;
const owned = new Map(Array.from({ length: 64 }, (_, bucket) => [bucket, { fence: 0, cursor: ledger.beginning }]));
const lane = new CampaignLane({
  pool,
  brands,
  links,
  signals,
  clock: clock.now,
  log: testLog,
  leases: { owned: () => owned },
  rules: new PlatformRules({ pool }),
  gate: new Gate({ clock: clock.now, brands }),
});
const path = '/brands/malta/campaigns/tried';
const results = `${path}/results`;
const players = 200;
const hour = 3_600_000_000;
const day = 24 * hour;
const steps = [
  {
    id: 'test',
    split: [
      { name: 'nothing', share: 50, control: true },
      { name: 'mail', share: 50, steps: [{ id: 'hello', send: { channel: 'site', template: 'hello' } }] },
    ],
  },
  { id: 'gift', credit: { bonus_code: 'GIFT' } },
  { id: 'pause', wait: { for: 'P30D' } },
];

interface Arm {
  name: string;
  players: number;
  counts: Record<string, number>;
  measured: { players: number; depositors: number; sums: Record<string, Record<string, unknown>> };
}

async function readers(names: readonly string[]): Promise<void> {
  const ids = await Promise.all(names.map((name) => insertPlayer(pool, brand.brand_id, name)));
  const at = timestamptzText(clock.now());
  await makeKnown(pool, brand.brand_id, ids, at);
  // One in ten does not permit messages.
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     select id, 'sitenotification', 'SiteNotification', 'SiteNotification', place % 10 <> 0, 'look_up', $2
       from unnest($1::bigint[]) with ordinality as p (id, place)`,
    [ids, at],
  );
}

beforeAll(async () => {
  await readers(Array.from({ length: players }, (_, n) => `p${n}`));
  const template = { code: 'hello', name: 'Hello', channel: 'site', content: { en: { title: 'Hello' } } };
  await console.call('POST', '/brands/malta/templates', { body: template });
  const goal = { event: 'payment', within: 'P7D' };
  const body = { code: 'tried', name: 'Tried', entry: { api: true }, goal, steps };
  expect((await console.call('POST', '/brands/malta/campaigns', { body })).status).toBe(201);
  expect((await console.call('POST', `${path}/publish`)).status).toBe(200);
  for (let n = 0; n < players; n++)
    await console.call('POST', `${path}/enter`, { body: { user_id: `p${n}`, key: `p${n}` } });
  while ((await lane.runOnce()).more);
});

/** Numbers in [0, 1), always the same ones. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

async function arms(): Promise<Record<string, Arm>> {
  const { body } = await console.get(results);
  return Object.fromEntries((body.splits[0]?.arms ?? []).map((arm: Arm) => [arm.name, arm]));
}

/** Returns an export, which is text. */
const exported = (outcome: string) => file(`players.csv?outcome=${outcome}`);

async function file(address: string, type = 'text/csv; charset=utf-8; header=present'): Promise<string> {
  const url = `/api/console/v1${results}/${address}`;
  const { statusCode, headers, body } = await console.app.inject({
    url,
    headers: { authorization: `Bearer ${adminToken}` },
  });
  expect([statusCode, headers['content-type']]).toEqual([200, type]);
  return body;
}

test('arms match their shares; the control arm got nothing, and the others are sent or withheld', async () => {
  const { body } = await console.get(results);
  const { nothing, mail } = await arms();
  expect(body).toMatchObject({ entered: players, goal_reached: 0, window_days: 7 });
  expect((nothing?.players ?? 0) + (mail?.players ?? 0)).toBe(players);
  expect(body.splits).toMatchObject([{ version: 1, step: 'test', sample_ratio_mismatch: false }]);
  expect(nothing?.counts).toMatchObject({ control: nothing?.players, sent: 0, withheld: 0, done: nothing?.players });
  expect(mail?.counts).toMatchObject({ control: 0, sent: body.sent, delivered: body.sent, shown: 0 });
  expect(body.sent).toBeGreaterThan(50);
  expect(body.withheld).toBeGreaterThan(0);
  expect(body.withheld_by).toContainEqual({ reason: 'no_consent', count: (mail?.players ?? 0) - body.sent });
  expect(body.effects).toContainEqual(expect.objectContaining({ version: 1, step: 'hello', sent: body.sent }));
});

test('runs are counted by their current step, and every count has its players', async () => {
  const { body } = await console.get(results);
  const { items } = (await console.get(`${path}/steps`)).body;
  const of = (step: string) => items.find((one: { step: string }) => one.step === step);
  const { nothing, mail } = await arms();
  expect(of('test')).toMatchObject({ version: 1, done: players, waiting: 0, held: 0, withheld: 0 });
  expect(
    Object.fromEntries(
      of('test').arms.map(({ variant, count }: { variant: string; count: number }) => [variant, count]),
    ),
  ).toEqual({
    nothing: nothing?.players,
    mail: mail?.players,
  });
  expect(of('hello')).toMatchObject({
    done: body.sent,
    withheld_by: [{ reason: 'no_consent', count: (mail?.players ?? 0) - body.sent }],
  });
  expect(of('pause')).toMatchObject({ waiting: mail?.players, done: 0 });
  for (const item of items)
    for (const state of ['waiting', 'held', 'done', 'withheld']) {
      const seen = new Set<number>();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = (
          await console.get(`${path}/steps/players?step=${item.step}&state=${state}&version=1&limit=60${next}`)
        ).body;
        for (const { run_id } of page.items) seen.add(run_id);
        cursor = page.next;
      }
      expect([item.step, state, seen.size]).toEqual([item.step, state, item[state]]);
    }
  const some = async (query: string) =>
    (await console.get(`${path}/steps/players?limit=200&${query}`)).body.items.length;
  expect(await some('step=hello&state=withheld&reason=no_consent')).toBe((mail?.players ?? 0) - body.sent);
  expect(await some('step=test&state=done&variant=mail')).toBe(mail?.players);
  expect((await console.get(`${path}/steps/players?step=test&state=done&version=9`)).status).toBe(404);
});

test('reports from the screen count, and a player who clicked has also seen the message', async () => {
  const { rows } = await pool.query<{ message_id: number }>(
    `update notification set clicked_at = live_at where message_id in (select message_id from notification where live_at is not null order by 1 limit 3)
     returning message_id`,
  );
  await pool.query(
    `update notification set shown_at = live_at where message_id in
       (select message_id from notification where live_at is not null order by 1 desc limit 20)`,
  );
  expect(rows).toHaveLength(3);
  expect((await console.get(results)).body).toMatchObject({ clicked: 3, opened: 3, shown: 23 });
});

test('every count has its list, page by page and as a file', async () => {
  const { body } = await console.get(results);
  for (const outcome of outcomes) {
    const items = [];
    for (let cursor = ''; ; ) {
      const page = await console.get(`${results}/players?outcome=${outcome}&limit=60${cursor && `&cursor=${cursor}`}`);
      items.push(...page.body.items);
      if (page.body.next === null) break;
      cursor = page.body.next;
    }
    expect([outcome, items.length]).toEqual([outcome, body[outcome]]);
    expect(new Set(items.map(({ run_id, step }) => `${run_id} ${step}`)).size).toBe(items.length);
    expect((await exported(outcome)).trim().split('\r\n')).toHaveLength(1 + items.length);
  }
  const { mail } = await arms();
  const ofArm = `outcome=entered&split=test&variant=mail&version=1&limit=200`;
  expect((await console.get(`${results}/players?${ofArm}`)).body.items).toHaveLength(mail?.players ?? 0);
  expect((await console.get(`${results}/players?outcome=sent&step=none`)).body.items).toEqual([]);
  expect((await console.get(`${results}/players?outcome=entered&variant=mail`)).status).toBe(400);
  expect((await console.get(`${results}/players?outcome=entered&version=9`)).status).toBe(404);
  const { rows } = await pool.query(`select distinct subject from console_audit where action = 'campaign.exported'`);
  expect(rows).toHaveLength(outcomes.length);
});

test('the money of the arms is compared after the window, with an interval that shows which arm is better', async () => {
  expect((await arms()).mail?.measured.players).toBe(0);
  const of = async (arm: string) =>
    (await console.get(`${results}/players?outcome=entered&split=test&variant=${arm}&limit=200`)).body.items as {
      user_id: string;
    }[];
  // On the third day, every player of the arm `mail` deposits 10 or 30. One in five of the control arm deposits 10.
  clock.advance(2 * day);
  const timestamp = new Date(clock.now() / 1_000).toISOString();
  const mailed = await of('mail');
  for (const [place, { user_id }] of mailed.entries())
    await console.publish(
      'payment',
      paymentBody({ user_id, payment_id: user_id, timestamp, amount: place % 2 === 0 ? 10 : 30 }),
    );
  const others = await of('nothing');
  for (const [place, { user_id }] of others.entries())
    if (place % 5 === 0)
      await console.publish('payment', paymentBody({ user_id, payment_id: user_id, timestamp, amount: 10 }));
  await console.derive();
  while ((await lane.runOnce()).more);
  clock.advance(5 * day);
  const { mail, nothing } = await arms();
  const odd = Math.floor(mailed.length / 2);
  const sum = mailed.length * 10 + odd * 20;
  expect(mail?.measured).toMatchObject({ players: mailed.length, depositors: mailed.length });
  expect(mail?.measured.sums.deposits).toMatchObject({ sum: String(sum), mean: sum / mailed.length });
  expect(nothing?.measured.sums.deposits).toMatchObject({
    sum: String(Math.ceil(others.length / 5) * 10),
    against_control: null,
  });
  const found = mail?.measured.sums.deposits?.against_control as { difference: number; low: number; high: number };
  expect(found.difference).toBeCloseTo(sum / mailed.length - (Math.ceil(others.length / 5) * 10) / others.length, 9);
  expect(found.low).toBeGreaterThan(10);
  expect(found.high).toBeLessThan(30);
  expect(mail?.counts.goal_reached).toBe(mailed.length);
  // Runs of the control arm were done immediately, and count goals like the others.
  const reached = Math.ceil(others.length / 5);
  expect(nothing?.counts).toMatchObject({
    control: others.length,
    goal_reached: reached,
    done: others.length - reached,
  });
  expect((await console.get(results)).body).toMatchObject({ goal_reached: mailed.length + reached });
  const list = await console.get(
    `${results}/players?outcome=goal_reached&split=test&variant=nothing&version=1&limit=200`,
  );
  expect(list.body.items).toHaveLength(reached);
});

test('days contain the counts of what happened on them, and days without any are omitted', async () => {
  const { body } = await console.get(`${results}/days`);
  expect(body.days.map((one: { day: string; entered: number }) => [one.day, one.entered])).toEqual([
    ['2026-05-01', players],
    ['2026-05-03', 0],
  ]);
  expect(body.days[1].goal_reached).toBeGreaterThan(0);
  expect((await console.get(`${results}/days?from=2026-05-02&to=2026-05-02`)).body.days).toEqual([]);
  expect((await console.get(`${results}/days?from=2026-05-03&to=2026-05-02`)).status).toBe(400);
  expect((await console.get(`${results}/days?from=2020-05-03&to=2026-05-02`)).status).toBe(400);
});

test('the counts of messages equal those of their rows for all reports', async () => {
  // Creates a message for every combination of reports, and one without reports.
  const columns = ['delivered_at', 'shown_at', 'opened_at', 'clicked_at', 'bounced_at', 'complained_at', 'replied_at'];
  const set = columns.map(
    (_, n) => `case when n & ${1 << n} > 0 then timestamptz '2026-05-01T22:30Z' + n * interval '1 h' end`,
  );
  await pool.query(
    `insert into message_outcome (player_id, message_id, channel, campaign_id, ${columns.join(', ')})
     select 1, n::text, case when n % 3 = 0 then 'site' else 'email' end, '', ${set.join(', ')} from generate_series(0, ${2 ** columns.length - 1}) n`,
  );
  const messages = `(select n::bigint as message_id, n % 2 as half from generate_series(0, 500) n
                     union all select message_id, 2 from notification)`;
  const day = (at: string) => `(${at} at time zone 'Europe/Malta')::date`;
  const { rows } = await pool.query(
    `select half, outcome, reason, mark, sum(count)::int as count from ${messageCounts(messages, ['half'], day)} c
      group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  );
  const all = outcomes
    .flatMap((outcome) => messagesWith(outcome).map((of) => `select '${outcome}' as outcome, o.* from ${of} o`))
    .join(' union all ');
  const { rows: listed } = await pool.query(
    `select half, outcome, case when outcome = 'withheld' then reason end as reason, ${day('at')} as mark, count(*)::int as count
       from ${messages} m join (${all}) o using (message_id) group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  );
  expect(rows).toEqual(listed);
  expect(new Set(rows.map(({ outcome }) => outcome)).size).toBe(8);
  await pool.query('delete from message_outcome where player_id = 1 and message_id::bigint < 1000');
});

test('the cost of bonuses is found through the intents that the campaign created', async () => {
  const { rows } = await pool.query<{ intent_id: string; player_id: number }>(
    `select intent_id, player_id from bonus_intent order by intent_id limit 2`,
  );
  expect(rows).toHaveLength(2);
  for (const { intent_id, player_id } of rows) {
    await pool.query(
      `insert into bonus (player_id, user_bonus_id, bonus_id, bonus_code, product, type, status, status_at, status_day, granted, at, day,
                          amount, currency, exchange_rate, base_amount, base_turned_real, origin, conflicts, events)
       values ($1, 'b', 'b', 'GIFT', 'casino', 'x', 'Ongoing', now(), current_date, true, now(), current_date, 5, 'EUR', 1, 5, 1.5, '', 0, '[]')`,
      [player_id],
    );
    await pool.query(
      `insert into bonus_intent_grant (player_id, user_bonus_id, intent_id, how, since) values ($1, 'b', $2, 'reference', now())`,
      [player_id, intent_id],
    );
  }
  expect((await console.get(results)).body.costs).toEqual([
    { version: 1, step: 'gift', granted: '10', turned_real: '3', funds: '0' },
  ]);
  // Costs per day: two bonuses have the amounts of the operator. A third one has only a value in a budget.
  await pool.query(
    `update bonus_intent set state = 'credited' where intent_id in (select intent_id from bonus_intent order by intent_id limit 3)`,
  );
  const { rows: campaigns } = await pool.query(`select campaign_id from campaign where code = 'tried'`);
  const of = { zone: 'UTC', from: '2026-01-01', to: '2026-12-31' };
  const costs = async (values: Map<string, string>) => [
    ...(await readCreditCosts(pool, campaigns[0].campaign_id, { ...of, values })).values(),
  ];
  expect(await costs(new Map())).toEqual([{ cost: '10', unknown: 1 }]);
  expect(await costs(new Map([['GIFT', '2.25']]))).toEqual([{ cost: '12.25', unknown: 0 }]);
});

test('every amount lists its players, page by page, as CSV and as JSON lines', async () => {
  const { body } = await console.get(results);
  const cents = (amounts: readonly string[]) => amounts.reduce((sum, one) => sum + Math.round(Number(one) * 100), 0);
  const listed = async (query: string) => {
    const items: { user_id: string; amount: string; run_id: number }[] = [];
    for (let cursor = ''; ; ) {
      const page = await console.get(`${results}/amounts?${query}&limit=60${cursor && `&cursor=${cursor}`}`);
      expect(page.status).toBe(200);
      items.push(...page.body.items);
      if (page.body.next === null) break;
      cursor = page.body.next;
    }
    const csv = (await file(`amounts.csv?${query}`)).trim().split('\r\n');
    expect(csv).toHaveLength(1 + items.length);
    const json = await file(`amounts.jsonl?${query}`, 'application/jsonl; charset=utf-8');
    expect(
      json
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual(items);
    return items;
  };
  for (const arm of body.splits[0].arms as Arm[]) {
    const of = `version=1&split=test&variant=${arm.name}`;
    const depositors = await listed(`of=depositors&${of}`);
    expect(depositors).toHaveLength(arm.measured.depositors);
    expect(cents(depositors.map(({ amount }) => amount))).toBe(cents([String(arm.measured.sums.deposits?.sum)]));
    expect(await listed(`of=measured&${of}`)).toHaveLength(arm.measured.players);
  }
  expect(body.splits[0].arms[1].measured.depositors).toBeGreaterThan(60);
  const [cost] = body.costs;
  for (const amount of ['granted', 'turned_real', 'funds']) {
    const rows = await listed(`of=${amount}&version=1&step=gift`);
    expect([amount, cents(rows.map((row) => row.amount))]).toEqual([amount, cents([cost[amount]])]);
  }
  expect(await listed('of=granted&step=other')).toEqual([]);
  expect((await console.get(`${results}/amounts?of=depositors`)).status).toBe(400);
  const lines = (await file('players.jsonl?outcome=entered', 'application/jsonl; charset=utf-8')).trim().split('\n');
  expect(lines).toHaveLength(players);
  // An id that a spreadsheet would run as a formula.
  await pool.query(`update player set user_id = '=1+1' where user_id = $1`, [(await listed('of=granted'))[0]?.user_id]);
  expect(await file('amounts.csv?of=granted')).toContain("\n'=1+1,");
});

test('withheld, failed and unknown effects: counts, reasons, lists and days agree for every outcome', async () => {
  const random = seeded(7);
  const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const { rows: credits } = await pool.query<{ intent_id: string }>('select intent_id from bonus_intent order by 1');
  const ends = [
    { state: 'rejected', resolved_by: 'budget', reason: 'budget_used_up', counts: 'withheld' },
    { state: 'rejected', resolved_by: 'budget', reason: 'budget_no_rate', counts: 'withheld' },
    { state: 'rejected', resolved_by: 'gate', reason: 'no_consent', counts: 'withheld' },
    { state: 'rejected', resolved_by: 'protection', reason: 'excluded', counts: 'withheld' },
    { state: 'rejected', resolved_by: 'retries', reason: 'outdated', counts: 'withheld' },
    { state: 'rejected', resolved_by: 'cancellation', reason: 'campaign_stopped', counts: 'withheld' },
    { state: 'rejected', resolved_by: 'answer', reason: 'refused', counts: 'failed' },
    { state: 'rejected', resolved_by: 'expiry', reason: 'expired', counts: null },
    { state: 'unknown', resolved_by: null, reason: 'timeout', counts: 'unknown' },
    { state: 'needs_person', resolved_by: null, reason: 'timeout', counts: 'unknown' },
    { state: 'credited', resolved_by: 'answer', reason: null, counts: 'credited' },
    { state: 'pending', resolved_by: null, reason: null, counts: null },
  ];
  const expected = new Map<string, number>();
  const counted = (outcome: string | null, reason: string | null) => {
    if (outcome === null) return;
    const key = outcome === 'credited' || outcome === 'sent' ? outcome : `${outcome} ${reason}`;
    expected.set(key, (expected.get(key) ?? 0) + 1);
  };
  for (const { intent_id } of credits) {
    const { counts, state, resolved_by, reason } = pick(ends);
    await pool.query('update bonus_intent set state = $2, resolved_by = $3, reason = $4 where intent_id = $1', [
      intent_id,
      state,
      resolved_by,
      reason,
    ]);
    counted(counts, reason);
  }
  // Turns the messages of the step into SMS with random end states. A call has begun for each of them.
  const { rows: messages } = await pool.query<{ message_id: number; player_id: number }>(
    `select message_id, player_id from notification where live_at is not null order by 1`,
  );
  for (const { message_id, player_id } of messages) {
    const [state, reason] = pick([
      ['sent', null],
      ['failed', 'refused'],
      ['unknown', 'timeout'],
      ['dropped', 'expired'],
      ['dropped', 'provider_rate'],
      ['dropped', 'campaign_stopped'],
    ] as const);
    await pool.query('delete from notification where message_id = $1', [message_id]);
    await pool.query(
      `insert into called_message (message_id, brand_id, player_id, channel, target, purpose, content, created_at, created_by, expires_at,
                                   campaign_id, state, reason, sent_at, ended_at)
       values ($1, $2, $3, 'sms', '', 'marketing', '{}', $4, 'test', $4, 'tried', $5, $6, $4, $4)`,
      [message_id, brand.brand_id, player_id, timestamptzText(clock.now()), state, reason],
    );
    counted(state === 'dropped' ? 'withheld' : state, reason);
  }
  // Messages that the gate withheld before they were ordered.
  const { rows: refused } = await pool.query<{ reason: string }>(
    `select reason from campaign_run_step where state = 'withheld' and reason <> 'holdout'`,
  );
  for (const { reason } of refused) counted('withheld', reason);

  const { body } = await console.get(results);
  const found = Object.fromEntries(
    (['withheld', 'failed', 'unknown'] as const).flatMap((outcome) =>
      body[`${outcome}_by`].map(({ reason, count }: { reason: string; count: number }) => [
        `${outcome} ${reason}`,
        count,
      ]),
    ),
  );
  expect({ ...found, credited: body.credited, sent: body.sent }).toEqual(Object.fromEntries(expected));
  const all = async (address: string) => {
    const items: { run_id: number; step: string; reason: string }[] = [];
    for (let cursor = ''; ; ) {
      const page = (await console.get(`${address}limit=60${cursor && `&cursor=${cursor}`}`)).body;
      items.push(...page.items);
      if (page.next === null) return items;
      cursor = page.next;
    }
  };
  const withheld = await all(`${path}/withheld?`);
  expect(withheld).toEqual(await all(`${results}/players?outcome=withheld&`));
  expect(withheld).toHaveLength(body.withheld);
  for (const outcome of ['withheld', 'failed', 'unknown'] as const) {
    expect((await all(`${results}/players?outcome=${outcome}&`)).length).toBe(body[outcome]);
    for (const { reason, count } of body[`${outcome}_by`])
      expect(await all(`${results}/players?outcome=${outcome}&reason=${reason}&`)).toHaveLength(count);
    const { days } = (await console.get(`${results}/days`)).body;
    const ofDays = days.reduce((sum: number, one: Record<string, number>) => sum + (one[outcome] ?? 0), 0);
    expect([outcome, ofDays]).toEqual([outcome, body[outcome]]);
  }

  // The counts of the steps, their lists, and the steps of the runs agree.
  const byReason = (rows: { reason: string; count: number }[]) => {
    const sums: Record<string, number> = {};
    for (const { reason, count } of rows) if (reason !== 'holdout') sums[reason] = (sums[reason] ?? 0) + count;
    return sums;
  };
  const steps: { step: string; done: number; withheld: number; withheld_by: { reason: string; count: number }[] }[] = (
    await console.get(`${path}/steps`)
  ).body.items;
  expect(byReason(steps.flatMap(({ withheld_by }) => withheld_by))).toEqual(byReason(body.withheld_by));
  expect(byReason(body.withheld_by).campaign_stopped).toBeGreaterThan(0);
  expect(byReason(body.withheld_by).budget_used_up).toBeGreaterThan(0);
  const ofResults = body.steps.filter(({ state }: { state: string }) => state === 'withheld');
  expect(byReason(ofResults)).toEqual(byReason(body.withheld_by));
  for (const { step, ...counts } of steps) {
    for (const state of ['done', 'withheld'] as const)
      expect([step, state, (await all(`${path}/steps/players?step=${step}&state=${state}&`)).length]).toEqual([
        step,
        state,
        counts[state],
      ]);
  }
  const [one] = withheld as [{ run_id: number; step: string; reason: string }];
  const { body: run } = await console.get(`/brands/malta/runs/${one.run_id}`);
  expect(run.steps).toContainEqual(expect.objectContaining({ id: one.step, state: 'withheld', reason: one.reason }));

  // A list is the same whether it is read from the effects or from the steps.
  const [campaign] = (await readCampaigns(pool, brand.brand_id, { code: 'tried' })) as [StoredCampaign];
  for (const outcome of ['withheld', 'failed', 'unknown', 'sent', 'delivered', 'credited'] as const) {
    const [first, second] = await Promise.all(
      [0, 1_000].map((few) => listOutcomes(pool, campaign, { outcome }, { limit: 1_000, few })),
    );
    expect(first).toEqual(second);
    expect(first).toHaveLength(body[outcome]);
  }
});
