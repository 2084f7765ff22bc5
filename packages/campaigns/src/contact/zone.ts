import { isZone } from '@croupier/contracts/time';

/** A brand's settings for the time zones of its players. */
export interface ZoneSettings {
  /** Of the brand. */
  time_zone: string;
  country_time_zones: Readonly<Record<string, string>>;
}

/**
 * The zone of a player: the one that the operator sends. If there is none, the one that the brand sets for
 * the player's country. If there is none either, the brand's own zone. Unknown zones are ignored.
 */
export function playerZone(
  player: { zone: string | null; country: string | null },
  { time_zone, country_time_zones }: ZoneSettings,
): string {
  if (player.zone !== null && isZone(player.zone)) return player.zone;
  const country = player.country?.toUpperCase() ?? '';
  return Object.hasOwn(country_time_zones, country) ? (country_time_zones[country] ?? time_zone) : time_zone;
}
