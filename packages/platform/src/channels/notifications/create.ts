import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { awaitAll } from '../../database/index.ts';
import type { Gate } from '../../gate/index.ts';
import { WordedError } from '../../language.ts';
import { requestDigest } from '../request-digest.ts';
import type { SiteSignal } from '../signals/signal.ts';
import { announce } from './announce.ts';
import { askGate } from './ask-gate.ts';
import { cleanContent, halfCharacter } from './content.ts';
import type { NewNotification, NotificationState } from './notification.ts';
import {
  insertNotifications,
  lockCampaigns,
  type RequestKey,
  readRequests,
  takeMessageIds,
  takeRequestKeys,
} from './notification-store.ts';
import { UnfitNotification } from './unfit.ts';

export interface CreatedNotification {
  message_id: number;
  state: NotificationState;
  /** Why it is held or withheld, and the decision of the gate. */
  reason: string | null;
  decision_id: number | null;
  /** The request was made before; this is the message of the first request. */
  repeated: boolean;
  /** Signals that the caller passes to `SignalSender.poke` after the commit. */
  signals: SiteSignal[];
}

/** The same request_key was used with a different request, so one of the two is a mistake of the caller. */
export class MessageKeyReused extends WordedError {
  override name = 'MessageKeyReused';

  constructor(messageId: number) {
    super({
      en: `the key belongs to the message ${messageId}, which has a different body`,
      de: `Der Schlüssel gehört zur Nachricht ${messageId}, die einen anderen Inhalt hat`,
    });
  }
}

interface Wanted {
  message_id: number;
  asked: NewNotification;
  key: RequestKey | null;
}

/**
 * Creates messages for players, in the caller's transaction: cleans them, asks the gate, and makes the allowed ones live.
 * It needs twelve statements, regardless of the number of messages. A caller with very many messages passes a few hundred at a
 * time.
 *
 * @returns one entry per requested message, in the order of the requests
 * @throws {UnfitNotification} if one cannot be shown as it is; then none of the batch is created
 * @throws {MessageKeyReused}
 */
export async function createNotifications(
  tx: PoolClient,
  gate: Pick<Gate, 'mayContact'>,
  items: readonly NewNotification[],
  at: Micros,
): Promise<CreatedNotification[]> {
  if (items.length === 0) return [];
  const clean = items.map((item) => ({ item, asked: cleaned(item) }));
  const [, ids] = await awaitAll([
    lockCampaigns(tx, items.flatMap(campaignOf)),
    takeMessageIds(
      tx,
      items.map(({ player_id }) => player_id),
    ),
  ]);
  const wanted = clean.map(({ item, asked }, place): Wanted => {
    const message_id = ids[place] as number;
    return { message_id, asked, key: keyOf(item, message_id) };
  });
  const keys = wanted.flatMap(({ key }) => (key === null ? [] : [key]));
  const taken = await takeRequestKeys(tx, keys, at);
  const fresh = wanted.filter(({ key, message_id }) => key === null || taken.has(message_id));
  refuseExpired(fresh, at);
  const allowances = await askGate(
    tx,
    gate,
    fresh.map(({ message_id, asked }) => ({ ...asked, message_id })),
  );
  const decided = fresh.flatMap((one, place) => {
    const allowance = allowances[place];
    return allowance === undefined ? [] : [{ ...one, allowance }];
  });
  const live = decided.flatMap(({ message_id, asked, allowance }) =>
    allowance.state === 'live' ? [{ ...asked, message_id }] : [],
  );
  const [, signals] = await awaitAll([insertNotifications(tx, decided, at), announce(tx, live, at)]);
  const signalOf = new Map(signals.map((signal) => [signal.message_id, [signal]]));
  const made = new Map<number, CreatedNotification>(
    decided.map(({ message_id, allowance: { state, reason, decision_id } }) => [
      message_id,
      { message_id, state, reason, decision_id, repeated: false, signals: signalOf.get(message_id) ?? [] },
    ]),
  );
  const known = await readRequests(
    tx,
    keys.filter(({ message_id }) => !made.has(message_id)),
  );
  return wanted.map(({ message_id, key }) => made.get(message_id) ?? repeated(key, known));
}

function repeated(key: RequestKey | null, known: Awaited<ReturnType<typeof readRequests>>): CreatedNotification {
  const before = known.find((one) => one.player_id === key?.player_id && one.request_key === key.request_key);
  if (key === null || before === undefined) throw new Error('a message was not stored');
  const { message_id, state, reason, decision_id, request_digest } = before;
  if (request_digest !== key.request_digest) {
    throw new MessageKeyReused(message_id);
  }
  return { message_id, state, reason, decision_id, repeated: true, signals: [] };
}

function cleaned(item: NewNotification): NewNotification {
  const expires_at = item.expires_at === null ? null : Math.floor(item.expires_at / 1_000_000) * 1_000_000;
  const { content, errors: ofContent } = cleanContent(item);
  const errors = [...halfCharacter('campaign_id', item.campaign_id ?? ''), ...ofContent];
  if (errors.length > 0) throw new UnfitNotification(errors);
  return { ...item, ...content, expires_at };
}

/** Refuses new messages that have expired. Repeated requests are not checked, so they get their earlier answer. */
function refuseExpired(fresh: readonly Wanted[], at: Micros): void {
  if (fresh.every(({ asked }) => asked.expires_at === null || asked.expires_at > at)) return;
  throw new UnfitNotification([{ path: 'expires', rule: 'past', message: 'expires must be in the future' }]);
}

function campaignOf({ brand_id, campaign_id }: NewNotification) {
  return campaign_id === null ? [] : [{ brand_id, campaign_id }];
}

function keyOf(item: NewNotification, message_id: number): RequestKey | null {
  const { brand_id, player_id, request_key } = item;
  return request_key === null
    ? null
    : { brand_id, player_id, request_key, message_id, request_digest: requestDigest(item) };
}
