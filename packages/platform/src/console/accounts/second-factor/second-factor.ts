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

/** The second factor in a call. */
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
  /** Null if passkeys cannot be used. */
  relyingParty: RelyingParty | null;
}

/*
 * At any time, three of the million codes are right (totp.ts). With 10 tries an hour, an attacker who has the password
 * finds one within a day with a probability of 0.07 %. The audit records every wrong code. Recovery codes and passkeys
 * cannot be guessed and are not counted, so they still work after another person has used up the tries of the hour.
 */
const codesOfWindow = 10;
const windowMicros: Micros = 3_600 * 1_000_000;

/** The methods that the account can use as second factor; empty if it has none. A recovery code alone does not count. */
export function methodsOf({ totp, passkeys, recovery_codes }: Factors): FactorKind[] {
  if (!totp && passkeys === 0) return [];
  return [
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(totp ? (['totp'] as const) : []),
    ...(recovery_codes > 0 ? (['recovery_code'] as const) : []),
  ];
}

/** Verifies the given factor and marks it as used: a code is valid once. */
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

/** The secret is authenticated with the number of its account, so it cannot be used for another account. */
const labelOf = (accountId: number) => `console totp of account ${accountId}`;

export function sealSecret(vault: Vault, accountId: number, secret: string): Buffer {
  return vault.seal(labelOf(accountId), { secret });
}

export function secretOf(vault: Vault, accountId: number, { secret }: Pick<Totp, 'secret'>): string {
  return (vault.open(labelOf(accountId), secret) as { secret: string }).secret;
}
