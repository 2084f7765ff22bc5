import { createHash } from 'node:crypto';
import { Pool } from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { makeKnown } from '../../../testing/gate/setup-gate.ts';
import { testLog } from '../../../testing/log.ts';
import { timestamptzText, transaction } from '../../database/index.ts';
import { type ContactRequest, Gate, Sealer } from '../../gate/index.ts';
import { noteProtection, TransitionFollower } from '../../operator/protection/index.ts';
import { followers } from '../../operator/protection/transition.ts';

const setup = await setupConsole();
const { pool, brand, clock, get, call } = setup;
const gate = new Gate({ clock: clock.now, brands: setup.brands });
const sealer = new Sealer({ pool, clock: clock.now, log: testLog });
const base = `/brands/${brand.code}`;
let ann = 0;
let causes = 0;

beforeAll(async () => {
  const { rows } = await pool.query<{ player_id: number }>(
    `insert into player (brand_id, user_id, bucket) select $1, id, 0 from unnest(array['ann', '=ben']) id returning player_id`,
    [brand.brand_id],
  );
  const players = rows.map((row) => row.player_id);
  ann = players[0] ?? 0;
  await makeKnown(pool, brand.brand_id, players, timestamptzText(clock.now()));
  clock.advance(60_000_000);
  for (const player_id of players) {
    await ask(
      { player_id, channel: 'email', purpose: 'marketing' },
      { player_id, channel: 'telephone', purpose: 'marketing' },
    );
  }
  await sealer.runOnce();
});

function ask(...requests: Pick<ContactRequest, 'player_id' | 'channel' | 'purpose'>[]) {
  return transaction(pool, (tx) =>
    gate.mayContact(
      tx,
      requests.map((request) => {
        return {
          ...request,
          brand_id: brand.brand_id,
          cause: { kind: 'message', id: `m-${++causes}` },
          expires_at: null,
        };
      }),
    ),
  );
}

test('contactability: every channel and purpose; reading it creates no record', async () => {
  const before = (await get(`${base}/decisions`)).body.items.length;
  const { status, body } = await get(`${base}/players/ann/contactability`);
  expect(status).toBe(200);
  expect(body.items).toHaveLength(17);
  const of = (channel: string, purpose: string) =>
    body.items.find(
      (item: { channel: string; purpose: string }) => item.channel === channel && item.purpose === purpose,
    );
  expect(of('email', 'marketing')).toMatchObject({
    outcome: 'allowed',
    reason: null,
    age_ms: 60_000,
    sources: ['look_up'],
  });
  expect(of('telephone', 'marketing')).toMatchObject({ outcome: 'withheld', reason: 'consent_unknown' });
  expect(of('telephone', 'service')).toMatchObject({ outcome: 'allowed' });
  expect(of('bonus', 'bonus')).toMatchObject({ outcome: 'allowed' });
  expect((await get(`${base}/decisions`)).body.items).toHaveLength(before);
});

test('why: each input with its source and age, the rule, what would have to change, and the last decisions', async () => {
  const { body } = await get(`${base}/players/ann/why?channel=telephone&purpose=marketing`);
  expect(body).toMatchObject({
    outcome: 'withheld',
    reason: 'consent_unknown',
    rule: { version: 3, fact_age_hours: 24 },
    needs: ['consents.Telephone must be true; no source has reported it'],
    last_decisions: [{ user_id: 'ann', outcome: 'withheld', seal_no: 1 }],
  });
  expect(body.inputs.said[0]).toEqual({
    about: 'excluded',
    input: 'details.is_excluded',
    value: false,
    in_doubt: false,
    unconfirmed: false,
    counts: false,
    source: 'look_up',
    as_of: '2026-05-01T12:00:00.000000Z',
  });
  expect((await get(`${base}/players/nobody/why?channel=email&purpose=service`)).status).toBe(404);
});

test('decisions are listed page by page, by player, outcome, channel, reason and time', async () => {
  const first = await get(`${base}/decisions?limit=3`);
  const rest = await get(`${base}/decisions?limit=3&cursor=${first.body.next}`);
  const made = [...first.body.items, ...rest.body.items].map((item): number => item.decision_id).reverse();
  expect(made).toEqual(made.toSorted((a, b) => a - b));
  expect(made).toHaveLength(4);
  /** The numbers of these decisions in order of creation, starting with 1. */
  const ids = async (query: string) =>
    (await get(`${base}/decisions?${query}`)).body.items.map(
      (item: { decision_id: number }) => made.indexOf(item.decision_id) + 1,
    );
  expect(await ids('user_id=ann')).toEqual([2, 1]);
  expect(await ids('outcome=allowed')).toEqual([3, 1]);
  expect(await ids('channel=telephone&user_id=ann')).toEqual([2]);
  expect(await ids('reason=consent_unknown')).toEqual([4, 2]);
  expect(await ids('from=2026-05-01T12:01:01Z')).toEqual([]);
  expect(await ids('cause_id=m-1')).toEqual([1]);
});

