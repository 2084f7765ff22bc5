import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/*
 * Passkeys of this browser. Options and answers are WebAuthn JSON, which the API passes through without describing
 * its fields. The library is loaded when the first passkey is used.
 */
const library = () => import('@simplewebauthn/browser');

type Json = Record<string, unknown>;

/** Asks for a passkey of the account. Rejects if the user cancels. */
export async function getPasskey(options: Json): Promise<Json> {
  const { startAuthentication } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}

/** Creates a passkey. Rejects if the user cancels, or if this authenticator already has a passkey of the account. */
export async function createPasskey(options: Json): Promise<Json> {
  const { startRegistration } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}
