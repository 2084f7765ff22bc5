import type { Effect } from '@croupier/campaigns';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { createIntents } from '../../actions/index.ts';
import type { Brand } from '../../brands/index.ts';
import {
  type MadeMessage,
  type OrderDeps,
  orderMessage,
  preparedWords,
  type SiteSignal,
  sendAll,
  UnfitNotification,
} from '../../channels/index.ts';
import { tagPlayer } from '../../segments/membership/index.ts';
import type { RunnableVersion } from '../documents/active-store.ts';
import { effectKey, offersOf } from './offers.ts';
import type { RunRow, StoredEffect } from './store.ts';

/** The result of an effect. `withheld`: why the channel could not take it. */
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
 * Orders what a step asks for, in the transaction of the run's move, under a key made of run and step. So the order is made
 * once, or the run has not moved.
 *
 * @throws the error of the channel or intent about a wrong order: the run fails with it
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
  const request_key = effectKey(run_id, effect.step);
  const created_by = `campaign ${code}`;
  switch (effect.kind) {
    case 'send':
    case 'webhook':
    case 'call_list': {
      const offer = (await offersOf(tx, version, effect.step, [run])).get(run_id);
      return performedBy(
        effect,
        await orderMessage(tx, deps, orderOf(effect, { brand, user_id, run, version }, offer)),
      );
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
      if (intent === undefined) throw new Error('no intent was created');
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

type MessageEffect = Extract<Effect, { kind: 'send' | 'webhook' | 'call_list' }>;

export function isMessage(effect: Effect): effect is MessageEffect {
  return effect.kind === 'send' || effect.kind === 'webhook' || effect.kind === 'call_list';
}

/**
 * Orders one message of one step for many players: the template is read once, and the channel asks the gate once.
 *
 * @returns results in the order of the players; null if a message cannot be sent together with others and must be ordered by
 * itself, which gives the reason
 * @throws on any other error: nothing was ordered
 */
export async function performTogether(
  tx: PoolClient,
  deps: OrderDeps,
  effect: MessageEffect,
  all: readonly Omit<EffectOf, 'at'>[],
): Promise<(Performed | null)[]> {
  const [first] = all;
  if (first === undefined) return [];
  const { brand, channel, purpose, says } = orderOf(effect, first);
  const ids = all.map(({ run }) => run.player_id);
  const runs = all.map(({ run }) => run);
  const offers = await offersOf(tx, first.version, effect.step, runs);
  const wordsFor = await preparedWords(tx, deps, { brand, channel, purpose, says }, ids);
  const messages = [];
  for (const [place, of] of all.entries()) {
    const { player, says: own, brand: _, channel: __, ...terms } = orderOf(effect, of, offers.get(of.run.run_id));
    const said = await wordsFor(player, own.variables).catch((error: unknown) => {
      if (!(error instanceof UnfitNotification)) throw error;
    });
    if (said !== undefined)
      messages.push({ place, said, terms: { ...terms, brand_id: brand.brand_id, player_id: player.player_id } });
  }
  const performed: (Performed | null)[] = all.map(() => null);
  const [one] = messages;
  if (one === undefined) return performed;
  const made = await sendAll(tx, deps, one.said.channel, messages);
  for (const [nth, { place }] of messages.entries()) performed[place] = performedBy(effect, made[nth] as MadeMessage);
  return performed;
}

function orderOf(
  effect: MessageEffect,
  { brand, user_id, run, version }: Omit<EffectOf, 'at'>,
  offer: Readonly<Record<string, unknown>> = {},
) {
  const { code } = version;
  const { cause, player_id, run_id } = run;
  const event = cause.type === 'event' ? eventVariables(cause.row) : cause.type === 'api' ? cause.data : {};
  const campaign = { code, name: version.document.name, step: effect.step };
  return {
    brand,
    player: { player_id, user_id },
    channel: effect.channel,
    purpose: effect.purpose,
    says: { template: effect.template, variables: { event, campaign, offer } },
    campaign_id: code,
    request_key: effectKey(run_id, effect.step),
    created_by: `campaign ${code}`,
    expires_at: null,
  };
}

function performedBy({ channel }: MessageEffect, made: MadeMessage): Performed {
  const { message_id, decision_id, state, reason, signals } = made;
  const effect = { kind: 'message', channel, message_id, decision_id };
  return { effect, withheld: state === 'withheld' ? (reason ?? 'withheld') : null, signals };
}

/** `data.prize` is available as event.data.prize. */
function eventVariables(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const [head = '', ...rest] = name.split('.');
    if (rest.length === 0) variables[name] = value;
    else variables[head] = { ...(variables[head] as object | undefined), [rest.join('.')]: value };
  }
  return variables;
}
