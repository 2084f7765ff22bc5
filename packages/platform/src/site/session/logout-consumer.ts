import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { playerChannels, type SignalSender, type SiteSignal } from '../../channels/index.ts';
import type { ConsumedEvent, DeriveConsumer, DerivedBatch } from '../../derive/index.ts';
import { endPlayers } from './end-player.ts';

/**
 * A logout that the operator reports more than 24 hours late ends nothing. All tokens of that time have expired, and the sid has
 * been checked again since. An import of old events must not sign players out.
 */
const tooLate: Micros = 24 * 3_600_000_000;

/** Ends the sessions of players whom the operator signed out (docs/reference/decisions.md 8), in the transaction that derives the event. */
export class LogoutConsumer implements DeriveConsumer {
  readonly #signals: Pick<SignalSender, 'poke'>;
  readonly #brands: { byId(brandId: number): Brand | undefined };
  #written: SiteSignal[] = [];

  constructor(options: {
    signals: Pick<SignalSender, 'poke'>;
    brands: { byId(brandId: number): Brand | undefined };
  }) {
    this.#signals = options.signals;
    this.#brands = options.brands;
  }

  async onBatch(tx: PoolClient, { applied }: DerivedBatch): Promise<void> {
    const last = new Map<number, { brand_id: number; player_id: number; at: Micros }>();
    for (const one of applied) {
      if (!isLogoutOfNow(one)) continue;
      const { brand_id, player_id, event, received_at } = one;
      // If the operator's clock is ahead, its time would cause JWTs of the player's next sign-in to be refused until that time.
      const at = Math.max(Math.min(event.timestamp, received_at), last.get(player_id)?.at ?? 0);
      last.set(player_id, { brand_id, player_id, at });
    }
    if (last.size === 0) return;
    const ends = [...last.values()];
    // The event names the player, not the session: a player who signed out on a laptop may still use a phone.
    this.#written.push(...(await endPlayers(tx, ends, 'one_session_ended')));
    const ofDevices = ends.filter(({ brand_id }) => this.#brands.byId(brand_id)?.settings.push.ends_with_logout_event);
    await playerChannels.logout(
      tx,
      ofDevices.map((end) => ({ ...end, sid_hash: '' })),
    );
  }

  /**
   * Several lanes may have open batches. So the commit of another lane may send a hint too early. That hint has no effect, and
   * the poll finds the signal.
   */
  onCommitted(): void {
    const written = this.#written;
    this.#written = [];
    this.#signals.poke(written);
  }
}

function isLogoutOfNow({ event, verdict, received_at }: ConsumedEvent): boolean {
  return event.kind === 'logout' && verdict === 'applied' && received_at - event.timestamp <= tooLate;
}
