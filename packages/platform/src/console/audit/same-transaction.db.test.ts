import { beforeAll, describe, expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';
import { createUser } from '../accounts/accounts.ts';

/*
 * An action and its audit entry are one transaction. While the audit refuses entries, each action fails and changes nothing. It
 * succeeds as soon as the audit accepts entries again.
 */

const auth = { type: 'api_key', header: 'X-API-Key', value: 'key' } as const;
const console = await setupConsole({ history_days: 30, operator: { base_url: 'http://127.0.0.1:9', auth } });
const { pool, brand } = console;
const malta = '/brands/malta';
const password = 'a password of this test';

interface Call {
  method: 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
  token?: string;
}

interface Action {
  /** The action that the audit entry names. */
  action: string;
  status: number;
  /** Tables that the action changes. */
  tables: readonly string[];
  /** Creates what the action needs, and returns the call. */
  call(): Promise<Call>;
}

const accountId = async (email: string): Promise<number> => {
  const { rows } = await pool.query('select account_id from console_account where email = $1', [email]);
  return rows[0]?.account_id;
};

/** Puts an invalid event in the quarantine, as the edge does, and returns its number. */
async function quarantined(user_id: string): Promise<number> {
  const reasons = [{ path: 'timestamp', rule: 'required', message: 'timestamp is missing' }];
  await console.quarantine.keep(brand, 'login', Buffer.from(JSON.stringify({ user_id })), reasons, user_id);
  const { rows } = await pool.query('select quarantine_id from quarantine where user_id = $1', [user_id]);
  return rows[0]?.quarantine_id;
}

const post = (path: string, body: object): Call => ({ method: 'POST', path, body });
const accounts = ['console_account', 'console_grant', 'console_session'];
const address = { address: 'ann@example.com' };
const number = { number: '+35699123456' };

const actions: readonly Action[] = [
  {
    action: 'key.created',
    status: 201,
    tables: ['api_key'],
    call: async () => post(`${malta}/keys`, { name: 'new' }),
  },
  {
    action: 'key.revoked',
    status: 204,
    tables: ['api_key'],
    async call() {
      const { body } = await console.call('POST', `${malta}/keys`, { body: { name: 'to revoke' } });
      return { method: 'DELETE', path: `${malta}/keys/${body.api_key_id}` };
    },
  },
  {
    action: 'account.created',
    status: 201,
    tables: accounts,
    async call() {
      const grants = [{ brand: null, role: 'admin' }];
      return post('/accounts', { email: 'new@example.com', password, grants });
    },
  },
  {
    action: 'account.password_set',
    status: 204,
    tables: accounts,
    async call() {
      const email = 'own@example.com';
      await createUser(pool, { email, password, grants: [] });
      const { body } = await console.call('POST', '/session', { token: null, body: { email, password } });
      const changed = { password, new_password: 'another long password' };
      return { method: 'PUT', path: '/session/password', token: body.token, body: changed };
    },
  },
  {
    action: 'account.password_set',
    status: 200,
    tables: accounts,
    async call() {
      await createUser(pool, { email: 'reset@example.com', password, grants: [] });
      return post(`/accounts/${await accountId('reset@example.com')}/password`, {});
    },
  },
  {
    action: 'email.suppressed',
    status: 200,
    tables: ['address_suppression'],
    call: async () => post(`${malta}/email-suppressions`, address),
  },
  {
    action: 'email.unsuppressed',
    status: 200,
    tables: ['address_suppression'],
    async call() {
      await console.call('POST', `${malta}/email-suppressions`, { body: address });
      return post(`${malta}/email-suppressions/remove`, address);
    },
  },
  {
    action: 'sms.suppressed',
    status: 200,
    tables: ['address_suppression'],
    call: async () => post(`${malta}/sms-suppressions`, number),
  },
  {
    action: 'sms.unsuppressed',
    status: 200,
    tables: ['address_suppression'],
    async call() {
      await console.call('POST', `${malta}/sms-suppressions`, { body: number });
      return post(`${malta}/sms-suppressions/remove`, number);
    },
  },
  {
    action: 'quarantine.reinjected',
    status: 200,
    tables: ['quarantine', 'ledger_block'],
    async call() {
      const corrected = { user_id: 'mend', timestamp: '2026-05-01T11:59:59Z' };
      return post(`${malta}/quarantine/${await quarantined('mend')}/reinject`, { body: corrected });
    },
  },
  {
    action: 'quarantine.dismissed',
    status: 200,
    tables: ['quarantine'],
    call: async () => post(`${malta}/quarantine/${await quarantined('dismiss')}/dismiss`, { note: 'a test' }),
  },
  {
    action: 'rebuild.requested',
    status: 202,
    tables: ['rebuild'],
    call: async () => post(`${malta}/rebuilds`, {}),
  },
  {
    action: 'rebuild.cancelled',
    status: 202,
    tables: ['rebuild'],
    async call() {
      const { body } = await console.call('POST', `${malta}/rebuilds`, { body: {} });
      return post(`${malta}/rebuilds/${body.rebuild_id}/cancel`, {});
    },
  },
  {
    action: 'too_old.imported',
    status: 202,
    tables: ['parked_event', 'late_event'],
    async call() {
      await console.publish('login', { user_id: 'old', timestamp: '2026-03-01T08:00:00Z' });
      await console.derive();
      return post(`${malta}/too-old/import`, { all: true });
    },
  },
  {
    action: 'player.refresh_requested',
    status: 202,
    tables: ['player_sync'],
    async call() {
      await console.publish('login', { user_id: 'ann', timestamp: '2026-05-01T08:00:00Z' });
      await console.derive();
      return post(`${malta}/players/ann/refresh`, {});
    },
  },
];

/** The content of the tables, row by row. */
async function contentOf(tables: readonly string[]): Promise<string[][]> {
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${table} t order by 1`);
      return rows.map(({ row }) => row);
    }),
  );
}

const refuseEntries = (refused: boolean) =>
  pool.query(`alter table console_audit ${refused ? 'enable' : 'disable'} trigger refuse_entry`);

const entries = async () =>
  (await pool.query<{ action: string }>('select action from console_audit order by audit_id')).rows.map(
    ({ action }) => action,
  );

beforeAll(async () => {
  await pool.query(`
    create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no entry'; end $$;
    create trigger refuse_entry before insert on console_audit for each row execute function refuse_entry();
  `);
  await refuseEntries(false);
});

describe('while the audit refuses entries, nothing changes', () => {
  test.each(actions)('$action with the answer $status', async ({ action, status, tables, call }) => {
    const { method, path, ...more } = await call();
    const before = await contentOf(tables);
    const entriesBefore = await entries();

    await refuseEntries(true);
    expect((await console.call(method, path, more)).status).toBe(500);
    await refuseEntries(false);
    expect(await contentOf(tables)).toEqual(before);
    expect(await entries()).toEqual(entriesBefore);

    expect((await console.call(method, path, more)).status).toBe(status);
    expect(await contentOf(tables)).not.toEqual(before);
    expect(await entries()).toEqual([...entriesBefore, action]);
  });
});
