import { useNavigate, useSearch } from '@tanstack/react-router';

export interface SortedBy {
  name: string;
  isDescending: boolean;
}

export interface ListAddress {
  /** Key of the selected row. */
  selected: string | undefined;
  sorted: SortedBy | undefined;
  select(key: string | undefined): void;
  sort(by: SortedBy | undefined): void;
}

/** What the address says of a list beside its filters. */
export const listNames = ['row', 'sort'] as const;

/**
 * The selected row and the order of a list as they stand in the address (`row=`, `sort=name` or `sort=-name`), so that such a view can be sent
 * to somebody.
 *
 * @param scope tells lists of one page from each other: `<scope>.row`
 */
export function useListAddress(scope: string): ListAddress {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>;
  const navigate = useNavigate();
  const nameOf = (name: (typeof listNames)[number]) => (scope === '' ? name : `${scope}.${name}`);
  const set = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = search;
    const next = value === undefined ? others : { ...others, [name]: value };
    // The search of each page is its own, which the types of the router cannot say of `.`.
    void navigate({ to: '.', search: next as never, state: true, replace: true, resetScroll: false });
  };
  const sort = search[nameOf('sort')];
  return {
    selected: search[nameOf('row')],
    sorted: sort === undefined ? undefined : { name: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') },
    select: (key) => set(nameOf('row'), key),
    sort: (by) => set(nameOf('sort'), by && `${by.isDescending ? '-' : ''}${by.name}`),
  };
}

/** Whether a name in the address belongs to a list, not to the filters of the page. */
export const isOfList = (name: string): boolean => listNames.some((one) => name === one || name.endsWith(`.${one}`));
