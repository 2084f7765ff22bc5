import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { Later, type Troubled, Troubles } from './troubles.ts';

/** A message that a provider received completely. Its answer does not matter, because it may have forwarded the message to the player. */
export interface TakenMessage {
  channel: 'email' | 'sms';
  /** `<campaign> <step> <payment_id>`, as the templates write it. */
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** An SMTP server and an SMS provider without idempotency keys: a message that they take twice reaches the player twice. */
export interface MessageProviders extends AsyncDisposable {
  smtpPort: number;
  smsUrl: string;
  taken: readonly TakenMessage[];
  /** Calls that arrived completely, and those of them with a fault, by channel. */
  counts: Readonly<Record<TakenMessage['channel'], Troubled>>;
  /** From now on, they work without faults. */
  heal(): void;
}

/**
 * Shares of the completely received e-mails. `silent` never answers, `late` answers after the time limit of a call, `cut` closes the
 * connection, `twice` confirms twice, and `refused` rejects in the end (554): all of these take the e-mail. `busy` (451) does not take
 * it. It occurs at most once for each e-mail, because after a second time the platform waits for five minutes.
 */
const emailTroubles = { silent: 0.07, late: 0.05, cut: 0.08, twice: 0.08, refused: 0.07, busy: 0.05 };
/** The same for SMS. `broken` is a 500 after the SMS was taken, and `busy` is a 429 before it. */
const smsTroubles = { silent: 0.06, late: 0.05, cut: 0.08, twice: 0.06, broken: 0.08, busy: 0.07 };
/** Longer than the time limit of a call of either channel (campaigns.ts, campaign-life.ts). */
const lateMs = 1_500;

export async function startMessageProviders(seed: string): Promise<MessageProviders> {
  const taken: TakenMessage[] = [];
  const troubles = new Troubles(`providers/${seed}`, ['email', 'sms']);
  const deferred = new Set<string>();
  const later = new Later();

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, callback) {
      const answer = (raw: Buffer) => {
        const key = subjectOf(raw);
        const fault = troubles.draw('email', emailTroubles);
        if (fault === 'busy' && !deferred.has(key)) {
          deferred.add(key);
          callback(Object.assign(new Error('Try again later'), { responseCode: 451 }));
          return;
        }
        taken.push({ channel: 'email', key, at: Date.now() });
        const connection = [...smtp.connections].find(({ id }) => id === session.id);
        switch (fault) {
          case 'silent':
            return;
          case 'late':
            later.run(lateMs, () => callback(null));
            return;
          case 'cut':
            connection?._socket?.destroy();
            return;
          case 'refused':
            callback(Object.assign(new Error('Something went wrong'), { responseCode: 554 }));
            return;
          case 'twice':
            callback(null);
            connection?._socket?.write('250 OK: message queued\r\n');
            return;
          default:
            callback(null);
        }
      };
      // A sender that is killed in the middle of a message sent none.
      buffer(stream).then(answer, () => {});
    },
  });
  // Clients are killed in the middle of a command.
  smtp.on('error', () => {});
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');

  const sms = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const fault = troubles.draw('sms', smsTroubles);
    if (fault === 'busy') {
      answer(response, 429);
      return;
    }
    taken.push({ channel: 'sms', key: keyOf((JSON.parse(body) as { text: string }).text), at: Date.now() });
    const { socket } = response;
    switch (fault) {
      case 'silent':
        return;
      case 'late':
        later.run(lateMs, () => answer(response, 200));
        return;
      case 'cut':
        socket?.destroy();
        return;
      case 'twice':
        answer(response, 200);
        socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
        return;
      default:
        answer(response, fault === 'broken' ? 500 : 200);
    }
  });
  sms.listen(0, '127.0.0.1');
  await once(sms, 'listening');
  return {
    smtpPort: (smtp.server.address() as AddressInfo).port,
    smsUrl: `http://127.0.0.1:${(sms.address() as AddressInfo).port}/send`,
    taken,
    counts: troubles.counts,
    heal: () => troubles.heal(),
    async [Symbol.asyncDispose]() {
      later[Symbol.dispose]();
      for (const connection of smtp.connections) connection._socket?.destroy();
      sms.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(resolve)),
        new Promise((resolve) => sms.close(resolve)),
      ]);
    },
  };
}

/** Returns the first line of a text, because the platform appends how to unsubscribe. */
export function keyOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** The subject is short and ASCII, so it is on one line, without encoding. */
function subjectOf(raw: Buffer): string {
  return /^Subject: (.*?)\r?$/m.exec(raw.toString('latin1'))?.[1] ?? '';
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
}
