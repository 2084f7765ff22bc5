import { beforeAll, describe, expect, test } from 'vitest';
import { createBrand } from '../../../testing/brand.ts';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { timestamptzText } from '../../database/index.ts';
import { ensureBaseline } from '../../derive/history/baseline.ts';
import { JournalPartitions } from '../../derive/journal/index.ts';

const console = await setupConsole();
const second = 1_000_000;

const login = (user_id: string, origin?: string) => ({
  user_id,
  timestamp: '2026-05-01T11:59:59.5Z',
  ip_address: '192.0.2.1',
  ...(origin && { origin }),
});
const deposit = {
  user_id: 'ann',
  payment_id: 'p-1',
  type: 'Credit',
  status: 'Approved',
  amount: 10,
  currency: 'EUR',
  exchange_rate: 1,
  vendor_id: 'v-1',
  origin: 'a.example.com',
  timestamp: '2026-05-01 11:00:00',
};

interface FeedItem {
  position: string;
  kind: string;
  user_id: string;
  verdict: string;
}

/** All items, page by page. */
async function feed(query = '', limit = 50): Promise<FeedItem[]> {
  const items: FeedItem[] = [];
  let cursor = '';
  do {
    const { status, body } = await console.get(`/brands/malta/feed?limit=${limit}&${query}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    items.push(...body.items);
    cursor = body.next === null ? '' : `&cursor=${body.next}`;
  } while (cursor !== '');
  return items;
}

const told = (items: readonly FeedItem[]) => items.map(({ kind, user_id, verdict }) => `${kind} ${user_id} ${verdict}`);

beforeAll(async () => {
  await console.publish('login', login('ann', 'a.example.com'));
  console.clock.advance(second);
  await console.publish('login', login('ann', 'a.example.com'));
  console.clock.advance(second);
  await console.publish('login', login('bob', 'b.example.com'));
  await console.publish('payment', deposit);
  await console.publish('payment', { ...deposit, amount: 11 });
  await console.publish('payment', { ...deposit, payment_id: 'p-9', status: 'Rollback' });
  const { brand: another } = await createBrand(console.pool, { code: 'sweden' });
  await console.publish('login', login('ann'), another);
  await console.derive();
  console.clock.advance(second);
  await console.publish('login', login('late'));
});

describe('the feed', () => {
  test('contains every event of the brand with its verdict, newest first', async () => {
    expect(told(await feed())).toEqual([
      'login late pending',
      'payment ann orphan',
      'payment ann conflict',
      'payment ann applied',
      'login bob applied',
      'login ann repeat',
      'login ann applied',
    ]);
  });

  test.each([1, 2, 3])('in pages of %i is the same list', async (limit) => {
    expect(await feed('', limit)).toEqual(await feed());
  });

  test.each([
    ['', 7],
    ['', 1],
    ['user_id=ann&', 5],
    ['verdict=conflict&', 1],
    ['origin=b.example.com&', 1],
  ])('has no page after the last event: %slimit=%i', async (query, limit) => {
    const count = (await feed(query)).length;
    let pages = 0;
    let cursor = '';
    do {
      const { body } = await console.get(`/brands/malta/feed?${query}limit=${limit}${cursor}`);
      expect(body.items).not.toEqual([]);
      cursor = body.next === null ? '' : `&cursor=${body.next}`;
      pages += 1;
    } while (cursor !== '');
    expect(pages).toBe(Math.ceil(count / limit));
  });

  test('shows times, delay and flags of an event', async () => {
    const { body } = await console.get('/brands/malta/feed?verdict=orphan');
    expect(body.items[0]).toMatchObject({
      origin: 'a.example.com',
      player_id: expect.any(Number),
      timestamp: '2026-05-01T11:00:00.000000Z',
      received_at: '2026-05-01T12:00:02.000000Z',
      publish_delay_ms: 3_602_000,
      flags: ['zoneless_timestamp'],
    });
  });

  test.each([
    ['kind=login', ['login late pending', 'login bob applied', 'login ann repeat', 'login ann applied']],
    ['user_id=bob', ['login bob applied']],
    ['origin=b.example.com', ['login bob applied']],
    ['verdict=repeat', ['login ann repeat']],
    ['verdict=conflict', ['payment ann conflict']],
    ['verdict=orphan&user_id=bob', []],
    ['verdict=pending', ['login late pending']],
    ['from=2026-05-01T12:00:03Z', ['login late pending']],
    ['to=2026-05-01T12:00:00Z', ['login ann applied']],
    ['kind=login&user_id=ann&verdict=applied', ['login ann applied']],
    ['verdict=conflict&to=2026-05-01T12:00:01Z', []],
  ])('filtered by %s contains only the matching events', async (query, expected) => {
    expect(told(await feed(query))).toEqual(expected);
    expect(told(await feed(query, 1))).toEqual(expected);
  });

  test('refuses a cursor of another list', async () => {
    const { body } = await console.get('/brands/malta/feed?limit=1');
    const { status } = await console.get(`/brands/malta/feed?verdict=conflict&cursor=${body.next}`);
    expect(status).toBe(400);
  });
});

describe('one event', () => {
  test('shows its body byte by byte, the call that sent it, and its outcome', async () => {
    const [conflict] = await feed('verdict=conflict');
    const { body } = await console.get(`/brands/malta/feed/${conflict?.position}`);
    expect(body).toMatchObject({
      kind: 'payment',
      request: { method: 'POST', path: '/v1/integration/payment' },
      body: { ...deposit, amount: 11 },
      body_text: JSON.stringify({ ...deposit, amount: 11 }),
      verdict: 'conflict',
    });
    expect(body.derived.meaning).toContain('different money');
    expect(body.derived.flags[0].flag).toBe('zoneless_timestamp');
  });

  test('is masked for roles that may not see personal data', async () => {
    const [event] = await feed('user_id=bob');
    const { body } = await console.get(`/brands/malta/feed/${event?.position}`, await console.as('integrator'));
    expect(body.body).toEqual({ ...login('bob', 'b.example.com'), ip_address: '***' });
    expect(body.body_text).toBeNull();
  });

  test('of another brand does not exist', async () => {
    const foreign = await console.get('/brands/sweden/feed');
    const { position } = foreign.body.items[0];
    expect((await console.get(`/brands/sweden/feed/${position}`)).status).toBe(200);
    expect((await console.get(`/brands/malta/feed/${position}`)).status).toBe(404);
    expect((await console.get('/brands/malta/feed/1-2')).status).toBe(404);
    expect((await console.get('/brands/malta/feed/9-9-9')).status).toBe(404);
  });
});

test('parked events are paged, by player and cause, oldest first', async () => {
  // Two players whose events were parked at the same time, with hashes that a double cannot distinguish. One has two causes.
  await console.pool.query(
    `insert into parked_event (writer_id, seq, index, brand_id, player_hash, bucket, kind, received_at, cause, reason, user_id, parked_at, retry_at)
     select 900, n, 0, $1, hash, 0, 1, at, cause, 'a test', case when cause = 'failing' then 'p-' || n end, at, at
     from (values (1, 18446744073709551614, 'failing', timestamptz '2026-05-01T11:00:00Z'),
                  (2, 18446744073709551613, 'failing', '2026-05-01T11:00:00Z'),
                  (3, 18446744073709551613, 'unreadable', '2026-05-01T11:00:00Z'),
                  (4, 7, 'failing', '2026-05-01T10:00:00Z')) as v (n, hash, cause, at)`,
    [console.brand.brand_id],
  );
  const list = async (query: string) => (await console.get(`/brands/malta/parked?${query}`)).body;
  const told = ({ items }: { items: { user_id: string | null }[] }) => items.map(({ user_id }) => user_id);
  expect(await list('limit=4')).toMatchObject({ items: { length: 4 }, next: null });
  const first = await list('limit=2');
  expect(told(first)).toEqual(['p-4', 'p-2']);
  const second = await list(`limit=1&cursor=${first.next}`);
  expect(second.items).toMatchObject([{ user_id: null, cause: 'unreadable', events: 1 }]);
  const third = await list(`limit=1&cursor=${second.next}`);
  expect(told(third)).toEqual(['p-1']);
  expect(third.next).toBeNull();
  await console.pool.query('delete from parked_event where writer_id = 900');
});

test('omitted fields, and unknown ones with similar names, are listed with the event', async () => {
  await console.publish('payment', { ...deposit, user_id: 'remarks', deposit_count: 2.5, paymentid: '7' });
  const [pending] = (await console.get('/brands/malta/feed?user_id=remarks')).body.items;
  await console.derive();
  const [derived] = (await console.get('/brands/malta/feed?user_id=remarks')).body.items;
  for (const event of [pending, derived]) {
    expect(event.flags.toSorted()).toEqual(['field_left_out', 'resembles_known_field', 'zoneless_timestamp']);
    expect(event.remarks).toEqual([
      {
        path: 'paymentid',
        rule: 'unknown_field',
        message: 'paymentid is unknown and was ignored; send it as payment_id if that is what you mean.',
      },
      {
        path: 'deposit_count',
        rule: 'whole_number',
        message: 'deposit_count was ignored. The value must be a whole number of 0 or more.',
      },
    ]);
  }
  const { body } = await console.get(`/brands/malta/feed/${derived.position}`);
  expect(body.body).toMatchObject({ paymentid: '7', deposit_count: 2.5 });
  const german = await console.app.inject({
    url: `/api/console/v1/brands/malta/feed/${derived.position}`,
    headers: { authorization: `Bearer ${adminToken}`, 'accept-language': 'de' },
  });
  const { remarks, derived: meanings } = german.json();
  expect(remarks.map(({ message }: { message: string }) => message)).toEqual([
    'paymentid ist unbekannt und wurde ignoriert; senden Sie das Feld als payment_id, wenn Sie das meinen.',
    'deposit_count wurde ignoriert. Der Wert muss eine ganze Zahl ab 0 sein.',
  ]);
  expect(meanings.meaning).toContain('Das Ereignis war bei seiner Ankunft das erste mit seinem Schlüssel');
  expect(meanings.flags).toContainEqual({
    flag: 'resembles_known_field',
    meaning: 'Das Ereignis hat ein unbekanntes Feld, das einem bekannten ähnelt, wie paymentid.',
  });
});

test('an event older than the journal is shown as past, not as pending', async () => {
  await console.derive();
  const [{ position } = { position: '' }] = await feed('verdict=conflict');
  console.clock.advance(92 * 86_400 * second);
  await new JournalPartitions(console.pool).dropOld(console.clock.now());
  expect(new Set((await feed()).map(({ verdict }) => verdict))).toEqual(new Set(['past']));
  const { body } = await console.get(`/brands/malta/feed/${position}`);
  expect(body).toMatchObject({ verdict: 'past', summary: 'Deposit of 11 EUR by v-1: Approved' });
  expect(body.derived.meaning).toContain('90 days');
});

describe('the traits around an event', () => {
  const around = (position: string, token?: string) => console.get(`/brands/malta/feed/${position}/traits`, token);
  const positionsOf = async (user_id: string) =>
    (await feed(`user_id=${user_id}`)).toReversed().map(({ position }) => position);

  test('are those of the events that were received before, and with the event', async () => {
    const at = timestamptzText(console.clock.now());
    const own = { ...deposit, user_id: 'traits', timestamp: at };
    for (const payment_id of ['t-1', 't-2', 't-2']) {
      await console.publish('payment', { ...own, payment_id });
      console.clock.advance(second);
    }
    await console.derive();
    const rows = 'select (select count(*) from player) as players, (select count(*) from live.payment) as payments';
    const before = await console.pool.query(rows);
    const [first, next, repeat] = await positionsOf('traits');
    const changes = async (position: string | undefined) => {
      const { status, body } = await around(position ?? '');
      expect(status).toBe(200);
      expect(body.why).toBeNull();
      return Object.fromEntries(body.items.map(({ name, ...one }: { name: string }) => [name, one] as const));
    };
    expect(await changes(first)).toMatchObject({
      deposit_count: { unit: 'count', before: 0, after: 1 },
      deposit_sum: { unit: 'EUR', before: '0', after: '10' },
      deposit_last_at: { before: null, after: at },
    });
    expect(await changes(next)).toMatchObject({
      deposit_count: { before: 1, after: 2 },
      deposit_sum_7d: { before: '10', after: '20' },
    });
    expect(await changes(repeat)).toEqual({});
    // The invented player and the facts are gone.
    expect((await console.pool.query(rows)).rows).toEqual(before.rows);
  });

  test('are refused for an event that does not exist', async () => {
    expect((await around('99-1-0')).status).toBe(404);
  });

  test('are absent for an event that waits, or whose player is not known', async () => {
    await console.publish('login', login('traits-new'));
    const [position] = await positionsOf('traits-new');
    expect((await around(position ?? '')).body).toEqual({ items: null, why: 'no_player' });
  });

  test('are absent if the ledger no longer keeps all events of the player', async () => {
    const [position = ''] = await positionsOf('traits');
    await console.derive();
    await ensureBaseline(console.pool);
    await console.pool.query(
      `insert into baseline.registration (player_id, at, day, fingerprint)
       select player_id, now(), current_date, '' from player where user_id = 'traits'`,
    );
    expect((await around(position)).body).toEqual({ items: null, why: 'older_days' });
    await console.pool.query('delete from baseline.registration');
  });
});
