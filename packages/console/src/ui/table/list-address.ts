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

/** Query parameters of a list other than its filters. */
export const listNames = ['row', 'sort'] as const;

/**
 * Stores the selected row and the order of a list as query parameters (`row=`, `sort=name` or `sort=-name`), so that
 * the view can be shared as a link.
 *
 * @param scope distinguishes the lists of one page: `<scope>.row`
 */
export function useListAddress(scope: string): ListAddress {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>;
  const navigate = useNavigate();
  const nameOf = (name: (typeof listNames)[number]) => (scope === '' ? name : `${scope}.${name}`);
  const set = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = search;
    const next = value === undefined ? others : { ...others, [name]: value };
    // Each page has its own query parameters, which the types of the router cannot express for `.`.
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

/** Returns whether a query parameter belongs to a list, and not to the filters of the page. */
export const isOfList = (name: string): boolean => listNames.some((one) => name === one || name.endsWith(`.${one}`));
