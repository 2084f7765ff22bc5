import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Brand, BrandRegistry } from '../../brands/index.ts';
import { type NewSignal, playerChannels, readSnapshot, type SignalSender, writeSignals } from '../../channels/index.ts';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import type { OperatorClients, OperatorHealth } from '../../operator/calling/index.ts';
import { AuthTokens } from './auth-tokens.ts';
import { readBrandJwt } from './brand-jwt.ts';
import type { Admission, Caller, SessionRefusal } from './caller.ts';
import { hashOf, kindOf, sessionNameOf } from './credential.ts';
import {
  type EndsKnown,
  endSessions,
  type SessionState,
  sessionStateOfPlayer,
  sessionStateOfUser,
} from './end-store.ts';
import { FailedTries } from './failed-tries.ts';
import { NewPlayers } from './new-players.ts';
import { OperatorSids } from './operator-sids.ts';
import { SidCache } from './sid-cache.ts';

/*
 * Authenticates callers, and checks that their session is still valid.
 *
 *   credential --by its form----------> token of ours     signature
 *                                        test user's sid   compared
 *                                        JWT               signature   (the brand has a secret for them)
 *                                        sid               operator, or its answer within the last minute
 *        |
 *        '--> a user_id, or a player --one statement--> state: erased? excluded? ended since the credential was checked?
 *
 * Every call reads the state from the database, which it needs anyway. So all processes know of an end of a session immediately,
 * without notifications.
 *
 * An ended sid may become valid again, because the player may have signed in again with it. So the platform asks the operator again. An
 * ended JWT or token never becomes valid again. The player gets a new one with the sid.
 */
export interface SessionOptions {
  pool: Pool;
  clock: Clock;
  brands: BrandRegistry;
  clients: Pick<OperatorClients, 'of'>;
  health: Pick<OperatorHealth, 'record' | 'circuits'>;
  signals: Pick<SignalSender, 'poke'>;
  /** CROUPIER_SECRET, followed by earlier secrets. */
  secrets: readonly [string, ...string[]];
  /** True if PUBLIC_URL is https. The test user is then refused unless the brand enables it. */
  production: boolean;
  /** Milliseconds of a monotonic clock. Default performance.now. */
  monotonic?: () => number;
  /** Waits the given number of milliseconds. Default: a timer. */
  pause?: (ms: number) => Promise<unknown>;
}

/** What a credential proves, before the state of its player is known. */
interface Proof {
  via: Caller['via'];
  who: { user_id: string } | { player_id: number };
  sid_hash: string;
  is_test_user: boolean;
  /** For a token: the ends of sessions that were known when it was created. */
  known_ends?: EndsKnown;
  /** For a sid: the database snapshot from before the operator was asked. Ends within it are older than the answer. */
  snapshot?: string;
  /** For a JWT: when it was issued, in seconds since 1970. */
  issued_at?: number;
}

type Proving = { proof: Proof; refused?: never } | { proof?: never; refused: SessionRefusal; retry_after_s?: number };

const operatorAway = { refused: 'operator_away', retry_after_s: 5 } as const;

export class Sessions {
  readonly #options: SessionOptions;
  readonly #tokens: AuthTokens;
  readonly #sids: OperatorSids;
  readonly #tries: FailedTries;
  readonly #newPlayers: NewPlayers;
  readonly #pause: (ms: number) => Promise<unknown>;

  constructor(options: SessionOptions) {
    const monotonic = options.monotonic ?? (() => performance.now());
    this.#options = options;
    this.#tokens = new AuthTokens(options);
    this.#sids = new OperatorSids({ ...options, cache: new SidCache(monotonic) });
    this.#tries = new FailedTries(monotonic);
    this.#newPlayers = new NewPlayers(options);
    this.#pause = options.pause ?? setTimeout;
  }

  /**
   * The caller with this credential: a sid, a token of the platform, or the brand's JWT.
   *
   * @param address of the caller, whose different wrong credentials are counted
   * @throws if the database is unavailable (`isDatabaseAway`)
   */
  async admit(brand: Brand, credential: string | undefined, address: string): Promise<Admission> {
    if (credential === undefined || credential === '') return { refused: 'missing_session' };
    const admission = await this.#admit(brand, credential, address);
    if (admission.refused !== 'invalid_session') return admission;
    const retry_after_s = this.#tries.wait(address);
    this.#tries.failed(address, hashOf(brand.brand_id, credential));
    return retry_after_s === null ? admission : { refused: 'too_many_requests', retry_after_s };
  }

  async #admit(brand: Brand, credential: string, address: string): Promise<Admission> {
    const proving = await this.#prove(brand, credential, address);
    if (proving.proof === undefined) return proving;
    const { proof } = proving;
    const state = await this.#sessionStateOf(brand, proof);
    const isOutdated = state !== undefined && !isBarred(state) && state.ended_since;
    if (!isOutdated) return admissionOf(brand, proof, state);
    // The operator's answer is older than the end: ask again, once.
    this.#sids.forget(proof.sid_hash);
    const again = await this.#prove(brand, credential, address);
    return again.proof === undefined
      ? again
      : admissionOf(brand, again.proof, await this.#sessionStateOf(brand, again.proof));
  }

  /** A token for one hour. It ends when the session behind it does. */
  tokenFor(caller: Caller): Promise<string> {
    return this.#tokens.make(caller.brand.brand_id, caller);
  }

