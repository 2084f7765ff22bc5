/**
 * States of a bonus intent (docs/reference/design.md 6). Each intent has one row; machine.ts shows the transitions.
 *
 * - offered: the player may claim it
 * - pending: to be credited; it is claimed, waits for its turn, or is held by the gate
 * - retry: the last call certainly did nothing; the next one is due
 * - unknown: a call may or may not have credited
 * - needs_person: only a person can find out what happened
 * - credited, rejected: final; a rejected intent names the reason (the operator, the gate, a budget, its expiry, a person)
 */
export const intentStates = ['offered', 'pending', 'retry', 'unknown', 'needs_person', 'credited', 'rejected'] as const;
export type IntentState = (typeof intentStates)[number];
