import { expect, test } from 'vitest';
import { createCampaignLane } from '../../../testing/campaigns/create-lane.ts';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { insertPlayer } from '../../../testing/operator/setup-sync.ts';
import { lockReferences } from '../../campaigns/index.ts';

/*
 * What a campaign refers to cannot be deleted while a player can still reach it. A person can publish only the revision that they
 * read.
 */
const console = await setupConsole();
const { pool, brand, clock } = console;
const path = '/brands/malta/campaigns';
const { lane } = await createCampaignLane(pool, clock.now);
const rest = { id: 'rest', wait: { for: 'PT1H' } };
const tag = { id: 'mark', tag: 'x' };
const of = (code: string, ...steps: object[]) => ({ code, name: code, entry: { api: true }, steps });
const sending = (template: string) => ({ id: 'hello', send: { channel: 'site', template } });
const entered = (segment: string) => ({
  id: 'wait',
  wait: {
    rule: { combinator: 'and', rules: [{ field: `segment.${segment}`, operator: '=', value: true }] },
    timeout: 'P1D',
  },
});

async function makeTemplate(code: string): Promise<void> {
  const body = { code, name: code, channel: 'site', content: { en: { title: 'Hello' } } };
  expect((await console.call('POST', '/brands/malta/templates', { body })).status).toBe(201);
}

async function makeSegment(code: string): Promise<void> {
  const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };
  expect((await console.call('POST', '/brands/malta/segments', { body: { code, name: code, rule } })).status).toBe(201);
}

async function change(document: ReturnType<typeof of>): Promise<void> {
  expect((await console.call('PUT', `${path}/${document.code}`, { body: document })).status).toBe(200);
  expect((await console.call('POST', `${path}/${document.code}/publish`)).status).toBe(200);
}

/** How many transactions wait for `lockReferences`. */
async function waitingForReferences(): Promise<number | null> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and not granted and objid = $1
        and database = (select oid from pg_database where datname = current_database())`,
    [brand.brand_id],
  );
  return rowCount;
}

test('a template and a segment stay while a run of an earlier version can reach them', async () => {
  await makeTemplate('later');
  await makeSegment('awaited');
  expect(
    (await console.call('POST', path, { body: of('old', rest, entered('awaited'), sending('later')) })).status,
  ).toBe(201);
  expect((await console.call('POST', `${path}/old/publish`)).status).toBe(200);
  await insertPlayer(pool, brand.brand_id, 'ann');
  await console.call('POST', `${path}/old/enter`, { body: { user_id: 'ann', key: 'k' } });
  await lane.runOnce();
  await change(of('old', tag));
  const template = '/brands/malta/templates/later';
  expect((await console.get(template)).body.campaigns).toEqual([{ code: 'old', published: true }]);
  expect((await console.call('DELETE', template)).status).toBe(409);
  expect((await console.call('DELETE', '/brands/malta/segments/awaited')).status).toBe(409);

  expect((await console.call('POST', `${path}/old/stop`)).status).toBe(200);
  await lane.runOnce();
  expect((await console.call('DELETE', template)).status).toBe(204);
  expect((await console.call('DELETE', '/brands/malta/segments/awaited')).status).toBe(204);
});

test('a publication waits for a deletion at the same moment, and is refused after it', async () => {
  await makeTemplate('brief');
  expect((await console.call('POST', path, { body: of('racing', sending('brief')) })).status).toBe(201);
  const deleting = await pool.connect();
  try {
    await deleting.query('begin');
    await lockReferences(deleting, brand.brand_id);
    const publishing = console.call('POST', `${path}/racing/publish`);
    await expect.poll(waitingForReferences).toBe(1);
    await deleting.query(`update template set deleted_at = now() where code = 'brief'`);
    await deleting.query('commit');
    expect(await publishing).toMatchObject({ status: 400, body: { errors: [{ path: '/steps/0/send/template' }] } });
  } finally {
    deleting.release();
  }
});

test.for([
  ['template', 'templates', makeTemplate],
  ['segment', 'segments', makeSegment],
] as const)('a deletion of a %s waits for a publication at the same moment', async ([what, route, make]) => {
  await make(`free_${what}`);
  const publishing = await pool.connect();
  try {
    await publishing.query('begin');
    await lockReferences(publishing, brand.brand_id);
    const deleting = console.call('DELETE', `/brands/malta/${route}/free_${what}`);
    await expect.poll(waitingForReferences).toBe(1);
    await publishing.query('commit');
    expect((await deleting).status).toBe(204);
  } finally {
    publishing.release();
  }
});

test('a draft that another person changed is neither published nor approved by its old revision', async () => {
  const { body: first } = await console.call('POST', path, { body: of('shared', tag) });
  const { body: second } = await console.call('PUT', `${path}/shared`, { body: of('shared', tag, rest) });
  const publish = (revision: string) => console.call('POST', `${path}/shared/publish?revision=${revision}`);
  expect((await publish(first.revision)).status).toBe(409);
  expect((await console.get(`${path}/shared`)).body).toMatchObject({ state: 'draft', version: null });
  expect(await publish(second.revision)).toMatchObject({ status: 200, body: { state: 'live' } });
  const token = await console.as('crm');
  const approve = await console.call('POST', `${path}/shared/approve?revision=${first.revision}`, { token });
  expect(approve).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('was changed after you read it') },
  });
});
