import type { Pool, QueryResultRow } from 'pg';

/*
 * Searches messages, newest first, in portions.
 *
 * Most filters have no index, because an index on every column would make each message more expensive to send. A filter
 * that matches few messages would then read the messages of 90 days for one page. So a page reads at most 100,000 messages,
 * and may be short or empty although older messages match. It states where it stopped, and the next page continues there.
 */

/** Maximum number of messages that a page reads. */
export const mostSearched = 100_000;

export interface NewestPage {
  limit: number;
  /** Only messages with a lower id: where the previous page ended. */
  before?: number | undefined;
  /** Maximum number of messages to read. Default: 100,000. */
  portion?: number | undefined;
}

/** Matching messages, newest first. */
export interface Found<Row> {
  rows: Row[];
  /** The id of the last message that was read, if the search stopped before the page was full. Older messages may match. Otherwise null. */
  searched_to: number | null;
}

export interface NewestSearch {
  table: 'email_message' | 'called_message' | 'push_delivery';
  /** Ids ascend with time. */
  id: 'message_id' | 'delivery_id';
  /** Columns of the message `m` and its player `p`. */
  columns: string;
  /** Conditions that select the messages to read, by an index that is ordered by the id. */
  among: readonly string[];
  /** Conditions that are checked for each message that was read. */
  wanted: readonly string[];
  /** If true, the page reads all messages in `among`. They must be few. */
  isWhole?: boolean;
  /** The values of the parameters of the conditions. */
  values: readonly unknown[];
}

/** One page. The messages and the end of the search come from one statement, so both are of the same moment. */
export async function findNewest<Row extends QueryResultRow>(
  pool: Pool,
  { table, id, columns, among, wanted, isWhole = false, values }: NewestSearch,
  { limit, before = Number.MAX_SAFE_INTEGER, portion = mostSearched }: NewestPage,
): Promise<Found<Row>> {
  const all = [...values];
  const bind = (value: unknown) => `$${all.push(value)}`;
  const [most, start] = [bind(limit), bind(before)];
  const read = (column: string, end: string) =>
    `select ${column} from ${table} m where ${[...among, `m.${id} < ${start}`].join(' and ')} order by m.${id} desc ${end}`;
  const portionEnd = isWhole ? 'null::bigint' : `(${read(`m.${id}`, `offset ${portion - 1} limit 1`)})`;
  // PostgreSQL computes the end of the portion only if the page is not full.
  const { rows } = await pool.query<Row & { searched_to: number | null; is_found: boolean }>(
    `with found as (
       select m.* from (${read('m.*', isWhole ? '' : `limit ${portion}`)}) m
        where ${['true', ...wanted].join(' and ')} order by m.${id} desc limit ${most})
     select s.searched_to, m.${id} is not null as is_found, ${columns}
       from (select case when (select count(*) from found) < ${most} then ${portionEnd} end as searched_to) s
       left join found m on true
       left join player p on p.player_id = m.player_id
      order by m.${id} desc`,
    all,
  );
  return {
    rows: rows
      .filter(({ is_found }) => is_found)
      .map(({ searched_to: _, is_found: __, ...row }) => row as unknown as Row),
    searched_to: rows[0]?.searched_to ?? null,
  };
}
