import { describe, expect, test } from 'vitest';
import type { BlocksRecord, ConsentsRecord, DetailsRecord } from '../../judging/judgment.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { mergeConsents } from './merge-consents.ts';
import { mergeProfile } from './merge-profile.ts';
import type { BlockRow, ConsentRow, ProfileRow } from './rows.ts';

/** The first answer was requested at 100, the second at 200, and so on. */
const times = (n: number) => ({ asked_at: n * 100, before: n === 1 ? null : (n - 1) * 100 });

const block = (active: boolean | null, note: string | null = null, type = 'Excluded') => {
  return { type_key: type.toLowerCase(), type, spelling: type, active, note };
};
const blocks = (list: ReturnType<typeof block>[], unreadable_items = false): BlocksRecord => ({
  blocks: list,
  unreadable_items,
});

/** The rows after a sequence of answers, as in the database. */
function blocksAfter(...answers: BlocksRecord[]): BlockRow[] {
  let rows: BlockRow[] = [];
  for (const [n, answer] of answers.entries()) {
    const changed = mergeBlocks(rows, 1, answer, times(n + 1));
    const keys = new Set(changed.map((row) => row.type_key));
    rows = [...rows.filter((row) => !keys.has(row.type_key)), ...changed];
  }
  return rows;
}

describe('blocks', () => {
  test.each<[name: string, answers: BlocksRecord[], expected: Partial<BlockRow>[]]>([
    ['the answer is stored', [blocks([block(true, 'n')])], [{ active: true, note: 'n', in_doubt: false, as_of: 100 }]],
    [
      'the same answer again changes no row',
      [blocks([block(true)]), blocks([block(true)])],
      [{ active: true, as_of: 100 }],
    ],
    [
      'a block that is no longer listed is not in force',
      [blocks([block(true, 'n')]), blocks([])],
      [{ active: false, note: null, as_of: 200 }],
    ],
    [
      'a block in doubt keeps its value, and the age of the last clear answer',
      [blocks([block(false)]), blocks([block(false)]), blocks([block(null)]), blocks([block(null)])],
      [{ active: false, in_doubt: true, as_of: 200 }],
    ],
    [
      'a block that was in doubt from the start has no value',
      [blocks([block(null)])],
      [{ active: null, in_doubt: true }],
    ],
    [
      'a clear answer ends the doubt',
      [blocks([block(null)]), blocks([block(false)])],
      [{ active: false, in_doubt: false, as_of: 200 }],
    ],
    [
      'an unreadable item puts every type of the interface in doubt',
      [blocks([block(true, 'n')]), blocks([], true)],
      [
        { type: 'Excluded', active: true, note: 'n', in_doubt: true, as_of: 100 },
        { type: 'Blocked', active: null, in_doubt: true },
      ],
    ],
    [
      'a type that only the operator has ends like any other',
      [blocks([block(true, null, 'Cooling')]), blocks([])],
      [{ type: 'Cooling', active: false }],
    ],
  ])('%s', (_name, answers, expected) => expect(blocksAfter(...answers)).toMatchObject(expected));

  const stored = (source: BlockRow['source'], as_of: number, more: Partial<BlockRow> = {}): BlockRow => {
    return { player_id: 1, ...block(true), in_doubt: false, unconfirmed: false, source, as_of, ...more };
  };
  // The answer was requested at 200.
  test.each<[name: string, before: BlockRow, said: boolean | null, after: Partial<BlockRow>[]]>([
    [
      'it lifts a block that an older list set',
      stored('reconciliation', 150),
      false,
      [{ active: false, source: 'look_up', as_of: 200 }],
    ],
    ['it lifts a block that a list of the same moment set', stored('reconciliation', 200), false, [{ active: false }]],
    ['a block that a newer list set stays in force', stored('reconciliation', 201), false, []],
    ['a newer block by staff that was confirmed meanwhile stays in force', stored('staff', 201), false, []],
    [
      'it lifts an unconfirmed block by staff, because own-changes.ts has decided before',
      stored('staff', 201, { unconfirmed: true }),
      false,
      [{ active: false }],
    ],
    [
      'of two look-ups, the later claim counts, whatever the clock showed',
      stored('look_up', 201),
      false,
      [{ active: false }],
    ],
    [
      'an older block is stored over a newer removal',
      stored('staff', 201, { active: false }),
      true,
      [{ active: true }],
    ],
    [
      'an older doubt is stored over a newer removal',
      stored('staff', 201, { active: false }),
      null,
      [{ in_doubt: true }],
    ],
  ])('an answer arrives after another change was stored: %s', (_name, before, said, after) => {
    const changed = mergeBlocks([before], 1, blocks([block(said)]), times(2));
    expect(changed).toMatchObject(after);
    expect(changed).toHaveLength(after.length);
  });
});