test('held contacts are listed with reason and age, and their look-ups are requested', async () => {
  const [stranger] = (
    await pool.query<{ player_id: number }>(
      `insert into player (brand_id, user_id, bucket) values ($1, 'carl', 0) returning player_id`,
      [brand.brand_id],
    )
  ).rows;
  await ask({ player_id: stranger?.player_id ?? 0, channel: 'sms', purpose: 'marketing' });
  expect((await get(`${base}/holds`)).body.items).toMatchObject([
    { user_id: 'carl', reason: 'unknown', channel: 'sms', campaign: null },
  ]);
});

describe('the export', () => {
  const lines = async (query = '') => {
    const answer = await setup.app.inject({
      url: `/api/console/v1${base}/decisions/export.jsonl?${query}`,
      headers: { authorization: 'Bearer the-admin-token-of-the-tests' },
    });
    expect(answer.headers['content-type']).toBe('application/jsonl; charset=utf-8');
    return answer.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  const sha256 = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    return hash.digest();
  };

  test('can be verified with its own lines only, as docs/guides/compliance.md describes', async () => {
    const exported = await lines('user_id=ann');
    const seals = new Map(exported.filter((one) => one.type === 'seal').map((one) => [one.seal_no, one]));
    const decisions = exported.filter((one) => one.type === 'decision');
    expect(decisions).toHaveLength(2);
    for (const d of decisions) {
      expect(sha256(d.inputs).toString('hex')).toBe(d.inputs_sha256);
      const canonical = JSON.stringify([
        'croupier decision 1',
        d.decision_id,
        d.brand_id,
        d.player_id,
        d.channel,
        d.purpose,
        d.outcome,
        d.reason,
        d.cause_kind,
        d.cause_id,
        d.rule_version,
        d.inputs_sha256,
        d.age_ms,
        d.decided_at,
        d.expires_at,
      ]);
      let hash = sha256('\0', canonical);
      for (const step of d.proof as string[]) {
        const [side, hex = ''] = step.split(':');
        const other = Buffer.from(hex, 'hex');
        hash = side === 'left' ? sha256('\u0001', other, hash) : sha256('\u0001', hash, other);
      }
      const seal = seals.get(d.seal_no);
      expect(hash.toString('hex')).toBe(seal.root);
      const text = [
        'croupier seal 1',
        seal.brand_id,
        seal.seal_no,
        seal.decisions,
        seal.root,
        seal.previous,
        seal.sealed_at,
      ];
      expect(sha256('\u0002', JSON.stringify(text)).toString('hex')).toBe(seal.hash);
    }
    expect(exported.at(-1)).toMatchObject({ type: 'end', decisions: 2, head: { seal_no: 1, hash: seals.get(1).hash } });
  });

  test('as CSV: one line per decision, and no value that a spreadsheet would execute', async () => {
    const answer = await setup.app.inject({
      url: `/api/console/v1${base}/decisions/export.csv?outcome=allowed`,
      headers: { authorization: 'Bearer the-admin-token-of-the-tests' },
    });
    const rows = answer.body.trimEnd().split('\r\n');
    expect(rows[0]).toMatch(/^decision_id,brand_id,player_id,user_id,decided_at,.*,seal_no,seal_hash,seal_root,proof$/);
    expect(rows).toHaveLength(3);
    expect(rows[2]).toContain(",'=ben,");
  });

  test('requires the compliance role, and is audited', async () => {
    expect((await get(`${base}/decisions/export.csv`, await setup.as('crm'))).status).toBe(403);
    const token = await setup.as('compliance');
    const query = 'user_id=ann&from=2026-05-01T00:00:00Z';
    await setup.app.inject({
      url: `/api/console/v1${base}/decisions/export.csv?${query}`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await get(`${base}/audit`, token)).body.items[0]).toMatchObject({
      action: 'decisions.exported',
      subject: `player ${ann}`,
      details: { format: 'csv' },
    });
  });
});

