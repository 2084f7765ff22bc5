import type { CapCount, Contact, ContactHistory } from './caps.ts';
import { type ContactDecision, type ContactQuestion, type ContactSettings, countsOf, decideContact } from './decide.ts';

/** One of several contacts that are decided together. */
export interface RequestedContact {
  /** Identifies the player. */
  player: number | string;
  question: Omit<ContactQuestion, 'history'>;
  /** The decision of the gate. */
  gate: 'allowed' | 'withheld' | 'held';
}

export interface DecidedContact {
  decision: ContactDecision;
  /** The counts on which the decision is based, for the record of the decision. */
  counted: CapCount[];
}

/**
 * Decides contacts that are requested at the same time. For each player, the highest priority comes first; equal priorities
 * keep their order. An allowed contact counts toward the caps of the contacts after it. A contact that the gate still holds
 * counts only for contacts of a lower priority.
 *
 * @param historyOf returns what a player received before, and what is already held for the player
 * @returns in the order of the requests; null where the gate does not allow the contact
 */
export function decideContacts(
  settings: ContactSettings,
  asked: readonly RequestedContact[],
  historyOf: (player: RequestedContact['player']) => ContactHistory,
): (DecidedContact | null)[] {
  const decided: (DecidedContact | null)[] = asked.map(() => null);
  const order = [...asked.entries()].sort(([, a], [, b]) => priorityOf(b) - priorityOf(a));
  const sent = new Map<RequestedContact['player'], (Contact & { at: number })[]>();
  const held = new Map<RequestedContact['player'], (Contact & { priority: number })[]>();
  for (const [place, { player, question, gate }] of order) {
    const { contact, at } = question;
    if (gate === 'held') listOf(held, player).push(contact);
    if (gate !== 'allowed') continue;
    const before = historyOf(player);
    const history = {
      sent: [...before.sent, ...listOf(sent, player)],
      held: [...before.held, ...listOf(held, player)],
    };
    const whole = { ...question, history };
    const decision = decideContact(settings, whole);
    decided[place] = { decision, counted: countsOf(settings, whole) };
    if (decision.outcome === 'allowed') listOf(sent, player).push({ ...contact, at });
    if (decision.outcome === 'hold') listOf(held, player).push(contact);
  }
  return decided;
}

function priorityOf({ question }: RequestedContact): number {
  return question.contact.priority;
}

function listOf<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}
