import { type ConsentType, consentTypes } from '@croupier/contracts';

/** What the page says of a channel. `unknown`: the operator said nothing clear; the gate sends nothing there either. */
export type ChannelState = 'on' | 'off' | 'unknown';

export interface Channel {
  type: ConsentType;
  state: ChannelState;
}

/** What is known of one consent. */
export interface KnownConsent {
  type: string;
  opted_in: boolean | null;
  in_doubt: boolean;
}

/** The same as the operator stage holds it. */
export interface HeldConsent extends KnownConsent {
  /** A change made here that the operator's books have not confirmed. */
  unconfirmed: boolean;
}

/** All channels, the one of the link first, then in the interface's order. */
export function channelsOf(consents: readonly KnownConsent[], first: ConsentType): Channel[] {
  const order = [first, ...consentTypes.filter((type) => type !== first)];
  return order.map((type) => ({ type, state: stateOf(consents.find((consent) => consent.type === type)) }));
}

function stateOf(consent: KnownConsent | undefined): ChannelState {
  if (consent === undefined || consent.in_doubt || consent.opted_in === null) return 'unknown';
  return consent.opted_in ? 'on' : 'off';
}

export interface Withdrawal {
  /** Channels to withdraw; empty: all of them are off by a change made here that the operator does not have yet. */
  stopped: ConsentType[];
  /** Those of them that were on. */
  on: ConsentType[];
}

/**
 * What a press of "stop" has to change.
 *
 * "Off" as the operator said it may be a day old, and the player may have opted in there a second ago; so the press is written
 * beside it, and goes out. Only what was withdrawn here and is still on its way is left alone: nothing the operator says
 * undoes it, so pressing twice is pressing once.
 */
export function withdrawalOf(consents: readonly HeldConsent[], asked: ConsentType | 'all'): Withdrawal {
  const held = (type: ConsentType) => consents.find((consent) => consent.type === type);
  const stopped = (asked === 'all' ? consentTypes : [asked]).filter((type) => !isWithdrawnHere(held(type)));
  return { stopped, on: stopped.filter((type) => stateOf(held(type)) === 'on') };
}

function isWithdrawnHere(consent: HeldConsent | undefined): boolean {
  return consent?.unconfirmed === true && stateOf(consent) === 'off';
}
