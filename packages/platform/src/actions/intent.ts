/**
 * States of a bonus intent (docs/reference/design.md 6). One row per intent for life; machine.ts draws what moves between them.
 *
 * offered: the player may claim it. pending: to be credited; claimed, waiting for its turn, or held by the gate.
 * retry: the last call certainly did nothing; the next one is due. unknown: a call may or may not have credited.
 * needs_person: nothing that happens by itself will tell. credited and rejected are ends; a rejected intent says why (the operator, the
 * gate, a budget, its expiry, a person).
 */
export const intentStates = ['offered', 'pending', 'retry', 'unknown', 'needs_person', 'credited', 'rejected'] as const;
export type IntentState = (typeof intentStates)[number];
