import { agreementOf, type ProcessClock } from '../../chores/index.ts';
import { type AlarmTexts, alarmText } from './alarm-texts.ts';
import type { Alarm } from './alarms.ts';

/**
 * One line per process with a wrong clock. Such a process pauses its work, so it does no damage; a person must correct the
 * clock.
 */
export function clockAlarms(clocks: readonly ProcessClock[]): Alarm[] {
  return clocks.flatMap(({ process, offset_ms }): Alarm[] => {
    const seconds = Math.round(Math.abs(offset_ms) / 1_000);
    const where = (texts: AlarmTexts) => texts.clock(process, seconds, offset_ms > 0);
    switch (agreementOf(offset_ms)) {
      case 'wrong':
        return [
          {
            code: 'clock_wrong',
            severity: 'critical',
            message: alarmText((texts) => `${where(texts)} ${texts.clockWrong}`),
            since: null,
            list: null,
          },
        ];
      case 'apart':
        return [{ code: 'clock_apart', severity: 'warning', message: alarmText(where), since: null, list: null }];
      default:
        return [];
    }
  });
}
