import type { BooksChange, Operator } from '../../operator/index.ts';
import type { Publisher } from '../../publisher/index.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { tellCredit } from './cashier.ts';
import { createTeller, type Teller } from './teller.ts';

/** The visitors' casino, as its HTTP API (`api.ts`) needs it. */
export interface Casino {
  books: Operator['books'];
  accounts: Accounts;
  teller: Teller;
  /** Stops listening to the operator's records. */
  close(): void;
}

export function createCasino(
  operator: Operator,
  publisher: Publisher,
  signal: AbortSignal,
  testUserId: string,
): Casino {
  const { books } = operator;
  const teller = createTeller(publisher, signal);
  const accounts = createAccounts(books, teller, testUserId);

  /**
   * Operators publish every change of a player, including those that the platform wrote back (docs/reference/interface.md,
   * Events).
   */
  function hear(change: BooksChange): void {
    if (!accounts.isOurs(change.user_id) || change.what === 'registered') return;
    if (change.what === 'credit') tellCredit(books, teller, change.credit);
    else if (change.what === 'consents') teller.tell(change.user_id, 'consents_update');
    else if (change.what === 'blocks') {
      teller.tell(change.user_id, 'blocks_update');
      // The details contain is_blocked and is_excluded too, so a platform that fetched them in the meantime needs this event.
      teller.tell(change.user_id, 'user_update');
    } else teller.tell(change.user_id, 'user_update');
  }

  return { books, accounts, teller, close: books.listen(hear) };
}
