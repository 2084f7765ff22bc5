import type { Pool, PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import { readLedgerEvent } from '../derive/index.ts';
import { bucketOf, type Ledger, type LedgerEvent } from '../ledger/index.ts';
import { inventory } from './inventory/index.ts';
import { claimMentions } from './quarantine-mentions.ts';
import { spooled } from './spool.ts';
import { type Subject, subjectSql, subjectValues } from './subject.ts';

/*
 * Everything that is known about one player, as one JSON document:
 *
 *   {"user_id": ..., "player_id": ..., "brand": ..., "exported_at": ...,
 *    "tables": {"player_profile": [...], "live.payment": [...], ...},
 *    "events": [{"kind": ..., "received_at": ..., "body": ...}, ...]}
 *
 * It reads the tables of the inventory, with the conditions of the inventory, all as of one moment. So an export shows exactly
 * what an erasure would empty. Events come from the ledger, including packed days, with the bodies as the operator sent them.
 *
 * It is written while it is read, so a player with a million rounds takes no more memory than one with ten. The tables go
 * through a temporary file, because PostgreSQL cannot remove dead rows anywhere in the database while the snapshot is open.
 * With the file, the snapshot is open only while the tables are read, even if the client is slow. Events need no snapshot,
 * because the ledger only grows, and is read page by page.
 */

const rowsPerFetch = 500;
/** An export fails if its snapshot is open for longer than 10 minutes. This time is enough for about ten million rows. */
const longestSnapshotMs = 600_000;
/** If a process stops in the middle, the server ends its snapshot after this time. */
const longestSilence = '60s';

export async function* exportPlayer(
  deps: { pool: Pool; ledger: Pick<Ledger, 'history'> },
  brand: Brand,
  subject: Subject,
  exportedAt: string,
): AsyncGenerator<string> {
  const { user_id, player_id } = subject;
  const head = JSON.stringify({ user_id, player_id, brand: brand.code, exported_at: exportedAt });
  await claimMentions(deps.pool, subject);
  yield `${head.slice(0, -1)},\n"tables":{`;
  yield* spooled(tablesOf(deps.pool, subject));
  yield '},\n"events":[';
  yield* eventsOf(deps.ledger, brand, subject);
  yield ']}\n';
}

async function* tablesOf(pool: Pool, subject: Subject): AsyncGenerator<string> {
  const client = await pool.connect();
  let broken = true;
  try {
    await client.query(
      `begin transaction isolation level repeatable read read only;
       set local idle_in_transaction_session_timeout = '${longestSilence}'`,
    );
    const deadline = performance.now() + longestSnapshotMs;
    let between = '\n';
    for (const { table, fate, shows } of inventory) {
      const where = shows === undefined ? ('where' in fate ? fate.where : null) : shows;
      if (where === null) continue;
      yield `${between}${JSON.stringify(table.replace(/^public\./, ''))}:[`;
      yield* rowsOf(client, table, where, subject, deadline);
      yield ']';
      between = ',\n';
    }
    await client.query('commit');
    broken = false;
  } finally {
    // If anything failed, for example because the disk is full, the connection is closed, which ends the transaction.
    client.release(broken);
  }
}

async function* rowsOf(
  client: PoolClient,
  table: string,
  where: string,
  subject: Subject,
  deadline: number,
): AsyncGenerator<string> {
  // Bytes that contain an operator's JSON are exported as text; to_jsonb alone would show them in hexadecimal.
  const row =
    table === 'public.quarantine'
      ? `to_jsonb(t) || jsonb_build_object('body', encode(t.body, 'escape'))`
      : 'to_jsonb(t)';
  await client.query(
    `declare exported no scroll cursor for ${subjectSql} select (${row})::text as row from ${table} t, s where ${where}`,
    subjectValues(subject),
  );
  let between = '';
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${rowsPerFetch} from exported`);
    for (const { row: text } of rows) {
      yield `${between}\n${text}`;
      between = ',';
    }
    if (rows.length < rowsPerFetch) break;
    if (performance.now() > deadline) throw new Error('the export exceeded the maximum time of a snapshot');
  }
  await client.query('close exported');
}

async function* eventsOf(ledger: Pick<Ledger, 'history'>, brand: Brand, subject: Subject): AsyncGenerator<string> {
  const { brand_id, player_hash, user_id } = subject;
  let between = '';
  for await (const page of ledger.history({ brand_id, player_hash, buckets: [bucketOf(player_hash)] })) {
    for (const event of page) {
      const reading = readLedgerEvent(event, brand);
      if (reading.ok && reading.readable.event.user_id !== user_id) continue;
      yield `${between}\n${present(event, reading.ok)}`;
      between = ',';
    }
  }
}

function present({ kind, received_at, body }: LedgerEvent, isJson: boolean): string {
  const head = JSON.stringify({ kind, received_at: new Date(received_at / 1_000).toISOString() });
  const text = body.toString('utf8');
  return `${head.slice(0, -1)},"body":${isJson ? text : JSON.stringify(text)}}`;
}