  /**
   * The player signs out on the site: tokens of this session end, and the operator's answer about its sid is discarded. The
   * operator decides whether the sid itself is still valid; a JWT is no longer valid.
   */
  async end({ brand: { brand_id }, player_id, sid_hash }: Caller): Promise<void> {
    const at = this.#options.clock();
    const signal: NewSignal = { brand_id, player_id, kind: 'one_session_ended', message_id: null };
    const written = await transaction(this.#options.pool, async (tx) => {
      await endSessions(tx, [{ brand_id, player_id, sid_hash, at }]);
      await playerChannels.logout(tx, [{ player_id, sid_hash, at }]);
      return writeSignals(tx, [signal]);
    });
    this.#sids.forget(sid_hash);
    this.#options.signals.poke(written);
  }

  async #prove(brand: Brand, credential: string, address: string): Promise<Proving> {
    const { clock, production } = this.#options;
    const kind = kindOf(brand, credential);
    const sid_hash = hashOf(brand.brand_id, sessionNameOf(kind, credential));
    switch (kind) {
      case 'nonsense':
        return { refused: 'invalid_session' };
      case 'auth_token': {
        const content = await this.#tokens.read(brand.brand_id, credential);
        if (content === undefined) return { refused: 'invalid_session' };
        const { player_id, ...session } = content;
        return { proof: { via: kind, who: { player_id }, ...session } };
      }
      case 'test_user': {
        const { test_user } = brand;
        if (test_user === null || (production && !test_user.in_production)) return { refused: 'invalid_session' };
        return { proof: { via: kind, who: { user_id: test_user.user_id }, sid_hash, is_test_user: true } };
      }
      case 'jwt': {
        const content = brand.site_jwt === null ? undefined : await readBrandJwt(credential, brand.site_jwt, clock);
        if (content === undefined) return { refused: 'invalid_session' };
        const { user_id, issued_at } = content;
        return { proof: { via: kind, who: { user_id }, sid_hash, is_test_user: false, issued_at } };
      }
      case 'sid':
        return this.#proveSid(brand, credential, sid_hash, address);
    }
  }

  async #proveSid(brand: Brand, sid: string, sid_hash: string, address: string): Promise<Proving> {
    const known = this.#sids.known(sid_hash);
    if (known === undefined && !this.#sids.wasGood(sid_hash)) {
      const { waitMs, retryAfterSeconds } = this.#tries.turn(address, sid_hash);
      if (retryAfterSeconds !== undefined) return { refused: 'too_many_requests', retry_after_s: retryAfterSeconds };
      if (waitMs > 0) await this.#pause(waitMs);
    }
    const verdict = known === undefined ? await this.#ask(brand, sid, sid_hash) : known;
    if (verdict === 'operator_away') return operatorAway;
    if (verdict === null) return { refused: 'invalid_session' };
    const { user_id, snapshot } = verdict;
    return { proof: { via: 'sid', who: { user_id }, sid_hash, is_test_user: false, snapshot } };
  }

  #ask(brand: Brand, sid: string, sidHash: string) {
    return this.#sids.check(brand, sid, sidHash, () => readSnapshot(this.#options.pool));
  }

  async #sessionStateOf({ brand_id }: Brand, { who, sid_hash, snapshot }: Proof): Promise<SessionState | undefined> {
    const { pool } = this.#options;
    const asked = { sid_hash, snapshot: snapshot ?? null };
    if ('player_id' in who) return sessionStateOfPlayer(pool, brand_id, who.player_id, asked);
    const known = await sessionStateOfUser(pool, brand_id, who.user_id, asked);
    if (known !== undefined) return known;
    await this.#newPlayers.create(brand_id, who.user_id);
    return sessionStateOfUser(pool, brand_id, who.user_id, asked);
  }
}

function admissionOf(brand: Brand, proof: Proof, state: SessionState | undefined): Admission {
  const { via, sid_hash, is_test_user } = proof;
  if (state === undefined || isBarred(state) || hasEnded(state, proof)) return { refused: 'session_ended' };
  const { player_id, user_id, all_ended, one_ended } = state;
  // The statement that admits the call reads these numbers. An end that it could not see is newer, so a later call notices it.
  const known_ends = proof.known_ends ?? { all_ended, one_ended };
  return { caller: { brand, player_id, user_id, via, sid_hash, is_test_user, known_ends } };
}

function isBarred({ erased, excluded }: SessionState): boolean {
  return erased || excluded;
}

function hasEnded(state: SessionState, { known_ends: known, issued_at }: Proof): boolean {
  if (state.ended_since || isOutlived(state, issued_at)) return true;
  return known !== undefined && (state.all_ended > known.all_ended || state.one_ended > known.one_ended);
}

/**
 * A JWT is verified without the operator, so its own date shows whether it is older than the player's last end. The date is in
 * whole seconds, and a JWT from the same second as the end is accepted, because casinos end the old session at the moment of
 * the next sign-in. A JWT with which the player signed out is permanently invalid, because no operator can be asked whether it
 * is still valid.
 */
function isOutlived({ all_ended_at, one_ended }: SessionState, issuedAt: number | undefined): boolean {
  if (issuedAt === undefined) return false;
  return one_ended > 0 || (all_ended_at !== null && issuedAt < Math.floor(all_ended_at / 1_000_000));
}
