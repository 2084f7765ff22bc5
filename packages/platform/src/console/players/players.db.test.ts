import { beforeAll, describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const { pool } = console;

const deposit = {
  user_id: 'ann-1',
  payment_id: 'p-1',
  type: 'Credit',
  status: 'Approved',
  amount: 12.5,
  currency: 'SEK',
  exchange_rate: 0.1,
  vendor_id: 'v-1',
  origin: 'www.example.com',
  note: 'Ann called',
  timestamp: '2026-05-01T11:00:00.000001Z',
};

/** Inserts what look-ups at the operator would have stored. */
async function insertProfile(
  userId: string,
  fields: { email: string; first_name: string; last_name?: string; mobile_prefix?: string; mobile?: string },
): Promise<void> {
  const { email, first_name, last_name = null, mobile_prefix = null, mobile = null } = fields;
  await pool.query(
    `insert into player_profile (player_id, email, first_name, last_name, mobile_prefix, mobile, country, is_blocked, roles, segmentation, changed_at)
     select player_id, $2, $3, $4, $5, $6, 'MT', false, '{player}', '{"vip_level":3}', now() from player where user_id = $1`,
    [userId, email, first_name, last_name, mobile_prefix, mobile],
  );
}

beforeAll(async () => {
  await console.publish('registration', {
    user_id: 'ann-1',
    timestamp: '2026-05-01T10:00:00Z',
    ip_address: '192.0.2.1',
  });
  await console.publish('payment', deposit);
  await console.publish('payment', { ...deposit, payment_id: 'p-2', amount: 100, timestamp: '2026-05-01T11:30:00Z' });
  await console.publish('payment', { ...deposit, payment_id: 'p-2', amount: 101, timestamp: '2026-05-01T11:30:00Z' });
  await console.publish('payment', {
    ...deposit,
    payment_id: 'p-3',
    type: 'Debit',
    status: 'Requested',
    timestamp: '2026-05-01T11:45:00Z',
  });
  for (const user_id of ['ann-2', 'bob/1 ü'])
    await console.publish('login', { user_id, timestamp: '2026-05-01T11:50:00Z' });
  await console.derive();
  await insertProfile('ann-1', { email: 'Ann@Example.com', first_name: 'Ann' });
  await insertProfile('bob/1 ü', { email: 'bob@example.com', first_name: 'Bob' });
  await pool.query(
    `insert into player_block (player_id, type_key, type, spelling, active, note, source, as_of)
     select player_id, 'excluded', 'Excluded', 'Excluded', true, 'gambles too much', 'look_up', now() from player where user_id = 'ann-1'`,
  );
});

describe('a choice of traits and fields', () => {
  const get = (query: string) => console.get(`/brands/malta/players${query}`);

  test('applies to each player of a list, by names that include their windows', async () => {
    const { status, body } = await get('?search=ann-&traits=deposit_count,deposit_sum_90d&fields=country,email');
    expect(status).toBe(200);
    expect(body.items.map(({ user_id, profile }: { user_id: string; profile: object }) => [user_id, profile])).toEqual([
      ['ann-1', { country: 'MT', email: 'Ann@Example.com' }],
      ['ann-2', null],
    ]);
    expect(Object.keys(body.items[0].traits).sort()).toEqual(['deposit_count', 'deposit_sum_90d']);
    expect(body.items[0].traits.deposit_count.value).toBe(2);
    expect(body.items[1].traits.deposit_count.value).toBe(0);
    const plain = (await get('?search=ann-')).body.items[0];
    expect([plain.profile, plain.traits]).toEqual([undefined, undefined]);
  });

  test('accepts 50 long names', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `segmentation_${'x'.repeat(80)}_${index}`);
    const { status, body } = await get(`?search=ann-1&traits=deposit_count,${names.slice(1).join(',')}`);
    expect([status, Object.keys(body.items?.[0].traits)]).toEqual([200, ['deposit_count']]);
  });

  test('limits the fields of one player', async () => {
    const { body } = await get('/ann-1?traits=deposit_count_prev_7d,segmentation_vip_level&fields=country');
    // The name of the operator's own trait is valid, but this player does not have it.
    expect(Object.keys(body.traits)).toEqual(['deposit_count_prev_7d']);
    expect(body.profile).toEqual({ country: 'MT' });
    expect(body.sync).toBeDefined();
  });

  test.each([
    ['?traits=no_such_trait', 'unknown trait no_such_trait; GET traits lists all traits'],
    ['?search=nobody&traits=no_such_trait', 'unknown trait no_such_trait; GET traits lists all traits'],
    ['/ann-1?traits=deposit_count,deposit_sum_9x', 'unknown trait deposit_sum_9x; GET traits lists all traits'],
    ['/ann-1?fields=country,shoe_size', 'the profile has no field shoe_size'],
    [`?traits=${Array.from({ length: 51 }, (_, i) => `t${i}`).join(',')}`, 'at most 50 names'],
  ])('with an error is refused: %s', async (query, message) => {
    const { status, body } = await get(query);
    expect([status, body.errors[0].message]).toEqual([400, message]);
  });
});

