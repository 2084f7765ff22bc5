import { command } from '../installation/command-line.ts';
import type { Installation } from '../installation/installation.ts';
import { type Outcome, outcome } from '../outcome.ts';

/** P4: what was derived step by step, through all faults, equals one recomputation from the ledger. */
export async function judgeRebuilt(installation: Installation): Promise<Outcome> {
  const { code, out, err } = await command(installation, 'rebuild');
  const [, events, players, differ] = /(\d+) events, (\d+) players, (\d+) differ/.exec(out) ?? [];
  const broken = code === 0 ? [] : `${out}\n${err}`.trim().split('\n').slice(0, 10);
  if (differ === undefined) broken.push(`the rebuild gave no result: ${err}`);
  const counts = { events: Number(events), players: Number(players), differ: Number(differ) };
  return outcome('P4', 'incremental state = rebuilt state', counts, broken);
}
