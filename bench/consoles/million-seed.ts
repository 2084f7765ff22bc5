import type { Pool } from 'pg';
import { derivedRate } from '../load/derived-rate.ts';
import type { BenchPlatform } from '../platform.ts';
import { seedPlayers } from '../seed-players.ts';
import { seedEngagement } from './million-engagement.ts';

/** Every table of facts (docs/glossary.md): one row per fact. */
const factTables = [
  'registration',
  'login',
  'payment',
  'round',
  'session',
  'bet',
  'lottery_purchase',
  'lottery_ticket',
  'bonus',
  'cart',
  'balance',
  'custom_event',
  'site_event',
];
const factsPerPlayer = 20;
/** Minimum number of different players to copy. */
const fewestTemplates = 200;
const mostPlays = 10;

export interface Stored {
  players: number;
  events: number;
  facts: number;
}

/**
 * Fills the platform up to this many players, with 20 facts each on average. They are copies of players who played for a few
 * seconds, with the same events, but with their own names, e-mails and phone numbers. million-engagement.ts adds segments, runs,
 * messages, decisions and bonuses. Does nothing if that many players are stored.
 */
export async function seedConsole(platform: BenchPlatform, count: number): Promise<Stored> {
  const { pool } = platform;
  const { rows } = await pool.query<{ brand_id: number }>('select brand_id from brand');
  const brandId = rows[0]?.brand_id ?? 0;
  if ((await storedIn(pool)).players < count) {
    const templates = await playedTemplates(platform, brandId);
    await seedPlayers(pool, { brandId, templates, count, named: [], withEvents: true });
    await pool.query(people, [brandId]);
    await pool.query(audit, [brandId, auditEntries]);
    await pool.query('vacuum (analyze) player_profile, console_audit, console_audit_mark');
    await seedEngagement(platform);
    await pool.query('checkpoint');
  }
  return storedIn(pool);
}

async function storedIn(pool: Pool): Promise<Stored> {
  const { rows } = await pool.query<Stored>(
    `select (select count(*) from player) as players, (select count(*) from journal) as events,
            ${factTables.map((table) => `(select count(*) from live.${table})`).join(' + ')} as facts`,
  );
  return rows[0] ?? { players: 0, events: 0, facts: 0 };
}

/** Plays until there are enough different players to copy. */
async function playedTemplates(platform: BenchPlatform, brandId: number): Promise<number[]> {
  for (let seed = 0; seed < mostPlays; seed++) {
    await derivedRate(platform, { seconds: 15, seed });
    const templates = await templatesOf(platform.pool, brandId);
    if (templates !== null) return templates;
  }
  throw new Error(`after ${mostPlays} plays there are too few players with ${factsPerPlayer} facts`);
}

/** The players with the fewest facts who together have the required average. Null if there are too few of them. */
async function templatesOf(pool: Pool, brandId: number): Promise<number[] | null> {
  const facts = factTables.map((table) => `select player_id from live.${table}`).join(' union all ');
  const { rows } = await pool.query<{ player_id: number; facts: number }>(
    `select player_id, count(*)::int as facts from (${facts}) f join player using (player_id)
     where brand_id = $1 group by player_id order by facts`,
    [brandId],
  );
  const templates: number[] = [];
  let sum = 0;
  for (const row of rows) {
    templates.push(row.player_id);
    sum += row.facts;
    if (sum >= factsPerPlayer * templates.length && templates.length >= fewestTemplates) return templates;
  }
  return null;
}

const oneOf = (words: string, divisor: number) => {
  const list = words.split(' ');
  return `(array[${list.map((word) => `'${word}'`).join(',')}])[1 + s.player_id / ${divisor} % ${list.length}]`;
};
const firstName = `${oneOf('An Be Ca Da El Fe Gi Ha Io Ju Ka Le Mi Na Ol Pe Ro Sa To Vi', 1)} || ${oneOf('na la ra ta no lo ro to mia nia ria via', 20)}`;
const lastName = `${oneOf('Al Bor Cas Dim Ek Far Gal Hol Jan Kov Lund Mar Nil Or Pet Ros Sand Ter Vel Zam', 240)} || ${oneOf('an berg din eri feldt gren hof ini josi kin lov man nen ova qvist sen ti ulis vic wood', 4_800)}`;

/** The number of entries that a staff of 100 makes in a year, with 20 entries per person and day. */
const auditEntries = 500_000;
const audit = `
  with entry as (
    insert into console_audit (at, actor, brand_id, action, subject)
    select now() - make_interval(secs => ($2::int - n) * 60), 'admin token', $1,
           case when n % 50000 = 0 then 'key.revoked' else 'player.revealed' end, 'player ' || n
    from generate_series(1, $2::int) n returning audit_id)
  insert into console_audit_mark (audit_id) select audit_id from entry`;

/** The operator's details of every player: 240 first names, 400 last names, and numbers of eight digits, each once. */
const people = `
  insert into player_profile (player_id, first_name, last_name, email, mobile_prefix, mobile, country, language, currency, birth_date, changed_at)
  select player_id, first_name, last_name, lower(first_name || '.' || last_name) || player_id || '@example.com', '356',
         (10000000 + player_id * 48271 % 89999999)::text, ${oneOf('MT SE DE FI NO GB CA NZ', 1)}, ${oneOf('en de sv', 1)}, 'EUR',
         (date '1950-01-01' + (player_id % 20000)::int)::text, now()
  from (select player_id, ${firstName} as first_name, ${lastName} as last_name from player s where brand_id = $1 order by player_id) s
  on conflict (player_id) do nothing`;