describe('one player', () => {
  test('has exactly the documented shape', async () => {
    const { status, body } = await console.get('/brands/malta/players/ann-1');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['user_id', 'player_id', 'profile', 'consents', 'blocks', 'traits', 'sync']);
    expect(body).toMatchObject({ user_id: 'ann-1', player_id: expect.any(Number) });
    expect(body.profile).toMatchObject({
      email: 'Ann@Example.com',
      first_name: 'Ann',
      country: 'MT',
      last_name: null,
      roles: ['player'],
      segmentation: { vip_level: 3 },
    });
    expect(body.consents).toContainEqual({ type: 'Email', opted_in: null, in_doubt: false, as_of: null, source: null });
    expect(body.blocks[0]).toMatchObject({
      type: 'Excluded',
      active: true,
      note: 'gambles too much',
      source: 'look_up',
    });
    expect(body.sync).toMatchObject({ state: 'waiting', last_success: null, last_error: null });
  });

  test('has traits with windows, with exact amounts in the base currency', async () => {
    const { traits } = (await console.get('/brands/malta/players/ann-1')).body;
    const as_of = '2026-05-01T12:00:00.000000Z';
    expect(traits.deposit_count).toEqual({ value: 2, unit: 'count', as_of });
    expect(['11.25', '11.35']).toContain(traits.deposit_sum.value);
    expect(traits.deposit_sum.unit).toBe('EUR');
    expect(traits.deposit_last_at).toEqual({ value: '2026-05-01T11:30:00.000000Z', unit: 'timestamp', as_of });
    expect(traits.deposit_count_24h.value).toBe(2);
    expect(traits.withdrawal_last_at.value).toBeNull();
    const wished = (await console.get('/brands/malta/players/ann-1?windows=48h,90d,prev_7d')).body.traits;
    expect(
      Object.keys(wished)
        .filter((name) => /^deposit_count_(\d|prev)/.test(name))
        .toSorted(),
    ).toEqual(['deposit_count_48h', 'deposit_count_90d', 'deposit_count_prev_7d']);
    expect((await console.get('/brands/malta/players/ann-1?windows=2w')).status).toBe(400);
  });

  test("shows the age of an account from the operator's details if there is no registration event", async () => {
    await pool.query(
      `update player_profile set registration_date = '2020-02-02T00:00:00Z'
       where player_id in (select player_id from player where user_id in ('ann-1', 'bob/1 ü'))`,
    );
    const [ann, bob] = [
      await console.get('/brands/malta/players/ann-1'),
      await console.get(`/brands/malta/players/${encodeURIComponent('bob/1 ü')}`),
    ];
    expect([ann.body.traits.registered_at.value, ann.body.traits.account_age.value]).toEqual([
      '2026-05-01T10:00:00.000000Z',
      0,
    ]);
    expect([bob.body.traits.registered_at.value, bob.body.traits.account_age.value]).toEqual([
      '2020-02-02T00:00:00.000000Z',
      2280,
    ]);
  });

  test('shows the age and birthday of the details, masked for a viewer', async () => {
    await pool.query(
      `update player_profile set birth_date = '1990-05-03'
       where player_id in (select player_id from player where user_id = 'ann-1')`,
    );
    const shown = async (token?: string) => {
      const { traits } = (await console.get('/brands/malta/players/ann-1', token)).body;
      return ['age', 'birthday', 'days_to_birthday', 'deposit_count'].map((name) => traits[name].value);
    };
    expect(await shown()).toEqual([35, '05-03', 2, 2]);
    expect(await shown(await console.as('viewer'))).toEqual(['***', '***', '***', 2]);
  });

  test('counts messages that were received, shown, read and clicked, in total and by campaign', async () => {
    const send = (state: string, campaign: string | null, live: boolean, read: boolean) =>
      pool.query(
        `insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
           footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url, campaign_id, created_at,
           created_by, state, state_since, live_at, shown_at, read_at)
         select nextval('notification_number') * 64 + (player_id & 63), brand_id, player_id, 'site', 'marketing', 'inbox', 'silent', '',
                '', '', '', '{}', '', '', '', '', '', $2, at, 'test', $1, at, case when $3 then at end, case when $3 then at end,
                case when $4 then at end
         from player, (select timestamptz '2026-05-01T11:00:00Z' as at) t where user_id = 'bob/1 ü'`,
        [state, campaign, live, read],
      );
    await send('live', 'spring', true, true);
    await send('deleted', 'spring', true, false);
    await send('live', null, true, true);
    await send('withheld', 'spring', false, false);
    const { traits } = (await console.get(`/brands/malta/players/${encodeURIComponent('bob/1 ü')}`)).body;
    const of = (event: string) => [
      traits[`message_${event}_count`].value,
      traits[`message_${event}_count_by_campaign`].value,
    ];
    expect(of('received')).toEqual([3, { spring: 2 }]);
    expect(of('shown')).toEqual([3, { spring: 2 }]);
    expect(of('read')).toEqual([2, { spring: 1 }]);
    expect(of('clicked')).toEqual([0, {}]);
  });

  test('is masked for a viewer', async () => {
    const { body } = await console.get('/brands/malta/players/ann-1', await console.as('viewer'));
    expect(body.profile).toMatchObject({
      email: '***',
      first_name: '***',
      last_name: null,
      country: 'MT',
      is_blocked: false,
    });
    expect(body.blocks[0]).toMatchObject({ type: 'Excluded', active: true, note: '***' });
    expect(JSON.stringify(body)).not.toMatch(/ann@example|gambles/i);
  });

  test('may have any user_id, and is 404 if no event has it', async () => {
    const { body } = await console.get(`/brands/malta/players/${encodeURIComponent('bob/1 ü')}`);
    expect(body.user_id).toBe('bob/1 ü');
    expect((await console.get('/brands/malta/players/nobody')).status).toBe(404);
  });
});

