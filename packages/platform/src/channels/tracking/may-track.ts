import type { BrandSettings } from '../../brands/index.ts';

type TrackingSettings = BrandSettings['message_tracking'];

/** Where a player lives, as the operator's details have it. */
export interface TrackedPlayer {
  market: string | null;
  country: string | null;
}

/** Whether clicks and opens of this player's e-mails are told: what the brand switched on, unless the player's market forbids it. Pure. */
export function mayTrack(
  { email_clicks, email_opens, forbidden_in }: TrackingSettings,
  { market, country }: TrackedPlayer,
): { clicks: boolean; opens: boolean } {
  const forbidden = new Set(forbidden_in.map((name) => name.toLowerCase()));
  // Of a player whose country is not known, nobody can say that it is allowed.
  const isForbidden =
    forbidden.size > 0 &&
    ((market === null && country === null) ||
      [market, country].some((name) => name !== null && forbidden.has(name.toLowerCase())));
  return { clicks: email_clicks && !isForbidden, opens: email_opens && !isForbidden };
}
