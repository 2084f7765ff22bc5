import { expect, test } from 'vitest';
import { starters, withPicture } from './starters.ts';

test('an offer starts with a library image if there is one', () => {
  const offer = starters.email.offer ?? {};
  const url = 'https://crm.example/media/malta/abcdefghijklmnopqrstuv.png';
  expect(withPicture(offer, url).mjml).toContain(`<mj-image src="${url}"`);
  expect(withPicture(offer, undefined).mjml).not.toContain('mj-image');
  expect(withPicture(starters.sms.empty ?? {}, url)).toEqual(starters.sms.empty);
});
