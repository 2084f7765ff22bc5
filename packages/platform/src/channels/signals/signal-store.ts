import type { ClientBase, Pool } from 'pg';
import type { NewSignal, ReadSignal, SiteSignal } from './signal.ts';

const columns = 's.signal_id, s.brand_id, s.player_id, s.kind, s.message_id';

/** Writes signals in the transaction of their cause. After the commit, poke the sender with the returned signals. */
export async function writeSignals(tx: ClientBase, signals: readonly NewSignal[]): Promise<SiteSignal[]> {
  if (signals.length === 0) return [];
  const { rows } = await tx.query<SiteSignal>({
    name: 'write_site_signals',
    text: `insert into site_signal as s (brand_id, player_id, kind, message_id)
           select * from unnest($1::int[], $2::bigint[], $3::text[], $4::bigint[])
           returning ${columns}`,
    values: [
      signals.map((signal) => signal.brand_id),
      signals.map((signal) => signal.player_id),
      signals.map((signal) => signal.kind),
      signals.map((signal) => signal.message_id),
    ],
  });
  return rows;
}

/** The currently visible transactions, as opaque text. */
export async function readSnapshot(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ snapshot: string }>({
    name: 'site_signal_snapshot',
    text: 'select pg_current_snapshot()::text as snapshot',
  });
  return (rows[0] as { snapshot: string }).snapshot;
}

/** The currently visible transactions, and whether any signal became visible since `since`. */
export async function lookForSignals(pool: Pool, since: string): Promise<{ snapshot: string; any: boolean }> {
  const { rows } = await pool.query<{ snapshot: string; any: boolean }>({
    name: 'look_for_site_signals',
    text: `select pg_current_snapshot()::text as snapshot,
                  exists (select from site_signal s where ${becameVisible('$1', 'pg_current_snapshot()')}) as any`,
    values: [since],
  });
  return rows[0] as { snapshot: string; any: boolean };
}

/** Signals of these players that became visible between two snapshots: oldest first, after `after`, at most `limit`. */
export async function readBetween(
  pool: Pool,
  range: { since: string; until: string; players: readonly number[]; after: number; limit: number },
): Promise<ReadSignal[]> {
  const { rows } = await pool.query<ReadSignal>({
    name: 'read_site_signals_between',
    text: `select ${columns}, s.written_at
             from site_signal s
             join unnest($3::bigint[]) as p(player_id) using (player_id)
            where ${becameVisible('$1', '$2')} and s.signal_id > $4
            order by s.signal_id limit $5`,
    values: [range.since, range.until, range.players, range.after, range.limit],
  });
  return rows;
}

/** The signals among the given ones that were not visible in `since`, oldest first. */
export async function readSignals(pool: Pool, ids: readonly number[], since: string): Promise<ReadSignal[]> {
  const { rows } = await pool.query<ReadSignal>({
    name: 'read_site_signals',
    text: `select ${columns}, s.written_at
             from unnest($1::bigint[]) as n(signal_id) join site_signal s using (signal_id)
            where not pg_visible_in_snapshot(s.written_by, $2::pg_snapshot)
            order by s.signal_id`,
    values: [ids, since],
  });
  return rows;
}

/** Given pairs of a player and a snapshot, returns the indexes of those in which a session of the player ended after the snapshot. */
export async function endedSince(
  pool: Pool,
  pairs: readonly { player_id: number; snapshot: string }[],
): Promise<Set<number>> {
  const { rows } = await pool.query<{ place: number }>({
    name: 'site_sessions_ended_since',
    text: `select distinct n.place - 1 as place
             from unnest($1::bigint[], $2::text[]) with ordinality as n(player_id, snapshot, place)
             join site_signal s on s.player_id = n.player_id and s.kind in ('session_ended', 'one_session_ended')
            where not pg_visible_in_snapshot(s.written_by, n.snapshot::pg_snapshot)`,
    values: [pairs.map((pair) => pair.player_id), pairs.map((pair) => pair.snapshot)],
  });
  return new Set(rows.map((row) => row.place));
}

/** Deletes up to `limit` signals written more than the given number of seconds ago. */
export async function pruneSignals(
  pool: Pool,
  { olderThanSeconds, limit }: { olderThanSeconds: number; limit: number },
) {
  const { rowCount } = await pool.query(
    `delete from site_signal
      where ctid = any (array(select ctid from site_signal
                               where written_at < now() - $1 * interval '1 second' limit $2))`,
    [olderThanSeconds, limit],
  );
  return rowCount ?? 0;
}

/**
 * A row is found by the number of its transaction, with which the index starts. The number is at least that of the oldest transaction that
 * was still running at `since`. The last condition also excludes rows with transaction numbers of another server: after a restore from a
 * dump they may be higher than any current number, and would otherwise be new forever.
 */
function becameVisible(since: string, until: string): string {
  return `s.written_by >= pg_snapshot_xmin(${since}::pg_snapshot)
          and not pg_visible_in_snapshot(s.written_by, ${since}::pg_snapshot)
          and pg_visible_in_snapshot(s.written_by, ${until}::pg_snapshot)`;
}
