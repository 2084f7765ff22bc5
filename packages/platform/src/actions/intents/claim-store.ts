import type { Pool } from 'pg';
import type { BonusIntent, IntentKind } from './intent.ts';
import { intentColumns } from './intent-store.ts';

/*
 * Who works on an intent. A claim is a number nobody else ever has, and `due_at`, the time at which it runs out, both by
 * the database's clock:
 *
 *     due for call --claimed--> due_at = end of the claim --begun--> due for answer, due_at = end of the call --answered--> (machine)
 *          ^                          |                                    |
 *          '---- ran out, given back -'                                    '-- ran out: the call is lost, the intent unknown
 *
 * A worker that died, or was stopped, therefore loses its rows by itself. Before the call that costs nothing; afterwards nobody
 * knows what the call did, and the machine says so.
 */

export interface IntentClaim {
  claim: number;
  intent_id: string;
  brand_id: number;
  kind: IntentKind;
  /** Null: the player is gone. */
  user_id: string | null;
}

export interface WantedIntents {
  brand_id: number;
  kind: IntentKind;
  /** Rows at most. */
  free: number;
}

/** From the claim to the beginning of the call: two short transactions. */
export const claimMs = 15_000;

/** Claims what is due for a call, the longest due first. Locked rows are skipped: two workers never wait for each other. */
export async function claimCalls(pool: Pool, wanted: readonly WantedIntents[]): Promise<IntentClaim[]> {
  if (wanted.length === 0) return [];
  const { rows } = await pool.query<IntentClaim>({
    name: 'claim_bonus_intents',
    text: `with due as (
             select d.intent_id
               from unnest($1::int[], $2::text[], $3::int[]) as w (brand_id, kind, free)
              cross join lateral (
                select i.intent_id from bonus_intent i
                 where i.brand_id = w.brand_id and i.kind = w.kind and i.due_for = 'call' and i.due_at <= now()
                 order by i.due_at limit w.free for update skip locked
              ) d
           ), claimed as (
             update bonus_intent i
                set claim = nextval('bonus_intent_claim'), due_at = now() + $4::int * interval '1 millisecond'
               from due where i.intent_id = due.intent_id
             returning i.claim, i.intent_id, i.brand_id, i.kind, i.player_id
           )
           select c.claim, c.intent_id, c.brand_id, c.kind, p.user_id from claimed c left join player p using (player_id)`,
    values: [
      wanted.map(({ brand_id }) => brand_id),
      wanted.map(({ kind }) => kind),
      wanted.map(({ free }) => free),
      claimMs,
    ],
  });
  return rows;
}

/** Gives back claims whose calls have not begun. */
export async function releaseClaims(pool: Pool, claims: readonly IntentClaim[]): Promise<void> {
  if (claims.length === 0) return;
  await pool.query(
    `update bonus_intent i set claim = null, due_at = now()
       from (select c.intent_id, c.claim from unnest($1::uuid[], $2::bigint[]) as c (intent_id, claim) order by 1) c
      where i.intent_id = c.intent_id and i.claim = c.claim and i.due_for = 'call'`,
    [claims.map(({ intent_id }) => intent_id), claims.map(({ claim }) => claim)],
  );
}

/** Whether a claim still holds, and goes on holding for so long. Asked right before a call that comes late. */
export async function holdsFor(pool: Pool, { intent_id, claim }: IntentClaim, ms: number): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'bonus_intent_claim_holds',
    text: `select 1 from bonus_intent
            where intent_id = $1 and claim = $2 and due_at > now() + $3::int * interval '1 millisecond'`,
    values: [intent_id, claim, ms],
  });
  return (rowCount ?? 0) > 0;
}

/** Intents whose time has come without a call: an offer's expiry, a lost call, the end of waiting for a proof. */
export async function selectOverdue(pool: Pool, limit: number): Promise<{ intent_id: string }[]> {
  const { rows } = await pool.query<{ intent_id: string }>({
    name: 'overdue_bonus_intents',
    text: `select intent_id from bonus_intent where due_for <> 'call' and due_at <= now() order by due_at limit $1`,
    values: [limit],
  });
  return rows;
}

/** Lets an intent wait that could not be moved. */
export async function postponeOverdue(pool: Pool, intentId: string, waitMs: number): Promise<void> {
  await pool.query(
    `update bonus_intent set due_at = now() + $2::int * interval '1 millisecond'
      where intent_id = $1 and due_for <> 'call' and due_at <= now()`,
    [intentId, waitMs],
  );
}

/** Locks an intent of which that is still true; null when somebody else is at it, or was. */
export async function lockOverdue(tx: Pick<Pool, 'query'>, intentId: string): Promise<BonusIntent | null> {
  const { rows } = await tx.query<BonusIntent>({
    name: 'lock_overdue_bonus_intent',
    text: `select ${intentColumns} from bonus_intent i
            where i.intent_id = $1 and i.due_for <> 'call' and i.due_at <= now() for update skip locked`,
    values: [intentId],
  });
  return rows[0] ?? null;
}

/** Locks an intent whose claim still holds; null when it does not. */
export async function lockClaimed(
  tx: Pick<Pool, 'query'>,
  { intent_id, claim }: IntentClaim,
): Promise<BonusIntent | null> {
  const { rows } = await tx.query<BonusIntent>({
    name: 'lock_claimed_bonus_intent',
    text: `select ${intentColumns} from bonus_intent i
            where i.intent_id = $1 and i.claim = $2 and i.due_for = 'call' and i.due_at > clock_timestamp() for update`,
    values: [intent_id, claim],
  });
  return rows[0] ?? null;
}
