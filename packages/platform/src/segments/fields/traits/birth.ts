import { dayOf, daysBetween, plusDays, plusYears, startOfDay } from '@croupier/rules';
import type { TraitSource } from '../../../derive/index.ts';
import { startOfDaySql } from '../day-start.ts';
import type { Joins } from '../joins.ts';
import { birthDateSql } from '../profile.ts';
import type { FieldReading } from '../reading.ts';

type Reading = Omit<FieldReading, 'field'>;
type Show = Extract<TraitSource, { from: 'birth' }>['show'];

const bornOn = (joins: Joins) => birthDateSql(joins.table('player_profile'));

/**
 * Values computed from the date of birth in the operator's details. A person born on February 29 has the birthday on
 * February 28 in other years.
 */
export function birthReading(show: Show): Reading {
  switch (show) {
    case 'birthday':
      return { sql: (joins) => `to_char(${bornOn(joins)}, 'MM-DD')` };
    case 'age':
      return age;
    case 'days_to_birthday':
      return daysToBirthday;
    default:
      return show satisfies never;
  }
}

/** The birthday of this year, and the one a year later. */
function birthdaysSql(joins: Joins): { own: string; next: string } {
  const born = bornOn(joins);
  const years = `(extract(year from ${joins.writer.today()}) - extract(year from ${born}))::int`;
  const inYears = (count: string) => `(${born} + make_interval(years => ${count}))::date`;
  return { own: inYears(years), next: inYears(`${years} + 1`) };
}

/** Completed years; null before the birth. */
const age: Reading = {
  sql: (joins) => {
    const born = bornOn(joins);
    const today = joins.writer.today();
    const years = `extract(year from ${today}) - extract(year from ${born})`;
    return `(case when ${born} <= ${today} then ${years} - case when ${birthdaysSql(joins).own} > ${today} then 1 else 0 end end)::numeric`;
  },
  changesSql: nextBirthdaySql,
  timed: (loads) => {
    const loaded = loads.value('birth date', bornOn);
    const { zone } = loads;
    return (rows) => {
      const born = rows.value(loaded);
      const yearsOn = (today: string) => {
        const years = Number(today.slice(0, 4)) - Number(String(born).slice(0, 4));
        return plusYears(String(born), years) > today ? years - 1 : years;
      };
      return {
        value: (at) => {
          const today = dayOf(zone, at);
          return born === null || String(born) > today ? null : yearsOn(today);
        },
        changesAfter: (at) =>
          born === null ? undefined : startOfDay(zone, plusYears(String(born), yearsOn(dayOf(zone, at)) + 1)),
      };
    };
  },
};

function nextBirthdaySql(joins: Joins): string {
  const { own, next } = birthdaysSql(joins);
  return startOfDaySql(`(case when ${own} > ${joins.writer.today()} then ${own} else ${next} end)`, joins);
}

/** 0 on the birthday itself. */
const daysToBirthday: Reading = {
  sql: (joins) => {
    const { own, next } = birthdaysSql(joins);
    const today = joins.writer.today();
    return `(case when ${own} >= ${today} then ${own} else ${next} end - ${today})::numeric`;
  },
  changesSql: (joins) => {
    const midnight = startOfDaySql(`(${joins.writer.today()} + 1)`, joins);
    return `case when ${bornOn(joins)} is not null then ${midnight} end`;
  },
  timed: (loads) => {
    const loaded = loads.value('birth date', bornOn);
    const { zone } = loads;
    return (rows) => {
      const born = rows.value(loaded);
      const daysFrom = (today: string) => {
        const years = Number(today.slice(0, 4)) - Number(String(born).slice(0, 4));
        const own = plusYears(String(born), years);
        return daysBetween(today, own >= today ? own : plusYears(String(born), years + 1));
      };
      return {
        value: (at) => (born === null ? null : daysFrom(dayOf(zone, at))),
        changesAfter: (at) => (born === null ? undefined : startOfDay(zone, plusDays(dayOf(zone, at), 1))),
      };
    };
  },
};
