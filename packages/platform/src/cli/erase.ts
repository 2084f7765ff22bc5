import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { readErasure, requestErasure } from '../privacy/index.ts';
import { type CliContext, CliError, withContext } from './context.ts';
import { printJson } from './output.ts';
import { findPlayer } from './player-store.ts';
import { withRightClock } from './right-clock.ts';

interface Options {
  confirm?: string;
  force: boolean;
}

/** `cli erase`: erases a player in this process, with or without running workers. Exit code 2 if it must wait. */
export function eraseCommand(): Command {
  return new Command('erase')
    .description('erases a player permanently; takes a little more than a minute')
    .argument('<brand>')
    .argument('<user_id>')
    .option('--confirm <user_id>', 'the user_id again; an erasure cannot be undone')
    .option('--force', 'does not wait for open bonuses and consents', false)
    .action((code: string, userId: string, options: Options) =>
      withContext((context) => erase(context, code, userId, options)),
    );
}

async function erase(context: CliContext, code: string, user_id: string, { confirm, force }: Options): Promise<void> {
  const { pool, stages } = context;
  if (confirm !== user_id) throw new CliError(`an erasure cannot be undone; to confirm, add --confirm ${user_id}`);
  const { brand_id } = await context.brand(code);
  const player_id = await findPlayer(pool, brand_id, user_id);
  if (player_id === null) throw new CliError(`the player ${user_id} does not exist at brand ${code}`);
  await withRightClock(stages, async () => {
    const at = stages.databaseClock.agreed();
    const { erasure_id } = await requestErasure(pool, stages.brands, {
      brand_id,
      player_id,
      user_id,
      forced: force,
      at,
    });
    await untilErased(context, erasure_id);
  });
}

async function untilErased({ pool, stages }: CliContext, erasure_id: number): Promise<void> {
  for (;;) {
    await stages.eraser.runOnce();
    const erasure = await readErasure(pool, erasure_id);
    if (erasure === undefined || erasure.finished_at !== null) {
      const { user_key: _, ...rest } = erasure ?? { user_key: null };
      printJson(rest);
      return;
    }
    if (erasure.step === 'waiting' && erasure.held_because !== null) {
      process.stderr.write(`waiting; continues automatically when possible: ${erasure.held_because.en}\n`);
      process.exitCode = 2;
      return;
    }
    await delay(1_000);
  }
}
