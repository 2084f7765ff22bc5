import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../../database/index.ts';
import type { Words } from '../../../language.ts';
import { record } from '../../audit/audit.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { Nullable } from '../../routing/fields.ts';
import { Refused } from '../../routing/refused.ts';
import { serve } from '../../routing/serve.ts';
import { AccountParams, knownAccount } from '../known-account.ts';
import { askForSecondFactor } from '../second-factor/begin.ts';
import { secondFactorDeps } from '../second-factor/deps.ts';
import { TicketText } from '../second-factor/schemas.ts';
import { useTicket } from '../second-factor/store.ts';
import { SignedIn, signedIn } from '../sign-in.ts';
import { deleteSessions } from '../store.ts';
import { accountOfPerson, type SignInRefusal } from './account-of-person.ts';
import type { Person } from './claims.ts';
import { ProviderFailed, type ProviderFailure } from './provider.ts';
import { unlinkIdentity } from './store.ts';
import { issueSignOn, readSignOn } from './ticket.ts';

const publicSignIn = { tag: 'Session', may: 'anyone' } as const;
const limit = { counts: 'calls', burst: 60, per_second: 1 } as const;

export const showSignInOptions = endpoint({
  ...publicSignIn,
  method: 'GET',
  path: '/session/options',
  summary: 'How people can sign in',
  status: 200,
  answer: Type.Object({
    password: Type.Boolean({ description: 'False if the installation requires single sign-on' }),
    single_sign_on: Nullable(Type.Object({ name: Type.String({ description: 'Name of the identity provider' }) })),
  }),
});

export const beginSingleSignOn = endpoint({
  ...publicSignIn,
  method: 'POST',
  path: '/session/single-sign-on',
  summary: 'Begin to sign in at the identity provider',
  description:
    'Keep the ticket in the browser, and redirect the browser to `url`. The provider redirects it back to `/console/sign-in/answer`, with parameters for POST session/single-sign-on/answer. If the sign-in is refused, an `errors` entry with the path `single_sign_on` contains the reason.',
  conflict: 'The installation has no single sign-on',
  bodyBytes: 1_024,
  networkLimit: limit,
  status: 200,
  answer: Type.Object({ url: Type.String(), ticket: Type.String() }),
});

export const answerSingleSignOn = endpoint({
  ...publicSignIn,
  method: 'POST',
  path: '/session/single-sign-on/answer',
  summary: 'Sign in with the answer of the identity provider',
  description:
    'Answers as POST session does. If the account has a second factor, it is required unless the provider already asked for one. If the sign-in is refused, an `errors` entry with the path `single_sign_on` contains the reason.',
  conflict: 'The installation has no single sign-on',
  bodyBytes: 4_096,
  networkLimit: limit,
  body: Type.Object(
    {
      ticket: TicketText,
      answer: Type.String({
        maxLength: 3_400,
        description: 'The query string with which the provider redirected the browser',
      }),
      cookie: Type.Optional(Type.Boolean({ description: 'As with POST session' })),
    },
    { additionalProperties: false },
  ),
  status: 201,
  answer: SignedIn,
});

export const unlinkAccount = endpoint({
  method: 'DELETE',
  path: '/accounts/:account_id/identity',
  tag: 'Accounts',
  summary: 'Unlink an account from its person at the identity provider; its sessions end',
  description: 'The next single sign-on with its verified e-mail links it again.',
  may: 'account.manage',
  fresh: 'or automation',
  params: AccountParams,
  conflict: 'The account is not linked',
  status: 204,
  answer: Type.Null(),
});

type Reason = SignInRefusal | ProviderFailure | 'expired';

