import { setTimeout as delay } from 'node:timers/promises';
import type { Installation } from '../installation/installation.ts';

/** The site API of an installation, called as a player's page does, with its session. */
export interface Site {
  /**
   * Repeats the call until it succeeds, like a page that repeats calls without an answer, even if processes are killed meanwhile.
   *
   * @param path below the notification base address
   * @returns Data
   * @throws {SiteRefusal} for a refusal that repeating does not change (4xx other than 429)
   * @throws if there is no answer within three minutes
   */
  insist<T>(sid: string, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T>;
  /** Number of attempts that failed, and were repeated. */
  readonly failed: number;
}

/** A permanent refusal by the site. */
export class SiteRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const callLimitMs = 5_000;
/**
 * The first pause after a failed attempt, and the longest one. Each pause is twice as long as the one before. Hundreds
 * of pages with several calls each wait for a starting process at the same time. More frequent attempts would take the
 * CPU time that the process needs to start.
 */
const pauseMs = 250;
const longestPauseMs = 2_000;
/** A killed api process is restarted within 5 s; on a shared machine it takes 20 s to be ready. */
const maxWaitMs = 180_000;

export function siteOf({ url, brandCode }: Installation): Site {
  const base = `${url}/site/${brandCode}/`;
  let failed = 0;
  return {
    get failed() {
      return failed;
    },
    async insist<T>(sid: string, method: 'GET' | 'POST', path: string, body?: unknown) {
      const deadline = performance.now() + maxWaitMs;
      for (let tries = 0; ; tries++) {
        const answer = await fetch(base + path, {
          method,
          headers: { authtoken: sid },
          signal: AbortSignal.timeout(callLimitMs),
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
          .then(async (response) => ({ status: response.status, text: await response.text() }))
          .catch((error: Error) => ({ status: 0, text: error.message }));
        if (answer.status === 200) return (JSON.parse(answer.text) as { Data: T }).Data;
        const isFinal = answer.status >= 400 && answer.status < 500 && answer.status !== 429;
        const told = `${method} ${path} was answered ${answer.status}: ${answer.text.slice(0, 300)}`;
        if (isFinal) throw new SiteRefusal(answer.status, told);
        if (performance.now() > deadline) throw new Error(told);
        failed += 1;
        await delay(Math.min(pauseMs * 2 ** tries, longestPauseMs));
      }
    },
  };
}
