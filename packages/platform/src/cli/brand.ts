import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { parse } from 'yaml';
import { type Brand, readDeclaration, writeBrand } from '../brands/index.ts';
import { CliError, withContext } from './context.ts';
import { printJson, printRows } from './output.ts';

/** `cli brand`: brands and their settings, for installations that do not declare them in a file. */
export function brandCommand(): Command {
  const brand = new Command('brand').description('manages brands and their settings');
  brand
    .command('list')
    .description('lists the brands')
    .option('--json', 'prints JSON')
    .action((options: { json?: boolean }) =>
      withContext(async ({ stages: { brands } }) => {
        await brands.refresh();
        printRows(
          brands.all().map(({ code, name, declared, settings, operator }) => ({
            code,
            name,
            declared,
            base_currency: settings.base_currency,
            time_zone: settings.time_zone,
            operator: operator?.base_url ?? '',
          })),
          options,
        );
      }),
    );
  brand
    .command('show <code>')
    .description('prints the settings of a brand, without credentials')
    .action((code: string) => withContext(async (context) => printJson(withoutSecrets(await context.brand(code)))));
  brand
    .command('save <file>')
    .description('creates or changes one brand from a YAML file with one entry of `brands:`; use - to read from stdin')
    .action((file: string) =>
      withContext(async ({ pool, vault }) => {
        const source = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
        const reading = readDeclaration(parsed(source, file), 'brand');
        if (!reading.ok) {
          throw new CliError(reading.errors.map((error) => `${error.path} ${error.message}`).join('\n'));
        }
        await writeBrand(pool, vault, reading.declaration);
        process.stdout.write(`brand ${reading.declaration.code} is saved\n`);
      }),
    );
  return brand;
}

function parsed(source: string, file: string): unknown {
  try {
    return parse(source);
  } catch (error) {
    // Only the first line is shown. The other lines show the place in the text as a drawing.
    const [first = ''] = (error as Error).message.split(':\n');
    throw new CliError(`${file === '-' ? 'the input' : file} is not YAML: ${first}`);
  }
}

function withoutSecrets({ operator, test_user, site_jwt, email, ...brand }: Brand) {
  return {
    ...brand,
    operator: operator && { ...operator, auth: { type: operator.auth.type } },
    test_user: test_user && { user_id: test_user.user_id, in_production: test_user.in_production },
    site_jwt: site_jwt && { max_age_minutes: site_jwt.max_age_minutes },
    email: email && { host: email.host, port: email.port, security: email.security, from_address: email.from_address },
  };
}