describe('payments', () => {
  test('have exactly the documented shape, newest first', async () => {
    const { body } = await console.get('/brands/malta/players/ann-1/payments?type=Credit');
    expect(body.items.map(({ payment_id }: { payment_id: string }) => payment_id)).toEqual(['p-2', 'p-1']);
    expect(body.items[0]).toMatchObject({ status: 'Approved', conflicts: 1, events: [{}, {}] });
    expect(body.items[1]).toMatchObject({
      payment_id: 'p-1',
      type: 'Credit',
      status: 'Approved',
      amount: '12.5',
      currency: 'SEK',
      base_amount: '1.25',
      exchange_rate: '0.1',
      timestamp: '2026-05-01T11:00:00.000001Z',
      conflicts: 0,
      events: [{ status: 'Approved', amount: '12.5', timestamp: '2026-05-01T11:00:00.000001Z' }],
    });
  });

  test.each([
    ['status=Requested', ['p-3']],
    ['conflicting=true', ['p-2']],
    ['from=2026-05-01T11:30:00Z', ['p-3', 'p-2']],
    ['to=2026-05-01T13:00:00.000001%2B02:00', ['p-1']],
    ['from=2026-05-01T11:30:00Z&to=2026-05-01T11:30:00Z', ['p-2']],
  ])('filtered by %s', async (query, expected) => {
    const { body } = await console.get(`/brands/malta/players/ann-1/payments?${query}`);
    expect(body.items.map(({ payment_id }: { payment_id: string }) => payment_id)).toEqual(expected);
  });

  test('are paged', async () => {
    const first = await console.get('/brands/malta/players/ann-1/payments?limit=2');
    const second = await console.get(`/brands/malta/players/ann-1/payments?limit=2&cursor=${first.body.next}`);
    expect(second.body.items.map(({ payment_id }: { payment_id: string }) => payment_id)).toEqual(['p-1']);
    expect(second.body.next).toBeNull();
    expect((await console.get('/brands/malta/players/ann-1/payments?cursor=xyz')).body.errors[0].path).toBe('cursor');
  });

  test('have masked notes for a viewer', async () => {
    const { body } = await console.get('/brands/malta/players/ann-1/payments', await console.as('viewer'));
    expect(body.items[0].note).toBe('***');
  });

  test.each(['2026-05-01', '2026-05-01 10:00:00', '2026-02-30T10:00:00Z'])('refuse the bound %s', async (from) => {
    const { status, body } = await console.get(`/brands/malta/players/ann-1/payments?from=${from}`);
    expect([status, body.errors[0].path]).toEqual([400, 'from']);
  });
});