const details: Record<Reason, Words> = {
  unreachable: {
    en: 'the identity provider cannot be reached, or does not answer',
    de: 'Der Identitätsanbieter ist nicht erreichbar oder antwortet nicht',
  },
  cancelled: {
    en: 'the sign-in at the identity provider was cancelled',
    de: 'Die Anmeldung beim Identitätsanbieter wurde abgebrochen',
  },
  rejected: {
    en: 'the answer of the identity provider is not valid',
    de: 'Die Antwort des Identitätsanbieters ist nicht gültig',
  },
  expired: {
    en: 'the sign-in took too long, was started in another browser, or is already complete; start again',
    de: 'Die Anmeldung hat zu lange gedauert, wurde in einem anderen Browser begonnen oder ist bereits abgeschlossen; beginnen Sie von vorn',
  },
  no_account: {
    en: 'there is no account with this e-mail; an administrator can add it',
    de: 'Zu dieser E-Mail gibt es kein Konto; ein Administrator kann es anlegen',
  },
  no_role: {
    en: 'none of your groups at the identity provider has a role here',
    de: 'Keine Ihrer Gruppen beim Identitätsanbieter hat hier eine Rolle',
  },
  email_not_verified: {
    en: 'the identity provider does not confirm that this e-mail is verified',
    de: 'Der Identitätsanbieter bestätigt nicht, dass diese E-Mail geprüft ist',
  },
  other_identity: {
    en: 'the account with this e-mail belongs to another person at the identity provider',
    de: 'Das Konto mit dieser E-Mail gehört beim Identitätsanbieter einer anderen Person',
  },
  disabled: { en: 'the account is disabled', de: 'Das Konto ist deaktiviert' },
};

const refused = (reason: Reason) =>
  new Refused('unauthorized', details[reason], {
    errors: [{ path: 'single_sign_on', rule: 'single_sign_on', message: reason }],
  });

export function singleSignOnRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, brands, log, singleSignOn: provider, push } = deps;
  const { vault } = push;
  const factors = secondFactorDeps(deps);

  const configured = () => {
    if (provider === null)
      throw new Refused('conflict', {
        en: 'this installation has no single sign-on',
        de: 'Diese Installation hat kein Single Sign-on',
      });
    return provider;
  };
  /** The browser gets only the reason. The cause is logged. */
  const failed = (error: unknown): Error => {
    if (!(error instanceof ProviderFailed)) return error as Error;
    log.warn({ err: error.cause, reason: error.reason }, 'single sign-on failed');
    return refused(error.reason);
  };

  serve(app, showSignInOptions, async () => ({
    password: provider?.settings.required !== true,
    single_sign_on: provider === null ? null : { name: provider.settings.name },
  }));

  serve(app, beginSingleSignOn, async () => {
    const { url, checks } = await configured()
      .begin()
      .catch((error) => Promise.reject(failed(error)));
    return { url, ticket: issueSignOn(vault, checks, clock()) };
  });

  serve(app, answerSingleSignOn, async ({ body, address, userAgent, keepSession }) => {
    const known = configured();
    const now = clock();
    const ticket = readSignOn(vault, body.ticket, now);
    if (ticket === null || !(await useTicket(pool, ticket.ticket_id, ticket.expires_at, now))) throw refused('expired');
    const person = await known
      .finish(new URLSearchParams(body.answer), ticket)
      .catch((error) => Promise.reject(failed(error)));
    const account = await accountOfPerson({ pool, clock, brands, settings: known.settings }, person);
    if (typeof account === 'string') {
      await recordRefusal(person, account);
      throw refused(account);
    }
    const { account_id, email } = account;
    const asked = person.gaveSecondFactor ? null : await askForSecondFactor(factors, account, 'single_sign_on');
    return signedIn(deps, { account_id, actor: email }, asked, {
      signed_in_by: 'single_sign_on',
      second_factor: person.gaveSecondFactor,
      caller: { address, userAgent },
      keepSession: body.cookie ? keepSession : null,
    });
  });

  /** Records the refusal. Only people whom the provider knows are recorded, so other callers cannot fill the audit. */
  const recordRefusal = ({ issuer, verifiedEmail }: Person, reason: SignInRefusal) => {
    const actor = verifiedEmail ?? 'unknown person';
    const entry = { action: 'session.refused', brand: null, subject: actor } as const;
    return record(deps, { account_id: null, actor }, { ...entry, details: { reason, issuer } });
  };

  serve(app, unlinkAccount, async ({ access, params }) => {
    const { account_id, email } = await knownAccount(pool, params.account_id);
    await transaction(pool, async (tx) => {
      if (!(await unlinkIdentity(tx, account_id)))
        throw new Refused('conflict', { en: 'the account is not linked', de: 'Das Konto ist nicht verknüpft' });
      await deleteSessions(tx, account_id);
      await record(deps, access, { action: 'account.identity_unlinked', brand: null, subject: email }, tx);
    });
    return null;
  });
}
