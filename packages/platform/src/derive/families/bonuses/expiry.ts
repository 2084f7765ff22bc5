import { fromLocalTime, type Micros, readTimestampText } from '@croupier/contracts';

/** The names under which `meta` may contain the expiry. The first readable one is used. */
const names = ['expires_at', 'expiry_date', 'expiration_date', 'valid_until', 'expires'];

/**
 * When a bonus expires, from the `meta` of an event. A timestamp without an offset is in the brand's time zone; a date
 * means the end of that day. The interface has no field for it (docs/decisions/0808).
 */
export function expiryOf(meta: Readonly<Record<string, unknown>> | undefined, zone: string): Micros | undefined {
  if (meta === undefined) return undefined;
  for (const name of names) {
    const value = Object.hasOwn(meta, name) ? meta[name] : undefined;
    const at = typeof value === 'string' ? momentOf(value.trim(), zone) : undefined;
    if (at !== undefined) return at;
  }
  return undefined;
}

function momentOf(text: string, zone: string): Micros | undefined {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const written = readTimestampText(day ? `${text}T23:59:59.999999` : text);
  // A year before 1970 is an empty date of the operator's system, not an expiry.
  if (written === undefined || Number(text.slice(0, 4)) < 1970) return undefined;
  return written.zoned ? written.micros : fromLocalTime(zone, written.micros).at;
}
