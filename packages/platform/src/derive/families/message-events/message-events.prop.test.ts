import { messageReports } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent } from '../../../../testing/derive/event.ts';
import { type PlainReport, plainOutcomes } from '../../../../testing/derive/families/message-events/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { distinctReports, keyOf, type MessageOutcome, outcomesOf, repeatedReports } from './report.ts';

const users = ['a', 'b'];
const body: fc.Arbitrary<PlainReport> = fc.record(
  {
    user_id: fc.constantFrom(...users),
    timestamp: fc.integer({ min: 0, max: 4 }).map((second) => `2026-05-01T10:00:0${second}Z`),
    event_id: fc.constantFrom('p:1', 'p:2'),
    what: fc.constantFrom('delivered', 'opened', 'clicked', 'bounced'),
    channel: fc.constant('email'),
    provider: fc.constant('p'),
    message_id: fc.constantFrom('64', '128'),
    campaign_id: fc.constant('welcome'),
  },
  { requiredKeys: ['user_id', 'timestamp', 'event_id', 'what', 'channel', 'provider', 'campaign_id'] },
);

test('P3: any order, repetition and batching of the same reports gives the same outcomes', () => {
  fc.assert(
    fc.property(
      fc.array(body, { minLength: 1, maxLength: 20 }).chain((all) => fc.tuple(fc.constant(all), arrivalsOf(all))),
      ([bodies, batches]) => {
        const held = new Set<string>();
        const outcomes = new Map<string, Record<string, number | null>>();
        let repeats = 0;
        for (const batch of batches) {
          const sources = batch.map((each) =>
            derivedEvent('message_event', { ...each }, { player_id: users.indexOf(each.user_id) }),
          );
          const given = distinctReports(sources).filter((report) => !held.has(keyOf(report)));
          repeats += repeatedReports(sources, new Set(given.map(keyOf))).size;
          for (const report of given) held.add(keyOf(report));
          for (const outcome of outcomesOf(given)) merge(outcomes, outcome);
        }
        const different = [...new Map(bodies.map((each) => [JSON.stringify(each), each])).values()];
        expect(held.size).toBe(different.length);
        expect(repeats).toBe(batches.flat().length - different.length);
        expect(outcomes).toEqual(plainOutcomes(different));
      },
    ),
    { numRuns: 1_500 },
  );
});

/** Merges as the table does. */
function merge(into: Map<string, Record<string, number | null>>, outcome: MessageOutcome): void {
  const key = `${users[outcome.player_id]} ${outcome.message_id}`;
  const held = into.get(key);
  into.set(
    key,
    Object.fromEntries(
      messageReports.map((what) => {
        const at = outcome[`${what}_at`];
        const times = [at === null ? null : at / 1000, held?.[what] ?? null].filter((time) => time !== null);
        return [what, times.length === 0 ? null : Math.min(...times)];
      }),
    ),
  );
}
