import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole({ frequency_caps: [{ times: 3, within: 'P1D' }] });
const path = '/brands/malta/contact-rules';
const put = (body: object, token?: string) =>
  console.call('PUT', path, { body, ...(token !== undefined && { token }) });

test('rules of contact are read and changed; omitted rules and all other settings stay; the audit contains the old and the new values', async () => {
  const before = (await console.get('/brands/malta')).body.settings;
  expect((await console.get(path)).body).toMatchObject({ quiet_hours: { from: '', to: '' }, holdout: { percent: 0 } });
  const quiet_hours = { from: '22:00', to: '08:00' };
  expect(await put({ quiet_hours, holdout: { percent: 5 } })).toMatchObject({
    status: 200,
    body: { quiet_hours, holdout: { percent: 5 }, frequency_caps: [{ times: 3, within: 'P1D' }] },
  });
  expect((await console.get('/brands/malta')).body.settings).toEqual({
    ...before,
    quiet_hours,
    holdout: { percent: 5 },
  });
  const { rows } = await console.pool.query(
    "select subject, details from console_audit where action = 'brand.contact_rules_changed'",
  );
  expect(rows).toEqual([
    {
      subject: 'contact rules quiet_hours, holdout',
      details: {
        before: { quiet_hours: { from: '', to: '' }, holdout: { percent: 0 } },
        after: { quiet_hours, holdout: { percent: 5 } },
      },
    },
  ]);
});

test.each([
  ['nothing', {}, undefined],
  ['another setting', { base_currency: 'SEK' }, undefined],
  ['an invalid time', { quiet_hours: { from: '25:00', to: '08:00' } }, undefined],
  ['a cap with an unreadable period', { frequency_caps: [{ times: 1, within: 'a day' }] }, 'frequency_caps[0].within'],
  ['an unknown time zone', { country_time_zones: { SE: 'Stockholm' } }, 'country_time_zones.SE'],
])('%s is refused, and changes nothing', async (_name, body, at) => {
  const before = (await console.get(path)).body;
  const refused = await put(body);
  expect(refused.status).toBe(400);
  if (at !== undefined) expect(refused.body.errors).toMatchObject([{ path: at }]);
  expect((await console.get(path)).body).toEqual(before);
});

test('only roles that set up channels can change rules; those of a declared brand can be changed only in its file', async () => {
  expect((await put({ holdout: { percent: 1 } }, await console.as('crm'))).status).toBe(403);
  await console.pool.query('update brand set declared = true');
  await console.brands.refresh();
  expect((await put({ holdout: { percent: 1 } })).status).toBe(409);
});
