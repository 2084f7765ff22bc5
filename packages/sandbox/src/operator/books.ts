import { makePlayer } from './person.ts';
import type { BlockItem, BonusOffer, ConsentItem, OperatorPlayer, UserDetails, Wallet } from './records.ts';

/**
 * The operator's own books: players with consents, blocks and wallets, sessions (sids), bonuses, and every credit and
 * write-back that the platform made. They are what a test believes when it asks "was this bonus credited twice?".
 *
 * A population stands behind the stored players: ids made of a prefix and a number below `count` exist without taking
 * memory (each is derived from its id) and are stored only when they change. So five million players cost nothing.
 */
export interface BooksOptions {
  population?: {
    prefix: string;
    count: number;
    /** False: lists name only those of it that somebody asked about. For one so large that nobody could read a list of it. Default true. */
    isListed?: boolean;
  };
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** One bonus that the operator gave, and the call that made it. */
export interface Credit {
  credit_id: number;
  at: number;
  endpoint: 'bonus_credit' | 'bonus_credit_funds';
  user_id: string;
  bonus_code: string;
  amount: number | null;
  currency: string | null;
  idempotency_key: string | null;
  user_bonus_id: string;
  /** All headers of the call, names in lower case, without the credentials. */
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

export interface WriteBack {
  at: number;
  record: 'consents' | 'blocks';
  user_id: string;
  body: unknown;
}

/** A player who is signed in. */
interface Session {
  user_id: string;
  /** Milliseconds since the epoch; null: until it is signed out. */
  until: number | null;
}

/** What a listener hears. `by` tells a change of the operator's own from one that the platform asked for. */
export type BooksChange =
  | { what: 'registered' | 'details' | 'consents' | 'blocks'; by: 'operator' | 'platform'; user_id: string }
  | { what: 'credit'; by: 'platform'; user_id: string; credit: Credit };

export interface PlayerChanges {
  details?: Partial<UserDetails>;
  consents?: ConsentItem[];
  blocks?: BlockItem[];
  wallet?: Partial<Wallet>;
}

/** Old versions of a player kept for the dial "stale": enough to answer as the books stood a few changes ago. */
const versionLimit = 8;

export type Books = ReturnType<typeof createBooks>;

export function createBooks(options: BooksOptions = {}) {
  const now = options.now ?? Date.now;
  const population = options.population;
  /** Of a population that is not listed. */
  const heardOf = new Set<string>();
  const players = new Map<string, OperatorPlayer>();
  const versions = new Map<string, { until: number; player: OperatorPlayer }[]>();
  const sids = new Map<string, Session>();
  const credits: Credit[] = [];
  const creditsByKey = new Map<string, Credit>();
  const writeBacks: WriteBack[] = [];
  const listeners = new Set<(change: BooksChange) => void>();
  const offers: BonusOffer[] = [
    { bonus_code: 'WELCOME100', text: 'Welcome bonus 100 %' },
    { bonus_code: 'RELOAD50', text: 'Reload bonus 50 %' },
    { bonus_code: 'FREESPINS20', text: '20 free spins' },
    { bonus_code: 'CASHBACK10', text: 'Cashback 10 %' },
  ];

  function inPopulation(userId: string): boolean {
    if (population === undefined || !userId.startsWith(population.prefix)) return false;
    const number = userId.slice(population.prefix.length);
    return /^(0|[1-9]\d{0,15})$/.test(number) && Number(number) < population.count;
  }

  function player(userId: string): OperatorPlayer | undefined {
    const stored = players.get(userId);
    if (stored !== undefined || !inPopulation(userId)) return stored;
    if (population?.isListed === false) heardOf.add(userId);
    return makePlayer(userId);
  }

  function tell(change: BooksChange): void {
    for (const listener of listeners) listener(change);
  }

  function store(userId: string, next: OperatorPlayer): void {
    const before = player(userId);
    if (before !== undefined) {
      const retained = versions.get(userId) ?? [];
      retained.push({ until: now(), player: before });
      if (retained.length > versionLimit) retained.shift();
      versions.set(userId, retained);
    }
    players.set(userId, next);
  }

  return {
    credits,
    writeBacks,
    offers,
    player,

    /** Adds a player; the given changes are laid over a believable person. Replaces one that exists. */
    addPlayer(userId: string, changes: PlayerChanges & { by?: 'operator' | 'platform' } = {}): OperatorPlayer {
      const made = merge(makePlayer(userId), changes);
      players.set(userId, made);
      tell({ what: 'registered', by: changes.by ?? 'operator', user_id: userId });
      return made;
    },

    /** Changes a player's books; says so to the listeners once per record touched. Undefined for an unknown player. */
    change(
      userId: string,
      changes: PlayerChanges,
      by: 'operator' | 'platform' = 'operator',
    ): OperatorPlayer | undefined {
      const before = player(userId);
      if (before === undefined) return undefined;
      const next = merge(before, changes);
      store(userId, next);
      for (const what of ['details', 'consents', 'blocks'] as const) {
        if (changes[what] !== undefined) tell({ what, by, user_id: userId });
      }
      return next;
    },

    /** Moves hundredths of money in or out of a wallet. Leaves no old version behind: wallets are never stale. */
    moveMoney(userId: string, move: { real?: number; bonus?: number }): Wallet | undefined {
      const before = player(userId);
      if (before === undefined) return undefined;
      const { currency, real, bonus } = before.wallet;
      const wallet = { currency, real: real + (move.real ?? 0), bonus: bonus + (move.bonus ?? 0) };
      players.set(userId, { ...before, wallet });
      return wallet;
    },

    removePlayer(userId: string): boolean {
      versions.delete(userId);
      return players.delete(userId);
    },

    /** The player as the books stood `age` milliseconds ago, as far back as versions are kept. */
    playerAsOf(userId: string, age: number): OperatorPlayer | undefined {
      const then = now() - age;
      return versions.get(userId)?.find((version) => version.until > then)?.player ?? player(userId);
    },

    addCredit(credit: Omit<Credit, 'credit_id' | 'at' | 'user_bonus_id'>): Credit {
      const credit_id = credits.length + 1;
      const made: Credit = { ...credit, credit_id, at: now(), user_bonus_id: `ub-${credit_id}` };
      credits.push(made);
      if (made.idempotency_key !== null && !creditsByKey.has(made.idempotency_key)) {
        creditsByKey.set(made.idempotency_key, made);
      }
      tell({ what: 'credit', by: 'platform', user_id: made.user_id, credit: made });
      return made;
    },

    /** The first credit made under an Idempotency-Key. */
    creditByKey: (key: string): Credit | undefined => creditsByKey.get(key),

    addWriteBack(record: WriteBack['record'], userId: string, body: unknown): void {
      writeBacks.push({ at: now(), record, user_id: userId, body });
    },

    /** `seconds`: how long the session lives; without it until it is signed out. Signing in again starts it anew. */
    signIn(userId: string, sid: string, seconds?: number): void {
      sids.set(sid, { user_id: userId, until: seconds === undefined ? null : now() + seconds * 1000 });
    },
    signOut(sid: string): boolean {
      return sids.delete(sid);
    },
    /** Ends one session, or all of a player, as time would have: they stay in the books as expired. */
    expire(of: { sid: string } | { user_id: string }): number {
      let ended = 0;
      for (const [sid, session] of sids) {
        if ('sid' in of ? sid !== of.sid : session.user_id !== of.user_id) continue;
        session.until = now();
        ended += 1;
      }
      return ended;
    },
    /** The player of a session that lives. */
    userOfSid(sid: string): string | undefined {
      const session = sids.get(sid);
      return session === undefined || (session.until ?? Infinity) <= now() ? undefined : session.user_id;
    },

    /** Every user_id, stored ones first, then the rest of the population, or those of it that somebody asked about. */
    *userIds(): Generator<string> {
      yield* players.keys();
      if (population === undefined) return;
      if (population.isListed === false) {
        for (const userId of heardOf) if (!players.has(userId)) yield userId;
        return;
      }
      for (let i = 0; i < population.count; i++) {
        const userId = `${population.prefix}${i}`;
        if (!players.has(userId)) yield userId;
      }
    },
    counts() {
      return {
        players: players.size,
        population: population?.count ?? 0,
        sids: sids.size,
        credits: credits.length,
        write_backs: writeBacks.length,
      };
    },

    /** Hears every change of the books until the returned function is called. */
    listen(listener: (change: BooksChange) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Consents and blocks are merged by type without letter case; a block in force sets the flag of the details too. */
function merge(before: OperatorPlayer, changes: PlayerChanges): OperatorPlayer {
  const consents = mergeByType(before.consents, changes.consents);
  const blocks = mergeByType(before.blocks, changes.blocks);
  const details = { ...before.details };
  if (changes.blocks !== undefined) {
    details.is_blocked = inForce(blocks, 'blocked');
    details.is_excluded = inForce(blocks, 'excluded');
  }
  Object.assign(details, changes.details);
  return { details, consents, blocks, wallet: { ...before.wallet, ...changes.wallet } };
}

function mergeByType<T extends { type: string }>(before: T[], changes: T[] | undefined): T[] {
  if (changes === undefined) return before;
  const merged = new Map(before.map((item) => [item.type.toLowerCase(), item]));
  for (const item of changes) {
    const known = merged.get(item.type.toLowerCase());
    merged.set(item.type.toLowerCase(), { ...item, type: known?.type ?? item.type });
  }
  return [...merged.values()];
}

function inForce(blocks: readonly BlockItem[], type: string): boolean {
  return blocks.some((block) => block.active && block.type.toLowerCase() === type);
}
