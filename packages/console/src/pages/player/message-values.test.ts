import { expect, test } from 'vitest';
import { bodyOfValues, isFilled, valuesOf } from './message-values.ts';

test('the sender types the values of event, campaign and offer, and of a nested value only the inner one', () => {
  const variables = ['player.first_name', 'event.prize', 'event.prize.name', 'event.prizes', 'offer.code', 'eventual'];
  expect(valuesOf({ variables, needed: ['player.first_name', 'offer.code'] })).toEqual([
    { name: 'event.prize.name', isNeeded: false, typed: '' },
    { name: 'event.prizes', isNeeded: false, typed: '' },
    { name: 'offer.code', isNeeded: true, typed: '' },
  ]);
});

test('only a needed value must be filled, and spaces do not fill it', () => {
  expect(isFilled({ name: 'event.a', isNeeded: true, typed: ' ' })).toBe(false);
  expect(isFilled({ name: 'event.a', isNeeded: true, typed: 'b' })).toBe(true);
  expect(isFilled({ name: 'event.a', isNeeded: false, typed: '' })).toBe(true);
});

test('the API gets nested objects, without the values that are empty', () => {
  const value = (name: string, typed: string) => ({ name, typed, isNeeded: false });
  const values = [value('event.prize.name', ' A boat '), value('event.prize.size', '3 m'), value('event.rest', ' ')];
  expect(bodyOfValues([...values, value('offer["code"]', 'X'), value('event.list[0].name', 'one')])).toEqual({
    event: { prize: { name: 'A boat', size: '3 m' }, list: { 0: { name: 'one' } } },
    offer: { code: 'X' },
  });
  expect(bodyOfValues([])).toEqual({});
});

test('a value that is a JSON list is sent as a list, for templates that loop over it; other texts stay texts', () => {
  const value = (name: string, typed: string) => ({ name, typed, isNeeded: false });
  const values = [value('event.prizes', ' [{"name": "A boat"}, "A car"] '), value('event.note', '[sic] a "note"')];
  expect(bodyOfValues(values)).toEqual({ event: { prizes: [{ name: 'A boat' }, 'A car'], note: '[sic] a "note"' } });
});
