import type { DueTimes } from '../../operator/players/index.ts';

/** The queues whose due times move with the database's clock (ClockWatch). */
export const emailDueTimes: readonly DueTimes[] = [{ table: 'email_message', column: 'due_at' }];
