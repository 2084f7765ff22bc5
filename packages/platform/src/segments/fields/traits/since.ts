import { dayOf, daysBetween, nextMidnight, plusDays, startOfDay } from '@croupier/rules';
import type { FieldReading } from '../reading.ts';

type Sql = FieldReading['sql'];

/**
 * Calendar days of the brand from a day until today; at least 0, because a day may be slightly in the future.
 *
 * @param key the name under which the day is loaded
 * @param day SQL of the day
 * @param rowless `rowless` of the moment from which the day is computed
 */
export function sinceReading(key: string, day: Sql, rowless?: FieldReading['rowless']): Omit<FieldReading, 'field'> {
  return {
    ...(rowless && { rowless: (joins) => ({ ...rowless(joins), value: null }) }),
    sql: (joins) => {
      const { writer } = joins;
      // greatest() skips nulls, so a player without such a day needs the case.
      return `(case when ${day(joins)} is not null then greatest(0, ${writer.today()} - ${day(joins)}) end)::numeric`;
    },
    changesSql: (joins) => {
      const { writer } = joins;
      const midnight = writer.moment(nextMidnight(writer.reading.zone, writer.reading.at));
      return `case when ${day(joins)} is not null then ${midnight} end`;
    },
    timed: (loads) => {
      const loaded = loads.value(key, day);
      const { zone } = loads;
      return (rows) => {
        const since = rows.value(loaded);
        if (typeof since !== 'string') return { value: () => null, changesAfter: () => undefined };
        return {
          value: (at) => Math.max(0, daysBetween(since, dayOf(zone, at))),
          changesAfter: (at) => {
            const days = daysBetween(since, dayOf(zone, at));
            return startOfDay(zone, plusDays(since, Math.max(0, days) + 1));
          },
        };
      };
    },
  };
}

/** The brand's day of a moment. */
export function dayOfSql(moment: Sql): Sql {
  return (joins) =>
    `(${moment(joins)} at time zone ${joins.writer.parameter(joins.writer.reading.zone, 'text')})::date`;
}
