import { zstdDecompressSync } from 'node:zlib';
import { eventKinds, messages } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { SignalSender } from '../../src/channels/index.ts';
import { timestamptzText } from '../../src/database/index.ts';
import { type Ledger, playerHash } from '../../src/ledger/index.ts';
import { Eraser } from '../../src/privacy/index.ts';
import type { Publication } from '../derive/stage.ts';
import { testLog } from '../log.ts';

/*
 * Setup for tests of this stage: a player with data in every table, and a search through everything in the database, compressed
 * or not.
 */

/** Words that identify a player; they are all different from each other, and from everything else in the database. */
export function traces(name: string) {
  return {
    user_id: `${name}-7d1f55`,
    email: `${name}.hidden@example.com`,
    last_name: `Hidden${name}son`,
    mobile: `${name}-35699000111`,
    ip_address: `2001:db8::${name}:77`,
    note: `${name} called about his wife`,
  };
}
export type Traces = ReturnType<typeof traces>;

/** Every sample of the interface's messages, as an event of the player at about this time. */
export function everyKind(who: Traces, at: number): Publication[] {
  let second = 0;
  return eventKinds.flatMap((kind) =>
    Object.values(messages[kind]?.samples ?? {}).map((sample) => {
      second += 1;
      const timestamp = timestamptzText(at - second * 1_000_000);
      const body = { ...(sample as Record<string, unknown>), user_id: who.user_id, timestamp };
      return { kind, body: { ...body, ip_address: who.ip_address, note: who.note } };
    }),
  );
}

/** Data that no event creates: rows of the other stages, in the form in which they write them. */
export async function fillTables(pool: Pool, brandId: number, playerId: number, who: Traces): Promise<void> {
  const values = [playerId, brandId, who.user_id, who.email, who.last_name, who.mobile, who.note];
  const statements = [
    `insert into player_profile (player_id, email, last_name, mobile, changed_at, segmentation)
     values ($1, $4, $5, $6, now(), jsonb_build_object('nick', $5::text))`,
    `insert into segmentation_key values ($2, 'nick-of-' || $1, 'text', to_jsonb($5::text), now(), now())`,
    `update player_profile set segmentation = segmentation || jsonb_build_object('nick-of-' || $1, $5::text) where player_id = $1`,
    `insert into player_consent (player_id, type_key, type, spelling, opted_in, source, as_of)
     values ($1, 'email', 'Email', 'Email', true, 'look_up', now())`,
    `insert into player_block (player_id, type_key, type, spelling, active, note, source, as_of)
     values ($1, 'blocked', 'Blocked', 'Blocked', false, $7, 'look_up', now())`,
    `insert into player_sync (player_id, look_up, brand_id, lane, failure_detail) values ($1, 'details', $2, 0, $4)`,
    `insert into sync_problem values ($1, 'details', 'sex', $2, 'type', $7, now())`,
    `insert into operator_endpoint (brand_id, endpoint, last_failure_detail) values ($2, 'of ' || $1, 'no user ' || $3)`,
    `insert into write_back_attempt (player_id, record, brand_id, item_ids, started_at, took_ms, request, answer, outcome)
     values ($1, 'consents', $2, '{}', now(), 1, jsonb_build_object('user', $3::text), $4, 'stored')`,
    `insert into write_back_item (change_id, brand_id, player_id, record, type_key, type, wanted, note, source, changed_at, state)
     values ($1, $2, $1, 'consents', 'email', 'Email', true, $7, 'staff', now(), 'confirmed')`,
    `insert into quarantine (brand_id, kind, body_sha256, body, reasons, user_id, first_at, last_at)
     values ($2, 'login', sha256(convert_to($3, 'UTF8')), convert_to('{"user_id":"' || $3 || '"', 'UTF8'), '[]', $3, now(), now()),
            ($2, 'login', sha256(convert_to($4, 'UTF8')), convert_to('{"user_id": "' || $3 || '", "e', 'UTF8'), '[]', null, now(), now())`,
    `insert into rebuild (brand_id, swap, outcome, finished_at, failures)
     values ($2, false, 'done', now(), jsonb_build_array(jsonb_build_object('user_id', $3::text, 'reason', 'x')))`,
    `insert into bonus_intent (intent_id, brand_id, player_id, kind, bonus_code, extra, note, offered, created_at, created_by, state, state_since)
     values (gen_random_uuid(), $2, $1, 'bonus', 'WELCOME', jsonb_build_object('for', $4::text), $7, false, now(), 'ann', 'credited', now()),
            (gen_random_uuid(), $2, $1, 'bonus', 'RELOAD', '{}', null, true, now(), 'ann', 'offered', now())`,
    `insert into bonus_attempt (intent_id, attempt_no, player_id, claim, process, started_at, request, answer_body)
     select intent_id, 1, $1, 1, 'p', now(), jsonb_build_object('user_id', $3::text), $4 from bonus_intent
     where player_id = $1 and bonus_code = 'WELCOME'`,
    `insert into reconciliation (brand_id, field, cause, state, reason, detail, requested_at)
     values ($2, 'blocked', 'schedule', 'failed', 'operator_error', 'the operator says: no user ' || $4, now())`,
    `insert into called_message (message_id, brand_id, player_id, channel, target, purpose, content, created_at, created_by, request_key,
            request_digest, expires_at, state, detail, ended_at)
     values (id_in_bucket(nextval('notification_number'), $1), $2, $1, 'sms', '', 'service', jsonb_build_object('text', $5::text), now(),
             'ann', $4, $3, now(), 'failed', 'no SMS to ' || $6, now()),
            (id_in_bucket(nextval('notification_number'), $1), $2, $1, 'webhook', 'crm.example', 'service',
             jsonb_build_object('url', 'https://crm.example/' || $3, 'body', '{"email":"' || $4 || '"}'), now(), 'ann', null, null, now(),
             'sent', null, now())`,
    `insert into list_entry (message_id, brand_id, player_id, channel, list, purpose, note, created_at, created_by, request_key,
            request_digest, expires_at, state, outcome_note)
     values (id_in_bucket(nextval('notification_number'), $1), $2, $1, 'telephone', 'vip', 'service', 'Call ' || $5, now(), 'ann', $4, $3,
             now(), 'reached', $7)`,
    `insert into protection_transition (brand_id, player_id, kind, source, at, received_at) values ($2, $1, 'blocked', 'staff', now(), now())`,
  ];
  // Each statement gets all values; PostgreSQL requires the types of unused ones.
  const types = ['bigint', 'int', 'text', 'text', 'text', 'text', 'text'];
  for (const statement of statements) {
    const used = types.map((type, i) => `$${i + 1}::${type} as p${i + 1}`).join(', ');
    await pool.query(`with p as (select ${used}) ${statement}`, values);
  }
}

