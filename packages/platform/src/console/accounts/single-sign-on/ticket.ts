import { randomBytes } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { Unreadable, type Vault } from '../../../brands/index.ts';
import type { Checks } from './provider.ts';

/**
 * What a browser keeps while a person signs in at the provider. It is encrypted, so that neither the page nor an attacker who
 * steals the provider's answer learns the verifier of PKCE. An answer is refused without the ticket of the same browser. So an
 * attacker cannot sign a victim in to the attacker's account.
 */
export interface SignOnTicket extends Checks {
  ticket_id: string;
  expires_at: Micros;
}

/** This is enough time to type a password and to find a phone. */
export const signOnMicros: Micros = 15 * 60 * 1_000_000;
const label = 'console single sign-on';

export function issueSignOn(vault: Vault, checks: Checks, now: Micros): string {
  const ticket: SignOnTicket = {
    ...checks,
    ticket_id: randomBytes(16).toString('base64url'),
    expires_at: now + signOnMicros,
  };
  return vault.seal(label, ticket).toString('base64url');
}

/** @returns null for a ticket that the platform did not issue, or that has expired */
export function readSignOn(vault: Vault, text: string, now: Micros): SignOnTicket | null {
  try {
    const ticket = vault.open(label, Buffer.from(text, 'base64url')) as SignOnTicket;
    return ticket.expires_at > now ? ticket : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}
