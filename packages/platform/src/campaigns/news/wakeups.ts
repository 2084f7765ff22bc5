import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { WakeupListener, WakeupSender } from '../../database/index.ts';

/* "Somebody was entered by a call, or runs are to be moved", from api processes to the lanes of workers. */

const own = { name: 'entries', channel: 'croupier_campaigns' };

interface Options {
  connection: ClientConfig;
  process: string;
  log: Logger;
}

/** The side of the api process: `poke()` after the commit. */
export class CampaignWakeupSender extends WakeupSender {
  constructor(options: Options) {
    super({ ...options, ...own });
  }
}

/** The side of the worker. */
export class CampaignWakeupListener extends WakeupListener {
  constructor(options: Options & { onWakeup: () => void }) {
    super({ ...options, ...own });
  }
}
