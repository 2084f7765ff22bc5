import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import type { WaitingIntents } from './alarms.ts';

/** A kind of items of a brand that wait, failed or differ: how many there are, and where they are listed. */
export interface Concern {
  code: ConcernCode;
  count: number;
  /** The time since which the oldest one waits; null if it is not known. */
  oldest_at: Micros | null;
  /** The path of the list, below the address of the brand. */
  list: string;
}

export const concernCodes = [
  'quarantined',
  'parked',
  'look_ups',
  'holds',
  'messages_held',
  'failed_messages',
  'bonuses_unknown',
  'bonuses_need_person',
  'write_backs',
  'drift',
] as const;
export type ConcernCode = (typeof concernCodes)[number];

export interface ConcernFacts {
  quarantined: number;
  parked_players: number;
  players_not_synchronized: number;
  holds: { held: number; oldest_at: Micros | null };
  messages: { held: number; oldest_at: Micros | null };
  /** Messages that failed since this time. */
  failed_messages: { failed: number; oldest_at: Micros | null; since: Micros };
  intents: WaitingIntents;
  write_backs: { waiting: number; oldest_waiting_at: Micros | null };
  drift: { differences: number; oldest_at: Micros | null; reconciliation_id: number | null };
}

/** Every concern, including those with the number 0, so that the overview has the same layout every day. Pure. */
export function concernsOf(facts: ConcernFacts): Concern[] {
  const { holds, messages, failed_messages, write_backs, drift } = facts;
  const intentsIn = (state: string) => facts.intents.find((each) => each.state === state);
  const [unknown, needsPerson] = [intentsIn('unknown'), intentsIn('needs_person')];
  const of = (code: ConcernCode, count: number, oldest_at: Micros | null, list: string): Concern => ({
    code,
    count,
    oldest_at,
    list,
  });
  return [
    of('quarantined', facts.quarantined, null, '/quarantine?state=open'),
    of('parked', facts.parked_players, null, '/parked'),
    of('look_ups', facts.players_not_synchronized, null, '/sync-problems'),
    of('holds', holds.held, holds.oldest_at, '/holds'),
    of('messages_held', messages.held, messages.oldest_at, '/messages?state=held'),
    of(
      'failed_messages',
      failed_messages.failed,
      failed_messages.oldest_at,
      `/sent-messages?state=failed_or_unknown&ended_from=${timestamptzText(failed_messages.since)}`,
    ),
    of('bonuses_unknown', unknown?.count ?? 0, unknown?.oldest_at ?? null, '/bonus-intents?state=unknown'),
    of(
      'bonuses_need_person',
      needsPerson?.count ?? 0,
      needsPerson?.oldest_at ?? null,
      '/bonus-intents?state=needs_person',
    ),
    of('write_backs', write_backs.waiting, write_backs.oldest_waiting_at, '/write-backs'),
    of(
      'drift',
      drift.differences,
      drift.oldest_at,
      drift.reconciliation_id === null ? '/reconciliations' : `/reconciliations/${drift.reconciliation_id}/drift`,
    ),
  ];
}
