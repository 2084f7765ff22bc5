import type { DueTimes } from '../../operator/players/index.ts';

/** The queues whose due times move with the database's clock (ClockWatch). */
export const pushDueTimes: readonly DueTimes[] = [{ table: 'push_delivery', column: 'due_at' }];
