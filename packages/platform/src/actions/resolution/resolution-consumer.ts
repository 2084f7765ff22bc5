import type { PoolClient } from 'pg';
import type { DeriveConsumer, DerivedBatch } from '../../derive/index.ts';
import { type BonusNews, requestAfterBonuses } from './request-store.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Finds bonus events that may prove an intent, inside the transaction that derives them: an assignment is requested exactly
 * when the bonus counts. It costs one statement for a batch with bonus events, and none for a batch without.
 *
 * The resolver makes the assignment right after the commit. An assignment made here would lock intents while derive holds
 * locks on players. The outcome of a call takes these locks in the other order, so there could be deadlocks.
 */
export class ResolutionConsumer implements DeriveConsumer {
  readonly #wake: () => void;
  #asked = false;

  constructor(options: { wake: () => void }) {
    this.#wake = options.wake;
  }

  async onBatch(tx: PoolClient, { applied }: DerivedBatch): Promise<void> {
    const news = applied.flatMap(({ player_id, event }): BonusNews[] => {
      // Repeats and conflicts, too: they may carry a reference or a code that was missing the first time.
      if (event.kind !== 'bonus') return [];
      const reference = event.crm_references?.id?.toLowerCase() ?? '';
      const { user_bonus_id, bonus_code = null, timestamp } = event;
      return [
        { player_id, user_bonus_id, bonus_code, at: timestamp, reference: uuid.test(reference) ? reference : null },
      ];
    });
    if (news.length > 0 && (await requestAfterBonuses(tx, news)) > 0) this.#asked = true;
  }

  onCommitted(): void {
    if (!this.#asked) return;
    this.#asked = false;
    this.#wake();
  }
}
