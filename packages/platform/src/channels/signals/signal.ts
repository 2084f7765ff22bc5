import type { Micros } from '@croupier/contracts';

/**
 * What a connected browser must be told. Written in the transaction of its cause, read by every api process that has a socket
 * of the player: at once by the hint of `SignalSender`, within a poll without it.
 */
export const signalKinds = [
  'arrived',
  'read',
  'closed',
  'deleted',
  'withdrawn',
  /** Messages that waited may be shown now: the player's pages list again. */
  'list_again',
  /** All sessions of the player: an exclusion, an erasure. */
  'session_ended',
  /**
   * One of them: a logout on the site, or at the operator, whose event does not say of which. Sockets do not say by which session
   * they came, so each has to prove itself again.
   */
  'one_session_ended',
] as const;
export type SignalKind = (typeof signalKinds)[number];

export interface NewSignal {
  brand_id: number;
  player_id: number;
  kind: SignalKind;
  /** Null for what is about no single message. */
  message_id: number | null;
}

export interface SiteSignal extends NewSignal {
  signal_id: number;
}

/** As an api process reads it. */
export interface ReadSignal extends SiteSignal {
  written_at: Micros;
}
