import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import {
  type BonusBody,
  history,
  type PlainBonus,
  plainBonuses,
} from '../../../../testing/derive/families/bonuses/plain.ts';
import { millionths } from '../../../../testing/derive/families/payments/plain.ts';
import { applyTo, arrivalsOf } from '../../../../testing/derive/histories.ts';
import type { Part } from '../../totals/index.ts';
import { addEvent, type BonusEvent } from './bonus.ts';
import { type Bonus, type BonusSaid, bonusFact, bonusSaid, partsOf } from './fact.ts';
import { bonuses } from './index.ts';
import { retainedEvents } from './retained-events.ts';

/*
 * Order independence (docs/reference/design.md 2.3): random histories with repeats, contradictions and reversals,
 * shuffled and split into random batches, must give the same bonuses and totals as a plain recomputation without
 * batches. A failure prints its seed and path; pass them to fc.assert to reproduce it.
 */
const brandId = 7;
const users = ['a', 'b'];
const settings = testSettings({ time_zone: 'Europe/Malta' });

test('P3: any order, repetition and batching of the same events gives the same bonuses and totals', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const { bonuses, sums } = incremental(batches);
        const plain = plainBonuses(brandId, bodies);
        for (const [player, user] of users.entries()) {
          const expected = plain.get(user) ?? [];
          const own = bonuses.filter((bonus) => bonus.player_id === player);
          expect(byId(own.map(asPlain))).toEqual(byId(expected));
        }
        expect(withoutZeros(sums)).toEqual(withoutZeros(plainSums(plain)));
      },
    ),
    { numRuns: 1_500 },
  );
});

test('P2: applying every event again changes nothing; each is a repeat or a conflict', () => {
  fc.assert(
    fc.property(history, (bodies) => {
      const held = new Map<string, Bonus>();
      apply(held, bodies);
      const { changes, verdicts } = applyTo(bonuses, held, bodies.map(eventOf));
      expect(changes).toEqual([]);
      expect(verdicts.size).toBe(bodies.length);
    }),
    { numRuns: 300 },
  );
});

/** Limits so low that the random histories exceed them. The limit of days is not exceeded. */
const scarce = { earliest: 1, latest: 1, days: 9 };

test('P3: a bonus that cannot keep all events gives the same result as one that does: amounts exactly, times to the day', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies), arrivalsOf(bodies))),
      ([bodies, batches, otherBatches]) => {
        const plain = users.flatMap((user, player) =>
          (plainBonuses(brandId, bodies).get(user) ?? []).map((bonus) => ({ player, ...toTheDay(bonus) })),
        );
        const retained = keptOfEach(batches.flat());
        const facts = [...retained.values()].map(({ identity, versions }) => ({
          player: identity.player_id,
          ...toTheDay(asPlain(bonusFact(identity, versions, 'Europe/Malta'))),
        }));
        expect(facts).toHaveLength(plain.length);
        expect(facts).toEqual(expect.arrayContaining(plain));
        const others = keptOfEach(otherBatches.flat());
        for (const [name, { versions }] of retained) expect(others.get(name)?.versions).toEqual(versions);
      },
    ),
    { numRuns: 2_000 },
  );
});

function keptOfEach(bodies: readonly BonusBody[]) {
  const remaining = new Map<string, { identity: BonusSaid; versions: readonly BonusEvent[] }>();
  for (const said of bodies.map((body) => bonusSaid(eventOf(body)))) {
    const name = bonuses.table.keyOf(said);
    const versions = remaining.get(name)?.versions ?? [];
    remaining.set(name, { identity: said, versions: addEvent(versions, said.event, scarce) });
  }
  return remaining;
}

/** Leaves out the history and its conflicts, because they only cover the stored events. */
function toTheDay({ history: _, conflicts: __, ...bonus }: PlainBonus) {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const { at, status_at, turned_real_at } = bonus;
  return {
    ...bonus,
    at: day(at),
    status_at: day(status_at),
    turned_real_at: turned_real_at === null ? null : day(turned_real_at),
  };
}

test('a bonus with an event for every bet stays small', () => {
  const events = Array.from({ length: 2_000 }, (_, i): BonusEvent => {
    const text = { product: 'Casino', type: 'Undefined', bonus_id: '1', origin: 'o' };
    const money = { amount: '10', currency: 'EUR', exchange_rate: '1', bonus_turned_real: String(i) };
    // One event every 50 minutes, for 70 days.
    return { ...text, ...money, status: 'Ongoing', timestamp: i * 3e9, fingerprint: String(i).padStart(32, '0') };
  });
  const kept = events.reduce<readonly BonusEvent[]>((versions, event) => addEvent(versions, event), []);
  expect(kept.length).toBeLessThanOrEqual(retainedEvents.earliest + retainedEvents.latest + retainedEvents.days);
});

