import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { intentsOf } from '../../actions/index.ts';
import { type ListedRun, readCampaigns, readStepRecords, runsCausedBy } from '../../campaigns/index.ts';
import { messagesElsewhereOf, notificationsOf } from '../../channels/index.ts';
import { positionName } from '../../derive/index.ts';
import { decisionsOfCauses } from '../../gate/index.ts';
import type { LedgerPosition } from '../../ledger/index.ts';
import type { LookUp } from '../../operator/judging/index.ts';
import {
  type ListedTransition,
  readTagChanges,
  segmentTransitions,
  type TagChange,
} from '../../segments/membership/index.ts';
import { RowLimit } from '../paging/row-limit.ts';
import { readLookUpEffects } from './look-up-effects.ts';
import type { TimelinePlayer } from './read-timeline.ts';
import {
  type ChangeItem,
  type DecisionItem,
  decisionItem,
  elsewhereItem,
  endItem,
  entryItem,
  type IntentItem,
  intentItem,
  type MessageItem,
  messageItem,
  type RefreshItem,
  type RunItem,
  type SegmentItem,
  segmentItem,
  type TagItem,
  type TransitionItem,
  tagItem,
} from './timeline.ts';

/*
 * The effects of an event are found by the causes that their rows store. So all effects are found, even if the event is old or
 * much else happened to its player. Causes form chains: the event changes a segment, the segment starts a run of a campaign, and
 * the steps of the run set a tag, send a message and order a bonus, the last two after a decision. A tag, a message or an offer can
 * change a segment again.
 *
 * Look-ups at the operator store no event as their cause, so what follows from them is found in another way (look-up-effects.ts). From
 * there on, the chains are the same.
 */

/** A step that a run reached. */
export interface StepItem {
  type: 'step';
  at: Micros;
  run_id: number;
  /** Code of the campaign. */
  campaign: string;
  step: string;
  state: string;
  reason: string | null;
}

export type EffectItem =
  | RefreshItem
  | ChangeItem
  | TransitionItem
  | SegmentItem
  | RunItem
  | StepItem
  | DecisionItem
  | MessageItem
  | IntentItem
  | TagItem;

/** The clocks of two machines may differ by up to this many microseconds, so an effect may seem to be earlier than its event. */
const clockDifference = 3_600_000_000;

/**
 * One event normally causes a few rows of each kind, one for each segment or campaign. These limits of each read and of the length of a
 * chain protect the database. The answer says whether they left something out.
 */
const mostRows = 500;
const mostRounds = 10;

type CauseOfRow = Readonly<Record<string, unknown>>;

export interface Effects {
  items: EffectItem[];
  /** Whether effects may be missing, because there were more than the limits allow. */
  isCut: boolean;
}

/**
 * Everything that an event caused for its player, the earliest first. At equal times, a cause is before its effects.
 * @param event.lookUps the look-ups that the event requested
 */
export async function readEffects(
  pool: Pool,
  player: TimelinePlayer,
  event: { position: LedgerPosition; received_at: Micros; lookUps: readonly LookUp[] },
): Promise<Effects> {
  const limit = new RowLimit(mostRows);
  const since = event.received_at - clockDifference;
  const codes = new Map((await readCampaigns(pool, player.brandId)).map((one) => [one.campaign_id, one.code]));
  const found: Found = {
    transitions: new Map(),
    runs: new Map(),
    steps: [],
    tags: new Map(),
    messages: new Set(),
    intents: new Set(),
  };
  const { playerId } = player;
  const ofLookUps = await readLookUpEffects(pool, playerId, {
    lookUps: event.lookUps,
    since: event.received_at,
    limit,
  });
  let news: CauseOfRow[] = [{ type: 'event', id: positionName(event.position) }];
  let segments: readonly ListedTransition[] = ofLookUps.segments;
  for (let round = 0; round < mostRounds && news.length > 0; round++) {
    news = await follow(pool, player, { codes, since, news, segments, limit }, found);
    segments = [];
  }
  const messageIds = [...found.messages];
  const intentIds = [...found.intents];
  const runs = [...found.runs.values()];
  const decided = [
    ...found.steps.map(({ run_id, step }) => ({ kind: 'run' as const, id: `${run_id}/${step}` })),
    ...messageIds.map((id) => ({ kind: 'message' as const, id: String(id) })),
    ...intentIds.map((id) => ({ kind: 'intent' as const, id })),
  ];
  const decisions = limit.keep(await decisionsOfCauses(pool, player, decided, limit.requested));
  const ended = new Map([...runs.filter(hasEnded), ...ofLookUps.runs].map((run) => [run.run_id, run]));
  const messages = [
    ...(await notificationsOf(pool, playerId, messageIds)).map(messageItem),
    ...(await messagesElsewhereOf(pool, playerId, messageIds)).map(elsewhereItem),
    ...ofLookUps.messages.filter(({ message_id }) => !found.messages.has(message_id)),
  ];
  const intents = [
    ...(await intentsOf(pool, playerId, intentIds)).map(intentItem),
    ...ofLookUps.intents.filter(({ intent_id }) => !found.intents.has(intent_id)),
  ];
  const items: EffectItem[] = [
    ...ofLookUps.refreshes,
    ...ofLookUps.changes,
    ...ofLookUps.protections,
    ...[...found.transitions.values()].map(segmentItem),
    ...runs.map((run) => entryItem(run, codes.get(run.campaign_id) ?? '')),
    ...found.steps,
    ...decisions.map(decisionItem),
    ...messages,
    ...intents,
    ...[...found.tags.values()].map(tagItem),
    ...[...ended.values()].map((run) => endItem(run, codes.get(run.campaign_id) ?? '')),
  ];
  // The sort is stable: items with the same time stay in the order above.
  return { items: items.toSorted((a, b) => a.at - b.at), isCut: limit.isExceeded || news.length > 0 };
}

