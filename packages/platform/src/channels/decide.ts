import type { PoolClient } from 'pg';
import type { ContactRequest, Decision, Gate } from '../gate/index.ts';
import type { MessageTerms } from './channel.ts';

/** A contact for a message. */
export interface MessageContact {
  request: ContactRequest;
  message: Pick<MessageTerms, 'allowed_by'> & { channel: string };
}

/**
 * Decides about contacts for messages. A contact through the message's own channel that `allowed_by` has already decided is not
 * decided again: a second decision in the same transaction would cost as much as the first, and would use the same facts.
 *
 * @returns one decision per contact, in the order of the contacts
 */
export async function decideContacts(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  contacts: readonly MessageContact[],
): Promise<Decision[]> {
  const open = contacts.filter((contact) => earlierDecision(contact) === undefined);
  const decisions = await gate.mayContact(
    tx,
    open.map(({ request }) => request),
  );
  const decisionOf = new Map(open.map((contact, place) => [contact, decisions[place]]));
  return contacts.map((contact): Decision => {
    const decision = earlierDecision(contact) ?? decisionOf.get(contact);
    if (decision === undefined) throw new Error('the gate returned no decision');
    return decision;
  });
}

/** The request is for another channel if the brand requires that channel's consent, or if a push also appears in the inbox. */
function earlierDecision({ request, message: { channel, allowed_by } }: MessageContact): Decision | undefined {
  if (allowed_by === undefined || request.channel !== channel) return undefined;
  return { outcome: 'allowed', decision_id: allowed_by };
}
