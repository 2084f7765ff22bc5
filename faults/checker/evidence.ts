import { fingerprint, type OperatorEventKind, operatorEventKinds, parseBody } from '@croupier/contracts';
import { destinations } from '@croupier/sandbox';
import type { Pool } from 'pg';
import { pino } from 'pino';
import type { LedgerEvent } from '../../packages/platform/src/ledger/index.ts';
import { PostgresLedger } from '../../packages/platform/src/ledger/postgres.ts';
import { markOf } from '../load/mark.ts';
import type { Evidence, StoredEvent } from './conservation.ts';
import type { ToldEvent } from './segments.ts';

/*
 * Reads the platform's database, read only. The ledger is read through its own interface, which is the only code that knows how
 * events are packed. The counts of the blocks prove that the reading is complete.
 */
export async function readEvidence(pool: Pool, brandId: number): Promise<Omit<Evidence, 'sent' | 'acknowledged'>> {
  return {
    stored: await readStored(pool, brandId),
    stored_claimed: await count(pool, 'select coalesce(sum(event_count), 0)::bigint as n from ledger_block'),
    quarantined: await readQuarantined(pool, brandId),
    journal: await readJournal(pool),
  };
}

/** Events in the ledger, and rows in the journal. They are equal when derive has finished. */
export async function readProgress(pool: Pool): Promise<{ stored: number; derived: number }> {
  return {
    derived: await count(pool, 'select count(*) as n from journal'),
    stored: await count(pool, 'select coalesce(sum(event_count), 0)::bigint as n from ledger_block'),
  };
}

/** Every event of the ledger by its position, including those that the platform published itself. */
export async function readEvents(pool: Pool, brandId: number): Promise<ReadonlyMap<string, ToldEvent>> {
  const events = new Map<string, ToldEvent>();
  for await (const page of ledgerOn(pool).history({ brand_id: brandId }))
    for (const { kind, body, position, received_at } of page) {
      const parsing = parseBody(body.toString('utf8'));
      const user_id = parsing.ok ? String((parsing.body as { user_id?: unknown }).user_id) : '';
      events.set(placeOf(position), { user_id, kind, received_at });
    }
  return events;
}

async function readStored(pool: Pool, brandId: number): Promise<StoredEvent[]> {
  const ledger = ledgerOn(pool);
  const stored: StoredEvent[] = [];
  // Without the platform's own events, which no operator sent.
  const published = ledger.history({ brand_id: brandId, kinds: operatorEventKinds });
  for await (const page of published) stored.push(...page.map(described));
  return stored;
}

/** Used only for reading; it does not open its own connection. */
function ledgerOn(pool: Pool): PostgresLedger {
  const log = pino({ level: 'silent' });
  return new PostgresLedger({ pool, connection: {}, process: 'checker', now: () => 0, log, ready: async () => {} });
}

function placeOf({ writer_id, seq, index }: LedgerEvent['position']): string {
  return `${writer_id}:${seq}:${index}`;
}

function described({ brand_id, kind, body, position }: LedgerEvent): StoredEvent {
  const parsing = parseBody(body.toString('utf8'));
  const meaning = parsing.ok ? fingerprint(brand_id, kind, parsing.body) : 'unreadable';
  return {
    position: placeOf(position),
    kind,
    mark: markOf(destinations[kind as OperatorEventKind].path, body),
    meaning: `${kind} ${meaning}`,
  };
}

async function readQuarantined(pool: Pool, brandId: number): Promise<string[]> {
  const { rows } = await pool.query<{ kind: OperatorEventKind; body: Buffer }>(
    'select kind, body from quarantine where brand_id = $1',
    [brandId],
  );
  return rows.map(({ kind, body }) => markOf(destinations[kind].path, body));
}

/** Numbers of verdicts as in src/derive/journal/codes.ts. */
export const verdictNames = ['', 'applied', 'repeat', 'conflict', 'orphan', 'too_old', 'parked', 'unreadable'];

async function readJournal(pool: Pool): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ position: string; verdict: number }>(
    `select writer_id || ':' || seq || ':' || index as position, verdict from journal`,
  );
  const journal = new Map<string, string[]>();
  for (const { position, verdict } of rows) {
    const name = verdictNames[verdict] ?? `verdict ${verdict}`;
    const verdicts = journal.get(position);
    if (verdicts === undefined) journal.set(position, [name]);
    else verdicts.push(name);
  }
  return journal;
}

async function count(pool: Pool, sql: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(sql);
  return rows[0]?.n ?? 0;
}