/** Runs the incremental code, with maps instead of tables. */
function incremental(batches: readonly (readonly BonusBody[])[]) {
  const held = new Map<string, Bonus>();
  const sums = new Map<string, bigint>();
  for (const batch of batches) {
    for (const { before, after } of apply(held, batch)) {
      for (const part of partsOf(before)) add(sums, part, -1n);
      for (const part of partsOf(after)) add(sums, part, 1n);
    }
  }
  return { bonuses: [...held.values()], sums };
}

function add(sums: Map<string, bigint>, part: Part, sign: bigint): void {
  const row = `${part.player_id} ${part.day} ${part.by?.product}`;
  for (const [column, count] of Object.entries(part.counts)) plus(sums, `${row} ${column}`, sign * BigInt(count));
  for (const [column, sum] of Object.entries(part.sums ?? {})) plus(sums, `${row} ${column}`, sign * millionths(sum));
}

/** The sums over the bonuses of a plain recomputation, per player, day in Malta, product and column. */
function plainSums(plain: ReadonlyMap<string, readonly PlainBonus[]>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [user, bonuses] of plain) {
    for (const bonus of bonuses.filter(({ granted }) => granted)) {
      const row = (at: number) => `${users.indexOf(user)} ${dayInMalta(at)} ${bonus.product}`;
      plus(sums, `${row(bonus.at)} granted_count`, 1n);
      plus(sums, `${row(bonus.at)} granted_sum`, bonus.base_amount);
      if (bonus.turned_real_at !== null) {
        plus(sums, `${row(bonus.turned_real_at)} turned_real_count`, 1n);
        plus(sums, `${row(bonus.turned_real_at)} turned_real_sum`, bonus.turned_real);
      }
      if (bonus.status === 'Forfeited') {
        plus(sums, `${row(bonus.status_at)} forfeited_count`, 1n);
        plus(sums, `${row(bonus.status_at)} forfeited_sum`, bonus.base_amount);
      }
      if (bonus.status === 'Expired') plus(sums, `${row(bonus.status_at)} expired_count`, 1n);
    }
  }
  return sums;
}

/** Summer time: two hours ahead of UTC on the days of `history`. */
function dayInMalta(at: number): string {
  return new Date(at + 2 * 3_600_000).toISOString().slice(0, 10);
}

function plus(sums: Map<string, bigint>, name: string, value: bigint): void {
  sums.set(name, (sums.get(name) ?? 0n) + value);
}

function withoutZeros(sums: ReadonlyMap<string, bigint>): Map<string, bigint> {
  return new Map([...sums].filter(([, value]) => value !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function apply(held: Map<string, Bonus>, bodies: readonly BonusBody[]) {
  return applyTo(bonuses, held, bodies.map(eventOf)).changes;
}

function eventOf(body: BonusBody) {
  const player_id = users.indexOf(body.user_id);
  return derivedEvent('bonus', { ...body }, { player_id, brand_id: brandId, settings });
}

function asPlain(bonus: Bonus): PlainBonus {
  const { user_bonus_id, product, status, granted, bonus_code, conflicts, events } = bonus;
  const { status_at, at, turned_real_at, base_required_wagering, crm_references } = bonus;
  const history = events.filter((event, i) => {
    const before = events[i - 1];
    return before?.timestamp !== event.timestamp || before.status.toLowerCase() !== event.status.toLowerCase();
  });
  return {
    user_bonus_id,
    product,
    status,
    granted,
    bonus_code,
    conflicts,
    status_at: status_at / 1000,
    at: at / 1000,
    base_amount: millionths(bonus.base_amount),
    turned_real: millionths(bonus.base_turned_real),
    turned_real_at: turned_real_at === null ? null : turned_real_at / 1000,
    required_wagering: base_required_wagering === null ? null : millionths(base_required_wagering),
    expires_at: bonus.expires_at === null ? null : bonus.expires_at / 1000,
    reference: crm_references?.id ?? null,
    history: history.map(({ status }) => status),
  };
}

function byId(bonuses: readonly PlainBonus[]): PlainBonus[] {
  return [...bonuses].sort((a, b) => (a.user_bonus_id < b.user_bonus_id ? -1 : 1));
}
