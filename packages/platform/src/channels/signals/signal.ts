import type { Micros } from '@croupier/contracts';

/**
 * A message to connected browsers. It is written in the transaction of its cause, and read by every api process that has a
 * socket of the player: immediately through the hint of `SignalSender`, or within one poll without it.
 */
export const signalKinds = [
  'arrived',
  'read',
  'closed',
  'deleted',
  'withdrawn',
  /** Messages that waited may now be shown: the player's pages reload their lists. */
  'list_again',
  /** All sessions of the player ended: by an exclusion or an erasure. */
  'session_ended',
  /**
   * One session ended, by a logout on the site or at the operator. The operator's event does not name the session, and sockets
   * do not record theirs. So each socket has to authenticate again.
   */
  'one_session_ended',
] as const;
export type SignalKind = (typeof signalKinds)[number];

export interface NewSignal {
  brand_id: number;
  player_id: number;
  kind: SignalKind;
  /** Null for a signal that does not concern a single message. */
  message_id: number | null;
}

export interface SiteSignal extends NewSignal {
  signal_id: number;
}

/** A signal as read by an api process. */
export interface ReadSignal extends SiteSignal {
  written_at: Micros;
}
