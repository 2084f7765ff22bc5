import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { Type } from 'typebox';

/** JSON of WebAuthn, as browsers make and take it. Its content is verified by the library that reads it. */
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
