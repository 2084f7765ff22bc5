import { isDeepStrictEqual } from 'node:util';
import type { EmailSettings } from '../../brands/index.ts';
import type { SendCheck } from '../../outgoing/index.ts';
import type { SmtpResult } from './judge-reply.ts';
import { SmtpSession } from './smtp.ts';

/*
 * Keeps sessions open between e-mails, because connecting and signing in takes longer than sending an e-mail. The runner's
 * slots limit how many are used at once; sessions kept here are idle. If the server has ended an idle session in the meantime,
 * nothing of the e-mail was sent, and a new session is opened once.
 */
const idleMs = 10_000;
/** Close the session after this many e-mails, because servers end sessions with an error after some hundred. */
const mailsPerSession = 100;

interface Idle {
  session: SmtpSession;
  email: EmailSettings;
  mails: number;
  ends: NodeJS.Timeout;
}

export class EmailTransport {
  readonly #idle = new Map<number, Idle[]>();
  readonly #busy = new Set<SmtpSession>();
  /** Sessions that are being opened, until they are busy. */
  readonly #opening = new Set<AbortController>();
  #isCut = false;

  /**
   * @param brandId the brand that owns the server; a changed configuration closes the earlier sessions
   * @param sendCheck omitted by a test of a server, which contacts no player
   * @returns null if the e-mail was not allowed to be sent
   */
  async send(
    brandId: number,
    email: EmailSettings,
    envelope: { from: string; to: string },
    mail: Buffer,
    sendCheck?: SendCheck,
  ): Promise<SmtpResult | null> {
    const idle = this.#take(brandId, email);
    if (idle !== undefined) {
      const result = await this.#sendBy(brandId, email, idle, envelope, mail);
      const isStale = !result.answered && !result.partlySent && !this.#isCut;
      if (!isStale) return result;
    }
    const opened = await this.#open(email, sendCheck);
    if (!(opened instanceof SmtpSession)) return opened;
    return this.#sendBy(brandId, email, { session: opened, mails: 0 }, envelope, mail);
  }

  /** @returns null if the e-mail was not allowed to be sent */
  async #open(email: EmailSettings, sendCheck: SendCheck | undefined): Promise<SmtpSession | SmtpResult | null> {
    const opening = new AbortController();
    this.#opening.add(opening);
    try {
      const session = await SmtpSession.open(email, email.call_timeout_ms, opening.signal);
      if (!(session instanceof SmtpSession)) return session;
      // Connecting, TLS and signing in may have taken a long time.
      if (sendCheck !== undefined && !(await sendCheck.maySend())) {
        session.quit();
        return null;
      }
      if (!opening.signal.aborted) return session;
      session.close();
      return { answered: false, failure: 'cut', partlySent: false, detail: 'closed by this side' };
    } finally {
      this.#opening.delete(opening);
    }
  }

  async #sendBy(
    brandId: number,
    email: EmailSettings,
    { session, mails }: Pick<Idle, 'session' | 'mails'>,
    envelope: { from: string; to: string },
    mail: Buffer,
  ): Promise<SmtpResult> {
    this.#busy.add(session);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      session.close();
    }, email.call_timeout_ms);
    const result = await session.send(envelope, mail);
    clearTimeout(late);
    this.#busy.delete(session);
    const isKept =
      result.answered && result.at === 'data' && result.code < 300 && session.isOpen && mails + 1 < mailsPerSession;
    if (isKept && !this.#isCut) this.#keep(brandId, { session, email, mails: mails + 1 });
    else session.close();
    return isLate && !result.answered ? { ...result, failure: 'timeout' } : result;
  }

  #take(brandId: number, email: EmailSettings): Idle | undefined {
    const idle = this.#idle.get(brandId) ?? [];
    for (;;) {
      const one = idle.pop();
      if (one === undefined) return undefined;
      clearTimeout(one.ends);
      if (one.session.isOpen && isDeepStrictEqual(one.email, email)) return one;
      one.session.close();
    }
  }

  #keep(brandId: number, one: Omit<Idle, 'ends'>): void {
    const idle = this.#idle.get(brandId) ?? [];
    const ends = setTimeout(() => {
      const place = idle.findIndex(({ session }) => session === one.session);
      if (place >= 0) idle.splice(place, 1);
      one.session.quit();
    }, idleMs);
    idle.push({ ...one, ends: ends.unref() });
    this.#idle.set(brandId, idle);
  }

  /** Closes all sessions, also those that are being opened or are sending an e-mail. */
  async destroy(): Promise<void> {
    this.#isCut = true;
    for (const idle of this.#idle.values())
      for (const { session, ends } of idle) {
        clearTimeout(ends);
        session.close();
      }
    this.#idle.clear();
    for (const opening of this.#opening) opening.abort();
    for (const session of this.#busy) session.close();
  }
}
