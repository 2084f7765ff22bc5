import type { Brand } from '../../brands/index.ts';

type Branded = Pick<Brand, 'brand_id' | 'settings'>;

/**
 * The one channel of a player: `private-crm-{BrandId}-{UserId}`; the prefix is a setting of the brand
 * (docs/reference/decisions.md 8).
 */
export function channelOf({ brand_id, settings }: Branded, playerId: number): string {
  return `${settings.channel_prefix}-${brand_id}-${playerId}`;
}

/** The player of a channel; null for any other name. */
export function playerOfChannel(brand: Branded, channel: string): number | null {
  const start = channelOf(brand, 0).slice(0, -1);
  if (!channel.startsWith(start)) return null;
  const digits = channel.slice(start.length);
  return /^[1-9]\d{0,15}$/.test(digits) && Number.isSafeInteger(Number(digits)) ? Number(digits) : null;
}
