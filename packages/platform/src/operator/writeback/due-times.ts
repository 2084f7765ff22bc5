import type { DueTimes } from '../players/index.ts';

/** The queues of write-backs: their due times move with the database's clock (ClockWatch). */
export const writeDueTimes: readonly DueTimes[] = [
  { table: 'write_back_item', column: 'due_at', where: `latest and state in ('pending', 'sending')` },
  { table: 'write_back', column: 'due_at' },
];
