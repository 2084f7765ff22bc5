import { type ConsentType, consentTypes } from '@croupier/contracts';

/** What the page says of a channel. `unknown`: the operator said nothing clear; the gate sends nothing there either. */
export type ChannelState = 'on' | 'off' | 'unknown';

export interface Channel {
  type: ConsentType;
  state: ChannelState;
}

/** What is held of one consent: a row of the operator stage, or its reading. */
export interface HeldConsent {
  type: string;
  opted_in: boolean | null;
  in_doubt: boolean;
  source: string | null;
}

/** All channels, the one of the link first, then in the interface's order. */
export function channelsOf(consents: readonly HeldConsent[], first: ConsentType): Channel[] {
  const order = [first, ...consentTypes.filter((type) => type !== first)];
  return order.map((type) => ({ type, state: stateOf(consents.find((consent) => consent.type === type)) }));
}

function stateOf(consent: HeldConsent | undefined): ChannelState {
  if (consent === undefined || consent.in_doubt || consent.opted_in === null) return 'unknown';
  return consent.opted_in ? 'on' : 'off';
}

export interface Withdrawal {
  /** Channels to withdraw; empty: the player has withdrawn all of them here already. */
  stopped: ConsentType[];
  /** Those that were on. */
  restorable: ConsentType[];
}

/**
 * What a press of "stop" has to change.
 *
 * One channel is withdrawn also where the operator says that it is off: that word may be a day old, and the player's own
 * has to stand beside it. What was withdrawn here before is left alone, so that pressing twice is pressing once. "All"
 * means what is on or unknown: only changed types are sent (decisions.md 4).
 */
export function withdrawalOf(consents: readonly HeldConsent[], asked: ConsentType | 'all'): Withdrawal {
  const held = (type: ConsentType) => consents.find((consent) => consent.type === type);
  const stopped =
    asked === 'all'
      ? consentTypes.filter((type) => stateOf(held(type)) !== 'off')
      : [asked].filter((type) => !(stateOf(held(type)) === 'off' && isOwn(held(type))));
  return { stopped, restorable: stopped.filter((type) => stateOf(held(type)) === 'on') };
}

function isOwn(consent: HeldConsent | undefined): boolean {
  return consent?.source === 'unsubscribe' || consent?.source === 'site' || consent?.source === 'staff';
}
