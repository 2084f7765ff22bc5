import { expect, test } from 'vitest';
import { bounceKindOf } from './bounce-kind.ts';

test.each<[string, string]>([
  // With an enhanced code, it alone decides.
  ['550 5.1.1 <anna@x.example>: no such user', 'hard'],
  ['550 5.1.1 unknown user, blocked', 'hard'],
  ['550 5.1.10 Recipient not found', 'hard'],
  ['550 5.2.1 The email account that you tried to reach is disabled', 'hard'],
  ['sorry, no mailbox here by that name (#5.1.1)', 'hard'],
  ['550 5.1.8 Sender address rejected: Domain not found', 'policy'],
  ['554 5.7.1 blocked using zen.spamhaus.org', 'policy'],
  ['550 5.7.1 user unknown', 'policy'],
  ['553 5.6.7 Address requires SMTPUTF8', 'policy'],
  ['552 5.2.2 mailbox full, user unknown', 'soft'],
  ['550 5.4.1 Recipient address rejected: Access denied', 'soft'],
  ['550 5.5.0 Requested action not taken: mailbox unavailable', 'soft'],
  ['450 4.1.1 unknown user', 'soft'],
  ['451 5.1.1 unknown user, try again later', 'soft'],
  // x.0.0 says nothing.
  ['5.0.0 smtp; 550 User unknown', 'hard'],
  ['5.0.0 smtp; 550 5.7.1 User unknown', 'policy'],
  // Without one, only clear words about the mailbox are hard.
  ['550 no mailbox here', 'hard'],
  ['550 No Such User Here', 'hard'],
  ['550 <anna@x.example>: Recipient address rejected: User unknown in relay recipient table', 'hard'],
  ['550 User anna@x.example not listed in public Name & Address Book: no such person', 'hard'],
  ["554 delivery error: dd This user doesn't have a yahoo.com account", 'hard'],
  ['550 mailbox disabled', 'hard'],
  ['550 Unrouteable address', 'hard'],
  ['550 The recipient does not exist', 'hard'],
  ['550 Invalid recipient', 'hard'],
  ['', 'soft'],
  ['550', 'soft'],
  ['550 Requested action not taken: mailbox unavailable', 'soft'],
  ['550 Recipient rejected: invalid message format', 'soft'],
  ['550 mailbox is full, account disabled', 'soft'],
  ['450 unknown user', 'soft'],
  ['550 recipient rejected: unknown error', 'soft'],
  ['550 Could not complete recipient verify callout: user unknown', 'soft'],
  ['550 relay not permitted', 'policy'],
  ['550 Sender verify failed', 'policy'],
  ['550-Verification failed for <a@b.example> No Such User Here 550 Sender verify failed', 'policy'],
  ['550 5.1.2.3 is listed at zen.spamhaus.org', 'policy'],
  ['550 Your account is disabled', 'policy'],
  ['550 Sender domain does not exist', 'policy'],
  ['550 IP address unknown', 'policy'],
  ['550 message rejected as spam: address unknown', 'policy'],
  // A word of the address does not count.
  ['550 <spam@blocked.example> user unknown', 'hard'],
  ['550 <no.such.user@x.example> rejected', 'soft'],
])('%s: %s', (text, kind) => expect(bounceKindOf({ text })).toBe(kind));

test('codes that are given apart from the text', () => {
  expect(bounceKindOf({ code: 550, enhanced: '5.7.1', text: 'no such user' })).toBe('policy');
  expect(bounceKindOf({ code: 550, enhanced: '5.1.1' })).toBe('hard');
  expect(bounceKindOf({ code: 605, text: 'unknown user' })).toBe('soft');
  expect(bounceKindOf({})).toBe('soft');
});
