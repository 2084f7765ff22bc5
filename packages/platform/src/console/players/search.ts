import type { Pool } from 'pg';
import { playersOfTypedNumber, reversedDigits, reversedEndOf } from '../../channels/index.ts';
import { listColumns, type PlayerFound } from './store.ts';

/*
 * Searches players by what a person knows about them. The text is compared in this order:
 *
 *   user_id    begins with the text
 *   email      begins with the text, or equals it; letter case is ignored
 *   mobile     the whole number, however it is written
 *   name       "first last" begins with the text; letter case is ignored
 *   last_name  "last first" begins with the text; letter case is ignored
 *   last_word, first_word   the last word of a last or first name of several words begins with the text
 *   number_end the last digits of the phone number, from four digits on
 *
 * Each way reads one page from its own index of the brand, so a search costs the same for any number of players. If all matches
 * were sorted by user_id, a search for `ann` among a million players would first have to read all 50,000 of them. Each way omits
 * players whom an earlier way found.
 */
export const ways = [
  ...(['user_id', 'email', 'mobile', 'name', 'last_name'] as const),
  ...(['last_word', 'first_word', 'number_end'] as const),
] as const;
export type Way = (typeof ways)[number];

/**
 * Whether personal data is searched: not at all, only complete e-mails and numbers, or also by the beginning. `whole` is for
 * callers who may look up what a player stated, but must not guess it letter by letter.
 */
export type PersonalSearch = 'none' | 'whole' | 'beginning';

/** The last player of a page. It contains no personal data: the next page reads the e-mail or the name of that player again. */
export interface SearchPlace {
  way: Way;
  user_id: string;
  player_id: number;
}

export type Found = PlayerFound & { way: Way };

interface Search {
  brandId: number;
  text: string;
  personal: PersonalSearch;
}

export async function searchPlayers(
  pool: Pool,
  search: Search,
  limit: number,
  after: SearchPlace | null,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const way of ways.slice(after === null ? 0 : ways.indexOf(after.way))) {
    if (found.length >= limit || (way !== 'user_id' && search.personal === 'none')) break;
    const place = after?.way === way ? after : null;
    const rows = await readers[way](pool, search, limit - found.length, place);
    found.push(...rows.map((row) => ({ ...row, way })));
  }
  return found;
}

type Reader = (pool: Pool, search: Search, limit: number, after: SearchPlace | null) => Promise<PlayerFound[]>;

const readers: Record<Way, Reader> = {
  user_id: byUserId,
  email: (pool, search, limit, after) => {
    if (search.personal === 'whole' && !search.text.includes('@')) return Promise.resolve([]);
    return byKey(pool, 'email', { ...search, whole: search.personal === 'whole' }, limit, after);
  },
  mobile: byMobile,
  name: byName('name'),
  last_name: byName('last_name'),
  last_word: byName('last_word'),
  first_word: byName('first_word'),
  number_end: byNumberEnd,
};

async function byUserId(
  pool: Pool,
  { brandId, text }: Search,
  limit: number,
  after: SearchPlace | null,
): Promise<PlayerFound[]> {
  const { rows } = await pool.query<PlayerFound>(
    `select ${listColumns}
       from player p left join player_profile d using (player_id)
      where p.brand_id = $1 and p.erased_at is null and p.user_id collate "C" >= $2 and p.user_id collate "C" < $2 || chr(1114111)
        and ($4::text is null or p.user_id collate "C" > $4)
      order by p.user_id collate "C" limit $3`,
    [brandId, text, limit, after?.user_id ?? null],
  );
  return rows;
}

async function byMobile(
  pool: Pool,
  { brandId, text }: Search,
  limit: number,
  after: SearchPlace | null,
): Promise<PlayerFound[]> {
  const players = await playersOfTypedNumber(pool, brandId, text);
  if (players.length === 0) return [];
  const { rows } = await pool.query<PlayerFound>(
    `select ${listColumns}
       from player p join player_profile d using (player_id)
      where p.brand_id = $1 and p.player_id = any ($2::bigint[]) and p.player_id > $4 and not starts_with(p.user_id, $5)
      order by p.player_id limit $3`,
    [brandId, players, limit, after?.player_id ?? 0, text],
  );
  return rows;
}

