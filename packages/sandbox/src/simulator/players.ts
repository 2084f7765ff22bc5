import type { Micros } from '@croupier/contracts';
import type { Casino } from './casino.ts';
import type { Character } from './play/characters.ts';

/** One player as the casino's games and desks see it. Details, consents, blocks and the wallet are in the operator's records. */
export interface CasinoPlayer {
  user_id: string;
  /** The character of the player. Undefined for an ordinary player. */
  character?: Character;
  currency: string;
  device: 'mobile' | 'desktop' | 'app';
  origin: string;
  known: boolean;
  /** Whether the registration is (or will be) published. False for players who registered before the integration. */
  registers: boolean;
  sid: string | null;
  lastLoginAt: Micros;
  deposits: number;
  withdrawals: number;
  /** Ids of the last `memory` deposits, newest last. */
  depositIds: string[];
  cartIds: number[];
  lastCartAt: Micros;
  /** Timestamp of the last logout, balance or custom event. No two of a kind have the same timestamp. */
  lastNoticeAt: Micros;
  /** Rounds per game, newest last, at most `memory`: id and time of the last activity. */
  rounds: Map<string, { round_id: string; endedAt: Micros }[]>;
  /** Games that this player prefers. */
  games: [number, number];
}

/** How many earlier ids are kept per player for the quirks that reuse them. */
export const memory = 24;

export function remember<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > memory) list.shift();
}

/** Creates a player with a character: in the base currency, and with a registration. */
export function createCharacter(casino: Casino, character: Character, id: string): CasinoPlayer {
  const user_id = `${casino.idPrefix}${character}-${id}`;
  const { base_currency: currency } = casino.brand;
  return { ...createPlayer(casino, 0), user_id, character, currency, registers: true };
}

/**
 * Creates a player. Most ids consist of digits, so that they can be sent as numbers. Unusual ids need care in a path or in a
 * double.
 */
export function createPlayer(casino: Casino, place: number): CasinoPlayer {
  const { random, brand, plays, idPrefix } = casino;
  const plain = `${idPrefix}${100_001 + place}`;
  const odd = plays('odd_user_id')
    ? random.pick([
        `${idPrefix}Zoë Ö/${place}`,
        `9007199254${String(740_993_000 + place).padStart(9, '0')}`,
        `${plain}+a%20b?c`,
      ])
    : undefined;
  const second = brand.base_currency === 'SEK' ? 'EUR' : 'SEK';
  return {
    user_id: odd ?? plain,
    currency: plays('second_currency') ? second : brand.base_currency,
    device: random.pick(['mobile', 'desktop', 'app']),
    origin: random.pick(['demo-casino.test', 'demo-casino.test', 'm.demo-casino.test']),
    known: false,
    registers: !plays('unregistered'),
    sid: null,
    lastLoginAt: 0,
    deposits: 0,
    withdrawals: 0,
    depositIds: [],
    cartIds: [],
    lastCartAt: 0,
    lastNoticeAt: 0,
    rounds: new Map(),
    games: [random.whole(0, 7), random.whole(0, 7)],
  };
}
