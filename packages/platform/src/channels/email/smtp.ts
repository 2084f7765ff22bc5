import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { connect as connectSocket, isIP, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { EmailSettings } from '../../brands/index.ts';
import { isMetadataAddress, storableStart } from '../../operator/calling/index.ts';
import type { SmtpFailure, SmtpResult } from './judge-reply.ts';

/*
 * One session with an SMTP server, for one e-mail after the other. A call never throws for an error of the server or the
 * network. Its result contains the server's reply, and whether any byte of the e-mail may have been sent.
 *
 * An administrator sets the server, which may have a private address. The metadata address of a cloud is never called. The check
 * runs between resolving and connecting, on the address that is then used.
 */
const connectTimeoutMs = 10_000;

interface SmtpError extends Error {
  code?: string;
  /** The system's code, if nodemailer replaced it with its own. */
  originalCode?: string;
  responseCode?: number;
  response?: string;
  command?: string;
}

class MetadataAddress extends Error {
  override name = 'MetadataAddress';
}

/** The e-mail. It records whether nodemailer has started to read it, which it does once the server is ready for the data. */
class Body extends Readable {
  partlySent = false;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    super();
    this.#bytes = bytes;
  }

  override _read(): void {
    this.partlySent = true;
    this.push(this.#bytes);
    this.push(null);
  }
}

export class SmtpSession {
  readonly #connection: SMTPConnection;
  #isOpen = false;
  /** Fails the current step. A connection that is closed from this side emits no event. */
  #break: ((error: SmtpError) => void) | null = null;

  private constructor(connection: SMTPConnection) {
    this.#connection = connection;
    connection.on('end', () => {
      this.#isOpen = false;
    });
    // Errors during a call go to its step; this listener handles errors between two calls.
    connection.on('error', () => {
      this.#isOpen = false;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Connects, starts TLS and signs in.
   *
   * @param timeoutMs for all of this together. The timeouts of nodemailer count silence only, so a server that sends a byte now and then
   * would never reach them
   * @param cut ends it early
   */
  static async open(email: EmailSettings, timeoutMs: number, cut?: AbortSignal): Promise<SmtpSession | SmtpResult> {
    const ends = new AbortController();
    const end = () => ends.abort();
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      end();
    }, timeoutMs);
    cut?.addEventListener('abort', end);
    if (cut?.aborted) end();
    try {
      const opened = await SmtpSession.#open(email, timeoutMs, ends.signal);
      const isCut = !(opened instanceof SmtpSession) && !opened.answered && opened.failure === 'cut';
      return isLate && isCut ? { ...opened, failure: 'timeout' } : opened;
    } finally {
      clearTimeout(late);
      cut?.removeEventListener('abort', end);
    }
  }

  static async #open(email: EmailSettings, timeoutMs: number, ends: AbortSignal): Promise<SmtpSession | SmtpResult> {
    // nodemailer is loaded with the first e-mail, because many installations send none. It is loaded before the socket is opened,
    // because an open socket needs a listener for errors.
    const { default: Connection } = await import('nodemailer/lib/smtp-connection');
    const socket = await dial(email, Math.min(timeoutMs, connectTimeoutMs), ends).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    if (socket instanceof Error) return failed(connectFailure(socket), false, socket);
    const { security, host, ca, username, password = '' } = email;
    const connection = new Connection({
      connection: socket,
      host,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      tls: { ...(ca === undefined ? {} : { ca }), ...(isIP(host) === 0 ? { servername: host } : {}) },
      greetingTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      logger: false,
    });
    const session = new SmtpSession(connection);
    ends.addEventListener('abort', () => session.close(), { once: true });
    const refusal = await session.#step((done) => connection.connect(done), 'session');
    if (refusal !== null) return session.#ended(refusal);
    session.#isOpen = true;
    if (username !== '') {
      const credentials = { credentials: { user: username, pass: password } };
      const signIn = await session.#step((done) => connection.login(credentials as never, done), 'auth');
      if (signIn !== null) return session.#ended(signIn);
    }
    return session;
  }

  async send(envelope: { from: string; to: string }, mail: Buffer): Promise<SmtpResult> {
    const body = new Body(mail);
    let response = '';
    const refusal = await this.#step(
      (done) =>
        this.#connection.send({ from: envelope.from, to: [envelope.to] }, body, (error, info) => {
          response = info?.response ?? '';
          done(error);
        }),
      'data',
      body,
    );
    if (refusal !== null) return refusal;
    return {
      answered: true,
      at: 'data',
      code: Number(response.slice(0, 3)) || 250,
      detail: storableStart(response, 500),
    };
  }

  /** Closes the connection. The current step fails as cut. Data that was already sent may still arrive. */
  close(): void {
    this.#isOpen = false;
    this.#connection.close();
    this.#break?.(new Error('closed by this side'));
  }

  quit(): void {
    this.#isOpen = false;
    this.#connection.quit();
  }

  /** One step of the conversation. Null if the server agreed. */
  #step(
    step: (done: (error?: SmtpError | null) => void) => void,
    at: Extract<SmtpResult, { answered: true }>['at'],
    body?: Body,
  ): Promise<SmtpResult | null> {
    return new Promise((resolve) => {
      const finish = (error?: SmtpError | null) => {
        this.#connection.off('error', finish);
        this.#break = null;
        resolve(error == null ? null : resultOfError(error, at, body?.partlySent ?? false));
      };
      this.#connection.once('error', finish);
      this.#break = finish;
      step(finish);
    });
  }

  #ended(result: SmtpResult): SmtpResult {
    this.close();
    return result;
  }
}

