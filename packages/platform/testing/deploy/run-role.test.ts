import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { nodeArguments, nodeEnvironment, roles } from '../../src/supervisor/index.ts';
import { checkout } from '../installation.ts';

/* A role started by systemd, Compose or Kubernetes runs as `npm start` runs it. */
const read = (name: string) => readFile(path.join(checkout, name), 'utf8');
const run = promisify(execFile);
const script = 'deploy/run-role.sh';

test.each(roles)('run-role.sh gives Node the arguments that the supervisor gives it: %s', async (role) => {
  // `echo` takes the place of Node and prints its arguments.
  const { stdout } = await run('sh', [script, 'echo', role], { cwd: checkout });
  expect(stdout.trim().split(' ')).toEqual([...nodeArguments(role), 'packages/platform/src/main.ts', role]);
});

test('run-role.sh without a role fails', async () => {
  await expect(run('sh', [script, 'echo'], { cwd: checkout })).rejects.toMatchObject({ stdout: '' });
});

describe('run-role.sh starts the roles of', () => {
  test('the unit', async () => {
    const unit = await read('deploy/systemd/croupier@.service');
    expect(unit).toMatch(
      /^ExecStart=\/bin\/sh deploy\/run-role\.sh \/opt\/croupier\/node_modules\/node\/bin\/node %i$/m,
    );
    for (const [name, value] of Object.entries(nodeEnvironment))
      expect(unit).toContain(`Environment=${name}=${value}\n`);
  });

  test('the image, Compose and Kubernetes, which pass only the role', async () => {
    const image = await read('deploy/Dockerfile');
    expect(image).toMatch(/^ENTRYPOINT \["sh", "deploy\/run-role\.sh", "node"\]$/m);
    for (const [name, value] of Object.entries(nodeEnvironment)) {
      expect(image).toMatch(new RegExp(`^ENV .*\\b${name}=${value}\\b`, 'm'));
    }
    const { services } = parse(await read('deploy/compose.yaml'), { merge: true });
    for (const role of roles) {
      expect(services[role]).toMatchObject({ command: [role] });
      expect(services[role]).not.toHaveProperty('entrypoint');
      const [deployment] = parseAllDocuments(await read(`deploy/kubernetes/${role}.yaml`)).map((one) => one.toJS());
      const [container] = deployment.spec.template.spec.containers;
      expect(container).toMatchObject({ args: [role] });
      expect(container).not.toHaveProperty('command');
    }
  });
});
