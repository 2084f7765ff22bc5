import type { Micros } from '@croupier/contracts';

/**
 * A change in the protection of a player, as the gate sees it: any current source counts (docs/reference/decisions.md 7).
 *
 * `excluded` and `blocked` concern the player as a whole; `consent_withdrawn` and `consent_given` name the consent type.
 */
export const transitionKinds = [
  'excluded',
  'exclusion_ended',
  'blocked',
  'block_ended',
  'consent_withdrawn',
  'consent_given',
] as const;
export type TransitionKind = (typeof transitionKinds)[number];

/** The kinds that restrict contact: after them, Croupier may send less than before. */
export const protectingKinds: readonly TransitionKind[] = ['excluded', 'blocked', 'consent_withdrawn'];

export interface ProtectionTransition {
  transition_id: number;
  brand_id: number;
  player_id: number;
  kind: TransitionKind;
  /** The consent type: Email, SMS, ...; null for other kinds. */
  consent_type: string | null;
  /** The source from which the platform learned of the change. */
  source: 'look_up' | 'reconciliation' | 'unsubscribe' | 'site' | 'staff';
  /** When the platform learned of it. */
  at: Micros;
}

/** The followers, each of which receives every transition. A new follower receives only later ones. */
export const followers = ['actions', 'site', 'channels', 'campaigns'] as const;
export type Follower = (typeof followers)[number];
