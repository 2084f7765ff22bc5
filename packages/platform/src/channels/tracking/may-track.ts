import { readCountry } from '@croupier/contracts';
import type { BrandSettings } from '../../brands/index.ts';

type TrackingSettings = BrandSettings['message_tracking'];

/** Where a player lives, from the operator's details. */
export interface TrackedPlayer {
  market: string | null;
  country: string | null;
}

/** Channels whose messages can contain tracked links. */
export type TrackedChannel = 'email' | 'sms';

/**
 * Whether clicks and opens of this player's messages are tracked: the brand's settings, unless the player's market forbids it.
 * Pure.
 */
export function mayTrack(
  { email_clicks, email_opens, sms_clicks, forbidden_in }: TrackingSettings,
  channel: TrackedChannel,
  { market, country }: TrackedPlayer,
): { clicks: boolean; opens: boolean } {
  const forbidden = new Set(forbidden_in.map((name) => readCountry(name).code));
  // If the country of a player is unknown, tracking may be forbidden there, so it is off.
  const isForbidden =
    forbidden.size > 0 &&
    ((market === null && country === null) ||
      [market, country].some((name) => name !== null && forbidden.has(readCountry(name).code)));
  const [clicks, opens] = channel === 'sms' ? [sms_clicks, false] : [email_clicks, email_opens];
  return { clicks: clicks && !isForbidden, opens: opens && !isForbidden };
}
