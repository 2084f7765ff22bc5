import { expect, test } from 'vitest';
import { mentionsPlayer } from './mentions.ts';

const body = (text: string) => Buffer.from(text);

test.each([
  ['a number before a line break', '{"user_id": 4711\n}'],
  ['a number before a blank', '{"user_id":4711 , "x": 1}'],
  ['a text with blanks around it', '{"user_id":" 4711 "}'],
  ['escaped characters', '{"user_id":"\\u00347\\u00311"}'],
  ['under another name', '{"userId":"4711"}'],
  ['in a list', '[{"user_id":"4711"}]'],
  ['as a key', '{"4711":{"amount":1}}'],
  ['JSON in a text', JSON.stringify(JSON.stringify({ user_id: '4711' }))],
  ['JSON in a field', JSON.stringify({ data: JSON.stringify({ user_id: '4711' }) })],
  ['hidden by a later member of the same name', '{"user_id":"4711","user_id":null}'],
  ['hidden, with escapes', '{"user_id":"\\u0034711","user_id":null}'],
  ['cut off after a number', '{"user_id":4711'],
  ['cut off, a line break after the number', '{"amount":\n{"user_id": 4711\n,'],
  ['cut off, with escapes', '{"user_id":"\\u0034711", "amount": '],
  ['cut off, quoted with blanks', '{"user_id":" 4711 ", "amount": '],
  ['single quotes', "{'user_id': '4711'}"],
  ['a form', 'user_id=4711&amount=5'],
  ['nested too deep to be parsed', `${'['.repeat(70)}"4711"${']'.repeat(70)}`],
])('%s mentions the player', (_name, text) => expect(mentionsPlayer(body(text), '4711')).toBe(true));

test.each([
  ['another number', '{"user_id": 47110}'],
  ['a part of a longer number', '{"user_id": 14711'],
  ['a part of a word', '{"user_id": "x_4711"'],
  ['a part of a text', '{"note":"for 4711 only"}'],
  ['nothing', ''],
])('%s does not', (_name, text) => expect(mentionsPlayer(body(text), '4711')).toBe(false));

test('an id beyond 2^53 is found by all of its digits', () => {
  expect(mentionsPlayer(body('{"user_id": 12345678901234567\n}'), '12345678901234567')).toBe(true);
  expect(mentionsPlayer(body('{"user_id": 12345678901234568\n}'), '12345678901234567')).toBe(false);
});
