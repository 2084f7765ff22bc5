import { useLocation } from '@tanstack/react-router';
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
 * address has one, and the name of its page. It is empty for an unknown address. Pure.
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

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns what the current address shows (see `placeTitles`). */
export function usePlaceTitles(): string[] {
  const { nav } = useText();
  const { pages } = useWords(places);
  const { pathname } = useLocation();
  return placeTitles(pathname, { nav, pages });
}
