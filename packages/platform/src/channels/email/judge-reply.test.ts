import { describe, expect, test } from 'vitest';
import { emailLadder, isAlive, judgeReply, type SmtpFailure, type SmtpResult } from './judge-reply.ts';

const said = (at: Extract<SmtpResult, { answered: true }>['at'], code: number, detail = ''): SmtpResult => ({
  answered: true,
  at,
  code,
  detail,
});
const silent = (failure: SmtpFailure, partlySent: boolean): SmtpResult => ({
  answered: false,
  failure,
  partlySent,
  detail: '',
});
const words = (result: SmtpResult) => {
  const outcome = judgeReply(result);
  return 'reason' in outcome ? `${outcome.outcome} ${outcome.reason}` : outcome.outcome;
};

describe('the reply of a server', () => {
  test.each<[SmtpResult, string]>([
    [said('data', 250), 'sent'],
    [said('data', 451), 'retry deferred'],
    [said('recipient', 450, '4.2.1 greylisted'), 'retry deferred'],
    [said('data', 421), 'retry deferred'],
    [said('sender', 452), 'retry deferred'],
    [said('data', 554, '5.7.1 spam'), 'failed refused'],
    [said('data', 550), 'failed refused'],
    [said('recipient', 550, '550 5.1.1 no such user'), 'bounced no_such_address'],
    [said('recipient', 550, '550 no mailbox here'), 'bounced no_such_address'],
    [said('recipient', 550, '550 5.2.1 mailbox disabled'), 'bounced no_such_address'],
    [said('recipient', 553), 'failed refused'],
    [said('recipient', 550, '550 relay not permitted'), 'failed refused'],
    [said('recipient', 553, '553 5.6.7 address requires SMTPUTF8'), 'failed refused'],
    [said('recipient', 550, '550 5.7.1 blocked by policy'), 'failed refused'],
    [said('recipient', 552, '552 5.2.2 mailbox full'), 'failed refused'],
    [said('sender', 550), 'retry sender_refused'],
    [said('sender', 550, '550 5.4.5 Daily user sending limit exceeded'), 'retry sender_refused'],
    [said('sender', 530, '530 5.7.0 Authentication Required'), 'retry auth_failed'],
    [said('recipient', 530, '530 5.7.0 Must issue a STARTTLS command first'), 'retry auth_failed'],
    [said('sender', 552, '552 5.3.4 Message too large'), 'failed refused'],
    [said('auth', 535), 'retry auth_failed'],
    [said('session', 554), 'retry auth_failed'],
    [said('build', 0), 'retry not_built'],
  ])('%j: %s', (result, outcome) => expect(words(result)).toBe(outcome));

  test.each<[SmtpFailure, string, string]>([
    ['unreachable', 'retry unreachable', 'unknown cut'],
    ['connect_timeout', 'retry connect_timeout', 'unknown cut'],
    ['tls_failed', 'retry tls_failed', 'unknown cut'],
    ['timeout', 'retry cut_before', 'unknown timeout'],
    ['cut', 'retry cut_before', 'unknown cut'],
    ['protocol', 'retry cut_before', 'unknown cut'],
    ['metadata_address', 'failed metadata_address', 'unknown cut'],
  ])('%s before the e-mail began: %s; after: %s', (failure, before, after) => {
    expect([words(silent(failure, false)), words(silent(failure, true))]).toEqual([before, after]);
  });
});

test("a circuit opens because of timeouts, refused sign-ins and refused senders, not because of a server's replies to an e-mail", () => {
  const alive = [said('data', 250), said('data', 451), said('recipient', 550), said('data', 554)];
  const dead = [
    said('auth', 535),
    said('sender', 550),
    said('sender', 530),
    silent('unreachable', false),
    silent('timeout', true),
  ];
  expect(alive.map((result) => isAlive(judgeReply(result)))).toEqual([true, true, true, true]);
  expect(dead.map((result) => isAlive(judgeReply(result)))).toEqual([false, false, false, false, false]);
});

test('greylisting: the first retry comes after a minute', () => {
  expect(emailLadder.delayMs('deferred', 1, { random: 0.5 })).toBe(60_000);
  expect(emailLadder.delayMs('unreachable', 1, { random: 0.5 })).toBe(5_000);
});
