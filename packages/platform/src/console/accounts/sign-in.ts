import type { Micros } from '@croupier/contracts';
import { Type } from 'typebox';
import { transaction } from '../../database/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { Moment, momentText, Nullable } from '../routing/fields.ts';
import { deviceOf } from './device.ts';
import type { Asked } from './second-factor/begin.ts';
import { openSession, sessionMicros } from './sessions.ts';
import type { SignedInBy } from './store.ts';

/** The answer to a correct first factor: a session, or the possible second factors, of which one is required first. */
export const SignedIn = Type.Object({
  token: Nullable(Type.String({ description: 'Null if the session is in a cookie, and before the second factor' })),
  expires_at: Nullable(Moment),
  second_factor: Nullable(
    Type.Object(
      {
        ticket: Type.String({ description: 'For POST session/second-factor' }),
        methods: Type.Array(Type.Enum(['passkey', 'totp', 'recovery_code'])),
        expires_at: Moment,
      },
      { description: 'No session is open yet. The account has a second factor, which is required' },
    ),
  ),
});

interface FirstFactor {
  signed_in_by: SignedInBy;
  /** True if the provider asked for a second factor. */
  second_factor: boolean;
  caller: { address: string; userAgent: string | undefined };
  /** Stores the session in a cookie. Null: the answer has the token. */
  keepSession: ((session: { token: string; seconds: number }) => void) | null;
}

/** The first factor was correct: opens the session, or answers which second factor is required (`asked`). */
export async function signedIn(
  deps: Pick<ConsoleDeps, 'pool' | 'clock'>,
  account: { account_id: number; actor: string },
  asked: Asked | null,
  { signed_in_by, second_factor, caller, keepSession }: FirstFactor,
) {
  if (asked !== null) {
    return { token: null, expires_at: null, second_factor: { ...asked, expires_at: momentText(asked.expires_at) } };
  }
  const device = deviceOf(caller);
  const { account_id, actor } = account;
  const by = second_factor ? signed_in_by : null;
  const details = { ...device, by: signed_in_by, second_factor: by };
  const now: Micros = deps.clock();
  const opened = await transaction(deps.pool, async (tx) => {
    await record(deps, account, { action: 'session.opened', brand: null, subject: actor, details }, tx);
    return openSession(tx, now, { account_id, signed_in_by, second_factor, device });
  });
  keepSession?.({ token: opened.token, seconds: sessionMicros / 1_000_000 });
  return {
    token: keepSession === null ? opened.token : null,
    expires_at: momentText(opened.expires_at),
    second_factor: null,
  };
}
