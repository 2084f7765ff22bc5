import { type Campaign, isHeldOut } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { setupCampaigns } from '../../../testing/campaigns/setup-campaigns.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import type { BrandSettings } from '../../brands/index.ts';
import { orderMessage } from '../../channels/index.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { channels as allChannels, Gate } from '../../gate/index.ts';
import { ContactRules } from '../contact/portion.ts';
import { enterPlayer, readCampaigns, readResults } from '../index.ts';
import { insertNews } from '../news/store.ts';
import { measureArms } from '../results/measures.ts';

/*
 * Tests the rules of contact in a whole stage: quiet hours, caps, the control group and market policy. They apply after
 * the gate, when an effect is ordered, and the gate's records contain them with their reasons.
 */
const setup = await setupCampaigns();
const { pool, brand, clock, runs } = setup;
const { brand_id } = brand;
const settings = setup.brands.byId(brand_id)?.settings as BrandSettings;
const minute = 60_000_000;
const day = 24 * 60 * minute;
const moment = (text: string): Micros => Date.parse(text) * 1000;
await setup.siteTemplate('hello', 'Hello');
await setup.siteTemplate('notice', 'Notice', 'service');

const send: Campaign['steps'][number] = { id: 'hello', send: { channel: 'site', template: 'hello' } };
const document = (code: string, more: Partial<Campaign> = {}): Campaign => ({
  code,
  name: code,
  entry: { api: true },
  reentry: { times: 'unlimited', while_running: true },
  steps: [send],
  ...more,
});
await setup.campaign(document('plain'));
await setup.campaign(document('urgent', { priority: 90 }));
const notify: Campaign['steps'][number] = { id: 'hello', send: { channel: 'site', template: 'notice' } };
await setup.campaign(document('care', { purpose: 'service', steps: [notify] }));
await setup.campaign(document('present', { steps: [{ id: 'gift', credit: { bonus_code: 'TEN' } }] }));

const none: Partial<BrandSettings> = {
  quiet_hours: { from: '', to: '' },
  frequency_caps: [],
  holdout: { percent: 0 },
  country_time_zones: {},
  product_consents: [],
};
beforeEach(() => void Object.assign(settings, none));
const night = { from: '22:00', to: '08:00' };
const channels = allChannels.filter((channel) => channel !== 'bonus');

let players = 0;
/** Sets the clock, and creates a player in a zone about whom everything is known at that time. */
async function playerAt(at: Micros, profile: { zone?: string; country?: string } = {}): Promise<string> {
  clock.set(at);
  const userId = `player ${++players}`;
  const playerId = await setup.reader(userId);
  await pool.query(
    `update player_profile set country = $2, extra = jsonb_strip_nulls(jsonb_build_object('time_zone', $3::text))
      where player_id = $1`,
    [playerId, profile.country ?? null, profile.zone ?? null],
  );
  return userId;
}

let keys = 0;
async function enter(code: string, userId: string): Promise<void> {
  const player_id = await setup.playerId(userId);
  await transaction(pool, async (tx) => {
    const [campaign] = await readCampaigns(tx, brand_id, { code });
    if (campaign === undefined) throw new Error(`the campaign ${code} does not exist`);
    await enterPlayer(tx, campaign, { player_id, key: `key ${++keys}`, data: {}, at: clock.now() });
  });
}
const moveTo = async (at: Micros) => {
  clock.set(at);
  await setup.follow();
};
const sentTo = async (userId: string) => (await setup.messages()).filter(({ user_id }) => user_id === userId).length;
const of = async (code: string, userId: string) => (await runs(code)).filter(({ user_id }) => user_id === userId);
const recordsOf = async (code: string, userId: string) =>
  (await of(code, userId)).flatMap(({ records }) => records.map(({ state, reason }) => [state, reason]));
