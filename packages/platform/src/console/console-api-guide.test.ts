import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { consoleEndpoints } from './endpoints.ts';

const guide = await readFile(new URL('../../../../docs/guides/console-api.md', import.meta.url), 'utf8');

/** Lines of the guide such as `GET  brands/:brand/games   ?search=lantern&type=slots`. */
const calls = [...guide.matchAll(/^(GET|POST|PUT|DELETE) +([a-z][^\s?]*)(?:\s*\?(\S+))?/gm)].map(
  ([, method, path, query = '']) => ({ call: `${method} /${path}`, filters: [...new URLSearchParams(query).keys()] }),
);
const known = new Map(consoleEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

test('docs/guides/console-api.md lists every call, and none that does not exist', () => {
  expect(calls.map(({ call }) => call).toSorted()).toEqual([...known.keys()].toSorted());
});

test('docs/guides/console-api.md lists only filters that exist', () => {
  for (const { call, filters } of calls) {
    const query = known.get(call)?.query;
    const offered = query !== undefined && 'properties' in query ? Object.keys(query.properties as object) : [];
    expect(offered, call).toEqual(expect.arrayContaining(filters));
  }
});