/** Converts an error into a result. Pure. */
function resultOfError(
  error: SmtpError,
  at: Extract<SmtpResult, { answered: true }>['at'],
  partlySent: boolean,
): SmtpResult {
  const { responseCode, command = '', code, originalCode = '' } = error;
  if (responseCode !== undefined) {
    const of = command === 'MAIL FROM' ? 'sender' : command === 'RCPT TO' ? 'recipient' : at;
    return { answered: true, at: of, code: responseCode, detail: storableStart(error.response ?? error.message, 500) };
  }
  const isOfTls = code === 'ETLS' || /CERT|TLS|SSL|UNABLE_TO|SELF_SIGNED/.test(originalCode);
  if (isOfTls) return failed('tls_failed', partlySent, error);
  if (code === 'ETIMEDOUT') return failed('timeout', partlySent, error);
  // The server offers no sign-in, or none that is supported: a person has to change something.
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return { answered: true, at: 'auth', code: 530, detail: storableStart(error.message, 500) };
  if (code === 'EPROTOCOL') return failed('protocol', partlySent, error);
  // An address that cannot be written in a command was never sent, so the server has not refused it.
  if (code === 'EENVELOPE') return { answered: true, at: 'build', code: 0, detail: storableStart(error.message, 500) };
  return failed('cut', partlySent, error);
}

function failed(failure: SmtpFailure, partlySent: boolean, error: Error): SmtpResult {
  return { answered: false, failure, partlySent, detail: storableStart(error.message, 500) };
}

function connectFailure(error: NodeJS.ErrnoException): SmtpFailure {
  if (error instanceof MetadataAddress) return 'metadata_address';
  return error.code === 'ETIMEDOUT' ? 'connect_timeout' : 'unreachable';
}

function dial({ host, port }: EmailSettings, timeoutMs: number, ends: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (ends.aborted) return reject(new Error('closed by this side'));
    if (isMetadataAddress(host)) return reject(new MetadataAddress(`${host} is a cloud metadata address`));
    const socket = connectSocket({ host, port, lookup: checkedLookup as LookupFunction });
    const late = setTimeout(() => {
      socket.destroy(Object.assign(new Error(`no connection after ${timeoutMs} ms`), { code: 'ETIMEDOUT' }));
    }, timeoutMs);
    const end = () => socket.destroy(new Error('closed by this side'));
    ends.addEventListener('abort', end);
    const settle = () => {
      clearTimeout(late);
      ends.removeEventListener('abort', end);
    };
    socket.once('error', (error) => {
      settle();
      reject(error);
    });
    socket.once('connect', () => {
      settle();
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

function checkedLookup(
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const [first] = addresses;
    if (first === undefined || addresses.some(({ address }) => isMetadataAddress(address)))
      return callback(new MetadataAddress(`${hostname} resolves to a cloud metadata address`), []);
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
}
