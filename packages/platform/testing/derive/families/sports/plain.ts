import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';
import { floodOf } from '../../histories.ts';

/*
 * A simple implementation of bets, for tests. It computes them from all bodies at once, and shares no code with the incremental
 * implementation. Money is counted in whole millionths of the base currency, which is exact for the amounts and rates of
 * `history`.
 */

export interface SportsBody {
  user_id: string;
  activity_id: string;
  activity_id_reference?: string;
  type: 'Bet' | 'Settlement';
  status?: 'Approved' | 'Rollback';
  is_cashout?: boolean;
  bet_type: string;
  bets: {
    is_free_bet?: boolean;
    is_live?: boolean;
    odds?: number;
    sports_name?: string;
    tournament_name?: string;
    event_name?: string;
  }[];
  timestamp: string;
  amount: number;
  wager_amount?: number;
  bonus_wager_amount?: number;
  currency: string;
  exchange_rate: number;
  origin: string;
}

export interface PlainBet {
  bet_id: string;
  state: string;
  orphans: number;
  at: number;
  conflicts: number;
  stake: bigint | null;
  payout: bigint;
  settlements: number;
  cashouts: number;
}

/** What counts at one moment, for one sport. */
export interface PlainMoment {
  at: number;
  sport: string;
  counts: Record<string, number>;
  sums: Record<string, bigint>;
  /** The pairs `league|team` for which the bet of this moment counts. */
  interests: string[];
}

export interface PlainSports {
  bets: PlainBet[];
  moments: PlainMoment[];
}

const fields = {
  user_id: fc.constantFrom('a', 'a', 'b'),
  activity_id: fc.constantFrom('b1', 'b2', 's1', 's2'),
  activity_id_reference: fc.constantFrom('', 'b1', 'b1', 'b2', 's1', 'nowhere'),
  type: fc.constantFrom('Bet' as const, 'Settlement' as const),
  status: fc.constantFrom('Approved' as const, 'Approved' as const, 'Rollback' as const),
  is_cashout: fc.boolean(),
  bet_type: fc.constantFrom('Single', 'Combo'),
  bets: fc.array(
    fc.record(
      {
        is_free_bet: fc.boolean(),
        is_live: fc.boolean(),
        odds: fc.constantFrom(1.5, 2),
        sports_name: fc.constantFrom('Football', 'Tennis', 'Football', 'ski', ''),
        tournament_name: fc.constantFrom('Cup', 'League', ''),
        event_name: fc.constantFrom('Red - Blue', 'Blue vs Green', 'Winner'),
      },
      { requiredKeys: ['is_free_bet', 'is_live', 'odds'] },
    ),
    { maxLength: 4 },
  ),
  // Close to midnight in Malta and to a full hour, so that a bet whose time changes also changes its day and hour.
  timestamp: fc
    .integer({ min: 0, max: 5 })
    .map((step) => new Date(Date.UTC(2026, 3, 29, 20, 58) + step * 3_599_000).toISOString()),
  amount: fc.constantFrom(10, 20, 0.1, 12.34, 0),
  wager_amount: fc.constantFrom(0, 5, 10),
  bonus_wager_amount: fc.constantFrom(0, 5, 10),
  currency: fc.constantFrom('EUR', 'SEK'),
  exchange_rate: fc.constantFrom(0.5, 0.0894),
  origin: fc.constant('www.example.com'),
};

const body: fc.Arbitrary<SportsBody> = fc.record(fields, {
  requiredKeys: [
    ...(['user_id', 'activity_id', 'type', 'bet_type', 'bets', 'timestamp'] as const),
    ...(['amount', 'currency', 'exchange_rate', 'origin'] as const),
  ],
});

/** The number of an earlier event, and the changes that make a copy of it contradict it. */
const contradiction = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ amount: fields.amount }),
    fc.record({ activity_id_reference: fields.activity_id_reference }),
    fc.record({ timestamp: fields.timestamp }),
    fc.record({ timestamp: fields.timestamp, activity_id_reference: fields.activity_id_reference }),
    fc.record({ status: fields.status }),
    fc.record({ bets: fields.bets, is_cashout: fields.is_cashout }),
  ),
);

/** Few users, ids and times, and contradictions of earlier events, so that every kind of error is frequent. */
export const history: fc.Arbitrary<SportsBody[]> = fc
  .tuple(
    fc.array(body, { minLength: 1, maxLength: 16 }),
    fc.array(contradiction, { maxLength: 16 }),
    floodOf(fc.record({ timestamp: fields.timestamp, activity_id_reference: fields.activity_id_reference })),
  )
  .map(([bodies, contradictions, flood]) => {
    const all = [...bodies];
    for (const [of, other] of contradictions) all.push({ ...(all[of % all.length] as SportsBody), ...other });
    const flooded = all[flood.of % all.length] as SportsBody;
    return [...all, ...flood.others.map((other) => ({ ...flooded, ...other }))];
  });

type PlainEvent = SportsBody & { print: string; at: number; bet_id: string };

/** Every player's bets from the set of all bodies, by user_id. */
export function plainSports(brandId: number, bodies: readonly SportsBody[]): Map<string, PlainSports> {
  const distinct = new Map(bodies.map((each) => [fingerprint(brandId, 'sports', each), each]));
  const events = [...distinct].map(([print, each]): PlainEvent => {
    const reference = each.activity_id_reference;
    const own = each.type === 'Bet' || reference === undefined || reference === '';
    return { ...each, print, at: Date.parse(each.timestamp) * 1000, bet_id: own ? each.activity_id : reference };
  });
  return new Map([...Map.groupBy(events, (event) => event.user_id)].map(([user, own]) => [user, plainPlayer(own)]));
}

const mostVersions = 20;

