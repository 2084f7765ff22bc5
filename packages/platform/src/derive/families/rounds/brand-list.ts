import type { Micros } from '@croupier/contracts';
import type { ClientBase, Pool } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import { type ListedRound, listedRound, type RoundRow, roundColumns } from './list.ts';

/*
 * Lists rounds of all players of a brand that a person should look at: rounds that count without base amounts
 * (docs/reference/decisions.md 2.7), and rounds that have been open for a long time.
 *
 * Rounds have no index by brand, because there are billions of them. The few rounds of these lists are in partial indexes
 * over all brands, and a page reads at most `mostLookedAt` entries of an index. In an installation with one brand, that is
 * enough. If another brand has many such rounds, a page may be short or even empty. Its `next` then continues the list.
 */

/** Maximum number of index entries that one page reads. A page takes 10 to 80 ms on two busy cores; 80 ms if no entry matches. */
const mostLookedAt = 5_000;

export interface ListedBrandRound extends Omit<ListedRound, 'token'> {
  player_id: number;
  user_id: string;
}

/**
 * At least one of `unpriced: true` and `open_since` is required, because it selects the index. The others only filter.
 */
export interface BrandRoundFilter {
  unpriced?: boolean | undefined;
  /** Only open rounds that began at this time or before. */
  open_since?: Micros | undefined;
  vendor_id?: string | undefined;
  game_id?: string | undefined;
}

/** The place of a round in the list. The next page starts after it. */
export interface RoundPlace {
  first_at: Micros;
  player_id: number;
  round_key: number;
}

export interface BrandRoundPage {
  rounds: ListedBrandRound[];
  next: RoundPlace | null;
}

const indexed = { unpriced: 'unpriced', open: 'counted and not closed' } as const;
const directions = { newest: { order: 'desc', beyond: '<' }, oldest: { order: 'asc', beyond: '>' } } as const;

/**
 * @throws {RangeError} if the filter has neither `unpriced: true` nor `open_since`: it would read all rounds of all
 *   brands
 */
export async function listBrandRounds(
  db: Pool | ClientBase,
  brand: { brand_id: number; base_currency: string },
  filter: BrandRoundFilter,
  page: { limit: number; order: keyof typeof directions; after?: RoundPlace | undefined },
): Promise<BrandRoundPage> {
  const keys = await findKeys(db, brand.brand_id, filter, page);
  const own = keys.filter(({ own }) => own);
  const listed = own.slice(0, page.limit);
  // The last index entry that was read, and the entry after it if there is one.
  const [stopped, further] = keys.filter(({ own }) => !own);
  const last = own.length > page.limit ? listed.at(-1) : further && stopped;
  return { rounds: await readRounds(db, brand, listed), next: last === undefined ? null : placeOf(last) };
}

interface Key extends RoundPlace {
  own: boolean;
}

async function findKeys(
  db: Pool | ClientBase,
  brandId: number,
  filter: BrandRoundFilter,
  { limit, order: wanted, after }: { limit: number; order: keyof typeof directions; after?: RoundPlace | undefined },
): Promise<Key[]> {
  const { unpriced, open_since, vendor_id, game_id } = filter;
  if (unpriced !== true && open_since === undefined) throw new RangeError('rounds are listed by unpriced or by age');
  const { order, beyond } = directions[wanted];
  const inOrder = `first_at ${order}, player_id ${order}, round_key ${order}`;
  const isNarrowed =
    vendor_id !== undefined || game_id !== undefined || (unpriced !== undefined && open_since !== undefined);
  // `offset 0` makes the planner use a few index lookups per entry instead of joining whole tables.
  const { rows } = await db.query<Key>(
    `with near as materialized (
       select first_at, player_id, round_key from round
       where ${unpriced === true ? indexed.unpriced : indexed.open}
         and ($2::timestamptz is null or first_at <= $2)
         and ($3::timestamptz is null or (first_at, player_id, round_key) ${beyond} ($3, $4::bigint, $5::bigint))
       order by ${inOrder} limit ${mostLookedAt + 1}
     )
     (select n.*, true as own from near n
      cross join lateral (select from player p where p.player_id = n.player_id and p.brand_id = $1 offset 0) p
      where not $6::boolean or exists (
        select from round r
        where r.player_id = n.player_id and r.round_key = n.round_key and r.first_at = n.first_at
          and ($2::timestamptz is null or ${indexed.open})
          and ($7::boolean is null or unpriced = $7)
          and ($8::text is null or vendor_id = $8)
          and ($9::text is null or game_id = $9) offset 0)
      order by ${inOrder} limit $10)
     union all
     (select n.*, false from near n order by ${inOrder} offset ${mostLookedAt - 1} limit 2)
     order by own desc, ${inOrder}`,
    [
      brandId,
      open_since === undefined ? null : timestamptzText(open_since),
      after === undefined ? null : timestamptzText(after.first_at),
      after?.player_id ?? null,
      after?.round_key ?? null,
      isNarrowed,
      unpriced ?? null,
      vendor_id ?? null,
      game_id ?? null,
      limit + 1,
    ],
  );
  return rows;
}

/** Returns rounds in the order of the keys. A round that moved or was removed since its key was found is left out. */
async function readRounds(
  db: Pool | ClientBase,
  { base_currency }: { base_currency: string },
  keys: readonly RoundPlace[],
): Promise<ListedBrandRound[]> {
  const { rows } = await db.query<RoundRow & { player_id: number; user_id: string }>(
    `select r.player_id, p.user_id, ${roundColumns}
     from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) with ordinality as k(of_player, of_key, at, nth)
     join round r on r.player_id = k.of_player and r.round_key = k.of_key and r.first_at = k.at
     join player p on p.player_id = k.of_player
     order by k.nth`,
    [
      keys.map(({ player_id }) => player_id),
      keys.map(({ round_key }) => round_key),
      keys.map(({ first_at }) => timestamptzText(first_at)),
    ],
  );
  return rows.map(({ player_id, user_id, ...row }) => {
    const { token: _, ...round } = listedRound(row, { player_id, base_currency });
    return { player_id, user_id, ...round };
  });
}

function placeOf({ first_at, player_id, round_key }: RoundPlace): RoundPlace {
  return { first_at, player_id, round_key };
}

/**
 * The limit of `countUnpriced`. If there are more unpriced rounds than this, they probably have one common cause, and the exact number is
 * not needed.
 */
export const mostUnpriced = 1_000;
const newestUnpriced = 20_000;

/**
 * Counts this brand's rounds among the newest unpriced rounds of all brands, up to `mostUnpriced`. Takes at most about
 * 30 ms.
 */
export async function countUnpriced(db: Pool | ClientBase, brandId: number): Promise<number> {
  const { rows } = await db.query<{ rounds: number }>(
    `select count(*)::int as rounds from (
       select from (
         select player_id from round where unpriced order by first_at desc limit ${newestUnpriced}
       ) r
       join player p on p.player_id = r.player_id and p.brand_id = $1
       limit ${mostUnpriced}
     ) own`,
    [brandId],
  );
  return rows[0]?.rounds ?? 0;
}
