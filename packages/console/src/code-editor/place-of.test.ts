import { expect, test } from 'vitest';
import { placeOf } from './place-of.ts';

test('a name is only found as a whole word', () => {
  const text = '{{ player.first_name }} {{ player.fi }} {{ myplayer.fi }}';
  expect(placeOf('player.fi', text)).toBe(27);
  expect(placeOf('player.f', text)).toBe(-1);
  expect(placeOf('player.first_name', text)).toBe(3);
});
