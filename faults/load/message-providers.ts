import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { seededRandom } from '../../packages/sandbox/src/random.ts';

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
  /** From now on they work without faults. */
  heal(): void;
}

/** Shares of the completely received e-mails; the rest is taken. `twice` confirms twice, `refused` rejects in the end. */
const emailTroubles = { silent: 0.1, cut: 0.1, twice: 0.1, refused: 0.1 };
/** `silent`, `cut` and `broken` (500) come after the effect, `busy` (429) before. */
const smsTroubles = { silent: 0.1, cut: 0.1, broken: 0.1, busy: 0.1 };

export async function startMessageProviders(seed: string): Promise<MessageProviders> {
  const taken: TakenMessage[] = [];
  const random = seededRandom(`providers/${seed}`);
  let healthy = false;
  const trouble = <Name extends string>(rates: Record<Name, number>): Name | undefined => {
    if (healthy) return undefined;
    let place = random.next();
    for (const [name, rate] of Object.entries(rates) as [Name, number][]) {
      place -= rate;
      if (place < 0) return name;
    }
    return undefined;
  };

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData(stream, session, callback) {
      const answer = (raw: Buffer) => {
        taken.push({ channel: 'email', key: subjectOf(raw), at: Date.now() });
        const connection = [...smtp.connections].find(({ id }) => id === session.id);
        switch (trouble(emailTroubles)) {
          case 'silent':
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
    const fault = trouble(smsTroubles);
    if (fault === 'busy') {
      answer(response, 429);
      return;
    }
    taken.push({ channel: 'sms', key: keyOf((JSON.parse(body) as { text: string }).text), at: Date.now() });
    if (fault === 'silent') return;
    if (fault === 'cut') response.socket?.destroy();
    else answer(response, fault === 'broken' ? 500 : 200);
  });
  sms.listen(0, '127.0.0.1');
  await once(sms, 'listening');
  return {
    smtpPort: (smtp.server.address() as AddressInfo).port,
    smsUrl: `http://127.0.0.1:${(sms.address() as AddressInfo).port}/send`,
    taken,
    heal() {
      healthy = true;
    },
    async [Symbol.asyncDispose]() {
      for (const connection of smtp.connections) connection._socket?.destroy();
      sms.closeAllConnections();
      await Promise.all([
        new Promise<void>((resolve) => smtp.close(resolve)),
        new Promise((resolve) => sms.close(resolve)),
      ]);
    },
  };
}

/** The first line of a text; the platform appends how to unsubscribe. */
export function keyOf(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Short and ASCII, so it is on one line without encoding. */
function subjectOf(raw: Buffer): string {
  return /^Subject: (.*?)\r?$/m.exec(raw.toString('latin1'))?.[1] ?? '';
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
}
