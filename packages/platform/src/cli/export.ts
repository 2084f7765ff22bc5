import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { timestamptzText } from '../database/index.ts';
import { playerHash } from '../ledger/index.ts';
import { exportPlayer } from '../privacy/index.ts';
import { CliError, withContext } from './context.ts';
import { findPlayer } from './player-store.ts';

/** `cli export`: everything that is known about a player, as one JSON document on stdout. */
export function exportCommand(): Command {
  return new Command('export')
    .description('prints everything known about a player, as one JSON document')
    .argument('<brand>')
    .argument('<user_id>')
    .action((code: string, user_id: string) =>
      withContext(async ({ pool, brand, stages }) => {
        const owner = await brand(code);
        const { brand_id } = owner;
        const player_id = await findPlayer(pool, brand_id, user_id);
        if (player_id === null) throw new CliError(`the player ${user_id} does not exist at brand ${code}`);
        const subject = { brand_id, player_id, user_id, player_hash: playerHash(brand_id, user_id) };
        const document = exportPlayer({ pool, ledger: stages.ledger }, owner, subject, timestamptzText(systemClock()));
        await pipeline(Readable.from(document), process.stdout, { end: false });
      }),
    );
}
