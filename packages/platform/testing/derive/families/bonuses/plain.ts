import { fingerprint } from '@croupier/contracts';
import fc from 'fast-check';

/*
 * A simple implementation of bonuses, for tests. It computes them from all bodies at once, and shares no code with the
 * incremental implementation. Money is counted in whole millionths of the base currency, which is exact for the amounts and rates
 * of `history`.
 */

export interface BonusBody {
  user_id: string;
  user_bonus_id: string;
  bonus_id: string;
  bonus_code?: string;
  product: string;
  type: string;
  status: string;
  timestamp: string;
  amount: number;
  bonus_turned_real?: number;
  locked_amount?: number;
  required_wagering_amount?: number;
  currency: string;
  exchange_rate: number;
  origin: string;
  crm_references?: { id?: string; activity_id?: string };
  meta?: { expires_at?: string };
}

/** Times are milliseconds; money is in millionths of the base currency. */
export interface PlainBonus {
  user_bonus_id: string;
  product: string;
  status: string;
  status_at: number;
  granted: boolean;
  at: number;
  base_amount: bigint;
  turned_real: bigint;
  turned_real_at: number | null;
  required_wagering: bigint | null;
  expires_at: number | null;
  bonus_code: string | null;
  reference: string | null;
  /** The statuses of the bonus, earliest first, without repeats and contradictions. */
  history: string[];
  conflicts: number;
}

const fields = {
  user_id: fc.constantFrom('a', 'b'),
  user_bonus_id: fc.constantFrom('b1', 'b2', 'b3'),
  bonus_id: fc.constantFrom('12', '13'),
  product: fc.constantFrom('Casino', 'Casino', 'Sportsbook', 'casino', 'Bingo'),
  type: fc.constantFrom('WelcomeBonus', 'Undefined'),
  status: fc.constantFrom(
    'Pending',
    'Created',
    'created',
    'Ongoing',
    'Completed',
    'AutoCompleted',
    'Forfeited',
    'Expired',
    'Lost',
    'Reversed',
    'Reversed',
    'Paused',
    'PAUSED',
    'Awaiting',
  ),
  // Close to midnight in Malta.
  timestamp: fc
    .integer({ min: 0, max: 4 })
    .map((step) => new Date(Date.UTC(2026, 3, 29, 20, 58) + step * 3_599_000).toISOString()),
  amount: fc.constantFrom(10, 20, 0.1, 12.34, 0),
  currency: fc.constantFrom('EUR', 'SEK'),
  exchange_rate: fc.constantFrom(0.5, 0.0894),
  origin: fc.constant('www.example.com'),
  bonus_code: fc.constantFrom('WELCOME', 'RELOAD'),
  bonus_turned_real: fc.constantFrom(0, 5, 5, 7.25),
  locked_amount: fc.constantFrom(0, 3),
  required_wagering_amount: fc.constantFrom(100, 300),
  meta: fc.constantFrom({ expires_at: '2026-05-01T10:00:00Z' }, { expires_at: '2026-05-02 10:00:00' }, {}),
  crm_references: fc.constantFrom({ id: 'c1' }, { id: 'c2', activity_id: 'x' }, {}),
};

const body: fc.Arbitrary<BonusBody> = fc.record(fields, {
  requiredKeys: [
    ...(['user_id', 'user_bonus_id', 'bonus_id', 'product', 'type', 'status', 'timestamp'] as const),
    ...(['amount', 'currency', 'exchange_rate', 'origin'] as const),
  ],
});

/** An earlier event with one part changed, which makes a contradiction. */
const contradiction = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ amount: fields.amount }),
    fc.record({ bonus_turned_real: fields.bonus_turned_real }),
    fc.record({ bonus_code: fields.bonus_code, crm_references: fields.crm_references }),
    fc.record({ meta: fields.meta }),
    fc.record({ exchange_rate: fields.exchange_rate }),
    fc.record({ product: fields.product }),
    fc.record({ status: fields.status }),
    fc.record({ timestamp: fields.timestamp }),
  ),
);

/** Few users, ids and times, and contradictions of earlier events, so that ties and conflicts are frequent. */
export const history: fc.Arbitrary<BonusBody[]> = fc
  .tuple(fc.array(body, { minLength: 1, maxLength: 16 }), fc.array(contradiction, { maxLength: 16 }))
  .map(([bodies, contradictions]) => {
    const all = [...bodies];
    for (const [of, other] of contradictions) all.push({ ...(all[of % all.length] as BonusBody), ...other });
    return all;
  });

/** A second copy of the list, so that a change of the list is noticed. */
const knownStatuses = [
  'Pending',
  'Created',
  'Ongoing',
  'Completed',
  'AutoCompleted',
  'Forfeited',
  'Expired',
  'Lost',
  'Reversed',
];

type PlainEvent = BonusBody & { print: string; at: number; name: string; word: string };