describe('consents', () => {
  const consent = (opted_in: boolean | null, spelling = 'PostMail') => ({
    type_key: 'postmail',
    type: 'PostMail',
    spelling,
    opted_in,
  });
  const given: ConsentRow = {
    player_id: 1,
    ...consent(true),
    opted_in: true,
    in_doubt: false,
    unconfirmed: false,
    source: 'look_up',
    as_of: 100,
  };

  test.each<[name: string, record: ConsentsRecord, expected: Partial<ConsentRow>[]]>([
    ['the same answer again changes no row', { consents: [consent(true)] }, []],
    ['a withdrawal is stored', { consents: [consent(false)] }, [{ opted_in: false, as_of: 300 }]],
    [
      'a consent that is no longer listed is unknown',
      { consents: [] },
      [{ opted_in: null, in_doubt: false, as_of: 300 }],
    ],
    [
      'a consent in doubt keeps its value and age',
      { consents: [consent(null)] },
      [{ opted_in: true, in_doubt: true, as_of: 200 }],
    ],
    [
      'a new spelling is stored',
      { consents: [consent(true, 'postMail')] },
      [{ type: 'PostMail', spelling: 'postMail' }],
    ],
  ])('%s', (_name, record, expected) => {
    const changed = mergeConsents([given], 1, record, times(3));
    expect(changed).toHaveLength(expected.length);
    expect(changed).toMatchObject(expected);
  });

  test.each<
    [name: string, before: Partial<ConsentRow>, said: boolean | null | undefined, after: Partial<ConsentRow>[]]
  >([
    [
      'it replaces what an older list set',
      { opted_in: false, source: 'reconciliation', as_of: 300 },
      true,
      [{ opted_in: true }],
    ],
    ['what a newer list set stays in force', { opted_in: false, source: 'reconciliation', as_of: 301 }, true, []],
    [
      'a newer withdrawal that was confirmed meanwhile stays in force',
      { opted_in: false, source: 'unsubscribe', as_of: 301 },
      true,
      [],
    ],
    [
      'of two look-ups, the later claim decides',
      { opted_in: false, source: 'look_up', as_of: 301 },
      true,
      [{ opted_in: true }],
    ],
    [
      'an older "no" is stored over a newer opt-in',
      { source: 'site', as_of: 301 },
      false,
      [{ opted_in: false, as_of: 300 }],
    ],
    [
      'an older answer without the type is stored over a newer opt-in',
      { source: 'site', as_of: 301 },
      undefined,
      [{ opted_in: null }],
    ],
    ['an older doubt is stored over a newer opt-in', { source: 'site', as_of: 301 }, null, [{ in_doubt: true }]],
  ])('an answer requested at 300 arrives after another change was stored: %s', (_name, before, said, after) => {
    const record = { consents: said === undefined ? [] : [consent(said)] };
    const changed = mergeConsents([{ ...given, ...before }], 1, record, times(3));
    expect(changed).toMatchObject(after);
    expect(changed).toHaveLength(after.length);
  });
});

describe('the profile', () => {
  const record = (changes: Partial<DetailsRecord> = {}): DetailsRecord => {
    const fields = { email: 'a@example.com', is_blocked: false, is_excluded: false };
    return {
      fields,
      unusable: [],
      blocked_in_doubt: false,
      excluded_in_doubt: false,
      segmentation: {},
      extra: {},
      ...changes,
    };
  };
  const old = mergeProfile(undefined, 1, record(), times(1)) as ProfileRow;

  test('the same answer again changes nothing', () => expect(mergeProfile(old, 1, record(), times(2))).toBeUndefined());

  test('an unusable field keeps its value and the age of its last good answer, after any number of bad answers', () => {
    const bad = record({ fields: { is_blocked: false, is_excluded: false }, unusable: ['email', 'city'] });
    const once = mergeProfile(old, 1, bad, times(4));
    expect(once).toMatchObject({ email: 'a@example.com', older: { email: 300 } });
    // The city was never known, so it has no age.
    expect(once?.older).not.toHaveProperty('city');
    expect(mergeProfile(once, 1, bad, times(5))).toBeUndefined();
    expect(mergeProfile(once, 1, record(), times(6))).toMatchObject({ older: {}, changed_at: 600 });
  });

  test('unusable free keys keep their old values', () => {
    const rich = mergeProfile(old, 1, record({ segmentation: { vip: 1 }, extra: { x: 1 } }), times(2));
    const odd = record({ fields: { email: 'b@example.com' }, segmentation: undefined, extra: undefined });
    expect(mergeProfile(rich, 1, odd, times(3))).toMatchObject({
      segmentation: { vip: 1 },
      extra: { x: 1 },
      email: 'b@example.com',
    });
  });
});
