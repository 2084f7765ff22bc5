import { useLocation } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { places } from '../text/places.ts';
import { useText, useWords } from '../text/text.tsx';

interface Words {
  nav: Readonly<Record<'now' | 'live' | 'players' | 'segments' | 'campaigns', string>>;
  pages: Readonly<Record<string, string>>;
}

/** Pages outside of a list, by their address. The value is the list to which they belong. */
const listOf: Readonly<Record<string, string>> = {
  'new-segment': 'segments',
  'new-campaign': 'campaigns',
  'new-template': 'templates',
  runs: 'campaigns',
};

/**
 * Returns what an address of the console shows, from the most to the least specific: the id of the object, if the
 * address has one, and the name of its page. The list is empty for an unknown address. Pure.
 *
 * @param pathname for example /demo/rewards/intents/17
 */
export function placeTitles(pathname: string, { nav, pages }: Words): string[] {
  const [, first = '', ...rest] = pathname.split('/').filter((part) => part !== '');
  const names: Readonly<Record<string, string>> = { ...nav, ...pages };
  const isSection = !Object.hasOwn(nav, first) && !Object.hasOwn(listOf, first);
  const [page = '', id] = isSection ? rest : [first, ...rest];
  const name = names[listOf[page] ?? page];
  if (name === undefined) return [];
  return id === undefined ? [name] : [decoded(id), name];
}

/** Returns the address of the list of an object: `/demo/campaigns` for `/demo/campaigns/welcome` and for `/demo/runs/17`. Pure. */
export function listAddress(pathname: string): string {
  const [brand = '', ...parts] = pathname.split('/').filter((part) => part !== '');
  const above = parts.slice(0, -1);
  return `/${[brand, ...above.map((part) => listOf[part] ?? part)].join('/')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/* The names of objects whose pages were loaded, by address. They name the tab, and the heading while a page loads again. */
const namesByAddress = new Map<string, string>();
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Returns what the current address shows (see `placeTitles`), with the name of the object instead of its id if it is
 * known.
 */
export function usePlaceTitles(): string[] {
  const { nav } = useText();
  const { pages } = useWords(places);
  const { pathname } = useLocation();
  const name = useSyncExternalStore(listen, () => namesByAddress.get(pathname));
  const titles = placeTitles(pathname, { nav, pages });
  return titles.length > 1 && name !== undefined ? [name, ...titles.slice(1)] : titles;
}

/** Returns whether the current address is that of an object, and the object's name if it is known. */
export function usePlaceOfObject(): { isObject: boolean; name: string | undefined } {
  const { pathname } = useLocation();
  const isObject = usePlaceTitles().length > 1;
  return { isObject, name: useSyncExternalStore(listen, () => namesByAddress.get(pathname)) };
}

/** Names the object of the current address. Undefined changes nothing. The name must not be personal data. */
export function useNameOfPlace(name: string | undefined): void {
  const { pathname } = useLocation();
  useEffect(() => {
    if (name === undefined || namesByAddress.get(pathname) === name) return;
    namesByAddress.set(pathname, name);
    for (const listener of listeners) listener();
  }, [pathname, name]);
}