interface Found {
  transitions: Map<number, ListedTransition>;
  runs: Map<number, ListedRun>;
  steps: StepItem[];
  tags: Map<number, TagChange>;
  messages: Set<number>;
  intents: Set<string>;
}

interface Causes {
  /** Codes of the brand's campaigns. */
  codes: ReadonlyMap<number, string>;
  since: Micros;
  news: readonly CauseOfRow[];
  /** Transitions of segments that were found by the look-ups (look-up-effects.ts). */
  segments: readonly ListedTransition[];
  limit: RowLimit;
}

/** Finds what these causes led to, and adds it to `found`. @returns the new causes */
async function follow(
  pool: Pool,
  { playerId }: TimelinePlayer,
  { codes, since, news, segments, limit }: Causes,
  found: Found,
): Promise<CauseOfRow[]> {
  const options = { since, limit: limit.requested };
  const caused = limit.keep(await segmentTransitions.causedBy(pool, playerId, news, options));
  const transitions = [...segments, ...caused].filter(({ transition_id }) => !found.transitions.has(transition_id));
  for (const one of transitions) found.transitions.set(one.transition_id, one);
  const starts = [
    ...news.filter(({ type }) => type === 'event'),
    ...transitions.map(({ transition_id }) => ({ type: 'segment', id: String(transition_id) })),
  ];
  const runs = starts.length === 0 ? [] : limit.keep(await runsCausedBy(pool, playerId, starts, options));
  for (const run of runs) found.runs.set(run.run_id, run);
  const runIds = runs.map(({ run_id }) => run_id);
  const effects = limit.keep(await readStepRecords(pool, runIds, limit.requested));
  const messages = effects.flatMap(({ effect }) => effect?.message_id ?? []);
  const intents = effects.flatMap(({ effect }) => effect?.intent_id ?? []);
  const steps = effects.map(({ run_id, step, state, at, reason }): StepItem => {
    const campaign = codes.get(found.runs.get(run_id)?.campaign_id ?? 0) ?? '';
    return { type: 'step', at, run_id, campaign, step, state, reason };
  });
  found.steps.push(...steps);
  const tags = (await tagsOf(pool, playerId, steps, limit)).filter(({ change_id }) => !found.tags.has(change_id));
  for (const tag of tags) found.tags.set(tag.change_id, tag);
  for (const id of messages) found.messages.add(id);
  for (const id of intents) found.intents.add(id);
  return [
    // The rule of another segment may refer to this segment. The transition of that segment stores the code of this segment, and
    // the time of the first cause.
    ...transitions.map(({ code, cause }) => ({ type: 'segment', code, at: cause.at })),
    ...tags.map(({ tag, changed_by, at }) => ({ type: 'tag', tag, by: changed_by, at })),
    ...messages.map((id) => ({ type: 'message', id: String(id) })),
    ...intents.map((id) => ({ type: 'offer', id })),
  ];
}

const hasEnded = ({ state }: ListedRun) => state !== 'active' && state !== 'waiting' && state !== 'held';

/** Changes of tags by these steps. A change has the time of its step, because one transaction writes both. */
async function tagsOf(pool: Pool, playerId: number, steps: readonly StepItem[], limit: RowLimit): Promise<TagChange[]> {
  if (steps.length === 0) return [];
  const times = steps.map(({ at }) => at);
  const span = { from: Math.min(...times), to: Math.max(...times), limit: limit.requested };
  const bySteps = new Set(steps.map(({ campaign, at }) => `campaign ${campaign} ${at}`));
  const changes = limit.keep(await readTagChanges(pool, playerId, span));
  return changes.filter(({ changed_by, at }) => bySteps.has(`${changed_by} ${at}`));
}