test('the chain is verified from the console, also against a head stored earlier', async () => {
  await sealer.runOnce();
  const verify = (body: object) => call('POST', `${base}/decisions/verification`, { body });
  const { body } = await verify({});
  expect(body).toMatchObject({ complete: true, finding: null, seals: 2, decisions: 5, head: { seal_no: 2 } });
  expect((await verify({ expect: body.head })).body.finding).toBeNull();
  expect((await verify({ expect: { ...body.head, hash: '0'.repeat(64) } })).body.finding).toMatchObject({
    kind: 'altered_seal',
    seal_no: 2,
  });
  expect((await verify({ after: body.head })).body).toMatchObject({ complete: true, seals: 0 });
});

test('transitions are listed, with followers that have not handled them', async () => {
  await transaction(pool, async (tx) => {
    await tx.query('update player_profile set is_excluded = true where player_id = $1', [ann]);
    await noteProtection(tx, [ann], { source: 'look_up', at: clock.now() });
  });
  const { body } = await get(`${base}/transitions?user_id=ann&waiting=true`);
  expect(body.items).toMatchObject([
    {
      user_id: 'ann',
      kind: 'excluded',
      source: 'look_up',
      waiting: ['actions', 'campaigns', 'channels', 'site'].map((follower) => ({
        follower,
        attempts: 0,
        failure: null,
      })),
    },
  ]);
  expect((await get(`${base}/transitions?kind=blocked`)).body.items).toEqual([]);
  expect((await get(`${base}/players/ann/timeline?kind=transition`)).body.items).toMatchObject([
    { type: 'transition', kind: 'excluded', source: 'look_up', at: '2026-05-01T12:01:00.000000Z' },
  ]);
});

test('the platform filters transitions by kind, so each page is full', async () => {
  const [{ transition_id: newest = 0 } = {}] = (await get(`${base}/transitions?limit=1`)).body.items;
  await pool.query(
    `with dora as (insert into player (brand_id, user_id, bucket) values ($1, 'dora', 0) returning player_id)
     insert into protection_transition (brand_id, player_id, kind, consent_type, source, at, received_at)
     select $1, player_id, case when n in (1, 2, 3) then 'exclusion_ended' else 'consent_given' end,
            case when n > 3 then 'Email' end, 'look_up', $2, $2 from dora, generate_series(1, 60) n`,
    [brand.brand_id, timestamptzText(clock.now())],
  );
  type Page = { items: { transition_id: number; kind: string }[]; next: string | null };
  const read = async (query: string): Promise<Page> => (await get(`${base}/transitions?${query}`)).body;
  const kindsOf = ({ items }: Page) => items.filter((one) => one.transition_id > newest).map(({ kind }) => kind);
  const ended = Array.from({ length: 3 }, () => 'exclusion_ended');
  // The ends of exclusions are older than 57 consents.
  const exclusions = await read('kinds=excluded,exclusion_ended&limit=3');
  expect(kindsOf(exclusions)).toEqual(ended);
  expect(kindsOf(await read('kinds=consent_given&limit=50'))).toHaveLength(50);
  const pages = [await read('kinds=exclusion_ended,consent_given&limit=50')];
  pages.push(await read(`kinds=exclusion_ended,consent_given&limit=50&cursor=${pages[0]?.next}`));
  const consents = Array.from({ length: 57 }, () => 'consent_given');
  expect(pages.flatMap(kindsOf)).toEqual([...consents, ...ended]);
  // Both filters apply.
  expect(kindsOf(await read('kinds=excluded,exclusion_ended&kind=exclusion_ended'))).toEqual(ended);
  expect((await read('kinds=excluded,exclusion_ended&kind=consent_given')).items).toEqual([]);
  expect((await get(`${base}/transitions?kinds=excluded,gone`)).status).toBe(400);
});

