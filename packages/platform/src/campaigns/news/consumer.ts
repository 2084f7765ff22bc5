import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { DeriveConsumer, DerivedBatch } from '../../derive/index.ts';
import type { RuleReading } from '../../segments/membership/index.ts';
import { eventNews } from './event-news.ts';
import { type ActiveKinds, insertNews, type PlayerNews, readActiveKinds, readPublished } from './store.ts';
import { isWanted, type WantedEvents, wantedEvents } from './wanted.ts';
import { noteWithdrawals } from './withdrawal-store.ts';

interface Options {
  wake: () => void;
  brands: { byId(brandId: number): Brand | undefined };
  rules: Pick<RuleReading, 'of'>;
  triggerAge: (brandId: number) => Micros;
}

/**
 * Stores events that may start or move a run, inside the transaction that derives them. Only events that an active campaign of the brand
 * may use are stored (wanted.ts); without an active campaign, this costs one statement per batch. Repeats and
 * conflicts are ignored: what they tell was already news when its first event came.
 */
export class CampaignConsumer implements DeriveConsumer {
  readonly #options: Options;
  #written = false;
  /** The active campaigns for which `#wanted` was computed. A published version never changes. */
  #active = '';
  #wanted: ReadonlyMap<number, WantedEvents> = new Map();

  constructor(options: Options) {
    this.#options = options;
  }

  async onBatch(tx: PoolClient, { applied }: DerivedBatch): Promise<void> {
    if (applied.length === 0) return;
    const news: PlayerNews[] = [];
    const wanted = await this.#wantedNow(tx, await readActiveKinds(tx));
    for (const [brandId, events] of Map.groupBy(applied, ({ brand_id }) => brand_id))
      news.push(...(await this.#newsOf(brandId, wanted.get(brandId), events)));
    await insertNews(tx, news);
    await noteWithdrawals(tx, news);
    if (news.length > 0) this.#written = true;
  }

  onCommitted(): void {
    if (!this.#written) return;
    this.#written = false;
    this.#options.wake();
  }

  async #newsOf(
    brandId: number,
    wanted: WantedEvents | undefined,
    events: DerivedBatch['applied'],
  ): Promise<PlayerNews[]> {
    const { brands, rules, triggerAge } = this.#options;
    const brand = brands.byId(brandId);
    if (wanted === undefined || brand === undefined) return [];
    const { catalog } = await rules.of(brand);
    const reading = { catalog, zone: brand.settings.time_zone };
    return events.flatMap((one): PlayerNews[] => {
      const { player_id, brand_id, event, verdict } = one;
      const matchers = wanted.always.has(event.kind) ? 'all' : wanted.matchers.get(event.kind);
      const isConflict = verdict === 'conflict';
      // The latest settlement of a ticket stands, so one with another amount has an effect. It moves runs, but starts none.
      if (verdict === 'repeat' || (isConflict && event.kind !== 'lottery') || matchers === undefined) return [];
      const read = eventNews(one, triggerAge(brand_id));
      if (read === undefined) return [];
      const news = isConflict ? { ...read, starts: false } : read;
      return matchers === 'all' || isWanted(news, matchers, reading) ? [{ player_id, brand_id, news }] : [];
    });
  }

  async #wantedNow(tx: PoolClient, active: readonly ActiveKinds[]): Promise<ReadonlyMap<number, WantedEvents>> {
    const key = JSON.stringify(active);
    if (key === this.#active) return this.#wanted;
    const versions = await readPublished(
      tx,
      active.map(({ campaign_id }) => campaign_id),
    );
    this.#wanted = wantedEvents(active, (campaignId) => versions.get(campaignId) ?? []);
    this.#active = key;
    return this.#wanted;
  }
}
