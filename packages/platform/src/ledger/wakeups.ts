import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { WakeupListener, WakeupSender } from '../database/index.ts';

/* Api processes send workers the hint "there is something new in the ledger". */

const own = { name: 'wakeups', channel: 'croupier_ledger' };

interface Options {
  connection: ClientConfig;
  process: string;
  log: Logger;
}

/** Sends the hint. Used in the api process: call `poke()` after each commit. */
export class LedgerWakeupSender extends WakeupSender {
  constructor(options: Options) {
    super({ ...options, ...own });
  }
}

/** Receives the hint. Used in the worker. */
export class LedgerWakeupListener extends WakeupListener {
  constructor(options: Options & { onWakeup: () => void }) {
    super({ ...options, ...own });
  }
}
