import { useQueries, useQuery } from '@tanstack/react-query';
import { type About, codeOf, type Named, namedQuery } from '../../api/named.ts';
import { useBrand } from '../page.tsx';

/**
 * Returns a function that returns the name of each of these segments, campaigns and templates. If one was deleted or is
 * not loaded yet, it returns its code. The names of a page are read together, whichever parts ask for them.
 */
export function useNames(abouts: readonly About[]): (about: About) => string {
  const brand = useBrand();
  const distinct = [...new Map(abouts.map((about) => [keyOf(about), about])).values()];
  const answers = useQueries({ queries: distinct.map((about) => namedQuery(brand, about)) });
  const names = new Map(distinct.map((about, place) => [keyOf(about), answers[place]?.data?.name]));
  return (about) => names.get(keyOf(about)) ?? codeOf(about).code;
}

/** Returns one item. It is null if the item does not exist, and undefined until it is loaded. */
export function useNamed(about: About): Named | null | undefined {
  return useQuery(namedQuery(useBrand(), about)).data;
}

/** Returns one name, as `useNames` does, or '' for nothing. */
export function useName(about: About | undefined): string {
  const naming = useNames(about === undefined ? [] : [about]);
  return about === undefined ? '' : naming(about);
}

function keyOf(about: About): string {
  const { list, code } = codeOf(about);
  return `${list} ${code}`;
}
