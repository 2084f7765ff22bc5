import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { WakeupListener, WakeupSender } from '../database/index.ts';

/* "There is something new in the ledger", from api processes to workers. */

const own = { name: 'wakeups', channel: 'croupier_ledger' };

interface Options {
  connection: ClientConfig;
  process: string;
  log: Logger;
}

/** The side of the api process: `poke()` after each commit. */
export class LedgerWakeupSender extends WakeupSender {
  constructor(options: Options) {
    super({ ...options, ...own });
  }
}

/** The side of the worker. */
export class LedgerWakeupListener extends WakeupListener {
  constructor(options: Options & { onWakeup: () => void }) {
    super({ ...options, ...own });
  }
}
