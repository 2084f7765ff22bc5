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
export function mayWithdraw({ kind, row }: EventNews): boolean {
  return takenBack[kind]?.by.includes(String(row.status)) === true;
}

/**
 * Whether an event withdraws the cause of a run: the deposit was rolled back, the bet was cancelled. Pure. If such an event is
 * itself the start of the run, such as a rejected deposit, no event withdraws its cause.
 */
export function withdraws({ kind, row }: EventNews, cause: RunCause): boolean {
  const thing = takenBack[kind];
  if (thing === undefined || cause.type !== 'event' || cause.kind !== kind) return false;
  const { of, by } = thing;
  const endsIt = (status: unknown) => by.includes(String(status));
  const isSame = of.every((name) => row[name] !== undefined && row[name] === cause.row[name]);
  return isSame && endsIt(row.status) && !endsIt(cause.row.status);
}
