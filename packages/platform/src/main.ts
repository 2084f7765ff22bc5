import { Command } from 'commander';
import { ConfigError } from './config/index.ts';
import { SchemaTooOld } from './database/index.ts';
import { roles, runRole, runSupervisor } from './supervisor/index.ts';

/** The server's one entry: the supervisor with everything below it, or one role on its own (docs/reference/design.md 3). */
const program = new Command('croupier').description('Open-source, self-hosted, real-time player CRM');
let exitCode = 0;

program
  .command('supervisor', { isDefault: true })
  .description(
    'PostgreSQL (unless DATABASE_URL is given), api and worker processes, and a sandbox when no configuration is given',
  )
  .option('--no-sandbox', 'no fake operator and no simulated traffic')
  .action(async (options: { sandbox: boolean }) => {
    exitCode = await runSupervisor(options);
  });

for (const role of roles) {
  program
    .command(role)
    .description(`one ${role} process; needs DATABASE_URL`)
    .action(async () => {
      exitCode = await runRole(role);
    });
}

try {
  await program.parseAsync();
} catch (error) {
  // What a person can put right is told in his words; anything else with all that is known.
  const forPeople = error instanceof ConfigError || error instanceof SchemaTooOld;
  process.stderr.write(`${forPeople ? error.message : ((error as Error).stack ?? error)}\n`);
  exitCode = 1;
}
process.exit(exitCode);
