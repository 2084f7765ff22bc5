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
  readForWords,
  type SiteSignal,
  sendAll,
  UnfitNotification,
  type WordsReading,
} from '../../channels/index.ts';
import { awaitAll } from '../../database/index.ts';
import { tagPlayers } from '../../segments/membership/index.ts';
import type { RunnableVersion } from '../documents/active-store.ts';
import { effectKey, offersOf } from './offers.ts';
import type { RunRow, StoredEffect } from './store.ts';

/** The result of an effect. `withheld` states why the channel could not accept the effect. */
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
}

/** An effect of a run that has to be ordered. */
export interface Ordered {
  effect: Effect;
  of: EffectOf;
  /** The decision of this transaction that allows it. */
  allowed_by?: number | undefined;
}

/**
 * Orders the effect of a step in the transaction that moves the run. The key of the order consists of the run and the step, so an
 * effect is ordered exactly once for each move.
 *
 * @throws the error of the channel or intent about a wrong order: the run fails with it
 */
export async function perform(tx: PoolClient, deps: OrderDeps, ordered: Ordered, at: Micros): Promise<Performed> {
  const { effect, of, allowed_by } = ordered;
  if (isMessage(effect)) {
    const offer = (await offersOf(tx, of.version, effect.step, [of.run])).get(of.run.run_id);
    return performedBy(effect, await orderMessage(tx, deps, orderOf({ effect, of, allowed_by }, offer)));
  }
  const performed = (await performTogether(tx, deps, [ordered], at)).get(effect);
  if (performed === undefined) throw new Error('an effect was not ordered');
  return performed;
}

/**
 * Orders effects of many runs of one brand: each template is read once, and all messages of a channel are created together.
 *
 * @returns results by effect. An effect is missing if it cannot be ordered together with others and must be ordered by itself,
 * which gives the reason
 * @throws on any other error: nothing was ordered
 */
export async function performTogether(
  tx: PoolClient,
  deps: OrderDeps,
  all: readonly Ordered[],
  at: Micros,
): Promise<Map<Effect, Performed>> {
  const messages: OrderedMessage[] = [];
  const bonuses: { effect: BonusEffect; of: EffectOf }[] = [];
  const tags: { effect: TagEffect; of: EffectOf }[] = [];
  for (const { effect, of, allowed_by } of all) {
    if (isMessage(effect)) messages.push({ effect, of, allowed_by });
    else if (isTag(effect)) tags.push({ effect, of });
    else bonuses.push({ effect, of });
  }
  const channels = Map.groupBy(messages, ({ effect }) => effect.channel);
  const performed = await awaitAll([
    ...[...channels.values()].map((ofChannel) => performMessages(tx, deps, ofChannel)),
    performBonuses(tx, bonuses, at),
    performTags(tx, tags, at),
  ]);
  return new Map(performed.flat());
}

type BonusEffect = Extract<Effect, { kind: 'credit' | 'credit_funds' | 'offer' }>;

async function performBonuses(
  tx: PoolClient,
  all: readonly { effect: BonusEffect; of: EffectOf }[],
  at: Micros,
): Promise<[Effect, Performed][]> {
  if (all.length === 0) return [];
  const intents = await createIntents(
    tx,
    all.map(({ effect, of: { brand, run, version } }) => ({
      brand_id: brand.brand_id,
      player_id: run.player_id,
      bonus_code: effect.bonus_code,
      amount: effect.kind === 'credit_funds' ? effect.amount : null,
      currency: effect.kind === 'credit_funds' ? effect.currency : null,
      offer: effect.kind === 'offer',
      expires_at: effect.kind === 'offer' ? (effect.expires_at ?? null) : null,
      activity_id: version.code,
      action_id: effect.step,
      action_group_id: String(version.version),
      trigger_hash: String(run.run_id),
      created_by: authorOf(version),
      request_key: effectKey(run.run_id, effect.step),
    })),
    at,
  );
  return all.map(({ effect }, place) => {
    const intent = intents[place];
    if (intent === undefined) throw new Error('no intent was created');
    return [effect, { effect: { kind: effect.kind, intent_id: intent.intent_id }, withheld: null, signals: [] }];
  });
}

