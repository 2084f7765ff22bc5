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
 * Passkeys as a second factor (WebAuthn). The user must be present, but need not be verified: the password or the
 * provider was the first factor, and a security key without a PIN is sufficient as the second one.
 *
 * The library is loaded with the first passkey, because it takes 30 MB of memory.
 */
const library = () => import('@simplewebauthn/server');

/**
 * COSE identifiers of EdDSA, ES256 and RS256. Without this list the library also offers ML-DSA-44, which Chromium 156 then chooses.
 * Its signatures make the body of a sign-in 4,081 to 4,227 bytes long, and a call without a session may have 4,096.
 */
const supportedAlgorithmIDs = [-8, -7, -257];

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
    supportedAlgorithmIDs,
  });
}

/** @returns null if the answer does not fit the challenge or the origin, or is inconsistent */
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
    supportedAlgorithmIDs,
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
