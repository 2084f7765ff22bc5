import type { Pool } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { setupDatabase } from '../../testing/database.ts';
import { readStepRecords } from './reading.ts';

/*
 * Ten steps of one campaign, and 20,000 e-mails of which one was withheld. PostgreSQL expects that hardly any was, and would read all of
 * them to find those of a few steps.
 */
const steps = 10;
const emails = 20_000;
const playerId = 64;

const { pool } = await setupDatabase();

test('the steps of a page of runs are read by the keys of their messages, although hardly any message was withheld', async () => {
  await pool.query(
    `insert into email_message (message_id, brand_id, player_id, purpose, subject, html, plain, created_at, created_by, expires_at,
                                state, reason, sent_at, ended_at)
     select n * 64, 1, $1, 'marketing', 'Hello', '', '', now(), 'campaign', now(), case n when 7 then 'withheld' else 'sent' end,
            case n when 7 then 'no_consent' end, now(), now()
       from generate_series(1, $2::int) n`,
    [playerId, emails],
  );
  await pool.query(
    `insert into campaign_run_step (player_id, run_id, campaign_id, version_id, step, state, at, effect)
     select $1, n * 64, 1, 1, 'send', 'done', now(), jsonb_build_object('kind', 'message', 'message_id', n * 64)
       from generate_series(1, $2::int) n`,
    [playerId, steps],
  );
  await pool.query('vacuum (analyze) email_message, campaign_run_step');
  const client = await pool.connect();
  onTestFinished(() => client.release());
  await client.query('begin');

  const runIds = Array.from({ length: steps }, (_, n) => (n + 1) * 64);
  const records = await readStepRecords(client as unknown as Pool, runIds, 100);

  expect(records.map(({ state, reason }) => [state, reason])).toEqual(
    runIds.map((runId) => (runId === 7 * 64 ? ['withheld', 'no_consent'] : ['done', null])),
  );
  const { rows } = await client.query(
    "select seq_scan::int, idx_scan::int from pg_stat_xact_user_tables where relname = 'email_message'",
  );
  expect(rows).toEqual([{ seq_scan: 0, idx_scan: steps }]);
  await client.query('rollback');
});
