import { makeExamples } from '@croupier/contracts';
import { afterAll, describe, expect, test } from 'vitest';
import { readEvidence, readProgress } from '../faults/checker/evidence.ts';
import { startInstallation } from '../faults/installation/installation.ts';
import { until } from '../faults/installation/until.ts';
import { setupDatabase } from '../packages/platform/testing/database.ts';
import { call } from './publish.ts';

const { pool, url: databaseUrl } = await setupDatabase();
const installation = await startInstallation({ databaseUrl });
afterAll(() => installation.stop());

const examples = makeExamples();
const keys = { valid: installation.key, unknown: 'nobody-has-this-key', none: undefined };

describe('every documented exchange, against the running server', () => {
  test.each(examples.map((example) => [example.name, example] as const))('%s', async (_name, { request, answer }) => {
    const { method, path, body, contentType } = request;
    const key = keys[request.key];
    const headers = {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(contentType !== undefined && { 'content-type': contentType }),
    };
    const got = await call(installation, { method, path, headers, body });
    // The text of `detail` may differ.
    expect({ ...got, body: { ...(got.body as object), detail: undefined } }).toEqual({
      status: answer.status,
      contentType: answer.contentType,
      body: { ...(answer.body as object), detail: undefined },
    });
  });
});

test('events answered 200 are derived, and none of them is left parked', async () => {
  const taken = examples.filter(({ answer }) => answer.status === 200).length;
  await until(
    'the examples to be derived',
    async () => {
      const { stored, derived } = await readProgress(pool);
      return stored === taken && derived === taken;
    },
    { limitMs: 10_000 },
  );
  const { rows } = await pool.query<{ brand_id: number }>('select brand_id from brand');
  const { journal } = await readEvidence(pool, rows[0]?.brand_id ?? 0);
  expect([...journal.values()].flat()).not.toContain('parked');
  expect([...journal.values()].flat()).not.toContain('unreadable');
});
