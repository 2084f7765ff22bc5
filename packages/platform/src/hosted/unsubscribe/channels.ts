import { type ConsentType, consentTypes } from '@croupier/contracts';

/** The state of a channel on the page. `unknown`: the operator has sent no clear value; the gate sends nothing there either. */
export type ChannelState = 'on' | 'off' | 'unknown';

export interface Channel {
  type: ConsentType;
  state: ChannelState;
}

/** What is known about one consent. */
export interface KnownConsent {
  type: string;
  opted_in: boolean | null;
  in_doubt: boolean;
}

/** The same, as stored by the operator stage. */
export interface HeldConsent extends KnownConsent {
  /** A change made here that the operator has not confirmed. */
  unconfirmed: boolean;
}

/** All channels: the one of the link first, then the others in the interface's order. */
export function channelsOf(consents: readonly KnownConsent[], first: ConsentType): Channel[] {
  const order = [first, ...consentTypes.filter((type) => type !== first)];
  return order.map((type) => ({ type, state: stateOf(consents.find((consent) => consent.type === type)) }));
}

function stateOf(consent: KnownConsent | undefined): ChannelState {
  if (consent === undefined || consent.in_doubt || consent.opted_in === null) return 'unknown';
  return consent.opted_in ? 'on' : 'off';
}

export interface Withdrawal {
  /** Channels to withdraw; empty if all of them are off by a change made here that has not reached the operator yet. */
  stopped: ConsentType[];
  /** Those of them that were on. */
  on: ConsentType[];
}

/**
 * What a press of "stop" has to change.
 *
 * If the operator's last value is "off", it may be a day old, and the player may have opted in there a second ago. So
 * the press is also written and sent in this case. Only a withdrawal made here that is still being written is not
 * repeated: no value of the operator undoes it. So pressing twice has the effect of pressing once.
 */
export function withdrawalOf(consents: readonly HeldConsent[], asked: ConsentType | 'all'): Withdrawal {
  const held = (type: ConsentType) => consents.find((consent) => consent.type === type);
  const stopped = (asked === 'all' ? consentTypes : [asked]).filter((type) => !isWithdrawnHere(held(type)));
  return { stopped, on: stopped.filter((type) => stateOf(held(type)) === 'on') };
}

function isWithdrawnHere(consent: HeldConsent | undefined): boolean {
  return consent?.unconfirmed === true && stateOf(consent) === 'off';
}
