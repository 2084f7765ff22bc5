import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { type Access, freshMicros } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { knownAccount } from './known-account.ts';
import { passwordMaxLength } from './passwords.ts';
import { secondFactorDeps } from './second-factor/deps.ts';
import { givenFactor, givenFields } from './second-factor/given.ts';
import { requestOptions } from './second-factor/passkeys.ts';
import { RequestOptions, TicketText } from './second-factor/schemas.ts';
import { methodsOf, verifyFactor } from './second-factor/second-factor.ts';
import { selectFactors, selectPasskeys, useTicket } from './second-factor/store.ts';
import { ticketMicros } from './second-factor/ticket.ts';
import { checkPassword } from './sessions.ts';
import { proveSession, selectPassword } from './store.ts';

/*
 * A signed-in person proves their identity again before they change how they or others sign in. A proof is valid for 15 minutes,
 * like that of a sign-in. Guesses are limited as at sign-in, with the same counts.
 */

const tag = 'Session';
const forbidden =
  'The proof is wrong or was used before, a password was sent although single sign-on is required, or the call used the admin token';

const Proof = { fresh_until: Nullable(Moment) };

export const showProof = endpoint({
  method: 'GET',
  path: '/session/proof',
  tag,
  summary: 'How the caller can prove their identity again, and how long the last proof is valid',
  may: 'signed in',
  status: 200,
  answer: Type.Object({
    ...Proof,
    methods: Type.Array(Type.Enum(['password', 'passkey', 'totp', 'recovery_code']), {
      description: 'Empty: only a new sign-in is possible',
    }),
  }),
});

export const beginPasskeyProof = endpoint({
  method: 'POST',
  path: '/session/proof/passkey',
  tag,
  summary: 'Begin a proof of identity with a passkey',
  may: 'signed in',
  forbidden: 'The call used the admin token',
  conflict: 'Passkeys cannot be used at this address, or the account has none',
  status: 200,
  answer: Type.Object({ options: RequestOptions, ticket: Type.String() }),
});

export const proveEndpoint = endpoint({
  method: 'POST',
  path: '/session/proof',
  tag,
  summary: 'Prove your identity again, with the password or a second factor',
  description:
    'Send exactly one of `password`, `code`, `recovery_code` and `passkey`. For the next 15 minutes, the caller can change how accounts sign in.',
  may: 'signed in',
  forbidden,
  tooMany: 'Too many wrong passwords or codes of the account',
  body: Type.Object(
    {
      password: Type.Optional(Type.String({ maxLength: passwordMaxLength })),
      ...givenFields,
      ticket: Type.Optional(TicketText),
    },
    { additionalProperties: false },
  ),
  status: 200,
  answer: Type.Object(Proof),
});

export function proofRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;
  const factors = secondFactorDeps(deps);
  const passwordsAreOff = () => deps.singleSignOn?.settings.required === true;

  const sessionOf = ({ account_id, session, actor }: Access) => {
    if (account_id === null || session === null)
      throw new Refused('forbidden', {
        en: 'the admin token belongs to no account',
        de: 'Das Admin-Token gehört zu keinem Konto',
      });
    return { account_id, session, actor };
  };
  const tooMany = (until: number) => {
    const retryAfter = Math.ceil((until - clock()) / 1_000_000);
    return new Refused(
      'too_many_requests',
      {
        en: 'too many wrong attempts; use another method, or wait',
        de: 'Zu viele falsche Versuche; verwenden Sie einen anderen Weg, oder warten Sie',
      },
      { retryAfter },
    );
  };

  serve(app, showProof, async ({ access: { account_id, session, actor } }) => {
    if (account_id === null || session === null) return { fresh_until: null, methods: [] };
    const stored = await selectPassword(pool, actor);
    const hasPassword = stored !== null && stored.password !== null && !passwordsAreOff();
    const methods = methodsOf(await selectFactors(pool, account_id));
    const fresh_until = session.proven_at + freshMicros;
    return {
      fresh_until: momentTextOrNull(fresh_until > clock() ? fresh_until : null),
      methods: [...(hasPassword ? (['password'] as const) : []), ...methods],
    };
  });

  serve(app, beginPasskeyProof, async ({ access }) => {
    const { account_id } = sessionOf(access);
    const passkeys = await selectPasskeys(pool, account_id);
    if (factors.relyingParty === null)
      throw new Refused('conflict', {
        en: 'passkeys need PUBLIC_URL to have a host name',
        de: 'Für Passkeys muss PUBLIC_URL einen Hostnamen enthalten',
      });
    if (passkeys.length === 0)
      throw new Refused('conflict', { en: 'the account has no passkey', de: 'Das Konto hat keinen Passkey' });
    const options = await requestOptions(factors.relyingParty, passkeys);
    const { password_set_at } = await knownAccount(pool, account_id);
    const expires_at = clock() + ticketMicros;
    const ticket = { use: 'proof', account_id, password_set_at, expires_at, by: '' } as const;
    return { options, ticket: factors.tickets.issue({ ...ticket, challenge: options.challenge }) };
  });

  serve(app, proveEndpoint, async ({ access, body, address }) => {
    const { account_id, session, actor } = sessionOf(access);
    const { password, ticket: ticketText, ...given } = body;
    const now = clock();
    if (password !== undefined && Object.keys(given).length > 0) {
      throw new Refused('invalid_request', {
        en: 'send exactly one of password, code, recovery_code and passkey',
        de: 'Senden Sie genau eines von password, code, recovery_code und passkey',
      });
    }
    if (password !== undefined) {
      if (passwordsAreOff())
        throw new Refused('forbidden', {
          en: 'this installation requires single sign-on',
          de: 'Diese Installation erfordert Single Sign-on',
        });
      const login = await checkPassword(pool, clock, { email: actor, password, address });
      if (login.outcome === 'too_many') throw tooMany(login.until);
      if (login.outcome === 'refused')
        throw new Refused('forbidden', { en: 'the password is wrong', de: 'Das Passwort ist falsch' });
    } else {
      const ticket = ticketText === undefined ? null : factors.tickets.read(ticketText, 'proof', now);
      const isOwn = ticket !== null && ticket.account_id === account_id;
      const factor = givenFactor(given, isOwn ? ticket : null);
      if (isOwn && !(await useTicket(pool, ticket.ticket_id, ticket.expires_at, now))) {
        throw new Refused('forbidden', {
          en: 'the ticket was used before; begin again',
          de: 'Das Ticket wurde bereits verwendet; beginnen Sie von vorn',
        });
      }
      const answer = await verifyFactor(factors, account_id, factor);
      if (answer.outcome === 'too_many') throw tooMany(answer.until);
      if (answer.outcome === 'wrong') {
        const entry = { action: 'account.second_factor_refused', brand: null, subject: actor } as const;
        await transaction(pool, (tx) => record(deps, access, { ...entry, details: { factor: factor.kind } }, tx));
        throw new Refused('forbidden', {
          en: 'the second factor is wrong, or was used before',
          de: 'Der zweite Faktor ist falsch oder wurde bereits verwendet',
        });
      }
    }
    const proven = clock();
    await proveSession(pool, session.session_id, proven);
    return { fresh_until: momentText(proven + freshMicros) };
  });
}
