import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { places } from './places.ts';

/*
 * Checks that a test runs axe on a place of every route of the console. The router cannot be loaded here, because it loads the pages
 * with their styles. So this test reads the source lines of the router.
 */
const source = async (name: string) =>
  readFile(new URL(`../../packages/console/src/app/${name}`, import.meta.url), 'utf8');

/** Routes that show no page of a brand. accounts.e2e.test.ts and console.e2e.test.ts run axe on the pages of signing in. */
const others = ['/', '/$brand', '/sign-in', '/sign-in/answer'];

async function routes(): Promise<string[]> {
  const [router, operations, roots] = await Promise.all(
    ['router.tsx', 'operations-routes.tsx', 'roots.tsx'].map(source),
  );
  const named = [...`${router}${roots}`.matchAll(/ path: '([^']+)'/g)];
  const pages = [...(operations ?? '').matchAll(/^ {2}page\(\s*'([^']+)'/gm)];
  return [...named, ...pages].flatMap(([, path]) => (path === undefined || others.includes(path) ? [] : [path]));
}

test('axe runs on every page', async () => {
  const all = await routes();
  expect(all.length).toBeGreaterThan(50);
  const visited = Object.values(places)
    .flat()
    .map((place) => place.split('?')[0] ?? '');
  const isVisited = (route: string) => {
    const parts = route.replace(/^\//, '').split('/');
    return visited.some((place) => {
      const own = place.split('/');
      return own.length === parts.length && parts.every((part, at) => part.startsWith('$') || part === own[at]);
    });
  };
  expect(all.filter((route) => !isVisited(route))).toEqual([]);
});
