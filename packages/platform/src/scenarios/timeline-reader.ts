import { allSteps, type Campaign, type Step, stepKinds } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import type { Outcome } from './scenario.ts';
import type { TimelineEntry } from './timeline.ts';

interface RunRow {
  run_id: number;
  code: string;
  version: number;
  document: Campaign;
  state: string;
  reason: string | null;
  entered_at: Micros;
  moved_at: Micros;
  due_at: Micros | null;
}

interface StepRow {
  story_id: number;
  run_id: number;
  step: string;
  state: string;
  at: Micros;
  reason: string | null;
  variant: string | null;
  channel: string | null;
  bonus_code: string | null;
  rendered: string | null;
}

/** Reads the runs of one player repeatedly: each call returns what happened since the last one. */
export class TimelineReader {
  readonly #pool: Pool;
  readonly #playerId: number;
  readonly #runId: number | undefined;
  readonly #seen = new Map<number, string>();
  readonly #reported = new Set<number>();
  readonly #halted = new Set<string>();
  readonly #ends = new Map<number, TimelineEntry>();
  /**
   * The earlier end entries of runs that were done and reached their goal later. A count of runs by their final state leaves these
   * entries out, so that each run counts once.
   */
  readonly superseded = new Set<TimelineEntry>();

  /** @param of if run_id is omitted: all runs of the player, and campaigns that halt */
  constructor(of: { pool: Pool; playerId: number; run_id?: number }) {
    this.#pool = of.pool;
    this.#playerId = of.playerId;
    this.#runId = of.run_id;
  }

