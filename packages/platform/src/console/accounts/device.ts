import { isIPv6 } from 'node:net';
import { networkOf } from '../../http/network.ts';

/**
 * Where a session was opened, with just enough detail for its owner to recognize it: "Firefox on Windows" from 192.0.2.0/24. Pure.
 *
 * The full User-Agent and the full address would reveal more about staff than a list of sessions needs.
 */
export interface Device {
  device: string;
  network: string;
}

/** The first match counts, because Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

/** The first match counts, because Android also calls itself Linux, and iOS calls itself "like Mac OS X". */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

export function deviceOf({ userAgent = '', address }: { userAgent?: string | undefined; address: string }): Device {
  const named = (table: typeof browsers) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = named(systems);
  const browser = named(browsers) ?? 'Unknown program';
  return { device: system === undefined ? browser : `${browser} on ${system}`, network: coarseNetwork(address) };
}

/** The /24 of an IPv4 address, or the /48 of an IPv6 address. */
export function coarseNetwork(address: string): string {
  const [, mapped] = /^::ffff:([0-9.]+)$/i.exec(address) ?? [];
  const text = mapped ?? address;
  if (!isIPv6(text)) return `${text.split('.').slice(0, 3).join('.')}.0/24`;
  return `${networkOf(text)
    .split(':')
    .slice(0, 3)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/48`;
}
