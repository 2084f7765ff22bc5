import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const path = '/brands/malta/campaigns/check';
const group = (...rules: object[]) => ({ combinator: 'and', rules });
const approved = { field: 'status', operator: '=', value: 'Approved' };
const first = { field: 'trait.deposit_count', operator: '=', value: 1 };
const document = {
  code: 'welcome',
  name: 'Welcome',
  entry: { event: 'payment', where: group(approved) },
  audience: group(first),
  steps: [
    { id: 'who', branch: [{ when: group(first), steps: [{ id: 'seen', tag: 'seen' }] }, { otherwise: [] }] },
    {
      id: 'login',
      wait: { event: 'login', where: group({ field: 'nothing', operator: '=', value: 1 }), timeout: 'P1D' },
    },
    { id: 'hello', send: { channel: 'site', template: 'missing' } },
  ],
};

test('a document that is not stored gets the same checks as at publishing, and its rules are returned as sentences', async () => {
  const { status, body } = await console.call('POST', path, { body: { campaign: document } });
  expect(status).toBe(200);
  expect(body.errors).toMatchObject([
    { path: '/steps/1/wait/where/rules/0/field' },
    { path: '/steps/2/send/template', message: 'the brand has no template missing' },
  ]);
  expect(body.rules).toEqual([
    { path: '/entry/where', sentence: expect.stringContaining('Approved') },
    { path: '/audience', sentence: 'the number of deposits is 1' },
    { path: '/steps/0/branch/0/when', sentence: 'the number of deposits is 1' },
  ]);
  expect((await console.get('/brands/malta/campaigns')).body.items).toEqual([]);
});

test('a body that is not a campaign gets errors, too', async () => {
  for (const campaign of [null, 'text', [], { entry: null, steps: [null, { branch: 'x' }] }]) {
    const { status, body } = await console.call('POST', path, { body: { campaign } });
    expect([status, body.errors.length > 0, body.rules]).toEqual([200, true, []]);
  }
});

test('the events that campaigns can use are listed with the fields for conditions and the defaults of a scenario', async () => {
  const { items } = (await console.get('/brands/malta/campaign-events')).body;
  const of = (event: string) => items.find((one: { event: string }) => one.event === event);
  expect(of('payment')).toMatchObject({
    fact: 'did.payment',
    body: { type: 'Credit', status: 'Approved', currency: 'EUR' },
  });
  expect(of('round').fact).toBe('did.round');
  expect(of('logout').fact).toBe(null);
  const { items: fields } = (await console.get('/brands/malta/rule-fields')).body;
  for (const { fact } of items)
    if (fact !== null)
      expect(
        fields.some(({ field }: { field: string }) => field === fact),
        fact,
      ).toBe(true);
});

test('of two people who change the same revision, the second is refused and nothing is lost', async () => {
  const campaigns = '/brands/malta/campaigns';
  const made = await console.call('POST', campaigns, { body: { ...document, code: 'shared' } });
  const { revision } = made.body;
  const change = (name: string, query: string) =>
    console.call('PUT', `${campaigns}/shared${query}`, { body: { ...document, code: 'shared', name } });
  const first = await change('First', `?revision=${revision}`);
  expect(first).toMatchObject({ status: 200, body: { draft: { document: { name: 'First' } } } });
  expect(first.body.revision).not.toBe(revision);
  expect(await change('Second', `?revision=${revision}`)).toMatchObject({
    status: 409,
    body: { code: 'conflict', detail: expect.stringContaining('was changed after you read it') },
  });
  const { body } = await console.get(`${campaigns}/shared`);
  expect(body).toMatchObject({ revision: first.body.revision, draft: { document: { name: 'First' } } });
  expect((await change('Third', `?revision=${body.revision}`)).status).toBe(200);
  // A call without a revision replaces any revision.
  expect((await change('Last', '')).status).toBe(200);
});
