import fc from 'fast-check';
import type { BrandSettings } from '../../../../src/brands/index.ts';
import { floodOf } from '../../histories.ts';

/*
 * Random histories of one player's rounds, for tests. They have few ids and times, so that repeats, contradictions, rollbacks in
 * other rounds and reused round ids are frequent.
 */

export interface CasinoBody {
  kind: 'casino';
  timestamp: string;
  activity_id: string;
  type: 'Bet' | 'Win' | 'Loss';
  status?: 'Approved' | 'Rollback';
  round_id: string;
  game_id: string;
  vendor_id: string;
  amount: number;
  wager_amount?: number;
  bonus_wager_amount?: number;
  locked_wager_amount?: number;
  currency: string;
  exchange_rate: number;
  is_round_end: boolean;
  origin: string;
}

export interface GameRoundBody {
  kind: 'gameround';
  timestamp: string;
  round_id: string;
  game_id: string;
  game_name: string;
  game_type: string;
  vendor_id: string;
  real_bet_user?: number;
  bonus_bet_user?: number;
  real_win_user?: number;
  bonus_win_user?: number;
  real_bet_base?: number;
  bonus_bet_base?: number;
  real_win_base?: number;
  bonus_win_base?: number;
  user_currency: string;
  device_type: string;
  origin: string;
}

export type RoundBody = CasinoBody | GameRoundBody;

const hours = 3_600;
/** Seconds around a full hour, around midnight of Malta, and around the 72 hours after which a round key means a new round. */
const moments = [
  0,
  5,
  3_599,
  40 * hours,
  71 * hours,
  72 * hours,
  72 * hours + 5,
  112 * hours,
  143 * hours,
  150 * hours,
  230 * hours,
];

const timestamp = fc
  .constantFrom(...moments)
  .map((second) => new Date(Date.UTC(2026, 3, 20, 20, 59, 58) + second * 1000).toISOString());
const amount = fc.constantFrom(10, 2, 0.1, 12.34, 0);
const currency = fc.constantFrom('EUR', 'EUR', 'SEK');
const place = {
  timestamp,
  round_id: fc.constantFrom('r1', 'r1', 'r2'),
  game_id: fc.constantFrom('g1', 'g1', 'g2'),
  vendor_id: fc.constantFrom('v1', 'v1', 'v1', 'v2'),
  origin: fc.constantFrom('www.example.com', 'm.example.com'),
};

const casino = {
  ...place,
  kind: fc.constant('casino' as const),
  activity_id: fc.constantFrom('a1', 'a2', 'a3'),
  type: fc.constantFrom(...(['Bet', 'Bet', 'Win', 'Loss'] as const)),
  status: fc.constantFrom(...(['Approved', 'Approved', 'Rollback'] as const)),
  amount,
  wager_amount: amount,
  bonus_wager_amount: amount,
  locked_wager_amount: fc.constantFrom(0, 2),
  currency,
  exchange_rate: fc.constantFrom(0.5, 0.0894),
  is_round_end: fc.boolean(),
};

const gameround = {
  ...place,
  kind: fc.constant('gameround' as const),
  game_name: fc.constant('Lucky Lanterns'),
  game_type: fc.constant('slots'),
  real_bet_user: amount,
  bonus_bet_user: amount,
  real_win_user: amount,
  bonus_win_user: amount,
  real_bet_base: amount,
  bonus_bet_base: amount,
  real_win_base: amount,
  bonus_win_base: amount,
  user_currency: currency,
  device_type: fc.constantFrom('mobile', 'desktop'),
};

const casinoBody: fc.Arbitrary<CasinoBody> = fc.record(casino, {
  requiredKeys: [
    ...(['kind', 'timestamp', 'activity_id', 'type', 'round_id', 'game_id', 'vendor_id', 'amount'] as const),
    ...(['currency', 'exchange_rate', 'is_round_end', 'origin'] as const),
  ],
});

const gameRoundBody: fc.Arbitrary<GameRoundBody> = fc.record(gameround, {
  requiredKeys: [
    ...(['kind', 'timestamp', 'round_id', 'game_id', 'game_name', 'game_type', 'vendor_id'] as const),
    ...(['user_currency', 'device_type', 'origin'] as const),
  ],
});

/** An earlier event with one part changed; fields that the body does not have are left out. */
const contradiction = fc.tuple(
  fc.nat(),
  fc.oneof(
    fc.record({ status: fc.constant('Rollback' as const) }),
    fc.record({ amount, real_bet_user: amount }),
    fc.record({ timestamp }),
    fc.record({ round_id: place.round_id, game_id: place.game_id }),
    fc.record({ exchange_rate: casino.exchange_rate, real_win_base: amount }),
    fc.record({ is_round_end: fc.boolean() }),
    fc.record({ type: casino.type }),
  ),
);

export const history: fc.Arbitrary<RoundBody[]> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: casinoBody }, { weight: 1, arbitrary: gameRoundBody }), {
      minLength: 1,
      maxLength: 14,
    }),
    fc.array(contradiction, { maxLength: 12 }),
    floodOf(fc.record({ timestamp, round_id: place.round_id, game_id: place.game_id })),
  )
  .map(([bodies, contradictions, flood]) => {
    const all = [...bodies];
    for (const [of, other] of contradictions) {
      const body = all[of % all.length] as RoundBody;
      const fields = body.kind === 'casino' ? casino : gameround;
      all.push({ ...body, ...Object.fromEntries(Object.entries(other).filter(([name]) => name in fields)) });
    }
    const activities = all.filter((body) => body.kind === 'casino');
    const flooded = activities[flood.of % activities.length];
    if (flooded !== undefined) all.push(...flood.others.map((other) => ({ ...flooded, ...other })));
    return all;
  });

type RoundSettings = Pick<BrandSettings, 'rounds_from' | 'rollback_by_round' | 'casino_activity_key'>;

const usualKey = ['vendor_id', 'activity_id', 'type', 'status'] as const;

/** Mostly the default settings, and sometimes each of the other settings. */
export const settingsOfRounds: fc.Arbitrary<RoundSettings> = fc.record({
  rounds_from: fc.constantFrom(...(['auto', 'auto', 'auto', 'casino', 'gameround'] as const)),
  rollback_by_round: fc.constantFrom(false, false, true),
  casino_activity_key: fc.constantFrom<BrandSettings['casino_activity_key']>(
    [...usualKey],
    [...usualKey],
    [...usualKey, 'round_id'],
    [...usualKey, 'timestamp'],
    [...usualKey, 'amount'],
    ['vendor_id', 'activity_id', 'type'],
    ['activity_id', 'type', 'status'],
    ['activity_id', 'status'],
    ['activity_id', 'type', 'amount'],
    ['round_id', 'type'],
  ),
});
