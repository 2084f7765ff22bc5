import type { Micros } from '@croupier/contracts';
import type { Pool } from 'pg';

/** Known values of a field, by its name; for a field of a fact by `did.<fact>.<field>`. */
export type SeenValues = ReadonlyMap<string, readonly string[]>;

/** How long the values are cached. */
const freshFor: Micros = 5 * 60_000_000;
/** The number of players whose records are read. A bucket is a random sample. */
const sampledPlayers = 2_000;
const mostValues = 200;

/**
 * Countries, vendors, games, bonus codes and similar values of a brand's players, for people who build rules.
 * Catalogs are read in full; other values are read from a sample of players, so a rare value may be missing. Reads at
 * most once in 5 minutes per brand and process.
 */
export class KnownValues {
  readonly #pool: Pool;
  readonly #clock: () => Micros;
  readonly #read = new Map<number, { at: Micros; values: Promise<SeenValues> }>();

  constructor({ pool, clock }: { pool: Pool; clock: () => Micros }) {
    this.#pool = pool;
    this.#clock = clock;
  }

  of(brandId: number): Promise<SeenValues> {
    const known = this.#read.get(brandId);
    const at = this.#clock();
    if (known !== undefined && at - known.at < freshFor) return known.values;
    const values = readValues(this.#pool, brandId);
    this.#read.set(brandId, { at, values });
    // A failure is not cached for 5 minutes.
    values.catch(() => this.#read.delete(brandId));
    return values;
  }
}

const profileFields = ['country', 'currency', 'language', 'market', 'origin', 'sex'] as const;

const vendors = ['did.round.vendor_id', 'trait.casino_favorite_vendor'];
const games = ['did.round.game_id', 'trait.casino_favorite_game'];
const paymentVendors = [
  'did.payment.vendor_id',
  'trait.deposit_favorite_vendor',
  'trait.deposit_last_vendor',
  'trait.withdrawal_favorite_vendor',
  'trait.withdrawal_last_vendor',
];

/** SQL of the values of some fields. `players` contains the players of the sample. */
const sources: readonly { fields: readonly string[]; sql: string }[] = [
  ...profileFields.map((name) => ({
    fields: [`profile.${name}`],
    sql: `select ${name} from player_profile where player_id in (select player_id from players)`,
  })),
  {
    fields: ['profile.roles'],
    sql: 'select unnest(roles) from player_profile where player_id in (select player_id from players)',
  },
  { fields: vendors, sql: 'select vendor_id from vendor where brand_id = $1' },
  { fields: games, sql: 'select game_id from game where brand_id = $1' },
  {
    fields: paymentVendors,
    sql: 'select vendor_id from payment_total where player_id in (select player_id from players)',
  },
  {
    fields: ['did.bet.sports_name'],
    sql: 'select sports_name from sports_total where player_id in (select player_id from players)',
  },
  {
    fields: ['did.bonus.bonus_code'],
    sql: 'select bonus_code from bonus where player_id in (select player_id from players)',
  },
  {
    fields: ['did.custom.notification_type'],
    sql: 'select name from custom_count where player_id in (select player_id from players)',
  },
  {
    fields: ['did.site_event.name'],
    sql: 'select name from site_event_count where player_id in (select player_id from players)',
  },
];

async function readValues(pool: Pool, brandId: number): Promise<SeenValues> {
  const parts = sources.map(
    ({ sql }, i) =>
      `(select ${i} as source, value from (${sql}) s(value) where value <> '' group by value order by count(*) desc, value collate "C" limit ${mostValues})`,
  );
  const { rows } = await pool.query<{ source: number; value: string }>(
    `with players as materialized (
       select player_id from player where brand_id = $1 and erased_at is null
       order by bucket, hashint8(player_id) limit ${sampledPlayers}
     ) ${parts.join(' union all ')}`,
    [brandId],
  );
  const bySource = Map.groupBy(rows, ({ source }) => source);
  return new Map(
    sources.flatMap(({ fields }, i) => {
      const values = (bySource.get(i) ?? []).map(({ value }) => value).sort();
      return fields.map((field) => [field, values] as const);
    }),
  );
}
