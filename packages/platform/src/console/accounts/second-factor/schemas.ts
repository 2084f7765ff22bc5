import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { Type } from 'typebox';

/** JSON of WebAuthn, as browsers create and accept it. The library that reads it verifies its content. */
const WebAuthn = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const CreationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>(
  WebAuthn('PublicKeyCredentialCreationOptionsJSON, for navigator.credentials.create'),
);
export const RequestOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>(
  WebAuthn('PublicKeyCredentialRequestOptionsJSON, for navigator.credentials.get'),
);
export const CreationResponse = Type.Unsafe<RegistrationResponseJSON>(WebAuthn('RegistrationResponseJSON'));
export const RequestResponse = Type.Unsafe<AuthenticationResponseJSON>(WebAuthn('AuthenticationResponseJSON'));

export const TicketText = Type.String({ maxLength: 1_000 });
