import type { Micros } from '@croupier/contracts';
import { type ActiveVersion, readsCauseOf } from '../active/active-version.ts';
import type { News } from '../cause.ts';
import type { PlayerNews } from '../news/store.ts';
import type { DueRow } from './store.ts';

/** What to evaluate, by player and version, with the reasons. Without a reason only the due time is computed. */
export type Work = Map<number, Map<number, News[]>>;

export interface RecordNews {
  player_id: number;
  brand_id: number;
  source: string;
  silent: boolean;
  at: Micros;
}

/**
 * Determines which versions to evaluate for which players. Pure.
 *
 * @param active in force or being computed
 * @param memberOf the versions in which a player has a row: protection changes the player's state there
 */
export function workOf(
  active: readonly ActiveVersion[],
  found: {
    at: Micros;
    created: readonly { player_id: number; brand_id: number }[];
    news: readonly PlayerNews[];
    records: readonly RecordNews[];
    due: readonly DueRow[];
  },
  memberOf: (playerId: number) => Iterable<number>,
): Work {
  const work: Work = new Map();
  const byId = new Map(active.map((version) => [version.version_id, version]));
  const add = (playerId: number, versionId: number, news?: News) => {
    const own = work.get(playerId) ?? new Map<number, News[]>();
    work.set(playerId, own);
    const reasons = own.get(versionId) ?? [];
    own.set(versionId, reasons);
    if (news !== undefined) reasons.push(news);
  };
  const readers = new Readers(active);
  // A rule may be satisfied by a player about whom nothing is known. So every version is evaluated for a new player,
  // with the cause that created the player. If there is no event, the player came from a list, or from an event that the ledger
  // no longer keeps. Neither may start anything.
  const isNew = new Set(found.created.map(({ player_id }) => player_id));
  const first: News = { cause: { type: 'record', source: 'first_seen', at: found.at }, silent: true };
  const withNews = new Set(found.news.map(({ player_id }) => player_id));
  for (const { player_id, brand_id } of found.created) {
    if (withNews.has(player_id)) continue;
    for (const version of active) if (version.brand_id === brand_id) add(player_id, version.version_id, first);
  }
  for (const { player_id, brand_id, causes, version_id } of found.news) {
    for (const news of causes) {
      if (version_id !== null) {
        if (byId.has(version_id)) add(player_id, version_id, news);
        continue;
      }
      const own = isNew.has(player_id) ? readers.all(brand_id) : readers.of(brand_id, news);
      for (const version of own) add(player_id, version.version_id, news);
    }
  }
  for (const { player_id, brand_id, source, silent, at } of found.records) {
    const held = new Set(memberOf(player_id));
    for (const version of active) {
      if (version.brand_id !== brand_id) continue;
      if (version.readsRecords || held.has(version.version_id))
        add(player_id, version.version_id, { cause: { type: 'record', source, at }, silent });
    }
  }
  for (const { player_id, version_id, due_at } of found.due)
    if (byId.has(version_id)) add(player_id, version_id, { cause: { type: 'time', at: due_at }, silent: false });
  return work;
}

/**
 * The versions of each brand, and which of them read what a cause changed. The result is cached per kind, because thousands of events have
 * the same few kinds.
 */
class Readers {
  readonly #byBrand: ReadonlyMap<number, readonly ActiveVersion[]>;
  readonly #ofKind = new Map<string, readonly ActiveVersion[]>();

  constructor(active: readonly ActiveVersion[]) {
    this.#byBrand = Map.groupBy(active, ({ brand_id }) => brand_id);
  }

  all(brandId: number): readonly ActiveVersion[] {
    return this.#byBrand.get(brandId) ?? [];
  }

  of(brandId: number, news: News): readonly ActiveVersion[] {
    const { cause } = news;
    if (cause.type !== 'event') return this.all(brandId).filter((version) => readsCauseOf(version, news));
    const key = `${brandId} ${cause.kind}`;
    const known = this.#ofKind.get(key);
    if (known !== undefined) return known;
    const found = this.all(brandId).filter((version) => readsCauseOf(version, news));
    this.#ofKind.set(key, found);
    return found;
  }
}