describe('the timeline', () => {
  const timeline = async (query = '', token?: string) =>
    (await console.get(`/brands/malta/players/ann-1/timeline?${query}`, token)).body;
  const kinds = (items: { kind: string }[]) => items.map(({ kind }) => kind);

  test('contains every event with its verdict, newest first', async () => {
    const { items } = await timeline();
    expect(items.map(({ kind, verdict }: { kind: string; verdict: string }) => `${kind} ${verdict}`)).toEqual([
      'payment applied',
      'payment conflict',
      'payment applied',
      'payment applied',
      'registration applied',
    ]);
    expect(items.at(-1)).toEqual({
      type: 'event',
      at: '2026-05-01T10:00:00.000000Z',
      kind: 'registration',
      position: expect.stringMatching(/^\d+-\d+-\d+$/),
      received_at: '2026-05-01T12:00:00.000000Z',
      summary: 'Registered',
      verdict: 'applied',
      flags: [],
    });
  });

  test('is filtered by kind, verdict and time, and paged', async () => {
    expect(kinds((await timeline('kind=registration')).items)).toEqual(['registration']);
    expect(kinds((await timeline('verdict=conflict')).items)).toEqual(['payment']);
    expect(kinds((await timeline('to=2026-05-01T11:00:00Z')).items)).toEqual(['registration']);
    expect((await timeline('from=2026-05-01T11:30:00Z')).items).toHaveLength(3);
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page = await timeline(`limit=2${next === '' ? '' : `&cursor=${next}`}`);
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ position }: { position: string }) => position));
      next = page.next;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });

  test('has bodies on request, masked by role', async () => {
    const { items } = await timeline('kind=registration&bodies=true');
    expect(items[0].body).toEqual({ user_id: 'ann-1', timestamp: '2026-05-01T10:00:00Z', ip_address: '192.0.2.1' });
    const masked = await timeline('kind=registration&bodies=true', await console.as('viewer'));
    expect(masked.items[0].body).toEqual({ user_id: 'ann-1', timestamp: '2026-05-01T10:00:00Z', ip_address: '***' });
  });
});

// These tests are last, because the timeline of the player lists their calls.
describe('the personal data of a player', () => {
  test('is revealed to a role with masked data for a reason; the audit keeps the reason and who asked', async () => {
    const path = '/brands/malta/players/ann-1/reveal';
    const support = await console.as('support');
    for (const body of [{}, { reason: 'x' }]) {
      expect((await console.call('POST', path, { token: support, body })).status).toBe(400);
    }
    const reason = 'She called about a payment, ticket 4711';
    for (const role of ['viewer', 'analyst', 'integrator'] as const) {
      const answer = await console.call('POST', path, { token: await console.as(role), body: { reason } });
      expect(answer.status, role).toBe(403);
    }
    const revealed = await console.call('POST', path, { token: support, body: { reason } });
    expect(revealed.body.profile).toMatchObject({ email: 'Ann@Example.com' });
    expect(JSON.stringify(revealed.body.blocks)).toMatch(/gambles/);
    const { player_id } = (await console.get('/brands/malta/players/ann-1', support)).body;
    const { actor } = (await console.get('/session', support)).body;
    const filter = `subject=${encodeURIComponent(`player ${player_id}`)}`;
    const { items } = (await console.get(`/brands/malta/audit?${filter}`)).body;
    expect(items).toMatchObject([{ actor, action: 'player.revealed', user_id: 'ann-1', details: { reason } }]);
  });
});
