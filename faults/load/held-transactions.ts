import type { Message } from '@croupier/sandbox';
import pg from 'pg';
import { connectionConfig } from '../../packages/platform/src/database/index.ts';
import { encodeBlock } from '../../packages/platform/src/ledger/block.ts';
import { bucketOf, type LedgerEntry, playerHash } from '../../packages/platform/src/ledger/index.ts';
import { pendingProtectionOf } from '../../packages/platform/src/ledger/pending-protection.ts';
import { ensurePartition, insertBlock, openWriter } from '../../packages/platform/src/ledger/store.ts';

/** A transaction that stays open until it is released. */
export interface HeldTransaction extends AsyncDisposable {
  /** Commits it. */
  release(): Promise<void>;
}

/**
 * A writer of the ledger, held in the middle of its transaction: its block is written but not committed, as for an api process
 * whose disk or network stalls. It uses the ledger's own statements, because the readers rely on those. A real api process
 * cannot be held there for a minute (it gives up after 5 s).
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
 * A transaction unrelated to events: a report, a migration of another program, a dump. It has written, so it has a transaction id
 * and holds back the server's oldest snapshot. It has also read the tables that an event passes through, so it holds a reader's
 * locks on them.
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
