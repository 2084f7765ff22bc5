import { describe, expect, test } from 'vitest';
import { answered, hour, minute, now, permissiveFacts } from '../../../testing/gate/decision/facts.ts';
import type { ProtectionFacts } from '../../operator/protection/index.ts';
import { channels, type Purpose, purposes } from '../request.ts';
import { decide } from './decide.ts';
import { consentOfChannel } from './rule.ts';

const { details: known } = permissiveFacts();
const flags = (changes: object) => ({ details: known && { ...known, ...changes } });
const block = (type: string, changes: object = {}) => ({
  blocks: [
    {
      type_key: type.toLowerCase(),
      type,
      active: true,
      in_doubt: false,
      unconfirmed: false,
      source: 'look_up' as const,
      as_of: now,
      ...changes,
    },
  ],
});
const email = (changes: object | null) => ({
  consents: permissiveFacts().consents.flatMap((row) =>
    row.type !== 'Email' ? [row] : changes === null ? [] : [{ ...row, ...changes }],
  ),
});
const lookUps = (changes: ProtectionFacts['look_ups']) => ({ look_ups: { ...permissiveFacts().look_ups, ...changes } });
const old = answered(now - 24 * hour - 1);

type Expected = Record<Purpose, string>;
const all = (verdict: string): Expected => ({ marketing: verdict, service: verdict, bonus: verdict });

