import type { Pool } from 'pg';
import type { Brand } from '../brands/index.ts';
import { type Ledger, type LedgerEvent, playerHash } from '../ledger/index.ts';
import { readSyncedPlayer } from '../operator/players/index.ts';
import { readPlayerTags } from '../segments/membership/index.ts';
import type { PlayerState } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

/** Maximum number of events of a copied player. */
const mostPast = 20_000;

export type CopiedPlayer = PlayerState & { user_id: string; past: LedgerEvent[] };

/**
 * A player as currently known, with all events that are still in the ledger.
 *
 * @throws {ScenarioError} if there are too many of them
 */
export async function copyPlayer(
  { pool, ledger }: { pool: Pool; ledger: Pick<Ledger, 'history'> },
  { brand_id }: Brand,
  { player_id, user_id }: { player_id: number; user_id: string },
  signal?: AbortSignal,
): Promise<CopiedPlayer> {
  const [{ profile, consents, blocks }, tags] = await Promise.all([
    readSyncedPlayer(pool, player_id),
    readPlayerTags(pool, player_id),
  ]);
  const past: LedgerEvent[] = [];
  for await (const page of ledger.history({ brand_id, player_hash: playerHash(brand_id, user_id) })) {
    signal?.throwIfAborted();
    past.push(...page);
    if (past.length > mostPast) throw new ScenarioError(`player ${user_id} has more than ${mostPast} events`);
  }
  const { extra = {}, is_blocked, is_excluded, roles: _roles, ...fields } = profile ?? {};
  const known = Object.entries(fields).filter(([, value]) => typeof value === 'string');
  return {
    user_id,
    // A player who was never looked up stays unknown.
    known: profile !== null,
    profile: { ...Object.fromEntries(known), ...extra, segmentation: profile?.segmentation ?? {} },
    consents: Object.fromEntries(consents.map(({ type, opted_in }) => [type, opted_in === true])),
    blocks: Object.fromEntries(blocks.map(({ type, active }) => [type, active === true])),
    tags: tags.map(({ tag }) => tag),
    excluded: is_excluded === true,
    blocked: is_blocked === true,
    past,
  };
}
