import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import {
  type Grant,
  ofInstallation,
  type Permission,
  permissions,
  permissionsOf,
  type Role,
  roles,
} from '../access/roles.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { createUser, setPassword } from './accounts.ts';
import { AccountParams, knownAccount } from './known-account.ts';
import { passwordMaxLength, passwordMinLength, verifyPassword } from './passwords.ts';
import { askForSecondFactor } from './second-factor/begin.ts';
import { secondFactorDeps } from './second-factor/deps.ts';
import { checkPassword, signOut } from './sessions.ts';
import { SignedIn, signedIn } from './sign-in.ts';
import {
  type Account,
  replaceGrants,
  type SignInMeans,
  selectAccounts,
  selectPassword,
  selectSignInMeans,
  updateDisabled,
} from './store.ts';

const GrantShown = Type.Object(
  {
    brand: Nullable(Type.String({ description: 'Code of the brand. Null: every brand, including future brands' })),
    role: Type.Enum(roles),
  },
  { additionalProperties: false },
);

const Grants = Type.Array(GrantShown, { maxItems: 1_000 });

const Email = Type.String({ maxLength: 254, examples: ['ann@example.com'] });

const Password = Type.String({ minLength: passwordMinLength, maxLength: passwordMaxLength });

const AccountShown = Type.Object({
  account_id: Type.Integer(),
  email: Email,
  grants: Grants,
  created_at: Moment,
  password_set_at: Moment,
  disabled_at: Nullable(Moment),
  means: Type.Object(
    { totp: Type.Boolean(), passkeys: Type.Integer(), single_sign_on: Type.Boolean() },
    {
      description:
        'What the account signs in with besides a password. `single_sign_on`: it is linked to the identity provider',
    },
  ),
});

const Credentials = Type.Object({
  email: Email,
  password: Type.String({ description: 'Only this answer contains it' }),
});

