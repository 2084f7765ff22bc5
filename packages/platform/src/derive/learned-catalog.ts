import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';

/*
 * What a brand's events say about things that belong to no player: its games, vendors and draws (docs/decisions/0320
 * and 0330). Values are only ever added or replaced. A rebuild neither hashes nor recomputes such a table, and applying
 * an event again has the same result as the first time.
 *
 * Of two values, the one with the later moment is in force. If both have the same moment, the value whose bytes sort first is in force. So
 * the order of events does not matter. Moments are rounded down to the day or the minute, so that a row is not written for every event that
 * repeats its values.
 */

export interface Saying {
  value: string;
  /** The rounded moment of the latest event with this value, as text of fixed width, so that texts sort by time. */
  at: string;
}

/** One thing with the values in force. */
export type Learned<Key extends string, Says extends string> = Readonly<Record<Key, string | number>> &
  Readonly<Partial<Record<Says, Saying>>>;

/** What one event says about one thing; undefined for fields that it does not contain. */
export interface Observation<Key extends string, Says extends string> {
  of: Readonly<Record<Key, string | number>>;
  says: Readonly<Record<Says, string | undefined>>;
  timestamp: Micros;
}

export interface LearnedCatalog<Key extends string, Says extends string> {
  /** Returns each thing once. Pure. Repeats and rolled-back events count like all others. */
  learned(observations: readonly Observation<Key, Says>[]): Learned<Key, Says>[];
  /**
   * One statement reads the known values and writes only new ones, so a typical batch takes no lock and writes nothing.
   * It writes in the order of keys, so two workers that write the same things cannot deadlock.
   */
  save(tx: ClientBase, things: readonly Learned<Key, Says>[]): Promise<void>;
}

export interface CatalogSpec<Key extends string, Says extends string> {
  table: string;
  /** Columns of the key and of the values, with their types. */
  key: Readonly<Record<Key, string>>;
  says: Readonly<Record<Says, 'text' | 'timestamptz'>>;
  moment: Moment;
}

/** How moments are rounded, and where they are stored: each value has a column <saying>_<ending> of that type. */
export interface Moment {
  ending: string;
  type: 'date' | 'timestamptz';
  of(timestamp: Micros): string;
}

export function learnedCatalog<Key extends string, Says extends string>(
  spec: CatalogSpec<Key, Says>,
): LearnedCatalog<Key, Says> {
  const keys = Object.keys(spec.key) as Key[];
  const sayings = Object.keys(spec.says) as Says[];
  const name = `learn_${spec.table}`;
  const text = statementOf(spec, keys, sayings);
  return {
    learned(observations) {
      const things = new Map<string, Learned<Key, Says>>();
      for (const { of, says, timestamp } of observations) {
        const at = spec.moment.of(timestamp);
        // No text of an event contains a zero byte.
        const id = keys.map((column) => of[column]).join('\0');
        const held = things.get(id);
        // Nearly every event repeats the values of the previous one.
        const isNews = (saying: Says) =>
          says[saying] !== undefined && (held?.[saying]?.value !== says[saying] || held?.[saying]?.at !== at);
        if (held !== undefined && !sayings.some(isNews)) continue;
        const thing: Record<string, string | number | Saying> = { ...(held ?? of) };
        for (const saying of sayings) {
          const value = says[saying];
          if (value !== undefined) thing[saying] = laterOf(held?.[saying], { value, at });
        }
        things.set(id, thing as Learned<Key, Says>);
      }
      return [...things.values()];
    },
    async save(tx, things) {
      if (things.length === 0) return;
      const said = (saying: Says) => things.map((thing): Saying | undefined => thing[saying]);
      const values = [
        ...keys.map((column) => things.map((thing) => thing[column])),
        ...sayings.flatMap((saying) => [
          said(saying).map((each) => each?.value ?? null),
          said(saying).map((each) => each?.at ?? null),
        ]),
      ];
      await tx.query({ name, text, values });
    },
  };
}

function laterOf(held: Saying | undefined, said: Saying): Saying {
  if (held === undefined || said.at > held.at) return said;
  return said.at === held.at && sortsBefore(said.value, held.value) ? said : held;
}

/** Compares bytes, as the statement does in the database. */
function sortsBefore(a: string, b: string): boolean {
  return Buffer.from(a).compare(Buffer.from(b)) < 0;
}

function statementOf<Key extends string, Says extends string>(
  { table, key, says, moment }: CatalogSpec<Key, Says>,
  keys: readonly Key[],
  sayings: readonly Says[],
): string {
  const at = (saying: Says) => `${saying}_${moment.ending}`;
  const columns = [...keys, ...sayings.flatMap((saying) => [saying, at(saying)])];
  const types = [...keys.map((column) => key[column]), ...sayings.flatMap((saying) => [says[saying], moment.type])];
  /** SQL that is true if the given value replaces the stored one: the rule of `laterOf`. */
  const replaces = (saying: Says, given: string, held: string) => {
    const collation = says[saying] === 'text' ? ' collate "C"' : '';
    return `(${given}.${saying} is not null and (${held}.${saying} is null or ${given}.${at(saying)} > ${held}.${at(saying)}
      or (${given}.${at(saying)} = ${held}.${at(saying)} and ${given}.${saying}${collation} < ${held}.${saying}${collation})))`;
  };
  const anyReplaces = (given: string, held: string) =>
    sayings.map((saying) => replaces(saying, given, held)).join(' or ');
  const taken = (column: string, saying: Says) =>
    `${column} = case when ${replaces(saying, 'excluded', 't')} then excluded.${column} else t.${column} end`;
  return `insert into ${table} as t (${columns.join(', ')})
    select ${columns.map((column) => `g.${column}`).join(', ')}
    from unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')}) as g(${columns.join(', ')})
    left join ${table} known using (${keys.join(', ')})
    where known.${keys[0]} is null or ${anyReplaces('g', 'known')}
    order by ${keys.map((column) => `g.${column}`).join(', ')}
    on conflict (${keys.join(', ')}) do update
      set ${sayings.flatMap((saying) => [taken(saying, saying), taken(at(saying), saying)]).join(', ')}
      where ${anyReplaces('excluded', 't')}`;
}
