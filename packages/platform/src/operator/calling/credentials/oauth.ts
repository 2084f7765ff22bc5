import type { Credentials } from './credentials.ts';

/*
 * OAuth 2.0 client_credentials (RFC 6749, 4.4). One token serves all calls of one operator in this process until shortly
 * before it expires; however many calls need one at a moment, one request is made. Time is measured on a clock that
 * never steps.
 */

export interface Token {
  access_token: string;
  /** Seconds of life, if the endpoint tells. */
  expires_in: number | undefined;
}

/** Asks the token endpoint. @throws {NoToken} */
export type TokenRequest = () => Promise<Token>;

/** A token is given up so long before its end, or a tenth of its life before, whichever is less. */
const marginMs = 30_000;
/** Life of a token whose endpoint tells none; a 401 ends it sooner. */
const untoldLifeMs = 5 * 60_000;
/** A refusal stands for so long, so that 200 look-ups a second do not become 200 token requests a second. */
const refusalStandsMs = 1_000;

interface Held {
  answer: Promise<Token>;
  /** The token, once the answer is there. */
  token: string | undefined;
  /** When the answer, token or refusal, is given up. */
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
    // Of many calls refused with one old token the first drops it; the others meet its successor and leave it alone.
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
        held.until = this.#monotonic() + refusalStandsMs;
      },
    );
    return held;
  }
}

function usableMs({ expires_in }: Token): number {
  const life = expires_in === undefined ? untoldLifeMs : expires_in * 1000;
  return life - Math.min(marginMs, life / 10);
}
