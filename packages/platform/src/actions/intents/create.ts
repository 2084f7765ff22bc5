import { createHash } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import { canonicalJson } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { WordedError } from '../../language.ts';
import type { IntentState } from '../intent.ts';
import type { NewIntent } from './intent.ts';
import { newIntentId } from './intent-id.ts';
import { type IntentRow, insertIntents, selectRequested } from './intent-store.ts';
import { beginning } from './machine.ts';

export interface CreatedIntent {
  intent_id: string;
  state: IntentState;
  /** True if the request was made before; then this is the intent of the first request. */
  repeated: boolean;
}

/** The request_key was used before with a different request, so one of the two requests is a mistake of the caller. */
export class RequestKeyReused extends WordedError {
  override name = 'RequestKeyReused';
}

/**
 * Writes intents, in the caller's transaction. It makes no calls: the runner finds the rows.
 *
 * @returns one entry per requested intent, in the order of the requests
 * @throws {RequestKeyReused}
 */
export async function createIntents(
  tx: PoolClient,
  intents: readonly NewIntent[],
  at: Micros,
): Promise<CreatedIntent[]> {
  const rows = intents.map((intent) => rowOf(intent, at));
  const inserted = new Set(await insertIntents(tx, rows));
  const repeated = rows.flatMap(({ intent: { intent_id, player_id }, request_key }) =>
    inserted.has(intent_id) || request_key === null ? [] : [{ player_id, request_key }],
  );
  const requested = repeated.length === 0 ? [] : await selectRequested(tx, repeated);
  return rows.map(({ intent: { intent_id, player_id }, request_key, request_digest, begins }) => {
    if (inserted.has(intent_id)) return { intent_id, state: begins.to.state, repeated: false };
    const known = requested.find((each) => each.player_id === player_id && each.request_key === request_key);
    if (known === undefined) throw new Error(`intent ${intent_id} was not stored`);
    if (known.request_digest !== request_digest) {
      throw new RequestKeyReused({
        en: `the key belongs to the intent ${known.intent_id}, which has a different body`,
        de: `Der Schlüssel gehört zum Bonus ${known.intent_id}, der einen anderen Inhalt hat`,
      });
    }
    return { intent_id: known.intent_id, state: known.state, repeated: true };
  });
}

function rowOf(asked: NewIntent, at: Micros): IntentRow {
  const { request_key = null, offer = false, amount = null, currency = null, ...rest } = asked;
  const terms = { offered: offer, expires_at: asked.expires_at ?? null };
  return {
    intent: {
      intent_id: newIntentId(at, rest.player_id),
      brand_id: rest.brand_id,
      player_id: rest.player_id,
      kind: amount === null ? 'bonus' : 'funds',
      bonus_code: rest.bonus_code,
      amount,
      currency,
      extra: rest.extra ?? {},
      activity_id: rest.activity_id ?? null,
      action_id: rest.action_id ?? null,
      action_group_id: rest.action_group_id ?? null,
      trigger_hash: rest.trigger_hash ?? null,
      note: rest.note ?? null,
      created_at: at,
      created_by: rest.created_by,
      ...terms,
    },
    request_key,
    request_digest: request_key === null ? null : digestOf(asked),
    begins: beginning(terms, at),
  };
}

/** The digest does not include the author, because another person may repeat the request. */
function digestOf({ created_by: _, ...asked }: NewIntent): string {
  return createHash('sha256').update(canonicalJson(asked)).digest('base64url');
}