/** The decision on an e-mail for each purpose. */
const table: [name: string, change: Partial<ProtectionFacts>, expected: Expected][] = [
  ['everything permits', {}, all('allowed')],

  ['the details exclude', flags({ is_excluded: true }), all('withheld excluded')],
  ['the exclusion flag is in doubt', flags({ excluded_in_doubt: true }), all('withheld excluded')],
  ['the exclusion flag was never reported', flags({ is_excluded: null }), all('withheld excluded')],
  ['the blocks exclude', block('Excluded'), all('withheld excluded')],
  ['an exclusion in doubt', block('Excluded', { active: false, in_doubt: true }), all('withheld excluded')],
  ['an exclusion that was never clearly reported', block('Excluded', { active: null }), all('withheld excluded')],
  ['a reconciliation excludes', block('Excluded', { source: 'reconciliation' }), all('withheld excluded')],
  ['staff excludes', block('Excluded', { source: 'staff' }), all('withheld excluded')],
  ['an exclusion that ended', block('Excluded', { active: false }), all('allowed')],
  [
    'an old exclusion',
    { ...flags({ is_excluded: true }), ...lookUps({ details: old, blocks: old }) },
    all('withheld excluded'),
  ],

  ['the details block', flags({ is_blocked: true }), { ...all('withheld blocked'), service: 'allowed' }],
  ['the block flag is in doubt', flags({ blocked_in_doubt: true }), { ...all('withheld blocked'), service: 'allowed' }],
  [
    'the block flag was never reported',
    flags({ is_blocked: null }),
    { ...all('withheld blocked'), service: 'allowed' },
  ],
  ['the blocks block', block('Blocked'), { ...all('withheld blocked'), service: 'allowed' }],
  ['a block in doubt', block('Blocked', { in_doubt: true }), { ...all('withheld blocked'), service: 'allowed' }],
  ['a type the interface does not know', block('Fraud'), { ...all('withheld blocked'), service: 'allowed' }],
  ['an old block', { ...block('Blocked'), ...lookUps({ details: old, blocks: old }) }, all('held too_old')],

  ['the consent was withdrawn', email({ opted_in: false }), { ...all('allowed'), marketing: 'withheld no_consent' }],
  ['the consent is in doubt', email({ in_doubt: true }), { ...all('allowed'), marketing: 'withheld consent_unknown' }],
  [
    'the answer lacks the type',
    email({ opted_in: null }),
    { ...all('allowed'), marketing: 'withheld consent_unknown' },
  ],
  ['the type was never reported', email(null), { ...all('allowed'), marketing: 'withheld consent_unknown' }],
  [
    'a withdrawal at the operator that may be outdated',
    { ...email({ opted_in: false }), ...lookUps({ consents: answered(now, { outdated: true }) }) },
    all('held outdated'),
  ],
  [
    'a withdrawal made in the platform, whatever the operator is about to say',
    {
      ...email({ opted_in: false, source: 'unsubscribe', unconfirmed: true }),
      ...lookUps({ consents: answered(null) }),
    },
    { ...all('allowed'), marketing: 'withheld no_consent' },
  ],
  [
    'a consent given in the platform, about which the operator was never asked',
    { ...email({ source: 'site', unconfirmed: true, as_of: now - minute }), ...lookUps({ consents: undefined }) },
    all('allowed'),
  ],
  [
    'a consent given in the platform long ago that the operator never confirmed',
    email({ source: 'site', unconfirmed: true, as_of: now - 25 * hour }),
    { ...all('allowed'), marketing: 'held too_old' },
  ],
  [
    'a withdrawal made in the platform that the operator confirmed, and an update that is not answered',
    {
      ...email({ opted_in: false, source: 'unsubscribe' }),
      ...lookUps({ consents: answered(now, { outdated: true }) }),
    },
    all('held outdated'),
  ],

  ['nothing was ever looked up', { details: null, look_ups: {}, consents: [] }, all('held unknown')],
  ['no details', { details: null, ...lookUps({ details: answered(null) }) }, all('held unknown')],
  ['a deleted profile', { details: null }, all('held unknown')],
  ['no blocks', lookUps({ blocks: undefined }), all('held unknown')],
  [
    'no consents',
    { consents: [], ...lookUps({ consents: undefined }) },
    { ...all('allowed'), marketing: 'held unknown' },
  ],
  ['old details', lookUps({ details: old }), all('held too_old')],
  ['old blocks', lookUps({ blocks: old }), all('held too_old')],
  ['old consents', lookUps({ consents: old }), { ...all('allowed'), marketing: 'held too_old' }],
  ['exactly as old as allowed', lookUps({ blocks: answered(now - 24 * hour) }), all('allowed')],
  ['facts of the future', lookUps({ blocks: answered(now + 6 * minute) }), all('held too_old')],
  ['a clock a little ahead', lookUps({ blocks: answered(now + 4 * minute) }), all('allowed')],
  ['the details changed', lookUps({ details: answered(now, { outdated: true }) }), all('held outdated')],
  ['the blocks changed', lookUps({ blocks: answered(now, { outdated: true }) }), all('held outdated')],
  [
    'a pending look-up that no change requested',
    lookUps({ blocks: answered(now - minute, { owed: true, coming: true }) }),
    all('allowed'),
  ],
];

describe.each(table)('%s', (_name, change, expected) => {
  test.each(purposes)('%s', (purpose) => {
    const { outcome, reason } = decideFor(change, { purpose });
    expect(reason === null ? outcome : `${outcome} ${reason}`).toBe(expected[purpose]);
  });
});

function decideFor(change: Partial<ProtectionFacts>, more: object = {}, reconciled = {}) {
  const request = { channel: 'email', purpose: 'marketing', expires_at: null, ...more } as const;
  return decide(permissiveFacts(change), { request, reconciled, now, fact_age_hours: 24, update_pending: false });
}

test.each(channels)('%s needs its own consent and no other', (channel) => {
  const type = consentOfChannel[channel];
  for (const withdrawn of permissiveFacts().consents.map((row) => row.type)) {
    const consents = permissiveFacts().consents.map((row) =>
      row.type === withdrawn ? { ...row, opted_in: false } : row,
    );
    const expected = withdrawn === type ? 'withheld' : 'allowed';
    expect(decideFor({ consents }, { channel }).outcome).toBe(expected);
  }
});

