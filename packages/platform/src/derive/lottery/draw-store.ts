import type { ClientBase } from 'pg';
import { type LearnedDraw, sayings } from './draws.ts';

/*
 * One statement a batch reads what is known and writes only what is not, so that the common batch takes no lock and writes
 * nothing. Rows are written in the order of their keys: two workers that learn of the same draws never wait for each other in
 * a circle.
 */

const keys = ['brand_id', 'version', 'lottery_id', 'draw_id'];
const columns = [...keys, ...sayings.flatMap((saying) => [saying, `${saying}_at`])];
const types = ['int', 'smallint', 'text', 'text', ...sayings.flatMap((saying) => [typeOf(saying), 'timestamptz'])];

function typeOf(saying: (typeof sayings)[number]): string {
  return saying === 'draw_date' ? 'timestamptz' : 'text';
}

/** Whether what is given stands against what is held (draws.ts). */
function stands(saying: (typeof sayings)[number], given: string, held: string): string {
  const collation = saying === 'draw_date' ? '' : ' collate "C"';
  return `(${given}.${saying} is not null and (${held}.${saying} is null or ${given}.${saying}_at > ${held}.${saying}_at
    or (${given}.${saying}_at = ${held}.${saying}_at and ${given}.${saying}${collation} < ${held}.${saying}${collation})))`;
}

function anyStands(given: string, held: string): string {
  return sayings.map((saying) => stands(saying, given, held)).join(' or ');
}

function taken(column: string, saying: (typeof sayings)[number]): string {
  return `${column} = case when ${stands(saying, 'excluded', 't')} then excluded.${column} else t.${column} end`;
}

const learn = `insert into draw as t (${columns.join(', ')})
  select ${columns.map((column) => `g.${column}`).join(', ')}
  from unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}) as g(${columns.join(', ')})
  left join draw known using (${keys.join(', ')})
  where known.brand_id is null or ${anyStands('g', 'known')}
  order by ${keys.map((column) => `g.${column}`).join(', ')}
  on conflict (${keys.join(', ')}) do update
    set ${sayings.flatMap((saying) => [taken(saying, saying), taken(`${saying}_at`, saying)]).join(', ')}
    where ${anyStands('excluded', 't')}`;

export async function saveDraws(tx: ClientBase, draws: readonly LearnedDraw[]): Promise<void> {
  if (draws.length === 0) return;
  await tx.query({
    name: 'save_draws',
    text: learn,
    values: [
      draws.map((draw) => draw.brand_id),
      draws.map((draw) => draw.version),
      draws.map((draw) => draw.lottery_id),
      draws.map((draw) => draw.draw_id),
      ...sayings.flatMap((saying) => [
        draws.map((draw) => draw[saying]?.value ?? null),
        draws.map((draw) => draw[saying]?.at ?? null),
      ]),
    ],
  });
}
