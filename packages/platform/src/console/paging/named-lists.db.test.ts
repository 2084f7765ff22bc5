import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { segmentStates } from '../../segments/membership/index.ts';

/* The lists of segments, campaigns and templates are read page by page, and the platform applies their filters. */
const console = await setupConsole();
const { pool } = console;
const brand = '/brands/malta';
const rule = { combinator: 'and', rules: [{ field: 'trait.deposit_count', operator: '>=', value: 1 }] };

interface Page {
  items: { code: string; name: string; state: string }[];
  next: string | null;
}

const bodies = {
  segments: (code: string, name: string) => ({ code, name, rule }),
  campaigns: (code: string, name: string) => ({
    code,
    name,
    entry: { event: 'payment' },
    steps: [{ id: 'mark', tag: 'seen' }],
  }),
  templates: (code: string, name: string) => ({
    code,
    name,
    channel: 'site',
    content: { en: { title: 'Hello', message: 'Hello' } },
  }),
};
const lists = Object.keys(bodies) as (keyof typeof bodies)[];
const names: Readonly<Record<string, string>> = {
  b_two: 'Über 100%',
  a_one: 'Slots',
  a_three: 'Live slots',
  c_four: 'Poker',
  a_six: 'slots',
  a_five: 'Bingo',
};

for (const list of lists)
  for (const [code, name] of Object.entries(names)) {
    const { status, body } = await console.call('POST', `${brand}/${list}`, { body: bodies[list](code, name) });
    expect(status, JSON.stringify(body)).toBe(201);
  }

async function codesOf(list: string, query: string): Promise<string[]> {
  const { status, body } = await console.get(`${brand}/${list}${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as Page).items.map(({ code }) => code);
}

test.each(lists)('%s are read page by page, each once, by name', async (list) => {
  const codes: string[] = [];
  let next: string | null = '';
  while (next !== null) {
    const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
    const { body } = await console.get(`${brand}/${list}?limit=2${cursor}`);
    const page = body as Page;
    expect(page.items.length).toBeLessThanOrEqual(2);
    codes.push(...page.items.map(({ code }) => code));
    next = page.next;
  }
  expect(codes).toEqual(['a_five', 'a_three', 'c_four', 'a_one', 'a_six', 'b_two']);
  const foreign = Buffer.from('["payments","a"]').toString('base64url');
  expect((await console.get(`${brand}/${list}?cursor=${foreign}`)).status).toBe(400);
});

test.each(lists)(
  '%s are found by a part of their name or code, in any letter case and without wildcards',
  async (list) => {
    expect(await codesOf(list, '?name=SLOT')).toEqual(['a_three', 'a_one', 'a_six']);
    expect(await codesOf(list, '?name=c_F')).toEqual(['c_four']);
    expect(await codesOf(list, `?name=${encodeURIComponent('über')}`)).toEqual(['b_two']);
    expect(await codesOf(list, `?name=${encodeURIComponent('0%')}`)).toEqual(['b_two']);
    expect(await codesOf(list, `?name=${encodeURIComponent('s%s')}`)).toEqual([]);
    expect(await codesOf(list, '?name=slot&limit=1')).toEqual(['a_three']);
  },
);

test.each(lists)('%s are read by their codes, in any number and together with other filters', async (list) => {
  expect(await codesOf(list, '?codes=c_four,gone,a_five,a_five')).toEqual(['a_five', 'c_four']);
  expect(await codesOf(list, '?codes=c_four,a_one&name=slot')).toEqual(['a_one']);
  expect(await codesOf(list, '?codes=a')).toEqual([]);
  const many = Array.from({ length: 201 }, (_, n) => `c${n}`).join(',');
  const { status, body } = await console.get(`${brand}/${list}?codes=${many}`);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ path: 'codes', message: 'at most 200 names' }]);
});

test('campaigns with a draft that waits for approval are found', async () => {
  const approval = { reasons: [], asked_by: 'ann@example.com', asked_at: 1 };
  await pool.query(
    `update campaign_version v set approval = $1 from campaign c where c.campaign_id = v.campaign_id and c.code = 'c_four'`,
    [approval],
  );
  expect(await codesOf('campaigns', '?awaits_approval=true')).toEqual(['c_four']);
  expect(await codesOf('campaigns', '?awaits_approval=false&name=poker')).toEqual([]);
});

test('the filter of states agrees with the state that each segment and campaign shows', async () => {
  const versionOf = (code: string, state: string, paused = false) =>
    pool.query(
      `with s as (update segment set paused = $3 where code = $1 returning segment_id)
       update segment_version v set state = $2 from s where v.segment_id = s.segment_id`,
      [code, state, paused],
    );
  await versionOf('a_one', 'computing');
  await versionOf('a_three', 'in_force');
  await versionOf('b_two', 'in_force', true);
  await versionOf('c_four', 'failed', true);
  const shown = ((await console.get(`${brand}/segments`)).body as Page).items;
  expect(new Set(shown.map(({ state }) => state))).toEqual(new Set(segmentStates));
  for (const state of segmentStates)
    expect(await codesOf('segments', `?state=${state}`), state).toEqual(
      shown.flatMap((one) => (one.state === state ? [one.code] : [])),
    );
  await pool.query(`update campaign set state = 'live' where code = 'a_one'`);
  expect(await codesOf('campaigns', '?state=live')).toEqual(['a_one']);
  expect(await codesOf('campaigns', '?state=draft&name=slots')).toEqual(['a_three', 'a_six']);
  expect((await console.get(`${brand}/campaigns?state=gone`)).status).toBe(400);
});
