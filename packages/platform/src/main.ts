import { Command } from 'commander';
import './report-uncaught.ts';
import { describeStartFailure, exitCodeOf, roles, runRole, runSupervisor } from './supervisor/index.ts';

/** The entry point of the server: starts the supervisor with all its processes, or a single role (docs/reference/design.md 3). */
const program = new Command('croupier')
  .description('Open-source, self-hosted, real-time player CRM')
  .showHelpAfterError('Add --help to see what the command accepts.');
let exitCode = 0;

program
  .command('supervisor', { isDefault: true })
  .description(
    'starts PostgreSQL (unless DATABASE_URL is set), api and worker processes, and a sandbox if there is no configuration',
  )
  .option('--no-sandbox', 'starts no fake operator and no simulated traffic')
  .action(async (options: { sandbox: boolean }) => {
    exitCode = await runSupervisor(options);
  });

for (const role of roles) {
  program
    .command(role)
    .description(`starts one ${role} process; requires DATABASE_URL`)
    .action(async () => {
      exitCode = await runRole(role);
    });
}

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(describeStartFailure(error));
  exitCode = exitCodeOf(error);
}
process.exit(exitCode);
