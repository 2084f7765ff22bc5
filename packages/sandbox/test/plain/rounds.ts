import type { EventOf } from '@croupier/contracts';
import { Big } from 'big.js';
import type { RoundTruth } from '../../src/index.ts';
import { nothing, type Part, productTotals, total } from './money.ts';
import { eventsInForce, type Received } from './received.ts';

/**
 * Rounds in the simplest implementation of docs/reference/decisions.md 2.4, 2.6 and 2.7: collects all events first, then
 * decides which belong together.
 */
type Activity = EventOf<'casino'>;
type Summary = EventOf<'gameround'>;
type Amount = 'real_bet' | 'bonus_bet' | 'real_win' | 'bonus_win';

const longest = 72 * 3_600_000_000;

export function plainRounds(
  activities: readonly Received<'casino'>[],
  summaries: readonly Received<'gameround'>[],
  base: string,
) {
  const inForce = eventsInForce(activities, (event) => [event.vendor_id, event.activity_id, event.type, event.status]);
  const name = (event: Activity) => JSON.stringify([event.vendor_id, event.activity_id, event.type]);
  const back = new Set(inForce.filter(({ status }) => status === 'Rollback').map(name));
  const approved = inForce.filter(({ status }) => status === 'Approved');
  const orphans = [...back].filter((one) => !approved.some((event) => name(event) === one)).length;

  const key = ({ vendor_id, game_id, round_id }: Activity | Summary) => JSON.stringify([vendor_id, game_id, round_id]);
  const groups = Map.groupBy([...approved, ...summaries.map(({ event }) => event)], key);
  const rounds: RoundTruth[] = [];
  const parts: Part[] = [];
  for (const cluster of [...groups.values()].flatMap(clustersOf)) {
    const own = cluster.filter((event) => event.kind === 'casino');
    const sum = cluster.find((event) => event.kind === 'gameround');
    const counted = own.filter((event) => !back.has(name(event)));
    const money = baseAmountsOf(own, counted, sum, base);
    parts.push(...money.parts);
    rounds.push({ ...roundOf(own, counted, sum, money.parts), unpriced: money.unpriced });
  }
  const totals = { ...productTotals(parts), round_count: rounds.filter((round) => round.counted).length };
  return { rounds, totals, orphans };
}

function clustersOf(events: (Activity | Summary)[]): (Activity | Summary)[][] {
  const clusters: (Activity | Summary)[][] = [];
  for (const event of events.sort((a, b) => a.timestamp - b.timestamp)) {
    const last = clusters.at(-1)?.at(-1);
    if (last !== undefined && event.timestamp - last.timestamp <= longest) clusters.at(-1)?.push(event);
    else clusters.push([event]);
  }
  return clusters;
}

function baseAmountsOf(own: readonly Activity[], counted: readonly Activity[], sum: Summary | undefined, base: string) {
  const rate = sum?.user_currency === base ? '1' : own[0]?.exchange_rate;
  const amount = (name: Amount): Big | null => {
    const given = sum?.[`${name}_base`];
    if (given !== undefined) return new Big(given);
    const user = new Big(sum?.[`${name}_user`] ?? 0);
    return user.eq(0) ? nothing : rate === undefined ? null : user.times(rate);
  };
  const names = ['real_bet', 'bonus_bet', 'real_win', 'bonus_win'] as const;
  const unpriced = names.some((name) => amount(name) === null);
  const moving = counted.filter(({ type, amount }) => type === 'Bet' || (type === 'Win' && !new Big(amount).eq(0)));
  const parts = moving.map((event) => partOf(event, sum !== undefined));
  if (sum === undefined) return { parts, unpriced: false };
  for (const what of ['bet', 'win'] as const) {
    const type = what === 'bet' ? 'Bet' : 'Win';
    const isAny = [sum[`real_${what}_user`], sum[`bonus_${what}_user`]].some((one) => !new Big(one ?? 0).eq(0));
    const real = unpriced ? nothing : (amount(`real_${what}`) ?? nothing);
    const bonus = unpriced ? nothing : (amount(`bonus_${what}`) ?? nothing);
    const isOne = isAny && !moving.some((event) => event.type === type);
    const sizes = isOne ? [unpriced ? null : real.plus(bonus)] : [];
    parts.push({ what, at: sum.timestamp, real, bonus, locked: nothing, sizes });
  }
  return { parts, unpriced };
}

/** Returns what an activity adds to the totals. If the round's message states the money, the activity adds none. */
function partOf(event: Activity, isTold: boolean): Part {
  const { type, timestamp: at, amount, exchange_rate, bonus_wager_amount = '0', locked_wager_amount = '0' } = event;
  const whole = new Big(amount).times(exchange_rate);
  const bonus = isTold ? nothing : new Big(bonus_wager_amount).times(exchange_rate);
  const locked = isTold ? nothing : new Big(locked_wager_amount).times(exchange_rate);
  const real = isTold ? nothing : whole.minus(bonus).minus(locked);
  return { what: type === 'Bet' ? 'bet' : 'win', at, real, bonus, locked, sizes: [whole] };
}

function roundOf(
  own: readonly Activity[],
  counted: readonly Activity[],
  sum: Summary | undefined,
  parts: readonly Part[],
): Omit<RoundTruth, 'unpriced'> {
  const { vendor_id, game_id, round_id } = (sum ?? own[0]) as Summary | Activity;
  const of = (what: 'bet' | 'win') => parts.filter((part) => part.what === what);
  const money = (what: 'bet' | 'win') =>
    total(of(what).map(({ real, bonus, locked }) => real.plus(bonus).plus(locked))).toFixed();
  return {
    vendor_id,
    game_id,
    round_id,
    first_at: own[0]?.timestamp ?? sum?.timestamp ?? 0,
    last_at: own.at(-1)?.timestamp ?? sum?.timestamp ?? 0,
    closed: sum !== undefined || counted.some(({ is_round_end }) => is_round_end),
    counted: sum !== undefined || counted.length > 0,
    bet_count: of('bet').reduce((count, { sizes }) => count + sizes.length, 0),
    win_count: of('win').reduce((count, { sizes }) => count + sizes.length, 0),
    bet_sum: money('bet'),
    win_sum: money('win'),
  };
}
