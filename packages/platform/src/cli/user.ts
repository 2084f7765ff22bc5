import { Command, Option } from 'commander';
import { systemClock } from '../clock.ts';
import {
  createUser,
  disableUser,
  enableUser,
  listUsers,
  type Role,
  resetSecondFactors,
  roles,
  setPassword,
} from '../console/index.ts';
import { withContext } from './context.ts';
import { moment, printRows } from './output.ts';

/** `cli user`: accounts of the people who work in the console. */
export function userCommand(): Command {
  const user = new Command('user').description('manages console accounts');
  user
    .command('list')
    .description('lists the accounts')
    .option('--json', 'prints JSON')
    .action((options: { json?: boolean }) =>
      withContext(async ({ pool, stages: { brands } }) => {
        await brands.refresh();
        const placeOf = (id: number | null) => (id === null ? 'all brands' : (brands.byId(id)?.code ?? `brand ${id}`));
        const accounts = await listUsers(pool);
        printRows(
          accounts.map(({ email, created_at, disabled_at, grants }) => ({
            email,
            created: moment(created_at),
            disabled: moment(disabled_at),
            grants: grants.map((grant) => `${grant.role} at ${placeOf(grant.brand_id)}`).join(', '),
          })),
          options,
        );
      }),
    );
  user
    .command('create <email>')
    .description('creates an account and prints its password once')
    .addOption(new Option('--role <role>', 'role of the account').choices([...roles]).default('viewer'))
    .option('--brand <code>', 'only at this brand; default: at all brands')
    .action((email: string, options: { role: Role; brand?: string }) =>
      withContext(async ({ pool, brand }) => {
        const brandId = options.brand === undefined ? null : (await brand(options.brand)).brand_id;
        const made = await createUser(pool, { email, grants: [{ brand_id: brandId, role: options.role }] });
        process.stdout.write(`${made.email}  ${made.password}\n`);
      }),
    );
  user
    .command('password <email>')
    .description('gives the account a new random password, prints it, and signs it out everywhere')
    .action((email: string) =>
      withContext(async ({ pool }) => {
        const { password } = await setPassword(pool, email);
        process.stdout.write(`${password}\n`);
      }),
    );
  user
    .command('reset-second-factors <email>')
    .description(
      'removes the authenticator app, passkeys and recovery codes of the account, and signs it out everywhere; use it after a device was lost',
    )
    .action((email: string) => withContext(({ pool }) => resetSecondFactors(pool, systemClock, email)));
  user
    .command('disable <email>')
    .description('ends the sessions of the account and refuses further sign-ins')
    .action((email: string) => withContext(({ pool }) => disableUser(pool, email)));
  user
    .command('enable <email>')
    .description('lets a disabled account sign in again')
    .action((email: string) => withContext(({ pool }) => enableUser(pool, email)));
  return user;
}
