import { setTimeout as delay } from 'node:timers/promises';
import { readTimestampText } from '@croupier/contracts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { transaction } from '../database/index.ts';
import { type LookUp, lookUps } from '../operator/judging/index.ts';
import {
  changeResync,
  playersNamed,
  type ResyncChoice,
  type ResyncRun,
  readResync,
  readResyncs,
  requestResync,
  resyncChoices,
} from '../operator/resync/index.ts';
import { type CliContext, CliError, withContext } from './context.ts';
import { printRows } from './output.ts';
import { withRightClock } from './right-clock.ts';

interface StartOptions {
  user?: string[];
  country?: string[];
  origin?: string[];
  market?: string[];
  registeredFrom?: number;
  registeredTo?: number;
  lookedUpBefore?: number;
  state?: ResyncChoice[];
  lookUp?: LookUp[];
  perSecond?: number;
  wait: boolean;
  json?: boolean;
}

const lookEveryMs = 500;
const listed = 20;

const moment = (text: string): number => {
  const written = readTimestampText(text);
  if (!written?.zoned)
    throw new InvalidArgumentError('must be a date-time with an offset, such as 2026-05-01T08:00:00Z');
  return written.micros;
};
const pace = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 1_000)
    throw new InvalidArgumentError('must be 1 to 1000 players per second');
  return value;
};

/** `cli resync`: fetches the operator's data of many players again. A running worker does the work. */
export function resyncCommand(): Command {
  const resync = new Command('resync').description("re-synchronizes a brand's players with the operator");
  resync
    .command('start <brand>')
    .description('requests look-ups for the whole brand, or for the players who match all options')
    .option('--user <user_id...>', 'only these players')
    .option('--country <country...>', 'only players with one of these countries in their profile')
    .option('--origin <origin...>', 'only players with one of these origins in their profile')
    .option('--market <market...>', 'only players with one of these markets in their profile')
    .option('--registered-from <moment>', 'only players who registered at or after this time', moment)
    .option('--registered-to <moment>', 'only players who registered at or before this time', moment)
    .option(
      '--looked-up-before <moment>',
      'only players whose last look-up was answered before this time, or never',
      moment,
    )
    .addOption(
      new Option('--state <state...>', 'only players with a look-up in one of these states').choices([
        ...resyncChoices,
      ]),
    )
    .addOption(new Option('--look-up <name...>', 'only these look-ups').choices([...lookUps]))
    .option('--per-second <players>', 'players per second; default: the setting operator.resync_per_second', pace)
    .option('--no-wait', 'does not wait for the end of the run')
    .option('--json', 'prints the run as JSON')
    .action((code: string, options: StartOptions) =>
      withContext((context) => withRightClock(context.stages, () => start(context, code, options))),
    );
  resync
    .command('list <brand>')
    .description(`lists the newest ${listed} runs`)
    .option('--json', 'prints JSON')
    .action((code: string, { json = false }: { json?: boolean }) =>
      withContext(async ({ pool, brand }) => {
        const { brand_id } = await brand(code);
        printRows((await readResyncs(pool, { brand_id, limit: listed })).map(present), { json });
      }),
    );
  for (const change of ['pause', 'continue', 'cancel'] as const) {
    resync
      .command(`${change} <brand> <resync_id>`)
      .description(`${change}s a re-synchronization`)
      .action((code: string, id: string) =>
        withContext((context) => withRightClock(context.stages, () => apply(context, code, Number(id), change))),
      );
  }
  return resync;
}

async function start({ pool, brand, stages }: CliContext, code: string, options: StartOptions): Promise<void> {
  const { brand_id, operator } = await brand(code);
  if (operator === null) throw new CliError(`brand ${code} has no operator`);
  const named = options.user === undefined ? null : await playersNamed(pool, brand_id, options.user);
  if (named !== null && named.unknown.length > 0)
    throw new CliError(`brand ${code} has no player ${named.unknown.join(', ')}: no event has named them yet`);
  const run = await requestResync(pool, {
    brand_id,
    filter: filterOf(options),
    player_ids: named?.player_ids ?? null,
    look_ups: options.lookUp ?? lookUps,
    per_second: options.perSecond ?? null,
    requested_by: 'command line',
    now: stages.databaseClock.agreed(),
  });
  if (run === undefined) throw new CliError('another re-synchronization of the brand is in progress or paused');
  const end = options.wait ? await untilOver(pool, run) : run;
  printRows([present(end)], { json: options.json ?? false });
}

function filterOf(options: StartOptions) {
  const { country, origin, market, registeredFrom, registeredTo, lookedUpBefore, state } = options;
  return {
    ...(country && { countries: country }),
    ...(origin && { origins: origin }),
    ...(market && { markets: market }),
    ...(registeredFrom !== undefined && { registered_from: registeredFrom }),
    ...(registeredTo !== undefined && { registered_to: registeredTo }),
    ...(lookedUpBefore !== undefined && { looked_up_before: lookedUpBefore }),
    ...(state && { states: state }),
  };
}

/** Ctrl-C ends only the display; the run continues. */
async function untilOver(pool: CliContext['pool'], started: ResyncRun): Promise<ResyncRun> {
  for (;;) {
    const run = (await readResync(pool, started.brand_id, started.resync_id)) ?? started;
    const { state, total, look_ups, asked, answered, failed } = run;
    if (process.stderr.isTTY) {
      const all = total === null ? '?' : total * look_ups.length;
      process.stderr.write(
        `\r${state}: ${all} look-ups, ${asked} asked, ${answered} answered, ${failed} failed\u001b[K`,
      );
    }
    if (state === 'done' || state === 'cancelled' || state === 'paused') return run;
    await delay(lookEveryMs);
  }
}

async function apply(
  { pool, brand, stages }: CliContext,
  code: string,
  resync_id: number,
  change: 'pause' | 'continue' | 'cancel',
): Promise<void> {
  const { brand_id } = await brand(code);
  const run = await transaction(pool, (tx) =>
    changeResync(tx, { brand_id, resync_id }, change, stages.databaseClock.agreed()),
  );
  if (run === undefined)
    throw new CliError(
      `cannot ${change} re-synchronization ${resync_id}: it does not exist, or its state does not allow it`,
    );
  printRows([present(run)], { json: false });
}

function present({ resync_id, state, total, asked, answered, failed }: ResyncRun): Record<string, unknown> {
  return { resync_id, state, players: total ?? '', asked, answered, failed };
}
