import type { EventKind, Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../database/index.ts';
import { kindCode, type LedgerPosition } from '../../ledger/index.ts';
import type { Verdict } from '../verdict.ts';
import { flagsOf, kindOf, verdictCodes, verdictOf } from './codes.ts';
import type { JournalEntry } from './store.ts';

interface Row {
  received_at: Micros;
  brand_id: number;
  player_id: number | null;
  at: Micros | null;
  kind: number;
  verdict: number;
  flags: number;
  writer_id: number;
  seq: number;
  index: number;
}

const columns = 'received_at, brand_id, player_id, at, kind, verdict, flags, writer_id, seq, index';

function entryOf({ writer_id, seq, index, kind, verdict, flags, ...rest }: Row): JournalEntry {
  const position = { writer_id, seq, index };
  return { ...rest, kind: kindOf(kind), verdict: verdictOf(verdict), flags: flagsOf(flags), position };
}

export interface JournalPage {
  entries: JournalEntry[];
  /** The value of `before` for the next page; null on the last page. */
  next: string | null;
}

export interface JournalFilter {
  kinds?: readonly EventKind[];
  verdicts?: readonly Verdict[];
  /** Bounds of the time by which the list is ordered, both inclusive. */
  from?: Micros | undefined;
  to?: Micros | undefined;
}

/** The events of one player, newest first by their own timestamps. Their bodies are in the ledger (`Ledger.at`). */
export async function timeline(
  db: Pool | ClientBase,
  playerId: number,
  filter: JournalFilter,
  limit: number,
  before?: string,
): Promise<JournalPage> {
  const place = before === undefined ? undefined : readToken(before);
  const { rows } = await db.query<Row>(
    `select ${columns} from journal
     where player_id = $1 and at is not null
       and ($2::smallint[] is null or kind = any ($2))
       and ($3::smallint[] is null or verdict = any ($3))
       and at >= coalesce($4::timestamptz, '-infinity')
       and at <= least($5::timestamptz, $6::timestamptz, 'infinity')
       and ($6::timestamptz is null or (at, writer_id, seq, index) < ($6, $7::int, $8::bigint, $9::int))
     order by at desc, writer_id desc, seq desc, index desc
     limit $10`,
    [playerId, ...filterValues(filter), ...placeValues(place), limit + 1],
  );
  return pageOf(rows, limit, (row) => row.at ?? 0);
}

/**
 * Entries that a person should look at, newest first by receipt: flagged events, and events that are neither applied
 * nor repeats. A missing time zone alone is no reason, because whole feeds omit it.
 */
export async function notedEntries(
  db: Pool | ClientBase,
  brandId: number,
  filter: NotedFilter,
  limit: number,
  before?: string,
): Promise<JournalPage> {
  const place = before === undefined ? undefined : readToken(before);
  const { verdict, ...others } = filter;
  const verdicts = verdict === undefined ? {} : { verdicts: [verdict] };
  const { rows } = await db.query<Row>(notedStatement(verdict), [
    brandId,
    ...filterValues({ ...others, ...verdicts }),
    ...placeValues(place),
    limit + 1,
  ]);
  return pageOf(rows, limit, (row) => row.received_at);
}

export interface NotedFilter extends Omit<JournalFilter, 'verdicts'> {
  verdict?: NotedVerdict | undefined;
}

/** Verdicts that the index journal_verdict contains. */
export type NotedVerdict = Exclude<Verdict, 'applied' | 'repeat'>;

/** The condition on one verdict is an equality, because with `any` an index does not provide the order. */
const notedStatement = (verdict: NotedVerdict | undefined) => `select ${columns} from journal
  where brand_id = $1
    and ${verdict === undefined ? '(verdict > 2 or (flags & ~2) <> 0) and $3::smallint[] is null' : 'verdict > 2 and verdict = ($3::smallint[])[1]'}
    and ($2::smallint[] is null or kind = any ($2))
    and received_at >= coalesce($4::timestamptz, '-infinity')
    and received_at <= least($5::timestamptz, $6::timestamptz, 'infinity')
    and ($6::timestamptz is null or (received_at, writer_id, seq, index) < ($6, $7::int, $8::bigint, $9::int))
  order by received_at desc, writer_id desc, seq desc, index desc
  limit $10`;

/** Events to find in the journal: those of a player of one kind with one of these timestamps. */
export interface SoughtEntries {
  player_id: number;
  kind: EventKind;
  times: readonly Micros[];
}

/**
 * Returns the matching events for each of `sought`, in the order of `sought`. These are events that were applied or compared
 * with the state, the oldest first, then by receipt. Events that are too old or parked are left out.
 *
 * @param limit maximum number of entries for each
 */
export async function entriesAt(
  db: Pool | ClientBase,
  sought: readonly SoughtEntries[],
  limit: number,
): Promise<JournalEntry[][]> {
  const found: JournalEntry[][] = sought.map(() => []);
  if (sought.length === 0) return found;
  const { rows } = await db.query<Row & { place: number }>(
    `select k.place::int, e.*
     from unnest($1::bigint[], $2::smallint[], $3::text[]) with ordinality as k(player_id, kind, times, place)
     cross join lateral (
       select ${columns} from journal j
       where j.player_id = k.player_id and j.kind = k.kind and j.at = any (k.times::timestamptz[]) and j.verdict = any ($4::smallint[])
       order by at, received_at, writer_id, seq, index
       limit $5) e
     order by k.place, at, received_at, writer_id, seq, index`,
    [
      sought.map(({ player_id }) => player_id),
      sought.map(({ kind }) => kindCode(kind)),
      sought.map(({ times }) => `{${times.map((time) => `"${timestamptzText(time)}"`).join(',')}}`),
      appliedVerdicts.map((each) => verdictCodes[each]),
      limit,
    ],
  );
  for (const { place, ...row } of rows) found[place - 1]?.push(entryOf(row));
  return found;
}

const appliedVerdicts: readonly Verdict[] = ['applied', 'repeat', 'conflict', 'orphan'];

/** The journal entries of given events, by `positionName`. Events that are not derived yet are missing. */
export async function marksOf(
  db: Pool | ClientBase,
  events: readonly { brand_id: number; received_at: Micros; position: LedgerPosition }[],
): Promise<Map<string, JournalEntry>> {
  const { rows } = await db.query<Row>(
    `select ${columns.replaceAll(/(\w+)/g, 'j.$1')}
     from unnest($1::int[], $2::timestamptz[], $3::int[], $4::bigint[], $5::int[])
       as k(brand_id, received_at, writer_id, seq, index)
     join journal j on j.brand_id = k.brand_id and j.received_at = k.received_at
       and j.writer_id = k.writer_id and j.seq = k.seq and j.index = k.index`,
    [
      events.map((e) => e.brand_id),
      events.map((e) => e.received_at),
      events.map((e) => e.position.writer_id),
      events.map((e) => e.position.seq),
      events.map((e) => e.position.index),
    ],
  );
  return new Map(rows.map((row) => [positionName(row), entryOf(row)]));
}

export function positionName({ writer_id, seq, index }: LedgerPosition): string {
  return `${writer_id}:${seq}:${index}`;
}

interface Place {
  at: Micros;
  position: LedgerPosition;
}

function filterValues({ kinds, verdicts, from, to }: JournalFilter): (number[] | string | null)[] {
  return [
    kinds?.map((kind) => kindCode(kind)) ?? null,
    verdicts?.map((verdict) => verdictCodes[verdict]) ?? null,
    from === undefined ? null : timestamptzText(from),
    to === undefined ? null : timestamptzText(to),
  ];
}

function placeValues(place: Place | undefined): (string | number | null)[] {
  if (place === undefined) return [null, null, null, null];
  const { at, position } = place;
  return [timestamptzText(at), position.writer_id, position.seq, position.index];
}

/**
 * Makes a page from rows. The caller reads one row more than the page holds: that row shows that there is a next page.
 */
function pageOf(rows: readonly Row[], limit: number, timeOf: (row: Row) => Micros): JournalPage {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = last === undefined || rows.length <= limit ? null : `${timeOf(last)}:${positionName(last)}`;
  return { entries: page.map(entryOf), next };
}

/** @throws {RangeError} if the text is not a token of these lists */
function readToken(token: string): Place {
  const match = /^(-?\d{1,16}):(\d{1,10}):(\d{1,15}):(\d{1,10})$/.exec(token);
  if (match === null) throw new RangeError('the page token does not belong to this list');
  const [at, writer_id, seq, index] = match.slice(1).map(Number) as [number, number, number, number];
  return { at, position: { writer_id, seq, index } };
}
