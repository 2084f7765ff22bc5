import { agreementOf, type ProcessClock } from '../../chores/index.ts';
import type { Alarm } from './alarms.ts';

/**
 * One line per process with a wrong clock. Such a process pauses its work, so it does no damage; a person must correct the
 * clock.
 */
export function clockAlarms(clocks: readonly ProcessClock[]): Alarm[] {
  return clocks.flatMap(({ process, offset_ms }): Alarm[] => {
    const where = `The clock of ${process} is ${Math.round(Math.abs(offset_ms) / 1_000)} s ${offset_ms > 0 ? 'ahead of' : 'behind'} the database's clock.`;
    switch (agreementOf(offset_ms)) {
      case 'wrong':
        return [
          {
            code: 'clock_wrong',
            severity: 'critical',
            message: `${where} The process derives nothing and runs no chore until the clocks agree. Correct its clock.`,
            since: null,
            list: null,
          },
        ];
      case 'apart':
        return [{ code: 'clock_apart', severity: 'warning', message: where, since: null, list: null }];
      default:
        return [];
    }
  });
}
