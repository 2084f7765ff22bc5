import type { FastifyInstance } from 'fastify';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import type { Grant, Role } from '../access/roles.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { momentText, momentTextOrNull } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { createUser, setPassword } from './accounts.ts';
import {
  changeGrants,
  changeOwnPassword,
  createAccount,
  disableAccount,
  enableAccount,
  listAccounts,
  resetPassword,
  showSession,
  signInEndpoint,
  signOutEndpoint,
} from './endpoints.ts';
import { verifyPassword } from './passwords.ts';
import { signIn, signOut } from './sessions.ts';
import { type Account, replaceGrants, selectAccount, selectAccounts, selectPassword, updateDisabled } from './store.ts';

interface NamedGrant {
  brand: string | null;
  role: Role;
}

export function accountRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, brands } = deps;

  const brandIdOf = (code: string): number => {
    const brand = brands.byCode(code);
    if (brand === undefined) throw new Refused('invalid_request', `there is no brand ${code}`);
    return brand.brand_id;
  };
  const grantsOf = (named: readonly NamedGrant[]): Grant[] =>
    named.map(({ brand, role }) => ({ brand_id: brand === null ? null : brandIdOf(brand), role }));
  const named = (grants: readonly Grant[]): NamedGrant[] =>
    grants.flatMap(({ brand_id, role }): NamedGrant[] => {
      if (brand_id === null) return [{ brand: null, role }];
      const code = brands.byId(brand_id)?.code;
      return code === undefined ? [] : [{ brand: code, role }];
    });
  const presented = (account: Account) => ({
    account_id: account.account_id,
    email: account.email,
    grants: named(account.grants),
    created_at: momentText(account.created_at),
    password_set_at: momentText(account.password_set_at),
    disabled_at: momentTextOrNull(account.disabled_at),
  });
  const existing = async (accountId: number): Promise<Account> => {
    const account = await selectAccount(pool, accountId);
    if (account === null) throw new Refused('not_found', `there is no account ${accountId}`);
    return account;
  };

  serve(app, signInEndpoint, async ({ body, address }) => {
    const login = await signIn(pool, clock, { ...body, address });
    switch (login.outcome) {
      case 'signed_in':
        return { token: login.token, expires_at: momentText(login.expires_at) };
      case 'refused':
        throw new Refused('unauthorized', 'e-mail and password do not belong together');
      case 'too_many':
        throw new Refused('too_many_requests', 'too many failed logins; wait before the next one', {
          retryAfter: Math.ceil((login.until - clock()) / 1_000_000),
        });
    }
  });

  serve(app, showSession, async ({ access }) => ({
    account_id: access.account_id,
    actor: access.actor,
    grants: named(access.grants),
  }));

  serve(app, changeOwnPassword, async ({ access, body }) => {
    if (access.account_id === null) throw new Refused('forbidden', 'the admin token is changed in the environment');
    const stored = await selectPassword(pool, access.actor);
    if (stored === null || !(await verifyPassword(body.password, stored.password))) {
      throw new Refused('forbidden', 'the present password is another one');
    }
    await setPassword(pool, access.actor, body.new_password);
    await record(deps, access, { action: 'account.password_set', brand: null, subject: access.actor });
    return null;
  });

  serve(app, signOutEndpoint, async ({ token }) => {
    if (token !== null) await signOut(pool, token);
    return null;
  });

  serve(app, listAccounts, async () => ({ items: (await selectAccounts(pool)).map(presented), next: null }));

  serve(app, createAccount, async ({ access, body }) => {
    const credentials = await createUser(pool, { ...body, grants: grantsOf(body.grants) });
    const details = { grants: body.grants };
    await record(deps, access, { action: 'account.created', brand: null, subject: credentials.email, details });
    return credentials;
  });

  serve(app, changeGrants, async ({ access, params, body }) => {
    const account = await existing(params.account_id);
    await transaction(pool, async (tx) => {
      await replaceGrants(tx, account.account_id, grantsOf(body.grants));
      const details = { grants: body.grants };
      await record(
        deps,
        access,
        { action: 'account.grants_changed', brand: null, subject: account.email, details },
        tx,
      );
    });
    return presented(await existing(params.account_id));
  });

  const setDisabled = async (access: Access, accountId: number, disabled: boolean) => {
    const account = await existing(accountId);
    const action = disabled ? 'account.disabled' : 'account.enabled';
    await transaction(pool, async (tx) => {
      await updateDisabled(tx, account.email, disabled);
      await record(deps, access, { action, brand: null, subject: account.email }, tx);
    });
    return presented(await existing(accountId));
  };
  serve(app, disableAccount, ({ access, params }) => setDisabled(access, params.account_id, true));
  serve(app, enableAccount, ({ access, params }) => setDisabled(access, params.account_id, false));

  serve(app, resetPassword, async ({ access, params, body }) => {
    const account = await existing(params.account_id);
    const credentials = await setPassword(pool, account.email, body.password);
    await record(deps, access, { action: 'account.password_set', brand: null, subject: account.email });
    return credentials;
  });
}
