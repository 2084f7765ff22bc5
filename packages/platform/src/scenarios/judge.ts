import { readTimestampText } from '@croupier/contracts';
import { type Expected, type Outcome, outcomes } from './scenario.ts';
import { describeEntry } from './text.ts';
import type { TimelineEntry } from './timeline.ts';

/** Outcomes that an expectation must list. */
const effects: ReadonlySet<Outcome> = new Set([
  'entered',
  'left',
  'sent',
  'listed',
  'credited',
  'offered',
  'tagged',
  'untagged',
  'withheld',
  'failed',
]);

/**
 * Compares what happened since the last expectation with what was expected. Pure. Expected lines must occur in their order.
 * Entries, effects, and everything that was withheld or failed must be expected.
 *
 * @returns one sentence for each difference
 */
export function judge(expected: 'nothing' | readonly Expected[], came: readonly TimelineEntry[]): string[] {
  if (expected === 'nothing') return came.map((entry) => `expected nothing, but got: ${describeEntry(entry)}`);
  const failures: string[] = [];
  const matched = new Set<TimelineEntry>();
  let place = 0;
  for (const one of expected) {
    const found = came.findIndex((entry, at) => at >= place && matches(one, entry));
    if (found === -1) failures.push(`expected, but missing: ${wordsOf(one)}`);
    else {
      matched.add(came[found] as TimelineEntry);
      place = found + 1;
    }
  }
  for (const entry of came)
    if (!matched.has(entry) && effects.has(entry.outcome)) failures.push(`not expected: ${describeEntry(entry)}`);
  return failures;
}

/**
 * Together with an outcome, an expectation may state the step, the entered campaign, or the reason of the end. `true` matches any of them.
 */
function matches(expected: Expected, entry: TimelineEntry): boolean {
  const { outcome, step, campaign, reason } = entry;
  const named = outcomes.filter((name) => expected[name] !== undefined && expected[name] !== false);
  if (named.length !== 1 || named[0] !== outcome) return false;
  const value = expected[outcome];
  const isOfRun = step === null;
  const isIt = value === true || (isOfRun ? value === campaign || value === reason : value === step);
  const isSame = (name: 'campaign' | 'reason' | 'channel' | 'template' | 'bonus_code' | 'variant' | 'version') =>
    expected[name] === undefined || expected[name] === entry[name];
  const isAt = (name: 'at' | 'until') =>
    expected[name] === undefined || readTimestampText(expected[name])?.micros === entry[name];
  return (
    isIt &&
    isSame('campaign') &&
    isSame('reason') &&
    isSame('channel') &&
    isSame('template') &&
    isSame('bonus_code') &&
    isSame('variant') &&
    isSame('version') &&
    isAt('at') &&
    isAt('until') &&
    (expected.text === undefined || (entry.rendered ?? '').includes(expected.text))
  );
}

function wordsOf(expected: Expected): string {
  return Object.entries(expected)
    .map(([name, value]) => (value === true ? name : `${name} ${String(value)}`))
    .join(', ');
}
