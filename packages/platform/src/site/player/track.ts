import { randomUUID } from 'node:crypto';
import type { TrackRequest } from '@croupier/contracts';
import type { Pool } from 'pg';
import { type ReceiveDeps, receiveOwn } from '../../ingest/index.ts';
import type { Caller } from '../session/caller.ts';
import { bodyOf, digestOf, eventOf, problemOfData, type TrackedEvent } from './tracked-event.ts';
import { rememberTracked } from './tracked-store.ts';

/*
 * Writes an event of a page to the ledger, with the same validation, commit and identity as an event of the operator. It is a
 * separate kind (`site_event`), so that no page can change counts of the operator's events.
 *
 *     call --id--> remembered: its time --> body --> committer --> durable --> answer
 *                      '- seen before: the time of the first call, so the same body, which derive counts once
 *
 * If the process dies after the time was stored and before the event was written, the repeated call finds the time and writes the
 * event. If it dies after the write and before the answer, the repeated call writes the event again, and derive marks it as a
 * repeat. The platform sets the time, because a page's clock may be hours wrong, and an old event would start nothing.
 */
export interface TrackDeps extends Pick<ReceiveDeps, 'committer' | 'late' | 'now'> {
  pool: Pool;
}

export type Tracked =
  /** The event is durable. */
  | { outcome: 'stored'; event_id: string }
  /** The caller must change it; `why` is for developers of pages. */
  | { outcome: 'refused'; why: string }
  /** The event may not be durable. The caller must repeat the same call. */
  | { outcome: 'away' };

export async function track(deps: TrackDeps, caller: Caller, request: TrackRequest): Promise<Tracked> {
  const event = eventOf(request, request.Id ?? randomUUID());
  const why = problemOfData(event.data);
  if (why !== null) return { outcome: 'refused', why };
  const at = await timeOf(deps, caller, { event, isRepeatable: request.Id !== undefined });
  if (at === null) return { outcome: 'refused', why: 'Id belongs to another event. Use a unique Id for each event.' };
  const body = bodyOf(event, caller.user_id, at);
  const verdict = await receiveOwn(deps, caller.brand, 'site_event', body);
  switch (verdict.outcome) {
    case 'accepted':
      return { outcome: 'stored', event_id: event.event_id };
    case 'refused':
      return { outcome: 'refused', why: verdict.errors.map(({ message }) => message).join(' ') };
    case 'away':
    case 'full':
      return { outcome: 'away' };
    default:
      return verdict satisfies never;
  }
}

/**
 * The time of the event; null if the id was used for another event. Without an id, a call cannot be repeated, so its time is
 * not stored.
 */
async function timeOf(
  { pool, now }: TrackDeps,
  { player_id }: Caller,
  { event, isRepeatable }: { event: TrackedEvent; isRepeatable: boolean },
) {
  if (!isRepeatable) return now();
  const digest = digestOf(event);
  const remembered = await rememberTracked(pool, { player_id, event_id: event.event_id, digest, at: now() });
  return remembered.digest.equals(digest) ? remembered.at : null;
}
