import { Type } from 'typebox';
import { roles } from '../access/roles.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, Nullable } from '../routing/fields.ts';
import { passwordMaxLength, passwordMinLength } from './passwords.ts';

const Grant = Type.Object(
  {
    brand: Nullable(Type.String({ description: 'Code of the brand; null = every brand, those to come included' })),
    role: Type.Enum(roles),
  },
  { additionalProperties: false },
);
const Grants = Type.Array(Grant, { maxItems: 1_000 });

const Email = Type.String({ maxLength: 254, examples: ['ann@example.com'] });
const Password = Type.String({ minLength: passwordMinLength, maxLength: passwordMaxLength });

const Account = Type.Object({
  account_id: Type.Integer(),
  email: Email,
  grants: Grants,
  created_at: Moment,
  password_set_at: Moment,
  disabled_at: Nullable(Moment),
});

const Credentials = Type.Object({
  email: Email,
  password: Type.String({ description: 'Shown in this answer only' }),
});

const AccountParams = Type.Object({ account_id: Type.Integer() });

export const signInEndpoint = endpoint({
  method: 'POST',
  path: '/session',
  tag: 'Session',
  summary: 'Sign in',
  description: 'The token goes into `Authorization: Bearer` of every other call and lives 12 hours.',
  may: 'anyone',
  tooMany: 'Too many logins of the account failed, or too many passwords wait to be hashed',
  body: Type.Object(
    { email: Email, password: Type.String({ maxLength: passwordMaxLength }) },
    { additionalProperties: false },
  ),
  bodyBytes: 4_096,
  // Hashing a password takes 0.3 s of a processor: a network that guesses gets a seventh of one.
  networkLimit: { counts: 'failures', burst: 30, per_second: 0.5 },
  status: 201,
  answer: Type.Object({ token: Type.String(), expires_at: Moment }),
});

export const showSession = endpoint({
  method: 'GET',
  path: '/session',
  tag: 'Session',
  summary: 'Who is calling, and what that caller may do',
  may: 'signed in',
  status: 200,
  answer: Type.Object({
    account_id: Nullable(Type.Integer({ description: 'null for the admin token' })),
    actor: Type.String(),
    grants: Grants,
  }),
});

export const changeOwnPassword = endpoint({
  method: 'PUT',
  path: '/session/password',
  tag: 'Session',
  summary: "Change one's own password; every session of the account ends",
  may: 'signed in',
  tooMany: 'Too many passwords wait to be hashed',
  forbidden: 'The present password is another one, or the call was made with the admin token',
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
  summary: 'Sign out: the token is dead from now on',
  may: 'signed in',
  status: 204,
  answer: Type.Null(),
});

export const listAccounts = endpoint({
  method: 'GET',
  path: '/accounts',
  tag: 'Accounts',
  summary: 'All console accounts, disabled ones included',
  may: 'account.manage',
  status: 200,
  answer: PageOf(Account),
});

export const createAccount = endpoint({
  method: 'POST',
  path: '/accounts',
  tag: 'Accounts',
  summary: 'Create an account; without a password a random one is given',
  may: 'account.manage',
  tooMany: 'Too many passwords wait to be hashed',
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
  summary: 'Give an account other roles, in the place of those it has',
  may: 'account.manage',
  params: AccountParams,
  body: Type.Object({ grants: Grants }, { additionalProperties: false }),
  status: 200,
  answer: Account,
});

export const disableAccount = endpoint({
  method: 'POST',
  path: '/accounts/:account_id/disable',
  tag: 'Accounts',
  summary: 'Shut an account out: its sessions end and it cannot sign in',
  may: 'account.manage',
  params: AccountParams,
  status: 200,
  answer: Account,
});

export const enableAccount = endpoint({
  method: 'POST',
  path: '/accounts/:account_id/enable',
  tag: 'Accounts',
  summary: 'Let a disabled account sign in again',
  may: 'account.manage',
  params: AccountParams,
  status: 200,
  answer: Account,
});

export const resetPassword = endpoint({
  method: 'POST',
  path: '/accounts/:account_id/password',
  tag: 'Accounts',
  summary: 'Give an account a new password, a random one when none is sent; its sessions end',
  may: 'account.manage',
  tooMany: 'Too many passwords wait to be hashed',
  params: AccountParams,
  body: Type.Object({ password: Type.Optional(Password) }, { additionalProperties: false }),
  status: 200,
  answer: Credentials,
});
