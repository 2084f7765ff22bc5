import type { DueTimes } from '../../operator/players/index.ts';

/** What the watch over the database's clock looks after. Expiry is a moment of the calendar: it stays where it is. */
export const notificationDueTimes: readonly DueTimes[] = [{ table: 'notification', column: 'due_at' }];