type TagEffect = Extract<Effect, { kind: 'tag' | 'untag' }>;

function isTag(effect: Effect): effect is TagEffect {
  return effect.kind === 'tag' || effect.kind === 'untag';
}

/** Makes only the first of several changes of one tag of one player. The others must be made after it, in their order. */
async function performTags(
  tx: PoolClient,
  all: readonly { effect: TagEffect; of: EffectOf }[],
  at: Micros,
): Promise<[Effect, Performed][]> {
  if (all.length === 0) return [];
  const tagged = ({ effect, of: { run } }: (typeof all)[number]) => `${run.player_id} ${effect.tag}`;
  const first = [...new Map(all.toReversed().map((one) => [tagged(one), one])).values()];
  await tagPlayers(
    tx,
    first.map(({ effect, of: { brand, run, version } }) => ({
      player_id: run.player_id,
      brand_id: brand.brand_id,
      tag: effect.tag,
      action: effect.kind === 'tag' ? ('add' as const) : ('remove' as const),
      actor: authorOf(version),
    })),
    at,
  );
  return first.map(({ effect }) => [effect, { effect: { kind: effect.kind }, withheld: null, signals: [] }]);
}

type MessageEffect = Extract<Effect, { kind: 'send' | 'webhook' | 'call_list' }>;

type OrderedMessage = Ordered & { effect: MessageEffect };

function isMessage(effect: Effect): effect is MessageEffect {
  return effect.kind === 'send' || effect.kind === 'webhook' || effect.kind === 'call_list';
}

/** Creates the messages of one channel. A message whose content cannot be composed or sent is left out. */
async function performMessages(
  tx: PoolClient,
  deps: OrderDeps,
  all: readonly OrderedMessage[],
): Promise<[Effect, Performed][]> {
  const [firstOrdered] = all;
  if (firstOrdered === undefined) return [];
  const reading = await readForWords(tx, firstOrdered.of.brand, {
    says: all.map(({ effect }) => ({ template: effect.template })),
    players: [...new Set(all.map(({ of }) => of.run.player_id))],
  });
  const steps = Map.groupBy(all, ({ effect, of }) => `${of.version.version_id} ${effect.step}`);
  const ofSteps = await awaitAll([...steps.values()].map((ofStep) => wordsOfStep(tx, deps, ofStep, reading)));
  const wordedOf = new Map(ofSteps.flat().map((message) => [message.effect, message]));
  // In the order in which the effects were given, so that a player receives them in this order.
  const worded = all.flatMap(({ effect }) => wordedOf.get(effect) ?? []);
  const [first] = worded;
  if (first === undefined) return [];
  const made = await sendAll(tx, deps, first.said.channel, worded);
  return worded.map(({ effect }, nth) => [effect, performedBy(effect, made[nth] as MadeMessage)]);
}

/** Composes the content of the messages of one step of one version. */
async function wordsOfStep(tx: PoolClient, deps: OrderDeps, ofStep: readonly OrderedMessage[], reading: WordsReading) {
  const [first] = ofStep;
  if (first === undefined) return [];
  const { brand, channel, purpose, says } = orderOf(first);
  const runs = ofStep.map(({ of }) => of.run);
  const wordsFor = preparedWords(tx, deps, { brand, channel, purpose, says }, reading);
  const offers = await offersOf(tx, first.of.version, first.effect.step, runs);
  const worded = [];
  for (const ordered of ofStep) {
    const { effect, of } = ordered;
    const { player, says: own, brand: _, channel: __, ...terms } = orderOf(ordered, offers.get(of.run.run_id));
    const said = await wordsFor(player, own.variables).catch((error: unknown) => {
      if (!(error instanceof UnfitNotification)) throw error;
    });
    if (said === undefined) continue;
    worded.push({ effect, said, terms: { ...terms, brand_id: brand.brand_id, player_id: player.player_id } });
  }
  return worded;
}

function orderOf(
  { effect, of: { brand, user_id, run, version }, allowed_by }: OrderedMessage,
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
    created_by: authorOf(version),
    expires_at: null,
    allowed_by,
  };
}

function authorOf({ code }: RunnableVersion): string {
  return `campaign ${code}`;
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
