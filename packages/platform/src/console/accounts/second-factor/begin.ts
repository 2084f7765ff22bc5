import type { SignedInBy } from '../store.ts';
import type { SecondFactorDeps } from './deps.ts';
import { type FactorKind, methodsOf } from './second-factor.ts';
import { selectFactors } from './store.ts';
import { ticketMicros } from './ticket.ts';

/** What an account must do after it has proven its first factor. */
export interface Asked {
  ticket: string;
  methods: FactorKind[];
  expires_at: number;
}

/** @returns null when the account has no second factor */
export async function askForSecondFactor(
  { pool, clock, tickets }: SecondFactorDeps,
  account: { account_id: number; password_set_at: number },
  by: SignedInBy,
): Promise<Asked | null> {
  const methods = methodsOf(await selectFactors(pool, account.account_id));
  if (methods.length === 0) return null;
  const { account_id, password_set_at } = account;
  const expires_at = clock() + ticketMicros;
  const ticket = { use: 'second factor', account_id, password_set_at, expires_at, challenge: null, by } as const;
  return { ticket: tickets.issue(ticket), methods, expires_at };
}
