import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { PageOf } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Moment, momentText } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { serve } from '../routing/serve.ts';
import { AccountParams, knownAccount } from './known-account.ts';
import { deleteSessions, selectSessions } from './store.ts';

const Session = Type.Object({
  session_id: Type.Integer(),
  device: Type.String({ examples: ['Firefox on Windows'] }),
  network: Type.String({
    description: 'Network of the last use: the /24 of an IPv4 address, or the /48 of an IPv6 address',
  }),
  created_at: Moment,
  last_used_at: Type.String({ format: 'date-time', description: 'Exact to a minute' }),
  expires_at: Moment,
  current: Type.Boolean({ description: 'The session that makes this call' }),
  second_factor: Type.Boolean({ description: 'Opened with a second factor' }),
});

const Ended = Type.Object({ ended: Type.Integer({ description: 'Sessions that this call ended' }) });

const SessionParams = Type.Object({ session_id: Type.Integer() });

const own = { tag: 'Session', may: 'signed in', status: 200 } as const;
const ofAccount = { tag: 'Accounts', may: 'account.manage', status: 200 } as const;

export const listOwnSessions = endpoint({
  ...own,
  method: 'GET',
  path: '/sessions',
  summary: "The caller's own sessions that have not expired, most recently used first",
  answer: PageOf(Session),
});

export const endOwnSession = endpoint({
  ...own,
  method: 'DELETE',
  path: '/sessions/:session_id',
  summary: "End one of the caller's own sessions; its next call is answered 401",
  params: SessionParams,
  answer: Ended,
});

export const endOtherSessions = endpoint({
  ...own,
  method: 'DELETE',
  path: '/sessions',
  summary: "End all of the caller's own sessions except the one that makes this call",
  answer: Ended,
});

export const listAccountSessions = endpoint({
  ...ofAccount,
  method: 'GET',
  path: '/accounts/:account_id/sessions',
  summary: 'The sessions of an account',
  params: AccountParams,
  answer: PageOf(Session),
});

export const endAccountSession = endpoint({
  ...ofAccount,
  method: 'DELETE',
  path: '/accounts/:account_id/sessions/:session_id',
  summary: 'End one session of an account',
  params: Type.Object({ ...AccountParams.properties, ...SessionParams.properties }),
  answer: Ended,
});

export const endAccountSessions = endpoint({
  ...ofAccount,
  method: 'DELETE',
  path: '/accounts/:account_id/sessions',
  summary: 'End all sessions of an account',
  params: AccountParams,
  answer: Ended,
});

export function sessionListRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;

  const listed = async (access: Access, accountId: number | null) => {
    const sessions = accountId === null ? [] : await selectSessions(pool, accountId, clock());
    return {
      items: sessions.map(({ session_id, device, network, created_at, last_used_at, expires_at, second_factor }) => ({
        session_id,
        device,
        network,
        created_at: momentText(created_at),
        last_used_at: momentText(last_used_at),
        expires_at: momentText(expires_at),
        current: session_id === access.session?.session_id,
        second_factor,
      })),
      next: null,
    };
  };

  const ended = async (
    access: Access,
    account: { account_id: number | null; email: string },
    which: { one?: number; keep?: number | null },
  ) => {
    const { account_id, email: subject } = account;
    const count = await transaction(pool, async (tx) => {
      const ended = account_id === null ? 0 : await deleteSessions(tx, account_id, which);
      const entry = { action: 'session.ended', brand: null, subject, details: { ended } } as const;
      if (ended > 0) await record(deps, access, entry, tx);
      return ended;
    });
    if (count === 0 && which.one !== undefined) throw notFound('session', which.one);
    return { ended: count };
  };

  const ownOf = ({ account_id, actor }: Access) => ({ account_id, email: actor });
  serve(app, listOwnSessions, ({ access }) => listed(access, access.account_id));
  serve(app, endOwnSession, ({ access, params }) => ended(access, ownOf(access), { one: params.session_id }));
  serve(app, endOtherSessions, ({ access }) =>
    ended(access, ownOf(access), { keep: access.session?.session_id ?? null }),
  );
  serve(app, listAccountSessions, async ({ access, params }) =>
    listed(access, (await knownAccount(pool, params.account_id)).account_id),
  );
  serve(app, endAccountSession, async ({ access, params }) =>
    ended(access, await knownAccount(pool, params.account_id), { one: params.session_id }),
  );
  serve(app, endAccountSessions, async ({ access, params }) =>
    ended(access, await knownAccount(pool, params.account_id), {}),
  );
}
