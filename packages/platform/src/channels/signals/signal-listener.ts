import type { ClientConfig } from 'pg';
import type { Logger } from 'pino';
import { HintListener } from '../../database/index.ts';
import { readHints, type SignalHint } from './hint.ts';
import { signalChannel } from './signal-sender.ts';

/** Receives the hints of all `SignalSender`s. `onHints(null)` means: poll. */
export class SignalListener extends HintListener {
  constructor(options: {
    connection: ClientConfig;
    process: string;
    log: Logger;
    onHints: (hints: readonly SignalHint[] | null) => void;
  }) {
    const { connection, process, log, onHints } = options;
    super({
      connection,
      name: `croupier ${process} signals heard`,
      channel: signalChannel,
      log,
      onHint: (payload) => onHints(payload === null ? null : readHints(payload)),
    });
  }
}
