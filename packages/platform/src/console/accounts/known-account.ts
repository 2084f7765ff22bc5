import type { Pool } from 'pg';
import { Type } from 'typebox';
import { notFound } from '../routing/not-found.ts';
import { type Account, selectAccount } from './store.ts';

export const AccountParams = Type.Object({ account_id: Type.Integer() });

/** @throws {Refused} when there is no such account */
export async function knownAccount(pool: Pool, accountId: number): Promise<Account> {
  const account = await selectAccount(pool, accountId);
  if (account === null) throw notFound('account', accountId);
  return account;
}
