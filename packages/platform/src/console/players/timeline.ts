import type { EventKind, Flag, Micros } from '@croupier/contracts';
import type { ListedIntent } from '../../actions/index.ts';
import type { ListedRun } from '../../campaigns/index.ts';
import type { ListedNotification, MessageElsewhere, MessageState } from '../../channels/index.ts';
import type { TimePage } from '../../database/index.ts';
import type { JournalEntry, Verdict } from '../../derive/index.ts';
import type { ListedDecision } from '../../gate/index.ts';
import type { LookUp } from '../../operator/judging/index.ts';
import type { PlayerSync } from '../../operator/players/index.ts';
import type { ProtectionTransition } from '../../operator/protection/index.ts';
import type { WriteBackItem } from '../../operator/writeback/index.ts';
import type { ListedTransition, TagChange } from '../../segments/membership/index.ts';
import type { AuditRow } from '../audit/store.ts';
import { positionText } from '../feed/position.ts';

/** One item on a player's timeline. */
export type TimelineItem = EventItem | OtherItem;

/** Items that are not events. */
export type OtherItem =
  | RefreshItem
  | ChangeItem
  | TransitionItem
  | IntentItem
  | MessageItem
  | RunItem
  | SegmentItem
  | TagItem
  | DecisionItem
  | StaffItem;

export interface EventItem {
  type: 'event';
  at: Micros;
  kind: EventKind;
  position: string;
  received_at: Micros;
  verdict: Verdict;
  flags: readonly Flag[];
}

/** The latest good answer and the latest failure of each look-up; earlier ones are not stored. */
export interface RefreshItem {
  type: 'refresh';
  at: Micros;
  look_up: LookUp;
  outcome: 'succeeded' | 'failed';
  reason: string | null;
  detail: string | null;
}

/** A consent or block that was changed in the platform. `state` is the progress of writing it to the operator. */
export interface ChangeItem extends Pick<WriteBackItem, 'record' | 'wanted' | 'source' | 'state' | 'change_id'> {
  type: 'change';
  at: Micros;
  /** Email, Excluded, ... */
  changed: string;
}

/** The start or end of a protection. */
export interface TransitionItem extends Pick<ProtectionTransition, 'kind' | 'consent_type' | 'source'> {
  type: 'transition';
  at: Micros;
}

/** A bonus intent, at the time when it reached its current state. */
export interface IntentItem
  extends Pick<ListedIntent, 'intent_id' | 'bonus_code' | 'amount' | 'currency' | 'state' | 'reason' | 'created_by'> {
  type: 'bonus_intent';
  at: Micros;
}

/** A message of any channel, at the time when it reached its current state. */
export interface MessageItem extends Pick<ListedNotification, 'message_id' | 'purpose' | 'campaign_id' | 'reason'> {
  type: 'message';
  at: Micros;
  channel: ListedNotification['channel'] | MessageElsewhere['channel'];
  /** How the site shows it; null if it is not on the site. */
  event: ListedNotification['event'] | null;
  state: MessageState;
  /** Null if it is not on the site. */
  is_read: boolean | null;
}

type EndState = Exclude<ListedRun['state'], 'active' | 'waiting' | 'held'>;

/** The player entered a campaign, or a run ended. */
export interface RunItem extends Pick<ListedRun, 'run_id' | 'reason'> {
  type: 'run';
  at: Micros;
  campaign: string;
  /** `entered`, or how it ended. */
  state: 'entered' | EndState;
  cause: ListedRun['cause']['type'];
  /** The cause: the position of an event in the ledger, or the code of a segment. Null if the cause has no name. */
  cause_id: string | null;
}

/** The player entered or left a segment. */
export interface SegmentItem
  extends Pick<ListedTransition, 'transition_id' | 'code' | 'transition' | 'cause' | 'version' | 'silent'> {
  type: 'segment';
  at: Micros;
}

/** A tag that was added or removed. */
export interface TagItem extends Pick<TagChange, 'tag' | 'action' | 'at'> {
  type: 'tag';
  by: string;
}

/** The gate's decision on a contact. */
export interface DecisionItem
  extends Pick<ListedDecision, 'decision_id' | 'channel' | 'purpose' | 'outcome' | 'reason'> {
  type: 'decision';
  at: Micros;
  cause: { kind: string; id: string };
}

/** Actions of staff about this player. */
export interface StaffItem extends Pick<AuditRow, 'audit_id' | 'at' | 'actor' | 'action'> {
  type: 'staff';
}

export function decisionItem({ decided_at, cause_kind, cause_id, ...decision }: ListedDecision): DecisionItem {
  const { decision_id, channel, purpose, outcome, reason } = decision;
  const cause = { kind: cause_kind, id: cause_id };
  return { type: 'decision', at: decided_at, decision_id, channel, purpose, outcome, reason, cause };
}

export function staffItem({ audit_id, at, actor, action }: AuditRow): StaffItem {
  return { type: 'staff', at, audit_id, actor, action };
}

export function segmentItem({ user_id: _, ...transition }: ListedTransition): SegmentItem {
  return { type: 'segment', ...transition };
}

export function tagItem({ tag, action, at, changed_by }: TagChange): TagItem {
  return { type: 'tag', at, tag, action, by: changed_by };
}

