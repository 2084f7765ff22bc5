import type { PoolClient } from 'pg';
import type { DeriveConsumer, DerivedBatch } from '../../derive/index.ts';
import { type BonusNews, requestAfterBonuses } from './request-store.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Notices bonus events that may prove an intent, inside the transaction that derives them: the look is asked for exactly when the
 * bonus counts. One statement for a batch with bonus events, none for a batch without.
 *
 * The look itself is the resolver's, right after the commit. Made here, it would need the locks of intents while derive holds those of
 * players, and the outcome of a call takes them the other way round.
 */
export class ResolutionConsumer implements DeriveConsumer {
  readonly #wake: () => void;
  #asked = false;

  constructor(options: { wake: () => void }) {
    this.#wake = options.wake;
  }

  async onBatch(tx: PoolClient, { applied }: DerivedBatch): Promise<void> {
    const news = applied.flatMap(({ player_id, event }): BonusNews[] => {
      // Repeats and conflicts, too: the same money may come with a reference or a code that was missing the first time.
      if (event.kind !== 'bonus') return [];
      const reference = event.crm_references?.id?.toLowerCase() ?? '';
      return [{ player_id, user_bonus_id: event.user_bonus_id, reference: uuid.test(reference) ? reference : null }];
    });
    if (news.length > 0 && (await requestAfterBonuses(tx, news)) > 0) this.#asked = true;
  }

  onCommitted(): void {
    if (!this.#asked) return;
    this.#asked = false;
    this.#wake();
  }
}
