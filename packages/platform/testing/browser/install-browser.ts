import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { type BrowserSearch, findBrowser, playwrightPath } from './find-browser.ts';

/*
 * `npm test` runs this first, to ensure that a browser is available (docs/reference/design.md 6). It uses an installed
 * Chromium; otherwise it downloads Playwright's; otherwise it installs the system's package, if permitted. Each attempt has a
 * time limit, so a machine without the internet still runs all other tests. In CI it also installs Debian's headless shell, in
 * which most tests of pages run faster.
 *
 * Exit code 0 if there is a browser, 1 if there is none. Then the tests that need one are skipped with that reason, and fail in
 * CI.
 */
const root = path.resolve(import.meta.dirname, '../../../..');
const playwright = path.join(root, 'node_modules', 'playwright-core', 'cli.js');
const limitMs = 5 * 60_000;
/** Playwright's own timeout per connection; it makes several. */
const connectMs = '15000';

const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];

interface Way {
  name: string;
  commands: string[][];
  /** Default: always. */
  when?: (search: BrowserSearch) => boolean;
}

const ways: Way[] = [
  { name: "Playwright's Chromium", commands: [[process.execPath, playwright, 'install', '--no-shell', 'chromium']] },
  {
    name: "the libraries that Playwright's Chromium needs",
    commands: [[...asRoot, process.execPath, playwright, 'install-deps', 'chromium']],
    when: ({ failures }) => failures.some((failure) => failure.startsWith(playwrightPath() ?? ' ')),
  },
  { name: 'the package of Debian or Ubuntu', commands: aptInstall('chromium'), when: () => has('apt-get') },
  { name: 'the package of Alpine', commands: [[...asRoot, 'apk', 'add', 'chromium']], when: () => has('apk') },
  {
    name: 'the package of Fedora',
    commands: [[...asRoot, 'dnf', 'install', '-y', 'chromium']],
    when: () => has('dnf'),
  },
];

let search = await findBrowser({ push: true });
for (const { name, commands, when } of ways) {
  if (search.found !== null) break;
  if (when !== undefined && !when(search)) continue;
  process.stderr.write(`No browser for the tests yet; trying ${name} ...\n`);
  if (commands.every(run)) search = await findBrowser({ push: true });
}
if (search.found === null) {
  process.stderr.write(
    `There is no browser for the tests: install Chromium, or name one in CROUPIER_TEST_BROWSER.\n${search.failures.join('\n')}\n`,
  );
  process.exitCode = 1;
} else {
  let fastest = await findBrowser();
  const hasShell = fastest.found?.path !== search.found.path;
  if (!hasShell && process.env.CI !== undefined && has('apt-get') && aptInstall('chromium-headless-shell').every(run))
    fastest = await findBrowser();
  for (const { path: file, version } of [search.found, fastest.found ?? search.found])
    process.stdout.write(`Browser for the tests: ${file} (${version})\n`);
}

function aptInstall(name: string): string[][] {
  const install = ['apt-get', 'install', '-y', '-q', '--no-install-recommends', name];
  return [
    [...asRoot, 'apt-get', 'update', '-q'],
    [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', ...install],
  ];
}

function run([command = '', ...args]: string[]): boolean {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    timeout: limitMs,
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: connectMs },
  });
  return result.status === 0;
}

function has(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}
