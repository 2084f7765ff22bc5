import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import type { BrandRegistry } from '../../../brands/index.ts';
import type { Clock } from '../../../clock.ts';
import type { SingleSignOnSettings } from '../../../config/index.ts';
import { transaction } from '../../../database/index.ts';
import type { Grant } from '../../access/roles.ts';
import { record } from '../../audit/audit.ts';
import { emailOf } from '../accounts.ts';
import { type Account, insertAccount, replaceGrants, selectAccount } from '../store.ts';
import { type NamedRole, type Person, rolesOf } from './claims.ts';
import { linkIdentity, selectAccountByEmail, selectAccountOf } from './store.ts';

/** Why a person whom the provider knows is not signed in. */
export type SignInRefusal = 'no_account' | 'no_role' | 'email_not_verified' | 'other_identity' | 'disabled';

interface Deps {
  pool: Pool;
  clock: Clock;
  brands: BrandRegistry;
  settings: Pick<SingleSignOnSettings, 'roles' | 'create_accounts'>;
}

/**
 * The account of a person at the provider.
 *
 * The subject identifies the person, because the provider never gives it to another person. At the first sign-in, the account
 * with the verified e-mail is linked to the subject. If there is no such account, one is created, provided that the settings allow
 * that. An account that is linked to another person is never taken over by e-mail. If the settings assign roles to groups, these
 * replace the roles of the account.
 */
export async function accountOfPerson(deps: Deps, person: Person): Promise<Account | SignInRefusal> {
  const roles = rolesOf(person.groups, deps.settings.roles);
  if (roles?.length === 0) return 'no_role';
  return transaction(deps.pool, async (tx) => {
    const accountId = (await selectAccountOf(tx, person)) ?? (await firstSignIn(tx, deps, person, roles));
    if (typeof accountId !== 'number') return accountId;
    const account = await selectAccount(tx, accountId);
    if (account === null) return 'no_account';
    if (account.disabled_at !== null) return 'disabled';
    if (roles === null) return account;
    return withRoles(tx, deps, account, roles);
  });
}

async function firstSignIn(
  tx: ClientBase,
  deps: Deps,
  person: Person,
  roles: readonly NamedRole[] | null,
): Promise<number | SignInRefusal> {
  const { clock, settings } = deps;
  if (person.verifiedEmail === null) return 'email_not_verified';
  const email = emailOf(person.verifiedEmail);
  const existing = await selectAccountByEmail(tx, email);
  if (existing === null && !(settings.create_accounts && roles !== null)) return 'no_account';
  const accountId = existing ?? (await insertAccount(tx, email, null));
  if (accountId === null) return 'no_account';
  const caller = { account_id: accountId, actor: email };
  const now: Micros = clock();
  if (existing === null) {
    const details = { by: 'single_sign_on' };
    await record(deps, caller, { action: 'account.created', brand: null, subject: email, details }, tx);
  }
  if (!(await linkIdentity(tx, accountId, person, now))) return 'other_identity';
  const details = { issuer: person.issuer };
  await record(deps, caller, { action: 'account.identity_linked', brand: null, subject: email, details }, tx);
  return accountId;
}

async function withRoles(
  tx: ClientBase,
  deps: Deps,
  account: Account,
  roles: readonly NamedRole[],
): Promise<Account | SignInRefusal> {
  const grants = roles.flatMap(({ brand, role }): Grant[] => {
    if (brand === null) return [{ brand_id: null, role }];
    const known = deps.brands.byCode(brand);
    return known === undefined ? [] : [{ brand_id: known.brand_id, role }];
  });
  if (grants.length === 0) return 'no_role';
  if (keyOf(grants) === keyOf(account.grants)) return account;
  await replaceGrants(tx, account.account_id, grants);
  const caller = { account_id: account.account_id, actor: account.email };
  const entry = { action: 'account.grants_changed', brand: null, subject: account.email } as const;
  await record(deps, caller, { ...entry, details: { grants: roles, by: 'single_sign_on' } }, tx);
  return { ...account, grants };
}

const keyOf = (grants: readonly Grant[]) =>
  grants
    .map(({ brand_id, role }) => `${brand_id} ${role}`)
    .toSorted()
    .join();
