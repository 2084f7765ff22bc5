import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Installation } from './installation.ts';

const cli = fileURLToPath(new URL('../../packages/platform/src/cli/main.ts', import.meta.url));

/** Runs a command of the platform next to the running installation, as a person would. */
export async function command({ env }: Installation, ...args: string[]) {
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, out, err };
}