describe('a contact that has expired', () => {
  const expired = { expires_at: now };
  test.each<[name: string, change: Partial<ProtectionFacts>, reason: string | null]>([
    ['is withheld with the known reason', { ...block('Blocked'), ...lookUps({ blocks: old }) }, 'blocked'],
    ['is withheld as unknown in time', lookUps({ blocks: old }), 'expired_while_unknown'],
    [
      'is withheld as unknown to the operator',
      lookUps({ details: answered(null, { parked: true }), blocks: answered(null, { parked: true }) }),
      'unknown_player',
    ],
    ['is left to the caller if everything is known', {}, null],
  ])('%s', (_name, change, reason) => expect(decideFor(change, expired).reason).toBe(reason));
});

describe('reconciliation', () => {
  const aged = lookUps({ details: old, blocks: old, consents: old });
  test('renews the age of each fact it was about', () => {
    const fresh = { excluded: now - hour, blocked: now - hour, consent_email: now - hour };
    expect(decideFor(aged, {}, fresh).outcome).toBe('allowed');
    expect(decideFor(aged, { channel: 'sms' }, fresh)).toMatchObject({ outcome: 'held', wanting: ['consents'] });
    expect(decideFor(aged, { purpose: 'service' }, { excluded: now }).outcome).toBe('allowed');
    expect(decideFor(aged, { purpose: 'bonus' }, { excluded: now }).outcome).toBe('held');
  });

  test('does not make a fact known that was never looked up, and does not confirm a change', () => {
    const fresh = { excluded: now, blocked: now, consent_email: now };
    expect(decideFor(lookUps({ blocks: undefined }), {}, fresh).reason).toBe('unknown');
    expect(decideFor(lookUps({ blocks: answered(now, { outdated: true }) }), {}, fresh).reason).toBe('outdated');
  });
});

describe('an update of the player that is not applied yet', () => {
  const pending = (change: Partial<ProtectionFacts> = {}, more: object = {}) => {
    const request = { channel: 'email', purpose: 'marketing', expires_at: null, ...more } as const;
    const on = { request, reconciled: {}, now, fact_age_hours: 24, update_pending: true };
    return decide(permissiveFacts(change), on);
  };

  test.each(purposes)('holds a contact for %s, whatever the update is about', (purpose) => {
    expect(pending({}, { purpose })).toMatchObject({ outcome: 'held', reason: 'update_pending' });
    expect(pending(block('Blocked'), { purpose })).toMatchObject({ outcome: 'held', reason: 'update_pending' });
    expect(pending({ details: null, look_ups: {}, consents: [] }, { purpose }).reason).toBe('update_pending');
  });

  test('does not delay a final refusal', () => {
    expect(pending(flags({ is_excluded: true })).reason).toBe('excluded');
    expect(pending(email({ opted_in: false, source: 'unsubscribe', unconfirmed: true })).reason).toBe('no_consent');
  });

  test('withholds a contact that expires meanwhile', () => {
    expect(pending({}, { expires_at: now })).toMatchObject({ outcome: 'withheld', reason: 'expired_while_unknown' });
  });
});

test('a player who does not exist is not contacted', () => {
  const request = { channel: 'email', purpose: 'service', expires_at: null } as const;
  expect(decide(undefined, { request, reconciled: {}, now, fact_age_hours: 24, update_pending: true })).toMatchObject({
    outcome: 'withheld',
    reason: 'unknown_player',
  });
});

test('a decision contains what it is based on: every source, the oldest fact, what to refresh', () => {
  const verdict = decideFor(lookUps({ blocks: old, details: answered(now - 5 * minute) }));
  expect(verdict.inputs.map(({ input }) => input)).toEqual([
    'details.is_excluded',
    'blocks.Excluded',
    'details.is_blocked',
    'blocks.Blocked',
    'consents.Email',
  ]);
  expect(verdict).toMatchObject({ as_of: old.as_of, wanting: ['blocks'] });
});
