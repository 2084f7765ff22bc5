import { dayOf } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { history, type RoundBody, settingsOfRounds } from '../../../../testing/derive/families/rounds/history.ts';
import { MemoryTables } from '../../../../testing/derive/families/rounds/memory-tables.ts';
import {
  type PlainMoment,
  type PlainRound,
  type PlainTotals,
  plainRounds,
} from '../../../../testing/derive/families/rounds/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { playerBatches } from './arrival.ts';
import { baseAmountsOf } from './base-amounts.ts';
import { keyRuleOf } from './keys.ts';
import type { RoundFact } from './round.ts';
import { messageInForce } from './round.ts';

const brandId = 1;
const time_zone = 'Europe/Malta';

test('any order, repetition and batching gives the plain result, in facts and in totals', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies), settingsOfRounds)),
      ([bodies, batches, overrides]) => {
        const settings = testSettings({ time_zone, ...overrides });
        const tables = new MemoryTables();
        for (const batch of batches) tables.apply(playerBatches(batch.map((body) => eventOf(body, settings))));
        const plain = plainRounds(brandId, bodies, settings);
        expect(tables.rounds().map(asPlain).sort(byText)).toEqual(plain.rounds.sort(byText));
        expect(tables.totals(millionths)).toEqual(sortedTotals(plain.totals));
        expect(moneyWithoutCount(plain.totals)).toEqual([]);
        expect(tables.rounds().flatMap(momentsOf).sort()).toEqual(plain.moments.map(textOfMoment).sort());
        const { held, wanted } = tables.lookups(keyRuleOf(settings));
        expect(held).toEqual(wanted);
      },
    ),
    { numRuns: 1500 },
  );
}, 120_000);

test('applying events again changes nothing; each is a repeat or a conflict', () => {
  fc.assert(
    fc.property(history, settingsOfRounds, (bodies, overrides) => {
      const settings = testSettings({ time_zone, ...overrides, rounds_from: 'auto' });
      const tables = new MemoryTables();
      const events = bodies.map((body) => eventOf(body, settings));
      tables.apply(playerBatches(events));
      const again = tables.apply(playerBatches(events));
      expect([again.saved, again.gone, again.parts, again.lookups]).toEqual([[], [], [], { added: [], gone: [] }]);
      expect([...again.verdicts.values()].filter((verdict) => verdict !== 'repeat' && verdict !== 'conflict')).toEqual(
        [],
      );
      expect(again.verdicts.size).toBe(events.length);
    }),
    { numRuns: 300 },
  );
});

function eventOf({ kind, ...body }: RoundBody, settings: ReturnType<typeof testSettings>) {
  const event = derivedEvent(kind, { ...body, user_id: 'u' }, { player_id: 7, brand_id: brandId, settings });
  // The plain result covers one player, so its fingerprints are of bodies without a user_id.
  return { ...event, body };
}

function asPlain({ round, state }: RoundFact): PlainRound {
  const { vendor_id, game_id, round_id } = round;
  expect(state.day).toBe(dayOf(time_zone, state.first_at));
  return {
    ids: `${vendor_id} ${game_id} ${round_id}`,
    first_at: state.first_at,
    last_at: state.last_at,
    played: state.played,
    counted: state.counted,
    closed: state.closed,
    unpriced: state.unpriced,
    bet_count: state.bet_count,
    win_count: state.win_count,
    bet_sum: millionths(state.bet_sum),
    win_sum: millionths(state.win_sum),
    conflicts: state.conflicts,
    orphans: state.orphans,
    activities: round.activities
      .map((a) => `${a.type} ${a.status} ${a.activity_id} ${a.amount} @${a.timestamp}: ${a.resolution}`)
      .sort(),
    message: messageInForce(round)?.timestamp ?? null,
  };
}

function momentsOf({ round }: RoundFact): string[] {
  return baseAmountsOf(round, 'EUR').parts.flatMap(({ at, by, biggest, dated = [] }) =>
    dated.map((name) => {
      const word = name === 'bet' ? 'bet' : 'win';
      const size = biggest?.[`${word}_biggest`];
      const { vendor_id = '', game_id = '' } = by ?? {};
      return textOfMoment({ word, vendor_id, game_id, at, size: size === undefined ? null : millionths(size) });
    }),
  );
}

function textOfMoment({ word, vendor_id, game_id, at, size }: Omit<PlainMoment, 'round_bet'>): string {
  return `${word} ${vendor_id} ${game_id} ${at} ${size}`;
}

function byText(a: PlainRound, b: PlainRound): number {
  return `${a.ids} ${a.first_at}` < `${b.ids} ${b.first_at}` ? -1 : 1;
}

/** Money must count at the same moment as its bet or win. Then no boundary of an hour or day can separate them. */
function moneyWithoutCount(totals: PlainTotals): string[] {
  return [...totals.keys()].filter((name) => {
    const counted = name.replace(/^(?:real|bonus|locked)_(bet|win)_sum/, '$1_count');
    return !totals.has(counted);
  });
}

function sortedTotals(totals: PlainTotals): [string, bigint][] {
  return [...totals].sort(([a], [b]) => (a < b ? -1 : 1));
}
