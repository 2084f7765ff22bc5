import { expect, test } from 'vitest';
import { en } from '../text/en.ts';
import { places } from '../text/places.ts';
import { listAddress, placeTitles } from './place-titles.ts';

test('the titles of an address are the id of its object, if it has one, and the name of its page', () => {
  const words = { nav: en.nav, pages: places.en.pages };
  for (const [pathname, titles] of [
    ['/demo/now', ['Now']],
    ['/demo/players', ['Players']],
    ['/demo/players/ann%201', ['ann 1', 'Players']],
    ['/demo/players/100%', ['100%', 'Players']],
    ['/demo/new-segment', ['Segments']],
    ['/demo/runs/17', ['17', 'Campaigns']],
    ['/demo/messages/new-template', ['Templates']],
    ['/demo/messages/templates/welcome', ['welcome', 'Templates']],
    ['/demo/rewards/intents/17', ['17', 'Bonuses']],
    ['/demo/settings/channels/', ['Channels']],
    ['/demo', []],
    ['/demo/nothing', []],
    ['/demo/settings/nothing', []],
  ] as const)
    expect(placeTitles(pathname, words), pathname).toEqual(titles);
});

test('the address of the list is found from the address of an object', () => {
  expect(listAddress('/demo/campaigns/none')).toBe('/demo/campaigns');
  expect(listAddress('/demo/runs/17')).toBe('/demo/campaigns');
  expect(listAddress('/demo/messages/templates/welcome')).toBe('/demo/messages/templates');
});
