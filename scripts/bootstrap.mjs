/**
 * The first step of every command in package.json, under any Node of the machine (20 or later): install what is missing, and
 * continue under the installed Node 24. Plain JavaScript without imports other than Node's own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const nodeMajor = 24;

/**
 * Installs if node_modules is missing or does not match package-lock.json.
 *
 * @param {{ tools: boolean }} needs tools: also what only tests and checks need.
 */
export function ensureInstalled({ tools }) {
  const missing = firstMismatch(tools);
  if (missing === undefined) return;
  const fresh = !existsSync(path.join(root, 'node_modules'));
  process.stderr.write(`Installing dependencies (${missing}) ...\n`);
  // `npm ci` empties node_modules first, which would break other processes of this folder.
  const args = [fresh ? 'ci' : 'install', ...(fresh ? [] : ['--no-save'])];
  // Install scripts put the programs of Node and PostgreSQL in place, and some machines disable install scripts.
  args.push(
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...(tools ? ['--include=dev'] : []),
  );
  const npm = process.env.npm_execpath;
  const result = npm?.endsWith('.js')
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: ['ignore', 2, 2] })
    : spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) fail(`npm ${args[0]} failed${result.error ? `: ${result.error.message}` : ''}; see above`);
  const still = firstMismatch(tools);
  if (still !== undefined) fail(`the installation is not complete: ${still}`);
}

/**
 * Compares the lock file with npm's own record of what it installed. Packages for other platforms are optional and may be
 * absent.
 *
 * @returns {string | undefined} the first package that is missing or has another version.
 */
function firstMismatch(tools) {
  const note = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(note)) return 'there is no node_modules folder';
  const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(note, 'utf8')).packages;
  for (const [place, entry] of Object.entries(wanted)) {
    if (!place.startsWith('node_modules/') || entry.optional || entry.devOptional || (entry.dev && !tools)) continue;
    const found = installed[place];
    if (found === undefined) return `${place} is missing`;
    if (found.version !== entry.version) return `${place} is ${found.version}, not ${entry.version}`;
  }
  return undefined;
}

/**
 * Returns the Node that runs our TypeScript: the installed one. If it cannot run here (Alpine), this is the current one if that is new
 * enough.
 */
export function findNode() {
  const installed = path.join(root, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(installed) && spawnSync(installed, ['--version']).status === 0) return installed;
  if (Number.parseInt(process.versions.node, 10) >= nodeMajor) return process.execPath;
  return fail(
    `Node ${nodeMajor} is required, and ${installed} does not run on this machine: remove node_modules and try again, or install Node ${nodeMajor}`,
  );
}

/**
 * Runs Node 24 in the foreground, passes signals on, and waits until it exits.
 *
 * @param {string[]} args
 * @param {{ tied?: boolean, env?: Record<string, string> }} options tied: the program has a channel to us, which closes if we
 * are killed.
 * @returns {Promise<number>} the exit code
 */
export function runNode(args, { tied = false, env = {} } = {}) {
  const node = findNode();
  const child = spawn(node, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', ...(tied ? ['ipc'] : [])],
    env: {
      ...process.env,
      ...env,
      PATH: `${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH}`,
      // Without the cache, stripping types and compiling 500 modules costs every process half a second per start.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(root, 'node_modules', '.cache', 'node'),
    },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.on('error', (error) => fail(`${node} could not be started: ${error.message}`));
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === 'SIGKILL' ? 9 : 15)));
  });
}

/** @returns {never} */
export function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
