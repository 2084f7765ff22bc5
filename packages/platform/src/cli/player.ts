import { Command } from 'commander';
import { readNextOfferExpiry } from '../actions/index.ts';
import { readMessageCounts } from '../channels/index.ts';
import { systemClock } from '../clock.ts';
import { readTraits } from '../derive/index.ts';
import { readSyncedPlayer } from '../operator/players/index.ts';
import { CliError, withContext } from './context.ts';
import { printJson } from './output.ts';
import { findPlayer } from './player-store.ts';

/** `cli player`: one player as the platform knows them. Times are microseconds since 1970, as in the database. */
export function playerCommand(): Command {
  const player = new Command('player').description('shows players');
  player
    .command('show <brand> <user_id>')
    .description('prints profile, consents, blocks, sync state and traits as JSON, with unmasked personal data')
    .action((code: string, userId: string) =>
      withContext(async ({ pool, brand }) => {
        const { brand_id, settings } = await brand(code);
        const playerId = await findPlayer(pool, brand_id, userId);
        if (playerId === null)
          throw new CliError(
            `the player ${userId} does not exist at brand ${code}; no event has named this player yet`,
          );
        const synced = await readSyncedPlayer(pool, playerId);
        const traits = await readTraits(
          pool,
          {
            player_id: playerId,
            time_zone: settings.time_zone,
            registration_date: synced.profile?.registration_date ?? null,
            birth_date: synced.profile?.birth_date ?? null,
            messages: await readMessageCounts(pool, playerId),
            offer_expires_at: await readNextOfferExpiry(pool, playerId, systemClock()),
          },
          systemClock(),
        );
        printJson({ user_id: userId, player_id: playerId, ...synced, traits });
      }),
    );
  return player;
}