/** Words separated by one space, as in the indexes: `Berg, Ann` is `Berg Ann`. */
function byName(way: 'name' | 'last_name' | 'last_word' | 'first_word'): Reader {
  return (pool, search, limit, after) => {
    const text = search.text.replace(/[\s,]+/g, ' ').trim();
    if (search.personal !== 'beginning' || text === '') return Promise.resolve([]);
    return byKey(pool, way, { ...search, text, typed: search.text, whole: false }, limit, after);
  };
}

async function byNumberEnd(
  pool: Pool,
  search: Search,
  limit: number,
  after: SearchPlace | null,
): Promise<PlayerFound[]> {
  const end = reversedEndOf(search.text);
  if (search.personal !== 'beginning' || end === null) return [];
  const whole = await playersOfTypedNumber(pool, search.brandId, search.text);
  return byKey(
    pool,
    'number_end',
    { ...search, text: end, typed: search.text, whole: false, found: whole },
    limit,
    after,
  );
}

/** SQL expressions, exactly as in the indexes of player_profile. */
const keys = {
  email: `lower(d.email) collate "C"`,
  name: `lower(coalesce(d.first_name, '') || ' ' || coalesce(d.last_name, '')) collate "C"`,
  last_name: `lower(coalesce(d.last_name, '') || ' ' || coalesce(d.first_name, '')) collate "C"`,
  last_word: `lower(substring(d.last_name from '[^[:space:]-]+$')) collate "C"`,
  first_word: `lower(substring(d.first_name from '[^[:space:]-]+$')) collate "C"`,
  number_end: reversedDigits('d'),
};

/** The conditions of partial indexes. */
const indexed: Partial<Record<keyof typeof keys, string>> = {
  last_word: `d.last_name ~ '[[:space:]-]'`,
  first_word: `d.first_name ~ '[[:space:]-]'`,
};

/** Conditions that omit players whom an earlier way found. $5 is the text as typed. */
const foundById = 'starts_with(p.user_id, $5)';
const foundByEmail = `coalesce(starts_with(lower(d.email), lower($5)), false)`;
const foundByName = `starts_with(${keys.name}, lower($2))`;
const foundByLastName = `starts_with(${keys.last_name}, lower($2))`;
const foundByLastWord = `coalesce(${indexed.last_word} and starts_with(${keys.last_word}, lower($2)), false)`;
const earlier = {
  email: foundById,
  name: `${foundById} or ${foundByEmail}`,
  last_name: `${foundById} or ${foundByEmail} or ${foundByName}`,
  last_word: `${foundById} or ${foundByEmail} or ${foundByName} or ${foundByLastName}`,
  first_word: `${foundById} or ${foundByEmail} or ${foundByName} or ${foundByLastName} or ${foundByLastWord}`,
  // A name does not begin with digits. The players with the whole number are in $6.
  number_end: `${foundById} or ${foundByEmail} or d.player_id = any ($6::bigint[])`,
};

async function byKey(
  pool: Pool,
  way: keyof typeof keys,
  search: { brandId: number; text: string; typed?: string; whole: boolean; found?: readonly number[] },
  limit: number,
  after: SearchPlace | null,
): Promise<PlayerFound[]> {
  const key = keys[way];
  const last = `(select ${key} from player_profile d where d.player_id = $4)`;
  const { rows } = await pool.query<PlayerFound>(
    `select ${listColumns}
       from player_profile d join player p using (player_id)
      where d.brand_id = $1 and p.erased_at is null and ${indexed[way] ?? 'true'}
        and ${key} >= lower($2) and ${key} ${search.whole ? '= lower($2)' : '< lower($2) || chr(1114111)'}
        and ($4::bigint is null or ${key} >= ${last})
        and ($4::bigint is null or (${key}, d.player_id) > (${last}, $4))
        and not (${earlier[way]})
      order by ${key}, d.player_id limit $3`,
    [
      ...[search.brandId, search.text, limit, after?.player_id ?? null, search.typed ?? search.text],
      ...(search.found === undefined ? [] : [search.found]),
    ],
  );
  return rows;
}
