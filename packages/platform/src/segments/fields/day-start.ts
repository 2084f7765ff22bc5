import type { Joins } from './joins.ts';

/**
 * SQL of the first instant of a day of the brand. Where the clock goes back to midnight the day begins at the first of the two, and
 * PostgreSQL takes the second.
 */
export function startOfDaySql(day: string, { writer }: Joins): string {
  const zone = writer.parameter(writer.reading.zone, 'text');
  const start = `((${day})::timestamp at time zone ${zone})`;
  const earlier = `(${start} - interval '1 hour')`;
  return `case when (${earlier} at time zone ${zone})::date = ${day} then ${earlier} else ${start} end`;
}