async function decisionsOn(code: string, userId: string) {
  const ids = (await of(code, userId)).map(({ run_id }) => run_id);
  const { rows } = await pool.query<{
    outcome: string;
    reason: string | null;
    contact: Record<string, unknown> | null;
  }>(
    `select outcome, reason, inputs -> 'contact' as contact from gate_decision
      where cause_kind = 'run' and split_part(cause_id, '/', 1)::bigint = any($1::bigint[]) order by decision_id`,
    [ids],
  );
  return rows;
}
/** Refreshes what is known about the player. Facts are still recent enough after a night, but not after a week. */
const know = async (userId: string) => {
  const id = await setup.playerId(userId);
  await pool.query('delete from player_sync where player_id = $1', [id]);
  await pool.query('delete from player_profile where player_id = $1', [id]);
  await pool.query('delete from player_consent where player_id = $1', [id]);
  await makeKnown(pool, brand_id, [id], timestamptzText(clock.now()));
  await pool.query(
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     values ($1, 'sitenotification', 'SiteNotification', 'SiteNotification', true, 'look_up', $2)`,
    [id, timestamptzText(clock.now())],
  );
};

test('the decision about a step is also the decision about its message', async () => {
  const userId = await playerAt(moment('2026-06-17T12:00Z'));
  await enter('plain', userId);
  await setup.follow();
  const { rows } = await pool.query<{ cause_kind: string; is_of_message: boolean }>(
    `select d.cause_kind, d.decision_id = n.decision_id as is_of_message
       from gate_decision d join notification n using (player_id) where player_id = $1`,
    [await setup.playerId(userId)],
  );
  expect(rows).toEqual([{ cause_kind: 'run', is_of_message: true }]);
});

test('a step is withheld if too little is known about its player for three days', async () => {
  const userId = await playerAt(moment('2026-06-17T12:00Z'));
  await pool.query('delete from player_sync where player_id = $1', [await setup.playerId(userId)]);
  await enter('plain', userId);
  await setup.follow();
  expect(await of('plain', userId)).toMatchObject([{ state: 'held', reason: 'unknown' }]);
  await moveTo(clock.now() + 3 * day - minute);
  expect(await of('plain', userId)).toMatchObject([{ state: 'held', reason: 'unknown' }]);
  await moveTo(clock.now() + 6 * minute);
  expect(await of('plain', userId)).toMatchObject([{ state: 'done' }]);
  expect(await recordsOf('plain', userId)).toEqual([
    ['held', 'unknown'],
    ['withheld', 'expired_while_unknown'],
  ]);
});

describe('quiet hours', () => {
  test.each([
    ['across midnight', 'Europe/Malta', '2026-06-17T23:00+02:00', '2026-06-18T08:00+02:00'],
    ["in the player's zone, not the brand's", 'Asia/Tokyo', '2026-06-17T14:00Z', '2026-06-17T23:00Z'],
    ['in the night that is an hour shorter', 'Europe/Malta', '2026-03-28T23:00+01:00', '2026-03-29T08:00+02:00'],
    ['in the night that is an hour longer', 'Europe/Malta', '2026-10-24T23:00+02:00', '2026-10-25T08:00+01:00'],
  ])('a message is held %s', async (_name, zone, at, end) => {
    settings.quiet_hours = night;
    const userId = await playerAt(moment(at), { zone });
    await enter('plain', userId);
    await setup.follow();
    expect(await of('plain', userId)).toMatchObject([{ state: 'held', reason: 'quiet_hours', due_at: moment(end) }]);
    await moveTo(moment(end) - 1);
    expect(await sentTo(userId)).toBe(0);
    await moveTo(moment(end));
    expect(await sentTo(userId)).toBe(1);
    expect(await recordsOf('plain', userId)).toEqual([
      ['held', 'quiet_hours'],
      ['done', null],
    ]);
    const [held, allowed] = await decisionsOn('plain', userId);
    expect(held).toMatchObject({ outcome: 'held', reason: 'quiet_hours', contact: { zone, quiet_hours: night } });
    expect(allowed).toMatchObject({ outcome: 'allowed', reason: null, contact: { zone } });
  });

  test('quiet hours end on time, although the gate reads its clock a moment later than the round', async () => {
    settings.quiet_hours = night;
    const end = moment('2026-06-18T08:00+02:00');
    const userId = await playerAt(moment('2026-06-17T23:00+02:00'), { zone: 'Europe/Malta' });
    await enter('plain', userId);
    const late = new Gate({ clock: () => clock.now() + 3_000, brands: setup.brands });
    await setup.createLane(undefined, late).runOnce();
    expect(await of('plain', userId)).toMatchObject([{ state: 'held', reason: 'quiet_hours', due_at: end }]);
  });

  test("the zone of the player's country is used if the operator sends none", async () => {
    Object.assign(settings, { quiet_hours: night, country_time_zones: { JP: 'Asia/Tokyo' } });
    const tokyo = await playerAt(moment('2026-06-17T14:00Z'), { country: 'JP' });
    const nowhere = await playerAt(moment('2026-06-17T14:00Z'), { zone: 'Nowhere/Land' });
    await enter('plain', tokyo);
    await enter('plain', nowhere);
    await setup.follow();
    expect([await sentTo(tokyo), await sentTo(nowhere)]).toEqual([0, 1]);
  });

  test('quiet hours also hold service messages, but not bonuses', async () => {
    settings.quiet_hours = night;
    const userId = await playerAt(moment('2026-06-17T23:00Z'));
    await enter('care', userId);
    await enter('present', userId);
    await setup.follow();
    expect(await of('care', userId)).toMatchObject([{ state: 'held', reason: 'quiet_hours' }]);
    expect(await of('present', userId)).toMatchObject([{ state: 'done' }]);
  });

  test('if news of the player arrives at night, the rules are checked again and the history of the run does not change; another worker later sends the message, once', async () => {
    settings.quiet_hours = night;
    const userId = await playerAt(moment('2026-06-17T23:00Z'));
    await enter('plain', userId);
    await setup.follow();
    clock.advance(60 * minute);
    await enter('present', userId);
    await setup.follow();
    expect(await recordsOf('plain', userId)).toEqual([['held', 'quiet_hours']]);
    clock.set(moment('2026-06-18T08:00Z'));
    const other = setup.createLane();
    await other.runOnce();
    await setup.follow();
    await other.runOnce();
    expect(await sentTo(userId)).toBe(1);
    expect(await holdsOf(userId)).toEqual([]);
  });

  test('a run that ends while it is held leaves no hold behind', async () => {
    settings.quiet_hours = night;
    const userId = await playerAt(moment('2026-06-17T23:00Z'));
    await enter('plain', userId);
    await setup.follow();
    expect(await holdsOf(userId)).toEqual(['quiet_hours']);
    const player_id = await setup.playerId(userId);
    const news = { type: 'protected' as const, reason: 'excluded' as const, at: clock.now() };
    await transaction(pool, (tx) => insertNews(tx, [{ player_id, brand_id, news }]));
    await setup.follow();
    expect(await of('plain', userId)).toMatchObject([{ state: 'exited', reason: 'excluded' }]);
    expect(await holdsOf(userId)).toEqual([]);
  });
});

/** The reasons for which the gate still holds contacts with a player. */
async function holdsOf(userId: string): Promise<string[]> {
  const { rows } = await pool.query<{ reason: string }>('select reason from gate_hold where player_id = $1', [
    await setup.playerId(userId),
  ]);
  return rows.map(({ reason }) => reason);
}

describe('frequency caps', () => {
  const capped = { outcome: 'withheld', reason: 'frequency_cap' };
  /** Orders a message that belongs to no campaign. */
  const order = async (userId: string) => {
    const player_id = await setup.playerId(userId);
    return transaction(pool, (tx) =>
      orderMessage(
        tx,
        { gate: setup.gate, clock: clock.now, links: { link: () => 'https://crm.example/leave' } },
        {
          brand,
          player: { player_id, user_id: userId },
          channel: 'site',
          purpose: 'marketing',
          says: { template: 'hello' },
          campaign_id: null,
          request_key: null,
          created_by: 'a person',
          expires_at: null,
        },
      ),
    );
  };

  test('two concurrent runs of a player take the last place once; the place is free again when its day is over', async () => {
    settings.frequency_caps = [{ channel: 'site', purpose: 'marketing', times: 1, within: 'P1D' }];
    const at = moment('2026-06-17T12:00Z');
    const userId = await playerAt(at);
    await enter('plain', userId);
    await enter('plain', userId);
    await setup.follow();
    expect(await sentTo(userId)).toBe(1);
    expect(await decisionsOn('plain', userId)).toMatchObject([
      { outcome: 'allowed', contact: { caps: [{ times: 1, sent: 0, reserved: 0 }] } },
      { ...capped, contact: { caps: [{ channel: 'site', times: 1, within: 'P1D', sent: 1 }] } },
    ]);
    clock.set(at + day - 1);
    await know(userId);
    await enter('plain', userId);
    await setup.follow();
    expect(await sentTo(userId)).toBe(1);
    clock.set(at + day);
    await enter('plain', userId);
    await setup.follow();
    expect(await sentTo(userId)).toBe(2);
  });

  test('the higher priority gets the place, even in the morning after quiet hours', async () => {
    Object.assign(settings, { quiet_hours: night, frequency_caps: [{ times: 1, within: 'P1D' }] });
    const userId = await playerAt(moment('2026-06-17T23:00Z'));
    await enter('plain', userId);
    await setup.follow();
    clock.advance(minute);
    await enter('urgent', userId);
    await setup.follow();
    await moveTo(moment('2026-06-18T08:00Z'));
    expect(await recordsOf('urgent', userId)).toEqual([
      ['held', 'quiet_hours'],
      ['done', null],
    ]);
    expect(await recordsOf('plain', userId)).toEqual([
      ['held', 'quiet_hours'],
      ['withheld', 'frequency_cap'],
    ]);
  });

  test('a place is kept for a message of a higher priority that the gate still holds', async () => {
    settings.frequency_caps = [{ times: 1, within: 'P1D' }];
    const userId = await playerAt(moment('2026-06-17T12:00Z'));
    const playerId = await setup.playerId(userId);
    await pool.query("delete from player_sync where player_id = $1 and look_up = 'consents'", [playerId]);
    await pool.query('delete from player_consent where player_id = $1', [playerId]);
    await enter('urgent', userId);
    await setup.follow();
    expect(await of('urgent', userId)).toMatchObject([{ state: 'held', reason: 'unknown' }]);
    await enter('care', userId);
    await setup.follow();
    expect((await decisionsOn('care', userId)).at(-1)).toMatchObject({
      ...capped,
      contact: { caps: [{ reserved: 1 }] },
    });
    await know(userId);
    clock.advance(10 * minute);
    await setup.follow();
    expect(await recordsOf('urgent', userId)).toEqual([
      ['held', 'unknown'],
      ['done', null],
    ]);
  });

  test('messages sent outside campaigns count; withheld messages do not', async () => {
    settings.frequency_caps = [{ channel: 'site', times: 2, within: 'P7D' }];
    const userId = await playerAt(moment('2026-06-17T12:00Z'));
    const player_id = await setup.playerId(userId);
    await pool.query('update player_consent set opted_in = false where player_id = $1', [player_id]);
    expect((await order(userId)).state).toBe('withheld');
    await know(userId);
    expect((await order(userId)).state).toBe('live');
    await enter('plain', userId);
    await setup.follow();
    expect(await recordsOf('plain', userId)).toEqual([['done', null]]);
    await enter('plain', userId);
    await setup.follow();
    expect((await recordsOf('plain', userId)).at(-1)).toEqual(['withheld', 'frequency_cap']);
  });

  test('a message that waited counts from the time when it was sent', async () => {
    settings.frequency_caps = [{ channel: 'site', times: 1, within: 'P1D' }];
    const at = moment('2026-06-17T12:00Z');
    const userId = await playerAt(at);
    expect((await order(userId)).state).toBe('live');
    clock.set(at + 2 * day);
    await know(userId);
    // As if the message had waited for two days.
    await pool.query('update notification set live_at = $2 where player_id = $1', [
      await setup.playerId(userId),
      timestamptzText(clock.now()),
    ]);
    clock.advance(minute);
    await enter('plain', userId);
    await setup.follow();
    expect(await recordsOf('plain', userId)).toEqual([['withheld', 'frequency_cap']]);
  });

  test('a message that still waits takes a place, however old it is', async () => {
    settings.frequency_caps = [{ channel: 'site', times: 1, within: 'P1D' }];
    const at = moment('2026-06-17T12:00Z');
    const userId = await playerAt(at);
    const playerId = await setup.playerId(userId);
    await pool.query('delete from player_consent where player_id = $1', [playerId]);
    await pool.query("delete from player_sync where player_id = $1 and look_up = 'consents'", [playerId]);
    expect((await order(userId)).state).toBe('held');
    clock.set(at + 2 * day);
    await know(userId);
    await enter('plain', userId);
    await setup.follow();
    expect(await recordsOf('plain', userId)).toEqual([['withheld', 'frequency_cap']]);
  });

  test('a cap for another purpose does not apply, and no cap applies to bonuses', async () => {
    settings.frequency_caps = [{ purpose: 'marketing', times: 0, within: 'P1D' }];
    const userId = await playerAt(moment('2026-06-17T12:00Z'));
    for (const code of ['plain', 'care', 'present']) await enter(code, userId);
    await setup.follow();
    expect(await recordsOf('plain', userId)).toEqual([['withheld', 'frequency_cap']]);
    expect(await recordsOf('care', userId)).toEqual([['done', null]]);
    expect(await recordsOf('present', userId)).toEqual([['done', null]]);
  });
});

describe('the control group', () => {
  test('always has the same players, and keeps them when it grows; it gets service messages, no marketing and no bonus', async () => {
    settings.holdout = { percent: 30 };
    clock.set(moment('2026-06-17T12:00Z'));
    const many = await Promise.all(Array.from({ length: 40 }, (_, n) => setup.reader(`member ${n}`).then(() => n)));
    const groups: number[][] = [];
    for (const percent of [30, 30, 50]) {
      settings.holdout = { percent };
      const before = new Map(await Promise.all(many.map(async (n) => [n, await sentTo(`member ${n}`)] as const)));
      for (const n of many) await enter('plain', `member ${n}`);
      await setup.follow();
      const out: number[] = [];
      for (const n of many) if ((await sentTo(`member ${n}`)) === before.get(n)) out.push(n);
      groups.push(out);
    }
    const [first = [], again, grown] = groups;
    expect(first.length).toBeGreaterThan(4);
    expect(again).toEqual(first);
    expect(grown).toEqual(expect.arrayContaining(first));
    expect(grown?.length).toBeLessThan(40);
    const member = `member ${first[0]}`;
    for (const code of ['care', 'present']) await enter(code, member);
    await setup.follow();
    expect(await recordsOf('care', member)).toEqual([['done', null]]);
    expect(await recordsOf('present', member)).toEqual([['withheld', 'holdout']]);
    expect((await decisionsOn('plain', member))[0]).toMatchObject({ reason: 'holdout', contact: { held_out: true } });
  });
});

test('the results compare the control group only with players whom the gate allowed as well', async () => {
  settings.holdout = { percent: 50 };
  await setup.campaign(document('compared'));
  clock.set(moment('2026-06-17T12:00Z'));
  let heldOut = 0;
  for (let i = 0; i < 24; i++) {
    const userId = await playerAt(clock.now());
    const player_id = await setup.playerId(userId);
    if (i % 2 === 1) await pool.query('update player_consent set opted_in = false where player_id = $1', [player_id]);
    else heldOut += isHeldOut(`${brand.code} ${userId}`, 50) ? 1 : 0;
    await enter('compared', userId);
  }
  await setup.follow();
  const [campaign] = await readCampaigns(pool, brand_id, { code: 'compared' });
  const window = { zone: 'UTC', days: 1, today: '2026-06-18' };
  const arms = await measureArms(pool, campaign?.campaign_id ?? 0, window, false);
  expect(arms.map(({ split, variant, players }) => [split, variant, players])).toEqual([
    [null, 'holdout', heldOut],
    [null, 'reached', 12 - heldOut],
  ]);
});

test('the results warn if the control group does not have its share of the players, also after its size changed', async () => {
  const sizeOf = async (percent: number) => {
    settings.holdout = { percent };
    await pool.query(
      `update brand set settings = settings || jsonb_build_object('holdout', $2::jsonb) where brand_id = $1`,
      [brand_id, settings.holdout],
    );
  };
  await setup.campaign(document('sized'));
  const [campaign] = await readCampaigns(pool, brand_id, { code: 'sized' });
  const enterSome = async () => {
    for (let i = 0; i < 60; i++) await enter('sized', await playerAt(clock.now()));
    await setup.follow();
  };
  const isOff = async () => {
    const { splits } = await readResults(
      pool,
      { campaign_id: campaign?.campaign_id ?? 0, brand },
      { days: 1, at: clock.now() + 2 * day },
    );
    return splits.map(({ step, sample_ratio_mismatch }) => [step, sample_ratio_mismatch]);
  };
  clock.set(moment('2026-06-17T12:00Z'));
  await sizeOf(10);
  await enterSome();
  await sizeOf(50);
  clock.set(moment('2026-06-18T12:00Z'));
  await enterSome();
  const { rows } = await pool.query<{ percent: number }>(
    'select percent::float8 from brand_holdout where brand_id = $1 order by since',
    [brand_id],
  );
  expect(rows.map(({ percent }) => percent)).toEqual([0, 10, 50]);
  // The sizes are written by the clock of the database. The test sets when they began.
  const begin = (percent: number, at: string) =>
    pool.query('update brand_holdout set since = $3 where brand_id = $1 and percent = $2', [brand_id, percent, at]);
  await begin(0, '2026-06-01T00:00Z');
  await begin(10, '2026-06-17T00:00Z');
  await begin(50, '2026-06-18T00:00Z');
  expect(await isOff()).toEqual([[null, false]]);
  // If all players had been counted for the smaller group, it would be far too large.
  await begin(50, '2026-06-30T00:00Z');
  expect(await isOff()).toEqual([[null, true]]);
  await sizeOf(0);
});

describe('the policy of a market', () => {
  test('marketing for a product requires its consent; a bonus above the wagering limit is not credited', async () => {
    settings.product_consents = [{ product: 'casino', channel: 'site', consent: 'Casino.Site' }];
    await setup.campaign(
      document('british', {
        products: ['casino'],
        steps: [send, { id: 'gift', credit: { bonus_code: 'TEN', wagering: 35 } }],
      }),
    );
    const at = moment('2026-06-17T12:00Z');
    const [briton, willing, maltese] = [
      await playerAt(at, { country: 'GB' }),
      await playerAt(at, { country: 'GB' }),
      await playerAt(at, { country: 'MT' }),
    ];
    await pool.query(
      `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
       values ($1, 'casino.site', 'Casino.Site', 'Casino.Site', true, 'look_up', $2)`,
      [await setup.playerId(willing), timestamptzText(at)],
    );
    for (const userId of [briton, willing, maltese]) await enter('british', userId);
    await setup.follow();
    expect(await recordsOf('british', briton)).toEqual([
      ['withheld', 'policy_product_consent'],
      ['withheld', 'policy_wagering'],
    ]);
    expect(await recordsOf('british', willing)).toEqual([
      ['done', null],
      ['withheld', 'policy_wagering'],
    ]);
    expect(await recordsOf('british', maltese)).toEqual([
      ['done', null],
      ['done', null],
    ]);
  });

  test('on each channel, marketing for a product requires the consent for this product on this channel', async () => {
    const at = moment('2026-06-17T12:00Z');
    const userId = await playerAt(at, { country: 'GB' });
    const player_id = await setup.playerId(userId);
    settings.product_consents = channels.flatMap((channel) =>
      ['casino', 'betting'].map((product) => ({ product, channel, consent: `${product}.${channel}` })),
    );
    const contact = new ContactRules({ pool });
    const outcomes = (products: string[]) =>
      transaction(pool, async (tx) => {
        const reasons: Record<string, string | null> = {};
        for (const channel of channels) {
          const { rules } = await contact.of(tx, {
            brand: { ...brand, settings },
            at,
            contact: { channel, purpose: 'marketing', priority: 50 },
            subject: { products },
            players: [player_id],
          });
          const ruling = rules?.(['allowed'])[0];
          reasons[channel] = ruling?.outcome === 'withheld' ? ruling.reason : null;
        }
        return reasons;
      });
    const all = (reason: string | null) => Object.fromEntries(channels.map((channel) => [channel, reason]));
    expect(await outcomes(['casino'])).toEqual(all('policy_product_consent'));
    for (const channel of channels) {
      const type = `casino.${channel}`;
      await pool.query(
        `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
         values ($1, $2, $2, $2, true, 'look_up', $3)`,
        [player_id, type, timestamptzText(at)],
      );
      expect(await outcomes(['casino'])).toMatchObject({ [channel]: null });
    }
    expect(await outcomes(['casino'])).toEqual(all(null));
    expect(await outcomes(['betting'])).toEqual(all('policy_product_consent'));
    expect(await outcomes(['casino', 'betting'])).toEqual(all('policy_product_consent'));
  });

  test('a bonus whose wagering is not stated is not credited in a market that limits it', async () => {
    const at = moment('2026-06-17T12:00Z');
    const briton = await playerAt(at, { country: 'GB' });
    const maltese = await playerAt(at, { country: 'MT' });
    for (const userId of [briton, maltese]) await enter('present', userId);
    await setup.follow();
    expect(await recordsOf('present', briton)).toEqual([['withheld', 'policy_wagering_unknown']]);
    expect(await decisionsOn('present', briton)).toMatchObject([
      { outcome: 'withheld', reason: 'policy_wagering_unknown', contact: { policy: 'GB' } },
    ]);
    expect(await recordsOf('present', maltese)).toEqual([['done', null]]);
  });
});
