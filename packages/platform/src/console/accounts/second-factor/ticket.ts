import { randomBytes } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { Unreadable, type Vault } from '../../../brands/index.ts';

/*
 * What a caller holds between two steps: between the right password and the second factor, or between the options of a
 * passkey and its answer.
 *
 * A ticket is encrypted and authenticated with a key from CROUPIER_SECRET, and nothing is stored for it, so that a
 * stranger cannot fill a table by beginning to sign in. It is used up when it opens a session or adds a passkey.
 */
export interface Ticket {
  /** What it is good for; a ticket of one use is refused in another. */
  use: 'second factor' | 'new passkey';
  ticket_id: string;
  account_id: number;
  expires_at: Micros;
  /** When the password was set: a new password ends the tickets of the old one. */
  password_set_at: Micros;
  /** What a passkey has to sign; null before its options were asked for. */
  challenge: string | null;
  /** How the first factor was given, for the audit: `password`, or the name of a provider. */
  by: string;
}

export const ticketMicros: Micros = 5 * 60 * 1_000_000;
/** Authenticated with the ticket, so that no other encrypted value is taken for one. */
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

  /** @returns null for a ticket that is not ours, is of another use, or has expired */
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
