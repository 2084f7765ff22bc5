import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/index.ts';
import { createApi } from '../../src/wiring/api.ts';
import { createWorker } from '../../src/wiring/worker.ts';
import { createBrand } from '../brand.ts';
import { setupDatabase } from '../database.ts';
import { freePort } from '../free-port.ts';
import { checkout } from '../installation.ts';
import { testLog } from '../log.ts';

/** Metrics in alerts, dashboard and guide must exist in a real installation, with the labels and values that it sets. */
const { pool, url } = await setupDatabase();
await createBrand(pool);
const port = await freePort();
const config = await loadConfig({
  PORT: String(port),
  HOST: '127.0.0.1',
  CROUPIER_SECRET: 'a secret of 32 characters for tests',
  CROUPIER_ADMIN_TOKEN: 'a token for tests',
});
const context = { config, databaseUrl: url, log: testLog };
const api = createApi({ ...context, name: 'api-deploy' });
const worker = createWorker({ ...context, name: 'worker-deploy' });
await api.start();
await worker.start();
afterAll(async () => {
  await api.stop();
  await worker.stop();
});
const scrape = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
const types = new Map([...scrape.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => [name, type]));

const read = (name: string) => readFile(path.join(checkout, name), 'utf8');
const rules = parse(await read('deploy/prometheus/croupier.rules.yaml')).groups.flatMap(
  (group: { rules: object[] }) => group.rules,
) as { alert: string; expr: string; annotations: Record<string, string> }[];
const board = JSON.parse(await read('deploy/grafana/croupier.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};
const expressions: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }): [string, string] => [title, expr])),
];

/** The metric of a series: a histogram has three series per name. */
function typeOf(name: string): string | undefined {
  return (
    types.get(name) ?? (types.get(name.replace(/_(bucket|sum|count)$/, '')) === 'histogram' ? 'histogram' : undefined)
  );
}

test.each(expressions)('%s: %s', (_name, expr) => {
  const metrics = [...expr.matchAll(/\b((?:croupier|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  expect(metrics.length + (expr.includes('up{') ? 1 : 0)).toBeGreaterThan(0);
  for (const [, name = '', labels = ''] of metrics) {
    const type = typeOf(name);
    expect(type, name).toBeDefined();
    // A counter or a histogram is queried as a rate, a gauge directly.
    if (type !== 'gauge' && !name.endsWith('_total')) expect(expr).toContain('rate(');
    for (const [, label = '', , value = ''] of labels.matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
      if (label === 'job') continue;
      expect(scrape, `${name}{${label}}`).toMatch(new RegExp(`^${name}\\{[^}]*${label}="`, 'm'));
      if (label === 'reason') for (const one of value.split('|')) expect(scrape).toContain(`reason="${one}"`);
    }
  }
});

test('each alert says what is wrong and what to do', () => {
  for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(['summary', 'description']);
});

test('the guide names metrics that exist', async () => {
  const names = [...(await read('docs/guides/deploy.md')).matchAll(/`(croupier_\w+)`/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(5);
  expect(names.filter((name) => typeOf(name) === undefined)).toEqual([]);
});
