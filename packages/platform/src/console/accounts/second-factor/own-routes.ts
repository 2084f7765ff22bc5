import type { FastifyInstance } from 'fastify';
import type { ClientBase } from 'pg';
import { Type } from 'typebox';
import { transaction } from '../../../database/index.ts';
import type { Access } from '../../access/access.ts';
import { type AuditAction, record } from '../../audit/audit.ts';
import type { AuditDetails } from '../../audit/detail-names.ts';
import type { ConsoleDeps } from '../../deps.ts';
import { endpoint } from '../../routing/endpoint.ts';
import { Moment, momentText, momentTextOrNull, Nullable } from '../../routing/fields.ts';
import { notFound } from '../../routing/not-found.ts';
import { Refused } from '../../routing/refused.ts';
import { serve } from '../../routing/serve.ts';
import { knownAccount } from '../known-account.ts';
import { deleteSessions, upgradeSession } from '../store.ts';
import { secondFactorDeps } from './deps.ts';
import { creationOptions, verifyCreation } from './passkeys.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';
import { CreationOptions, CreationResponse, TicketText } from './schemas.ts';
import { methodsOf, sealSecret, secretOf } from './second-factor.ts';
import {
  confirmTotp,
  deletePasskey,
  deleteTotp,
  insertPasskey,
  renamePasskey,
  replaceRecoveryCodes,
  selectFactors,
  selectPasskeys,
  selectTotp,
  useTicket,
  writeTotp,
} from './store.ts';
import { ticketMicros } from './ticket.ts';
import { codePattern, newTotpSecret, stepOfCode, totpUri } from './totp.ts';

const mostPasskeys = 20;

const tag = 'Second factor';
const changing = {
  tag,
  may: 'signed in',
  fresh: 'session',
  forbidden: 'The call was made with the admin token',
} as const;

const RecoveryCodes = Type.Array(Type.String({ examples: ['K3XT-PLQA-7YBN-C2VD'] }), {
  description: 'Returned only in this answer. Each replaces a second factor once',
});

const PasskeyName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: ['Work laptop'] });

const Added = {
  recovery_codes: Nullable(RecoveryCodes),
};

export const showSecondFactors = endpoint({
  method: 'GET',
  path: '/second-factors',
  tag,
  summary: "The caller's own second factors",
  may: 'signed in',
  status: 200,
  answer: Type.Object({
    totp: Nullable(Type.Object({ added_at: Moment })),
    passkeys: Type.Array(
      Type.Object({
        passkey_id: Type.Integer(),
        name: Type.String(),
        added_at: Moment,
        last_used_at: Nullable(Moment),
      }),
    ),
    recovery_codes: Type.Integer({ description: 'Number of unused codes' }),
    passkeys_possible: Type.Boolean({ description: 'False if PUBLIC_URL has no host name' }),
    required: Type.Boolean({ description: 'True if a brand of the account requires it' }),
    session_has_one: Type.Boolean({ description: 'This session was opened with a second factor, or has added one' }),
  }),
});

export const beginTotp = endpoint({
  ...changing,
  method: 'POST',
  path: '/second-factors/totp',
  summary: 'Begin to add an authenticator app. Its first code confirms it',
  conflict: 'The account already has an authenticator app',
  status: 201,
  answer: Type.Object({
    secret: Type.String({ description: 'Base32, for typing' }),
    uri: Type.String({ description: 'otpauth://, for a QR code' }),
  }),
});

export const confirmTotpEndpoint = endpoint({
  ...changing,
  method: 'POST',
  path: '/second-factors/totp/confirm',
  summary: 'Add the authenticator app, with a code that it shows',
  description: "The account's other sessions end. `recovery_codes` come with the first second factor.",
  conflict: 'No authenticator app is waiting for confirmation, or the code is wrong',
  body: Type.Object({ code: Type.String({ pattern: codePattern }) }, { additionalProperties: false }),
  status: 200,
  answer: Type.Object(Added),
});

export const removeTotp = endpoint({
  ...changing,
  method: 'DELETE',
  path: '/second-factors/totp',
  summary: 'Remove the authenticator app',
  conflict: 'There is no authenticator app, or it is the last second factor and one is required',
  status: 204,
  answer: Type.Null(),
});

export const beginPasskey = endpoint({
  ...changing,
  method: 'POST',
  path: '/second-factors/passkeys/options',
  summary: 'Begin to add a passkey',
  conflict: `Passkeys cannot be used at this address, or the account has ${mostPasskeys}`,
  status: 200,
  answer: Type.Object({ options: CreationOptions, ticket: Type.String() }),
});

export const addPasskey = endpoint({
  ...changing,
  method: 'POST',
  path: '/second-factors/passkeys',
  summary: 'Add a passkey',
  description: "The account's other sessions end. `recovery_codes` come with the first second factor.",
  conflict: 'The answer does not match the options of the call, or the passkey already exists',
  body: Type.Object(
    { ticket: TicketText, name: PasskeyName, response: CreationResponse },
    { additionalProperties: false },
  ),
  status: 201,
  answer: Type.Object({ passkey_id: Type.Integer(), ...Added }),
});

