import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Installation } from '../installation/installation.ts';
import { type Outcome, outcome } from '../outcome.ts';

const cli = fileURLToPath(new URL('../../packages/platform/src/cli/main.ts', import.meta.url));

/** P4: what was derived bit by bit, through all that happened, is what one recomputation from the ledger gives. */
export async function judgeRebuilt({ env }: Installation): Promise<Outcome> {
  const child = spawn(process.execPath, [cli, 'rebuild'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const [, events, players, differ] = /(\d+) events, (\d+) players, (\d+) differ/.exec(out) ?? [];
  const broken = code === 0 ? [] : `${out}\n${err}`.trim().split('\n').slice(0, 10);
  if (differ === undefined) broken.push(`the rebuild gave no result: ${err}`);
  const counts = { events: Number(events), players: Number(players), differ: Number(differ) };
  return outcome('P4', 'incremental state = rebuilt state', counts, broken);
}
