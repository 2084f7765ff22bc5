import { Command } from 'commander';
import { createKey, listKeys, revokeKey } from '../brands/index.ts';
import { CliError, withContext } from './context.ts';
import { moment, printRows } from './output.ts';

/** `cli key`: the API keys with which operators publish. */
export function keyCommand(): Command {
  const key = new Command('key').description('manages API keys of a brand');
  key
    .command('list <brand>')
    .description('lists names and dates; a key itself is shown only when it is created')
    .option('--json', 'prints JSON')
    .action((code: string, options: { json?: boolean }) =>
      withContext(async ({ pool, brand }) => {
        const keys = await listKeys(pool, (await brand(code)).brand_id);
        printRows(
          keys.map(({ name, declared, created_at, revoked_at }) => ({
            name,
            declared,
            created: moment(created_at),
            revoked: moment(revoked_at),
          })),
          options,
        );
      }),
    );
  key
    .command('create <brand> <name>')
    .description('creates a key and prints it once')
    .action((code: string, name: string) =>
      withContext(async ({ pool, brand }) => {
        const created = await createKey(pool, (await brand(code)).brand_id, name);
        process.stdout.write(`${created.key}\n`);
      }),
    );
  key
    .command('revoke <brand> <name>')
    .description('revokes a key; it is refused within a second')
    .action((code: string, name: string) =>
      withContext(async ({ pool, brand }) => {
        const { brand_id } = await brand(code);
        const found = (await listKeys(pool, brand_id)).find((one) => one.name === name);
        if (found === undefined) throw new CliError(`the key ${name} does not exist at brand ${code}`);
        if (found.declared) throw new CliError(`${name} is declared in the configuration file; remove it there`);
        const done = await revokeKey(pool, brand_id, found.api_key_id);
        process.stdout.write(done ? 'revoked\n' : 'was already revoked\n');
      }),
    );
  return key;
}
