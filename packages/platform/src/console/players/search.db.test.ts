import { Pool } from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();
const { pool } = console;

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
  for (const user_id of ['ann-1', 'ann-2', 'bob/1 ü'])
    await console.publish('login', { user_id, timestamp: '2026-05-01T11:50:00Z' });
  await console.derive();
  await insertProfile('ann-1', { email: 'Ann@Example.com', first_name: 'Ann' });
  await insertProfile('bob/1 ü', { email: 'bob@example.com', first_name: 'Bob' });
});

describe('the search', () => {
  const found = async (query: string, token?: string) =>
    (await console.get(`/brands/malta/players?${query}`, token)).body.items.map(
      (item: { user_id: string }) => item.user_id,
    );

  test('finds by prefix of the user_id, in pages', async () => {
    expect(await found('search=ann-')).toEqual(['ann-1', 'ann-2']);
    expect(await found('')).toEqual(['ann-1', 'ann-2', 'bob/1 ü']);
    const first = await console.get('/brands/malta/players?limit=2');
    expect(await found(`limit=2&cursor=${first.body.next}`)).toEqual(['bob/1 ü']);
  });

  test('finds by prefix of the e-mail, for roles that may see it', async () => {
    const byMail = async (search: string, token?: string) => {
      const answer = await console.call('POST', '/brands/malta/players/find', {
        body: { search },
        ...(token && { token }),
      });
      return answer.body.items.map((item: { user_id: string }) => item.user_id);
    };
    expect(await byMail('BOB@ex')).toEqual(['bob/1 ü']);
    expect(await byMail('ann')).toEqual(['ann-1', 'ann-2']);
    // A search in the address finds no e-mails, because logs and browser histories contain addresses.
    expect(await found('search=bob@ex')).toEqual([]);
    const integrator = await console.as('integrator');
    expect(await byMail('bob@example.com', integrator)).toEqual([]);
    const support = await console.as('support');
    expect([await byMail('bob@ex', support), await byMail('Bob@Example.com', support)]).toEqual([[], ['bob/1 ü']]);
    const { body } = await console.get('/brands/malta/players?search=ann-1', integrator);
    expect(body.items[0]).toMatchObject({ user_id: 'ann-1', email: '***', country: 'MT' });
  });

  const find = async (search: string, token?: string, page: { limit?: number; cursor?: string } = {}) => {
    const answer = await console.call('POST', '/brands/malta/players/find', {
      body: { search, ...page },
      ...(token && { token }),
    });
    return { ...answer.body, users: answer.body.items?.map((item: { user_id: string }) => item.user_id) };
  };

  describe('finds by the last word of a name and by the end of a phone number', () => {
    beforeAll(async () => {
      for (const user_id of ['w-1', 'w-2', 'w-3', 'w-4'])
        await console.publish('login', { user_id, timestamp: '2026-05-01T11:50:00Z' });
      await console.derive();
      const named = (email: string, first_name: string, last_name: string, mobile: string) => ({
        ...{ email, first_name, last_name, mobile_prefix: '356', mobile },
      });
      await insertProfile('w-1', named('y1@example.com', 'Mary-Quilla', 'van der Quast', '7777 1357'));
      await insertProfile('w-2', named('y2@example.com', 'Quastine', 'Orr', '(0)7777-2357'));
      await insertProfile('w-3', named('y3@example.com', 'Mary', 'Quast-Quast', '77773357'));
      await insertProfile('w-4', named('y4@example.com', 'Jo Quast', 'Lee', '77771358'));
    });

    test.each([
      ['quast', ['w-2', 'w-3', 'w-1', 'w-4']],
      ['QUILLA', ['w-1']],
      ['der', []],
      ['1357', ['w-1']],
      ['2 357', ['w-2']],
      ['357', []],
      ['7-1357', ['w-1']],
      ['777 713 58', ['w-4']],
      ['77771358', ['w-4']],
    ])('%s', async (text, users) => {
      expect((await find(text)).users).toEqual(users);
    });

    test('in pages, each player once', async () => {
      const users: string[] = [];
      for (let cursor: string | undefined; users.length < 9; ) {
        const page = await find('quast', undefined, { limit: 1, ...(cursor !== undefined && { cursor }) });
        users.push(...page.users);
        if (page.next === null) break;
        cursor = page.next;
      }
      expect(users).toEqual(['w-2', 'w-3', 'w-1', 'w-4']);
    });

    test('but not for roles that may not read them', async () => {
      const [support, integrator] = [await console.as('support'), await console.as('integrator')];
      for (const text of ['quilla', '1357', '71357'])
        for (const token of [support, integrator]) expect((await find(text, token)).users, text).toEqual([]);
      expect((await find('77771357', support)).users).toEqual(['w-1']);
      expect((await find('77771357', integrator)).users).toEqual([]);
    });
  });

  describe('finds by name and phone number', () => {
    beforeAll(async () => {
      for (const user_id of ['n-1', 'n-2', 'n-3', 'n-4'])
        await console.publish('login', { user_id, timestamp: '2026-05-01T11:50:00Z' });
      await console.derive();
      const named = (email: string, first_name: string, last_name: string, mobile: string) => ({
        ...{ email, first_name, last_name, mobile_prefix: '356', mobile },
      });
      await insertProfile('n-1', named('x1@example.com', 'Zoé', 'Berg', '9912 3456'));
      await insertProfile('n-2', named('x2@example.com', 'Berga', 'Zimmer', '+356 9912-3457'));
      await insertProfile('n-3', named('berg@example.com', 'Zo', 'Bergson', '099123458'));
      await insertProfile('n-4', named('x4@example.com', 'Bergbert', 'Bergberg', '1112 3456'));
    });

    test.each([
      ['zoé b', ['n-1']],
      ['Berg, Zoé', ['n-1']],
      ['berg  zoé', ['n-1']],
      // Matches by e-mail come first, then by first name, then by last name. Each player is listed once.
      ['berg', ['n-3', 'n-2', 'n-4', 'n-1']],
      ['zo', []],
      ['%erg', []],
      ['+356 9912 3456', ['n-1']],
      ['0035699123456', ['n-1']],
      ['35699123457', ['n-2']],
      ['9912-3457', ['n-2']],
      ['(0) 9912.3458', ['n-3']],
      ['99123', []],
      ['+49 9912 3456', []],
    ])('%s', async (search, expected) => {
      expect((await find(search)).users).toEqual(expected);
    });

    test('pages continue from one way of searching to the next', async () => {
      const users: string[] = [];
      for (let cursor: string | undefined; ; ) {
        const { users: page, next } = await find('berg', undefined, { limit: 1, ...(cursor && { cursor }) });
        users.push(...page);
        if (next === null) break;
        expect(Buffer.from(next, 'base64url').toString()).not.toMatch(/berg/i);
        cursor = next;
      }
      expect(users).toEqual(['n-3', 'n-2', 'n-4', 'n-1']);
    });

    test('support finds whole numbers only; roles without personal data find none', async () => {
      const [support, integrator] = [await console.as('support'), await console.as('integrator')];
      const whole = await find('+35699123456', support);
      expect(whole.items).toMatchObject([{ user_id: 'n-1', first_name: '***', email: '***' }]);
      expect([(await find('zoé berg', support)).users, (await find('berg', support)).users]).toEqual([[], []]);
      expect([(await find('+35699123456', integrator)).users, (await find('zoé', integrator)).users]).toEqual([[], []]);
    });

    test('does not find players of other brands, or players by an address', async () => {
      expect(await found('search=berg')).toEqual([]);
      expect(await found('search=99123456')).toEqual([]);
    });

    test('a page reads as few players as it shows, however many match', async () => {
      await pool.query(
        `with created as (
           insert into player (brand_id, user_id, bucket)
           select brand_id, 'many-' || n, n & 63 from player, generate_series(1, 5000) n where user_id = 'n-1' returning player_id)
         insert into player_profile (player_id, first_name, last_name, email, changed_at)
         select player_id, 'Quentin', 'Quill', 'quill' || player_id || '@example.com', now() from created`,
      );
      await pool.query('analyze player, player_profile');
      const query = vi.spyOn(Pool.prototype, 'query');
      const { next } = await find('quentin', undefined, { limit: 10 });
      await find('quentin', undefined, { limit: 10, cursor: next });
      await find('quill', undefined, { limit: 10 });
      const statements = query.mock.calls.filter(([text]) => String(text).includes('from player_profile d join'));
      query.mockRestore();
      expect(statements.length).toBeGreaterThanOrEqual(3);
      for (const [text, values] of statements as unknown as [string, unknown[]][]) {
        const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
        const plan = JSON.stringify(rows[0]['QUERY PLAN']);
        const read = [...plan.matchAll(/"Actual Rows":([\d.]+)/g)].map(([, count]) => Number(count));
        expect(Math.max(...read), plan).toBeLessThanOrEqual(11);
      }
    });
  });

  test('treats its text literally', async () => {
    expect(await found('search=%25')).toEqual([]);
    expect(await found('search=ann_')).toEqual([]);
  });
});
