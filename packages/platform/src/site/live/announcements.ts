import type { SiteSignal } from '../../channels/index.ts';

/** Reads the data of messages; each function is called once per batch. */
export interface MessageSource {
  /** Records of messages that are still visible, by MessageId; the name of the event is the record's `Event`. */
  records(
    pairs: readonly { player_id: number; message_id: number }[],
  ): Promise<ReadonlyMap<number, { Event: string; UserId: number }>>;
  /** Number of unread inbox messages of each of these players. */
  unread(playerIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

/** An event for all sockets of a player. */
export interface Announcement {
  player_id: number;
  event: string;
  data: unknown;
}

/**
 * The events for connected players, from a batch of signals (docs/reference/decisions.md 8, Live delivery).
 *
 *   arrived         message, shoutout or inbox, with the current record; nothing if it no longer exists
 *   read, closed,   {MessageId, Unread}, so that every tab shows the same count; Unread is the current count, the same for
 *   deleted,        all events of one batch
 *   withdrawn
 *   list_again      nothing: the sockets are closed with a code that makes pages reconnect and reload the list
 *   session_ended   {}; the socket is closed after it
 *   one_session_ended   nothing: the sockets are closed; clients with a valid session reconnect
 */
export async function announcements(signals: readonly SiteSignal[], source: MessageSource): Promise<Announcement[]> {
  const arrived = signals.filter(({ kind }) => kind === 'arrived');
  const changed = signals.filter(({ message_id, kind }) => message_id !== null && kind !== 'arrived');
  const [records, unread] = await Promise.all([
    source.records(
      arrived.flatMap(({ player_id, message_id }) => (message_id === null ? [] : [{ player_id, message_id }])),
    ),
    source.unread([...new Set(changed.map(({ player_id }) => player_id))]),
  ]);
  return signals.flatMap(({ player_id, kind, message_id }): Announcement[] => {
    if (kind === 'list_again' || kind === 'session_ended' || kind === 'one_session_ended')
      return [{ player_id, event: kind, data: {} }];
    if (kind !== 'arrived') {
      return [{ player_id, event: kind, data: { MessageId: message_id, Unread: unread.get(player_id) ?? 0 } }];
    }
    const record = records.get(message_id ?? 0);
    return record === undefined ? [] : [{ player_id, event: record.Event, data: record }];
  });
}
