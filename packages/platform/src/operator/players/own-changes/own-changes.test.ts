import { describe, expect, test } from 'vitest';
import type { OpenItem, OpenState } from './item.ts';
import { blockSaid, consentSaid, judgeOwnChange, optInHoldsFor, type Verdict } from './own-changes.ts';
import { maxRewrites } from './rewrite.ts';

/*
 * The whole table: what was changed x its stage x the value of a look-up. `after` is a look-up that was certainly requested
 * after the operator had stored the change.
 */
const strengths = {
  withdrawal: { record: 'consents', wanted: false },
  'opt-in': { record: 'consents', wanted: true },
  'block set': { record: 'blocks', wanted: true },
  'block removed': { record: 'blocks', wanted: false },
} as const;
type What = keyof typeof strengths;

const storedBy = 7;
const before = { request: storedBy - 1, asked_at: 1_000 };
const after = { request: storedBy, asked_at: 1_000 };
const dayLater = { request: storedBy - 1, asked_at: 500 + optInHoldsFor + 1 };

function itemOf(what: What, state: OpenState, rewrites = 0): OpenItem {
  const confirm_request = state === 'stored' || state === 'contradicted' ? storedBy : null;
  const key = { item_id: 1, player_id: 1, type_key: 'email' };
  return {
    ...key,
    ...strengths[what],
    state,
    changed_at: 500,
    rewrites,
    confirm_request,
    late_until: null,
    seen: false,
  };
}

/** Verdicts for: the same, the opposite, nothing clear. */
type Three = [Verdict, Verdict, Verdict];
const hold: Three = ['hold', 'hold', 'hold'];
const decide: Three = ['decide', 'decide', 'decide'];

const table: [What, OpenState, string, typeof before, Three][] = [
  ...(['withdrawal', 'block set'] as const).flatMap((what): [What, OpenState, string, typeof before, Three][] => [
    [what, 'pending', 'any', after, hold],
    [what, 'pending', 'a day later', dayLater, hold],
    [what, 'sending', 'any', after, hold],
    [what, 'sending', 'a day later', dayLater, hold],
    [what, 'stored', 'before', before, hold],
    [what, 'stored', 'a day later, before', dayLater, hold],
    [what, 'stored', 'after', after, ['confirm', 'rewrite', 'hold']],
    [what, 'contradicted', 'before', before, hold],
    [what, 'contradicted', 'after', after, ['confirm', 'hold', 'hold']],
    [what, 'kept', 'any', after, hold],
  ]),
  ['opt-in', 'pending', 'any', after, hold],
  ['opt-in', 'pending', 'a day later', dayLater, ['decide', 'overrule', 'decide']],
  ['opt-in', 'sending', 'any', after, hold],
  ['opt-in', 'sending', 'a day later', dayLater, ['decide', 'overrule', 'decide']],
  ['opt-in', 'stored', 'before', before, hold],
  ['opt-in', 'stored', 'after', after, ['confirm', 'overrule', 'decide']],
  ['block removed', 'pending', 'any', after, decide],
  ['block removed', 'sending', 'a day later', dayLater, decide],
  ['block removed', 'stored', 'before', before, decide],
  ['block removed', 'stored', 'after', after, ['confirm', 'overrule', 'decide']],
];

test.each(table)('%s, %s, look-up requested %s', (what, state, _when, asked, expected) => {
  const { wanted } = strengths[what];
  const verdicts = [wanted, !wanted, null].map((said) => judgeOwnChange(itemOf(what, state), said, asked));
  expect(verdicts).toEqual(expected);
});

describe('while an earlier opt-in of unknown outcome may still take effect', () => {
  const late = { late_until: 2_000 };
  const inTime = { request: storedBy, asked_at: 2_000 };
  const over = { request: storedBy, asked_at: 2_001 };
  const verdictsOf = (item: OpenItem, asked: typeof inTime) =>
    [item.wanted, !item.wanted, null].map((said) => judgeOwnChange(item, said, asked));

  test.each<[What, OpenState, Three]>([
    ['withdrawal', 'stored', ['watch', 'rewrite', 'hold']],
    ['block set', 'stored', ['watch', 'rewrite', 'hold']],
    ['withdrawal', 'contradicted', ['watch', 'hold', 'hold']],
    ['opt-in', 'stored', ['confirm', 'overrule', 'decide']],
    ['block removed', 'stored', ['confirm', 'overrule', 'decide']],
  ])('%s, %s: one look-up does not settle it', (what, state, expected) => {
    for (const seen of [false, true])
      expect(verdictsOf({ ...itemOf(what, state), ...late, seen }, inTime)).toEqual(expected);
  });

  test('after that time, look-ups decide if one had confirmed the change; otherwise the change holds', () => {
    const item = { ...itemOf('withdrawal', 'stored'), ...late };
    expect(verdictsOf({ ...item, seen: true }, over)).toEqual(['confirm', 'overrule', 'decide']);
    expect(verdictsOf(item, over)).toEqual(['confirm', 'rewrite', 'hold']);
  });
});

test('a stored withdrawal is written again up to the limit, and then needs a person', () => {
  const verdicts = Array.from({ length: maxRewrites + 2 }, (_, rewrites) =>
    judgeOwnChange(itemOf('withdrawal', 'stored', rewrites), true, after),
  );
  expect(verdicts).toEqual([...Array(maxRewrites).fill('rewrite'), 'contradict', 'contradict']);
});

describe('the value that a record reports for a type', () => {
  const email = { type_key: 'email', type: 'Email', spelling: 'email' };
  const excluded = { type_key: 'excluded', type: 'Excluded', spelling: 'Excluded', note: null };

  test('a consent: its value, or null if it is unclear or missing', () => {
    expect(consentSaid([{ ...email, opted_in: false }], 'email')).toBe(false);
    expect(consentSaid([{ ...email, opted_in: null }], 'email')).toBeNull();
    expect(consentSaid([], 'email')).toBeNull();
  });

  test('a block: a type that is not listed is not in force, unless an item could not be read', () => {
    expect(blockSaid({ blocks: [{ ...excluded, active: true }], unreadable_items: true }, 'excluded')).toBe(true);
    expect(blockSaid({ blocks: [], unreadable_items: false }, 'excluded')).toBe(false);
    expect(blockSaid({ blocks: [], unreadable_items: true }, 'excluded')).toBeNull();
  });
});
