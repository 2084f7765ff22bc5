import { randomBytes } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { Unreadable, type Vault } from '../../../brands/index.ts';
import type { SignedInBy } from '../store.ts';

/*
 * What a caller gets between two steps: after the correct password and before the second factor, or after the options
 * of a passkey and before its answer.
 *
 * A ticket is encrypted and authenticated with a key from CROUPIER_SECRET, and nothing is stored for it, so a caller
 * cannot fill a table by starting sign-ins. A ticket can be used once, to open a session or to add a passkey.
 */
export interface Ticket {
  /** Its purpose. A ticket is refused for any other purpose. */
  use: 'second factor' | 'new passkey' | 'proof';
  ticket_id: string;
  account_id: number;
  expires_at: Micros;
  /** When the password was set: a new password ends the tickets of the old one. */
  password_set_at: Micros;
  /** What a passkey has to sign; null until its options are requested. */
  challenge: string | null;
  /** How the first factor was proven; empty if there was none. */
  by: SignedInBy | '';
}

export const ticketMicros: Micros = 5 * 60 * 1_000_000;
/** Authenticated with the ticket, so that no other encrypted value is accepted as a ticket. */
const label = 'console ticket';

export class Tickets {
  readonly #vault: Vault;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  issue(ticket: Omit<Ticket, 'ticket_id'>): string {
    const ticket_id = randomBytes(16).toString('base64url');
    return this.#vault.seal(label, { ...ticket, ticket_id }).toString('base64url');
  }

  /** @returns null for a ticket that is forged, has another purpose, or has expired */
  read(text: string, use: Ticket['use'], now: Micros): Ticket | null {
    try {
      const ticket = this.#vault.open(label, Buffer.from(text, 'base64url')) as Ticket;
      return ticket.use === use && ticket.expires_at > now ? ticket : null;
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }
}
