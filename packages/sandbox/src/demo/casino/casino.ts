import type { BooksChange, Operator } from '../../operator/index.ts';
import type { Publisher } from '../../publisher/index.ts';
import { type Accounts, createAccounts } from './accounts.ts';
import { tellCredit } from './cashier.ts';
import { createTeller, type Teller } from './teller.ts';

/** The casino that a visitor plays in, as its own HTTP interface (`api.ts`) needs it. */
export interface Casino {
  books: Operator['books'];
  accounts: Accounts;
  teller: Teller;
  /** Stops hearing the books. */
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

  /** Operators tell every change of a player, those that the platform wrote back included (docs/reference/interface.md, Events). */
  function hear(change: BooksChange): void {
    if (!accounts.isOurs(change.user_id) || change.what === 'registered') return;
    if (change.what === 'credit') tellCredit(books, teller, change.credit);
    else if (change.what === 'consents') teller.tell(change.user_id, 'consents_update');
    else if (change.what === 'blocks') {
      teller.tell(change.user_id, 'blocks_update');
      // The details say is_blocked and is_excluded, too: who fetched them meanwhile has to hear that they changed.
      teller.tell(change.user_id, 'user_update');
    } else teller.tell(change.user_id, 'user_update');
  }

  return { books, accounts, teller, close: books.listen(hear) };
}
