import { allSteps, type Campaign } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { columnsOf, timestamptzText } from '../../database/index.ts';
import type { TimelineEntry } from '../timeline.ts';

export const backtestStates = ['queued', 'running', 'done', 'cancelled', 'failed'] as const;
export type BacktestState = (typeof backtestStates)[number];

export interface Backtest {
  backtest_id: number;
  campaign_id: number;
  brand_id: number;
  version: number;
  document: Campaign;
  from_at: Micros;
  until_at: Micros;
  /** Maximum number of players to try. */
  most_players: number;
  state: BacktestState;
  reason: string | null;
  /** Number of buckets that are done. */
  buckets: number;
  /** Number of candidates in the current bucket, and of those already processed. */
  of_bucket: number;
  place: number;
  tried: number;
  /** Number of players who could not be tried. */
  skipped: number;
  created_at: Micros;
  created_by: string;
  finished_at: Micros | null;
}

const columns = `backtest_id, campaign_id, brand_id, version, document, from_at, until_at, most_players, state, reason, buckets, of_bucket, place,
  tried, skipped, created_at, created_by, finished_at`;

export type NewBacktest = Pick<
  Backtest,
  'campaign_id' | 'brand_id' | 'version' | 'document' | 'from_at' | 'until_at' | 'most_players'
>;

/** How many backtests of a campaign are kept. */
const mostKept = 10;

export async function insertBacktest(
  tx: ClientBase,
  one: NewBacktest,
  by: { at: Micros; actor: string },
): Promise<number> {
  const { rows } = await tx.query<{ backtest_id: number }>(
    `insert into campaign_backtest (campaign_id, brand_id, version, document, from_at, until_at, most_players, state, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, 'queued', $8, $9) returning backtest_id`,
    [
      one.campaign_id,
      one.brand_id,
      one.version,
      JSON.stringify(one.document),
      timestamptzText(one.from_at),
      timestamptzText(one.until_at),
      one.most_players,
      timestamptzText(by.at),
      by.actor,
    ],
  );
  const { rows: old } = await tx.query<{ backtest_id: number }>(
    `delete from campaign_backtest where backtest_id in (
       select backtest_id from campaign_backtest where campaign_id = $1 and state not in ('queued', 'running')
        order by backtest_id desc offset $2) returning backtest_id`,
    [one.campaign_id, mostKept],
  );
  await tx.query('delete from campaign_backtest_entry where backtest_id = any($1::int[])', [
    old.map(({ backtest_id }) => backtest_id),
  ]);
  return (rows[0] as { backtest_id: number }).backtest_id;
}

/** Newest first. */
export async function readBacktests(
  db: Pool | ClientBase,
  of: { campaign_id: number; backtest_id?: number },
): Promise<Backtest[]> {
  const { rows } = await db.query<Backtest>(
    `select ${columns} from campaign_backtest where campaign_id = $1 and ($2::int is null or backtest_id = $2)
      order by backtest_id desc`,
    [of.campaign_id, of.backtest_id ?? null],
  );
  return rows;
}

/** Number of a brand's backtests that have not ended. */
export async function countOpenBacktests(db: Pool | ClientBase, brandId: number): Promise<number> {
  const { rows } = await db.query<{ open: number }>(
    `select count(*)::int as open from campaign_backtest where brand_id = $1 and state in ('queued', 'running')`,
    [brandId],
  );
  return rows[0]?.open ?? 0;
}

/** Open backtests, oldest first. */
export async function listOpen(pool: Pool): Promise<Backtest[]> {
  const { rows } = await pool.query<Backtest>(
    `select ${columns} from campaign_backtest where state in ('queued', 'running') order by backtest_id`,
  );
  return rows;
}

export async function readOpen(pool: Pool, backtestId: number): Promise<Backtest | undefined> {
  const { rows } = await pool.query<Backtest>(
    `select ${columns} from campaign_backtest where backtest_id = $1 and state in ('queued', 'running')`,
    [backtestId],
  );
  return rows[0];
}

/** @returns false if it has ended */
export async function endBacktest(
  db: Pool | ClientBase,
  backtestId: number,
  state: 'done' | 'cancelled' | 'failed',
  { at, reason = null }: { at: Micros; reason?: string | null },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update campaign_backtest set state = $2, reason = $3, finished_at = $4
      where backtest_id = $1 and state in ('queued', 'running')`,
    [backtestId, state, reason, timestamptzText(at)],
  );
  return rowCount === 1;
}

type Progress = Pick<Backtest, 'backtest_id' | 'buckets' | 'of_bucket' | 'place' | 'tried' | 'skipped'>;

/** Stores the progress. @returns false if it has ended, or another process has advanced it */
export async function moveOn(db: Pool | ClientBase, before: Progress, after: Progress): Promise<boolean> {
  const { rowCount } = await db.query(
    `update campaign_backtest set state = 'running', buckets = $4, of_bucket = $5, place = $6, tried = $7, skipped = $8
      where backtest_id = $1 and buckets = $2 and place = $3 and state in ('queued', 'running')`,
    [
      before.backtest_id,
      before.buckets,
      before.place,
      after.buckets,
      after.of_bucket,
      after.place,
      after.tried,
      after.skipped,
    ],
  );
  return rowCount === 1;
}

interface EntryRow {
  player_id: number;
  backtest_id: number;
  number: number;
  at: Micros;
  step: string | null;
  what: string;
  outcome: string;
  reason: string | null;
  variant: string | null;
  channel: string | null;
  bonus_code: string | null;
  amount: string | null;
  currency: string | null;
}

const entryColumns = columnsOf<EntryRow>({
  player_id: 'bigint',
  backtest_id: 'int',
  number: 'int',
  at: 'timestamptz',
  step: 'text',
  what: 'text',
  outcome: 'text',
  reason: 'text',
  variant: 'text',
  channel: 'text',
  bonus_code: 'text',
  amount: 'numeric',
  currency: 'text',
});

/** Stores what the campaign would have done with a player; nothing if the player was erased in the meantime. */
export async function insertEntries(
  tx: ClientBase,
  { backtest_id, document }: Pick<Backtest, 'backtest_id' | 'document'>,
  playerId: number,
  timeline: readonly TimelineEntry[],
): Promise<void> {
  const funds = new Map(
    allSteps(document.steps).flatMap((step) => ('credit_funds' in step ? [[step.id, step.credit_funds] as const] : [])),
  );
  const rows = timeline.map((entry, number): EntryRow => {
    const money = entry.step === null || entry.outcome !== 'credited' ? undefined : funds.get(entry.step);
    const { at, step, what, outcome, reason, variant, channel, bonus_code } = entry;
    const { amount = null, currency = null } = money ?? {};
    return {
      player_id: playerId,
      backtest_id,
      number,
      at,
      step,
      what,
      outcome,
      reason,
      variant,
      channel,
      bonus_code,
      amount,
      currency,
    };
  });
  await tx.query(
    `insert into campaign_backtest_entry (${entryColumns.names}) select ${entryColumns.stored('e')} from ${entryColumns.given('e')}
      where exists (select from player p where p.player_id = e.player_id and p.erased_at is null)
     on conflict do nothing`,
    entryColumns.values(rows),
  );
}
