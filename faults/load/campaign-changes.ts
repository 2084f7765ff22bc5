import type { Console } from '../installation/console.ts';
import { until } from '../installation/until.ts';
import type { CampaignCode } from './campaign-documents.ts';

/** A change of a campaign's state through the console API. Times are milliseconds since the epoch. */
export interface StateChange {
  /** Before the first call. */
  requested_at: number;
  /** When the API showed the new state. */
  acknowledged_at: number;
}

/** A killed api process is restarted within 5 s; on a shared machine it takes 20 s to be ready. */
const limitMs = 180_000;

/** Repeats the call until the campaign has the new state. A repeated call is refused (409) if the state has changed already. */
export async function changeState(
  console: Console,
  code: CampaignCode,
  { action, to, signal }: { action: 'pause' | 'resume' | 'stop'; to: string; signal?: AbortSignal | undefined },
): Promise<StateChange> {
  const requested_at = Date.now();
  const hasChanged = async () => {
    await console.post(`campaigns/${code}/${action}`, {}).catch(() => {});
    return (await console.get<{ state: string }>(`campaigns/${code}`))?.state === to;
  };
  await until(`the campaign ${code} to be ${to}`, hasChanged, { limitMs, everyMs: 100, signal });
  return { requested_at, acknowledged_at: Date.now() };
}
