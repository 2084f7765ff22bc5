import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { DeriveConsumer, DerivedBatch } from '../../derive/index.ts';
import { eventNews } from './event-news.ts';
import { insertNews, readKinds } from './store.ts';

/**
 * Stores events that may start or move a run, inside the transaction that derives them. Only kinds that an active campaign of
 * the brand uses are stored; without any, it costs one statement per batch. Repeats of an event are ignored.
 */
export class CampaignConsumer implements DeriveConsumer {
  readonly #wake: () => void;
  readonly #triggerAge: (brandId: number) => Micros;
  #written = false;

  constructor(options: { wake: () => void; triggerAge: (brandId: number) => Micros }) {
    this.#wake = options.wake;
    this.#triggerAge = options.triggerAge;
  }

  async onBatch(tx: PoolClient, { applied }: DerivedBatch): Promise<void> {
    if (applied.length === 0) return;
    const kinds = await readKinds(tx);
    const news = applied.flatMap((one) => {
      const { player_id, brand_id, event, verdict } = one;
      if (verdict === 'repeat' || kinds.get(brand_id)?.has(event.kind) !== true) return [];
      return [{ player_id, brand_id, news: eventNews(one, this.#triggerAge(brand_id)) }];
    });
    await insertNews(tx, news);
    if (news.length > 0) this.#written = true;
  }

  onCommitted(): void {
    if (!this.#written) return;
    this.#written = false;
    this.#wake();
  }
}
