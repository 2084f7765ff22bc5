import type { Console } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import { addedSteps, type CampaignCode, campaigns, documentOf } from './campaign-documents.ts';

/** A change of a campaign through the console API. Times are milliseconds since the epoch. */
export interface CampaignChange {
  /** Before the first call. */
  requested_at: number;
  /** When the API showed the change. */
  acknowledged_at: number;
}

/** A killed api process is restarted within 5 s; on a shared machine it takes 20 s to be ready. */
const limitMs = 180_000;

/** Kills and calls that fail may delay the runs of a campaign by this much. */
const runLimitMs = 30_000;

/**
 * Waits until the campaign has a run in this state, so that the next change meets one. If there is none after 30 s, the change happens
 * anyway, and the counts of the scenario show that it met no run.
 */
export async function awaitRun(
  console: Console,
  code: CampaignCode,
  { state, reason, signal }: { state: 'waiting' | 'held'; reason?: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const isThere = async () =>
    (await console.list<{ reason: string | null }>(`campaigns/${code}/runs?state=${state}`)).some(
      (run) => reason === undefined || run.reason === reason,
    );
  await until(`a ${state} run of the campaign ${code}`, () => isThere().catch(() => false), {
    limitMs: runLimitMs,
    everyMs: 100,
    signal,
  }).catch(() => signal?.throwIfAborted());
}

/** Repeats the call until the campaign has the new state. A repeated call is refused (409) if the state has changed already. */
export async function changeState(
  console: Console,
  code: CampaignCode,
  { action, to, signal }: { action: 'pause' | 'resume' | 'stop'; to: string; signal?: AbortSignal | undefined },
): Promise<CampaignChange> {
  const hasChanged = async () => {
    await console.post(`campaigns/${code}/${action}`, {}).catch(() => {});
    return (await console.get<{ state: string }>(`campaigns/${code}`))?.state === to;
  };
  return await insist(`the campaign ${code} to be ${to}`, hasChanged, signal);
}

/** Publishes the second version of the campaign `grown`, to which its runs move. */
export async function growCampaign(console: Console, signal: AbortSignal | undefined): Promise<CampaignChange> {
  const document = documentOf('grown', [...campaigns.grown.steps, ...addedSteps]);
  const isPublished = async () => {
    const { version, draft } = (await console.get<{ version: number; draft: unknown }>('campaigns/grown')) ?? {};
    if (version === 2) return true;
    if (draft === null) await console.put('campaigns/grown', document);
    await console.post('campaigns/grown/publish', { move_runs: true });
    return false;
  };
  return await insist('the second version of the campaign grown', isPublished, signal);
}

async function insist(
  what: string,
  isDone: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<CampaignChange> {
  const requested_at = Date.now();
  await until(what, isDone, { limitMs, everyMs: 100, signal });
  return { requested_at, acknowledged_at: Date.now() };
}
