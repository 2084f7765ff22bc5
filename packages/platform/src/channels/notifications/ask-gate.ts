import type { PoolClient } from 'pg';
import type { ContactRequest, Decision, Gate } from '../../gate/index.ts';
import { decideContacts } from '../decide.ts';
import { type AboutProducts, aboutOf } from '../products.ts';
import type { MessageChannel, MessagePurpose, NotificationReason } from './notification.ts';

/** A message that needs a decision of the gate. */
export interface Asked {
  message_id: number;
  brand_id: number;
  player_id: number;
  channel: MessageChannel;
  purpose: MessagePurpose;
  expires_at: number | null;
  allowed_by?: number | undefined;
  /** Given if the message is decided again after it was ordered. */
  products?: AboutProducts['products'];
  /** See `ContactRequest`. */
  keepsQuietHours?: boolean;
}

export type Allowance =
  | { state: 'live'; reason: null; decision_id: number }
  | { state: 'withheld'; reason: NotificationReason; decision_id: number }
  | { state: 'held'; reason: NotificationReason; decision_id: number; ask_again_ms: number };

/**
 * Asks the gate whether these messages may be shown. Decides and records in the caller's transaction, which makes them live.
 *
 * A push also appears in the inbox, so both channels must allow it: with only one of the two consents it would appear somewhere
 * against the player's wish. If one of them is withheld, the message is withheld. Otherwise it waits for the missing
 * information.
 *
 * @returns one allowance per message, in the order of the messages
 */
export async function askGate(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  messages: readonly Asked[],
): Promise<Allowance[]> {
  const contacts = messages.map((message) => requestsOf(message).map((request) => ({ request, message })));
  const owners = contacts.flatMap((ofOne, owner) => ofOne.map(() => owner));
  const decisions = await decideContacts(tx, gate, contacts.flat());
  const ofMessage = Map.groupBy(decisions.entries(), ([place]) => owners[place]);
  return messages.map((_, owner) => worstOf((ofMessage.get(owner) ?? []).map(([, decision]) => decision)));
}

function requestsOf(message: Asked): ContactRequest[] {
  const {
    message_id,
    brand_id,
    player_id,
    channel,
    purpose,
    expires_at,
    products = null,
    keepsQuietHours = false,
  } = message;
  const cause = { kind: 'message', id: String(message_id) } as const;
  const request = {
    brand_id,
    player_id,
    purpose,
    cause,
    expires_at,
    keepsQuietHours,
    ...aboutOf(channel, { products }),
  };
  return channel === 'push'
    ? [
        { ...request, channel: 'push' },
        { ...request, channel: 'site' },
      ]
    : [{ ...request, channel: 'site' }];
}

const order: Record<Decision['outcome'], number> = { withheld: 0, held: 1, allowed: 2 };

function worstOf(decisions: readonly Decision[]): Allowance {
  const [worst] = decisions.toSorted((a, b) => order[a.outcome] - order[b.outcome]);
  if (worst === undefined) throw new Error('the gate returned no decision');
  const { decision_id } = worst;
  if (worst.outcome === 'allowed') return { state: 'live', reason: null, decision_id };
  if (worst.outcome === 'withheld') return { state: 'withheld', reason: worst.reason, decision_id };
  return { state: 'held', reason: worst.reason, decision_id, ask_again_ms: worst.ask_again_ms };
}