  async next(at: Micros, brandId: number): Promise<TimelineEntry[]> {
    const isOwn = ({ run_id }: { run_id: number }) => this.#runId === undefined || run_id === this.#runId;
    const runs = (await readRuns(this.#pool, this.#playerId)).filter(isOwn);
    const rows = await readSteps(this.#pool, this.#playerId);
    const entries: TimelineEntry[] = [];
    for (const run of runs) {
      if (!this.#seen.has(run.run_id)) entries.push(ofRun(run, run.entered_at, 'entered', null));
      for (const row of rows) {
        if (row.run_id !== run.run_id || this.#reported.has(row.story_id)) continue;
        this.#reported.add(row.story_id);
        const isLast = row === rows.findLast(({ run_id }) => run_id === run.run_id);
        const until = isLast && (row.state === 'waiting' || row.state === 'held') ? run.due_at : null;
        entries.push({ ...ofStep(run, row), until });
      }
      if (this.#seen.get(run.run_id) !== run.state && isEnd(run.state)) {
        const before = this.#ends.get(run.run_id);
        if (before !== undefined) this.superseded.add(before);
        const end = ofRun(run, run.moved_at, run.state, run.reason);
        this.#ends.set(run.run_id, end);
        entries.push(end);
      }
      this.#seen.set(run.run_id, run.state);
    }
    if (this.#runId !== undefined) return entries;
    for (const { code, reason } of await readHalted(this.#pool, brandId)) {
      if (this.#halted.has(code)) continue;
      this.#halted.add(code);
      entries.push({ ...nothing, at, campaign: code, version: 0, what: 'campaign', outcome: 'halted', reason });
    }
    return entries;
  }
}

const nothing = {
  step: null,
  reason: null,
  variant: null,
  channel: null,
  template: null,
  bonus_code: null,
  until: null,
  rendered: null,
};

function ofRun(
  { code: campaign, version }: RunRow,
  at: Micros,
  outcome: Outcome,
  reason: string | null,
): TimelineEntry {
  return { ...nothing, at, campaign, version, what: 'run', outcome, reason };
}

function isEnd(state: string): state is 'done' | 'goal_reached' | 'exited' | 'failed' {
  return ['done', 'goal_reached', 'exited', 'failed'].includes(state);
}

function ofStep(
  run: RunRow,
  { at, step: id, state, reason, variant, channel, bonus_code, rendered }: StepRow,
): TimelineEntry {
  const step = allSteps(run.document.steps).find((one) => one.id === id);
  const kind = step === undefined ? undefined : stepKinds.find((one) => one in step);
  return {
    at,
    campaign: run.code,
    version: run.version,
    step: id,
    what: kind ?? 'step',
    outcome: outcomeOf(state, kind),
    reason,
    variant,
    channel,
    template: step === undefined ? null : templateOf(step),
    bonus_code,
    until: null,
    rendered,
  };
}

function templateOf(step: Step): string | null {
  if ('send' in step) return step.send.template;
  if ('webhook' in step) return step.webhook.template;
  return 'call_list' in step ? step.call_list.template : null;
}

function outcomeOf(state: string, kind: (typeof stepKinds)[number] | undefined): Outcome {
  if (state !== 'done') return state as Outcome;
  switch (kind) {
    case 'send':
    case 'webhook':
      return 'sent';
    case 'call_list':
      return 'listed';
    case 'credit':
    case 'credit_funds':
      return 'credited';
    case 'offer':
      return 'offered';
    case 'tag':
      return 'tagged';
    case 'untag':
      return 'untagged';
    case 'wait':
      return 'went_on';
    case 'split':
      return 'chose';
    case 'branch':
    case 'exit':
    case undefined:
      return 'branched';
    default:
      return kind satisfies never;
  }
}

/** Runs are stored in a cell and campaigns in the control database, so no statement reads both. */
async function readRuns(pool: Pool, playerId: number): Promise<RunRow[]> {
  const { rows: runs } = await pool.query<Omit<RunRow, 'code' | 'version' | 'document'> & { version_id: number }>(
    `select run_id, version_id, state, reason, entered_at, moved_at, due_at from campaign_run where player_id = $1 order by number`,
    [playerId],
  );
  const { rows: versions } = await pool.query<Pick<RunRow, 'code' | 'version' | 'document'> & { version_id: number }>(
    `select v.version_id, c.code, v.version, v.document from campaign_version v join campaign c using (campaign_id)
      where v.version_id = any($1::int[])`,
    [runs.map(({ version_id }) => version_id)],
  );
  const versionOf = new Map(versions.map(({ version_id, ...version }) => [version_id, version]));
  return runs.flatMap(({ version_id, ...run }) => {
    const version = versionOf.get(version_id);
    return version === undefined ? [] : [{ ...run, ...version }];
  });
}

async function readSteps(pool: Pool, playerId: number): Promise<StepRow[]> {
  const { rows } = await pool.query<StepRow>(
    `select s.story_id, s.run_id, s.step, s.state, s.at, s.reason, s.variant, coalesce(s.effect ->> 'channel', null) as channel,
            i.bonus_code,
            coalesce(n.title || ': ' || n.message, e.subject || ': ' || e.plain, c.content::text, l.note) as rendered
       from campaign_run_step s
       left join bonus_intent i on i.intent_id::text = s.effect ->> 'intent_id'
       left join notification n on n.message_id = (s.effect ->> 'message_id')::bigint
       left join email_message e on e.message_id = (s.effect ->> 'message_id')::bigint
       left join called_message c on c.message_id = (s.effect ->> 'message_id')::bigint
       left join list_entry l on l.message_id = (s.effect ->> 'message_id')::bigint
      where s.player_id = $1 order by s.number`,
    [playerId],
  );
  return rows;
}

/** The last message that the player got at a step, as a report names it. */
export async function lastMessageAt(
  pool: Pool,
  playerId: number,
  step: string,
): Promise<{ channel: string; message_id: string } | null> {
  const { rows } = await pool.query<{ channel: string; message_id: string }>(
    `select effect ->> 'channel' as channel, effect ->> 'message_id' as message_id from campaign_run_step
      where player_id = $1 and step = $2 and state = 'done' and effect ->> 'kind' = 'message' order by number desc limit 1`,
    [playerId, step],
  );
  return rows[0] ?? null;
}

async function readHalted(pool: Pool, brandId: number): Promise<{ code: string; reason: string | null }[]> {
  const { rows } = await pool.query<{ code: string; reason: string | null }>(
    'select code, reason from campaign where brand_id = $1 and halted_at is not null order by code',
    [brandId],
  );
  return rows;
}
