import { changesProtection } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import { awaitAll } from '../../../database/index.ts';
import type { ConsumedEvent, DeriveConsumer, DerivedBatch, TooOldUpdate } from '../../../derive/index.ts';
import { lookUps } from '../../judging/index.ts';
import { laneOf, lanes } from './lane.ts';
import { noteNews } from './news-store.ts';
import { knownPlayers, type LookUpRequest, requestLookUps } from './request-store.ts';
import { lookUpsAfter } from './requests.ts';

/*
 * Turns events into look-ups, inside the transaction that derives them. So a refresh is requested exactly when its event
 * counts, even after a crash.
 *
 * A player without any look-up is new, regardless of the event (docs/reference/decisions.md 2.10), and gets all three.
 * Checking that for every casino event would cost a query per player and batch, so known players are kept in memory.
 * Only players that an earlier transaction committed are kept, because the current one may roll back.
 */
const maxRemembered = 200_000;
const defaultTriggerAgeMinutes = 30;

export class RefreshConsumer implements DeriveConsumer {
  #brands: { byId(brandId: number): Brand | undefined };
  #known = new Set<number>();
  /** Called when look-ups may be due. Wakes the scheduler of this process before its next poll. */
  readonly onCommitted: () => void;

  constructor(options: { brands: { byId(brandId: number): Brand | undefined }; wake: () => void }) {
    this.#brands = options.brands;
    this.onCommitted = options.wake;
  }

  async onBatch(tx: PoolClient, batch: DerivedBatch): Promise<void> {
    const fresh = await this.#neverLookedUp(tx, batch);
    const requests = batch.applied.flatMap((applied): LookUpRequest[] => {
      const { player_id, brand_id, event, received_at, verdict } = applied;
      const asks = isHeeded(applied);
      if (verdict === 'repeat' && !asks) return [];
      const wanted = fresh.has(player_id) ? lookUps : asks ? lookUpsAfter(event.kind) : [];
      if (wanted.length === 0) return [];
      const triggerAge = this.#brands.byId(brand_id)?.settings.trigger_age_minutes ?? defaultTriggerAgeMinutes;
      const lane = laneOf({ timestamp: event.timestamp, received_at }, triggerAge);
      const silent = lane === lanes.background;
      return wanted.map((look_up) => ({ player_id, brand_id, look_up, lane, silent }));
    });
    const updates = batch.applied.filter((applied) => changesProtection(applied.event.kind) && isHeeded(applied));
    const news = updates.flatMap(({ player_id, event, received_at }) =>
      lookUpsAfter(event.kind).map((look_up) => ({ player_id, look_up, received_at })),
    );
    await awaitAll([requestLookUps(tx, requests), noteNews(tx, news)]);
  }

  async onTooOld(tx: PoolClient, updates: readonly TooOldUpdate[]): Promise<void> {
    const requests = updates.flatMap(({ player_id, brand_id, kind }) =>
      lookUpsAfter(kind).map((look_up) => ({ player_id, brand_id, look_up, lane: lanes.background, silent: true })),
    );
    const news = requests.map(({ player_id, look_up }) => ({ player_id, look_up, received_at: null }));
    await awaitAll([requestLookUps(tx, requests), noteNews(tx, news)]);
  }

  async #neverLookedUp(tx: PoolClient, batch: DerivedBatch): Promise<Set<number>> {
    const unsure = new Set(batch.applied.map(({ player_id }) => player_id).filter((id) => !this.#known.has(id)));
    if (unsure.size === 0) return unsure;
    const known = await knownPlayers(tx, [...unsure]);
    if (this.#known.size + known.length > maxRemembered) this.#known.clear();
    for (const id of known) {
      this.#known.add(id);
      unsure.delete(id);
    }
    return unsure;
  }
}

/**
 * Whether the event requests the look-ups of its kind. Retries of an event that is already a fact request nothing. But a second
 * registration always counts as a repeat, and may set another protection than the first.
 */
function isHeeded({ event, verdict }: Pick<ConsumedEvent, 'event' | 'verdict'>): boolean {
  return verdict === 'applied' || (verdict === 'repeat' && changesProtection(event.kind));
}
