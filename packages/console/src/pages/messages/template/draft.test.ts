import { expect, test } from 'vitest';
import { causeOf, type Draft, isOfCause, withField, withLanguage, withoutLanguage } from './draft.ts';

const draft: Draft = { name: 'Welcome', purpose: 'marketing', content: { en: { title: 'Hi', message: '<p>Hi</p>' } } };

test('empty fields are left out, and a new language starts with the text of another', () => {
  expect(withField(draft, 'en', 'title', 'Hello').content).toEqual({ en: { title: 'Hello', message: '<p>Hi</p>' } });
  expect(withField(draft, 'en', 'message', '').content).toEqual({ en: { title: 'Hi' } });
  const two = withField(withLanguage(draft, 'de', 'en'), 'de', 'title', 'Hallo');
  expect(two.content).toEqual({ ...draft.content, de: { title: 'Hallo', message: '<p>Hi</p>' } });
  expect(withoutLanguage(two, 'en').content).toEqual({ de: { title: 'Hallo', message: '<p>Hi</p>' } });
});

test('values of a cause become the objects that the preview expects', () => {
  expect(causeOf({ 'event.amount': '25', 'event.game.name': 'Lanterns', 'offer.code': '', event: 'x' })).toEqual({
    event: { amount: '25', game: { name: 'Lanterns' } },
  });
  expect(causeOf({ 'event.prizes': '["A boat", "A car"]', 'event.note': '[sic]' })).toEqual({
    event: { prizes: ['A boat', 'A car'], note: '[sic]' },
  });
  expect(causeOf({ 'event.game': 'Lanterns', 'event.game.name': 'x', 'event.items[0].name': 'y' })).toEqual({
    event: { game: { name: 'x' } },
  });
  expect(['event.amount', 'offer.code', 'player.city', 'event.items[0].name'].filter(isOfCause)).toEqual([
    'event.amount',
    'offer.code',
  ]);
});
