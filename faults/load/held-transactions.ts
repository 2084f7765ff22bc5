import type { Message } from '@croupier/sandbox';
import pg from 'pg';
import { connectionConfig } from '../../packages/platform/src/database/index.ts';
import { encodeBlock } from '../../packages/platform/src/ledger/block.ts';
import { bucketOf, type LedgerEntry, playerHash } from '../../packages/platform/src/ledger/index.ts';
import { pendingProtectionOf } from '../../packages/platform/src/ledger/pending-protection.ts';
import { ensurePartition, insertBlock, openWriter } from '../../packages/platform/src/ledger/store.ts';

/** A transaction that stands open until it is told to end. */
export interface HeldTransaction extends AsyncDisposable {
  /** Lets it commit. */
  release(): Promise<void>;
}

/**
 * A writer of the ledger, held in the middle of its transaction: its block is written and not committed, as that of an api
 * process whose disk or network stalls. It uses the ledger's own statements, because that is what the readers rely on; no
 * api process can be made to stand still there for a minute (it gives up after 5 s).
 */
export async function holdWriter(
  databaseUrl: string,
  brandId: number,
  messages: readonly Message[],
): Promise<HeldTransaction> {
  const client = await connect(databaseUrl, 'held writer');
  const now = Date.now() * 1000;
  const entries = messages.map(({ kind, user_id, body }): LedgerEntry => {
    const hash = playerHash(brandId, user_id);
    return { brand_id: brandId, kind, player_hash: hash, received_at: now, body: Buffer.from(body) };
  });
  const mask = entries.reduce((sum, { player_hash }) => sum | (1n << BigInt(bucketOf(player_hash))), 0n);
  const writer_id = await openWriter(client, 'held writer');
  const day = new Date().toISOString().slice(0, 10);
  await ensurePartition(client, day);
  await client.query('begin');
  const block = {
    writer_id,
    seq: 1,
    day,
    received_at: now,
    event_count: entries.length,
    brand_ids: [brandId],
    bucket_mask: BigInt.asIntN(64, mask),
    payload: encodeBlock(entries),
  };
  await insertBlock(client, block, pendingProtectionOf(entries));
  return heldOpen(client, 'commit');
}

/**
 * A transaction that has nothing to do with events: a report, a migration of somebody else's, a dump. It has written, so
 * it holds a number of the server's and keeps its oldest snapshot; and it has read the tables that the way of an event
 * goes through, so it holds the locks of a reader on them.
 */
export async function holdUnrelated(databaseUrl: string): Promise<HeldTransaction> {
  const client = await connect(databaseUrl, 'unrelated work');
  await client.query('begin isolation level repeatable read');
  await client.query('create table unrelated_work as select count(*) from ledger_block, journal, live.login_total');
  return heldOpen(client, 'rollback');
}

function heldOpen(client: pg.Client, end: 'commit' | 'rollback'): HeldTransaction {
  let isOpen = true;
  const close = async (statement?: string) => {
    if (!isOpen) return;
    isOpen = false;
    if (statement !== undefined) await client.query(statement);
    await client.end();
  };
  return { release: () => close(end), [Symbol.asyncDispose]: () => close() };
}

async function connect(databaseUrl: string, name: string): Promise<pg.Client> {
  const client = new pg.Client(connectionConfig(databaseUrl, { name, statementTimeoutMs: 0 }));
  client.on('error', () => {});
  await client.connect();
  return client;
}
