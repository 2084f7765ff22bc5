import { readCountry } from '@croupier/contracts';
import { isZone } from '@croupier/contracts/time';

/** A brand's settings for the time zones of its players. */
export interface ZoneSettings {
  /** The brand's own time zone. */
  time_zone: string;
  country_time_zones: Readonly<Record<string, string>>;
}

/**
 * Returns the zone of a player: the zone that the operator sends, otherwise the zone that the brand sets for the player's country,
 * otherwise the brand's own zone. Unknown zones are ignored.
 */
export function playerZone(
  player: { zone: string | null; country: string | null },
  { time_zone, country_time_zones }: ZoneSettings,
): string {
  if (player.zone !== null && isZone(player.zone)) return player.zone;
  if (player.country === null) return time_zone;
  // A brand may write UK or SWE, while the player's details contain GB or SE.
  const { code } = readCountry(player.country);
  const ofCountry = Object.entries(country_time_zones).find(([name]) => readCountry(name).code === code);
  return ofCountry?.[1] ?? time_zone;
}
