import type { Joins } from './joins.ts';

/**
 * SQL of the first instant of a day of the brand. If the clock goes back at midnight, there are two midnights. The day begins at
 * the first one, but PostgreSQL uses the second one.
 */
export function startOfDaySql(day: string, { writer }: Joins): string {
  const zone = writer.parameter(writer.reading.zone, 'text');
  const start = `((${day})::timestamp at time zone ${zone})`;
  const earlier = `(${start} - interval '1 hour')`;
  return `case when (${earlier} at time zone ${zone})::date = ${day} then ${earlier} else ${start} end`;
}
