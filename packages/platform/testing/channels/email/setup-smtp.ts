import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificate, key } from './certificate.ts';

/** How the server handles the next e-mails. */
export type Behavior =
  | { does: 'takes' }
  /** Refuses the sender, the recipient, or the whole e-mail. */
  | { does: 'refuses'; at: 'sender' | 'recipient' | 'data'; code: number; says: string }
  /** Receives the whole e-mail without answering; or closes the connection instead of answering. */
  | { does: 'hangs' }
  | { does: 'cuts' };

export interface ReceivedMail {
  raw: Buffer;
  from: string;
  to: string[];
  /** Whether TLS was used, and the user who signed in. */
  secure: boolean;
  user: string | undefined;
}

/** A real SMTP server on this machine. */
export interface SmtpService {
  port: number;
  certificate: string;
  /** Whole e-mails that arrived, regardless of the answer. */
  mails: ReceivedMail[];
  connections: number;
  behave(behavior: Behavior): void;
  /** Ends all connections, as servers do with idle ones. */
  endSessions(): void;
  /** Resolves with the next e-mail that arrives. */
  next(): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

export async function startSmtp(
  options: SMTPServerOptions = {},
  users: Record<string, string> = {},
): Promise<SmtpService> {
  let behavior: Behavior = { does: 'takes' };
  const waiting: ((mail: ReceivedMail) => void)[] = [];
  const refusal = (at: 'sender' | 'recipient' | 'data') => {
    if (behavior.does !== 'refuses' || behavior.at !== at) return null;
    return Object.assign(new Error(behavior.says), { responseCode: behavior.code });
  };
  const service: SmtpService = {
    port: 0,
    certificate,
    mails: [],
    connections: 0,
    behave(next) {
      behavior = next;
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    endSessions() {
      for (const connection of server.connections) connection._socket?.destroy();
    },
    async stop() {
      service.endSessions();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const server = new SMTPServer({
    key,
    cert: certificate,
    authOptional: Object.keys(users).length === 0,
    logger: false,
    onConnect(_, callback) {
      service.connections++;
      callback();
    },
    onAuth({ username = '', password }, _, callback) {
      if (users[username] === password) callback(null, { user: username });
      else callback(new Error('Invalid username or password'));
    },
    onMailFrom: (_, __, callback) => callback(refusal('sender')),
    onRcptTo: (_, __, callback) => callback(refusal('recipient')),
    onData(stream, session, callback) {
      const answer = (raw: Buffer) => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail: ReceivedMail = {
          raw,
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          secure: session.secure,
          user: session.user as string | undefined,
        };
        service.mails.push(mail);
        waiting.shift()?.(mail);
        if (behavior.does === 'hangs') return;
        if (behavior.does === 'cuts') {
          for (const connection of server.connections) connection._socket?.destroy();
          return;
        }
        callback(refusal('data'));
      };
      // A message that is cut off does not count.
      buffer(stream).then(answer, () => {});
    },
    ...options,
  });
  // Ignore connections that a test cuts.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  service.port = (server.server.address() as AddressInfo).port;
  return service;
}
