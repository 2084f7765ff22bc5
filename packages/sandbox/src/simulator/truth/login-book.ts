import type { Micros } from '@croupier/contracts';

/**
 * The casino's book of one player's logins and logouts. Logins of staff as the player (impersonated) do not count
 * (docs/reference/decisions.md 2.10).
 */
export interface LoginTruth {
  count: number;
  first_at: Micros | null;
  last_at: Micros | null;
  impersonated: number;
  logouts: number;
}

/** The casino publishes at most one login and one logout of a player per timestamp, so counting them is sufficient. */
export function createLoginBook() {
  const truth: LoginTruth = { count: 0, first_at: null, last_at: null, impersonated: 0, logouts: 0 };
  return {
    loggedIn(at: Micros, impersonated: boolean): void {
      if (impersonated) {
        truth.impersonated += 1;
        return;
      }
      truth.count += 1;
      truth.first_at ??= at;
      truth.last_at = at;
    },
    loggedOut(): void {
      truth.logouts += 1;
    },
    truth: (): LoginTruth => ({ ...truth }),
  };
}
