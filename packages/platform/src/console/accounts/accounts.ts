import { randomBytes } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import type { Clock } from '../../clock.ts';
import { transaction } from '../../database/index.ts';
import { WordedError } from '../../language.ts';
import type { Grant } from '../access/roles.ts';
import { record } from '../audit/audit.ts';
import { hashPassword, passwordMaxLength, passwordMinLength } from './passwords.ts';
import { deleteFactors } from './second-factor/store.ts';
import {
  type Account,
  countAccounts,
  deleteSessions,
  insertAccount,
  replaceGrants,
  selectAccounts,
  updateDisabled,
  updatePassword,
} from './store.ts';

/** Console accounts, as managed by the command line and the account routes. An account is identified by its e-mail. */

/** The e-mail, the password or the grants are invalid; the message says which and why, and may be shown. */
export class AccountRefused extends WordedError {
  override name = 'AccountRefused';
}

/** Shown only once: only a hash of the password is stored. */
export interface Credentials {
  email: string;
  password: string;
}

/**
 * Creates an account. Without a password it gets a random one of 120 bits.
 *
 * @param alsoWrite runs in the same transaction, with the normalized e-mail
 * @throws {AccountRefused} if the e-mail is in use or invalid, or the password is too short or too long
 */
export async function createUser(
  pool: Pool,
  user: { email: string; password?: string; grants: readonly Grant[] },
  alsoWrite: (tx: ClientBase, email: string) => Promise<void> = async () => {},
): Promise<Credentials> {
  const email = emailOf(user.email);
  const password = user.password ?? randomPassword();
  const hash = await hashPassword(acceptable(password));
  await transaction(pool, async (tx) => {
    const accountId = await insertAccount(tx, email, hash);
    if (accountId === null)
      throw new AccountRefused({ en: `the account ${email} already exists`, de: `Das Konto ${email} gibt es bereits` });
    await replaceGrants(tx, accountId, user.grants);
    await alsoWrite(tx, email);
  });
  return { email, password };
}

/**
 * Sets the password, a random one if none is given, and ends the account's sessions.
 *
 * @param alsoWrite runs in the same transaction
 */
export async function setPassword(
  pool: Pool,
  email: string,
  given?: string,
  alsoWrite: (tx: ClientBase) => Promise<void> = async () => {},
): Promise<Credentials> {
  const password = given ?? randomPassword();
  const hash = await hashPassword(acceptable(password));
  await transaction(pool, async (tx) => {
    if (!(await updatePassword(tx, emailOf(email), hash))) throw unknownAccount(email);
    await alsoWrite(tx);
  });
  return { email: emailOf(email), password };
}

/**
 * Removes all second factors of an account, for a lost device, and ends its sessions.
 *
 * @throws {AccountRefused} if there is no such account
 */
export async function resetSecondFactors(pool: Pool, clock: Clock, email: string): Promise<void> {
  const account = (await selectAccounts(pool)).find((one) => one.email === emailOf(email));
  if (account === undefined) throw unknownAccount(email);
  const { account_id, email: subject } = account;
  await transaction(pool, async (tx) => {
    await deleteFactors(tx, account_id);
    await deleteSessions(tx, account_id);
    const caller = { account_id: null, actor: 'command line' };
    const entry = { action: 'account.second_factors_reset', brand: null, subject } as const;
    await record({ pool, clock }, caller, entry, tx);
  });
}

/** Sorted by e-mail, including disabled accounts. */
export function listUsers(pool: Pool): Promise<Account[]> {
  return selectAccounts(pool);
}

/** Ends the account's sessions and refuses further logins. Disabling it again has no effect. */
export async function disableUser(pool: Pool, email: string): Promise<void> {
  if (!(await updateDisabled(pool, emailOf(email), true))) throw unknownAccount(email);
}

export async function enableUser(pool: Pool, email: string): Promise<void> {
  if (!(await updateDisabled(pool, emailOf(email), false))) throw unknownAccount(email);
}

/**
 * The account that a first `npm start` prints. It has full access and a random password. Null if any account exists. If two first
 * starts run at the same time, one creates the account and the other gets null.
 */
export async function createFirstUser(pool: Pool, email = 'admin@localhost'): Promise<Credentials | null> {
  if ((await countAccounts(pool)) > 0) return null;
  try {
    return await createUser(pool, { email, grants: [{ brand_id: null, role: 'admin' }] });
  } catch (error) {
    if (error instanceof AccountRefused) return null;
    throw error;
  }
}

/**
 * Normalizes an e-mail, so that one mailbox is one account: trimmed, lower-cased. Checks only the basic form, because no mail
 * is sent to it.
 */
export function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)
    throw new AccountRefused({ en: `${text} is not an e-mail address`, de: `${text} ist keine E-Mail-Adresse` });
  return email;
}

function acceptable(password: string): string {
  if (password.length < passwordMinLength || password.length > passwordMaxLength) {
    throw new AccountRefused({
      en: `a password must have ${passwordMinLength} to ${passwordMaxLength} characters`,
      de: `Ein Passwort muss ${passwordMinLength} bis ${passwordMaxLength} Zeichen haben`,
    });
  }
  return password;
}

function randomPassword(): string {
  return randomBytes(15).toString('base64url');
}

function unknownAccount(email: string): AccountRefused {
  return new AccountRefused({ en: `the account ${email} does not exist`, de: `Das Konto ${email} gibt es nicht` });
}
