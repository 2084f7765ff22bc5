import { dayOf } from '@croupier/contracts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { derivedEvent, testSettings } from '../../../../testing/derive/event.ts';
import {
  history,
  type PlainBet,
  type PlainMoment,
  plainSports,
  type SportsBody,
} from '../../../../testing/derive/families/sports/plain.ts';
import { arrivalsOf } from '../../../../testing/derive/histories.ts';
import { deltasOf } from '../../totals/deltas.ts';
import type { Activity } from './activity.ts';
import type { Bet } from './bet.ts';
import { arrivalOf, decide, keyOf } from './decide.ts';

/*
 * Order independence (docs/reference/design.md 2.3): random histories with repeats, contradictions, rollbacks and
 * arbitrary references, shuffled and split into random batches, must give the bets and totals of a plain recomputation
 * without batches. A failure prints its seed and path; pass them to fc.assert to reproduce it.
 */
const brandId = 7;
const users = ['a', 'b'];
const settings = testSettings({ time_zone: 'Europe/Malta' });

test('P3: any order, repetition and batching of the same events gives the same bets and totals', () => {
  fc.assert(
    fc.property(
      history.chain((bodies) => fc.tuple(fc.constant(bodies), arrivalsOf(bodies))),
      ([bodies, batches]) => {
        const state = newState();
        for (const batch of batches) apply(state, batch);
        const plain = plainSports(brandId, bodies);
        for (const [player, user] of users.entries()) {
          const { bets = [], moments = [] } = plain.get(user) ?? {};
          const own = [...state.bets.values()].filter((bet) => bet.player_id === player);
          expect(own.map(asPlain).sort(byText)).toEqual(bets.map(textOf).sort(byText));
          expect(ofPlayer(state.totals, player)).toEqual(plainTotals(moments));
          expect(ofPlayer(state.interests, player)).toEqual(plainInterests(moments));
        }
        // The reported numbers of orphans add up to the orphans that exist.
        const orphans = [...state.bets.values()].reduce((sum, bet) => sum + bet.orphans, 0);
        expect(state.orphanVerdicts - state.resolved).toBe(orphans);
      },
    ),
    { numRuns: 1_500 },
  );
}, 60_000);

test('P2: applying every event again changes nothing; each is a repeat or a conflict', () => {
  fc.assert(
    fc.property(history, (bodies) => {
      const state = newState();
      apply(state, bodies);
      const again = decide(state.activities, bodies.map(eventOf).map(arrivalOf));
      expect([again.activities, again.bets, again.gone, again.parts, again.interests]).toEqual([[], [], [], [], []]);
      expect(again.resolved).toEqual([]);
      const verdicts = [...again.verdicts.values()];
      expect(verdicts.filter((verdict) => verdict !== 'repeat' && verdict !== 'conflict')).toEqual([]);
      expect(verdicts.length).toBe(bodies.length);
    }),
    { numRuns: 300 },
  );
});

/** The incremental code, with maps instead of tables. */
function newState() {
  return {
    activities: new Map<string, Activity>(),
    bets: new Map<string, Bet>(),
    totals: new Map<string, bigint>(),
    interests: new Map<string, bigint>(),
    orphanVerdicts: 0,
    resolved: 0,
  };
}

function apply(state: ReturnType<typeof newState>, bodies: readonly SportsBody[]): void {
  const { activities, bets, gone, parts, interests, verdicts, resolved } = decide(
    state.activities,
    bodies.map(eventOf).map(arrivalOf),
  );
  // Converts the facts to JSON and back, as the tables do.
  for (const { activity } of activities) state.activities.set(keyOf(activity), JSON.parse(JSON.stringify(activity)));
  for (const bet of bets) state.bets.set(`${bet.player_id}:${bet.bet_key}`, bet);
  for (const bet of gone) state.bets.delete(`${bet.player_id}:${bet.bet_key}`);
  state.orphanVerdicts += [...verdicts.values()].filter((verdict) => verdict === 'orphan').length;
  state.resolved += resolved.reduce((sum, { orphans }) => sum + orphans, 0);
  addDeltas(state.totals, deltasOf(parts, 0, ['sports_name']), ',');
  addDeltas(state.interests, deltasOf(interests, 0, ['league', 'team']), '|');
}

function addDeltas(totals: Map<string, bigint>, { total, day }: ReturnType<typeof deltasOf>, between: string): void {
  for (const row of [...total, ...day]) {
    const name = `${row.player_id} ${row.by.join(between)} ${row.period ?? 'ever'}`;
    for (const [column, by] of row.counts) add(totals, `${name} ${column}`, BigInt(by));
    for (const [column, by] of row.sums) add(totals, `${name} ${column}`, BigInt(by.times(1_000_000).toFixed()));
  }
}

function plainInterests(moments: readonly PlainMoment[]): Record<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { at, interests, sums } of moments) {
    for (const name of interests) {
      for (const period of ['ever', dayOf('Europe/Malta', at)]) {
        add(totals, `${name} ${period} bet_count`, 1n);
        add(totals, `${name} ${period} stake_sum`, (sums.real_bet_sum ?? 0n) + (sums.bonus_bet_sum ?? 0n));
      }
    }
  }
  return Object.fromEntries([...totals].filter(([, value]) => value !== 0n));
}

function plainTotals(moments: readonly PlainMoment[]): Record<string, bigint> {
  const totals = new Map<string, bigint>();
  for (const { at, sport, counts, sums } of moments) {
    for (const name of [`${sport} ever`, `${sport} ${dayOf('Europe/Malta', at)}`]) {
      for (const [column, by] of Object.entries({ ...counts, ...sums })) add(totals, `${name} ${column}`, BigInt(by));
    }
  }
  return Object.fromEntries([...totals].filter(([, value]) => value !== 0n));
}

function add(totals: Map<string, bigint>, name: string, by: bigint): void {
  totals.set(name, (totals.get(name) ?? 0n) + by);
}

function ofPlayer(totals: ReadonlyMap<string, bigint>, player: number): Record<string, bigint> {
  const own = [...totals].filter(([name, value]) => name.startsWith(`${player} `) && value !== 0n);
  return Object.fromEntries(own.map(([name, value]) => [name.slice(`${player} `.length), value]));
}

function eventOf(body: SportsBody) {
  return derivedEvent('sports', { ...body }, { player_id: users.indexOf(body.user_id), brand_id: brandId, settings });
}

function asPlain(bet: Bet): string {
  const { bet_id, state, orphans, at, conflicts, base_amount, base_payout, settlement_count, cashout_count } = bet;
  return textOf({
    bet_id,
    state,
    orphans,
    at,
    conflicts,
    stake: base_amount === null ? null : millionths(base_amount),
    payout: millionths(base_payout),
    settlements: settlement_count,
    cashouts: cashout_count,
  });
}

/** '0.894' as 894000n. */
function millionths(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

function textOf(bet: PlainBet): string {
  return JSON.stringify(bet, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
