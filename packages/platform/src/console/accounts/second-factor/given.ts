import { Type } from 'typebox';
import { Refused } from '../../routing/refused.ts';
import { RequestResponse } from './schemas.ts';
import type { GivenFactor } from './second-factor.ts';
import type { Ticket } from './ticket.ts';
import { codePattern } from './totp.ts';

/** The fields of a body that contains a second factor. */
export const givenFields = {
  code: Type.Optional(Type.String({ pattern: codePattern, description: 'Code of the authenticator app' })),
  recovery_code: Type.Optional(Type.String({ maxLength: 40 })),
  passkey: Type.Optional(RequestResponse),
};

export interface Given {
  code?: string;
  recovery_code?: string;
  passkey?: Extract<GivenFactor, { kind: 'passkey' }>['response'];
}

/**
 * The one factor of the body.
 *
 * @param ticket of the passkey's options, if the body has one
 * @throws {Refused} if there is no factor, if there are several, or if a passkey has no ticket
 */
export function givenFactor(body: Given, ticket: Ticket | null): GivenFactor {
  const { code, recovery_code, passkey } = body;
  const challenge = ticket?.challenge ?? null;
  if ([code, recovery_code, passkey].filter((one) => one !== undefined).length === 1) {
    if (code !== undefined) return { kind: 'totp', code };
    if (recovery_code !== undefined) return { kind: 'recovery_code', code: recovery_code };
    if (passkey !== undefined && challenge !== null) return { kind: 'passkey', challenge, response: passkey };
  }
  const message = {
    en: 'send exactly one of code, recovery_code and passkey; a passkey with the ticket of its options',
    de: 'Senden Sie genau eines von code, recovery_code und passkey; einen Passkey mit dem Ticket seiner Optionen',
  };
  throw new Refused('invalid_request', message);
}
