import { Command } from 'commander';
import { BrandHeld, KeyNameTaken, KeyRefused } from '../brands/index.ts';
import { AccountRefused } from '../console/index.ts';
import { explainFailure } from '../supervisor/index.ts';
import { describeUnknownFailure } from '../unknown-failure.ts';
import { auditCommand } from './audit.ts';
import { brandCommand } from './brand.ts';
import { campaignCommand } from './campaign.ts';
import { CliError } from './context.ts';
import { eraseCommand } from './erase.ts';
import { exportCommand } from './export.ts';
import { keyCommand } from './key.ts';
import { playerCommand } from './player.ts';
import { rebuildCommand } from './rebuild.ts';
import { reconcileCommand } from './reconcile.ts';
import { resyncCommand } from './resync.ts';
import { segmentCommand } from './segment.ts';
import { userCommand } from './user.ts';

/** `npm run cli -- ...`: the console's functions from a terminal. One file per command. */
const program = new Command('cli')
  .description('Manages a Croupier installation. The installation may be running or stopped.')
  .addCommand(auditCommand())
  .addCommand(brandCommand())
  .addCommand(campaignCommand())
  .addCommand(eraseCommand())
  .addCommand(exportCommand())
  .addCommand(keyCommand())
  .addCommand(playerCommand())
  .addCommand(rebuildCommand())
  .addCommand(reconcileCommand())
  .addCommand(resyncCommand())
  .addCommand(segmentCommand())
  .addCommand(userCommand());

hintAtHelp(program);
try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = error instanceof CliError ? error.exitCode : 1;
}

/** Returns one paragraph: for an error that a person can correct, what to do; for any other error, its causes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return describeUnknownFailure(error);
  const isTheirs = [CliError, AccountRefused, BrandHeld, KeyNameTaken, KeyRefused].some(
    (kind) => error instanceof kind,
  );
  return isTheirs ? error.message : (explainFailure(error) ?? describeUnknownFailure(error));
}

function hintAtHelp(command: Command): void {
  command.showHelpAfterError('Add --help to see what the command accepts.');
  for (const one of command.commands) hintAtHelp(one);
}
