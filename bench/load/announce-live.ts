import type pg from 'pg';
import { type SignalSender, writeSignals } from '../../packages/platform/src/channels/index.ts';
import { transaction } from '../../packages/platform/src/database/index.ts';

/** Players per transaction: as many as a campaign's worker processes in one transaction. */
const perTransaction = 500;

/**
 * Writes a live inbox message to each player, as a campaign's worker does after its gate has allowed them: messages and signals
 * in one transaction, the hint after its commit. The title is the time of writing, for the measurement.
 */
export async function announceLive(
  { pool, sender, brandId }: { pool: pg.Pool; sender: Pick<SignalSender, 'poke'>; brandId: number },
  playerIds: readonly number[],
): Promise<void> {
  for (let at = 0; at < playerIds.length; at += perTransaction) {
    const players = playerIds.slice(at, at + perTransaction);
    const written = await transaction(pool, async (tx) => {
      const { rows } = await tx.query<{ message_id: number; player_id: number }>(insertLive, [
        brandId,
        players,
        String(Date.now()),
      ]);
      return writeSignals(
        tx,
        rows.map((row) => ({ brand_id: brandId, kind: 'arrived', ...row })),
      );
    });
    sender.poke(written);
  }
}

const insertLive = `
  insert into notification (message_id, brand_id, player_id, channel, purpose, event, display_type, title, message, preview_text,
                            footer_text, data, cta_button_link, cta_button_text, cta_button2_link, cta_button2_text, image_url,
                            created_at, created_by, state, state_since, live_at)
  select id_in_bucket(nextval('notification_number'), p.player_id), $1, p.player_id, 'site', 'service', 'inbox', 'push', $3,
         '<p>' || repeat('A message of common length. ', 15) || '</p>', 'A message', '', '{}', 'https://casino.example/offer', 'Play',
         '', '', 'https://casino.example/offer.webp', now(), 'bench', 'live', now(), now()
    from unnest($2::bigint[]) as p (player_id)
  returning message_id, player_id`;
