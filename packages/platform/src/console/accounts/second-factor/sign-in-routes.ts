import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../../database/index.ts';
import { record } from '../../audit/audit.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { Moment, momentText, Nullable } from '../../routing/fields.ts';
import { Refused } from '../../routing/refused.ts';
import { serve } from '../../routing/serve.ts';
import { deviceOf } from '../device.ts';
import { openSession, sessionMicros } from '../sessions.ts';
import { selectAccount } from '../store.ts';
import { secondFactorDeps } from './deps.ts';
import { givenFactor, givenFields } from './given.ts';
import { requestOptions } from './passkeys.ts';
import { RequestOptions, TicketText } from './schemas.ts';
import { verifyFactor } from './second-factor.ts';
import { selectPasskeys, useTicket } from './store.ts';
import type { Ticket } from './ticket.ts';

/** As for passwords, a guessing network is slowed down before its body is read. */
const publicSignIn = {
  tag: 'Session',
  method: 'POST',
  may: 'anyone',
  bodyBytes: 4_096,
  networkLimit: { counts: 'failures', burst: 30, per_second: 0.5 },
} as const;

export const passkeyOptionsEndpoint = endpoint({
  ...publicSignIn,
  path: '/session/second-factor/passkey',
  summary: 'Begin to sign in with a passkey as second factor',
  conflict: 'Passkeys cannot be used at this address',
  body: Type.Object({ ticket: TicketText }, { additionalProperties: false }),
  status: 200,
  answer: Type.Object({
    options: RequestOptions,
    ticket: Type.String({ description: 'Replaces the previous ticket' }),
  }),
});

export const secondFactorEndpoint = endpoint({
  ...publicSignIn,
  path: '/session/second-factor',
  summary: 'Sign in: the second step, with a code, a passkey or a recovery code',
  description: 'Exactly one of `code`, `recovery_code` and `passkey`. Each code and each ticket opens one session.',
  tooMany: 'Too many wrong codes of the account within an hour',
  body: Type.Object(
    {
      ticket: TicketText,
      cookie: Type.Optional(Type.Boolean({ description: 'As with POST session' })),
      ...givenFields,
    },
    { additionalProperties: false },
  ),
  status: 201,
  answer: Type.Object({
    token: Nullable(Type.String({ description: 'Null if the session is in a cookie' })),
    expires_at: Moment,
  }),
});

const wrong = () =>
  new Refused('unauthorized', {
    en: 'the second factor is wrong, or was used before',
    de: 'Der zweite Faktor ist falsch oder wurde bereits verwendet',
  });
const expired = () =>
  new Refused('unauthorized', {
    en: 'the ticket has expired or was used; sign in again',
    de: 'Das Ticket ist abgelaufen oder wurde verwendet; melden Sie sich erneut an',
  });

export function secondFactorSignInRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const factors = secondFactorDeps(deps);
  const { pool, clock } = deps;

  /** The account of a ticket, unless a change of the account has invalidated the ticket. */
  const accountOf = async ({ account_id, password_set_at }: Ticket) => {
    const account = await selectAccount(pool, account_id);
    const isAsItWas = account?.disabled_at === null && account.password_set_at === password_set_at;
    if (account === null || !isAsItWas) throw expired();
    return account;
  };

  serve(app, passkeyOptionsEndpoint, async ({ body }) => {
    const ticket = factors.tickets.read(body.ticket, 'second factor', clock());
    if (ticket === null) throw expired();
    const { account_id } = await accountOf(ticket);
    if (factors.relyingParty === null)
      throw new Refused('conflict', {
        en: 'passkeys need PUBLIC_URL to have a host name',
        de: 'Für Passkeys muss PUBLIC_URL einen Hostnamen enthalten',
      });
    const options = await requestOptions(factors.relyingParty, await selectPasskeys(pool, account_id));
    const { ticket_id: _, ...rest } = ticket;
    return { options, ticket: factors.tickets.issue({ ...rest, challenge: options.challenge }) };
  });

  serve(app, secondFactorEndpoint, async ({ body, address, userAgent, keepSession }) => {
    const ticket = factors.tickets.read(body.ticket, 'second factor', clock());
    if (ticket === null) throw expired();
    const account = await accountOf(ticket);
    const caller = { account_id: account.account_id, actor: account.email };
    const given = givenFactor(body, ticket);
    const answer = await verifyFactor(factors, account.account_id, given);
    if (answer.outcome === 'too_many') {
      const retryAfter = Math.ceil((answer.until - clock()) / 1_000_000);
      throw new Refused(
        'too_many_requests',
        {
          en: 'too many wrong codes; use another factor, or wait',
          de: 'Zu viele falsche Codes; verwenden Sie einen anderen Faktor, oder warten Sie',
        },
        { retryAfter },
      );
    }
    if (answer.outcome === 'wrong') {
      const details = { factor: given.kind };
      const subject = account.email;
      await record(deps, caller, { action: 'account.second_factor_refused', brand: null, subject, details });
      throw wrong();
    }
    const device = deviceOf({ address, userAgent });
    const now = clock();
    const opened = await transaction(pool, async (tx) => {
      if (!(await useTicket(tx, ticket.ticket_id, ticket.expires_at, now))) throw expired();
      const { by } = ticket;
      const details = { ...device, by, second_factor: given.kind };
      await record(deps, caller, { action: 'session.opened', brand: null, subject: account.email, details }, tx);
      const signed_in_by = by === 'single_sign_on' ? by : 'password';
      return openSession(tx, now, { account_id: account.account_id, signed_in_by, second_factor: true, device });
    });
    if (body.cookie) keepSession({ token: opened.token, seconds: sessionMicros / 1_000_000 });
    return { token: body.cookie ? null : opened.token, expires_at: momentText(opened.expires_at) };
  });
}
