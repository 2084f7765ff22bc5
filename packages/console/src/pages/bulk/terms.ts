/** What messages and offers to a segment have in common, as typed. */
export interface Terms {
  products: string[];
  /** Code of a campaign. Empty: the order counts for itself. */
  campaign: string;
  /** Players per second. */
  pace: number | string;
  /** A local date and time, or empty. */
  expires: string;
}

export const usualTerms: Terms = { products: [], campaign: '', pace: 50, expires: '' };

/** Returns the fields that the API takes. Pure. */
export function bodyOfTerms({ products, campaign, pace, expires }: Terms) {
  return {
    per_second: Number(pace),
    ...(products.length > 0 && { products }),
    ...(campaign.trim() !== '' && { campaign_id: campaign.trim() }),
    ...(expires !== '' && { expires_at: new Date(expires).toISOString() }),
  };
}

/** Returns the product of a decimal text and a whole number, exactly. Pure. */
export function timesCount(amount: string, count: number): string {
  const [, whole = '0', fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const units = (BigInt(whole + fraction) * BigInt(count)).toString().padStart(fraction.length + 1, '0');
  const end = units.length - fraction.length;
  return fraction === '' ? units : `${units.slice(0, end)}.${units.slice(end)}`;
}
