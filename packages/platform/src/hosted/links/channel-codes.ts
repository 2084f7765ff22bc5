import type { ConsentType } from '@croupier/contracts';

/**
 * The numbers of channels in tokens. A link is valid forever, so a number is never reused for another channel, and a new
 * channel gets the next one (up to 15).
 */
export const channelCodes: Readonly<Record<ConsentType, number>> = {
  Email: 0,
  SMS: 1,
  Telephone: 2,
  PostMail: 3,
  SiteNotification: 4,
  PushNotification: 5,
};

const byCode = new Map(Object.entries(channelCodes).map(([type, code]) => [code, type as ConsentType]));

export function channelOfCode(code: number): ConsentType | undefined {
  return byCode.get(code);
}

/** Encodes a set of channels as bits: bit n is the channel with code n. */
export function channelsToBits(types: readonly ConsentType[]): number {
  return types.reduce((bits, type) => bits | (1 << channelCodes[type]), 0);
}

/** Returns the channels in the order of their codes. Bits without a channel are ignored. */
export function channelsOfBits(bits: number): ConsentType[] {
  return [...byCode].filter(([code]) => (bits & (1 << code)) !== 0).map(([, type]) => type);
}
