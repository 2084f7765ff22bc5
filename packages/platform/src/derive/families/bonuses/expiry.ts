import { fromLocalTime, type Micros, readTimestampText } from '@croupier/contracts';

/** Under these names `meta` may tell when the bonus expires; the first that can be read decides. */
const names = ['expires_at', 'expiry_date', 'expiration_date', 'valid_until', 'expires'];

/**
 * When a bonus expires, as the `meta` of an event tells it: a timestamp, without an offset in the brand's time zone, or a day, at whose end the
 * bonus expires. The interface has no field for it (docs/decisions/0808).
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
  // Years before that are no expiry but an empty date of the operator's system.
  if (written === undefined || Number(text.slice(0, 4)) < 1970) return undefined;
  return written.zoned ? written.micros : fromLocalTime(zone, written.micros).at;
}