export const renamePasskeyEndpoint = endpoint({
  method: 'PUT',
  path: '/second-factors/passkeys/:passkey_id',
  tag,
  summary: 'Rename a passkey',
  may: 'signed in',
  forbidden: 'The call was made with the admin token',
  params: Type.Object({ passkey_id: Type.Integer() }),
  body: Type.Object({ name: PasskeyName }, { additionalProperties: false }),
  status: 204,
  answer: Type.Null(),
});

export const removePasskey = endpoint({
  ...changing,
  method: 'DELETE',
  path: '/second-factors/passkeys/:passkey_id',
  summary: 'Remove a passkey',
  params: Type.Object({ passkey_id: Type.Integer() }),
  conflict: 'The passkey is the last second factor, and one is required',
  status: 204,
  answer: Type.Null(),
});

export const renewRecoveryCodes = endpoint({
  ...changing,
  method: 'POST',
  path: '/second-factors/recovery-codes',
  summary: 'Create new recovery codes. The old ones become invalid',
  conflict: 'The account has no second factor',
  status: 200,
  answer: Type.Object({ recovery_codes: RecoveryCodes }),
});

export function ownSecondFactorRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;
  const { vault, tickets, relyingParty } = secondFactorDeps(deps);

  /** The account of the caller. For calls that need a fresh session, the guard has already refused the admin token. */
  const own = ({ account_id, actor }: Access) => {
    if (account_id === null)
      throw new Refused('forbidden', {
        en: 'the admin token belongs to no account',
        de: 'Das Admin-Token gehört zu keinem Konto',
      });
    return { account_id, email: actor };
  };

  const audited = (tx: ClientBase, access: Access, action: AuditAction, details: AuditDetails = {}): Promise<void> =>
    record(deps, access, { action, brand: null, subject: access.actor, details }, tx);

  const freshRecoveryCodes = async (tx: ClientBase, accountId: number): Promise<string[]> => {
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(tx, accountId, codes.map(recoveryCodeHash));
    return codes;
  };

  /** Carries out the effects that every new factor has. The owner of the session has just proven their identity. */
  const added = async (
    tx: ClientBase,
    access: Access,
    factor: string,
  ): Promise<{ recovery_codes: string[] | null }> => {
    const { account_id } = own(access);
    const keep = access.session?.session_id ?? null;
    await deleteSessions(tx, account_id, { keep });
    if (keep !== null) await upgradeSession(tx, keep);
    await audited(tx, access, 'account.second_factor_added', { factor });
    const { totp, passkeys } = await selectFactors(tx, account_id);
    const isFirst = Number(totp) + passkeys === 1;
    return { recovery_codes: isFirst ? await freshRecoveryCodes(tx, account_id) : null };
  };

  /** The last factor can be removed only if none is required. The recovery codes are then removed, too. */
  const removed = async (tx: ClientBase, access: Access, factor: string): Promise<null> => {
    const { account_id } = own(access);
    await audited(tx, access, 'account.second_factor_removed', { factor });
    if (methodsOf(await selectFactors(tx, account_id)).length > 0) return null;
    if (isRequired(access))
      throw new Refused('conflict', {
        en: 'a second factor is required: add another one first',
        de: 'Ein zweiter Faktor ist erforderlich: Fügen Sie zuerst einen anderen hinzu',
      });
    await replaceRecoveryCodes(tx, account_id, []);
    return null;
  };

  serve(app, showSecondFactors, async ({ access }) => {
    const accountId = access.account_id ?? 0;
    const totp = await selectTotp(pool, accountId);
    const passkeys = await selectPasskeys(pool, accountId);
    const { recovery_codes } = await selectFactors(pool, accountId);
    const added_at = totp?.confirmed_at ?? null;
    return {
      totp: added_at === null ? null : { added_at: momentText(added_at) },
      passkeys: passkeys.map(({ passkey_id, name, created_at, last_used_at }) => ({
        passkey_id,
        name,
        added_at: momentText(created_at),
        last_used_at: momentTextOrNull(last_used_at),
      })),
      recovery_codes,
      passkeys_possible: relyingParty !== null,
      required: isRequired(access),
      session_has_one: access.session?.second_factor ?? false,
    };
  });

  serve(app, beginTotp, async ({ access }) => {
    const { account_id, email } = own(access);
    const secret = newTotpSecret();
    if (!(await writeTotp(pool, account_id, sealSecret(vault, account_id, secret)))) {
      throw new Refused('conflict', {
        en: 'the account has an authenticator app; remove it first',
        de: 'Das Konto hat eine Authenticator-App; entfernen Sie sie zuerst',
      });
    }
    return { secret, uri: totpUri(secret, email) };
  });

  serve(app, confirmTotpEndpoint, async ({ access, body }) => {
    const { account_id } = own(access);
    const totp = await selectTotp(pool, account_id);
    if (totp === null || totp.confirmed_at !== null) {
      throw new Refused('conflict', {
        en: 'no authenticator app is waiting for confirmation',
        de: 'Keine Authenticator-App wartet auf eine Bestätigung',
      });
    }
    const now = clock();
    const step = stepOfCode(secretOf(vault, account_id, totp), body.code, now);
    if (step === null)
      throw new Refused('conflict', {
        en: 'the code does not match the app; check the clock of the device',
        de: 'Der Code stimmt nicht mit dem der App überein; prüfen Sie die Uhr des Geräts',
      });
    return transaction(pool, async (tx) => {
      if (!(await confirmTotp(tx, account_id, step, now)))
        throw new Refused('conflict', {
          en: 'the authenticator app was already confirmed',
          de: 'Die Authenticator-App wurde bereits bestätigt',
        });
      return added(tx, access, 'totp');
    });
  });

  serve(app, removeTotp, async ({ access }) =>
    transaction(pool, async (tx) => {
      if (!(await deleteTotp(tx, own(access).account_id)))
        throw new Refused('conflict', { en: 'there is no authenticator app', de: 'Es gibt keine Authenticator-App' });
      return removed(tx, access, 'totp');
    }),
  );

  serve(app, beginPasskey, async ({ access }) => {
    const account = own(access);
    if (relyingParty === null)
      throw new Refused('conflict', {
        en: 'passkeys need PUBLIC_URL to have a host name',
        de: 'Für Passkeys muss PUBLIC_URL einen Hostnamen enthalten',
      });
    const existing = await selectPasskeys(pool, account.account_id);
    if (existing.length >= mostPasskeys)
      throw new Refused('conflict', {
        en: `the account has ${mostPasskeys} passkeys`,
        de: `Das Konto hat bereits ${mostPasskeys} Passkeys`,
      });
    const options = await creationOptions(relyingParty, account, existing);
    const { password_set_at } = await knownAccount(pool, account.account_id);
    const expires_at = clock() + ticketMicros;
    const ticket = { use: 'new passkey', account_id: account.account_id, password_set_at, expires_at, by: '' } as const;
    return { options, ticket: tickets.issue({ ...ticket, challenge: options.challenge }) };
  });

  serve(app, addPasskey, async ({ access, body }) => {
    const { account_id } = own(access);
    const now = clock();
    const ticket = tickets.read(body.ticket, 'new passkey', now);
    const made =
      ticket?.account_id === account_id && ticket.challenge !== null && relyingParty !== null
        ? await verifyCreation(relyingParty, ticket.challenge, body.response)
        : null;
    if (ticket === null || made === null)
      throw new Refused('conflict', {
        en: 'the passkey does not match this request; start again',
        de: 'Der Passkey passt nicht; beginnen Sie von vorn',
      });
    return transaction(pool, async (tx) => {
      const isFirstUse = await useTicket(tx, ticket.ticket_id, ticket.expires_at, now);
      const passkey_id =
        isFirstUse && (await insertPasskey(tx, account_id, { ...made, name: body.name, created_at: now }));
      if (typeof passkey_id !== 'number')
        throw new Refused('conflict', { en: 'the passkey already exists', de: 'Der Passkey ist bereits bekannt' });
      return { passkey_id, ...(await added(tx, access, 'passkey')) };
    });
  });

  serve(app, renamePasskeyEndpoint, async ({ access, params: { passkey_id }, body }) => {
    const name = body.name.trim();
    return transaction(pool, async (tx) => {
      const former = await renamePasskey(tx, own(access).account_id, passkey_id, name);
      if (former === null) throw notFound('passkey', passkey_id);
      if (former !== name) await audited(tx, access, 'account.passkey_renamed', { former, name });
      return null;
    });
  });

  serve(app, removePasskey, async ({ access, params: { passkey_id } }) =>
    transaction(pool, async (tx) => {
      if (!(await deletePasskey(tx, own(access).account_id, passkey_id))) {
        throw notFound('passkey', passkey_id);
      }
      return removed(tx, access, 'passkey');
    }),
  );

  serve(app, renewRecoveryCodes, async ({ access }) => {
    const { account_id } = own(access);
    if (methodsOf(await selectFactors(pool, account_id)).length === 0) {
      throw new Refused('conflict', {
        en: 'recovery codes replace a second factor, and the account has none',
        de: 'Wiederherstellungscodes ersetzen einen zweiten Faktor, und das Konto hat keinen',
      });
    }
    return transaction(pool, async (tx) => {
      const recovery_codes = await freshRecoveryCodes(tx, account_id);
      await audited(tx, access, 'account.recovery_codes_made');
      return { recovery_codes };
    });
  });
}

/** True if a brand of the account requires a second factor. */
function isRequired({ session, grants }: Access): boolean {
  const required = session?.second_factor_at ?? [];
  return grants.some(({ brand_id }) =>
    brand_id === null ? required.length > 0 : required.includes(null) || required.includes(brand_id),
  );
}
