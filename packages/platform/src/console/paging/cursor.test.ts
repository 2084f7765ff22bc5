import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { CursorCodec, InvalidCursor } from './cursor.ts';

const payments = new CursorCodec('payments', Type.Tuple([Type.Number(), Type.String()]));
const others = new CursorCodec('others', Type.Tuple([Type.Number(), Type.String()]));

test('a cursor can be decoded', () => {
  expect(payments.decode(payments.encode([1_777_624_078_000_001, 'p/1 ü']))).toEqual([1_777_624_078_000_001, 'p/1 ü']);
});

test('the first page has no cursor', () => {
  expect(payments.decode(undefined)).toBeUndefined();
});

test.each([
  ['of another list', others.encode([1, 'a'])],
  ['of another shape', Buffer.from('["payments",[1]]').toString('base64url')],
  ['cut short', payments.encode([1, 'a']).slice(0, 8)],
  ['empty', ''],
  ['made up', 'page2'],
])('a cursor %s is refused', (_what, text) => {
  expect(() => payments.decode(text)).toThrow(InvalidCursor);
});
