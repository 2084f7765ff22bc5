import { expect, test } from 'vitest';
import { setupConsole } from '../../../testing/console/setup-console.ts';

const console = await setupConsole();

test('holds, messages that failed today, and what the last reconciliation of each field found are counted with their age', async () => {
  await console.publish('login', { user_id: 'ann', timestamp: '2026-05-01T11:59:59Z', ip_address: '192.0.2.1' });
  await console.derive();
  const { pool, brand } = console;
  const run = (text: string) => pool.query(text, [brand.brand_id]);
  await run(`insert into gate_hold (cause_kind, cause_id, player_id, channel, purpose, brand_id, decision_id, reason, held_since, last_asked_at)
             select 'message', n::text, player_id, 'email', 'marketing', $1, n, 'unknown', ('2026-05-01T11:0' || n || ':00Z')::timestamptz, now()
               from player cross join generate_series(1, 3) n`);
  const email = (number: number, state: string, ended: string) =>
    run(`insert into email_message (message_id, brand_id, player_id, purpose, subject, html, plain, created_at, created_by, expires_at, state, ended_at)
         select ${number} * 64 + (player_id & 63), $1, player_id, 'marketing', '', '', '', now(), 'test', now(), '${state}', '${ended}' from player`);
  await email(1, 'failed', '2026-05-01T10:00:00Z');
  await email(2, 'unknown', '2026-05-01T11:00:00Z');
  await email(3, 'sent', '2026-05-01T11:00:00Z');
  await email(4, 'failed', '2026-04-29T11:00:00Z');
  const reconciled = (field: string, tightened: number, newer: number) =>
    run(`insert into reconciliation (brand_id, field, cause, state, requested_at, applied_at, tightened, newer)
         values ($1, '${field}', 'person', 'done', '2026-05-01T09:00:00Z', '2026-05-01T09:30:00Z', ${tightened}, ${newer})`);
  await reconciled('is_excluded', 9, 0);
  await reconciled('is_excluded', 2, 5);
  await reconciled('is_blocked', 0, 5);
  const { rows } = await pool.query<{ id: number }>(
    `select max(reconciliation_id) filter (where tightened > 0) as id from reconciliation`,
  );

  // An SMS failed, too. Another one failed before the last 24 hours.
  const sms = (number: number, ended: string) =>
    run(`insert into called_message (message_id, brand_id, player_id, channel, target, purpose, content, created_at, created_by, expires_at, state, ended_at)
         select ${number} * 64 + (player_id & 63), $1, player_id, 'sms', '', 'marketing', '{"text": "Hi"}', now(), 'test', now(), 'failed', '${ended}' from player`);
  await sms(5, '2026-05-01T11:30:00Z');
  await sms(6, '2026-04-29T11:30:00Z');

  const { body } = await console.get('/brands/malta/overview');
  const at = (text: string) => `${text}.000000Z`;
  expect(body.concerns).toEqual(
    expect.arrayContaining([
      { code: 'holds', count: 3, oldest_at: at('2026-05-01T11:01:00'), list: '/holds' },
      { code: 'failed_messages', count: 3, oldest_at: at('2026-05-01T10:00:00'), list: expect.any(String) },
      { code: 'drift', count: 2, oldest_at: at('2026-05-01T09:30:00'), list: `/reconciliations/${rows[0]?.id}/drift` },
    ]),
  );
  // Its list contains exactly the counted messages, the newest first.
  const { list } = body.concerns.find(({ code }: { code: string }) => code === 'failed_messages');
  const counted = (await console.get(`/brands/malta${list}`)).body.items;
  expect(counted.map(({ channel, state }: { channel: string; state: string }) => [channel, state])).toEqual([
    ['sms', 'failed'],
    ['email', 'unknown'],
    ['email', 'failed'],
  ]);
});
