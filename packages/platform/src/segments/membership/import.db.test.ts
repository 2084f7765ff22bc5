import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EventKind } from '@croupier/contracts';
import type { Rule, RuleNode } from '@croupier/rules';
import { startSandboxOperator } from '@croupier/sandbox';
import { afterAll, expect, test } from 'vitest';
import { type Publication, paymentBody } from '../../../testing/derive/stage.ts';
import { makeWorker } from '../../../testing/operator/setup-sync.ts';
import { setupSegments } from '../../../testing/segments/setup-segments.ts';
import { timestamptzText } from '../../database/index.ts';
import { RefreshConsumer } from '../../operator/players/index.ts';
import { verifySegments } from './index.ts';

/*
 * Tests an import: the events of 400 players' history arrive, derive applies them, and the operator answers a look-up of each player.
 * Members change, but no campaign may start.
 */
const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const operator = await startSandboxOperator({ auth, population: { prefix: 'p', count: 100_000 } });
const refreshes: RefreshConsumer = new RefreshConsumer({
  brands: { byId: (brandId) => stage.brands.byId(brandId) },
  wake: () => {},
});
const stage = await setupSegments({ brand: { operator: { base_url: operator.url, auth } }, consumers: [refreshes] });
const { pool, brand, brands, rules, clock, publish, derive, follow, segment, members } = stage;
let sync = makeWorker(pool, [brand]);
await sync.start();
afterAll(async () => {
  await sync.stop();
  await operator.stop();
});

const hour = 3_600_000_000;
const day = 24 * hour;
const rule = (...nodes: RuleNode[]): Rule => ({ combinator: 'and', rules: nodes });
const country: RuleNode = { field: 'profile.country', operator: '=', value: 'MT' };
const codes = ['everybody', 'Maltese', 'reachable', 'depositors', 'watched', 'here', 'nested'];

/** Waits until no look-ups are pending, and segments are up to date. */
async function answered() {
  sync.scheduler.wake();
  await expect
    .poll(async () => (await pool.query('select from player_sync where requested > done')).rowCount, { interval: 5 })
    .toBe(0);
  await follow();
}

async function loud() {
  const { rows } = await pool.query(
    `select p.user_id, s.code, t.transition, t.cause->>'type' as cause from segment_transition t join segment s using (segment_id)
       join player p on p.player_id = t.player_id where not t.silent order by 1, 2`,
  );
  return rows;
}

async function agrees() {
  const { versions, differences } = await verifySegments({ pool, brands, rules }, clock.now());
  expect({ versions, differences }).toEqual({ versions: codes.length, differences: [] });
}

const registration = (user_id: string, ago: number) => ({
  kind: 'registration' as const,
  body: { user_id, timestamp: timestamptzText(clock.now() - ago) },
});
const update = (kind: EventKind, user_id: string, ago: number) => ({
  kind,
  body: { user_id, timestamp: timestamptzText(clock.now() - ago) },
});
const deposit = (user_id: string, payment_id: string, ago: number) => ({
  kind: 'payment' as const,
  body: paymentBody({ user_id, payment_id, timestamp: timestamptzText(clock.now() - ago) }),
});

test('thousands of imported events and the look-ups they cause change members and start nothing', async () => {
  await segment('everybody', { combinator: 'and', rules: [] });
  await segment('Maltese', rule(country));
  await segment('reachable', rule({ field: 'consent.Email', operator: '=', value: true }));
  await segment('depositors', rule({ field: 'trait.deposit_count', operator: '>=', value: 5 }));
  await segment('watched', rule({ field: 'trait.deposit_count', operator: '>=', value: 1 }), {
    include_protected: true,
  });
  await segment('here', rule({ field: 'excluded', operator: '=', value: false }));
  await segment('nested', rule({ field: 'segment.Maltese', operator: '=', value: true }));
  for (let player = 0; player < 400; player += 7)
    operator.books.change(`p${player}`, { blocks: [{ type: 'Excluded', active: true, note: '' }] });

  const folder = await mkdtemp(join(tmpdir(), 'croupier-import-'));
  const file = join(folder, 'history.jsonl');
  const lines = Array.from({ length: 400 }, (_, player) => {
    const user = `p${player}`;
    return [
      registration(user, 60 * day),
      ...Array.from({ length: 10 }, (_, index) => deposit(user, `${index}`, (1 + (player % 30)) * (index + 1) * hour)),
      update('blocks_update', user, 2 * hour),
    ];
  });
  await writeFile(
    file,
    lines
      .flat()
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
  const reading = createInterface({ input: createReadStream(file) });
  let some: Publication[] = [];
  let published = 0;
  const send = async () => {
    await publish(...some);
    published += some.length;
    some = [];
    await derive();
    // Segments are evaluated before the operator has answered, between answers, and after them.
    await follow();
    sync.scheduler.wake();
  };
  for await (const line of reading) {
    some.push(JSON.parse(line));
    if (some.length === 500) await send();
  }
  await send();
  await rm(folder, { recursive: true });
  await answered();

  expect(published).toBe(4_800);
  expect((await members('everybody')).length).toBe(400 - 58);
  expect((await members('watched')).length).toBe(400);
  expect((await members('Maltese')).length).toBeGreaterThan(50);
  expect((await members('reachable')).length).toBeGreaterThan(50);
  expect(await loud()).toEqual([]);
  const { rows } = await pool.query('select count(*)::int as silent from segment_transition');
  expect(rows[0].silent).toBeGreaterThan(1_500);
  await agrees();
});

test('an imported update is silent if the operator then protects the player, and also if the protection ends', async () => {
  operator.books.change('p1', { blocks: [{ type: 'Excluded', active: true, note: '' }] });
  operator.books.change('p7', { blocks: [{ type: 'Excluded', active: false, note: '' }] });
  await publish(update('blocks_update', 'p1', hour), update('user_update', 'p7', hour));
  await derive();
  await answered();
  expect(await members('everybody')).not.toContain('p1');
  expect(await members('everybody')).toContain('p7');
  expect(await loud()).toEqual([]);
  await agrees();
});

test('if a player logs in just after the import, the transition that the look-up causes is not silent', async () => {
  // Otherwise the poll of `sync` may ask the operator before the login, and the answer would belong to the import.
  await sync.stop();
  await publish(registration('p2001', 60 * day));
  await derive();
  await follow();
  await publish(update('login', 'p2001', 0));
  await derive();
  sync = makeWorker(pool, [brand]);
  await sync.start();
  await answered();
  const { rows } = await pool.query('select distinct silent from record_change');
  expect(rows).toEqual([]);
  expect((await loud()).map(({ user_id, cause }) => ({ user_id, cause }))).toContainEqual({
    user_id: 'p2001',
    cause: 'record',
  });
  await agrees();
});

test('a changed country is current news: the transitions of players who move are not silent', async () => {
  const before = await loud();
  const [mover = ''] = (await members('Maltese')).filter((user) => user !== 'p2001');
  operator.books.change(mover, { details: { country: 'DE' } });
  await publish(update('user_update', mover, 0));
  await derive();
  await answered();
  expect((await members('Maltese')).includes(mover)).toBe(false);
  expect(await loud()).toHaveLength(before.length + 2);
  expect(await loud()).toContainEqual({ user_id: mover, code: 'Maltese', transition: 'left', cause: 'record' });
  await agrees();
});
