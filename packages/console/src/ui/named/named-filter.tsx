import { lists } from '../../text/lists.ts';
import { useWords } from '../../text/text.tsx';
import { useFilters } from '../filters.tsx';
import { NamedSelect } from './named-select.tsx';

interface NamedFilterProps {
  list: 'segments' | 'campaigns';
  /** The filter that contains the code. */
  name: string;
  label: string;
}

/** Filters a list by a segment or campaign, which is selected by its name. */
export function NamedFilter({ list, name, label }: NamedFilterProps) {
  const { all } = useWords(lists);
  const { filters, change } = useFilters();
  return (
    <NamedSelect
      list={list}
      label={label}
      placeholder={all}
      size="xs"
      clearable
      value={filters[name] ?? null}
      onChange={(code) => change(name, code)}
    />
  );
}