test('the time to suppress begins when the update is received, and ends when the last follower has handled it', async () => {
  const received_at = clock.now() - 400_000;
  await pool.query(`update player_profile set country = 'GB', is_excluded = false where player_id = $1`, [ann]);
  await transaction(pool, (tx) => noteProtection(tx, [ann], { source: 'look_up', at: clock.now() }));
  await pool.query('delete from protection_delivery');
  await transaction(pool, async (tx) => {
    await tx.query('update player_profile set is_excluded = true where player_id = $1', [ann]);
    await noteProtection(
      tx,
      [ann],
      { source: 'look_up', at: clock.now() },
      { receivedAt: new Map([[ann, received_at]]) },
    );
  });
  const list = async () => (await get(`${base}/transitions?user_id=ann&kind=excluded`)).body.items[0];
  expect(await list()).toMatchObject({
    received_at: timestamptzText(received_at),
    suppressed_at: null,
    suppression_ms: null,
    suppression_allowed: 'P2D',
  });
  for (const [place, follower] of followers.entries()) {
    expect((await list()).suppressed_at).toBeNull();
    const at = clock.now() + place * 100_000;
    const options = { pool, log: testLog, follower, clock: () => at, handle: async () => {} };
    expect(await new TransitionFollower(options).runOnce()).toMatchObject({ handled: 1 });
  }
  expect(await list()).toMatchObject({ suppression_ms: 700, waiting: [] });
  const why = await get(`${base}/players/ann/why?channel=email&purpose=marketing`);
  expect(why.body.suppression).toMatchObject({ kind: 'excluded', suppression_ms: 700, suppression_allowed: 'P2D' });
});

test('an erased player has no user_id in decisions, holds, transitions and exports; the tombstone is not shown', async () => {
  const { rows } = await pool.query<{ player_id: number }>(
    `update player set user_id = 'erased:' || player_id, erased_at = now() where user_id in ('ann', 'carl') returning player_id`,
  );
  const erased = rows.map(({ player_id }) => player_id);
  type Shown = { player_id: number; user_id: string | null };
  const userIds = (items: Shown[]) =>
    new Set(items.filter(({ player_id }) => erased.includes(player_id)).map(({ user_id }) => user_id));
  for (const list of ['decisions', 'holds', 'transitions'])
    expect([list, userIds((await get(`${base}/${list}`)).body.items)]).toEqual([list, new Set([null])]);
  const exported = async (format: string) =>
    (
      await setup.app.inject({
        url: `/api/console/v1${base}/decisions/export.${format}`,
        headers: { authorization: 'Bearer the-admin-token-of-the-tests' },
      })
    ).body;
  const jsonLines = (await exported('jsonl')).trimEnd().split('\n');
  expect(userIds(jsonLines.map((line) => JSON.parse(line)))).toEqual(new Set([null]));
  expect(await exported('csv')).not.toContain('erased:');
});

test('a search by a rare value alone covers the last 90 days; with a player, a cause or a time it covers all', async () => {
  const path = `${base}/decisions?channel=telephone&limit=100`;
  const found = (await get(path)).body.items.length;
  expect(found).toBeGreaterThan(0);
  const begin = timestamptzText(clock.now() - 92 * 86_400_000_000);
  await pool.query(`update gate_decision set decided_at = decided_at - interval '91 days'`);
  expect((await get(path)).body.items).toHaveLength(0);
  expect((await get(`${path}&from=${encodeURIComponent(begin)}`)).body.items).toHaveLength(found);
});

test('a page of withheld decisions reads no allowed ones, however many there are', async () => {
  await pool.query(
    `insert into gate_decision (decision_id, brand_id, player_id, channel, purpose, outcome, reason, cause_kind, cause_id, rule_version,
                                inputs, inputs_sha256, decided_at)
     select 640000000 + n * 64 + (d.player_id & 63), d.brand_id, d.player_id, d.channel, d.purpose,
            case when n % 500 = 0 then 'withheld' else 'allowed' end, d.reason, d.cause_kind, 'many ' || n, d.rule_version, d.inputs,
            d.inputs_sha256, $2::timestamptz
       from (select * from gate_decision where brand_id = $1 limit 1) d, generate_series(1, 5000) n`,
    [brand.brand_id, timestamptzText(clock.now())],
  );
  await pool.query('analyze gate_decision');
  const query = vi.spyOn(Pool.prototype, 'query');
  const { body } = await get(`${base}/decisions?outcome=withheld&limit=3`);
  const statements = query.mock.calls.filter(([text]) => String(text).includes('from gate_decision d'));
  query.mockRestore();
  expect(body.items).toHaveLength(3);
  const [text, values] = statements[0] as unknown as [string, unknown[]];
  const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
  const plan = JSON.stringify(rows[0]['QUERY PLAN']);
  const skipped = [...plan.matchAll(/"Rows Removed by Filter":([\d.]+)/g)].map(([, count]) => Number(count));
  expect(Math.max(0, ...skipped), plan).toBeLessThanOrEqual(10);
});