function plainPlayer(events: readonly PlainEvent[]): PlainSports {
  const keys = [...Map.groupBy(events, (e) => `${e.activity_id} ${e.type} ${e.status ?? 'Approved'}`).values()];
  const standing = keys.map((rivals) => {
    const best = rivals.reduce((a, b) => (b.at < a.at || (b.at === a.at && b.print < a.print) ? b : a));
    const monies = new Set(rivals.map((e) => `${e.amount} ${e.currency} ${rateOf(e)}`));
    return { ...best, conflicts: Math.min(monies.size, mostVersions) - 1 };
  });
  const approved = standing.filter((event) => event.status !== 'Rollback');
  const rollbacks = standing.filter((event) => event.status === 'Rollback');
  const isSame = (a: PlainEvent) => (b: PlainEvent) => a.activity_id === b.activity_id && a.type === b.type;
  // A rollback belongs to the bet of the activity that it cancels, or otherwise to the bet that it names.
  const placed = [
    ...approved,
    ...rollbacks.map((event) => ({ ...event, bet_id: approved.find(isSame(event))?.bet_id ?? event.bet_id })),
  ];
  const bets: PlainBet[] = [];
  const moments: PlainMoment[] = [];
  for (const [bet_id, own] of Map.groupBy(placed, (event) => event.bet_id)) {
    const taken = own.filter((event) => event.status === 'Rollback');
    const said = own.filter((event) => event.status !== 'Rollback');
    const bet = said.find((event) => event.type === 'Bet');
    const isOut = (event: PlainEvent) => taken.some(isSame(event));
    const inForce = bet !== undefined && !isOut(bet);
    const paid = inForce ? said.filter((event) => event.type === 'Settlement' && !isOut(event)) : [];
    const cashouts = paid.filter((event) => event.is_cashout === true).length;
    const settled = paid.length === 0 ? 'open' : cashouts === paid.length ? 'cashed_out' : 'settled';
    const alone = taken.filter((event) => !said.some(isSame(event))).length;
    // The activities that are displayed. For a cancelled activity, this is its Approved event, not its Rollback.
    const shown = own.filter((event) => event.status !== 'Rollback' || !said.some(isSame(event)));
    bets.push({
      bet_id,
      state: bet === undefined ? 'orphan' : inForce ? settled : 'rolled_back',
      orphans: alone + (bet === undefined ? said.length : 0),
      at: bet?.at ?? Math.min(...shown.map((event) => event.at)),
      conflicts: own.reduce((sum, event) => sum + event.conflicts, 0),
      stake: bet === undefined ? null : inBase(bet, bet.amount),
      payout: paid.reduce((sum, event) => sum + inBase(event, event.amount), 0n),
      settlements: paid.length,
      cashouts,
    });
    if (inForce) moments.push(momentOfBet(bet), ...momentsOfPayouts(paid, plainSport(bet)));
  }
  return { bets, moments };
}

/** The most frequent name. In a tie, the name that occurs first. */
function plainSport({ bets }: PlainEvent): string {
  return mostOften(bets.flatMap(({ sports_name }) => sports_name || []));
}

function mostOften(names: readonly string[]): string {
  const times = (name: string) => names.filter((other) => other === name).length;
  return names.find((name) => names.every((other) => times(other) <= times(name))) ?? '';
}

const teamsOfEvents: Record<string, string[]> = { 'Red - Blue': ['Red', 'Blue'], 'Blue vs Green': ['Blue', 'Green'] };

function interestsOf({ bets }: PlainEvent): string[] {
  const league = mostOften(bets.flatMap(({ tournament_name }) => tournament_name || []));
  const teams = bets.flatMap(({ event_name = '' }) => teamsOfEvents[event_name] ?? []);
  return [...(league === '' ? [] : [`${league}|`]), ...new Set(teams.map((team) => `|${team}`))];
}

function momentOfBet(bet: PlainEvent): PlainMoment {
  const free = bet.bets.length > 0 && !bet.bets.some((selection) => selection.is_free_bet !== true);
  const bonus = free ? bet.amount : Math.min(bet.bonus_wager_amount ?? 0, bet.amount);
  return {
    at: bet.at,
    sport: plainSport(bet),
    interests: interestsOf(bet),
    counts: {
      bet_count: 1,
      free_bet_count: Number(free),
      live_bet_count: Number(bet.bets.some((selection) => selection.is_live)),
    },
    sums: { real_bet_sum: inBase(bet, bet.amount) - inBase(bet, bonus), bonus_bet_sum: inBase(bet, bonus) },
  };
}

function momentsOfPayouts(paid: readonly PlainEvent[], sport: string): PlainMoment[] {
  const ordered = [...paid].sort((a, b) => a.at - b.at);
  return ordered.map((event, i) => {
    const sumsUp = (event.wager_amount ?? 0) + (event.bonus_wager_amount ?? 0) === event.amount;
    const bonus = sumsUp ? (event.bonus_wager_amount ?? 0) : 0;
    return {
      at: event.at,
      sport,
      interests: [],
      counts: {
        win_count: event.amount > 0 ? 1 : 0,
        settled_count: i === 0 ? 1 : 0,
        cashout_count: event.is_cashout === true ? 1 : 0,
      },
      sums: { real_win_sum: inBase(event, event.amount) - inBase(event, bonus), bonus_win_sum: inBase(event, bonus) },
    };
  });
}

function rateOf(event: SportsBody): number {
  return event.currency === 'EUR' ? 1 : event.exchange_rate;
}

/** amount x rate in millionths: amounts have at most 2 fraction digits, rates at most 4. */
function inBase(event: SportsBody, amount: number): bigint {
  return BigInt(Math.round(amount * 100)) * BigInt(Math.round(rateOf(event) * 10_000));
}
