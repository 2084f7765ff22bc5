import type { EventNews, RunCause } from './news.ts';

/** By the name of an event: which fields say that two events are about one thing, and which statuses take it back. */
const takenBack: Readonly<Record<string, { of: readonly string[]; by: readonly string[] }>> = {
  payment: { of: ['type', 'payment_id'], by: ['Rollback', 'Cancelled', 'Rejected'] },
  casino: { of: ['vendor_id', 'activity_id', 'type'], by: ['Rollback'] },
  bet: { of: ['type', 'activity_id'], by: ['Rollback'] },
  ticket: { of: ['transaction_id'], by: ['Rejected'] },
  bonus: { of: ['user_bonus_id'], by: ['Reversed'] },
  funds_credited: { of: ['intent_id'], by: ['Rollback'] },
};

/**
 * Whether an event takes back what a run began with: the deposit was rolled back, the bet was cancelled. Pure. A run that begins with such
 * an event itself, as the rescue of a rejected deposit does, has no cause that could be taken back.
 */
export function withdraws({ kind, row }: EventNews, cause: RunCause): boolean {
  const thing = takenBack[kind];
  if (thing === undefined || cause.type !== 'event' || cause.kind !== kind) return false;
  const { of, by } = thing;
  const endsIt = (status: unknown) => by.includes(String(status));
  const isSame = of.every((name) => row[name] !== undefined && row[name] === cause.row[name]);
  return isSame && endsIt(row.status) && !endsIt(cause.row.status);
}