export function eraserOf(stage: {
  pool: Pool;
  ledger: Pick<Ledger, 'eraser'>;
  brands: ConstructorParameters<typeof Eraser>[0]['brands'];
  clock: { now: () => number };
  signals?: Pick<SignalSender, 'poke'>;
}) {
  const { pool, ledger, brands, clock, signals } = stage;
  return new Eraser({ pool, ledger, brands, clock: clock.now, log: testLog, ...(signals && { signals }) });
}

/**
 * Every table of every schema, including the planner's samples, that contains one of the words: as text, in bytes, or in
 * compressed bytes.
 */
export async function findTraces(pool: Pool, brandId: number, who: Traces): Promise<string[]> {
  const hash = playerHash(brandId, who.user_id);
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64BE(hash);
  bytes.writeBigUInt64LE(hash, 8);
  const words = [...Object.values(who), String(hash), String(BigInt.asIntN(64, hash))];
  const needles = [...words.map((word) => Buffer.from(word)), bytes.subarray(0, 8), bytes.subarray(8)];
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_temp%'
     union all select 'pg_catalog.pg_stats'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
    for (const { row } of rows) {
      const texts = [Buffer.from(row), ...bytesIn(row)];
      const hits = needles.filter((needle) => texts.some((text) => text.includes(needle)));
      if (hits.length > 0) found.push(`${name}: ${hits.join(', ')}`);
    }
  }
  return found;
}

/** The first four bytes of every Zstandard frame. */
const zstdMagic = 0xfd2fb528;

function* bytesIn(row: string): Generator<Buffer> {
  for (const [, hex = ''] of row.matchAll(/\\x([0-9a-f]+)/g)) {
    const bytes = Buffer.from(hex, 'hex');
    yield bytes;
    // Blocks and packs have one byte before the compressed data.
    for (const from of [0, 1]) {
      if (bytes.length >= from + 4 && bytes.readUInt32LE(from) === zstdMagic)
        yield zstdDecompressSync(bytes.subarray(from));
    }
  }
}
