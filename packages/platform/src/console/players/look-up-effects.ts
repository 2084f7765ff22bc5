import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';
import { playerIntents } from '../../actions/index.ts';
import { type ListedRun, playerEnds } from '../../campaigns/index.ts';
import { listMessagesElsewhere, playerNotifications } from '../../channels/index.ts';
import type { LookUp } from '../../operator/judging/index.ts';
import { readSyncedPlayer } from '../../operator/players/index.ts';
import { type PlayerTransition, playerTransitions, protectingKinds } from '../../operator/protection/index.ts';
import { answeredWriteBacks } from '../../operator/writeback/index.ts';
import { type ListedTransition, segmentTransitions } from '../../segments/membership/index.ts';
import type { RowLimit } from '../paging/row-limit.ts';
import {
  type ChangeItem,
  changeItem,
  elsewhereItem,
  type IntentItem,
  intentItem,
  type MessageItem,
  messageItem,
  type RefreshItem,
  refreshItems,
  type TransitionItem,
  transitionItem,
} from './timeline.ts';

/*
 * Many events request look-ups of their player at the operator: details, consents or blocks. The event itself changes nothing. What
 * the answers change is stored without the event:
 *
 *     event --> look-up --> protection transition --> runs, messages and bonuses that end
 *                      |--> segments (cause `record` or `protection`)
 *                      '--> a change of the platform is confirmed or contradicted
 *
 * A protection transition stores when the first unanswered update was received. If that is the time of the event, the transition
 * belongs to the event, however late the operator answered. Everything else is found by its source and time, within 10 minutes. So if
 * two events request look-ups within this time, both have the same effects. If a person requests a look-up within this time after an
 * event, the effects of that look-up also belong to the event.
 */

/** What is found by its time must be at most this long after its cause: 10 minutes. Look-ups and followers normally take seconds. */
const foundWithin: Micros = 600_000_000;

export interface LookUpEffects {
  refreshes: RefreshItem[];
  /** Changes of the platform that the look-ups confirmed or contradicted, at the time of the answer. */
  changes: ChangeItem[];
  protections: TransitionItem[];
  /** Segments that the player entered or left. They may have further effects. */
  segments: ListedTransition[];
  /** Runs, messages and bonuses that ended because the player became protected. */
  runs: ListedRun[];
  messages: MessageItem[];
  intents: IntentItem[];
}

interface Requested {
  lookUps: readonly LookUp[];
  /** When the event was received. */
  since: Micros;
  limit: RowLimit;
}

/** What followed from the look-ups that an event requested. */
export async function readLookUpEffects(pool: Pool, playerId: number, requested: Requested): Promise<LookUpEffects> {
  const { lookUps, since, limit } = requested;
  if (lookUps.length === 0)
    return { refreshes: [], changes: [], protections: [], segments: [], runs: [], messages: [], intents: [] };
  const until = since + foundWithin;
  const transitions = limit.keep(await playerTransitions(pool, playerId, { from: since, limit: limit.requested }));
  const learned = transitions.filter(({ source }) => source === 'look_up');
  const own = learned.filter((one) => isAnswerTo(one, requested, until));
  const ownTimes = new Set(own.map(({ at }) => at));
  const otherTimes = new Set(learned.map(({ at }) => at).filter((at) => !ownTimes.has(at)));
  const isOwnTime = (at: Micros) => ownTimes.has(at) || (at >= since && at <= until && !otherTimes.has(at));
  const end = Math.max(until, ...ownTimes);
  const isAnswered = (at: Micros | null): at is Micros => at !== null && at >= since && at <= end;

  const { sync } = await readSyncedPlayer(pool, playerId);
  const answered = { from: since, to: end, limit: limit.requested };
  const writeBacks = limit.keep(await answeredWriteBacks(pool, playerId, answered));
  const causes = ['record', 'protection'].map((type) => ({ type, source: 'look_up' }));
  const options = { since, until: end, limit: limit.requested };
  const segments = limit.keep(await segmentTransitions.causedBy(pool, playerId, causes, options));
  return {
    refreshes: refreshItems(sync).filter(({ look_up, at }) => lookUps.includes(look_up) && isAnswered(at)),
    changes: writeBacks.flatMap((row) => {
      const { record, said_at } = row;
      return lookUps.includes(record) && isAnswered(said_at) ? [{ ...changeItem(row), at: said_at }] : [];
    }),
    protections: own.map(transitionItem),
    segments: segments.filter(({ cause }) => isOwnTime(cause.at)),
    ...(await endedBy(pool, playerId, own, limit)),
  };
}

const lookUpsOfKind = (kind: PlayerTransition['kind']): readonly LookUp[] =>
  kind === 'consent_given' || kind === 'consent_withdrawn' ? ['consents'] : ['details', 'blocks'];

/** Whether the look-ups of the event showed this change. */
function isAnswerTo(
  { kind, at, received_at }: PlayerTransition,
  { lookUps, since }: Requested,
  until: Micros,
): boolean {
  if (!lookUpsOfKind(kind).some((one) => lookUps.includes(one))) return false;
  if (received_at === since) return true;
  // Either an earlier update was still unanswered, or no update requested the look-up. The changes of a later update are its own effects.
  return at <= until && (received_at < since || received_at === at);
}

/** The reason of runs, messages and intents that end because of a change that protects the player. */
const reasonOf: Partial<Record<PlayerTransition['kind'], string>> = {
  excluded: 'excluded',
  blocked: 'blocked',
  consent_withdrawn: 'no_consent',
};

/** What ended because of these changes, found by reason and time. */
async function endedBy(
  pool: Pool,
  playerId: number,
  changes: readonly PlayerTransition[],
  limit: RowLimit,
): Promise<Pick<LookUpEffects, 'runs' | 'messages' | 'intents'>> {
  const protecting = changes.filter(({ kind }) => protectingKinds.includes(kind));
  if (protecting.length === 0) return { runs: [], messages: [], intents: [] };
  const times = protecting.map(({ at }) => at);
  const page = { from: Math.min(...times), to: Math.max(...times) + foundWithin, limit: limit.requested };
  const isEnded = (reason: string | null, since: Micros) =>
    protecting.some(({ kind, at }) => reasonOf[kind] === reason && since >= at && since <= at + foundWithin);
  const runs = limit.keep(await playerEnds(pool, playerId, page));
  const messages = [
    ...limit.keep(await playerNotifications(pool, playerId, page)).map(messageItem),
    ...limit.keep(await listMessagesElsewhere(pool, playerId, page)).map(elsewhereItem),
  ];
  const intents = limit.keep(await playerIntents(pool, playerId, page)).map(intentItem);
  return {
    runs: runs.filter(({ reason, moved_at }) => isEnded(reason, moved_at)),
    messages: messages.filter(({ reason, at }) => isEnded(reason, at)),
    intents: intents.filter(({ reason, at }) => isEnded(reason, at)),
  };
}
