import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { ContactRequest, HeldReason, RulingReason } from '../request.ts';

/** Identifies a hold: one contact of one cause. */
export interface HoldKey {
  cause_kind: string;
  cause_id: string;
  player_id: number;
  channel: string;
  purpose: string;
}

export interface Hold extends HoldKey {
  brand_id: number;
  /** The record of the first hold. */
  decision_id: number;
  /** Why it is held now. It may differ from the record's reason. */
  reason: HeldReason | RulingReason;
  held_since: Micros;
  last_asked_at: Micros;
  expires_at: Micros | null;
}

export function holdKey({
  cause,
  player_id,
  channel,
  purpose,
}: Omit<ContactRequest, 'brand_id' | 'expires_at'>): HoldKey {
  return { cause_kind: cause.kind, cause_id: cause.id, player_id, channel, purpose };
}

export function keyText({ cause_kind, cause_id, player_id, channel, purpose }: HoldKey): string {
  return JSON.stringify([cause_kind, cause_id, player_id, channel, purpose]);
}

const columns = 'cause_kind, cause_id, player_id, channel, purpose';
const keyRows = `jsonb_to_recordset($1::jsonb) as k (cause_kind text, cause_id text, player_id bigint, channel text, purpose text)`;

export async function readHolds(tx: ClientBase, keys: readonly HoldKey[]): Promise<Map<string, Hold>> {
  const { rows } = await tx.query<Hold>({
    name: 'read_holds',
    text: `select h.* from ${keyRows} join gate_hold h using (${columns})`,
    values: [JSON.stringify(keys)],
  });
  return new Map(rows.map((row) => [keyText(row), row]));
}

/** Creates or renews holds. If a batch contains a contact twice, the first one is used. */
export async function writeHolds(tx: ClientBase, holds: readonly Hold[]): Promise<void> {
  if (holds.length === 0) return;
  await tx.query({
    name: 'write_holds',
    text: `insert into gate_hold (${columns}, brand_id, decision_id, reason, held_since, last_asked_at, expires_at)
           select distinct on (${columns}) ${columns}, brand_id, decision_id, reason, held_since, last_asked_at, expires_at
             from jsonb_to_recordset($1::jsonb) as r (
                    cause_kind text, cause_id text, player_id bigint, channel text, purpose text, brand_id int,
                    decision_id bigint, reason text, held_since timestamptz, last_asked_at timestamptz, expires_at timestamptz)
            order by ${columns}, decision_id
           on conflict (${columns}) do update
              set reason = excluded.reason, last_asked_at = excluded.last_asked_at, expires_at = excluded.expires_at`,
    values: [
      JSON.stringify(
        holds.map((hold) => ({
          ...hold,
          held_since: timestamptzText(hold.held_since),
          last_asked_at: timestamptzText(hold.last_asked_at),
          expires_at: hold.expires_at === null ? null : timestamptzText(hold.expires_at),
        })),
      ),
    ],
  });
}

export async function endHolds(tx: ClientBase, keys: readonly HoldKey[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.query({
    name: 'end_holds',
    text: `delete from gate_hold h using ${keyRows}
            where h.cause_kind = k.cause_kind and h.cause_id = k.cause_id and h.player_id = k.player_id
              and h.channel = k.channel and h.purpose = k.purpose`,
    values: [JSON.stringify(keys)],
  });
}

/**
 * Deletes the holds of contacts that were given up, by their causes, for any player and channel. Call it in the
 * transaction that gives them up.
 */
export async function forgetContacts(tx: ClientBase, causes: readonly ContactRequest['cause'][]): Promise<void> {
  if (causes.length === 0) return;
  await tx.query({
    name: 'end_holds_of_causes',
    text: `delete from gate_hold h using unnest($1::text[], $2::text[]) as c (kind, id)
            where h.cause_kind = c.kind and h.cause_id = c.id`,
    values: [causes.map(({ kind }) => kind), causes.map(({ id }) => id)],
  });
}

/** Deletes holds that were not asked for since a time, because their causes are gone. @returns their number */
export async function dropForgottenHolds(pool: Pool, before: Micros): Promise<number> {
  const { rowCount } = await pool.query('delete from gate_hold where last_asked_at < $1', [timestamptzText(before)]);
  return rowCount ?? 0;
}
