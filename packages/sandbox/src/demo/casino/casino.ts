import type { BooksChange, Operator } from '../../operator/index.ts';
import type { Publisher } from '../../publisher/index.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { publishCredit } from './cashier.ts';
import { createEventPublisher, type EventPublisher } from './event-publisher.ts';

/** The visitors' casino, as its HTTP API (`api.ts`) needs it. */
export interface Casino {
  books: Operator['books'];
  accounts: Accounts;
  events: EventPublisher;
  /** Number of approved deposits by user_id. */
  deposits: Map<string, number>;
  /** Stops listening to the operator's records. */
  close(): void;
}

export function createCasino(
  operator: Operator,
  publisher: Pick<Publisher, 'publish'>,
  signal: AbortSignal,
  testUserId: string,
): Casino {
  const { books } = operator;
  const events = createEventPublisher(publisher, signal);
  const accounts = createAccounts(books, events, testUserId);

  /**
   * Operators publish every change of a player, including those that the platform wrote back (docs/reference/interface.md,
   * Events).
   */
  function publishChange(change: BooksChange): void {
    if (!accounts.isOurs(change.user_id) || change.what === 'registered') return;
    if (change.what === 'credit') publishCredit(books, events, change.credit);
    else if (change.what === 'consents') events.publish(change.user_id, 'consents_update');
    else if (change.what === 'blocks') {
      events.publish(change.user_id, 'blocks_update');
      // The details also contain is_blocked and is_excluded. A platform that has stored the details learns from this event
      // that they changed.
      events.publish(change.user_id, 'user_update');
    } else events.publish(change.user_id, 'user_update');
  }

  return { books, accounts, events, deposits: new Map(), close: books.listen(publishChange) };
}
