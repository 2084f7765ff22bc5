import type { Effect } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { createIntents } from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import { type OrderDeps, orderMessage, type SiteSignal } from '../../channels/index.ts';
import { tagPlayer } from '../../segments/membership/index.ts';
import type { RunnableVersion } from '../documents/active-store.ts';
import type { RunRow, StoredEffect } from './store.ts';

/** What an effect made. `withheld`: the channel could not take it, and why. */
export interface Performed {
  effect: StoredEffect;
  withheld: string | null;
  signals: readonly SiteSignal[];
}

export interface EffectOf {
  brand: Brand;
  user_id: string;
  run: RunRow;
  version: RunnableVersion;
  at: Micros;
}

/**
 * Orders what a step asks for, in the transaction of the run's move, under a key of its own: run and step. So it is made once, or the run has
 * not moved.
 *
 * @throws what the channel or the intent says of a wrong order: the run fails with it
 */
export async function perform(
  tx: PoolClient,
  deps: OrderDeps,
  effect: Effect,
  { brand, user_id, run, version, at }: EffectOf,
): Promise<Performed> {
  const { brand_id } = brand;
  const { player_id, run_id } = run;
  const { code } = version;
  const request_key = `campaign ${run_id} ${effect.step}`;
  const created_by = `campaign ${code}`;
  switch (effect.kind) {
    case 'send':
    case 'webhook':
    case 'call_list': {
      const variables = {
        event:
          run.cause.type === 'event' ? eventVariables(run.cause.row) : run.cause.type === 'api' ? run.cause.data : {},
        campaign: { code, name: version.document.name, step: effect.step },
      };
      const made = await orderMessage(tx, deps, {
        brand,
        player: { player_id, user_id },
        channel: effect.channel,
        purpose: effect.purpose,
        says: { template: effect.template, variables },
        campaign_id: code,
        request_key,
        created_by,
        expires_at: null,
      });
      const { message_id, decision_id, state, reason, signals } = made;
      const stored = { kind: 'message', channel: effect.channel, message_id, decision_id };
      return { effect: stored, withheld: state === 'withheld' ? (reason ?? 'withheld') : null, signals };
    }
    case 'credit':
    case 'credit_funds':
    case 'offer': {
      const [intent] = await createIntents(
        tx,
        [
          {
            brand_id,
            player_id,
            bonus_code: effect.bonus_code,
            amount: effect.kind === 'credit_funds' ? effect.amount : null,
            currency: effect.kind === 'credit_funds' ? effect.currency : null,
            offer: effect.kind === 'offer',
            expires_at: effect.kind === 'offer' ? (effect.expires_at ?? null) : null,
            activity_id: code,
            action_id: effect.step,
            action_group_id: String(version.version),
            trigger_hash: String(run_id),
            created_by,
            request_key,
          },
        ],
        at,
      );
      if (intent === undefined) throw new Error('no intent was made');
      return { effect: { kind: effect.kind, intent_id: intent.intent_id }, withheld: null, signals: [] };
    }
    case 'tag':
    case 'untag': {
      const action = effect.kind === 'tag' ? 'add' : 'remove';
      await tagPlayer(tx, { player_id, brand_id, tag: effect.tag, action }, { at, actor: created_by });
      return { effect: { kind: effect.kind }, withheld: null, signals: [] };
    }
    default:
      return effect satisfies never;
  }
}

/** `data.prize` is read as event.data.prize. */
function eventVariables(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const [head = '', ...rest] = name.split('.');
    if (rest.length === 0) variables[name] = value;
    else variables[head] = { ...(variables[head] as object | undefined), [rest.join('.')]: value };
  }
  return variables;
}
