import { useText } from '../text/text.tsx';
import { Choice, FilterBar, useFilters, Words } from './filters.tsx';

interface Named {
  code: string;
  name: string;
  state: string;
}

/** Returns whether an item has this state, and this text in its name or code. Pure. */
export function matches({ code, name, state }: Named, filters: { name?: string; state?: string }): boolean {
  const text = (filters.name ?? '').toLowerCase();
  const isNamed = name.toLowerCase().includes(text) || code.includes(text);
  return isNamed && (filters.state === undefined || filters.state === state);
}

/** Filters for a list that is loaded completely. */
export function NameAndState({ items }: { items: readonly Named[] }) {
  const { common } = useText();
  return (
    <FilterBar>
      <Words name="name" label={common.nameContains} />
      <Choice name="state" label={common.state} of={[...new Set(items.map(({ state }) => state))]} />
    </FilterBar>
  );
}

/** @returns the items that match the filters in the address */
export function useMatching<Item extends Named>(items: readonly Item[]): Item[] {
  const { filters } = useFilters();
  return items.filter((item) => matches(item, filters));
}
