import { expect, test } from 'vitest';
import { judgeClaims, judgeReads, judgeTracked, type SiteEvidence } from './site.ts';

/** Breaks each promise of the site on purpose; the checker has to find it. */
const [anna, ben] = ['anna', 'ben'].map((user_id) => ({ user_id, sid: `sid-${user_id}`, intent_id: `i-${user_id}` }));
const credit = (idempotency_key: string) => ({ idempotency_key }) as SiteEvidence['credits'][number];

function evidence(changes: Partial<SiteEvidence> = {}): SiteEvidence {
  if (anna === undefined || ben === undefined) throw new Error('two visitors are required');
  return {
    visitors: [anna, ben],
    acknowledged: {
      sent: new Set(['a-1', 'a-2']),
      tracked: new Set(['a-1']),
      claimed: new Set(['i-anna']),
      read: new Map([7, 9].map((id) => [id, anna])),
      gone: new Set<number>(),
    },
    credits: [credit('i-anna')],
    derived: ['a-1', 'a-2'],
    shownAsRead: new Set([7, 8]),
    recalled: new Set([9]),
    ...changes,
  };
}

test('correct evidence passes', () => {
  for (const judge of [judgeTracked, judgeClaims, judgeReads]) expect(judge(evidence())).toMatchObject({ kept: true });
});

test.each([
  ['an event is lost', judgeTracked, { derived: ['a-2'] }],
  ['an event counts twice', judgeTracked, { derived: ['a-1', 'a-2', 'a-2'] }],
  ['an event was never sent', judgeTracked, { derived: ['a-1', 'b-1'] }],
  ['a claim is credited twice', judgeClaims, { credits: [credit('i-anna'), credit('i-anna')] }],
  ['a claim is not credited', judgeClaims, { credits: [] }],
  ['an unclaimed reward is credited', judgeClaims, { credits: [credit('i-anna'), credit('i-ben')] }],
  ['a read mark is lost', judgeReads, { shownAsRead: new Set([8]) }],
] as const)('%s: found', (_, judge, changes) => {
  expect(judge(evidence(changes)).broken).toHaveLength(1);
});
