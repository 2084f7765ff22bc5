import type { DueTimes } from '../../operator/players/index.ts';

/** What the watch over the database's clock looks after. */
export const pushDueTimes: readonly DueTimes[] = [{ table: 'push_delivery', column: 'due_at' }];