export const signInEndpoint = endpoint({
  method: 'POST',
  path: '/session',
  tag: 'Session',
  summary: 'Sign in',
  description: 'Send the token as `Authorization: Bearer` with every other call. It is valid for 12 hours.',
  may: 'anyone',
  tooMany: 'Too many failed sign-ins of the account, or too many passwords are waiting to be hashed',
  forbidden: 'The installation requires single sign-on',
  body: Type.Object(
    {
      email: Email,
      password: Type.String({ maxLength: passwordMaxLength }),
      cookie: Type.Optional(
        Type.Boolean({
          description:
            'For web pages: stores the session in a cookie that scripts cannot read, and the answer has no token. Changes then require the header `x-croupier-console`',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  bodyBytes: 4_096,
  // Hashing a password takes 0.3 s of a processor: this limit keeps the guesses of one network below a seventh of a processor.
  networkLimit: { counts: 'failures', burst: 30, per_second: 0.5 },
  status: 201,
  answer: SignedIn,
});

export const showSession = endpoint({
  method: 'GET',
  path: '/session',
  tag: 'Session',
  summary: 'The caller and its permissions',
  may: 'signed in',
  status: 200,
  answer: Type.Object({
    account_id: Nullable(Type.Integer({ description: 'Null for the admin token' })),
    actor: Type.String(),
    grants: Grants,
    second_factor: Type.Boolean({
      description: 'Whether the session was opened with a second factor, or has added one',
    }),
    sign_out_url: Nullable(
      Type.String({
        description: 'Address at which the caller also signs out at the identity provider, after DELETE session',
      }),
    ),
    permissions: Type.Array(
      Type.Object({
        brand: Nullable(Type.String({ description: 'Code of the brand. Null: every brand' })),
        permission: Type.Enum(Object.keys(permissions) as Permission[]),
      }),
      { description: 'The permissions of the roles, each once per brand' },
    ),
  }),
});

export const changeOwnPassword = endpoint({
  method: 'PUT',
  path: '/session/password',
  tag: 'Session',
  summary: 'Change your own password. All sessions of the account end',
  may: 'signed in',
  tooMany: 'Too many passwords are waiting to be hashed',
  forbidden: 'The current password is wrong, or the call used the admin token',
  body: Type.Object(
    { password: Type.String({ maxLength: passwordMaxLength }), new_password: Password },
    { additionalProperties: false },
  ),
  status: 204,
  answer: Type.Null(),
});

export const signOutEndpoint = endpoint({
  method: 'DELETE',
  path: '/session',
  tag: 'Session',
  summary: 'Sign out. The token is no longer valid',
  may: 'signed in',
  status: 204,
  answer: Type.Null(),
});

export const listAccounts = endpoint({
  method: 'GET',
  path: '/accounts',
  tag: 'Accounts',
  summary: 'All console accounts, including disabled ones',
  may: 'account.manage',
  status: 200,
  answer: PageOf(AccountShown),
});

export const createAccount = endpoint({
  method: 'POST',
  path: '/accounts',
  tag: 'Accounts',
  summary: 'Create an account. Default: a random password',
  may: 'account.manage',
  tooMany: 'Too many passwords are waiting to be hashed',
  body: Type.Object(
    { email: Email, password: Type.Optional(Password), grants: Grants },
    { additionalProperties: false },
  ),
  status: 201,
  answer: Credentials,
});

export const changeGrants = endpoint({
  method: 'PUT',
  path: '/accounts/:account_id/grants',
  tag: 'Accounts',
  summary: 'Replace the roles of an account',
  may: 'account.manage',
  params: AccountParams,
  body: Type.Object({ grants: Grants }, { additionalProperties: false }),
  status: 200,
  answer: AccountShown,
});

export const disableAccount = endpoint({
  method: 'POST',
  path: '/accounts/:account_id/disable',
  tag: 'Accounts',
  summary: 'Disable an account. Its sessions end, and it cannot sign in',
  may: 'account.manage',
  params: AccountParams,
  status: 200,
  answer: AccountShown,
});

export const enableAccount = endpoint({
  method: 'POST',
  path: '/accounts/:account_id/enable',
  tag: 'Accounts',
  summary: 'Enable a disabled account',
  may: 'account.manage',
  params: AccountParams,
  status: 200,
  answer: AccountShown,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/accounts/:account_id/password',
  tag: 'Accounts',
  summary: 'Set a new password of an account (default: a random one). Its sessions end',
  may: 'account.manage',
  tooMany: 'Too many passwords are waiting to be hashed',
  params: AccountParams,
  body: Type.Object({ password: Type.Optional(Password) }, { additionalProperties: false }),
  status: 200,
  answer: Credentials,
});

interface NamedGrant {
  brand: string | null;
  role: Role;
}

function permissionsByBrand(grants: readonly NamedGrant[]): { brand: string | null; permission: Permission }[] {
  return [...new Set(grants.map(({ brand }) => brand))].flatMap((brand) => {
    const held = grants.filter((grant) => grant.brand === brand).flatMap(({ role }) => permissionsOf[role]);
    const counting = held.filter((permission) => brand === null || !ofInstallation.has(permission));
    return [...new Set(counting)].map((permission) => ({ brand, permission }));
  });
}

export function accountRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const factors = secondFactorDeps(deps);
  const { pool, clock, brands } = deps;

  const brandIdOf = (code: string): number => {
    const brand = brands.byCode(code);
    if (brand === undefined)
      throw new Refused('invalid_request', {
        en: `the brand ${code} does not exist`,
        de: `Die Marke ${code} gibt es nicht`,
      });
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
  const existing = (accountId: number): Promise<Account> => knownAccount(pool, accountId);
  const noMeans: SignInMeans = { totp: false, passkeys: 0, single_sign_on: false };
  const presented = (account: Account, means: ReadonlyMap<number, SignInMeans>) => ({
    account_id: account.account_id,
    email: account.email,
    grants: named(account.grants),
    created_at: momentText(account.created_at),
    password_set_at: momentText(account.password_set_at),
    disabled_at: momentTextOrNull(account.disabled_at),
    means: means.get(account.account_id) ?? noMeans,
  });
  const shown = async (accountId: number) => presented(await existing(accountId), await selectSignInMeans(pool));

  serve(app, signInEndpoint, async ({ body, address, userAgent, keepSession }) => {
    if (deps.singleSignOn?.settings.required) {
      throw new Refused('forbidden', {
        en: 'this installation requires single sign-on; passwords do not sign in',
        de: 'Diese Installation erfordert Single Sign-on; eine Anmeldung mit Passwort ist nicht möglich',
      });
    }
    const { email, password, cookie = false } = body;
    const login = await checkPassword(pool, clock, { email, password, address });
    switch (login.outcome) {
      case 'right': {
        const asked = await askForSecondFactor(factors, login, 'password');
        return signedIn(deps, { account_id: login.account_id, actor: login.email }, asked, {
          signed_in_by: 'password',
          second_factor: false,
          caller: { address, userAgent },
          keepSession: cookie ? keepSession : null,
        });
      }
      case 'refused':
        throw new Refused('unauthorized', { en: 'wrong e-mail or password', de: 'E-Mail oder Passwort ist falsch' });
      case 'too_many':
        throw new Refused(
          'too_many_requests',
          {
            en: 'too many failed sign-ins; wait and try again',
            de: 'Zu viele fehlgeschlagene Anmeldungen; warten Sie, und versuchen Sie es dann erneut',
          },
          {
            retryAfter: Math.ceil((login.until - clock()) / 1_000_000),
          },
        );
    }
  });

  serve(app, showSession, async ({ access }) => ({
    account_id: access.account_id,
    actor: access.actor,
    grants: named(access.grants),
    second_factor: access.session?.second_factor ?? false,
    sign_out_url:
      access.session?.signed_in_by === 'single_sign_on' ? ((await deps.singleSignOn?.signOutUrl()) ?? null) : null,
    permissions: permissionsByBrand(named(access.grants)),
  }));

  serve(app, changeOwnPassword, async ({ access, body }) => {
    if (access.account_id === null)
      throw new Refused('forbidden', {
        en: 'the admin token cannot be changed here; change CROUPIER_ADMIN_TOKEN',
        de: 'Das Admin-Token kann hier nicht geändert werden; ändern Sie CROUPIER_ADMIN_TOKEN',
      });
    const stored = await selectPassword(pool, access.actor);
    if (stored === null || stored.password === null || !(await verifyPassword(body.password, stored.password))) {
      throw new Refused('forbidden', { en: 'the current password is wrong', de: 'Das aktuelle Passwort ist falsch' });
    }
    await setPassword(pool, access.actor, body.new_password, (tx) =>
      record(deps, access, { action: 'account.password_set', brand: null, subject: access.actor }, tx),
    );
    return null;
  });

  serve(app, signOutEndpoint, async ({ token, keepSession }) => {
    if (token !== null) await signOut(pool, token);
    keepSession({ token: '', seconds: 0 });
    return null;
  });

  serve(app, listAccounts, async () => {
    const means = await selectSignInMeans(pool);
    return { items: (await selectAccounts(pool)).map((account) => presented(account, means)), next: null };
  });

  serve(app, createAccount, async ({ access, body }) => {
    const details = { grants: body.grants };
    return createUser(pool, { ...body, grants: grantsOf(body.grants) }, (tx, subject) =>
      record(deps, access, { action: 'account.created', brand: null, subject, details }, tx),
    );
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
    return shown(params.account_id);
  });

  const setDisabled = async (access: Access, accountId: number, disabled: boolean) => {
    const account = await existing(accountId);
    if (disabled && account.account_id === access.account_id) {
      throw new Refused('forbidden', {
        en: 'you cannot disable your own account; another administrator can',
        de: 'Das eigene Konto können Sie nicht sperren; andere Administratoren können es',
      });
    }
    const action = disabled ? 'account.disabled' : 'account.enabled';
    await transaction(pool, async (tx) => {
      await updateDisabled(tx, account.email, disabled);
      await record(deps, access, { action, brand: null, subject: account.email }, tx);
    });
    return shown(accountId);
  };
  serve(app, disableAccount, ({ access, params }) => setDisabled(access, params.account_id, true));
  serve(app, enableAccount, ({ access, params }) => setDisabled(access, params.account_id, false));

  serve(app, resetPassword, async ({ access, params, body }) => {
    const account = await existing(params.account_id);
    return setPassword(pool, account.email, body.password, (tx) =>
      record(deps, access, { action: 'account.password_set', brand: null, subject: account.email }, tx),
    );
  });
}
