import type { Micros } from '@croupier/contracts';
import type { Pool, PoolClient } from 'pg';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import {
  type Protection,
  type ProtectionTransition,
  protectionOf,
  readProtectionFacts,
} from '../../operator/protection/index.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { type Ending, endMessages } from './ending-store.ts';
import { makeHeldDue } from './held-store.ts';
import { insertWithdrawals, lockUnreadMarketing, takeWithdrawals, type Withdrawal } from './withdrawal-store.ts';

/*
 * What happens to a player's messages when the player is excluded or blocked, or withdraws a consent: unread marketing is
 * withdrawn (docs/reference/design.md 2.5, "queued items included"), and the gate immediately decides again on held messages.
 *
 *     transition --follower, within 1 s--> the newest 200 of each player --more?--> the keeper continues, 200 at a time
 *                                      '--> a second check a minute later
 *
 * The second check finds messages that were being created at the moment of the transition. The gate decided about them before it could see
 * the transition, and they became live after the first check. No transaction of the platform lasts a minute.
 *
 * Read messages stay: the player has seen them, and they may contain a promise. Service messages stay for players who may see
 * them.
 */
const portion = 200;
/** Players that the keeper processes per batch. */
const maxPlayers = 20;
const secondLook = 60_000_000;

/** Consents that messages on the site and pushes need. */
const siteConsents = ['sitenotification', 'pushnotification'];

export interface Withdrawn {
  withdrawn: number;
  /** Signals that the caller passes to `SignalSender.poke` after the commit. */
  signals: SiteSignal[];
}

/** Handler of the follower 'channels'. It runs in the transaction that deletes the deliveries of the transitions. */
export async function protectMessages(
  tx: PoolClient,
  transitions: readonly ProtectionTransition[],
  at: Micros,
): Promise<Withdrawn> {
  const players = new Map(transitions.filter(isTighter).map(({ player_id, brand_id }) => [player_id, brand_id]));
  if (players.size === 0) return { withdrawn: 0, signals: [] };
  const all = [...players].map(([player_id, brand_id]) => ({ player_id, brand_id, below: null }));
  await makeHeldDue(tx, [...players.keys()]);
  const result = await withdrawPortion(tx, all, at);
  await insertWithdrawals(
    tx,
    all.map((one) => ({ ...one, due_at: at + secondLook })),
  );
  return result;
}

function isTighter({ kind, consent_type }: ProtectionTransition): boolean {
  if (kind === 'consent_withdrawn') return siteConsents.includes(consent_type?.toLowerCase() ?? '');
  return kind === 'excluded' || kind === 'blocked';
}

/** Continues what earlier rounds left. @returns null if nothing is due */
export async function withdrawFurther({ pool, clock }: { pool: Pool; clock: Clock }): Promise<Withdrawn | null> {
  return transaction(pool, async (tx) => {
    const at = clock();
    const due = await takeWithdrawals(tx, at, maxPlayers);
    return due.length === 0 ? null : withdrawPortion(tx, due, at);
  });
}

/**
 * Withdraws the newest unread marketing messages of players who are now protected: a transition only causes this check.
 * The rest is stored for the keeper.
 */
async function withdrawPortion(
  tx: PoolClient,
  players: readonly Omit<Withdrawal, 'withdrawal_id'>[],
  at: Micros,
): Promise<Withdrawn> {
  const facts = await readProtectionFacts(
    tx,
    players.map(({ player_id }) => player_id),
  );
  const found = players.flatMap((player) => {
    const known = facts.get(player.player_id);
    const why = known === undefined ? null : whyProtected(protectionOf(known));
    return why === null ? [] : [{ ...player, ...why }];
  });
  const messagesOf = Map.groupBy(await lockUnreadMarketing(tx, found, portion), ({ player_id }) => player_id);
  const result: Withdrawn = { withdrawn: 0, signals: [] };
  for (const [reason, group] of Map.groupBy(found, (player) => player.reason)) {
    const messages = group.flatMap(({ player_id }) => messagesOf.get(player_id) ?? []).filter(({ locked }) => locked);
    const ids = messages.map(({ message_id }) => message_id);
    const { withdrawn, signals } = await endMessages(tx, ids, { reason, by: null }, at);
    result.withdrawn += withdrawn;
    result.signals.push(...signals);
  }
  await insertWithdrawals(
    tx,
    found.flatMap(({ player_id, brand_id }) => {
      const messages = messagesOf.get(player_id) ?? [];
      const lowest = Math.min(...messages.map(({ message_id }) => message_id));
      return messages.length < portion ? [] : [{ player_id, brand_id, below: lowest, due_at: at }];
    }),
  );
  return result;
}

/** Pure. Null if marketing may stay in the inbox. A push needs both consents, a site message one. */
function whyProtected({ excluded, blocked, consents }: Protection) {
  const because = (reason: Ending['reason'], pushes_only: boolean) => ({ reason, pushes_only });
  if (excluded) return because('excluded', false);
  if (blocked) return because('blocked', false);
  if (consents.sitenotification !== true) return because('no_consent', false);
  if (consents.pushnotification !== true) return because('no_consent', true);
  return null;
}
