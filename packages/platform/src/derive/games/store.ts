import type { ClientBase } from 'pg';
import type { LearnedGame, LearnedVendor, Naming } from './learned.ts';

/*
 * One statement per table and batch reads what is known and writes only what is not, so that the common batch takes no lock
 * and writes nothing. Rows are written in the order of their keys: two workers that learn the same games never wait for each
 * other in a circle.
 */

const learnGames = learn('game', { brand_id: 'int', vendor_id: 'text', game_id: 'text' }, ['name', 'type']);
const learnVendors = learn('vendor', { brand_id: 'int', vendor_id: 'text' }, ['name']);

export async function saveGames(tx: ClientBase, games: readonly LearnedGame[]): Promise<void> {
  await tx.query({
    name: 'save_games',
    text: learnGames,
    values: [
      games.map((game) => game.brand_id),
      games.map((game) => game.vendor_id),
      games.map((game) => game.game_id),
      ...namings(games.map(({ name }) => name)),
      ...namings(games.map(({ type }) => type)),
    ],
  });
}

export async function saveVendors(tx: ClientBase, vendors: readonly LearnedVendor[]): Promise<void> {
  await tx.query({
    name: 'save_vendors',
    text: learnVendors,
    values: [
      vendors.map((vendor) => vendor.brand_id),
      vendors.map((vendor) => vendor.vendor_id),
      ...namings(vendors.map(({ name }) => name)),
    ],
  });
}

function namings(all: readonly (Naming | undefined)[]) {
  return [all.map((naming) => naming?.value ?? null), all.map((naming) => naming?.day ?? null)];
}

/** @param named columns that hold a name, each with its <column>_day */
function learn(table: string, key: Readonly<Record<string, string>>, named: readonly string[]): string {
  const keys = Object.keys(key);
  const columns = [...keys, ...named.flatMap((name) => [name, `${name}_day`])];
  const types = [...Object.values(key), ...named.flatMap(() => ['text', 'date'])];
  const stands = (name: string, given: string, held: string) =>
    `(${given}.${name} is not null and (${held}.${name} is null or ${given}.${name}_day > ${held}.${name}_day
      or (${given}.${name}_day = ${held}.${name}_day and ${given}.${name} collate "C" < ${held}.${name} collate "C")))`;
  const anyStands = (given: string, held: string) => named.map((name) => stands(name, given, held)).join(' or ');
  const taken = (column: string, name: string) =>
    `${column} = case when ${stands(name, 'excluded', 't')} then excluded.${column} else t.${column} end`;
  return `insert into ${table} as t (${columns.join(', ')})
    select ${columns.map((column) => `g.${column}`).join(', ')}
    from unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}) as g(${columns.join(', ')})
    left join ${table} known using (${keys.join(', ')})
    where known.brand_id is null or ${anyStands('g', 'known')}
    order by ${keys.map((column) => `g.${column}`).join(', ')}
    on conflict (${keys.join(', ')}) do update
      set ${named.flatMap((name) => [taken(name, name), taken(`${name}_day`, name)]).join(', ')}
      where ${anyStands('excluded', 't')}`;
}
