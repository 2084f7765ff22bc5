import type { ClientBase } from 'pg';
import type { CallChannel } from './message.ts';

/** The consent that a brand requires for one of its channels. An SMS always requires the consent for SMS. */
export async function readConsent(
  tx: ClientBase,
  channel: CallChannel,
  brandIds: readonly number[],
): Promise<Map<number, string>> {
  if (channel === 'sms') return new Map();
  const { rows } = await tx.query<{ brand_id: number; consent: string | null }>({
    name: 'read_channel_consent',
    text: `select brand_id, settings ->> 'consent' as consent from channel_settings where channel = $1 and brand_id = any($2::int[])`,
    values: [channel, brandIds],
  });
  return new Map(rows.flatMap(({ brand_id, consent }) => (consent === null ? [] : [[brand_id, consent] as const])));
}