/** Every player's bonuses from the set of all bodies, by user_id. */
export function plainBonuses(brandId: number, bodies: readonly BonusBody[]): Map<string, PlainBonus[]> {
  const distinct = new Map(bodies.map((one) => [fingerprint(brandId, 'bonus', one), one]));
  const events = [...distinct].map(([print, one]): PlainEvent => {
    const word = one.status.toLowerCase();
    const name = knownStatuses.find((known) => known.toLowerCase() === word) ?? one.status;
    return { ...one, print, at: Date.parse(one.timestamp), name, word };
  });
  const players = new Map<string, PlainBonus[]>();
  for (const [user, own] of Map.groupBy(events, ({ user_id }) => user_id)) {
    const groups = Map.groupBy(own, ({ user_bonus_id }) => user_bonus_id);
    players.set(user, [...groups.values()].map(plainBonus));
  }
  return players;
}

function plainBonus(events: readonly PlainEvent[]): PlainBonus {
  let conflicts = 0;
  const path: PlainEvent[] = [];
  for (const rivals of Map.groupBy(events, ({ at, word }) => `${at} ${word}`).values()) {
    path.push(rivals.reduce((best, rival) => (rival.print < best.print ? rival : best)));
    conflicts += new Set(rivals.map(moneyOf)).size - 1;
  }
  // Unknown statuses come first, sorted as text. Then the known ones come in their order.
  const place = ({ name, word }: PlainEvent) => `${knownStatuses.indexOf(name) + 1} ${word}`;
  path.sort((a, b) => a.at - b.at || (place(a) < place(b) ? -1 : 1));
  const last = path.at(-1) as PlainEvent;

  let statusAt = last.at;
  for (const event of [...path].reverse()) {
    if (event.word !== last.word) break;
    statusAt = event.at;
  }
  let at = (path[0] as PlainEvent).at;
  if (last.name !== 'Reversed') {
    for (const [i, { name }] of path.entries()) if (name === 'Reversed') at = (path[i + 1] as PlainEvent).at;
  }
  // A version that omits a field does not change it. So all versions are used, not only those in force, and the last one that contains the
  // field decides.
  const told = [...events].sort((a, b) => a.at - b.at || compare(place(a), place(b)) || compare(b.print, a.print));
  const takenBack = last.name === 'Reversed' ? undefined : path.filter(({ name }) => name === 'Reversed').at(-1);
  const since = told.filter(
    (e) => takenBack === undefined || e.at > takenBack.at || (e.at === takenBack.at && place(e) > place(takenBack)),
  );
  let turned: PlainEvent | undefined;
  for (const event of since) {
    if (event.bonus_turned_real === undefined) continue;
    if (turned?.bonus_turned_real === event.bonus_turned_real && turned.currency === event.currency) continue;
    turned = event;
  }
  const latest = since.filter((e) => e.bonus_turned_real !== undefined).at(-1);
  const turned_real = latest === undefined ? 0n : inBase(latest, latest.bonus_turned_real ?? 0);
  const telling = (field: 'required_wagering_amount' | 'bonus_code') =>
    told.filter((e) => e[field] !== undefined).at(-1);
  const wagering = telling('required_wagering_amount');
  return {
    user_bonus_id: last.user_bonus_id,
    product: last.product === 'casino' ? 'Casino' : last.product,
    status: last.name,
    status_at: statusAt,
    granted: last.name !== 'Reversed',
    at,
    base_amount: inBase(last, last.amount),
    turned_real,
    turned_real_at: turned_real === 0n ? null : (turned?.at ?? null),
    required_wagering: wagering === undefined ? null : inBase(wagering, wagering.required_wagering_amount ?? 0),
    expires_at: expiryIn(told.filter((e) => e.meta?.expires_at !== undefined).at(-1)),
    bonus_code: telling('bonus_code')?.bonus_code ?? null,
    reference: told.filter((e) => e.crm_references?.id !== undefined).at(-1)?.crm_references?.id ?? null,
    history: path.map(({ name }) => name),
    conflicts,
  };
}

/** Times without an offset are in Malta's zone, two hours ahead of UTC. */
function expiryIn(event: PlainEvent | undefined): number | null {
  const text = event?.meta?.expires_at;
  if (text === undefined) return null;
  return Date.parse(text.endsWith('Z') ? text : `${text.replace(' ', 'T')}+02:00`);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function moneyOf(event: PlainEvent): string {
  const { amount, bonus_turned_real, locked_amount, required_wagering_amount, currency, exchange_rate } = event;
  const rate = currency === 'EUR' ? 1 : exchange_rate;
  return [amount, bonus_turned_real, locked_amount, required_wagering_amount, currency, rate].join('/');
}

/** amount x rate in millionths: amounts have at most 2 fraction digits, rates at most 4. */
function inBase(event: PlainEvent, amount: number): bigint {
  const cents = BigInt(Math.round(amount * 100));
  return cents * (event.currency === 'EUR' ? 10_000n : BigInt(Math.round(event.exchange_rate * 10_000)));
}
