import type { FactRow } from '@croupier/rules';
import type { EventNews, RunCause } from './news.ts';

/**
 * Keyed by the name of an event. `of` lists the fields that are equal if two events concern the same thing. `by` lists
 * the statuses that withdraw it.
 */
const takenBack: Readonly<Record<string, { of: readonly string[]; by: readonly string[] }>> = {
  payment: { of: ['type', 'payment_id'], by: ['Rollback', 'Cancelled', 'Rejected'] },
  casino: { of: ['vendor_id', 'activity_id', 'type'], by: ['Rollback'] },
  bet: { of: ['type', 'activity_id'], by: ['Rollback'] },
  ticket: { of: ['transaction_id'], by: ['Rejected'] },
  bonus: { of: ['user_bonus_id'], by: ['Reversed'] },
  funds_credited: { of: ['intent_id'], by: ['Rollback'] },
};

/**
 * Whether an event withdraws the cause of all runs that began with the same payment, bet, purchase, bonus or credited
 * funds. Pure.
 */
export function mayWithdraw({ kind, row }: Pick<EventNews, 'kind' | 'row'>): boolean {
  return takenBack[kind]?.by.includes(String(row.status)) === true;
}

/** Names what an event is about, so that the event and its withdrawal have the same name. Undefined if no event can withdraw it. Pure. */
export function thingOf({ kind, row }: { kind: string; row: FactRow }): string | undefined {
  const values = takenBack[kind]?.of.map((name) => row[name]);
  return values === undefined || values.includes(undefined) ? undefined : JSON.stringify([kind, ...values]);
}

/** What a run depends on: if it was withdrawn at the time of the cause or later, the run ends. Undefined: nothing can withdraw it. Pure. */
export function thingBehind(cause: RunCause): string | undefined {
  return cause.type !== 'event' || mayWithdraw(cause) ? undefined : thingOf(cause);
}

/**
 * Whether an event withdraws the cause of a run: the deposit was rolled back, the bet was cancelled. Pure. If such an event is
 * itself the start of the run, such as a rejected deposit, no event withdraws its cause.
 */
export function withdraws(one: EventNews, cause: RunCause): boolean {
  const thing = thingBehind(cause);
  return thing !== undefined && mayWithdraw(one) && thingOf(one) === thing;
}
