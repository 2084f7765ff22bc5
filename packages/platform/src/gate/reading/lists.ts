import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import type { RecordedInputs } from '../records/record.ts';
import type { ContactRequest } from '../request.ts';

/** Selects the decisions to list or export. Time bounds are inclusive. */
export interface DecisionFilter {
  player_id?: number | undefined;
  outcome?: string | undefined;
  channel?: string | undefined;
  purpose?: string | undefined;
  reason?: string | undefined;
  cause_id?: string | undefined;
  from?: Micros | undefined;
  to?: Micros | undefined;
}

export interface ListedDecision {
  decision_id: number;
  player_id: number;
  /** Null if the player was erased. */
  user_id: string | null;
  channel: string;
  purpose: string;
  outcome: string;
  reason: string | null;
  cause_kind: string;
  cause_id: string;
  rule_version: number;
  inputs: RecordedInputs;
  age_ms: number | null;
  decided_at: Micros;
  expires_at: Micros | null;
  /** Null if it is not sealed yet. */
  seal_no: number | null;
}

export type DecisionCursor = Pick<ListedDecision, 'decided_at' | 'decision_id'>;

/** The tombstone that an erasure leaves in `p` has a random user_id, which belongs to no player. */
export const visibleUserId = 'case when p.erased_at is null then p.user_id end as user_id';

const listed = `
  select d.decision_id, d.player_id, ${visibleUserId}, d.channel, d.purpose, d.outcome, d.reason, d.cause_kind, d.cause_id,
         d.rule_version, d.inputs, d.age_ms, d.decided_at, d.expires_at, s.seal_no
    from gate_decision d
    left join player p on p.player_id = d.player_id
    left join gate_decision_seal s on s.decision_id = d.decision_id`;

/** Lists decisions, the newest first. */
export async function listDecisions(
  pool: Pool,
  brandId: number,
  filter: DecisionFilter,
  limit: number,
  before?: DecisionCursor,
): Promise<ListedDecision[]> {
  const { where, values } = conditions(brandId, filter);
  const place =
    before === undefined
      ? ''
      : ` and (d.decided_at, d.decision_id) < ($${values.push(timestamptzText(before.decided_at))}::timestamptz, $${values.push(before.decision_id)}::bigint)`;
  const { rows } = await pool.query<ListedDecision>(
    `${listed}
      where ${where}${place}
      order by d.decided_at desc, d.decision_id desc limit $${values.push(limit)}`,
    values,
  );
  return rows;
}

/** Maximum number of decisions per cause. A held contact is recorded twice. A contact that people retry is recorded more often. */
const mostOfCause = 100;

/** The decisions about one cause, the oldest first. */
export async function decisionsOfCause(
  pool: Pool,
  brandId: number,
  cause: ContactRequest['cause'],
): Promise<ListedDecision[]> {
  const { rows } = await pool.query<ListedDecision>(
    `${listed}
      where d.brand_id = $1 and d.cause_kind = $2 and d.cause_id = $3
      order by d.decision_id limit $4`,
    [brandId, cause.kind, cause.id, mostOfCause],
  );
  return rows;
}

/** The decisions about these causes of one player, the oldest first. */
export async function decisionsOfCauses(
  pool: Pool,
  { brandId, playerId }: { brandId: number; playerId: number },
  causes: readonly ContactRequest['cause'][],
  limit: number,
): Promise<ListedDecision[]> {
  const { rows } = await pool.query<ListedDecision>(
    `${listed}
      where d.cause_id = any($3::text[]) and d.brand_id = $1 and d.player_id = $2
        and exists (select from unnest($4::text[], $3::text[]) c (kind, id) where c.kind = d.cause_kind and c.id = d.cause_id)
      order by d.decision_id limit $5`,
    [brandId, playerId, causes.map(({ id }) => id), causes.map(({ kind }) => kind), limit],
  );
  return rows;
}

/**
 * Decisions about one message: those that were made for it, and the one that it carries. A message of a campaign carries the decision
 * that was made for the step of the run.
 */
export async function decisionsOfMessage(
  pool: Pool,
  brandId: number,
  { message_id, decision_id }: { message_id: number; decision_id: number | null },
): Promise<ListedDecision[]> {
  const { rows } = await pool.query<ListedDecision>(
    `${listed}
      where d.brand_id = $1 and ((d.cause_kind = 'message' and d.cause_id = $2) or d.decision_id = $3)
      order by d.decision_id limit $4`,
    [brandId, String(message_id), decision_id, mostOfCause],
  );
  return rows;
}

const columns = ['player_id', 'outcome', 'channel', 'purpose', 'reason', 'cause_id'] as const;

/** The SQL condition of a filter. Its names are those above, so they are safe in a statement. */
export function conditions(brandId: number, filter: DecisionFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [brandId];
  const parts = ['d.brand_id = $1'];
  for (const column of columns) {
    if (filter[column] !== undefined) parts.push(`d.${column} = $${values.push(filter[column])}`);
  }
  if (filter.from !== undefined) parts.push(`d.decided_at >= $${values.push(timestamptzText(filter.from))}`);
  if (filter.to !== undefined) parts.push(`d.decided_at <= $${values.push(timestamptzText(filter.to))}`);
  return { where: parts.join(' and '), values };
}

export interface ListedHold {
  decision_id: number;
  player_id: number;
  /** Null if the player was erased. */
  user_id: string | null;
  channel: string;
  purpose: string;
  cause_kind: string;
  cause_id: string;
  reason: string;
  held_since: Micros;
  last_asked_at: Micros;
  expires_at: Micros | null;
}

/** The current holds, the longest held first. */
export async function listHolds(
  pool: Pool,
  brandId: number,
  limit: number,
  after?: Pick<ListedHold, 'held_since' | 'decision_id'>,
): Promise<ListedHold[]> {
  const { rows } = await pool.query<ListedHold>(
    `select h.decision_id, h.player_id, ${visibleUserId}, h.channel, h.purpose, h.cause_kind, h.cause_id, h.reason, h.held_since,
            h.last_asked_at, h.expires_at
       from gate_hold h left join player p on p.player_id = h.player_id
      where h.brand_id = $1 and ($2::timestamptz is null or (h.held_since, h.decision_id) > ($2, $3))
      order by h.held_since, h.decision_id limit $4`,
    [brandId, after ? timestamptzText(after.held_since) : null, after?.decision_id ?? null, limit],
  );
  return rows;
}

/** The count stops at this number: so many holds probably have one common cause, and the exact number is not needed. */
const mostHoldsCounted = 10_000;

/** Counts the contacts that are held now. `oldest_at` is the time since when the oldest of them is held. */
export async function countHolds(pool: Pool, brandId: number): Promise<{ held: number; oldest_at: Micros | null }> {
  const { rows } = await pool.query<{ held: number; oldest_at: Micros | null }>(
    `select count(*)::int as held, min(held_since) as oldest_at
       from (select held_since from gate_hold where brand_id = $1 order by held_since limit $2) h`,
    [brandId, mostHoldsCounted],
  );
  return rows[0] ?? { held: 0, oldest_at: null };
}
