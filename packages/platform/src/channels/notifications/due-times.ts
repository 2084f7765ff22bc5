import type { DueTimes } from '../../operator/players/index.ts';

/**
 * The queues whose due times move with the database's clock (ClockWatch). Expiry is a fixed time, so it does not move.
 */
export const notificationDueTimes: readonly DueTimes[] = [{ table: 'notification', column: 'due_at' }];
