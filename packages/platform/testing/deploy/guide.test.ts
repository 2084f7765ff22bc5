import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { fileSchema } from '../../src/config/settings.ts';
import { checkout } from '../installation.ts';

/*
 * Everything that docs/guides/deploy.md names must exist: files, commands, settings and variables. metrics.db.test.ts compares
 * its metrics with a scrape.
 */
const read = (name: string) => readFile(path.join(checkout, name), 'utf8');
const guide = await read('docs/guides/deploy.md');
const environment = await read('docs/guides/configuration.md');
const all = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))];

const files = (await readdir(path.join(checkout, 'deploy'), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map((entry) => path.relative(checkout, path.join(entry.parentPath, entry.name)))
  .filter((name) => !['deploy/.env', 'deploy/croupier.yaml'].includes(name));

describe('the deployment guide', () => {
  test('names files that exist, and every file of deploy/', () => {
    const named = all(guide, /(deploy\/[\w./@-]*[\w/])/g);
    // Copies that the reader creates.
    const made = ['deploy/croupier.yaml', 'deploy/.env'];
    expect(named.filter((name) => !made.includes(name) && !existsSync(path.join(checkout, name)))).toEqual([]);
    const isNamed = (file: string) =>
      named.some((name) => file === name || (file.startsWith(name) && name.endsWith('/')));
    expect(files.filter((file) => !isNamed(file))).toEqual([]);
  });

  test('links to pages that exist', () => {
    const links = all(guide, /\]\(([^)#]+)/g);
    expect(links.filter((link) => !existsSync(path.join(checkout, 'docs/guides', link)))).toEqual([]);
    const headings = all(guide, /^#+ (.+)$/gm).map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^a-z -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(all(guide, /\]\(#([^)]+)\)/g).filter((anchor) => !headings.includes(anchor))).toEqual([]);
  });

  test('raises the connections of nginx, because Debian allows 768 and each socket uses two', () => {
    const nginx = guide.slice(guide.indexOf('**nginx**'), guide.indexOf('**Caddy**'));
    const [connections = '0'] = all(nginx, /worker_connections (\d+)/g);
    const [files = '0'] = all(nginx, /worker_rlimit_nofile (\d+)/g);
    expect(Number(connections)).toBeGreaterThanOrEqual(10_000);
    expect(Number(files)).toBeGreaterThan(Number(connections));
  });

  test('lets the role create the database of scenarios and backtests', () => {
    expect(all(guide, /"createuser (.+) croupier"/g)).toEqual(['--createdb --pwprompt']);
  });

  test('makes a base backup after a restore, because PostgreSQL does not archive files of the old folder', () => {
    const restored = guide.slice(
      guide.indexOf('alter system reset'),
      guide.indexOf('### Restore to an earlier moment'),
    );
    expect(restored.slice(restored.indexOf('systemctl start croupier'))).toContain('pg_basebackup');
  });

  test('installs the archive script where archive_command calls it', () => {
    expect(all(guide, /^archive_command = '(\S+) %p /gm)).toEqual(['/usr/local/bin/archive-wal.sh']);
    expect(guide).toMatch(/^install --mode=0755 deploy\/postgresql\/archive-wal\.sh \/usr\/local\/bin\/$/m);
    expect(guide).not.toContain('test ! -f');
  });

  test('copies only log files from the old folder, because the others are in the archive', () => {
    const [pattern] = all(guide, /main\.before\/pg_wal\/(\S+) /g);
    expect(pattern).toBe('?'.repeat('000000010000000000000004'.length));
  });

  test('says how a second restore from the same base backup ignores the first one, and removes each setting', () => {
    const restore = guide.slice(guide.indexOf('**Point-in-time restore**'), guide.indexOf('## Upgrade'));
    expect(restore).toContain("recovery_target_timeline = 'current'");
    const added = all(restore, /^echo "(\w+) = /gm).sort();
    expect(all(restore, /alter system reset (\w+)/g).sort()).toEqual(added);
  });

  test('rolls back to the old database if the upgrade needed an empty one', () => {
    // A line may end between two words of a sentence.
    const back = guide
      .slice(guide.indexOf('**To roll back**'), guide.indexOf('## Rotate secrets'))
      .replaceAll(/\s+/g, ' ');
    expect(back).toContain('enter the name of the old database in `DATABASE_URL`');
    expect(back).toContain('publish the events since the upgrade again');
  });

  test('names scripts and commands that exist', async () => {
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    expect(all(guide, /npm run ([\w-]+)/g).filter((script) => !(script in scripts))).toEqual([]);
    for (const [, command, below] of guide.matchAll(/(?:npm run cli --|cli\/main\.ts) (\w+) (\w+)/g)) {
      const source = await read(`packages/platform/src/cli/${command}.ts`);
      expect(source, `${command} ${below}`).toContain(`.command('${below}`);
    }
    const bench = await read('bench/main.ts');
    for (const name of all(guide, /npm run bench -- (\w+)/g)) expect(bench).toContain(name);
  });

  test('names settings and variables that exist', () => {
    const settings = all(guide, /`((?:processes|metrics|database|ingest|sockets)\.\w+)`/g);
    expect(settings.length).toBeGreaterThan(3);
    const has = (name: string) => {
      const [group = '', field = ''] = name.split('.');
      const { properties } = fileSchema.properties[group as 'metrics'] as { properties: Record<string, unknown> };
      return field in properties;
    };
    expect(settings.filter((name) => !has(name))).toEqual([]);
    const variables = all(guide, /\b(CROUPIER_[A-Z_]+)\b/g);
    expect(variables.filter((name) => !environment.includes(name))).toEqual([]);
  });
});

describe('the files of deploy/', () => {
  test('keep copies with secrets out of the image and out of commits', async () => {
    const matches = async (list: string, name: string) =>
      (await read(list)).split('\n').some((line) => line !== '' && path.matchesGlob(name, line));
    for (const list of ['.dockerignore', '.gitignore']) {
      // A pattern without a slash in .gitignore applies to all folders, so here it would only be tested for the root.
      for (const secret of ['secret.yaml', 'deploy/kubernetes/secret.yaml']) {
        expect(await matches(list, secret), `${list}: ${secret}`).toBe(true);
      }
      expect(await matches(list, 'deploy/kubernetes/secret.example.yaml')).toBe(false);
      expect(await matches(list, 'deploy/croupier.example.env')).toBe(false);
    }
    for (const secret of ['.env', 'deploy/.env', 'deploy/.env.production', 'deploy/croupier.yaml']) {
      expect(await matches('.dockerignore', secret), secret).toBe(true);
    }
    expect(await matches('.gitignore', '.env')).toBe(true);
    expect(await matches('.gitignore', '.env.production')).toBe(true);
    expect(guide).toContain('install -D --mode=0600 deploy/kubernetes/secret.example.yaml ~/');
  });

  test('need no more connections during an update than the guide says', async () => {
    const pods = async (role: string) => {
      const [deployment] = parseAllDocuments(await read(`deploy/kubernetes/${role}.yaml`)).map((one) => one.toJS());
      return deployment.spec.replicas + deployment.spec.strategy.rollingUpdate.maxSurge;
    };
    const needed = 25 * (await pods('api')) + 55 * (await pods('worker')) + 10;
    expect(all(guide, /use up to (\d+) connections/g)).toEqual([String(needed)]);
    expect(all(guide, /`max_connections` of the server to at least (\d+)/g)).toEqual([String(needed)]);
  });

  test('do not expose the metrics through the ingress: they have a port that the service does not forward', async () => {
    const [api, service] = parseAllDocuments(await read('deploy/kubernetes/api.yaml')).map((one) => one.toJS());
    const config = parse(parse(await read('deploy/kubernetes/config.yaml')).data['croupier.yaml']);
    const [container] = api.spec.template.spec.containers;
    expect(container.ports).toContainEqual({ name: 'metrics', containerPort: config.metrics.port });
    expect(service.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }]);
    const [job] = parse(await read('deploy/prometheus/scrape-kubernetes.yaml'));
    expect(job.relabel_configs[0]).toMatchObject({ regex: 'metrics', action: 'keep' });
    expect(job.kubernetes_sd_configs[0].selectors[0].label).toBe(
      Object.entries(api.spec.selector.matchLabels)
        .map(([name, value]) => `${name}=${value}`)
        .join(','),
    );
  });

  test('run a script that exists, as an unprivileged user', async () => {
    for (const unit of ['croupier.service', 'croupier@.service']) {
      const text = await read(`deploy/systemd/${unit}`);
      const [script = ''] = all(text, /^ExecStart=.*\b((?:scripts|deploy)\/\S+\.(?:mjs|sh))/gm);
      expect(script && existsSync(path.join(checkout, script)), script).toBe(true);
      expect(text).toContain('User=croupier');
    }
    const image = await read('deploy/Dockerfile');
    expect(image).toMatch(/^USER node$/m);
    for (const script of all(image, /((?:packages|deploy)\/\S+\.(?:ts|sh))/g)) {
      expect(existsSync(path.join(checkout, script)), script).toBe(true);
    }
  });

  test('set the environment and the settings that the server reads', async () => {
    const { default: _, ...known } = { ...fileSchema.properties, default: undefined };
    const config = parse(await read('deploy/croupier.example.yaml')) as Record<string, unknown>;
    expect(Object.keys(config).filter((name) => !(name in known))).toEqual([]);
    const env = await read('deploy/croupier.example.env');
    for (const name of all(JSON.stringify(config), /\$\{(\w+)\}/g)) expect(env).toContain(`${name}=`);
    const compose = parse(await read('deploy/compose.yaml'), { merge: true });
    expect(Object.keys(compose.services)).toEqual(['api', 'worker', 'postgres']);
    expect(compose.services.worker).toMatchObject({ command: ['worker'], image: 'croupier', init: true });
    // The image exists only on this machine.
    expect([compose.services.api.pull_policy, compose.services.worker.pull_policy]).toEqual(['build', 'never']);
  });

  test('are consistent manifests: names, labels, ports and the config', async () => {
    const names = files.filter((name) => /kubernetes\/(?!kustomization)/.test(name));
    const objects = (await Promise.all(names.map(read))).flatMap((text) =>
      parseAllDocuments(text).map((one) => one.toJS()),
    );
    const of = (kind: string) => objects.filter((one) => one.kind === kind);
    for (const { spec } of [...of('Deployment'), ...of('PodDisruptionBudget')]) {
      const { matchLabels } = spec.selector;
      const matching = of('Deployment').filter(
        ({ spec: { template } }) =>
          template.metadata.labels['app.kubernetes.io/component'] === matchLabels['app.kubernetes.io/component'],
      );
      expect(matching).toHaveLength(1);
    }
    const secret = of('Secret')[0].stringData;
    const [config] = of('ConfigMap');
    for (const name of all(JSON.stringify(config.data), /\$\{(\w+)\}/g)) expect(Object.keys(secret)).toContain(name);
    const kustomization = parse(await read('deploy/kubernetes/kustomization.yaml'));
    for (const file of kustomization.resources) expect(names).toContain(`deploy/kubernetes/${file}`);
  });
});
