import type { DueTimes } from '../../operator/players/index.ts';

/** What the watch over the database's clock looks after. */
export const emailDueTimes: readonly DueTimes[] = [{ table: 'email_message', column: 'due_at' }];
