import type { Column } from './column.ts';

/** The parts of a row on a phone. */
export interface PhoneRow<Item> {
  /** The title of the row. */
  main: Column<Item>;
  /** Shown below the title. */
  facts: readonly Column<Item>[];
  /** Shown when the row is opened. */
  rest: readonly Column<Item>[];
}

/** The titles of columns that have a special place on a phone, in the language of the console. */
export interface KnownTitles {
  when: string;
  state: string;
  actions: string;
}

const mostFacts = 3;

/**
 * Distributes the columns of a list over the parts of a row on a phone. The state is always a fact. Buttons are shown
 * when the row is opened. Pure.
 *
 * @returns undefined for a list without columns
 */
export function phoneRow<Item>(columns: readonly Column<Item>[], titles: KnownTitles): PhoneRow<Item> | undefined {
  const main = columns.find(({ isMain }) => isMain) ?? columns.find(({ title }) => title !== titles.when) ?? columns[0];
  if (main === undefined) return undefined;
  const others = columns.filter((column) => column !== main);
  const candidates = others.filter(({ title }) => title !== titles.actions);
  const first = candidates.slice(0, mostFacts);
  const state = candidates.find(({ title }) => title === titles.state);
  const facts = state === undefined || first.includes(state) ? first : [state, ...first.slice(0, mostFacts - 1)];
  const rest = others.filter((column) => !facts.includes(column));
  const isOneMore = rest.length === 1 && rest.every((column) => candidates.includes(column));
  return isOneMore ? { main, facts: [...facts, ...rest], rest: [] } : { main, facts, rest };
}
