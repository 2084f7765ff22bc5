import { once } from 'node:events';
import { readTimestampText } from '@croupier/contracts';
import { Command, Option } from 'commander';
import { systemClock } from '../clock.ts';
import { verifyAudit } from '../console/index.ts';
import { type ExportFormat, exportDecisions, verifyChain } from '../gate/index.ts';
import type { ChainHead } from '../sealing/index.ts';
import { CliError, withContext } from './context.ts';
import { printJson } from './output.ts';
import { findPlayer } from './player-store.ts';

interface ExportOptions {
  brand: string;
  player?: string;
  from?: string;
  to?: string;
  format: ExportFormat;
}

/** `cli audit`: the gate's decisions for a regulator, and the chain that covers them (docs/guides/compliance.md). */
export function auditCommand(): Command {
  const audit = new Command('audit').description(
    'verifies the chains of gate decisions and of the staff audit, and exports decisions',
  );
  audit
    .command('verify')
    .description(
      'verifies the hash chain over the decisions of a brand; exits with 2 and prints the first changed item if there is one',
    )
    .requiredOption('--brand <code>', 'the brand')
    .option('--expect <seal_no:hash>', 'a head that you stored earlier; the chain must still contain it')
    .action((options: { brand: string; expect?: string }) =>
      withContext(async ({ pool, brand }) => {
        const { brand_id } = await brand(options.brand);
        const began = performance.now();
        const report = await verifyChain(pool, brand_id, {
          expect: options.expect === undefined ? undefined : readHead(options.expect),
        });
        printJson({ ...present(report), seconds: Number(((performance.now() - began) / 1_000).toFixed(1)) });
        if (report.finding !== null) process.exitCode = 2;
      }),
    );
  audit
    .command('verify-staff')
    .description(
      'verifies the hash chain over the staff audit of all brands; exits with 2 if an entry or seal was changed',
    )
    .option('--expect <seal_no:hash>', 'a head that you stored earlier; the chain must still contain it')
    .action((options: { expect?: string }) =>
      withContext(async ({ pool }) => {
        const expect = options.expect === undefined ? undefined : readHead(options.expect);
        const report = await verifyAudit(pool, { expect });
        printJson(present(report));
        if (report.finding !== null) process.exitCode = 2;
      }),
    );
  audit
    .command('export')
    .description('prints decisions with their proofs, oldest first')
    .requiredOption('--brand <code>', 'the brand')
    .option('--player <user_id>', 'only decisions about this player')
    .option('--from <moment>', 'only decisions at or after this time (RFC 3339)')
    .option('--to <moment>', 'only decisions at or before this time (RFC 3339)')
    .addOption(new Option('--format <format>', 'output format').choices(['csv', 'json_lines']).default('json_lines'))
    .action((options: ExportOptions) =>
      withContext(async ({ pool, brand }) => {
        const { brand_id } = await brand(options.brand);
        const player_id = options.player === undefined ? undefined : await findPlayer(pool, brand_id, options.player);
        if (player_id === null)
          throw new CliError(`the player ${options.player} does not exist at brand ${options.brand}`);
        const filter = { player_id, from: moment('--from', options.from), to: moment('--to', options.to) };
        for await (const text of exportDecisions(pool, brand_id, filter, options.format, systemClock())) {
          if (!process.stdout.write(text)) await once(process.stdout, 'drain');
        }
      }),
    );
  return audit;
}

function present<Report>({ head, ...report }: Report & { head: ChainHead | null }) {
  return { ...report, head: head === null ? null : `${head.seal_no}:${head.hash.toString('hex')}` };
}

function readHead(text: string): ChainHead {
  const [, seal_no, hash = ''] = /^([1-9][0-9]{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seal_no === undefined) throw new CliError('--expect must be <seal_no>:<hash>, as printed by verify');
  return { seal_no: Number(seal_no), hash: Buffer.from(hash, 'hex') };
}

function moment(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const written = readTimestampText(text);
  if (!written?.zoned) throw new CliError(`${name} must be a date-time with an offset, such as 2026-05-01T08:00:00Z`);
  return written.micros;
}
