import { isIPv6 } from 'node:net';

/**
 * The network of an address: one household or one server. IPv6 assigns these a whole /64, so its addresses count as one. An IPv4
 * address within an IPv6 one is that IPv4 address. All spellings of an address have the same network. Pure.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  return groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = address.split('::').map(partsOf);
  if (tail === undefined) return head;
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** Groups between colons; an IPv4 address at the end is two of them. */
function partsOf(text: string): number[] {
  return text.split(':').flatMap((part) => {
    if (part === '') return [];
    if (!part.includes('.')) return [Number.parseInt(part, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}
