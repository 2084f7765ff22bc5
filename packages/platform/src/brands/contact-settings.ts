import { readDuration } from '@croupier/rules';
import type { SettingError } from './setting-error.ts';
import type { BrandSettings } from './settings.ts';

const minute = 60_000_000;
/** Messages of the site are kept for at least 31 days after their end, so no cap can count further back. */
const longestCap = 31 * 24 * 60 * minute;

/** Errors in the rules of contact that their schema cannot find. */
export function contactErrors(
  settings: Pick<BrandSettings, 'quiet_hours' | 'frequency_caps' | 'country_time_zones'>,
  path: string,
): SettingError[] {
  const { quiet_hours, frequency_caps, country_time_zones } = settings;
  const errors: SettingError[] = [];
  if ((quiet_hours.from === '') !== (quiet_hours.to === ''))
    errors.push({ path: `${path}.quiet_hours`, message: 'requires both from and to, or neither' });
  for (const [place, { within }] of frequency_caps.entries()) {
    const length = readDuration(within);
    if (length === undefined || length < minute || length > longestCap)
      errors.push({
        path: `${path}.frequency_caps[${place}].within`,
        message: `must be an ISO 8601 duration from PT1M to P31D, such as P1D, not ${within}`,
      });
  }
  for (const [country, zone] of Object.entries(country_time_zones))
    if (!isZone(zone))
      errors.push({
        path: `${path}.country_time_zones.${country}`,
        message: `must be an IANA zone such as Europe/Malta or UTC, not ${zone}`,
      });
  return errors;
}

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
