import { type DecimalText, dayOf, type EventOf, type Micros } from '@croupier/contracts';
import { type DerivedEvent, fingerprintOf } from '../../event.ts';
import { addVersion, arrivalAmong, type Version } from '../../versions.ts';

/*
 * Game round messages: the operator's own view of a whole round. Their key is the round's
 * (docs/reference/decisions.md 2.4), and messages of one key more than 72 h apart belong to different rounds (2.6).
 *
 * Of versions with the same money only the earliest is stored. The times of the others still matter, because they can
 * connect two messages, so a run of messages stores its last time.
 */

/** The amounts of a message. Locked money is the player's own, so a message's real money includes it. */
export const messageParts = ['real_bet', 'bonus_bet', 'real_win', 'bonus_win'] as const;
export type MessagePart = (typeof messageParts)[number];
export type Amounts = { readonly [part in MessagePart]?: DecimalText };

export interface RoundMessage extends Version {
  readonly day: string;
  /** The currency of `user`. */
  readonly currency: string;
  readonly user: Amounts;
  /** In the brand's base currency. */
  readonly base: Amounts;
  readonly device_type: string;
  readonly origin: string;
}

/** Messages of one key, each at most 72 h after the previous one. */
export interface MessageRun {
  /**
   * The timestamp of the last message, which may not be among the versions. The timestamp of the first message is the
   * first version's.
   */
  readonly until: Micros;
  /** In canonical order. The first is in force, unless the round has an earlier run. */
  readonly versions: readonly RoundMessage[];
}

/**
 * Neighboring events of one round key that are further apart than this belong to different rounds
 * (docs/reference/decisions.md 2.6).
 */
export const roundGap: Micros = 72 * 3_600_000_000;

export function messageOf(source: DerivedEvent<'gameround'>): RoundMessage {
  const { event, settings } = source;
  const { timestamp, user_currency, device_type, origin } = event;
  return {
    timestamp,
    day: dayOf(settings.time_zone, timestamp),
    fingerprint: fingerprintOf(source),
    currency: user_currency,
    user: amountsOf(event, 'user'),
    base: amountsOf(event, 'base'),
    device_type,
    origin,
  };
}

function amountsOf(event: EventOf<'gameround'>, kind: 'user' | 'base'): Amounts {
  const amounts: { [part in MessagePart]?: DecimalText } = {};
  for (const part of messageParts) {
    const amount = event[`${part}_${kind}`];
    if (amount !== undefined) amounts[part] = amount;
  }
  return amounts;
}

export function sameMessageMoney(a: RoundMessage, b: RoundMessage): boolean {
  if (a.currency !== b.currency) return false;
  return messageParts.every((part) => a.user[part] === b.user[part] && a.base[part] === b.base[part]);
}

/** Adds a message to the runs of its key. Returns the same array if nothing changes. */
export function addMessage(
  runs: readonly MessageRun[],
  message: RoundMessage,
): { runs: readonly MessageRun[]; arrival: 'new' | 'repeat' | 'conflict' } {
  const { timestamp } = message;
  const joined = runs.filter(({ until, versions }) => {
    const from = versions[0]?.timestamp ?? until;
    return timestamp >= from - roundGap && timestamp <= until + roundGap;
  });
  const [only] = joined;
  if (only === undefined) return { runs: [...runs, { until: timestamp, versions: [message] }], arrival: 'new' };
  const held = joined.flatMap(({ versions }) => versions);
  const outcome = arrivalAmong(held, message, sameMessageMoney);
  if (joined.length === 1) {
    const versions = addVersion(only.versions, message, sameMessageMoney);
    if (versions === only.versions && timestamp <= only.until) return { runs, arrival: outcome };
    const grown = { until: Math.max(only.until, timestamp), versions };
    return { runs: runs.map((run) => (run === only ? grown : run)), arrival: outcome };
  }
  const versions = [...held, message].reduce<readonly RoundMessage[]>(
    (all, version) => addVersion(all, version, sameMessageMoney),
    [],
  );
  const until = Math.max(timestamp, ...joined.map((run) => run.until));
  return { runs: [...runs.filter((run) => !joined.includes(run)), { until, versions }], arrival: outcome };
}
