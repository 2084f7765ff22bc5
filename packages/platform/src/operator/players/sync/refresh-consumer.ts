import { changesProtection } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../../../brands/index.ts';
import type { ConsumedEvent, DeriveConsumer, DerivedBatch, TooOldUpdate } from '../../../derive/index.ts';
import { lookUps } from '../../calling/index.ts';
import { laneOf, lanes } from './lane.ts';
import { noteNews } from './news-store.ts';
import { knownPlayers, type LookUpRequest, requestLookUps } from './request-store.ts';
import { lookUpsAfter } from './requests.ts';

/*
 * Turns events into look-ups, inside the transaction that derives them: a refresh is asked for exactly when its event
 * counts, and a crash between the two is not possible.
 *
 * A player of whom nothing was ever looked up is new, whatever the event (docs/reference/decisions.md 2.10), and gets all three. To ask
 * that of every casino event would cost a query per player and batch, so those known are remembered. Only what an
 * earlier transaction committed is remembered: this one may still roll back.
 */
const maxRemembered = 200_000;
const defaultTriggerAgeMinutes = 30;

export class RefreshConsumer implements DeriveConsumer {
  #brands: { byId(brandId: number): Brand | undefined };
  #known = new Set<number>();
  /** Look-ups may be due: the scheduler of this process need not wait for its next poll. */
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
    await requestLookUps(tx, requests);
    const updates = batch.applied.filter((applied) => changesProtection(applied.event.kind) && isHeeded(applied));
    await noteNews(
      tx,
      updates.flatMap(({ player_id, event }) => lookUpsAfter(event.kind).map((look_up) => ({ player_id, look_up }))),
    );
  }

  async onTooOld(tx: PoolClient, updates: readonly TooOldUpdate[]): Promise<void> {
    const requests = updates.flatMap(({ player_id, brand_id, kind }) =>
      lookUpsAfter(kind).map((look_up) => ({ player_id, brand_id, look_up, lane: lanes.background, silent: true })),
    );
    await requestLookUps(tx, requests);
    await noteNews(tx, requests);
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
 * Whether the event asks for the look-ups of its kind. Retries of one that is a fact ask for nothing; but a second registration is
 * called a repeat whatever it says, and it may come with another protection than the first.
 */
function isHeeded({ event, verdict }: Pick<ConsumedEvent, 'event' | 'verdict'>): boolean {
  return verdict === 'applied' || (verdict === 'repeat' && changesProtection(event.kind));
}
