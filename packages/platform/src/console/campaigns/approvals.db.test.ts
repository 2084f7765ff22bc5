import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';

/* If a version exceeds the limits of the brand, two people are needed to publish it. */
const console = await setupConsole({ campaign_approval: { players: 2, money: '100' } });
const path = '/brands/malta/campaigns';
const [writer, second] = [await console.as('crm'), await console.as('crm')];
const body = (code: string, ...steps: object[]) => ({ code, name: code, entry: { api: true }, steps });
const gift = { id: 'gift', credit: { bonus_code: 'TEN' } };
const tag = { id: 'tag', tag: 'seen' };
const call = (how: string, token: string | undefined, body?: object) =>
  console.call('POST', `${path}/${how}`, { ...(token && { token }), ...(body && { body }) });
/** Approves what the person has just read. Without a token of a session, the admin token is used. */
const approve = async (code: string, token?: string) =>
  call(`${code}/approve?revision=${(await console.get(`${path}/${code}`)).body.revision}`, token);
const make = (document: object) => console.call('POST', path, { body: document, token: writer });
for (const user of ['ann', 'bob']) await insertPlayer(console.pool, console.brand.brand_id, user);

test('a version within the limits is published by one person', async () => {
  await make(body('small', tag));
  expect(await call('small/publish', writer)).toMatchObject({ status: 200, body: { state: 'live', version: 1 } });
  expect((await approve('small', second)).status).toBe(409);
});

const endless =
  'new players may enter for as long as it is live, so the cost of the bonuses is unlimited; `halt.entered_per_day` limits it';

test('a version with bonuses waits for a second person', async () => {
  await make(body('gift', gift));
  const asked = await call('gift/publish', writer);
  expect(asked).toMatchObject({
    status: 200,
    body: {
      state: 'draft',
      version: null,
      draft: { approval: { reasons: ['the cost of the bonuses of gift is unknown', endless] } },
    },
  });
  expect((await call('gift/publish', second)).status).toBe(409);
  expect(await approve('gift', writer)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('second person') },
  });
  expect((await approve('gift', await console.as('viewer'))).status).toBe(403);
  expect(await approve('gift', second)).toMatchObject({
    status: 200,
    body: { state: 'live', version: 1, draft: null },
  });
  const { items } = (await console.get(`${path}/gift/versions`)).body;
  expect(items).toMatchObject([{ state: 'published', approval: null, approved_by: expect.any(String) }]);
  expect(items[0].approved_by).not.toBe(items[0].published_by);
  const { rows } = await console.pool.query(
    "select action from console_audit where subject = 'campaign gift' order by audit_id",
  );
  expect(rows.map(({ action }) => action)).toEqual(['campaign.created', 'campaign.published', 'campaign.approved']);
});

test('the admin token is no second person, and an approval names the revision that was read', async () => {
  await make(body('token', gift));
  await call('token/publish', writer);
  const detail = 'a person must decide under their own account, not with the admin token';
  expect(await approve('token')).toMatchObject({ status: 403, body: { detail } });
  expect(await call('token/reject', undefined, { reason: 'no' })).toMatchObject({ status: 403, body: { detail } });
  expect((await call('token/approve', second)).status).toBe(400);
  expect((await approve('token', second)).body.state).toBe('live');
});

test('a changed draft no longer waits; its author cannot approve it', async () => {
  await make(body('changed', gift));
  await call('changed/publish', writer);
  const changed = await console.call('PUT', `${path}/changed`, { body: body('changed', gift, tag), token: second });
  expect(changed.body.draft.approval).toBe(null);
  expect((await approve('changed', writer)).status).toBe(409);
  await call('changed/publish', writer);
  expect((await approve('changed', second)).status).toBe(409);
  expect((await approve('changed', await console.as('crm'))).body.state).toBe('live');
});

test('a second person rejects a draft with a reason; the rejection stays until the draft is published again', async () => {
  await make(body('rejected', gift));
  const reason = { reason: 'The bonus is too high' };
  expect((await call('rejected/reject', second, reason)).status, 'it does not wait').toBe(409);
  await call('rejected/publish', writer);
  expect(await call('rejected/reject', writer, reason)).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('second person') },
  });
  expect((await call('rejected/reject', await console.as('viewer'), reason)).status).toBe(403);
  expect((await call('rejected/reject', second, { reason: ' ' })).status).toBe(400);
  expect((await call('rejected/reject?revision=other', second, reason)).status).toBe(409);
  const rejected = await call('rejected/reject', second, reason);
  expect(rejected).toMatchObject({
    status: 200,
    body: {
      state: 'draft',
      draft: {
        document: body('rejected', gift),
        approval: null,
        rejection: { ...reason, rejected_at: '2026-05-01T12:00:00.000000Z', rejected_by: expect.stringContaining('@') },
      },
    },
  });
  expect((await approve('rejected', second)).status).toBe(409);
  const { items } = (await console.get('/brands/malta/audit?action=campaign.rejected')).body;
  expect(items).toMatchObject([
    { subject: 'campaign rejected', actor: rejected.body.draft.rejection.rejected_by, details: reason },
  ]);

  const changed = await console.call('PUT', `${path}/rejected`, { body: body('rejected', gift, tag), token: writer });
  expect(changed.body.draft.rejection).toMatchObject(reason);
  expect((await call('rejected/publish', writer)).body.draft).toMatchObject({
    approval: { asked_by: expect.any(String) },
    rejection: null,
  });
  expect((await approve('rejected', second)).body).toMatchObject({ state: 'live', draft: null });
});

test('the choice to move runs is kept until the second person approves', async () => {
  await make(body('moves', gift));
  expect(
    (await console.call('POST', `${path}/moves/publish`, { body: { move_runs: true }, token: writer })).status,
  ).toBe(200);
  expect((await approve('moves', second)).status).toBe(200);
  const { items } = (await console.get(`${path}/moves/versions`)).body;
  expect(items).toMatchObject([{ version: 1, state: 'published', moves_runs: true, running: 0 }]);
});

test("a version that may reach too many players for one person's decision waits, and the previous version stays in force", async () => {
  await insertPlayer(console.pool, console.brand.brand_id, 'cid');
  await console.call('PUT', `${path}/small`, { body: body('small', tag, { ...tag, id: 'more' }), token: writer });
  expect((await call('small/publish', writer)).body).toMatchObject({
    state: 'live',
    version: 1,
    draft: { version: 2, approval: { reasons: ['it may reach 3 players, above the limit of 2'] } },
  });
  expect((await approve('small', second)).body).toMatchObject({ version: 2, draft: null });
});
