import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import { type ConsumedEvent, type DeriveConsumer, type DerivedBatch, positionName } from '../../../derive/index.ts';
import type { News } from '../cause.ts';
import { type EventNews, insertEventNews } from './store.ts';

/**
 * Records the players whose facts a batch changed, inside the transaction that derives them. It writes one row per player, and only if the
 * rule of some version uses what happened.
 *
 * Repeats create news, too, because a repeat with an earlier timestamp changes the fact. If a player has several events of one kind, it
 * records the latest of those that may start a campaign. If none may, it records the latest.
 */
export class SegmentConsumer implements DeriveConsumer {
  readonly #wake: () => void;
  readonly #triggerAge: (brandId: number) => Micros;
  #written = false;

  constructor(options: { wake: () => void; triggerAge: (brandId: number) => Micros }) {
    this.#wake = options.wake;
    this.#triggerAge = options.triggerAge;
  }

  async onBatch(tx: PoolClient, { applied }: DerivedBatch): Promise<void> {
    const news = newsOf(applied, this.#triggerAge);
    if (news.length > 0 && (await insertEventNews(tx, news)) > 0) this.#written = true;
  }

  onCommitted(): void {
    if (!this.#written) return;
    this.#written = false;
    this.#wake();
  }
}

export function newsOf(applied: readonly ConsumedEvent[], triggerAge: (brandId: number) => Micros): EventNews[] {
  const byPlayer = new Map<number, { brand_id: number; byKind: Map<string, News> }>();
  for (const { player_id, brand_id, event, received_at, position } of applied) {
    const { kind, timestamp: at } = event;
    const silent = at < received_at - triggerAge(brand_id);
    const entry = byPlayer.get(player_id) ?? { brand_id, byKind: new Map<string, News>() };
    byPlayer.set(player_id, entry);
    const known = entry.byKind.get(kind);
    if (known && (known.silent === silent ? known.cause.at > at : silent)) continue;
    entry.byKind.set(kind, { cause: { type: 'event', id: positionName(position), kind, at }, silent });
  }
  return [...byPlayer].map(([player_id, { brand_id, byKind }]) => ({
    player_id,
    brand_id,
    causes: [...byKind.values()],
    kinds: [...byKind.keys()].join(' '),
  }));
}
