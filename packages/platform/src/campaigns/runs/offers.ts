import { offersBefore } from '@croupier/campaigns';
import type { ClientBase } from 'pg';
import { type RequestedOffer, readIntentsByKey } from '../../actions/index.ts';
import { timestamptzText } from '../../database/index.ts';
import type { RunnableVersion } from '../documents/active-store.ts';
import type { RunRow } from './store.ts';

/** The key under which a step of a run orders its effect. */
export function effectKey(runId: number, step: string): string {
  return `campaign ${runId} ${step}`;
}

/**
 * The variable `offer` for the messages of one step: for each run, the last bonus that an earlier step gave. A withheld step gave
 * no bonus. If no earlier step can give a bonus, nothing is read.
 */
export async function offersOf(
  tx: ClientBase,
  { document }: Pick<RunnableVersion, 'document'>,
  step: string,
  runs: readonly Pick<RunRow, 'run_id' | 'player_id'>[],
): Promise<ReadonlyMap<number, Record<string, unknown>>> {
  const latestFirst = offersBefore(document, step).toReversed();
  const offers = new Map<number, Record<string, unknown>>();
  if (latestFirst.length === 0) return offers;
  const keys = runs.flatMap(({ run_id, player_id }) =>
    latestFirst.map(({ id }) => ({ player_id, request_key: effectKey(run_id, id) })),
  );
  const given = new Map((await readIntentsByKey(tx, keys)).map((intent) => [intent.request_key, intent]));
  for (const { run_id } of runs) {
    for (const own of latestFirst) {
      const intent = given.get(effectKey(run_id, own.id));
      if (intent === undefined) continue;
      const terms = 'offer' in own ? own.offer : 'credit' in own ? own.credit : own.credit_funds;
      const kind = 'offer' in own ? 'offer' : 'credit' in own ? 'credit' : 'credit_funds';
      offers.set(run_id, { ...variablesOf(intent), step: own.id, kind, wagering: terms.wagering ?? null });
      break;
    }
  }
  return offers;
}

function variablesOf({ intent_id, bonus_code, amount, currency, expires_at }: RequestedOffer) {
  const expiry = expires_at === null ? null : timestamptzText(expires_at).replace(' ', 'T');
  return { intent_id, bonus_code, amount, currency, expires_at: expiry };
}
