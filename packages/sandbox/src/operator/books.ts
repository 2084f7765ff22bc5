import { makePlayer } from './person.ts';
import type { BlockItem, BonusOffer, ConsentItem, OperatorPlayer, UserDetails, Wallet } from './records.ts';

/**
 * The operator's own records: players with consents, blocks and wallets, sessions (sids), bonuses, and every credit and
 * write-back that the platform made. Tests use them to decide questions such as "was this bonus credited twice?".
 *
 * A population adds players who are not stored. Every id made of the prefix and a number below `count` is such a player.
 * The player's data is derived from the id, and is stored only after a change. So five million players use no memory.
 */
export interface BooksOptions {
  population?: {
    prefix: string;
    count: number;
    /**
     * If false, lists contain only the players of the population that were looked up before. Use it for populations that are too
     * large to list. Default true.
     */
    isListed?: boolean;
  };
  /** Milliseconds since the epoch. */
  now?: () => number;
}

/** One bonus that the operator gave, and the call that requested it. */
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

/** A signed-in player. */
interface Session {
  user_id: string;
  /** When the session expires, in milliseconds since the epoch. Null if it lives until the player signs out. */
  until: number | null;
}

/** What a listener receives. `by` says whether the operator or the platform made the change. */
export type BooksChange =
  | { what: 'registered' | 'details' | 'consents' | 'blocks'; by: 'operator' | 'platform'; user_id: string }
  | { what: 'credit'; by: 'platform'; user_id: string; credit: Credit };

export interface PlayerChanges {
  details?: Partial<UserDetails>;
  consents?: ConsentItem[];
  blocks?: BlockItem[];
  wallet?: Partial<Wallet>;
}

/**
 * Number of old versions of a player that are kept for the dial "stale". Eight are enough to answer with the state of a few
 * changes ago.
 */
const versionLimit = 8;

export type Books = ReturnType<typeof createBooks>;

export function createBooks(options: BooksOptions = {}) {
  const now = options.now ?? Date.now;
  const population = options.population;
  /** The players of the population who were looked up. It is used only if the population is not listed. */
  const knownUsers = new Set<string>();
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
    if (population?.isListed === false) knownUsers.add(userId);
    return makePlayer(userId);
  }

  function notify(change: BooksChange): void {
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

    /** Adds a player: an invented person, with the given changes. A player with the same id is replaced. */
    addPlayer(userId: string, changes: PlayerChanges & { by?: 'operator' | 'platform' } = {}): OperatorPlayer {
      const made = merge(makePlayer(userId), changes);
      players.set(userId, made);
      notify({ what: 'registered', by: changes.by ?? 'operator', user_id: userId });
      return made;
    },

    /** Changes a player's records and calls the listeners once per changed record. Returns undefined for an unknown player. */
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
        if (changes[what] !== undefined) notify({ what, by, user_id: userId });
      }
      return next;
    },

    /** Moves hundredths of money into or out of a wallet. It keeps no old version: wallets are never stale. */
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

    /** Returns the player as stored `age` milliseconds ago. If that version is no longer kept, it returns the oldest one. */
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
      notify({ what: 'credit', by: 'platform', user_id: made.user_id, credit: made });
      return made;
    },

    /** Returns the first credit with this Idempotency-Key. */
    creditByKey: (key: string): Credit | undefined => creditsByKey.get(key),

    addWriteBack(record: WriteBack['record'], userId: string, body: unknown): void {
      writeBacks.push({ at: now(), record, user_id: userId, body });
    },

    /**
     * Signs a player in. `seconds` is the lifetime of the session. Without it, the session lives until the player signs
     * out. Signing in again restarts the lifetime.
     */
    signIn(userId: string, sid: string, seconds?: number): void {
      sids.set(sid, { user_id: userId, until: seconds === undefined ? null : now() + seconds * 1000 });
    },
    signOut(sid: string): boolean {
      return sids.delete(sid);
    },
    /** Expires one session, or all sessions of a player. Expired sessions stay in the records. */
    expire(of: { sid: string } | { user_id: string }): number {
      let ended = 0;
      for (const [sid, session] of sids) {
        if ('sid' in of ? sid !== of.sid : session.user_id !== of.user_id) continue;
        session.until = now();
        ended += 1;
      }
      return ended;
    },
    /** Returns the player of a live session. */
    userOfSid(sid: string): string | undefined {
      const session = sids.get(sid);
      return session === undefined || (session.until ?? Infinity) <= now() ? undefined : session.user_id;
    },

    /**
     * Returns every user_id. Stored players come first, then the rest of the population, or only its players who were looked
     * up.
     */
    *userIds(): Generator<string> {
      yield* players.keys();
      if (population === undefined) return;
      if (population.isListed === false) {
        for (const userId of knownUsers) if (!players.has(userId)) yield userId;
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

    /** Calls the listener on every change of the records until the returned function is called. */
    listen(listener: (change: BooksChange) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Merges consents and blocks by type, ignoring letter case. A block in force also sets the flag in the details. */
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
