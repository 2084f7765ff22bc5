import { type ConsentType, consentTypes } from '@croupier/contracts';

/** The state of a channel on the page. `unknown`: the operator has sent no clear value; the gate allows no message there either. */
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

/** A consent as the operator stage stores it. */
export interface HeldConsent extends KnownConsent {
  /** True for a change that was made in the platform and that the operator has not confirmed. */
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
  /** Channels to withdraw. Empty if a change in the platform has already turned them off, and the operator does not have it yet. */
  stopped: ConsentType[];
  /** The channels in `stopped` that were on. */
  on: ConsentType[];
}

/**
 * What a press of "stop" has to change.
 *
 * The press is written and sent even if the operator's last value is "off": that value may be a day old, and the player
 * may have opted in there a second ago. A withdrawal that the platform is still writing is not repeated, because no
 * value of the operator undoes it. So pressing twice has the effect of pressing once.
 */
export function withdrawalOf(consents: readonly HeldConsent[], asked: ConsentType | 'all'): Withdrawal {
  const held = (type: ConsentType) => consents.find((consent) => consent.type === type);
  const stopped = (asked === 'all' ? consentTypes : [asked]).filter((type) => !isWithdrawnHere(held(type)));
  return { stopped, on: stopped.filter((type) => stateOf(held(type)) === 'on') };
}

function isWithdrawnHere(consent: HeldConsent | undefined): boolean {
  return consent?.unconfirmed === true && stateOf(consent) === 'off';
}