export function messageItem(row: Omit<ListedNotification, 'user_id'>): MessageItem {
  const { message_id, event, channel, purpose, campaign_id, state, reason, state_since, read_at } = row;
  const is_read = read_at !== null;
  return { type: 'message', at: state_since, message_id, event, channel, purpose, campaign_id, state, reason, is_read };
}

export function elsewhereItem({ state_since, ...message }: MessageElsewhere): MessageItem {
  return { type: 'message', at: state_since, event: null, is_read: null, ...message };
}

/** The player entered a campaign. @param campaign its code */
export function entryItem({ run_id, entered_at, cause }: ListedRun, campaign: string): RunItem {
  return { type: 'run', at: entered_at, run_id, campaign, state: 'entered', reason: null, ...causeOf(cause) };
}

/** A run ended. @param campaign its code */
export function endItem({ run_id, state, reason, moved_at, cause }: ListedRun, campaign: string): RunItem {
  // Only runs that ended are listed by their end.
  return { type: 'run', at: moved_at, run_id, campaign, state: state as EndState, reason, ...causeOf(cause) };
}

const causeOf = (cause: ListedRun['cause']) => ({ cause: cause.type, cause_id: nameOfCause(cause) });

function nameOfCause(cause: ListedRun['cause']): string | null {
  switch (cause.type) {
    case 'event':
      return cause.id;
    case 'segment':
      return cause.code;
    case 'api':
    case 'schedule':
      return null;
  }
}

export function intentItem({
  state_since,
  intent_id,
  bonus_code,
  amount,
  currency,
  state,
  reason,
  created_by,
}: Omit<ListedIntent, 'user_id'>): IntentItem {
  return { type: 'bonus_intent', at: state_since, intent_id, bonus_code, amount, currency, state, reason, created_by };
}

export function transitionItem({ kind, consent_type, source, at }: Omit<TransitionItem, 'type'>): TransitionItem {
  return { type: 'transition', at, kind, consent_type, source };
}

export function changeItem({ record, type, wanted, source, state, change_id, changed_at }: WriteBackItem): ChangeItem {
  return { type: 'change', at: changed_at, record, changed: type, wanted, source, state, change_id };
}

export function eventItem(entry: JournalEntry): EventItem {
  const { received_at, kind, verdict, flags } = entry;
  // The journal sorts a player's events by their own time, so it is never null there.
  const at = entry.at ?? received_at;
  return { type: 'event', at, kind, position: positionText(entry.position), received_at, verdict, flags };
}

export function refreshItems({ look_ups }: PlayerSync): RefreshItem[] {
  return Object.entries(look_ups)
    .flatMap(([name, { as_of, last_error }]): RefreshItem[] => {
      const refresh = { type: 'refresh', look_up: name as LookUp } as const;
      return [
        ...(as_of === null
          ? []
          : [{ ...refresh, at: as_of, outcome: 'succeeded' as const, reason: null, detail: null }]),
        ...(last_error === null
          ? []
          : [
              {
                ...refresh,
                at: last_error.at,
                outcome: 'failed' as const,
                reason: last_error.reason,
                detail: last_error.detail,
              },
            ]),
      ];
    })
    .toSorted((a, b) => b.at - a.at);
}

/**
 * The lists that the timeline merges, newest entry first. Entries with the same time are in the order of these names, so that
 * an effect is above its cause.
 */
export const sources = [
  'ended_run',
  'message',
  'elsewhere',
  'bonus_intent',
  'decision',
  'run',
  'tag',
  'segment',
  'transition',
  'change',
  'refresh',
  'staff',
  'event',
] as const;
export type Source = (typeof sources)[number];

/** An item and its place. No two items of the timeline have the same place. */
export interface Placed {
  item: TimelineItem;
  source: Source;
  /** Unique in its source. A source sorts items with the same time by their keys. */
  key: number | string;
}

/** The place of the last item of a page. The next page starts below it. */
export interface Place extends Pick<Placed, 'source' | 'key'> {
  at: Micros;
}

interface Wanted {
  from?: Micros | undefined;
  to?: Micros | undefined;
  /** The place of the last item of the previous page. */
  below?: Place | undefined;
  limit: number;
}

/** The part of one source that the next page of the timeline may contain. Pure. */
export function pageOfSource(source: Source, { from, to, below, limit }: Wanted): TimePage {
  if (below === undefined) return { from, to, limit };
  const { at, key } = below;
  if (source === below.source) return { from, to, before: { at, key }, limit };
  // The previous page contains all items of this time that are above its last item.
  const isAbove = sources.indexOf(source) < sources.indexOf(below.source);
  const end = isAbove ? at - 1 : at;
  return { from, to: to === undefined ? end : Math.min(to, end), limit };
}

/**
 * Merges sources into one page. Pure.
 *
 * @param read what was read of each source, in the order of `sources` and each in its own order. To find out whether there is
 * another page, read one more item of each source than the page may contain
 * @returns `end` is the place of the last item; null if no items follow
 */
export function mergeSources(
  read: readonly (readonly Placed[])[],
  limit: number,
): { items: TimelineItem[]; end: Place | null } {
  // The sort is stable: items with the same time keep the order of their sources.
  const all = read.flat().toSorted((a, b) => b.item.at - a.item.at);
  const page = all.slice(0, limit);
  const last = page.at(-1);
  const end = last === undefined || all.length <= limit ? null : placeOf(last);
  return { items: page.map(({ item }) => item), end };
}

const placeOf = ({ item, source, key }: Placed): Place => ({ at: item.at, source, key });
