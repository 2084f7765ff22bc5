import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { RelyingParty } from './relying-party.ts';
import type { Passkey } from './store.ts';

/*
 * Passkeys as a second factor (WebAuthn). Presence is required, and verification of the user is not: the password or the
 * provider was the first factor, and security keys without a PIN are as good a second one.
 *
 * The library is loaded with the first passkey: it takes 30 MB that installations without passkeys do not spend.
 */
const library = () => import('@simplewebauthn/server');

export async function creationOptions(
  { id }: RelyingParty,
  account: { email: string; account_id: number },
  existing: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Croupier',
    rpID: id,
    userName: account.email,
    userID: new TextEncoder().encode(`croupier account ${account.account_id}`),
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'discouraged' },
    excludeCredentials: existing.map(named),
  });
}

/** @returns null when the answer does not fit the challenge, the origin or itself */
export async function verifyCreation(
  { id, origin }: RelyingParty,
  challenge: string,
  response: RegistrationResponseJSON,
): Promise<Pick<Passkey, 'credential_id' | 'public_key' | 'sign_count' | 'transports'> | null> {
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch(() => null);
  if (verified?.verified !== true) return null;
  const { credential } = verified.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    sign_count: credential.counter,
    transports: credential.transports ?? [],
  };
}

export async function requestOptions(
  { id }: RelyingParty,
  passkeys: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: id,
    allowCredentials: passkeys.map(named),
    userVerification: 'discouraged',
  });
}

/** @returns the new count of the authenticator's uses; null when the answer does not fit */
export async function verifyRequest(
  { id, origin }: RelyingParty,
  challenge: string,
  response: AuthenticationResponseJSON,
  passkey: Passkey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.sign_count,
      transports: transportsOf(passkey),
    },
  }).catch(() => null);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

function named(passkey: Passkey): { id: string; transports: AuthenticatorTransport[] } {
  return { id: passkey.credential_id, transports: transportsOf(passkey) };
}

function transportsOf({ transports }: Passkey): AuthenticatorTransport[] {
  return transports as AuthenticatorTransport[];
}
