import type { Micros } from '@croupier/contracts';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Pool } from 'pg';
import type { Vault } from '../../../brands/index.ts';
import { verifyRequest } from './passkeys.ts';
import { recoveryCodeHash } from './recovery-codes.ts';
import type { RelyingParty } from './relying-party.ts';
import {
  countCode,
  type Factors,
  forgetCodes,
  selectPasskeys,
  selectTotp,
  type Totp,
  takeRecoveryCode,
  takeStep,
  usePasskey,
} from './store.ts';
import { stepOfCode } from './totp.ts';

/** What a caller gives as second factor. */
export type GivenFactor =
  | { kind: 'totp'; code: string }
  | { kind: 'recovery_code'; code: string }
  | { kind: 'passkey'; challenge: string; response: AuthenticationResponseJSON };

export type FactorKind = GivenFactor['kind'];

export type FactorAnswer = { outcome: 'right' } | { outcome: 'wrong' } | { outcome: 'too_many'; until: Micros };

export interface FactorDeps {
  pool: Pool;
  clock: () => Micros;
  vault: Vault;
  /** Null where passkeys cannot be used. */
  relyingParty: RelyingParty | null;
}

/*
 * Of a million codes three are right at any time (totp.ts). With 10 an hour, somebody who has the password hits one in
 * a day with a chance of 0.07 %; every wrong one is in the audit. Recovery codes and passkeys cannot be guessed and are
 * not counted, so that they still work when another person has used up the codes of the hour.
 */
const codesOfWindow = 10;
const windowMicros: Micros = 3_600 * 1_000_000;

/** The methods by which the account can give a second factor; empty: it has none. A recovery code alone is none. */
export function methodsOf({ totp, passkeys, recovery_codes }: Factors): FactorKind[] {
  if (!totp && passkeys === 0) return [];
  return [
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(totp ? (['totp'] as const) : []),
    ...(recovery_codes > 0 ? (['recovery_code'] as const) : []),
  ];
}

/** Verifies what was given, and uses it up: a code is right once. */
export async function verifyFactor(deps: FactorDeps, accountId: number, given: GivenFactor): Promise<FactorAnswer> {
  switch (given.kind) {
    case 'totp':
      return verifyCode(deps, accountId, given.code);
    case 'recovery_code': {
      const isRight = await takeRecoveryCode(deps.pool, accountId, recoveryCodeHash(given.code), deps.clock());
      return { outcome: isRight ? 'right' : 'wrong' };
    }
    case 'passkey':
      return (await verifyPasskey(deps, accountId, given)) ? { outcome: 'right' } : { outcome: 'wrong' };
  }
}

async function verifyCode(deps: FactorDeps, accountId: number, code: string): Promise<FactorAnswer> {
  const { pool, clock } = deps;
  const now = clock();
  const counted = await countCode(pool, accountId, now, now + windowMicros);
  if (counted.failures > codesOfWindow) return { outcome: 'too_many', until: counted.window_ends_at };
  const totp = await selectTotp(pool, accountId);
  if (totp === null || totp.confirmed_at === null) return { outcome: 'wrong' };
  const step = stepOfCode(secretOf(deps.vault, accountId, totp), code, now);
  if (step === null || !(await takeStep(pool, accountId, step))) return { outcome: 'wrong' };
  await forgetCodes(pool, accountId);
  return { outcome: 'right' };
}

async function verifyPasskey(
  { pool, clock, relyingParty }: FactorDeps,
  accountId: number,
  { challenge, response }: { challenge: string; response: AuthenticationResponseJSON },
): Promise<boolean> {
  const passkey = (await selectPasskeys(pool, accountId)).find(({ credential_id }) => credential_id === response.id);
  if (passkey === undefined || relyingParty === null) return false;
  const signCount = await verifyRequest(relyingParty, challenge, response, passkey);
  if (signCount === null) return false;
  await usePasskey(pool, passkey.passkey_id, signCount, clock());
  return true;
}

/** The number of the account is authenticated with the secret: that of one account cannot be put in for another. */
const labelOf = (accountId: number) => `console totp of account ${accountId}`;

export function sealSecret(vault: Vault, accountId: number, secret: string): Buffer {
  return vault.seal(labelOf(accountId), { secret });
}

export function secretOf(vault: Vault, accountId: number, { secret }: Pick<Totp, 'secret'>): string {
  return (vault.open(labelOf(accountId), secret) as { secret: string }).secret;
}
