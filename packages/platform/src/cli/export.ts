import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { connectionConfig, timestamptzText } from '../database/index.ts';
import { PostgresLedger, playerHash } from '../ledger/index.ts';
import { exportPlayer } from '../privacy/index.ts';
import { CliError, withContext } from './context.ts';
import { findPlayer } from './player-store.ts';

/** `cli export`: everything that is known of a player, as one JSON document on stdout. */
export function exportCommand(): Command {
  return new Command('export')
    .description('everything that is known of a player, as one JSON document')
    .argument('<brand>')
    .argument('<user_id>')
    .action((code: string, user_id: string) =>
      withContext(async ({ pool, brand, databaseUrl, log }) => {
        const owner = await brand(code);
        const { brand_id } = owner;
        const player_id = await findPlayer(pool, brand_id, user_id);
        if (player_id === null) throw new CliError(`brand ${code} has no player ${user_id}`);
        const connection = connectionConfig(databaseUrl, { name: 'cli' });
        const ledger = new PostgresLedger({ pool, connection, process: 'cli', now: systemClock, log });
        const subject = { brand_id, player_id, user_id, player_hash: playerHash(brand_id, user_id) };
        const document = exportPlayer({ pool, ledger }, owner, subject, timestamptzText(systemClock()));
        await pipeline(Readable.from(document), process.stdout, { end: false });
      }),
    );
}
