import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { WakeupListener, WakeupSender } from '../../database/index.ts';

/* Signals from api processes to the lanes of workers: a player entered through a call, or runs must be moved. */

const own = { name: 'entries', channel: 'croupier_campaigns' };

interface Options {
  connection: ClientConfig;
  process: string;
  log: Logger;
}

/** Used by the api process: call `poke()` after the commit. */
export class CampaignWakeupSender extends WakeupSender {
  constructor(options: Options) {
    super({ ...options, ...own });
  }
}

/** Used by the worker. */
export class CampaignWakeupListener extends WakeupListener {
  constructor(options: Options & { onWakeup: () => void }) {
    super({ ...options, ...own });
  }
}
