import type { Logger } from 'pino';
import type { Brand } from '../../brands/index.ts';
import type { ClockGuard } from '../../chores/index.ts';
import { lost, Runner } from '../../outgoing/index.ts';
import { HealthNotes } from '../settings/health-notes.ts';
import { isAlive, judgeReply, type SmtpResult } from './judge-reply.ts';
import {
  beginEmail,
  callMsOf,
  finishEmail,
  isStillAllowed,
  type OpenEmail,
  type SendEmailDeps,
  sendEmail,
} from './send.ts';
import { EmailServers } from './servers.ts';
import { deleteEnded, type EmailClaim, type EmailPlace, emailQueue, expireWaitingEmails, giveUpLost } from './store.ts';

/*
 * Sends due e-mails (send.ts), each brand's server within its own slots, rate and circuit (servers.ts), with the engine for
 * outgoing calls.
 */
const perRound = 500;
/** Rows of e-mails that have ended are kept for 90 days, so that people can look up what was sent. */
const retention = 90 * 24 * 3_600_000_000;
const deletedPerRound = 1_000;
const upkeepEveryMs = 10_000;
const defaultStopGraceMs = 8_000;
/**
 * An outcome that the database cannot store is retried from memory. After about two minutes it is only in the log, and the e-mail stays
 * unknown.
 */
const finishTries = 25;

export interface EmailSenderOptions extends Omit<SendEmailDeps, 'random' | 'shortSince'> {
  brands: { byId(brandId: number): Brand | undefined; all(): readonly Brand[] };
  log: Logger;
  guard?: ClockGuard;
  random?: () => number;
  servers?: EmailServers;
  /** Default 8000. */
  stopGraceMs?: number;
}

export class EmailSender extends Runner<EmailPlace, EmailClaim, OpenEmail, SmtpResult> {
  readonly #options: EmailSenderOptions;
  readonly #servers: EmailServers;
  #nextUpkeepAt = Number.NEGATIVE_INFINITY;

  constructor(options: EmailSenderOptions) {
    const { pool, log, guard, brands, transport, stopGraceMs = defaultStopGraceMs, random = Math.random } = options;
    const { servers = new EmailServers() } = options;
    const deps: SendEmailDeps = { ...options, random, shortSince: (brandId, now) => servers.shortSince(brandId, now) };
    const health = new HealthNotes({ pool, clock: options.clock, log });
    super(
      {
        queue: emailQueue,
        places: () => servers.places(brands.all(), options.clock()),
        async begin(claim) {
          const brand = brands.byId(claim.brand_id);
          if (brand?.email == null) {
            await emailQueue.release(pool, [claim]);
            return lost;
          }
          return beginEmail(claim, brand, brand.email, deps);
        },
        async send(open, sendCheck) {
          servers.began(open.claim.brand_id);
          const result = await sendEmail(open, deps, sendCheck).catch((error: unknown) => {
            // Nothing was sent, for example because the DKIM key is invalid.
            log.error({ err: error, message_id: open.claim.message_id }, 'an e-mail could not be built');
            const failed: SmtpResult = {
              answered: true,
              at: 'build',
              code: 0,
              detail: 'the e-mail could not be built',
            };
            return failed;
          });
          const { brand_id } = open.claim;
          if (result === null) {
            servers.ended(brand_id, null);
            return null;
          }
          const judged = judgeReply(result);
          const error = isAlive(judged)
            ? null
            : `${'reason' in judged ? judged.reason : judged.outcome}: ${result.detail}`;
          const of = { brand_id, channel: 'email', target: open.email.host };
          await health.note({ of, circuit: servers.ended(brand_id, judged), error });
          return result;
        },
        callMs: ({ email }) => callMsOf(email),
        isStillAllowed: (open) => isStillAllowed(open, deps),
        async finish(open, result) {
          const outcome = await finishEmail(open, result, deps);
          const reason = outcome.outcome === 'retry' ? outcome.reason : null;
          if (reason === 'auth_failed' || reason === 'sender_refused')
            log.warn(
              { brand_id: open.claim.brand_id, reason },
              'an SMTP server refuses the session, the sign-in or the sender; check `email` of the brand and its quota',
            );
          return outcome;
        },
        finishTries,
        cut: () => transport.destroy(),
        about: ({ message_id }) => ({ message_id }),
        words: {
          away: 'e-mails are not sent: the database is unavailable',
          again: 'e-mails are sent again',
          failed: 'e-mails cannot be claimed: internal error',
          brokeOff: 'sending an e-mail was interrupted',
        },
      },
      { pool, log, guard, stopGraceMs },
    );
    this.#options = options;
    this.#servers = servers;
  }

  override async runOnce(): Promise<{ claimed: number; lost: number; deleted: number }> {
    const retained = await this.#upkeep();
    return { ...retained, ...(await super.runOnce()) };
  }

  async #upkeep(): Promise<{ lost: number; deleted: number }> {
    const now = performance.now();
    if (now < this.#nextUpkeepAt) return { lost: 0, deleted: 0 };
    this.#nextUpkeepAt = now + upkeepEveryMs;
    const { pool, clock } = this.#options;
    const lost = await giveUpLost(pool, perRound, clock());
    await expireWaitingEmails(pool, perRound, this.#servers.shortages(clock()), clock());
    return { lost, deleted: await deleteEnded(pool, clock() - retention, deletedPerRound) };
  }
}
