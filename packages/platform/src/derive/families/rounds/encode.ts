import type { DecimalText, Micros } from '@croupier/contracts';
import Big from 'big.js';
import type { Activity, Resolution } from './activity.ts';
import { type Amounts, type MessageRun, messageParts, type RoundMessage } from './message.ts';
import type { Round } from './round.ts';

/*
 * Encodes the events of a round as one text. Rounds are the most numerous facts. So the encoding has no field names, and
 * stores only once what all events of a round have in common. README.md states the size of a round.
 *
 *   [[currency, exchange_rate, origin], event, event, ...]
 *   activity:  [mark, at, activity_id, amount, fingerprint, rest?]
 *   message:   ['M', at, fingerprint, currency, device_type, [4 user amounts, 4 base amounts if any], until, rest?]
 *              followed by ['m', ...] for each further version of its run
 *
 * `mark` is the type's letter (lower case for a Rollback), then the letter of the resolution, then ! at the end of a
 * round. `at` is in microseconds after first_at, `until` in microseconds after `at`. `rest` is an object with what
 * differs from the default: c currency, r exchange_rate, o origin, d day, b bonus and l locked part of the amount.
 *
 * SQL reads marks, times, amounts, rates and days (extremes.ts), so change both together.
 */
interface Rest {
  c?: string;
  r?: DecimalText;
  o?: string;
  d?: string;
  b?: DecimalText;
  l?: DecimalText;
}

type Head = readonly [currency: string, exchange_rate: DecimalText, origin: string];
type WrittenActivity = readonly [
  mark: string,
  at: Micros,
  id: string,
  amount: string,
  fingerprint: string,
  rest?: Rest,
];
type WrittenMessage = readonly [
  mark: string,
  at: Micros,
  fingerprint: string,
  currency: string,
  device: string,
  amounts: readonly (string | null)[],
  until: Micros,
  rest?: Rest,
];

const letters: Record<Activity['type'], string> = { Bet: 'B', Win: 'W', Loss: 'L' };
const typeOfLetter: Record<string, Activity['type']> = { B: 'Bet', W: 'Win', L: 'Loss' };
const marks: Record<Resolution, string> = { in_force: 'f', rolled_back: 'r', superseded: 's', orphan: 'o' };
const resolutionOfMark: Record<string, Resolution> = {
  f: 'in_force',
  r: 'rolled_back',
  s: 'superseded',
  o: 'orphan',
};

export interface Base {
  first_at: Micros;
  day: string;
}

export function encode({ activities, runs }: Pick<Round, 'activities' | 'runs'>, base: Base): string {
  const [first] = activities;
  const origin = first?.origin ?? runs[0]?.versions[0]?.origin ?? '';
  const head: Head = [first?.currency ?? '', first?.exchange_rate ?? '', origin];
  const written: unknown[] = [head];
  for (const activity of activities) written.push(writeActivity(activity, head, base));
  for (const { until, versions } of runs) {
    for (const version of versions) written.push(writeMessage(version, until, version === versions[0], head, base));
  }
  return JSON.stringify(written);
}

function writeActivity(activity: Activity, [currency, rate, origin]: Head, base: Base): WrittenActivity {
  const { type, status, resolution, is_round_end, timestamp, activity_id, amount, fingerprint } = activity;
  const letter = status === 'Approved' ? letters[type] : letters[type].toLowerCase();
  const mark = `${letter}${marks[resolution]}${is_round_end ? '!' : ''}`;
  const at = timestamp - base.first_at;
  const rest: Rest = {};
  let isUsual = true;
  const differs = (name: keyof Rest, value: string, usual: string) => {
    if (value === usual) return;
    rest[name] = value;
    isUsual = false;
  };
  differs('c', activity.currency, currency);
  differs('r', activity.exchange_rate, rate);
  differs('o', activity.origin, origin);
  differs('d', activity.day, base.day);
  differs('b', activity.bonus, '0');
  differs('l', activity.locked, '0');
  return isUsual ? [mark, at, activity_id, amount, fingerprint] : [mark, at, activity_id, amount, fingerprint, rest];
}

function writeMessage(
  message: RoundMessage,
  until: Micros,
  isFirst: boolean,
  [, , origin]: Head,
  base: Base,
): WrittenMessage {
  const amountSets = messageParts.some((part) => message.base[part] !== undefined)
    ? [message.user, message.base]
    : [message.user];
  const amounts = amountSets.flatMap((of) => messageParts.map((part) => of[part] ?? null));
  const written = [
    isFirst ? 'M' : 'm',
    message.timestamp - base.first_at,
    message.fingerprint,
    message.currency,
    message.device_type,
    amounts,
    until - message.timestamp,
  ] as const;
  const rest: Rest = {
    ...(message.origin !== origin && { o: message.origin }),
    ...(message.day !== base.day && { d: message.day }),
  };
  return Object.keys(rest).length === 0 ? written : [...written, rest];
}

export function decode(text: string, base: Base): Pick<Round, 'activities' | 'runs'> {
  const [head, ...events] = JSON.parse(text) as [Head, ...(WrittenActivity | WrittenMessage)[]];
  const activities: Activity[] = [];
  const runs: MessageRun[] = [];
  for (const event of events) {
    const [mark] = event;
    if (mark !== 'M' && mark !== 'm') {
      activities.push(readActivity(event as WrittenActivity, head, base));
      continue;
    }
    const [message, until] = readMessage(event as WrittenMessage, head, base);
    const run = mark === 'm' ? runs.pop() : undefined;
    runs.push({ until, versions: [...(run?.versions ?? []), message] });
  }
  return { activities, runs };
}

function readActivity(written: WrittenActivity, [currency, rate, origin]: Head, base: Base): Activity {
  const [mark, at, activity_id, amount, fingerprint, rest] = written;
  const [letter = '', resolution = ''] = mark;
  const capital = letter.toUpperCase();
  const bonus = rest?.b ?? '0';
  const locked = rest?.l ?? '0';
  return {
    activity_id,
    type: typeOfLetter[capital] ?? 'Loss',
    status: letter === capital ? 'Approved' : 'Rollback',
    resolution: resolutionOfMark[resolution] ?? 'superseded',
    timestamp: base.first_at + at,
    day: rest?.d ?? base.day,
    fingerprint,
    amount,
    real: bonus === '0' && locked === '0' ? amount : new Big(amount).minus(bonus).minus(locked).toFixed(),
    bonus,
    locked,
    currency: rest?.c ?? currency,
    exchange_rate: rest?.r ?? rate,
    is_round_end: mark.endsWith('!'),
    origin: rest?.o ?? origin,
  };
}

function readMessage(written: WrittenMessage, [, , origin]: Head, base: Base): [RoundMessage, Micros] {
  const [, at, fingerprint, currency, device_type, amounts, until, rest] = written;
  const message = {
    timestamp: base.first_at + at,
    day: rest?.d ?? base.day,
    fingerprint,
    currency,
    user: amountsFrom(amounts, 0),
    base: amountsFrom(amounts, messageParts.length),
    device_type,
    origin: rest?.o ?? origin,
  };
  return [message, message.timestamp + until];
}

function amountsFrom(amounts: readonly (string | null)[], from: number): Amounts {
  return Object.fromEntries(
    messageParts.flatMap((part, i) => {
      const amount = amounts[from + i];
      return amount === null || amount === undefined ? [] : [[part, amount]];
    }),
  );
}
