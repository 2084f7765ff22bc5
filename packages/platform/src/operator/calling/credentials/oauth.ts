import type { Credentials } from './credentials.ts';

/*
 * OAuth 2.0 client_credentials (RFC 6749, 4.4). One token serves all calls of one operator in this process until shortly before
 * it expires. Concurrent calls that need a token share one request. Time is measured on a monotonic clock.
 */

export interface Token {
  access_token: string;
  /** Lifetime in seconds, if the endpoint sends it. */
  expires_in: number | undefined;
}

/** Calls the token endpoint. @throws {NoToken} */
export type TokenRequest = () => Promise<Token>;

/** A token is renewed 30 seconds before it expires, or after nine tenths of its lifetime, whichever is later. */
const marginMs = 30_000;
/** Lifetime of a token whose endpoint sends none: 5 minutes. A 401 ends it sooner. */
const defaultLifetimeMs = 5 * 60_000;
/**
 * After a failed request, no token is requested for 1 second, so that 200 look-ups a second do not become 200 token requests a
 * second.
 */
const refusalPauseMs = 1_000;

interface Held {
  answer: Promise<Token>;
  /** The token, once it has arrived. */
  token: string | undefined;
  /** When the answer, a token or a failure, is discarded. */
  until: number;
}

export class OAuthCredentials implements Credentials {
  #request: TokenRequest;
  #monotonic: () => number;
  #held: Held | undefined;

  constructor(request: TokenRequest, monotonic: () => number = () => performance.now()) {
    this.#request = request;
    this.#monotonic = monotonic;
  }

  async headers(): Promise<Record<string, string>> {
    if (this.#held === undefined || this.#held.until <= this.#monotonic()) this.#held = this.#ask();
    const { access_token } = await this.#held.answer;
    return { authorization: `Bearer ${access_token}` };
  }

  refused(headers: Record<string, string>): boolean {
    // If many calls were refused with one old token, the first discards it. The others find a newer token, and keep it.
    if (headers.authorization === `Bearer ${this.#held?.token}`) this.#held = undefined;
    return true;
  }

  #ask(): Held {
    const asked = this.#monotonic();
    const held: Held = { answer: this.#request(), token: undefined, until: Number.POSITIVE_INFINITY };
    held.answer.then(
      (token) => {
        held.token = token.access_token;
        held.until = asked + usableMs(token);
      },
      () => {
        held.until = this.#monotonic() + refusalPauseMs;
      },
    );
    return held;
  }
}

function usableMs({ expires_in }: Token): number {
  const life = expires_in === undefined ? defaultLifetimeMs : expires_in * 1000;
  return life - Math.min(marginMs, life / 10);
}
