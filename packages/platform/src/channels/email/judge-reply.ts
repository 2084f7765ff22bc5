import { Ladder, untilPersonActs, type Waits } from '../../outgoing/index.ts';
import { bounceKindOf } from './bounce-kind.ts';

/** The result of one call. */
export type SmtpResult =
  /**
   * The server's last reply. `at`: the command that it answered; `data` is the e-mail itself, `build` means that the
   * e-mail could not be built, so nothing was sent.
   */
  | { answered: true; at: 'build' | 'session' | 'auth' | 'sender' | 'recipient' | 'data'; code: number; detail: string }
  /** `partlySent`: the e-mail, or a part of it, was sent; it may have arrived. */
  | { answered: false; failure: SmtpFailure; partlySent: boolean; detail: string };
export type SmtpFailure =
  | 'unreachable'
  | 'connect_timeout'
  | 'tls_failed'
  | 'metadata_address'
  | 'timeout'
  | 'cut'
  | 'protocol';

export type EmailOutcome =
  | { outcome: 'sent' }
  /** Certainly not accepted: repeat later. */
  | { outcome: 'retry'; reason: RetryReason }
  /** The address does not exist: it gets no more e-mail. */
  | { outcome: 'bounced'; reason: 'no_such_address' }
  /** Permanently refused: the same e-mail would be refused again. */
  | { outcome: 'failed'; reason: 'refused' | 'metadata_address' }
  /** It may or may not have been accepted. */
  | { outcome: 'unknown'; reason: 'timeout' | 'cut' };

export type RetryReason =
  | 'unreachable'
  | 'connect_timeout'
  | 'tls_failed'
  | 'cut_before'
  | 'auth_failed'
  | 'sender_refused'
  | 'deferred'
  | 'not_built';

/**
 * The table of SMTP replies (RFC 5321, RFC 3463). Pure and total.
 *
 *   no e-mail could be made of it       not_built        an invalid DKIM key: a person has to change something
 *   answer to the e-mail 2xx            sent
 *   any 4xx                             deferred         the server did not accept it, even after the whole e-mail
 *   sign-in 5xx, or a session 5xx       auth_failed      a person has to change something
 *   any 530                             auth_failed      the server wants a sign-in
 *   recipient 5xx, a hard bounce        no_such_address  see bounce-kind.ts
 *   sender 5xx                          sender_refused   for example a used quota: it concerns every e-mail, so a person has to act
 *   sender 552                          refused          this e-mail is too large
 *   other 5xx                           refused
 *   no answer before the e-mail began   retry
 *   no answer after it began            unknown          it may have been accepted: at most once
 */
export function judgeReply(result: SmtpResult): EmailOutcome {
  if (!result.answered) return ofFailure(result.failure, result.partlySent);
  const { at, code, detail } = result;
  if (at === 'build') return { outcome: 'retry', reason: 'not_built' };
  if (at === 'data' && code >= 200 && code < 300) return { outcome: 'sent' };
  if (code >= 400 && code < 500) return { outcome: 'retry', reason: 'deferred' };
  if (at === 'auth' || at === 'session' || code === 530) return { outcome: 'retry', reason: 'auth_failed' };
  if (at === 'sender' && code !== 552) return { outcome: 'retry', reason: 'sender_refused' };
  if (at === 'recipient' && bounceKindOf({ code, text: detail }) === 'hard')
    return { outcome: 'bounced', reason: 'no_such_address' };
  return { outcome: 'failed', reason: 'refused' };
}

function ofFailure(failure: SmtpFailure, partlySent: boolean): EmailOutcome {
  if (partlySent) return { outcome: 'unknown', reason: failure === 'timeout' ? 'timeout' : 'cut' };
  switch (failure) {
    case 'unreachable':
    case 'connect_timeout':
    case 'tls_failed':
      return { outcome: 'retry', reason: failure };
    case 'metadata_address':
      return { outcome: 'failed', reason: failure };
    case 'timeout':
    case 'cut':
    case 'protocol':
      return { outcome: 'retry', reason: 'cut_before' };
    default:
      return failure satisfies never;
  }
}

/** Whether the server works, for its circuit: true if it answered, even if it refused this e-mail. False if it refuses all e-mails. */
export function isAlive(outcome: EmailOutcome): boolean {
  if (outcome.outcome === 'unknown') return false;
  return outcome.outcome !== 'retry' || outcome.reason === 'deferred' || outcome.reason === 'not_built';
}

const second = 1_000;
const minute = 60 * second;
const waits: Waits = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute, 60 * minute];
/** Greylisting servers accept an e-mail after a few minutes. */
const deferred: Waits = [minute, 5 * minute, 15 * minute, 60 * minute];
export const emailLadder = new Ladder<RetryReason>(
  {
    unreachable: waits,
    connect_timeout: waits,
    tls_failed: waits,
    cut_before: waits,
    auth_failed: untilPersonActs,
    sender_refused: untilPersonActs,
    not_built: untilPersonActs,
    deferred,
  },
  { jitter: 0.2 },
);
