/**
 * The network of an address: one household or one server. IPv6 assigns these a whole /64, so its addresses count as one. Pure.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...new Array<string>(address.includes('::') ? missing : 0).fill('0'), ...tail.split(':')]
    .slice(0, 4)
    .join(':');
}
